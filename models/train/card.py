"""Write models/CARD.md: what the networks are, what they learned from and how far they can go."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.dataset.folders import PHOTO_SETS, drawn_images, photo_images
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
from models.train.origin import read_origins
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


@dataclass(frozen=True, slots=True)
class Group:
    """Looks at pictures that nothing learned from."""

    source: str  # who took or drew them: a set of photos, "sketched" or "rendered"
    looks: list[Looks]
    weight: float  # of each picture


def write_card(out: Path, photos: Path, var: Path, seed: int) -> str:
    """Calibrate, measure and write the card; return its text.

    Args:
        out: where the networks are, with what they were made from (`models/train/origin.py`).
        photos: labelled sets, of which some photos were held back.
        var: working data; `fresh`, `bare`, `printed`, `rendered-fresh` and `boards` hold pictures
            that nothing learned from.
        seed: of the changes to photos.
    """
    eyes = load_eyes(out)
    photos_of = {name: photo_images(photos / name, held_back=True) for name in PHOTO_SETS}
    sets = {name: [check(shot, eyes) for shot in shots] for name, shots in photos_of.items()}
    held = [one for checked in sets.values() for one in checked]
    rng = np.random.default_rng(seed)
    changed = {
        name: [
            check(shot, eyes, bgr)
            for each in shots
            for bgr, shot in (varied(rng, each) for _ in range(VARIED))
        ]
        for name, shots in photos_of.items()
    }
    others = [one for checked in changed.values() for one in checked]
    sketches, bare, printed, traced, boards = (
        [check(shot, eyes) for shot in drawn_images(var / name)]
        for name in ("fresh", "bare", "printed", "rendered-fresh", "boards")
    )
    drawn = sketches + traced + boards
    groups = [
        *(Group(name, looks, 1.0) for name, looks in sets.items()),
        *(Group(name, looks, VARIED_WEIGHT) for name, looks in changed.items()),
        Group("sketched", sketches + printed, DRAWN_WEIGHT),
        Group("sketched", bare, BARE_WEIGHT),
        Group("rendered", traced + boards, DRAWN_WEIGHT),
    ]
    doubt = _fitted(groups)
    (out / FILE).write_text(json.dumps(doubt.to_json(), indent=1) + "\n")
    text = "\n".join([
        "# The networks",
        "",
        "Written by `python -m models.train card`; nothing here is typed by hand.",
        "",
        *_files(out),
        "",
        "## Learned from",
        *_learned_from(out, photos),
        "",
        "## Photos held back from training (one in five, by a hash of the file's name)",
        "Doubt is fitted to these photos and to the drawn pictures below, so they flatter a",
        "little. Other people's tables are in docs/accuracy.md.",
        *(f"- {name}: {summary(checked, doubt)}" for name, checked in sets.items()),
        f"- **all: {summary(held, doubt)}**",
        f"- changed: from nearer, in a mirror, in other light, blurred: {summary(others, doubt)}",
        "",
        "## With doubt fitted to the others alone, as a stranger's pictures meet it",
        *_as_strangers(groups),
        "",
        "## Drawn pictures kept out of training (synthetic)",
        f"- sketches from seed {FRESH}: {summary(sketches, doubt)}",
        f"- rendered tables: {summary(traced, doubt)}" if traced else "",
        f"- rendered boards of 3 x 3 cells: {summary(boards, doubt)}" if boards else "",
        f"- sketches of bare tables: {summary(bare, doubt)}" if bare else "",
        f"- of print, ruled sheets and sweets: {summary(printed, doubt)}" if printed else "",
        "",
        *_doubt(held, drawn, doubt),
        "",
    ])  # fmt: skip
    (out / "CARD.md").write_text(text)
    return text


def _fitted(groups: list[Group]) -> Doubt:
    return calibrate(
        [look for group in groups for look in group.looks],
        [group.weight for group in groups for _ in group.looks],
    )


def _as_strangers(groups: list[Group]) -> list[str]:
    """Return a line for each source: how its pictures fare with the doubt of the other sources."""
    lines = []
    for source in dict.fromkeys(group.source for group in groups if group.looks):
        doubt = _fitted([group for group in groups if group.source != source])
        own = [look for group in groups if group.source == source for look in group.looks]
        lines.append(f"- {source}: {summary(own, doubt)}")
    return lines


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


def _files(out: Path) -> list[str]:
    lines = [
        "| file | kB | steps | hours | from | sha256 |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, origin in read_origins(out).items():
        path = out / f"{name}.onnx"
        size = path.stat().st_size // 1000
        mixed = f", {origin.share:.0%} of the way" if origin.share < 1 else ""
        lines.append(
            f"| `{path.name}` | {size} | {origin.steps} | {origin.hours:.2f} "
            f"| `{origin.before[:8]}`{mixed} | `{origin.sha256}` |"
        )
    return lines


def _learned_from(out: Path, photos: Path) -> list[str]:
    lines = [f"- {name}: {origin.told()}" for name, origin in read_origins(out).items()]
    for name in PHOTO_SETS:
        shots = photo_images(photos / name, held_back=False)
        pieces = sum(len(shot.faces) for shot in shots)
        lines.append(f"- {name}: {len(shots)} photos, {pieces} dice ({LICENCES[name]})")
    return lines
