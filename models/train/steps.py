"""The steps of training. What a step needs is imported by the step: sketching needs no torch."""

# ruff: noqa: PLC0415

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from models.train.origin import PAIRS

if TYPE_CHECKING:
    from models.train.face_classifier import CropSources
    from models.train.trainer import Training
    from vision.models import Detector, FaceClassifier

OF_CROPS = ("face_classifier", "pair_classifier")
DRAWINGS = {
    "sketch": "tables of everything",
    "prints": "tables of print, ruled sheets and sweets",
    "on_photos": "pieces on photographed grounds",
    "objects": "polyhedra, keys, coins, sockets, bricks",
    "tiles": "tables of dominoes, many of them blank",
    "cards": "tables with playing cards",
    "layouts": "crosses, T-junctions, blocks, stacks of dominoes",
    "dominoes": "chains, racks, heaps, two sets of dominoes",
    "double_nine": "dominoes of sets to double nine",
    "unread": "dominoes face down, dice with numerals or signs, print",
}
NETWORKS = (
    *("detector", "face_classifier", "pair_classifier"),
    *("mark_classifier", "edge_classifier"),
)


def run_drawing(kind: str, args: argparse.Namespace) -> None:
    """Draw tables of one kind, of DRAWINGS, with truth into the folder of its name."""
    from models.sketch.drawings import write

    grounds = grounds_of(args.photos) if kind == "on_photos" else ()
    if grounds or kind != "on_photos":
        _draw(args, partial(write, args.var / kind, kind, grounds))


def grounds_of(photos: Path) -> list[Path]:
    """Return the photos to learn from on which no piece lies."""
    from models.dataset.folders import training_photos

    return [shot.path for shot in training_photos(photos, held_back=False) if not shot.dice]


def run_rendered_dominoes(args: argparse.Namespace) -> None:
    """Take up the dominoes that another renderer drew, beside the photos."""
    from models.train.quads import write_rendered_dominoes

    labelled = args.photos.parent / "rendered" / "domino-blender"
    if labelled.exists():
        print(write_rendered_dominoes(labelled, args.var / "rendered_dominoes"))


def run_stacks(args: argparse.Namespace) -> None:
    """Draw positions of Even at Odds, the tile that was laid last as the last of each."""
    _draw(args, partial(_write_stack, args.var / "stacks", args.high, args.rise))


def _write_stack(folder: Path, high: int, rise: int, seed: int) -> None:
    from models.dataset.positions import lying, turn_of
    from models.sketch.stacks import StackedTile, write

    if turn := turn_of(seed, high):
        spots = [StackedTile(tile.halves, tile.cells, tile.level) for tile in lying(turn.after)]
        write(folder, seed, spots, high, rise)


def _draw(args: argparse.Namespace, write: Callable[[int], None]) -> None:
    from concurrent.futures import ProcessPoolExecutor

    seeds = range(args.first, args.first + args.count)
    with ProcessPoolExecutor(max_workers=max(1, args.workers)) as pool:
        for done, _ in enumerate(pool.map(write, seeds, chunksize=20), 1):
            if done % 500 == 0:
                print(f"{done} of {args.count} sketches", flush=True)


def _train(args: argparse.Namespace, name: str, training: Training) -> None:
    import torch

    from models.train.trainer import Trainer

    if args.threads:
        torch.set_num_threads(args.threads)
    shipped_models = args.out / f"{name}.onnx" if args.again else None
    Trainer(args.var / name).train(
        training, seed=args.seed, steps=args.steps, shipped_models=shipped_models
    )


def _how(args: argparse.Namespace) -> dict[str, int]:
    return {"seed": args.seed, "workers": args.workers}


def _photos(args: argparse.Namespace) -> Path | None:
    photos: Path = args.photos
    return photos if photos.exists() else None


def _drawn(args: argparse.Namespace) -> tuple[Path, ...]:
    kinds = ("sketch", "prints", "objects", "on_photos", "tiles", "cards", "dominoes", "layouts")
    return tuple(args.var / kind for kind in (*kinds, "stacks", "rendered_dominoes"))


def _folders(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted(folder.glob("*/"))) if folder.exists() else ()


def run_detector(args: argparse.Namespace) -> None:
    """Train the detector, or go on with it."""
    from models.train.detector import Sources, training

    sources = Sources(_drawn(args), _photos(args), args.var / "quads")
    how = _how(args) | {"batch": args.batch}
    _train(args, "detector", training(sources, **how, again=args.again))


def run_face_classifier(args: argparse.Namespace) -> None:
    """Train the face classifier, or go on with it."""
    from models.train.face_classifier import training

    _train(args, "face_classifier", training(_crop_sources(args), **_how(args)))


def _crop_sources(args: argparse.Namespace) -> CropSources:
    from models.train.face_classifier import CropSources

    return CropSources(_drawn(args), _folders(args.var / "quads"))


def run_pair_classifier(args: argparse.Namespace) -> None:
    """Train the pair classifier on what `pairs` gathered, or go on with it."""
    from models.train.pair_classifier import training

    _train(args, "pair_classifier", training(_pair_sources(args), **_how(args)))


def _pair_sources(args: argparse.Namespace) -> CropSources:
    from models.train.face_classifier import CropSources

    pairs = args.var / PAIRS
    others = (pairs / kind for kind in ("sketch", "prints", "tiles", "cards", "stacks"))
    dominoes = (*_folders(pairs / "layouts"), *_folders(pairs / "dominoes"))
    photos = (*_folders(pairs / "quads"), *_folders(pairs / "tile_photos"))
    return CropSources((*others, *dominoes), photos)


def run_pairs(args: argparse.Namespace) -> None:
    """Gather in VAR/pairs what the pair classifier learns from, and train it."""
    from models.train.quads import write_quads, write_tile_photos

    of_pairs = argparse.Namespace(**vars(args) | {"var": args.var / PAIRS})
    for kind, of in PAIRS_FROM.items():
        of_pairs.count = round(of * args.tables)
        run_stacks(of_pairs) if kind == "stacks" else run_drawing(kind, of_pairs)
    if args.photos.exists():
        print(write_tile_photos(args.photos, of_pairs.var / "tile_photos"))
        find, read = _newest_networks(args)
        out, workers = of_pairs.var / "quads", max(1, args.workers)
        print(write_quads(args.photos, find, read, out, PAIR_PHOTOS, workers))
    run_pair_classifier(args)


PAIR_PHOTOS = 60  # of each set of dice: neighbours that are none
# What the pair classifier is made from, a share of the number of tables of dominoes each.
PAIRS_FROM = {
    "dominoes": 1.0,
    "layouts": 0.2,
    "sketch": 1 / 3,
    "tiles": 1 / 6,
    "prints": 1 / 12,
    "cards": 0.05,
    "stacks": 1 / 3,
}


def run_mark_classifier(args: argparse.Namespace) -> None:
    """Train the mark classifier on sheets drawn as it goes, or go on with it."""
    from models.train.mark_classifier import training

    _train(args, "mark_classifier", training(**_how(args)))


def run_edge_classifier(args: argparse.Namespace) -> None:
    """Train the edge classifier, or go on with it."""
    from models.train.edge_classifier import training

    _train(args, "edge_classifier", training(_drawn(args), _photos(args), **_how(args)))


def run_quads(args: argparse.Namespace) -> None:
    """Give quads to photos, and find mistakes on the last DRAWN pictures of a folder."""
    from models.train.quads import write_mistakes, write_quads

    detector, face_classifier = _newest_networks(args)
    workers = max(1, args.workers)
    if args.photos.exists():
        out = args.var / "quads"
        print(write_quads(args.photos, detector, face_classifier, out, workers=workers))
    for folder in _drawn(args):
        print(write_mistakes(folder, detector, args.drawn, workers))


def _newest_networks(args: argparse.Namespace) -> tuple[Detector, FaceClassifier]:
    """Return the newest trained detector and face classifier, else those in OUT."""
    from vision.models import load_face_classifier, load_plain

    made = args.var / "export"
    _export_to(args, made)
    paths = (made / "detector.onnx", made / "face_classifier.onnx")
    detector, face_classifier = (p if p.exists() else args.out / p.name for p in paths)
    threads = 1 if args.workers > 1 else 0  # each worker asks by itself
    return load_plain(detector, threads), load_face_classifier(face_classifier, threads)


def run_export(args: argparse.Namespace) -> None:
    """Write the networks as ONNX files, with what they were made from, and tell the card.

    The classifiers of crops get whole numbers, by crops of what they learned from.
    """
    for name in _export_to(args, args.out):
        if name in OF_CROPS:
            _quantize(args, name)
    _write_origins(args)
    _tell_card(args)


def _tell_card(args: argparse.Namespace) -> None:
    """Tell the card, if there is one, what the networks in OUT are."""
    from models.train.calibration.card import with_networks

    card = args.out / "CARD.md"
    if card.exists():
        card.write_text(with_networks(card.read_text(), args.out, args.photos))


CROPS = 4096  # that whole numbers are fitted to; with 1,024 a class differs twice as often


def _quantize(args: argparse.Namespace, name: str) -> None:
    """Give a classifier of crops whole numbers."""
    from models.train.export import quantize
    from models.train.face_classifier import crops_of, some_crops
    from models.train.pair_classifier import pairs_of

    of = {
        "face_classifier": (_crop_sources, crops_of),
        "pair_classifier": (_pair_sources, pairs_of),
    }
    sources, draw = of[name]
    crops = some_crops(partial(draw, sources(args)), args.seed, CROPS)
    quantize(args.out / f"{name}.onnx", crops)


def _export_to(args: argparse.Namespace, folder: Path) -> list[str]:
    """Write every network that has a checkpoint; return which."""
    from models.train.export import export
    from models.train.trainer import Trainer

    folder.mkdir(parents=True, exist_ok=True)
    trained = [name for name in NETWORKS if (args.var / name / "checkpoint.pt").exists()]
    for name in trained:
        path = folder / f"{name}.onnx"
        steps = export(name, Trainer(args.var / name), path)
        print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB after {steps} steps")
    return trained


def run_interpolate(args: argparse.Namespace) -> None:
    """Write networks between those of two folders to OUT."""
    from models.train.export import interpolate_weights
    from models.train.trainer import Log, Trainer

    args.out.mkdir(parents=True, exist_ok=True)
    for name in NETWORKS:
        before, after, out = (path / f"{name}.onnx" for path in (args.before, args.after, args.out))
        share = args.share if args.only in (None, name) else 1.0
        interpolate_weights(before, after, out, share)
        if share < 1:
            Log(Trainer(args.var / name).log).interpolated(share)
        print(f"{out.name}: {share:.0%} of {after}")
    _write_origins(args)


def _write_origins(args: argparse.Namespace) -> None:
    from models.train.origin import write_origins

    write_origins(args.out, args.var)


def run_card(args: argparse.Namespace) -> None:
    """Calibrate, measure on FRESH sketches, and write CARD.md."""
    from models.sketch.sketch import BARE, BARE_PRINT, write
    from models.train.calibration.card import FRESH, write_card

    for seed in range(FRESH, FRESH + args.fresh):
        write(args.var / "fresh", seed)
        write(args.var / "bare", seed, BARE)
        write(args.var / "printed", seed, BARE_PRINT)
    how = {"fit": not args.keep, "workers": args.workers}
    print(write_card(args.out, args.photos, args.var, args.seed, **how))


def run_mark_calibration(args: argparse.Namespace) -> None:
    """Calibrate the mark classifier on fresh hands, and tell the card."""
    from models.train.calibration.mark_calibration import calibrate_marks

    print("\n".join(calibrate_marks(args.out, args.photos, args.sheets)))


def run_tile_photos(args: argparse.Namespace) -> None:
    """Write the photos of dominoes, smaller, and each changed in a few ways, to measure on."""
    from models.train.quads import write_changed, write_tile_photos

    photos, changed = args.var / "all_tile_photos", args.var / "changed_tile_photos"
    print(write_tile_photos(args.photos, photos, every=True))
    print(write_changed(photos, changed, args.times, args.seed))


def run_half_calibration(args: argparse.Namespace) -> None:
    """Fit how far halves of dominoes are believed to fresh tables, and tell the card."""
    from models.train.calibration.half_calibration import FIRST, calibrate_halves

    fresh = args.var / "fresh_dominoes"
    for kind, share in (("dominoes", 1), ("layouts", 2), ("tiles", 2)):
        sizes = {"var": fresh, "first": FIRST, "count": args.tables // share}
        run_drawing(kind, argparse.Namespace(**vars(args) | sizes))
    run_tile_photos(args)
    drawn = (*_folders(fresh / "dominoes"), *_folders(fresh / "layouts"), fresh / "tiles")
    photos = (*_folders(args.var / "all_tile_photos"), args.var / "changed_tile_photos")
    print("\n".join(calibrate_halves(args.out, drawn, photos)))


def run_kinds(args: argparse.Namespace) -> None:
    """Fit what tells pieces with a value from all else."""
    from models.train.kinds import make_kinds

    make_kinds(args.photos, args.var, args.out, args.seed)


def run_larger_sets(args: argparse.Namespace) -> None:
    """Fit the threshold for more than six pips, and write it to the card."""
    from models.train.calibration.half_calibration import fit_larger_sets
    from models.train.quads import write_tile_photos

    photos = args.var / "all_tile_photos"
    write_tile_photos(args.photos, photos, every=True)
    drawn = (*_folders(args.var / "dominoes"), args.var / "double_nine")
    print("\n".join(fit_larger_sets(args.out, drawn, photos)))
