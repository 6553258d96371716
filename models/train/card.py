"""Write models/CARD.md: what the networks are, what they learned from and how far they can go."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from models.train.calibrate import calibrate, load_eyes, measure, reliability
from models.train.eyes import gather, judge
from models.train.pictures import PHOTO_SETS, all_photos, drawn_shots, photo_shots
from models.train.score import table

LICENCES = {
    "dice-byler": "nell-byler/dice_detection, BSD 3-Clause",
    "dice-catan": "mpouziotasd/Vis-DiceX2, MIT",
    "dice-epanemu": "Epanemu/GameDiceRecognition, CC BY 4.0",
    "dice-skovy": "skovy/tensorflow-dice-model, MIT",
}
FRESH = 900_001  # first seed of the sketches that are only for measuring


def write_card(out: Path, photos: Path, var: Path, seed: int) -> str:
    """Calibrate, score and write the card; return its text."""
    held = list(all_photos(photos, held_back=True))
    eyes = load_eyes(out)
    raw = [gather(shot.pixels(), eyes) for shot in held]
    doubt = calibrate(out, held, raw)
    seen = [judge(*one, doubt) for one in raw]
    fresh = drawn_shots(var / "fresh")
    of_fresh = [judge(*gather(shot.pixels(), eyes), doubt) for shot in fresh]
    text = "\n".join([
        "# The networks",
        "",
        "Written by `python -m models.train card`; nothing here is typed by hand.",
        "",
        *_files(out, var),
        "",
        "## Learned from",
        *_learned_from(photos, var, seed),
        "",
        "## Photos held back from training (one in five, by a hash of the file's name)",
        "Temperature and threshold were chosen on these same photos: they flatter `asked` and",
        "`SILENT` a little. Other people's tables are in docs/accuracy.md.",
        "```",
        table(held, seen, doubt.sure),
        "```",
        "",
        f"## Sketches of seeds kept out of training, from {FRESH}",
        "```",
        table(fresh, of_fresh, doubt.sure),
        "```",
        "",
        f"## Confidence and truth on the photos held back; sure from {doubt.sure}",
        reliability(*measure(held, seen)),
        "",
    ])  # fmt: skip
    (out / "CARD.md").write_text(text)
    return text


def _files(out: Path, var: Path) -> list[str]:
    lines = ["| file | kB | steps | hours | sha256 |", "| --- | --- | --- | --- | --- |"]
    for name in ("finder", "reader"):
        path = out / f"{name}.onnx"
        content = path.read_bytes()
        steps, seconds = _effort(var / name / "log.jsonl")
        lines.append(
            f"| `{path.name}` | {len(content) // 1000} | {steps} | {seconds / 3600:.2f} "
            f"| `{hashlib.sha256(content).hexdigest()}` |"
        )
    return lines


def _effort(log: Path) -> tuple[int, float]:
    """Return the last step of a log and the seconds all its steps took."""
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    taken = {row["step"]: row["seconds"] for row in rows}  # a repeated stretch counts once
    return max(taken), sum(taken.values())


def _learned_from(photos: Path, var: Path, seed: int) -> list[str]:
    sketches = len(list((var / "sketch").glob("*.jpg")))
    lines = [
        f"- {sketches} sketches (`models/train/sketch.py`), seeds from 1; training seed {seed}"
    ]
    for name in PHOTO_SETS:
        shots = photo_shots(photos / name, held_back=False)
        pieces = sum(len(shot.faces) for shot in shots)
        quads = len(drawn_shots(var / "quads" / name))
        lines.append(
            f"- {name}: {len(shots)} photos, {pieces} dice; {quads} photos with quads that the"
            f" finder gave ({LICENCES[name]})"
        )
    return lines
