"""Sheets by the rules, drawn or from our printer on real tables: `make marks ARGS="--tables 50"`.

A position is a player's turn in a match of random legal moves, its dice known, its marks just made.
On a real table the page is the PDF of `pipsight print`, filled by a person's hand and seen by a
pinhole over a photo of somebody's table, whose light falls on it too. Nothing of it went into
training: neither this print, nor these tables, nor this camera. Only the hands are drawn, and with
`--ink` they are strokes of real people (`real_hand`).
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

import vision
from models.drawn import Pixels, as_jpeg
from models.harness import NothingToMeasure
from models.sheets import things
from models.sheets.cases import GEOMETRY, found
from models.sheets.home import FilledSheet, draw_printed, form_of
from models.sheets.printing import PX_PER_MM, printed_page
from models.sheets.strokes import STATES, UNSURE, Floats, Form, InkShares, Random, Truth
from models.sheets.things import ThingLayer
from models.sheets.writer import fill_form
from scorer import MarkedCell, NotScored, Table
from scorer.games.dice_wide_shut import ONE
from scorer.games.dice_wide_shut.moves import Roll
from scorer.games.dice_wide_shut.photo.marks import printed, sheet_seen, was_seen
from scorer.games.dice_wide_shut.state import State, dice_for
from vision import Reading
from vision.layout import Layout
from vision.photo import decode
from vision.pipeline import read
from vision.reading import AcceptedSheet, Look

MOST_TURNS = 24  # of both players before the one that is photographed


@dataclass(frozen=True, slots=True)
class Position:
    """A turn: the state after its take, and after its marks."""

    taken: State
    marked: State

    @property
    def truth(self) -> tuple[MarkedCell, ...]:
        """Return the marks of the player's sheet, as they then are."""
        return printed(self.marked.sheets[self.taken.order[0]])


def draw_position(rng: Random) -> Position:
    """Play at random until a turn that marks something."""
    state = ONE.start(2, {})
    turns = int(rng.integers(0, MOST_TURNS))
    while True:
        before, state = state, ONE.apply(state, _random_move(rng, state))
        if ONE.is_over(state):
            state = ONE.start(2, {})
        elif before.due is not None:
            turns -= 1
            if turns < 0:
                return Position(before, state)


def _random_move(rng: Random, state: State) -> Any:
    if state.round and not state.pool:
        hues = [hue for hue, count in dice_for(len(state.sheets)).items() for _ in range(count)]
        return Roll(tuple((hue, int(rng.integers(1, 7))) for hue in hues))
    moves = list(ONE.legal_moves(state))
    return moves[int(rng.integers(len(moves)))]


Habits = tuple[str, ...]  # how a hand checks, strikes rows through, and its pen
# Writes the states wanted on the page; returns them, UNSURE where a mark is too faint to see.
Fill = Callable[[Random, Form, InkShares, Truth], tuple[Truth, Habits]]

BOARD = "sheet:dice-wide-shut"
SIZE = (1500, 2000)  # px of the photo
TILT, TURN = 35.0, 25.0  # degrees at most
FILLS = (0.62, 0.9)  # of the photo's height, by the paper's


@cache
def tables(folder: Path) -> tuple[Path, ...]:
    """Return photos of tables: what lies on them stays there, around or below the sheet."""
    sets = ("dice-byler", "dice-catan", "dice-epanemu", "dice-skovy", "domino-jjmlovesgit")
    found = tuple(path for name in sets for path in sorted((folder / name / "images").glob("*")))
    if not found:
        raise NothingToMeasure(f"Sheets are drawn on photos of tables; {folder} has none of them.")
    return found


def read_on_table(
    rng: Random, wanted: Truth, folder: Path, fill: Fill
) -> tuple[Reading, Habits] | None:
    """Return how a sheet is read and how its hand writes; None: a mark is too faint.

    *wanted* are the states to write, cell by cell.
    """
    drawn = photo_on_table(rng, wanted, folder, fill)
    if drawn is None:
        return None
    photo, habits = drawn
    content = as_jpeg(photo, int(rng.integers(80, 95)))
    return read_sheet(content), habits


def read_sheet(content: bytes, before: AcceptedSheet | None = None) -> Reading:
    """Return the reading of a photo of our sheet."""
    layout = Layout.from_json(our_print()[1])
    return read(decode(content), Look("board", BOARD, layout=layout, before=before))


def photo_on_table(
    rng: Random,
    wanted: Truth,
    folder: Path,
    fill: Fill,
    paper: Floats | None = None,
    thing: ThingLayer | None = None,
) -> tuple[Pixels, Habits] | None:
    """Return a photo of a sheet, and how its hand writes; None: a mark is too faint.

    The *paper* has a BGR colour, and a *thing* may lie on it.
    """
    picture, geometry = our_print()
    page = np.asarray(picture / np.float32(255 / rng.uniform(0.9, 1.0)), np.float32)
    if paper is not None:
        page *= np.asarray(paper, np.float32)
    form = form_of(geometry, PX_PER_MM)
    truth, habits = fill(rng, form, page, wanted)
    if (truth == UNSURE).any():
        return None
    return page_on_table(rng, page, folder, thing)[0], habits


def page_on_table(
    rng: Random, page: InkShares, folder: Path, thing: ThingLayer | None = None
) -> tuple[Pixels, Floats]:
    """Return a photo of a page with PX_PER_MM, and the (3, 3) map from its px to the photo's."""
    places = tables(folder)
    table = cv2.imread(str(places[int(rng.integers(len(places)))]))
    assert table is not None
    ground = np.asarray(cv2.resize(table, SIZE, interpolation=cv2.INTER_CUBIC), np.uint8)
    return _photo(rng, page, ground, thing)


def fill_by_person(rng: Random, form: Form, page: InkShares, wanted: Truth) -> tuple[Truth, Habits]:
    """Fill the (h, w, 3) page as our simulated people do."""
    truth, hand = fill_form(rng, form, page, people=True, wanted=wanted)
    return truth, (hand.checks[0], hand.strike, hand.pen.kind)


@cache
def our_print() -> tuple[Pixels, dict[str, Any]]:
    """Return the page of our sheet and its geometry."""
    return printed_page(BOARD)


def _photo(
    rng: Random, page: InkShares, table: Pixels, thing: ThingLayer | None
) -> tuple[Pixels, Floats]:
    """Return the (h, w, 3) page on the table, SIZE, and a thing on it; and the page's map."""
    few = cv2.resize(cv2.cvtColor(table, cv2.COLOR_BGR2GRAY), (9, 12), interpolation=cv2.INTER_AREA)
    share = np.clip(few / np.float32(np.median(few)), 0.6, 1.25) * np.float32(
        rng.uniform(0.65, 0.95)
    )
    light = cv2.resize(share.astype(np.float32), SIZE, interpolation=cv2.INTER_CUBIC)
    high, wide = page.shape[:2]
    square = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    corners_px = _seen(rng, square)
    matrix = cv2.getPerspectiveTransform(square, corners_px.astype(np.float32))
    scale = float(np.linalg.norm(corners_px[1] - corners_px[0]) / wide)
    if scale < 1:  # else the map would skip px
        page = np.asarray(cv2.GaussianBlur(page, (0, 0), 0.4 / scale), np.float32)
    lying = cv2.warpPerspective(page, matrix, SIZE, flags=cv2.INTER_LINEAR)
    inside = cv2.warpPerspective(np.ones((high, wide), np.float32), matrix, SIZE)[..., None]
    shadow = cv2.GaussianBlur(inside, (0, 0), 6)[..., None]
    ground = table / np.float32(255) * (1 - 0.35 * shadow)
    scene = inside * lying * light[..., None] + (1 - inside) * ground
    if thing is not None:
        scene = _with_thing(scene, thing, matrix, light)
    scene = cv2.GaussianBlur(scene, (0, 0), rng.uniform(0.4, 1.3))
    scene += rng.normal(0, rng.uniform(0.004, 0.02), scene.shape)
    return np.asarray(np.clip(255 * scene, 0, 255), np.uint8), np.asarray(matrix, np.float64)


def _with_thing(scene: InkShares, thing: ThingLayer, matrix: Any, light: InkShares) -> InkShares:
    """Return the scene with a thing on the page, which *matrix* maps to it."""
    finer, at = PX_PER_MM / things.PX_PER_MM, -things.AROUND * PX_PER_MM
    to_scene = matrix @ np.array([[finer, 0, at], [0, finer, at], [0, 0, 1]])
    white = (1.0, 1.0, 1.0)
    through = cv2.warpPerspective(thing.through, to_scene, SIZE, borderValue=white)
    own = cv2.warpPerspective(thing.light, to_scene, SIZE)
    return np.asarray(scene * through + own * light[..., None], np.float32)


def _seen(rng: Random, square: InkShares) -> InkShares:
    """Return the four corners of a page as a camera above the table sees them, px."""
    flat = square - square.mean(axis=0)
    turn, tilt = np.deg2rad(rng.uniform(-TURN, TURN)), np.deg2rad(rng.uniform(0, TILT))
    way = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(turn), np.sin(turn)
    flat = flat @ np.array([[c, s], [-s, c]])
    along = flat @ np.array([np.cos(way), np.sin(way)])
    away = 2.6 * np.hypot(*square[2]) / 2
    tilted = flat + np.outer(along * (np.cos(tilt) - 1), [np.cos(way), np.sin(way)])
    corners_px = tilted / (1 + along * np.sin(tilt) / away)[:, None]
    spread = np.ptp(corners_px, axis=0)
    corners_px *= min(rng.uniform(*FILLS) * SIZE[1] / spread[1], 0.97 * SIZE[0] / spread[0])
    room = np.array(SIZE) - np.ptp(corners_px, axis=0)
    return np.asarray(
        corners_px - corners_px.min(axis=0) + room * rng.uniform(0.1, 0.9, 2), np.float32
    )


WORST = 8  # habits that are listed

SheetReader = Callable[[FilledSheet], tuple[MarkedCell, ...]]


def report_by_rules(seeds: range, read: SheetReader) -> Iterator[str]:
    """Yield how positions of these seeds are understood; *read* reads the marks on a photo."""
    geometry = json.loads(GEOMETRY.read_text())
    alone, played, unseen = MarkCount(), MarkCount(), 0
    for seed in seeds:
        rng = np.random.default_rng([seed, 1])
        position = draw_position(rng)
        wanted = np.array([STATES.index(mark.mark) for mark in position.truth])
        sheet = found(seed, partial(draw_printed, geometry=geometry, people=True, wanted=wanted))
        if (sheet.truth == UNSURE).any():
            unseen += 1  # a mark that nobody could see
            continue
        marks = read(sheet)
        alone.add(*without_history(position, marks))
        played.add(*_in_a_match(position, marks))
    yield f"  of {len(seeds)} positions {unseen} have a mark that nobody could see; of the others"
    yield f"  without history          {alone.line()}"
    yield f"  in a match               {played.line()}"


def report_on_tables(seeds: range, folder: Path, fill: Fill) -> Iterator[str]:
    """Yield how printed sheets on real tables are understood, from photo bytes to the rules."""
    kinds = defaultdict[str, MarkCount](MarkCount)
    places, eyes, alone, played = (MarkCount() for _ in range(4))
    unseen = lost = 0
    for seed in seeds:
        rng = np.random.default_rng([seed, 2])
        position = draw_position(rng)
        wanted = np.array([STATES.index(mark.mark) for mark in position.truth])
        read = read_on_table(rng, wanted, folder, fill)
        if read is None:
            unseen += 1
            continue
        reading, habits = read
        marks = tuple(map(as_told, reading.marks))
        if not marks:
            lost += 1
            continue
        right = [a.mark == b.mark for a, b in zip(marks, position.truth, strict=True)]
        for is_right, mark in zip(right, reading.marks, strict=True):
            places.add(is_right, not mark.sure)
        eyes.add(all(right), not all(one.sure for one in reading.marks))
        by_itself = without_history(position, marks)
        alone.add(*by_itself)
        for habit in habits:
            kinds[habit].add(*by_itself)
        played.add(*_in_a_match(position, marks))
    yield f"  of {len(seeds)} positions {unseen} have a mark that nobody could see, and of {lost}"
    yield "  no sheet was found; of the others"
    yield f"  cells, by the eyes       {places.line()}"
    yield f"  sheets, by the eyes      {eyes.line()}"
    yield f"  without history          {alone.line()}"
    yield f"  in a match               {played.line()}"
    for habit, count in sorted(kinds.items(), key=lambda kind: -kind[1].unread)[:WORST]:
        yield f"    without history, {habit:12} {count.line()}"


def as_told(mark: vision.MarkReading) -> MarkedCell:
    """Return a mark as the rules take it."""
    part, row, column = mark.cell
    return MarkedCell(
        (str(part), int(row), int(column)),
        mark.mark,
        mark.confidence,
        mark.alternatives,
        mark.unchanged,
    )


class MarkCount:
    """How many things were read right, silently wrong, and asked about."""

    def __init__(self) -> None:
        self.all = self.right = self.silent = self.asked = 0

    def add(self, right: bool, asked: bool) -> None:
        """Count one more."""
        self.all += 1
        self.right += right
        self.asked += asked
        self.silent += not right and not asked

    @property
    def unread(self) -> float:
        """Return the share that was asked about or is wrong."""
        return (self.asked + self.silent) / max(self.all, 1)

    def line(self) -> str:
        """Return the shares as a sentence."""
        share = 100 / max(self.all, 1)
        return (
            f"{share * self.right:5.1f} % right, {self.silent} of {self.all} silently wrong,"
            f" {share * self.asked:5.1f} % ask"
        )


def without_history(position: Position, marks: tuple[MarkedCell, ...]) -> tuple[bool, bool]:
    """Return whether the sheet is read right from its photo alone, and if anything is asked.

    A sheet of which a cell is hidden is not scored: another photo is asked for.
    """
    try:
        sheet, doubts = sheet_seen(marks)
    except NotScored:
        return False, True
    is_right = sheet == position.marked.sheets[position.taken.order[0]]
    return is_right, bool(doubts) or not all(map(was_seen, marks))


def _in_a_match(position: Position, marks: tuple[MarkedCell, ...]) -> tuple[bool, bool]:
    """Return whether the turn is read right, and whether anything is asked.

    It is where it leads to the sheet that was photographed: two sixes may be spent in two ways.
    """
    proposal = ONE.observe(position.taken, Table(marks=marks))
    state = position.taken
    for move in proposal.moves:
        state = ONE.apply(state, move)
    seat = position.taken.order[0]
    right = not proposal.differences and state.sheets[seat] == position.marked.sheets[seat]
    return right, bool(proposal.differences or proposal.doubts)
