"""Even at Odds: dominoes laid and stacked; the largest group of even or of odd faces wins.

Two players, one plays for the evens and one for the odds; blanks are nobody's. A face is a cell of
a grid and what counts is the view from above. Rule ids are those of RULES.md. We rule that

* the foundation lies as printed, or as the house lays its six tiles (EO-A1, EO-A13, `foundation`);
* a stacked tile's half must match the very face it covers (EO-A2, `stack_match`);
* tiles lie on the grid, never shifted by half a face (EO-A3);
* a blank matches a blank (EO-A4, `blank_matches_blank`);
* a tile may be played beside a face of any height (EO-A5);
* groups cross levels: the top view counts (EO-A6, `group_levels`);
* any two different tiles of one height carry a third, foundation or not (EO-A7);
* who has no move passes and keeps the tiles, drawing none; when neither can play the game ends and
  is counted. Or a tile is set aside in place of the one not laid (EO-A8, `no_move`). With hands
  unknown a pass is taken if so many unseen tiles fit nowhere that they could be the whole hand;
* level after the extra turn is a draw (EO-A9);
* a game won on the tie-break scores 0, three games make a match, and level sums call for another
  (EO-A10, `tiebreak_game_score`, `match_games`); each game of a match has its own flip (EO-3);
* solo, every group but the largest of its team is isolated (EO-A11, `solo_isolated`), the helper
  needs a draw pile (EO-A12), and a tile that fits nowhere or a number that is missing after a turn
  loses the game, or leaves the rest of the hand aside (EO-A14, `solo_fail`);
* the starter begins the extra turn, with either unseen tile; the other player takes the other. It
  is played with that tile even where tiles are left in hand, and is lost if it fits nowhere
  (EO-A15).

Hands are hidden: nobody has to tell them. `Show` notes a tile of a hand for those who want the
moves narrowed down to it. A tile is written with its smaller number first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice, permutations
from typing import Literal, NamedTuple, TypeVar

from scorer import table as seen
from scorer.frames import Frame, frame_of, mirrored, moved
from scorer.game import (
    Because,
    Difference,
    Doubt,
    Equipment,
    Game,
    House,
    Illegal,
    NotAMove,
    Proposal,
    Result,
    Setting,
    Spot,
    check_seats,
    settle,
)
from scorer.one_photo import Facts, NotScored, OnePhoto, Scored
from scorer.printed import mat
from scorer.repair import joint_readings, likely, stories, unread
from scorer.table import Cell
from scorer.values import dump, reader

T = TypeVar("T")
Domino = tuple[int, int]  # the numbers of a tile, smaller first
Cells = tuple[Cell, Cell]
Team = Literal["evens", "odds"]
TEAMS: tuple[Team, Team] = ("evens", "odds")
Top = Mapping[Cell, tuple[int, int, int]]  # cell -> number, level, place of the tile in the laying

TITLE = "Even at Odds"
SEATS = range(1, 3)
HAND = 7
REMOVED = 2
DRAWN = 3  # solo: tiles a turn
SET: tuple[Domino, ...] = tuple((a, b) for a in range(7) for b in range(a, 7))
HELPER = (0, 0)  # solo: the double-blank lies beside the board
FOUNDATION_CELLS: tuple[Cells, ...] = tuple(
    ((row, column), (row, column + 1)) for row in range(3) for column in (0, 2)
)
FOUNDATION_NUMBERS = (1, 6, 2, 5, 3, 4)  # as printed, row by row
FACE_DOWN: Mapping[int, tuple[Domino, ...]] = {  # by number of players, the rest of the box
    1: tuple((a, b) for a, b in SET if a),
    2: tuple((a, b) for a, b in SET if a != b or not a),
}
AROUND = ((-1, 0), (0, -1), (0, 1), (1, 0))
BITS = {True: (1, 2, 4, 8, 16, 32, 64), False: (0, 2, 4, 8, 16, 32, 64)}  # do blanks match?


# ---------------------------------------------------------------- moves


@dataclass(frozen=True, slots=True)
class Flip:
    """Player 1 and player 2 flip a tile each for the start; more pips start."""

    first: Domino
    second: Domino


@dataclass(frozen=True, slots=True)
class Choose:
    """The player who does not start chooses a team."""

    team: Team


@dataclass(frozen=True, slots=True)
class Agree:
    """The players settled at the table who starts and who has the evens (seats from 0)."""

    starter: int
    evens: int


@dataclass(frozen=True, slots=True)
class Show:
    """A tile is known to be in a player's hand. Optional, at any time after the deal."""

    seat: int
    tile: Domino


@dataclass(frozen=True, slots=True)
class Lay:
    """Play a tile on the table or stack it: the number `tile[i]` comes to lie on `cells[i]`.

    However it is written, it is kept with the smaller number, or a double's upper or left half,
    first: one move has one form.
    """

    tile: Domino
    cells: Cells

    def __post_init__(self) -> None:
        (a, b), (p, q) = self.tile, self.cells
        if a > b or (a == b and p > q):
            object.__setattr__(self, "tile", (b, a))
            object.__setattr__(self, "cells", (q, p))


@dataclass(frozen=True, slots=True)
class Pass:
    """No tile of the hand can be laid: keep them (solo: the game is lost, or they go aside)."""


@dataclass(frozen=True, slots=True)
class Discard:
    """No tile of the hand can be laid: set one aside, face up (EO-A8)."""

    tile: Domino


@dataclass(frozen=True, slots=True)
class Draw:
    """Solo: the three tiles of the turn, in any order."""

    tiles: tuple[Domino, ...]

    def __post_init__(self) -> None:
        """Put the tiles in order, so that equal draws are equal moves."""
        object.__setattr__(self, "tiles", tuple(sorted(self.tiles)))


@dataclass(frozen=True, slots=True)
class Exchange:
    """Solo, once a game: turn the helper over, shuffle a drawn tile back and take another."""

    back: Domino
    drawn: Domino


Move = Flip | Choose | Agree | Show | Lay | Pass | Discard | Draw | Exchange


# ---------------------------------------------------------------- settings


def _read_foundation(value: object) -> tuple[tuple[Domino, Cells], ...]:
    """Read [[[1, 1], [[0, 0], [0, 1]]], …]: the numbers of a tile and their cells (row, column)."""
    placed: tuple[tuple[Domino, Cells], ...] = reader(tuple[tuple[Domino, Cells], ...])(dump(value))
    cells = [cell for _, both in placed for cell in both]
    if len(set(cells)) < len(cells):
        raise ValueError("two halves of the foundation lie on one cell")
    for tile, (p, q) in placed:
        if not _neighbours(p, q):
            raise ValueError(f"the halves of {_name(tile)} must lie on neighbouring cells")
    return placed


SETTINGS = (
    Setting(
        "foundation",
        "How the six tiles of the foundation lie",
        "as_printed",
        {"as_printed": "Three rows of two, touching: 1-1 6-6, 2-2 5-5, 3-3 4-4 (solo 1-0 6-0 …)"},
        "EO-A1",
        read=_read_foundation,
        example="[[[1, 1], [[0, 0], [0, 1]]], [[6, 6], [[0, 2], [0, 3]]], …]",
    ),
    Setting(
        "stack_match",
        "Which half must match when you stack",
        "face_on_face",
        {
            "face_on_face": "A half must lie on its own number",
            "any_face": "It is enough that one of the two numbers is covered",
        },
        "EO-A2",
    ),
    Setting(
        "blank_matches_blank",
        "Whether two blanks match",
        True,
        {True: "A blank matches a blank", False: "Blanks match nothing"},
        "EO-A4",
    ),
    Setting(
        "group_levels",
        "Whether groups cross levels",
        "top_view",
        {
            "top_view": "Faces connect whatever their height",
            "same_level": "Only faces of one level connect",
        },
        "EO-A6",
    ),
    Setting(
        "no_move",
        "When no tile of your hand can be laid",
        "pass",
        {"pass": "You pass and keep your tiles", "discard": "You set a tile aside and draw"},
        "EO-A8",
    ),
    Setting(
        "match",
        "How long two players play",
        "single",
        {
            "single": "One game",
            "best_of_three": "Until somebody has won two games",
            "game_scores": "An agreed number of games; a win scores the difference of the groups",
        },
        "EO-9",
    ),
    Setting(
        "match_games",
        "Games of a match; level sums call for another",
        3,
        range(1, 22),
        "EO-A10",
        only_if=("match", ("game_scores",)),
    ),
    Setting(
        "tiebreak_game_score",
        "Points for a game won on the tie-break",
        0,
        {0: "None: the groups were level", 1: "One point"},
        "EO-A10",
        only_if=("match", ("game_scores",)),
    ),
    Setting(
        "solo_isolated",
        "Solo: which groups cost a point",
        "all_but_largest",
        {
            "all_but_largest": "Every group but the largest of its team",
            "every_group": "Every group",
        },
        "EO-A11",
    ),
    Setting(
        "solo_fail",
        "Solo: when a tile fits nowhere or a number is missing after a turn",
        "lost",
        {"lost": "The game is lost", "score_anyway": "The game goes on and is counted"},
        "EO-A14",
    ),
)


# ---------------------------------------------------------------- state


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished game: largest groups and faces on the top level, by seat."""

    groups: tuple[int, int]
    tops: tuple[int, int]
    winner: int | None  # seat
    extra: bool = False  # was it decided after the extra turn?


@dataclass(frozen=True, slots=True)
class State:
    """Everything the rules need. Solo has one seat, and a hand that is always known."""

    house: House
    laid: tuple[Lay, ...]  # in order, the foundation first
    hands: tuple[tuple[Domino, ...], ...]  # by seat: the tiles known to be there, ascending
    held: tuple[int, ...]  # by seat: number of tiles in hand
    stock: int  # tiles in the boneyard (solo: draw pile)
    turn: int = 0  # seat
    starter: int | None = None  # seat; None before the flip, and between two games
    flips: tuple[Domino, ...] = ()  # for this start, all level so far
    teams: tuple[Team, ...] = ()  # by seat, once chosen
    aside: tuple[Domino, ...] = ()  # out of play face up: discarded, given back, left in a hand
    passes: int = 0  # in succession
    extra: bool = False  # is this the extra turn of EO-8?
    past: tuple[Outcome, ...] = ()  # finished games of the match
    helped: bool = False  # solo: is the helper used up?
    lost: str = ""  # solo: why, in words


# ---------------------------------------------------------------- where a tile may lie


class Refusal(NamedTuple):
    """Why a tile may not lie somewhere: a neutral word, the sentence, the rule."""

    word: str
    sentence: str
    rule: str


class Place(NamedTuple):
    """Two free or stackable cells, and as bits the numbers that match on each."""

    first: Cell
    second: Cell
    first_fits: int
    second_fits: int
    stack: bool


def foundation(seats: int, house: House) -> tuple[Lay, ...]:
    """Return the six tiles the game begins with (EO-2, EO-10).

    Raises NotAMove if the house lays other tiles than the game has.
    """
    tiles = [(n, 0 if seats == 1 else n) for n in FOUNDATION_NUMBERS]
    if house["foundation"] == "as_printed":
        return tuple(map(Lay, tiles, FOUNDATION_CELLS))
    laid = tuple(Lay(*placed) for placed in house["foundation"])
    if sorted(lay.tile for lay in laid) != sorted((min(t), max(t)) for t in tiles):
        raise NotAMove(f"foundation: it is made of {_names(tiles)}, each once")
    return laid


def surface(laid: Iterable[Lay]) -> Top:
    """Return the view from above: what shows on each covered cell."""
    top: dict[Cell, tuple[int, int, int]] = {}
    for place, lay in enumerate(laid):
        (a, b), (p, q) = lay.tile, lay.cells
        level = top[p][1] + 1 if p in top else 1
        top[p], top[q] = (a, level, place), (b, level, place)
    return top


def refusal(top: Top, lay: Lay, house: House, solo: bool = False) -> Refusal | None:
    """Return why *lay* is not legal on *top* (EO-5, EO-6), None if it is."""
    (a, b), (p, q) = lay.tile, lay.cells
    name = _name(lay.tile)
    if not _neighbours(p, q):
        text = f"the two halves of {name} must lie on neighbouring cells"
        return Refusal("bad_geometry", text, "EO-4")
    below, under = top.get(p), top.get(q)
    bits = BITS[house["blank_matches_blank"]]
    if below is None and under is None:
        if solo and a == b:
            text = f"{name} is a double, and solo doubles are only stacked"
            return Refusal("double_must_stack", text, "EO-10")
        if _beside(top, p, bits) >> a & 1 or _beside(top, q, bits) >> b & 1:
            return None
        text = f"neither half of {name} lies beside its own number"
        return Refusal("no_match", text + _no_blanks(lay, house), "EO-5")
    if below is None or under is None:
        height = (below or under or (0, 0))[1]
        text = f"{name} would rest half on the table and half on height {height}"
        return Refusal("not_flat", text, "EO-6")
    if below[1] != under[1]:
        low, high = sorted((below[1], under[1]))
        return Refusal("two_heights", f"{name} would rest on heights {low} and {high}", "EO-6")
    if below[2] == under[2]:
        text = f"{name} would rest on one tile, {_name((below[0], under[0]))}; it must cover two"
        return Refusal("same_tile", text, "EO-6")
    mine, other = bits[below[0]], bits[under[0]]
    if house["stack_match"] == "any_face":
        mine = other = mine | other
    if mine >> a & 1 or other >> b & 1:
        return None
    text = f"{name} would cover {below[0]} and {under[0]}, neither with its own number"
    for number, over in ((a, under[0]), (b, below[0])):
        if bits[over] >> number & 1:
            text = f"Turn it round: the {number} must lie on the {number}."
    return Refusal("no_match", text + _no_blanks(lay, house), "EO-6")


def _no_blanks(lay: Lay, house: House) -> str:
    return "" if house["blank_matches_blank"] or lay.tile[0] else ", and blanks match nothing"


def _neighbours(p: Cell, q: Cell) -> bool:
    return abs(p[0] - q[0]) + abs(p[1] - q[1]) == 1


def _beside(top: Top, cell: Cell, bits: Sequence[int]) -> int:
    """Return as bits the numbers that show around an empty cell."""
    row, column = cell
    shown = 0
    for down, right in AROUND:
        face = top.get((row + down, column + right))
        if face is not None:
            shown |= bits[face[0]]
    return shown


def places(top: Top, house: House) -> Iterator[Place]:
    """Yield each pair of cells that could take some tile, once."""
    bits = BITS[house["blank_matches_blank"]]
    either = house["stack_match"] == "any_face"
    rim: dict[Cell, int] = {}
    for (row, column), (number, level, tile) in top.items():
        for down, right in AROUND:
            beside = (row + down, column + right)
            face = top.get(beside)
            if face is None:
                rim[beside] = rim.get(beside, 0) | bits[number]
            elif down + right > 0 and face[1] == level and face[2] != tile:
                mine, other = bits[number], bits[face[0]]
                if either:
                    mine = other = mine | other
                yield Place((row, column), beside, mine, other, True)
    for cell, shown in rim.items():
        for down, right in AROUND:
            beside = (cell[0] + down, cell[1] + right)
            if beside not in top and (beside not in rim or cell < beside):
                yield Place(cell, beside, shown, rim.get(beside, 0), False)


def lays(where: Iterable[Place], tile: Domino, solo: bool = False) -> Iterator[Lay]:
    """Yield every legal way to lay *tile* on these places."""
    a, b = tile
    for first, second, first_fits, second_fits, stack in where:
        if solo and a == b and not stack:
            continue
        if first_fits >> a & 1 or second_fits >> b & 1:
            yield Lay(tile, (first, second))
        if a != b and (first_fits >> b & 1 or second_fits >> a & 1):
            yield Lay(tile, (second, first))


def twice(tiles: Iterable[Sequence[int]]) -> Domino | None:
    """Return a tile that is named twice: the box holds each once (EO-2)."""
    counted = Counter((min(tile), max(tile)) for tile in tiles)
    return next((tile for tile, count in counted.items() if count > 1), None)


# ---------------------------------------------------------------- groups and points


def groups(top: Top, group_levels: str = "top_view") -> Mapping[Team, list[tuple[Cell, ...]]]:
    """Return the groups of each team, largest first (EO-7, EO-A6). Blanks form none."""
    found: dict[Team, list[tuple[Cell, ...]]] = {"evens": [], "odds": []}
    left = {cell for cell, face in top.items() if face[0]}
    for start_cell in sorted(left):
        if start_cell not in left:
            continue
        left.remove(start_cell)
        group = [start_cell]
        for cell in group:  # grows while we walk it
            number, level, _ = top[cell]
            for down, right in AROUND:
                beside = (cell[0] + down, cell[1] + right)
                if (
                    beside in left
                    and top[beside][0] % 2 == number % 2
                    and (group_levels == "top_view" or top[beside][1] == level)
                ):
                    left.remove(beside)
                    group.append(beside)
        found[TEAMS[top[start_cell][0] % 2]].append(tuple(group))
    for team in TEAMS:
        found[team].sort(key=len, reverse=True)
    return found


def largest(top: Top, group_levels: str = "top_view") -> tuple[int, int]:
    """Return the size of the largest group of evens and of odds (EO-7)."""
    found = groups(top, group_levels)
    evens, odds = (len(found[team][0]) if found[team] else 0 for team in TEAMS)
    return evens, odds


def top_level(top: Top) -> tuple[int, tuple[int, ...]]:
    """Return the highest level and the numbers that show on it (EO-8)."""
    highest = max(level for _, level, _ in top.values())
    return highest, tuple(number for number, level, _ in top.values() if level == highest)


def verdict(
    evens: int, odds: int, top_faces: Iterable[int]
) -> tuple[Team | None, Literal["group", "level"] | None]:
    """Return the winning team and what decides: the larger group, then the top level (EO-8)."""
    if evens != odds:
        return ("evens" if evens > odds else "odds"), "group"
    even, odd = by_parity(top_faces)
    if even == odd:
        return None, None
    return ("evens" if even > odd else "odds"), "level"


def by_parity(faces: Iterable[int]) -> tuple[int, int]:
    """Return how many of *faces* are even and how many odd; blanks are neither (EO-1)."""
    numbers = [number for number in faces if number]
    odd = sum(number % 2 for number in numbers)
    return len(numbers) - odd, odd


def game_score(
    groups_by_seat: tuple[int, int], winner: int | None, tiebreak_game_score: int = 0
) -> tuple[int, int]:
    """Return what a game adds to each seat's sum: the difference to the winner (EO-9, EO-A10)."""
    if winner is None:
        return (0, 0)
    points = abs(groups_by_seat[0] - groups_by_seat[1]) or tiebreak_game_score
    return (points, 0) if winner == 0 else (0, points)


def best_of_three(winners: Iterable[int | None]) -> tuple[int | None, int]:
    """Return who has won two games, if anybody, and after how many games; None is a draw (EO-9)."""
    won: Counter[int] = Counter()
    games = 0
    for games, winner in enumerate(winners, start=1):
        if winner is not None:
            won[winner] += 1
            if won[winner] == 2:
                return winner, games
    return None, games


def starter_of(flips: Iterable[tuple[Sequence[int], Sequence[int]]]) -> int | None:
    """Return who starts after these flips, 0 or 1; None: all level, flip more tiles (EO-3)."""
    for first, second in flips:
        if sum(first) != sum(second):
            return int(sum(second) > sum(first))
    return None


def after_turn(held: int, stock: int) -> tuple[int, int]:
    """Return the mover's hand and the boneyard after a tile was laid and one drawn (EO-4)."""
    return (held, stock - 1) if stock else (held - 1, 0)


def missing(top: Top) -> tuple[int, ...]:
    """Return the numbers 1 to 6 that do not show: solo none may be missing after a turn (EO-10)."""
    shown = {number for number, _, _ in top.values()}
    return tuple(number for number in range(1, 7) if number not in shown)


def solo_points(
    top: Top, solo_isolated: str = "all_but_largest", group_levels: str = "top_view"
) -> tuple[int, int]:
    """Return both parts of the solo score: two a face of difference, one an isolated group."""
    evens, odds = largest(top, group_levels)
    found = groups(top, group_levels)
    spared = int(solo_isolated == "all_but_largest")
    alone = sum(max(0, len(found[team]) - spared) for team in TEAMS)
    return 2 * abs(evens - odds), alone


def may_exchange(helped: bool, draw_pile: int) -> bool:
    """Say whether the helper may be used: once a game, while there is a draw pile (EO-A12)."""
    return not helped and draw_pile > 0


# ---------------------------------------------------------------- the contract


def start(seats: int, settings: Mapping[str, object]) -> State:
    """Return the state before the flip of two players, or before the first draw of one.

    Raises NotAMove on a number of players or a setting the game does not have.
    """
    house = settle(SETTINGS, settings)
    laid = foundation(check_seats(TITLE, SEATS, seats), house)
    if seats == 1:
        return State(house, laid, ((),), (0,), len(FACE_DOWN[1]), starter=0)
    return State(house, laid, ((), ()), (0, 0), len(FACE_DOWN[2]))


def legal_moves(state: State) -> Iterator[Move]:
    """Yield every move `apply` takes.

    A hand that is not wholly known may hold any tile nobody has seen, so each of those is tried.
    """
    if is_over(state):
        return
    if state.starter is None:
        yield from (Agree(starter, evens) for starter in (0, 1) for evens in (0, 1))
        yield from (Flip(*pair) for pair in permutations(_unflipped(state), 2))
        return
    if _drawing(state):
        yield from (Draw(tiles) for tiles in combinations(_hidden(state), DRAWN))
        return
    hidden = _hidden(state)
    if _solo(state) or state.teams:
        yield from _turn_moves(state, hidden)
    else:
        yield from map(Choose, TEAMS)
    for seat, hand in enumerate(state.hands):
        if len(hand) < state.held[seat]:
            yield from (Show(seat, tile) for tile in hidden)


def _turn_moves(state: State, hidden: Sequence[Domino]) -> Iterator[Move]:
    where = list(places(surface(state.laid), state.house))
    hand, solo = state.hands[state.turn], _solo(state)
    tiles = hand if _known(state) else (*hand, *hidden)
    for tile in tiles:
        yield from lays(where, tile, solo)
    if solo and may_exchange(state.helped, state.stock):
        yield from (Exchange(back, drawn) for back in hand for drawn in hidden)
    stuck = _stuck(state, where)
    if stuck and (solo or state.house["no_move"] == "pass"):
        yield Pass()
    elif stuck:
        yield from (Discard(tile) for tile in tiles if not _fits(where, tile, solo))


def apply(state: State, move: Move) -> State:
    """Return the state after *move*; raise Illegal if the rules forbid it."""
    if is_over(state):
        raise Illegal(move, "the match is over", "EO-8")
    if state.starter is None and not isinstance(move, (Flip, Agree)):
        raise Illegal(move, "settle first who starts: each player flips a tile", "EO-3")
    match move:
        case Lay():
            return _lay(state, move)
        case Show():
            return _show(state, move)
        case Flip():
            return _flip(state, move)
        case Agree():
            return _agree(state, move)
        case Choose():
            return _choose(state, move)
        case Pass():
            return _pass(state, move)
        case Discard():
            return _discard(state, move)
        case Draw():
            return _draw(state, move)
        case Exchange():
            return _exchange(state, move)


def _lay(state: State, move: Lay) -> State:
    solo = _solo(state)
    _check_turn(state, move)
    if reason := _not_in_hand(state, move.tile):
        raise Illegal(move, reason, "EO-4")
    if fault := refusal(surface(state.laid), move, state.house, solo):
        raise Illegal(move, fault.sentence, fault.rule)
    laid = (*state.laid, move)
    return _spend(replace(state, laid=laid, passes=0), move.tile)


def _check_turn(state: State, move: Move) -> None:
    """Raise Illegal unless a tile may be laid, or its place be given up, now."""
    if _drawing(state):
        raise Illegal(move, "draw three tiles first", "EO-10")
    if not _solo(state) and not state.teams:
        raise Illegal(move, f"{_player(_chooser(state))} chooses evens or odds first", "EO-3")


def _not_in_hand(state: State, tile: Domino) -> str:
    """Return why the seat to move cannot hold *tile*, or nothing."""
    hand = state.hands[state.turn]
    if tile in hand:
        return ""
    if reason := _not_hidden(state, tile):
        return reason
    if _solo(state):
        return f"{_name(tile)} is not among the tiles drawn: {_names(hand)}"
    if _known(state):
        return f"{_player(state.turn)} holds {_names(hand)}, not {_name(tile)}"
    return ""


def _not_hidden(state: State, tile: Domino) -> str:
    """Return why *tile* is not among those nobody has seen, or nothing."""
    name = _name(tile)
    if any(lay.tile == tile for lay in state.laid):
        return f"{name} lies on the table already"
    if tile in state.aside:
        return f"{name} was set aside"
    for seat, hand in enumerate(state.hands):
        if tile in hand:
            return f"{name} is in {_player(seat)}'s hand"
    if tile in FACE_DOWN[len(state.hands)]:
        return ""
    if tile == HELPER:
        return "0-0 is the helper and is never laid"
    if tile[::-1] in SET:
        return f"{name} is written with the smaller number first"
    return f"there is no tile {name} in the box"


def _spend(state: State, tile: Domino) -> State:
    """Take *tile* out of the mover's hand, let them draw, and pass the turn."""
    seat = state.turn
    hand = state.hands[seat]
    if tile in hand:
        hand = tuple(other for other in hand if other != tile)
    if _solo(state):
        state = replace(state, hands=(hand,), held=(len(hand),))
        return state if hand else _end_solo_turn(state)
    count, stock = after_turn(state.held[seat], state.stock)
    hands, held = _put(state.hands, seat, hand), _put(state.held, seat, count)
    return _next(replace(state, hands=hands, held=held, stock=stock))


def _put(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _next(state: State) -> State:
    """Give the turn to the next player who holds a tile; end the game if nobody can play."""
    other = 1 - state.turn
    nobody = not any(state.held)
    if nobody or state.passes == 2 or (state.passes and not state.held[other]):
        return _end_game(state)
    return replace(state, turn=other) if state.held[other] else state


def _end_game(state: State) -> State:
    """Count a game; if it is level deal the two removed tiles for the extra turn (EO-8)."""
    top = surface(state.laid)
    faces = top_level(top)[1]
    sizes = largest(top, state.house["group_levels"])
    team, _ = verdict(*sizes, faces)
    if team is None and not state.extra:
        assert state.starter is not None
        aside = (*state.aside, *state.hands[0], *state.hands[1])
        extra = replace(state, aside=aside, hands=((), ()), held=(1, 1), stock=0, extra=True)
        return replace(extra, turn=state.starter, passes=0)
    outcome = Outcome(
        _by_seat(state, sizes),
        _by_seat(state, by_parity(faces)),
        None if team is None else state.teams.index(team),
        state.extra,
    )
    return replace(state, past=(*state.past, outcome), starter=None, flips=())


def _by_seat(state: State, by_team: tuple[int, int]) -> tuple[int, int]:
    return by_team if state.teams[0] == "evens" else by_team[::-1]


def _pass(state: State, move: Pass) -> State:
    _check_turn(state, move)
    solo = _solo(state)
    if not solo and state.house["no_move"] == "discard":
        raise Illegal(move, "in this house a tile is set aside instead of passing", "EO-A8")
    _check_stuck(state, move)
    if solo:
        hand = state.hands[0]
        if state.house["solo_fail"] == "lost":
            return replace(state, lost=f"{_names(hand)} cannot be laid")
        aside = (*state.aside, *hand)
        return _end_solo_turn(replace(state, hands=((),), held=(0,), aside=aside))
    if state.extra:  # the tile that does not fit is out; there is no later turn to keep it for
        return _next(replace(state, held=_put(state.held, state.turn, 0)))
    return _next(replace(state, passes=state.passes + 1))


def _discard(state: State, move: Discard) -> State:
    _check_turn(state, move)
    if _solo(state) or state.house["no_move"] == "pass":
        raise Illegal(move, "without a move you pass; no tile is set aside", "EO-A8")
    if reason := _not_in_hand(state, move.tile):
        raise Illegal(move, reason, "EO-4")
    where = list(places(surface(state.laid), state.house))
    if _fits(where, move.tile):
        raise Illegal(move, f"{_name(move.tile)} can be laid", "EO-4")
    _check_stuck(state, move)
    return _spend(replace(state, aside=(*state.aside, move.tile), passes=0), move.tile)


def _check_stuck(state: State, move: Move) -> None:
    where = list(places(surface(state.laid), state.house))
    if _stuck(state, where):
        return
    solo, who = _solo(state), _player(state.turn)
    fitting = [tile for tile in state.hands[state.turn] if _fits(where, tile, solo)]
    if fitting:
        raise Illegal(move, f"{who} can lay {_name(fitting[0])}", "EO-A8")
    raise Illegal(move, f"{who} has a move: too many unseen tiles can be laid", "EO-A8")


def _show(state: State, move: Show) -> State:
    if not 0 <= move.seat < len(state.hands):
        raise Illegal(move, f"there is no player {move.seat + 1}", "EO-2")
    hand = state.hands[move.seat]
    if len(hand) >= state.held[move.seat]:
        who = _player(move.seat)
        text = f"{who}'s hand is known: {_names(hand)}" if hand else f"{who} holds no tile"
        raise Illegal(move, text, "EO-4")
    if reason := _not_hidden(state, move.tile):
        raise Illegal(move, reason, "EO-2")
    hand = tuple(sorted((*hand, move.tile)))
    return replace(state, hands=_put(state.hands, move.seat, hand))


# ---------------------------------------------------------------- the start of a game


def _flip(state: State, move: Flip) -> State:
    _check_unsettled(state, move)
    for tile in (move.first, move.second):
        if tile not in FACE_DOWN[2]:
            raise Illegal(move, f"{_name(tile)} is not among the tiles face down", "EO-3")
        if tile in state.flips:
            raise Illegal(move, f"{_name(tile)} was flipped before", "EO-3")
    if move.first == move.second:
        raise Illegal(move, f"there is only one {_name(move.first)}", "EO-2")
    starter = starter_of([(move.first, move.second)])
    if starter is None:
        return replace(state, flips=(*state.flips, move.first, move.second))
    return _deal(state, starter, ())


def _agree(state: State, move: Agree) -> State:
    _check_unsettled(state, move)
    for seat in (move.starter, move.evens):
        if seat not in (0, 1):
            raise Illegal(move, f"there is no {_player(seat)}", "EO-3")
    return _deal(state, move.starter, TEAMS if move.evens == 0 else ("odds", "evens"))


def _check_unsettled(state: State, move: Move) -> None:
    if _solo(state):
        raise Illegal(move, "a solo player does not flip for the start", "EO-10")
    if state.starter is not None:
        raise Illegal(move, f"it is settled: {_player(state.starter)} starts", "EO-3")


def _deal(state: State, starter: int, teams: tuple[Team, ...]) -> State:
    stock = len(FACE_DOWN[2]) - 2 * HAND - REMOVED
    laid = foundation(2, state.house)
    hands: tuple[tuple[Domino, ...], ...] = ((), ())
    return State(
        state.house, laid, hands, (HAND, HAND), stock, starter, starter, (), teams, past=state.past
    )


def _choose(state: State, move: Choose) -> State:
    if _solo(state):
        raise Illegal(move, "a solo player plays for both teams", "EO-10")
    if state.teams:
        who = _player(state.teams.index("evens"))
        raise Illegal(move, f"the teams are chosen: {who} plays for the evens", "EO-3")
    other: Team = "odds" if move.team == "evens" else "evens"
    chooser = _chooser(state)
    return replace(state, teams=(move.team, other) if chooser == 0 else (other, move.team))


def _chooser(state: State) -> int:
    assert state.starter is not None
    return 1 - state.starter


# ---------------------------------------------------------------- solo


def _draw(state: State, move: Draw) -> State:
    if not _drawing(state):
        text = "the boneyard is drawn from unseen" if not _solo(state) else "lay the hand first"
        raise Illegal(move, text, "EO-10" if _solo(state) else "EO-4")
    if len(move.tiles) != DRAWN or twice(move.tiles):
        raise Illegal(move, "a turn draws three different tiles", "EO-10")
    for tile in move.tiles:
        if reason := _not_hidden(state, tile):
            raise Illegal(move, reason, "EO-2")
    return replace(state, hands=(move.tiles,), held=(DRAWN,), stock=state.stock - DRAWN)


def _exchange(state: State, move: Exchange) -> State:
    if not _solo(state):
        raise Illegal(move, "the helper belongs to the solo game", "EO-10")
    if not may_exchange(state.helped, state.stock):
        text = "the helper is used up" if state.helped else "the draw pile is empty"
        raise Illegal(move, text, "EO-A12")
    hand = state.hands[0]
    if move.back not in hand:
        raise Illegal(move, f"{_name(move.back)} is not in the hand", "EO-10")
    if reason := _not_hidden(state, move.drawn):
        raise Illegal(move, reason, "EO-2")
    hand = tuple(sorted((*(tile for tile in hand if tile != move.back), move.drawn)))
    return replace(state, hands=(hand,), helped=True)


def _end_solo_turn(state: State) -> State:
    gone = missing(surface(state.laid))
    if gone and state.house["solo_fail"] == "lost":
        numbers = " and no ".join(map(str, gone))
        return replace(state, lost=f"no {numbers} shows at the end of turn {_solo_turn(state)}")
    return state


def _solo_turn(state: State) -> int:
    return (len(FACE_DOWN[1]) - state.stock) // DRAWN


# ---------------------------------------------------------------- what a state says


def _solo(state: State) -> bool:
    return len(state.hands) == 1


def _drawing(state: State) -> bool:
    return _solo(state) and not state.held[0]


def _known(state: State) -> bool:
    """Say whether every tile of the hand that is to move is known."""
    return len(state.hands[state.turn]) == state.held[state.turn]


def _hidden(state: State) -> list[Domino]:
    """Return the tiles nobody has seen in this game."""
    met = {lay.tile for lay in state.laid}.union(state.aside, *state.hands)
    return [tile for tile in FACE_DOWN[len(state.hands)] if tile not in met]


def _unflipped(state: State) -> list[Domino]:
    return [tile for tile in FACE_DOWN[2] if tile not in state.flips]


def _fits(where: Iterable[Place], tile: Domino, solo: bool = False) -> bool:
    return any(True for _ in lays(where, tile, solo))


def _stuck(state: State, where: Sequence[Place]) -> bool:
    """Say whether the hand to move may hold no tile that can be laid, as far as is known."""
    hand, solo = state.hands[state.turn], _solo(state)
    if any(_fits(where, tile, solo) for tile in hand):
        return False
    unknown = state.held[state.turn] - len(hand)
    useless = (tile for tile in _hidden(state) if not _fits(where, tile, solo))
    return sum(1 for _ in islice(useless, unknown)) == unknown


def score(state: State) -> tuple[int, ...]:
    """Return the tally by seat: largest groups, games won or game scores; solo the solo score.

    The solo score falls as the game goes well: 0 is perfect.
    """
    if _solo(state):
        return (sum(_solo_parts(state)),)
    if state.house["match"] == "single":
        return _by_seat(state, _largest(state)) if state.teams else (0, 0)
    first, second = (sum(points) for points in zip((0, 0), *_gained(state), strict=True))
    return first, second


def _largest(state: State) -> tuple[int, int]:
    return largest(surface(state.laid), state.house["group_levels"])


def _solo_parts(state: State) -> tuple[int, int]:
    house = state.house
    return solo_points(surface(state.laid), house["solo_isolated"], house["group_levels"])


def _gained(state: State) -> list[tuple[int, int]]:
    """Return what each finished game of a match added, by seat."""
    if state.house["match"] == "best_of_three":
        return [(int(game.winner == 0), int(game.winner == 1)) for game in state.past]
    tiebreak = state.house["tiebreak_game_score"]
    return [game_score(game.groups, game.winner, tiebreak) for game in state.past]


def is_over(state: State) -> bool:
    """Say whether the match (solo: the game) has ended."""
    if _solo(state):
        return bool(state.lost) or not (state.stock or state.held[0])
    if not state.past:
        return False
    match state.house["match"]:
        case "single":
            return True
        case "best_of_three":
            return best_of_three(game.winner for game in state.past)[0] is not None
        case _:
            first, second = score(state)
            return len(state.past) >= state.house["match_games"] and first != second


def result(state: State) -> Result | None:
    """Return who won and why, None while the match goes on. A solo game is lost or counted."""
    if not is_over(state):
        return None
    if _solo(state):
        if state.lost:
            return Result((), f"lost: {state.lost}")
        total = sum(_solo_parts(state))
        return Result((0,), f"the final score is {total}; 0 is perfect")
    if state.house["match"] == "single":
        game = state.past[0]
        if game.winner is None:
            return Result((0, 1), f"a draw: {_told(game)}")
        return Result((game.winner,), f"{_player(game.winner)} wins: {_told(game)}")
    tally = score(state)
    winner = int(tally[1] > tally[0])
    unit = "games" if state.house["match"] == "best_of_three" else "points"
    text = f"{_player(winner)} wins by {max(tally)} {unit} to {min(tally)}"
    return Result((winner,), text)


def _told(game: Outcome) -> str:
    """Return what decided a game, in words."""
    after = " after the extra turn" if game.extra else ""
    best, other = max(game.groups), min(game.groups)
    if best != other:
        return f"groups of {best} and {other} faces{after}"
    high, low = max(game.tops), min(game.tops)
    if high == low:
        return f"groups of {best} faces each, and as many faces on the top level{after}"
    return f"groups of {best} faces each, and {high} faces to {low} on the top level{after}"


def target(state: State) -> int | None:
    """Return the games that win a best of three; other matches end by their number of games."""
    return 2 if not _solo(state) and state.house["match"] == "best_of_three" else None


# ---------------------------------------------------------------- in words


def explain(state: State) -> tuple[Because, ...]:
    """Return the groups that count; in a match each finished game, then the groups so far."""
    if _solo(state):
        return _explain_solo(state)
    single = state.house["match"] == "single"
    entries = []
    for number, (game, gained) in enumerate(zip(state.past, _gained(state), strict=True), start=1):
        seat = None if single else game.winner
        points = 0 if seat is None else gained[seat]
        entries.append(Because(seat, points, f"game {number}", _told(game), "EO-9"))
    if state.teams and (single or state.starter is not None):
        part = "groups" if single else f"game {len(state.past) + 1} so far"
        entries += _explain_groups(state, part, counts=single)
    return tuple(entries)


def _explain_groups(state: State, part: str, counts: bool) -> Iterator[Because]:
    top = surface(state.laid)
    found = groups(top, state.house["group_levels"])
    for seat, team in enumerate(state.teams):
        group = found[team][0] if found[team] else ()
        text = f"{_player(seat)}'s largest group of {team}: {_faces(len(group))}"
        yield Because(seat if counts else None, len(group) * counts, part, text, "EO-7", group)
    level, faces = top_level(top)
    even, odd = by_parity(faces)
    text = f"a tie would be broken on level {level}: evens {even}, odds {odd}"
    yield Because(None, 0, part, text, "EO-8")


def _explain_solo(state: State) -> tuple[Because, ...]:
    return _solo_entries(state, surface(state.laid))


def _solo_entries(state: State, top: Top) -> tuple[Because, ...]:
    found = groups(top, state.house["group_levels"])
    evens, odds = (len(found[team][0]) if found[team] else 0 for team in TEAMS)
    text = f"largest groups: evens {evens}, odds {odds}, two points a face of difference"
    entries = [Because(0, 2 * abs(evens - odds), "largest groups", text, "EO-10")]
    spared = int(state.house["solo_isolated"] == "all_but_largest")
    entries += [
        Because(0, 1, "isolated groups", f"{team}: {_faces(len(group))}", "EO-A11", group)
        for team in TEAMS
        for group in found[team][spared:]
    ]
    return tuple(entries)


def draw(state: State) -> tuple[str, ...]:
    """Return the view from above: each face, with its level behind it where that is above 1."""
    top = surface(state.laid)
    rows, columns = [cell[0] for cell in top], [cell[1] for cell in top]
    across = range(min(columns), max(columns) + 1)
    lines = ["the tiles from above; 4^2 is a 4 on level 2"]
    lines.append(" " * 8 + "".join(f"{column + 1:<4}" for column in across).rstrip())
    for row in range(min(rows), max(rows) + 1):
        faces = [top.get((row, column)) for column in across]
        cells = "".join(f"{_face(face):<4}" for face in faces)
        lines.append(f"row {row + 1:<4}{cells}".rstrip())
    return ("\n".join(lines),)


def _face(face: tuple[int, int, int] | None) -> str:
    if face is None:
        return "."
    return str(face[0]) if face[1] == 1 else f"{face[0]}^{face[1]}"


def prompt(state: State) -> str:
    """Return what is to be done next, in one sentence."""
    ended = result(state)
    if ended is not None:
        return ended.why
    if state.starter is None:
        again = " again: the flips were level" if state.flips else " for the start"
        game = f"game {len(state.past) + 1}: " if state.house["match"] != "single" else ""
        return f"{game}each player flips a tile{again}"
    if _drawing(state):
        return "draw three tiles"
    if not _solo(state) and not state.teams:
        return f"{_player(_chooser(state))} chooses evens or odds"
    where = list(places(surface(state.laid), state.house))
    stuck = _known(state) and _stuck(state, where)
    if _solo(state):
        return _solo_prompt(state, stuck)
    who = _player(state.turn)
    if stuck:
        act = "passes" if state.house["no_move"] == "pass" else "sets a tile aside"
        return f"{who} has no move and {act}"
    if state.extra:
        return f"level: {who} takes one of the two removed tiles and lays it"
    return f"{who} lays a tile and draws one" if state.stock else f"{who} lays a tile"


def _solo_prompt(state: State, stuck: bool) -> str:
    hand = _names(state.hands[0])
    if not stuck:
        return f"lay {hand}" + (" in any order" if len(state.hands[0]) > 1 else "")
    helper = "use the helper or " if may_exchange(state.helped, state.stock) else ""
    return f"{hand} cannot be laid: {helper}pass"


def describe(state: State, move: Move) -> str:
    """Return *move*, made in *state*, in words."""
    who = _player(state.turn)
    match move:
        case Flip(first, second):
            starter = starter_of([(first, second)])
            then = "level" if starter is None else f"{_player(starter)} starts"
            return f"player 1 flips {_name(first)}, player 2 flips {_name(second)}: {then}"
        case Agree(starter, evens):
            return f"{_player(starter)} starts, {_player(evens)} plays for the evens"
        case Choose(team):
            return f"{_player(_chooser(state))} plays for the {team}"
        case Show(seat, tile):
            return f"{_player(seat)} holds {_name(tile)}"
        case Lay(tile, (p, q)):
            where = f"{tile[0]} on {_cell(p)}, {tile[1]} on {_cell(q)}"
            top = surface(state.laid)
            if p not in top:
                return f"{who} plays {_name(tile)}: {where}"
            return f"{who} stacks {_name(tile)} on level {top[p][1] + 1}: {where}"
        case Pass():
            return f"{who} has no move and passes"
        case Discard(tile):
            return f"{who} has no move and sets {_name(tile)} aside"
        case Draw(tiles):
            return f"{who} draws {_names(tiles)}"
        case Exchange(back, drawn):
            return f"{who} turns the helper over: {_name(back)} goes back, {_name(drawn)} comes"


def to_move(state: State) -> tuple[int, ...]:
    """Return the seats that may act now; both before the start is settled."""
    if is_over(state):
        return ()
    if state.starter is None:
        return (0, 1)
    if not _solo(state) and not state.teams:
        return (_chooser(state),)
    return (state.turn,)


def _player(seat: int) -> str:
    return f"player {seat + 1}"


def _cell(cell: Cell) -> str:
    """Return a cell counted from the foundation's upper left, which is row 1, column 1."""
    row, column = cell
    down = f"row {row + 1}" if row >= 0 else f"{-row} above row 1"
    return f"{down}, column {column + 1}" if column >= 0 else f"{down}, {-column} left of column 1"


def _name(tile: Sequence[int]) -> str:
    return f"{tile[0]}-{tile[1]}"


def _names(tiles: Iterable[Sequence[int]]) -> str:
    *most, last = map(_name, tiles)
    return f"{', '.join(most)} and {last}" if most else last


def _faces(count: int) -> str:
    return "1 face" if count == 1 else f"{count} faces"


# ---------------------------------------------------------------- what one photo tells


def tell(state: State, table: seen.Table, _facts: Facts) -> Scored:
    """Return the groups of the surface on one photo and what they score."""
    if not table.tiles:
        raise NotScored("No tiles were seen whose places in the grid can be told.")
    if double := twice(tile.halves for tile in table.tiles):
        raise NotScored(f"{_name(double)} was seen twice; a set has it once (EO-2).")
    view, apart = _one_surface(_from_above(table.tiles))
    doubts = tuple(
        Doubt(f"{_name(tile.halves)} lies apart and is left out", ("tiles", i))
        for i, tile in enumerate(table.tiles)
        if set(tile.cells) <= apart
    )
    unseen = any(tile.level is None for tile in table.tiles)
    if unseen and state.house["group_levels"] == "same_level":
        raise NotScored("How high the tiles lie was not seen, and groups stay on one level here.")
    if _solo(state):
        return _tell_solo(state, view, doubts)
    return _tell_groups(state, view, doubts, levels=not unseen)


def _from_above(tiles: Sequence[seen.Tile]) -> Top:
    """Return what shows on each cell; raises NotScored where two tiles lie on one level there."""
    top: dict[Cell, tuple[int, int, int]] = {}
    for place, tile in sorted(enumerate(tiles), key=lambda one: one[1].level or 1):
        for cell, number in zip(tile.cells, tile.halves, strict=True):
            below = top.get(cell)
            if below is not None and below[1] == (tile.level or 1):
                both = f"{_name(tiles[below[2]].halves)} and {_name(tile.halves)}"
                raise NotScored(f"{both} were seen on one cell, and not which lies on top.")
            top[cell] = (number, tile.level or 1, place)
    return top


def _one_surface(top: Top) -> tuple[Top, set[Cell]]:
    """Return the largest part of a view that hangs together, and the cells of the rest."""
    left, parts = set(top), list[set[Cell]]()
    while left:
        part = [left.pop()]
        for row, column in part:  # grows while we walk it
            beside = {(row + down, column + right) for down, right in AROUND} & left
            left -= beside
            part += beside
        parts.append(set(part))
    largest_part = max(parts, key=lambda part: (len(part), min(part)))
    return {cell: top[cell] for cell in sorted(largest_part)}, set(top) - largest_part


def _tell_groups(state: State, top: Top, doubts: tuple[Doubt, ...], *, levels: bool) -> Scored:
    """Return the largest groups of two players, whoever of them plays the evens."""
    found = groups(top, state.house["group_levels"])
    sizes = {team: len(found[team][0]) if found[team] else 0 for team in TEAMS}
    entries = [
        Because(
            place,
            sizes[team],
            "largest groups",
            f"{team}: {_faces(sizes[team])}",
            "EO-7",
            found[team][0] if found[team] else (),
        )
        for place, team in enumerate(TEAMS)
    ]
    faces: tuple[int, ...] = ()
    if levels:
        level, faces = top_level(top)
        even, odd = by_parity(faces)
        text = f"level {level}: evens {even}, odds {odd}"
        entries.append(Because(None, 0, "a tie would be broken on the top level", text, "EO-8"))
    team, _ = verdict(sizes["evens"], sizes["odds"], faces)
    ahead = f"the {team} are ahead" if team else "the groups are level"
    height = "" if levels else ", and how high the tiles lie"
    return Scored(
        TEAMS,
        (sizes["evens"], sizes["odds"]),
        tuple(entries),
        (ahead,),
        unknown=f"who plays the evens, and whether the game is over{height}",
        doubts=doubts,
    )


def _tell_solo(state: State, top: Top, doubts: tuple[Doubt, ...]) -> Scored:
    entries = _solo_entries(state, top)
    means = tuple(
        f"no {number} shows, which would lose the game (EO-10)" for number in missing(top)
    )
    return Scored(
        ("the solo score",),
        (sum(entry.points for entry in entries),),
        entries,
        means,
        unknown="whether all tiles are laid",
        doubts=doubts,
    )


# ---------------------------------------------------------------- what the camera saw

NOTHING_NEW = "no new tile is seen"
MIRRORED = "The photo is mirrored. Turn off mirroring in the camera, and take it again."
MOST_NEW = 4  # tiles added between two photos that we try to put in order
MOST_TRIED = 300  # joint readings of them looked at: four tiles, four readings each


@dataclass(frozen=True, slots=True)
class Piece:
    """A tile in the photo, put on our cells: its readings as lays, likeliest first."""

    index: int
    readings: tuple[tuple[Lay, float], ...]
    tile: seen.Tile

    @property
    def level(self) -> int | None:
        """The level it was seen on."""
        return self.tile.level

    @property
    def lay(self) -> Lay:
        """The likeliest reading."""
        return self.readings[0][0]


class Comparison(NamedTuple):
    """What a photo shows beyond the known tiles: added to the board, apart from it, or wrong."""

    fresh: list[Piece]
    apart: list[Piece]
    doubts: list[Doubt]
    differences: list[Difference]


def equipment(state: State) -> Equipment:
    """Return that dominoes are looked for, and every tile as we know it to lie, lowest first."""
    tiles, top = [], dict[Cell, int]()
    for lay in state.laid:
        level = top.get(lay.cells[0], 0) + 1
        top |= dict.fromkeys(lay.cells, level)
        tiles.append(seen.Tile(lay.tile, lay.cells, level))
    spot = Spot("the table", seen.Table(tiles=tuple(tiles)))
    return Equipment(dice=0, tiles=True, spots=(spot,), stays=True)


def arrangement(table: seen.Table) -> tuple[tuple[Domino, Cells], ...]:
    """Return the tiles seen as a value of the setting `foundation`: the set-up decides (EO-A1)."""
    return tuple((tile.halves, tile.cells) for tile in table.tiles)


def observe(state: State, table: seen.Table) -> Proposal:
    """Return the moves that lead from the known table to the one seen.

    The photo's cells may be shifted or turned by quarters against ours: the tiles that are known
    say how. Before the start two tiles beside the foundation are the flip; solo, three are a draw.
    """
    if is_over(state):
        return Proposal.differs("the match is over", "EO-8")
    if state.starter is None:
        return _observe_flip(state, table)
    there = [(lay.tile, lay.cells) for lay in state.laid]
    frame, sure = frame_of(table.tiles, there)
    if mirrored(table.tiles, there):
        return Proposal.differs(MIRRORED, "EO-2")
    if frame is None:
        text = "none of the tiles seen lies there so far" if table.tiles else "no tile is seen"
        return Proposal.differs(f"{text}; is this the right table?", "EO-4")
    look = _compare(state, [_piece(index, tile, frame) for index, tile in enumerate(table.tiles)])
    if _drawing(state):
        return _observe_draw(state, table, look)
    if len(look.fresh) > MOST_NEW:
        return Proposal.differs(
            f"{len(look.fresh)} tiles are new; enter the older ones by hand", "EO-4"
        )
    doubts = [
        Doubt(f"{_name(piece.lay.tile)} lies apart and is left out", ("tiles", piece.index))
        for piece in look.apart
        if not (_solo(state) and any(read.tile in state.hands[0] for read, _ in piece.readings))
    ]
    if look.fresh and not sure:
        doubts.append(Doubt("the photo fits the table in more than one way; check the place"))
    if not (look.fresh or look.doubts or doubts or look.differences):
        doubts.append(Doubt(NOTHING_NEW))
    moves, more, unexplained = _in_order(state, look.fresh)
    return Proposal(moves, (*look.doubts, *doubts, *more), (*look.differences, *unexplained))


def _piece(index: int, tile: seen.Tile, frame: Frame) -> Piece:
    p, q = (moved(cell, frame) for cell in tile.cells)
    readings = ((tile.halves, tile.confidence), *tile.others)
    return Piece(index, tuple((Lay(halves, (p, q)), odds) for halves, odds in readings), tile)


def _compare(state: State, pieces: Sequence[Piece]) -> Comparison:
    """Return the tiles that are new, and what differs from the tiles that are known."""
    top = surface(state.laid)
    laid = {lay.tile: lay for lay in state.laid}
    whole = {  # tiles nothing lies on
        frozenset(lay.cells): lay
        for place, lay in enumerate(state.laid)
        if all(top[cell][2] == place for cell in lay.cells)
    }
    bare = set(top).difference(*whole)  # halves whose other half is covered
    look = Comparison([], [], [], [])
    for piece in pieces:
        lay, at = piece.lay, ("tiles", piece.index)
        there = whole.get(frozenset(lay.cells))
        if _solo(state) and lay.tile == HELPER:
            continue
        if lay == laid.get(lay.tile) and there in (lay, None):
            whole.pop(frozenset(lay.cells), None)
        elif there is not None:  # no tile may lie on exactly one other
            del whole[frozenset(lay.cells)]
            text = f"{_name(lay.tile)} is seen where {_name(there.tile)} lies"
            if there in likely(piece.readings, piece.readings[0][1]):
                look.doubts.append(Doubt(f"{text}; taken as {_name(there.tile)}", at))
            else:
                look.differences.append(Difference(text, "EO-6", at))
        elif (
            _same_view(top, lay)
            and bare.issuperset(lay.cells)
            and (lay.tile in laid or piece.level == top[lay.cells[0]][1])
        ):
            continue  # the bare halves of two tiles, taken for one tile
        elif all(read.tile in laid for read, _ in piece.readings):
            look.differences.append(_displaced(laid[lay.tile], pieces, piece))
            whole.pop(frozenset(laid[lay.tile].cells), None)
        elif not _touches(piece, pieces, top):
            look.apart.append(piece)
        else:
            look.fresh.append(piece)
    covered = {cell for piece in look.fresh for cell in piece.lay.cells}
    look.differences.extend(
        Difference(f"{_name(lay.tile)} is not to be seen where it lay", "EO-4")
        for cells, lay in whole.items()
        if not cells & covered
    )
    return look


def _same_view(top: Top, lay: Lay) -> bool:
    faces = zip(lay.cells, lay.tile, strict=True)
    return all(cell in top and top[cell][0] == number for cell, number in faces)


def _displaced(lay: Lay, pieces: Sequence[Piece], piece: Piece) -> Difference:
    twin = any(lay in [read for read, _ in other.readings] for other in pieces if other != piece)
    text = "is seen twice; the box holds it once" if twin else "has been moved from where it lay"
    return Difference(
        f"{_name(lay.tile)} {text}", "EO-2" if twin else "EO-4", ("tiles", piece.index)
    )


def _touches(piece: Piece, pieces: Sequence[Piece], top: Top) -> bool:
    """Say whether a tile lies on or beside the board, be it by way of other new tiles."""
    reached, left = set(top), list(pieces)
    grew = True
    while grew:
        touching = [one for one in left if any(_near(cell, reached) for cell in one.lay.cells)]
        left = [one for one in left if one not in touching]
        reached.update(cell for one in touching for cell in one.lay.cells)
        grew = bool(touching)
    return piece not in left


def _near(cell: Cell, reached: set[Cell]) -> bool:
    row, column = cell
    return any((row + down, column + right) in reached for down, right in ((0, 0), *AROUND))


def _in_order(
    state: State, fresh: Sequence[Piece]
) -> tuple[tuple[Lay, ...], list[Doubt], tuple[Difference, ...]]:
    """Return as many new tiles as the rules can explain, in turn order, and why not the rest."""
    for size in range(len(fresh), 0, -1):
        for some in combinations(fresh, size):
            if (found := _explained(state, some)) is None:
                continue
            moves, doubts = found
            after = state
            for move in moves:
                after = apply(after, move)
            rest = [piece for piece in fresh if piece not in some]
            return moves, doubts, tuple(_unexplained(after, piece) for piece in rest)
    return (), [], tuple(_unexplained(state, piece) for piece in fresh)


def _unexplained(state: State, piece: Piece) -> Difference:
    reason, rule = _fault(state, piece.lay) or (f"{_name(piece.lay.tile)} does not fit", "EO-4")
    hint = "; was a tile laid before it?" if rule in ("EO-5", "EO-6") else ""
    return Difference(reason + hint, rule, ("tiles", piece.index))


def _fault(state: State, lay: Lay) -> tuple[str, str] | None:
    try:
        apply(state, lay)
    except Illegal as refused:
        return refused.reason, refused.rule
    return None


def _explained(state: State, pieces: Sequence[Piece]) -> tuple[tuple[Lay, ...], list[Doubt]] | None:
    """Return the likeliest legal reading of all *pieces* as moves in order, with its doubts."""
    told = stories(
        [piece.readings for piece in pieces],
        lambda read: islice(_orders(state, read), 2),
        MOST_TRIED,
    )
    if not told:
        return None
    order, read = told[0].meaning, told[0].reading
    doubts = list(_repairs(state, pieces, read, order))
    if any(other.reading == read for other in told[1:]) and not _solo(state):
        text = f"{_names(lay.tile for lay in order)} are new; taken as laid in this order"
        doubts.append(Doubt(text))
    for other in told[1:]:
        doubts += _rivals(pieces, read, other.reading)
    asked = {doubt.piece for doubt in doubts}
    doubts += [
        Doubt(f"is the {_name(lay.tile)} read right?", ("tiles", piece.index))
        for piece, lay in zip(pieces, read, strict=True)
        if unread(piece.tile) and ("tiles", piece.index) not in asked
    ]
    return order, doubts


def _orders(state: State, left: tuple[Lay, ...]) -> Iterator[tuple[Lay, ...]]:
    """Yield every order in which these tiles can be laid one after the other."""
    if not left:
        yield ()
    for place, lay in enumerate(left):
        if _fault(state, lay) is None:
            after = apply(state, lay)
            for rest in _orders(after, left[:place] + left[place + 1 :]):
                yield (lay, *rest)


def _repairs(
    state: State, pieces: Sequence[Piece], chosen: Sequence[Lay], order: Sequence[Lay]
) -> Iterator[Doubt]:
    """Yield a doubt for a tile not taken as it looks, that shows nothing new, or seems too high."""
    taken = {lay: piece for piece, lay in zip(pieces, chosen, strict=True)}
    for lay in order:
        piece, name, top = taken[lay], _name(lay.tile), surface(state.laid)
        at, level = ("tiles", piece.index), top.get(lay.cells[0], (0, 0, 0))[1] + 1
        if lay != piece.lay:
            fault = _fault(state, piece.lay)
            why = fault[0] if fault else "the other new tiles rule it out"
            text = f"taken as {name}: it looks like {_name(piece.lay.tile)}, but {why}"
            yield Doubt(text, at)
        if _same_view(top, lay):
            yield Doubt(f"{name} shows just what lay there before: is it a new tile?", at)
        if piece.level not in (None, level):
            yield Doubt(f"{name} looks like level {piece.level}, but would lie on {level}", at)
        state = apply(state, lay)


def _rivals(
    pieces: Sequence[Piece], chosen: Sequence[Lay], other: Sequence[Lay]
) -> Iterator[Doubt]:
    for piece, lay, rival in zip(pieces, chosen, other, strict=True):
        if lay.tile != rival.tile:
            text = f"taken as {_name(lay.tile)}, but {_name(rival.tile)} is possible too"
            yield Doubt(text, ("tiles", piece.index))


def _observe_flip(state: State, table: seen.Table) -> Proposal:
    """Return the flip, if two tiles lie face up that belong face down; else what is wrong."""
    ready = replace(state, laid=foundation(2, state.house))
    frame, _ = frame_of(table.tiles, [(lay.tile, lay.cells) for lay in ready.laid])
    if frame is None and not (state.past or state.flips):
        return Proposal.differs("the foundation is not to be seen", "EO-2")
    pieces = [_piece(i, tile, frame or (0, 0, 0)) for i, tile in enumerate(table.tiles)]
    look = _compare(ready, pieces) if frame else Comparison([], pieces, [], [])
    flipped = [piece for piece in look.fresh + look.apart if piece.lay.tile not in state.flips]
    if not flipped:
        return _nothing_new(look)
    picked = _pick(flipped, _unflipped(state))
    if len(flipped) != 2 or picked is None:
        text = f"each player flips one tile; {_new(len(flipped))} seen"
        return Proposal.differs(text, "EO-3")
    (first, second), doubts = picked
    whose = Doubt(f"is {_name(first)} player 1's and {_name(second)} player 2's?")
    more = (whose, *look.doubts, *doubts)
    return Proposal((Flip(first, second),), more, tuple(look.differences))


def _observe_draw(state: State, table: seen.Table, look: Comparison) -> Proposal:
    """Return the solo draw; tiles of it that already lie on the board follow as moves."""
    drawn = look.fresh + look.apart
    if not drawn:
        return _nothing_new(look)
    picked = _pick(drawn, _hidden(state))
    if len(drawn) != DRAWN or picked is None:
        text = f"a turn draws three tiles; {_new(len(drawn))} seen"
        return Proposal.differs(text, "EO-10")
    draw = Draw(tuple(sorted(picked[0])))
    then = observe(apply(state, draw), table)
    more = [doubt for doubt in then.doubts if doubt.sentence != NOTHING_NEW]
    return Proposal((draw, *then.moves), (*picked[1], *more), then.differences)


def _new(number: int) -> str:
    return "one new one is" if number == 1 else f"{number} new ones are"


def _nothing_new(look: Comparison) -> Proposal:
    return Proposal((), (*look.doubts, Doubt(NOTHING_NEW)), tuple(look.differences))


def _pick(
    pieces: Sequence[Piece], allowed: Sequence[Domino]
) -> tuple[tuple[Domino, ...], list[Doubt]] | None:
    """Return the likeliest different tiles that *pieces* can be, with doubts where that repairs."""
    for chosen, _ in joint_readings([piece.readings for piece in pieces]):
        tiles = tuple(lay.tile for lay in chosen)
        if twice(tiles) or not set(tiles) <= set(allowed):
            continue
        return tiles, [
            Doubt(
                f"taken as {_name(tile)}: it looks like {_name(piece.lay.tile)}, which is not left",
                ("tiles", piece.index),
            )
            for piece, tile in zip(pieces, tiles, strict=True)
            if tile != piece.lay.tile
        ]
    return None


GAME = Game(
    name="even_at_odds",
    title=TITLE,
    version=1,
    seats=SEATS,
    settings=SETTINGS,
    moves=(Flip, Choose, Agree, Show, Lay, Pass, Discard, Draw, Exchange),
    start=start,
    legal_moves=legal_moves,
    apply=apply,
    score=score,
    is_over=is_over,
    result=result,
    explain=explain,
    equipment=equipment,
    observe=observe,
    prompt=prompt,
    describe=describe,
    to_move=to_move,
    unseen=(Agree, Choose, Pass, Discard),
    target=target,
    one_photo=OnePhoto(lambda state: (equipment(state),), tell),
    draw=draw,
    boards=lambda _house: (mat("mat:dominoes", "Dominoes", 240, step=25.0),),
    several={"Lay": "tiles laid", "Draw": "draws"},
)
