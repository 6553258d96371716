"""Write models/CARD.md: what the networks are, what they learned from and how far they can go."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np

from models.train.calibrate import (
    FILE,
    Looks,
    calibrate,
    check,
    load_eyes,
    reliability,
    summary,
    varied,
)
from models.train.pictures import PHOTO_SETS, drawn_shots, photo_shots
from vision.doubt import CUES, Doubt

LICENCES = {
    "dice-byler": "nell-byler/dice_detection, BSD 3-Clause",
    "dice-catan": "mpouziotasd/Vis-DiceX2, MIT",
    "dice-epanemu": "Epanemu/GameDiceRecognition, CC BY 4.0",
    "dice-skovy": "skovy/tensorflow-dice-model, MIT",
}
FRESH = 900_001  # first seed of the sketches that are only for measuring
VARIED = 6  # times that each photo held back is changed for fitting doubt
VARIED_WEIGHT = 0.25  # of such a photo beside the photo itself
DRAWN_WEIGHT = 0.1  # of a drawn picture
BARE_WEIGHT = 0.5  # of a drawn table without pieces: photos held back show few kinds of tables


def write_card(out: Path, photos: Path, var: Path, rendered: list[Path], seed: int) -> str:
    """Calibrate, measure and write the card; return its text.

    Args:
        out: where the networks are.
        photos: labelled sets, of which some photos were held back.
        var: working data; `fresh`, `bare`, `printed` and `rendered-fresh` hold pictures that
            nothing learned from.
        rendered: folders of pictures that the networks learned from.
        seed: of the training.
    """
    eyes = load_eyes(out)
    photos_of = {name: photo_shots(photos / name, held_back=True) for name in PHOTO_SETS}
    sets = {name: [check(shot, eyes) for shot in shots] for name, shots in photos_of.items()}
    held = [one for checked in sets.values() for one in checked]
    rng = np.random.default_rng(seed)
    others = [
        check(changed, eyes, bgr)
        for shots in photos_of.values()
        for shot in shots
        for bgr, changed in (varied(rng, shot) for _ in range(VARIED))
    ]
    sketches = [check(shot, eyes) for shot in drawn_shots(var / "fresh")]
    bare, printed = (
        [check(shot, eyes) for shot in drawn_shots(var / name)] for name in ("bare", "printed")
    )
    traced = [check(shot, eyes) for shot in drawn_shots(var / "rendered-fresh")]
    drawn = sketches + traced
    groups = (
        (held, 1.0),
        (others, VARIED_WEIGHT),
        (drawn + printed, DRAWN_WEIGHT),
        (bare, BARE_WEIGHT),
    )
    doubt = calibrate(
        [look for looks, _ in groups for look in looks],
        [weight for looks, weight in groups for _ in looks],
    )
    (out / FILE).write_text(json.dumps(doubt.to_json(), indent=1) + "\n")
    text = "\n".join([
        "# The networks",
        "",
        "Written by `python -m models.train card`; nothing here is typed by hand.",
        "",
        *_files(out, var),
        "",
        "## Learned from",
        *_learned_from(photos, var, rendered, seed),
        "",
        "## Photos held back from training (one in five, by a hash of the file's name)",
        "The thresholds were chosen on these photos and on the drawn pictures below, so they",
        "flatter a little. Other people's tables are in docs/accuracy.md.",
        *(f"- {name}: {summary(checked, doubt)}" for name, checked in sets.items()),
        f"- **all: {summary(held, doubt)}**",
        f"- changed: from nearer, in a mirror, in other light, blurred: {summary(others, doubt)}",
        "",
        "## Drawn pictures kept out of training (synthetic)",
        f"- sketches from seed {FRESH}: {summary(sketches, doubt)}",
        f"- rendered tables: {summary(traced, doubt)}" if traced else "",
        f"- sketches of bare tables: {summary(bare, doubt)}" if bare else "",
        f"- of print and sweets: {summary(printed, doubt)}" if printed else "",
        "",
        *_doubt(held, drawn, doubt),
        "",
    ])  # fmt: skip
    (out / "CARD.md").write_text(text)
    return text


def _doubt(held: list[Looks], drawn: list[Looks], doubt: Doubt) -> list[str]:
    weights = (
        f"| {name} | {real} | {right} |"
        for name, real, right in zip(CUES, doubt.real, doubt.right, strict=True)
    )
    return [
        "## Doubt",
        f"Shown from odds of {doubt.shown}, hinted at from {doubt.hinted}, sure from a",
        f"confidence of {doubt.sure}. Weights of the logistic regressions (`vision/doubt.py`):",
        "",
        "| cue | a face looks up | its value is right |",
        "| --- | --- | --- |",
        *weights,
        "",
        "Confidence and truth on the photos held back:",
        "",
        reliability(held, doubt),
        "",
        "and on the drawn pictures (synthetic):",
        "",
        reliability(drawn, doubt),
    ]


def _files(out: Path, var: Path) -> list[str]:
    lines = [
        "| file | kB | steps | hours | from | sha256 |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name in ("finder", "reader", "joiner"):
        path = out / f"{name}.onnx"
        content = path.read_bytes()
        steps, seconds, before = _effort(var / name / "log.jsonl")
        lines.append(
            f"| `{path.name}` | {len(content) // 1000} | {steps} | {seconds / 3600:.2f} "
            f"| {before} | `{hashlib.sha256(content).hexdigest()}` |"
        )
    return lines


def _effort(log: Path) -> tuple[int, float, str]:
    """Return the last step of a log, the seconds its steps took, and what they began with."""
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    taken = {row["step"]: row["seconds"] for row in rows if "step" in row}  # repeated ones once
    before = next((f"`{row['from'][:8]}`" for row in rows if "from" in row), "nothing")
    mixed = next((f", {row['mixed']:.0%} of the way" for row in rows if "mixed" in row), "")
    return max(taken), sum(taken.values()), before + mixed


def _learned_from(photos: Path, var: Path, rendered: list[Path], seed: int) -> list[str]:
    sketches, prints, tiles = (
        len(list((var / name).glob("*.jpg"))) for name in ("sketch", "prints", "tiles")
    )
    lines = [
        f"- {sketches} sketches (`models/train/sketch.py`), seeds from 1; training seed {seed}",
        f"- {prints} sketches of print and sweets, two in three of them without a piece",
    ]
    if tiles:
        lines.append(f"- {tiles} sketches of dominoes, more than half of their halves blank")
    lines += [
        f"- {len(list(folder.glob('*.jpg')))} rendered tables (`models/render`)"
        for folder in rendered
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
