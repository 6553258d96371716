"""What a network was made from is written down where it lies, and stays when the logs are gone."""

import json

from models.train.origin import read_origins, write_origins

BEGAN = "ab" * 32


def logged(folder, *rows):
    folder.mkdir(parents=True)
    (folder / "log.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def test_the_origin_tells_steps_hours_beginning_and_pictures(tmp_path):
    out, var = (tmp_path / name for name in ("models", "var"))
    for folder in (out, var / "sketch", var / "quads" / "dice-a"):
        folder.mkdir(parents=True)
    for labels in (var / "sketch" / "1.json", var / "quads" / "dice-a" / "1.json"):
        labels.write_text("{}")
    for name in ("detector", "face_classifier"):
        (out / f"{name}.onnx").write_bytes(name.encode())
    logged(var / "detector", {"step": 0, "seconds": 0.0, "seed": 5}, {"step": 1, "seconds": 1.0})
    logged(
        var / "face_classifier",
        {"step": 0, "seconds": 0.0, "seed": 7, "from": BEGAN},
        {"step": 50, "seconds": 900.0},
        {"step": 50, "seconds": 1800.0},  # stopped and done again
        {"mixed": 0.5},
    )

    write_origins(out, var)

    detector, origin = (read_origins(out)[name] for name in ("detector", "face_classifier"))
    assert (origin.steps, origin.hours, origin.before, origin.share) == (50, 0.5, BEGAN, 0.5)
    assert origin.pictures == {"sketch": 1, "quads": 1}
    assert detector.seed == 5
    assert detector.pictures == {"sketch": 1}  # and boxes, not quads
    assert origin.told() == (
        "1 sketches, 1 photos with quads that the detector gave; training seed 7"
    )


def test_a_network_that_was_not_trained_again_keeps_its_origin(tmp_path):
    out, first, then = (tmp_path / name for name in ("models", "first", "then"))
    out.mkdir()
    for name in ("detector", "face_classifier"):
        (out / f"{name}.onnx").write_bytes(name.encode())
        logged(first / name, {"step": 10, "seconds": 36.0, "seed": 1})
    write_origins(out, first)
    logged(then / "face_classifier", {"step": 99, "seconds": 36.0, "seed": 2})

    write_origins(out, then)

    origins = read_origins(out)
    assert (origins["detector"].steps, origins["face_classifier"].steps) == (10, 99)
    assert (origins["detector"].seed, origins["face_classifier"].seed) == (1, 2)
    assert origins["detector"].before == "nothing"


def test_the_pair_classifier_learns_from_what_was_gathered_for_it_alone(tmp_path):
    out, var = tmp_path / "models", tmp_path / "var"
    out.mkdir()
    for labels in (
        "layouts/tee/1.json",
        "pairs/layouts/tee/1.json",
        "pairs/dominoes/row/1.json",
        "pairs/dominoes/row/2.json",
        "pairs/tile_photos/a/1.json",
    ):
        (var / labels).parent.mkdir(parents=True, exist_ok=True)
        (var / labels).write_text("{}")
    for name in ("face_classifier", "pair_classifier"):
        (out / f"{name}.onnx").write_bytes(name.encode())
        logged(var / name, {"step": 10, "seconds": 36.0, "seed": 1})

    write_origins(out, var)

    origins = read_origins(out)
    assert origins["face_classifier"].pictures == {"layouts": 1}
    assert origins["pair_classifier"].pictures == {"layouts": 1, "dominoes": 2, "tile_photos": 1}
