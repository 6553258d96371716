"""Find what covers cells of a sheet: pens, rings of cups, hands, sleeves, dice, drops.

In: a straightened sheet, the dice on it. Out: `Occluder`s. All that a thing is known by is painted
on one picture of the sheet: edges that no hand draws (`lying`), cells whose print is missing
(`missing_print`), bodies of dice. What is together there is one thing; cells below are not read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.boards.dice_on_grid import bodies, ground_points
from vision.boards.sheet.laid_over import SheetDifference
from vision.boards.sheet.lying import edges_of_things
from vision.boards.sheet.missing_print import covered_cells
from vision.geometry import Bools, Grid, Points
from vision.layout import CellId
from vision.photo import Pixels
from vision.quad import Quad
from vision.straight_sheet import FINE, FRAME, LIGHT, StraightSheet, areas_in, darkest

REACH = 2.0  # mm around an edge that its thing covers
TOUCHED, UNDER = 8.0, 50.0  # mm² of a cell, of which these are covered, and by what is solid
DARK, GAP = 0.85, 7  # of the light, what a thing leaves at most; px of print that part it
TOGETHER = 8.0  # mm between parts of one thing
FAR = 9999  # px, beside the sheet
LYING = (
    "Something lies on the sheet ({places}). Take it away and take the photo again, or tap the"
    " cells under it."
)
UNSEEN = (
    "{cells} not seen ({places}). Something covers them, light is reflected there, or they lie off"
    " the photo."
)
UNLIKE = (
    "Much of the sheet is not seen as it was taught. Take away what lies on it, show all of it, or"
    " set its four corners."
)
ASIDE = 0.3  # of its side, by which a frame that is taken for a die lies aside at most
MOST = 5  # cells without the print of a taught sheet, beside which none is read
SPOTTED = (
    "Drops, hairs or crumbs seem to lie on the sheet. Wipe them off and take the photo again, or"
    " tap the cells that are read wrong."
)


@dataclass(frozen=True, slots=True, eq=False)
class Occluder:
    """Why some of a sheet's n cells are not seen."""

    said: str  # LYING, UNSEEN, UNLIKE or SPOTTED
    cells: Bools  # (n,)
    outline: Quad | None = None  # of the thing, px of the photo

    def but(self, others: Bools) -> "Occluder":
        """Return it without *others* of its cells."""
        return replace(self, cells=self.cells & ~others)

    def scaled(self, factor: float) -> "Occluder":
        """Return it on a picture *factor* times as large."""
        return replace(self, outline=self.outline and self.outline.scaled(factor))


def occluders_on(
    sheet: StraightSheet,
    dice: Sequence[Quad],
    labels: Sequence[str] | None,
    new: SheetDifference | None = None,
) -> tuple[list[Occluder], Bools]:
    """Return what lies on a sheet, and (n,) which cells show no print.

    Args:
        sheet: with n cells.
        dice: top faces, px of the photo.
        labels: of the cells, those with the same one are printed alike; None: it is not sure where
            the print is, and only dice are known.
        new: what a taught sheet has beside the empty one.
    """
    edges, bodied, unprinted = np.zeros((3, *sheet.light.shape[:2]), np.uint8)
    missing = bare = np.zeros(len(sheet.cells), np.bool_)
    if new is not None:
        edges, missing = edges_of_things(sheet, new.printed), new.covered
    elif labels is not None:
        edges, (missing, bare) = edges_of_things(sheet), covered_cells(sheet, labels)
    to_sheet = sheet.to_photo.inverse()
    if labels is not None and sheet.finer >= 1:  # else too little of the print is seen
        shown = ~(bare | missing)
        dice = [die for die in dice if not _is_frame(to_sheet.apply(die.array), sheet, shown)]
    standing = ground_points(Grid(1, 1, sheet.to_photo), dice)
    for body in bodies(dice, standing):
        outline = to_sheet.apply(body).round().clip(-FAR, FAR).astype(np.int32)
        cv2.fillConvexPoly(bodied, outline, (1,))
    for left, top, right, bottom in sheet.boxes(FRAME)[missing]:
        unprinted[top : bottom + 1, left : right + 1] = 1
    ink = None if new is None else np.asarray(darkest(new.ink) < DARK * LIGHT, np.uint8)
    things = list(_things(sheet, edges, bodied, unprinted, ink))
    if new is not None and new.covered.sum() > MOST:
        things.append(Occluder(UNLIKE, np.ones_like(bare)))
    return things, bare


def _is_frame(face: Points, sheet: StraightSheet, printed: Bools) -> bool:
    """Return True if what was taken for a die, (4, 2) px, is the frame of a *printed* cell."""
    frames = sheet.cells[printed]
    turned = np.stack([np.roll(face, turn, axis=0) for turn in range(4)])
    away = np.linalg.norm(turned - frames[:, None], axis=3).max(axis=2).min(axis=1)
    sides = np.sqrt(np.prod(np.ptp(frames, axis=1), axis=1))
    return bool((away < ASIDE * sides).any())


def _things(
    sheet: StraightSheet, edges: Pixels, bodied: Pixels, unprinted: Pixels, ink: Pixels | None
) -> Iterator[Occluder]:
    """Yield the things on cells by (h, w) masks of edges, dice, where print is missing, and ink."""
    body = edges if ink is None else _grown(edges, ink)
    signs = body | bodied | unprinted
    number, parts = cv2.connectedComponents(cv2.dilate(signs, _disc(TOGETHER / 2)))
    labels, boxes = np.asarray(parts, np.int32), sheet.boxes()
    around = np.asarray(cv2.dilate(edges, _disc(REACH)), np.uint8) | body
    below = areas_in(labels * np.asarray(around, np.int32), number, boxes) > TOUCHED
    below |= areas_in(labels * (bodied | unprinted), number, boxes) > UNDER
    for label in np.flatnonzero(below.any(axis=1)):
        y, x = np.nonzero((labels == label) & (signs > 0))
        corners = cv2.boxPoints(cv2.minAreaRect(np.stack([x, y], axis=1).astype(np.float32)))
        outline = Quad.around(sheet.to_photo.apply(corners.astype(np.float64)))
        lies = (edges | bodied)[y, x].any()  # else it may be a reflection
        yield Occluder(LYING if lies else UNSEEN, below[label], outline)


def _grown(edges: Pixels, ink: Pixels) -> Pixels:
    """Return (h, w) edges of things and the ink that is together with them: it is theirs."""
    joined = cv2.morphologyEx(ink | edges, cv2.MORPH_CLOSE, np.ones((GAP, GAP), np.uint8))
    _, labels = cv2.connectedComponents(joined)
    theirs = np.unique(labels[edges > 0])
    return np.asarray(np.isin(labels, theirs[theirs > 0]) & (joined > 0), np.uint8)


def _disc(radius: float) -> Pixels:
    side = 2 * round(radius * FINE) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)


def hidden_by(occluders: Sequence[Occluder]) -> Bools:
    """Return (n,) which cells are not seen."""
    return np.asarray(np.any([one.cells for one in occluders], axis=0), np.bool_)


def occluders_said(occluders: Sequence[Occluder], cells: Sequence[CellId]) -> list[str]:
    """Return a sentence for each reason why cells are not seen."""
    hidden: dict[str, Bools] = {}
    for thing in occluders:
        hidden[thing.said] = hidden.get(thing.said, thing.cells) | thing.cells
    return [
        _said(text, [cells[k] for k in np.flatnonzero(some).tolist()])
        for text, some in hidden.items()
    ]


def _said(text: str, hidden: Sequence[CellId]) -> str:
    rows: dict[str, list[int]] = {}
    for *part, row, _ in hidden:
        rows.setdefault("".join(f"{name} half, " for name in part), []).append(int(row) + 1)
    places = " and ".join(f"{part}{_rows(which)}" for part, which in rows.items())
    cells = "One cell is" if len(hidden) == 1 else f"{len(hidden)} cells are"
    return text.format(places=places, cells=cells)


def _rows(which: Sequence[int]) -> str:
    low, high = min(which), max(which)
    return f"row {low}" if low == high else f"rows {low} to {high}"
