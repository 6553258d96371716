"""Write models/CARD.md: what the networks are, what they learned from and how far they can go."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.dataset.annotation import AnnotatedImage
from models.dataset.folders import (
    drawn_images,
    photo_images,
    photo_sets,
    photos_by_set,
    strangers_under,
)
from models.train.calibration.calibrate import (
    FILE,
    Looks,
    calibrate,
    check,
    hints,
    load_models,
    reliability,
    summary,
    varied,
)
from models.train.origin import read_origins
from vision.faces.calibration import FEATURES, Calibration

LICENCES = {
    "dice-byler": "nell-byler/dice_detection, BSD 3-Clause",
    "dice-catan": "mpouziotasd/Vis-DiceX2, MIT",
    "dice-epanemu": "Epanemu/GameDiceRecognition, CC BY 4.0",
    "dice-skovy": "skovy/tensorflow-dice-model, MIT",
    "dice-chase": "crops, chaseelliottpatterson/dice-reader, MIT",
    "dice-trays": "N3VERS4YDIE/dice-recognition, CC BY 4.0",
    "no-lookalikes": "two of three of 35 repositories, CC BY 4.0, CC0, Apache-2.0, BSD, MIT",
    "no-tables": "8 repositories, CC BY 4.0, CC0, MIT",
    "no-numerals": "BaylorRice/DiceReader, CC BY 4.0",
}
OWN = "counted at a table"
FRESH = 900_001  # first seed of the sketches that are only for measuring
VARIED_WEIGHT = 0.25  # of a changed photo beside the photo itself
DRAWN_WEIGHT = 0.1  # of a drawn picture
HALVES = "## Halves of dominoes"
LARGER_SETS, MARKS = "## More than six pips", "## Marks (synthetic: fresh hands)"
OF_OTHERS = (HALVES, LARGER_SETS, MARKS)  # parts that other steps tell, in this order
DRAWN = {  # folders of VAR with drawn pictures that nothing learned from
    "fresh": f"sketches from seed {FRESH}",
    "bare": "sketches of bare tables",
    "printed": "of print, ruled sheets and sweets",
}
FITTED = "Doubt is fitted to these photos and to the drawn pictures below."
KEPT = "Doubt was fitted before, to these photos and to drawn pictures such as those below."
BARE_WEIGHT = 0.5  # of a drawn table without pieces: photos held back show few kinds of tables


@dataclass(frozen=True, slots=True)
class Group:
    """Looks at pictures that nothing learned from."""

    source: str  # who took or drew them: a set of photos, or "sketched"
    looks: list[Looks]
    weight: float  # of each picture


@dataclass(frozen=True, slots=True)
class HeldBack:
    """Looks at all pictures that nothing learned from."""

    photos: dict[str, list[Looks]]  # held back, by set
    changed: dict[str, list[Looks]]  # the same, from nearer, in a mirror, in other light, blurred
    drawn: dict[str, list[Looks]]  # by folder: DRAWN

    def groups(self) -> list[Group]:
        """Return what doubt is fitted to."""
        drawn = self.drawn
        return [
            *(Group(name, looks, 1.0) for name, looks in self.photos.items()),
            *(Group(name, looks, VARIED_WEIGHT) for name, looks in self.changed.items()),
            Group("sketched", drawn["fresh"] + drawn["printed"], DRAWN_WEIGHT),
            Group("sketched", drawn["bare"], BARE_WEIGHT),
        ]


def write_card(
    out: Path, photos: Path, var: Path, seed: int, *, fit: bool = True, workers: int = 1
) -> str:
    """Calibrate, measure and write the card; return its text. What other steps wrote there stays.

    Args:
        out: where the networks are, with what they were made from (`models/train/origin.py`).
        photos: labelled sets, of which some photos were held back.
        var: working data; the folders DRAWN hold pictures that nothing learned from.
        seed: of the changes to photos.
        fit: fit doubt anew; else measure with the calibration that is there.
        workers: threads that look.
    """
    evidence = _look_at(out, photos, var, seed, workers)
    groups = evidence.groups()
    if fit:
        calibration = _fitted(groups)
        (out / FILE).write_text(json.dumps(calibration.to_json(), indent=1) + "\n")
    else:
        calibration = Calibration.from_json(json.loads((out / FILE).read_text()))
    text = "\n".join([
        "# The networks",
        "",
        "Written by `python -m models.train card`; nothing here is typed by hand.",
        "",
        *files_table(out),
        "",
        "## Learned from",
        *learned_from(out, photos),
        "",
        *_held_back(evidence, calibration, FITTED if fit else KEPT),
        "",
        "## With doubt fitted to the others alone, as a stranger's pictures meet it",
        *_as_strangers(groups),
        "",
        *_drawn(evidence.drawn, calibration),
        "",
        *_doubt(evidence, calibration),
        "",
    ])  # fmt: skip
    card = out / "CARD.md"
    before = card.read_text() if card.exists() else ""
    for heading in OF_OTHERS:
        text = with_part(text, heading, part_of(before, heading))
    card.write_text(text)
    return text


def part_of(text: str, heading: str) -> str:
    """Return the part of a card's text under one of OF_OTHERS; empty where it has none."""
    found = re.search(rf"^{re.escape(heading)}\n.*?(?=^## |\Z)", text, re.S | re.M)
    return found[0].rstrip("\n") if found else ""


def with_part(text: str, heading: str, part: str) -> str:
    """Return a card's text with this *part* under one of OF_OTHERS, in their order."""
    parts = {one: part_of(text, one) for one in OF_OTHERS} | {heading: part}
    own = re.split("|".join(rf"^{re.escape(one)}\n" for one in OF_OTHERS), text, flags=re.M)[0]
    return "\n\n".join([own.rstrip("\n"), *filter(None, parts.values())]) + "\n"


def write_part(out: Path, heading: str, lines: list[str], photos: Path | None = None) -> None:
    """Write a part of the card in *out* anew; the others stay.

    With *photos* what the networks are and were made from is written anew too.
    """
    card = out / "CARD.md"
    text = with_networks(card.read_text(), out, photos) if photos else card.read_text()
    card.write_text(with_part(text, heading, "\n".join(lines)))


def _look_at(out: Path, photos: Path, var: Path, seed: int, workers: int) -> HeldBack:
    """Let the networks see all pictures, and each photo that is held back changed too."""
    eyes = load_models(out)
    sets = {folder.name: photo_images(folder, held_back=True) for folder in photo_sets(photos)}
    held_back = {name: images for name, images in sets.items() if images}
    images_of = {name: list(images) for name, images in held_back.items()}
    for strangers in strangers_under(photos):
        if strangers.look.kind == "dice":
            images_of.setdefault(strangers.name, []).extend(strangers.images)

    def look(image: AnnotatedImage) -> Looks:
        return check(image, eyes)

    def look_changed(numbered: tuple[int, AnnotatedImage]) -> Looks:
        number, image = numbered
        bgr, changed = varied(np.random.default_rng([seed, number]), image)
        return check(changed, eyes, bgr)

    with ThreadPoolExecutor(max(1, workers)) as pool:  # networks and OpenCV leave the lock alone
        return HeldBack(
            photos={name: list(pool.map(look, images)) for name, images in images_of.items()},
            changed={
                name: list(pool.map(look_changed, enumerate(images)))
                for name, images in held_back.items()
            },
            drawn={name: list(pool.map(look, drawn_images(var / name))) for name in DRAWN},
        )


def _held_back(evidence: HeldBack, calibration: Calibration, fitted: str) -> list[str]:
    changed = _all(evidence.changed)
    return [
        "## Photos that no network learned from: strangers', and one in five of the others",
        f"{fitted} So they flatter a little.",
        *(f"- {name}: {summary(looks, calibration)}" for name, looks in evidence.photos.items()),
        f"- **all: {summary(_all(evidence.photos), calibration)}**",
        "- changed: from nearer, in a mirror, in other light, blurred:"
        f" {summary(changed, calibration)}",
    ]


def _drawn(drawn: dict[str, list[Looks]], calibration: Calibration) -> list[str]:
    lines = (f"- {words}: {summary(drawn[name], calibration)}" if drawn[name] else ""
            for name, words in DRAWN.items())  # fmt: skip
    return ["## Drawn pictures kept out of training (synthetic)", *lines]


def _all(looks: dict[str, list[Looks]]) -> list[Looks]:
    return [one for some in looks.values() for one in some]


def _fitted(groups: list[Group]) -> Calibration:
    return calibrate(
        [look for group in groups for look in group.looks],
        [group.weight for group in groups for _ in group.looks],
    )


def _as_strangers(groups: list[Group]) -> list[str]:
    """Return a line for each source: how its pictures fare with the doubt of the other sources."""
    lines = []
    for source in dict.fromkeys(group.source for group in groups if group.looks):
        calibration = _fitted([group for group in groups if group.source != source])
        own = [look for group in groups if group.source == source for look in group.looks]
        lines.append(f"- {source}: {summary(own, calibration)}")
    return lines


def _doubt(evidence: HeldBack, calibration: Calibration) -> list[str]:
    weights = (
        f"| {name} | {real} | {right} |"
        for name, real, right in zip(FEATURES, calibration.real, calibration.right, strict=True)
    )
    return [
        "## Doubt",
        f"Shown from a probability of {calibration.shown}, asked about as missed from"
        f" {calibration.missed}, sure from a",
        f"confidence of {calibration.sure}. Weights of the logistic regressions"
        " (`vision/faces/calibration.py`):",
        "",
        "| feature | a face looks up | its value is right |",
        "| --- | --- | --- |",
        *weights,
        "",
        "Confidence and truth on the photos held back:",
        "",
        reliability(_all(evidence.photos), calibration),
        "",
        "and on the drawn pictures (synthetic):",
        "",
        reliability(evidence.drawn["fresh"], calibration),
        "",
        "Places that are not shown, on the photos held back as they are and changed:",
        "",
        hints([*_all(evidence.photos), *_all(evidence.changed)], calibration),
    ]


def files_table(out: Path) -> list[str]:
    """Return the table of the networks' files."""
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


def learned_from(out: Path, photos: Path) -> list[str]:
    """Return a line for each network and each set of photos."""
    lines = [f"- {name}: {origin.line()}" for name, origin in read_origins(out).items()]
    for name, shots in photos_by_set(photos).items():
        pieces = sum(len(shot.faces) for shot in shots)
        lines.append(f"- {name}: {len(shots)} photos, {pieces} dice ({LICENCES.get(name, OWN)})")
    return lines


def with_networks(text: str, out: Path, photos: Path) -> str:
    """Return a card's text with what the networks in *out* are and were made from; the rest stays.

    The training sets are listed again only where the *photos* are.
    """
    table = "\n".join(files_table(out)) + "\n"
    text = re.sub(r"\| file \|.*?\n(?=\n)", lambda _: table, text, flags=re.S)
    if not photos.exists():
        return text
    learned = "## Learned from\n" + "\n".join(learned_from(out, photos)) + "\n"
    return re.sub(r"## Learned from\n.*?\n(?=\n)", lambda _: learned, text, flags=re.S)
