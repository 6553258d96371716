"""Purple House once more, written as what happens at one table: slow, and sharing no code.

Each event that can be written down is tried on a match played again from its beginning.
Written from RULES.md PH-1 to PH-10 for one table: two players, or one alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from typing import Any

from tests.oracles.refusal import Event, need

NUMBERS = range(-1, 5)
PIPS = range(8)
SIDES = ("black", "white")
ROWS_OF_THREE = [
    *[[(r, 0), (r, 1), (r, 2)] for r in range(3)],
    *[[(0, c), (1, c), (2, c)] for c in range(3)],
    [(0, 0), (1, 1), (2, 2)],
    [(0, 2), (1, 1), (2, 0)],
]


class OracleTable:
    """The table as it stands: plain lists, changed in place."""

    def __init__(self, house: Mapping[str, Any], players: int) -> None:
        self.house, self.players = house, players
        self.totals, self.rounds, self.over = [0] * players, 0, False
        self.starter: int | None = None
        self.black: int | None = None
        self.named: str | None = None
        self.fresh()

    def fresh(self) -> None:
        self.cells: dict[tuple[int, int], tuple[str, int]] = {}
        self.order: list[str] = []  # colours as they were placed
        self.rolled: dict[str, list[int]] = {}

    def do(self, event: Event) -> None:
        need(not self.over)
        getattr(self, event[0])(*event[1:])

    def settled(self) -> bool:
        return self.named is not None if self.players == 1 else self.black is not None

    def StartRoll(self, pips: tuple[int, int]) -> None:
        a, b = pips
        need(self.players == 2 and self.starter is None and self.black is None)
        need(1 <= a <= 6 and 1 <= b <= 6)
        if a != b:
            self.starter = 0 if a > b else 1

    def Agree(self, starter: int, black: int) -> None:
        need(self.players == 2 and self.starter is None and self.black is None)
        need(starter in (0, 1) and black in (0, 1))
        self.starter, self.black = starter, black

    def ChooseColour(self, colour: str) -> None:
        need(not self.settled())
        if self.players == 1:
            self.named = colour
            return
        need(self.starter is not None)
        chooser = 1 - self.starter
        self.black = chooser if colour == "black" else 1 - chooser

    def Roll(self, colour: str, pips: tuple[int, ...]) -> None:
        need(self.settled() and not self.order and colour not in self.rolled)
        need(len(pips) == 5 and all(1 <= p <= 6 for p in pips) and sorted(pips) == list(pips))
        self.rolled[colour] = list(pips)

    def Place(self, row: int, column: int, colour: str, pips: int) -> None:
        need(self.settled())
        need(row in (0, 1, 2) and column in (0, 1, 2) and (row, column) not in self.cells)
        need(1 <= pips <= 6)
        if self.order:
            need(colour != self.order[-1])
        elif self.players == 1:
            rule = self.house["solo_start"]
            need(rule == "free" or (colour == self.named) == (rule == "named"))
        elif self.starter is not None:
            need(colour == ("black" if self.starter == self.black else "white"))
        if colour in self.rolled:
            need(pips in self.rolled[colour])
            self.rolled[colour].remove(pips)
        self.cells[row, column] = (colour, pips)
        self.order.append(colour)
        if len(self.cells) == 9:
            self.count()

    def count(self) -> None:
        black = white = 0
        for cells in ROWS_OF_THREE:
            dice = [self.cells[cell] for cell in cells]
            odd = sum(pips for _, pips in dice) % 2 == 1
            if self.house["variant"] == "color_match":
                colours = {colour for colour, _ in dice}
                if len(colours) > 1:
                    continue
                strict = self.house["color_match_owner"] == "own_colour_only"
                if strict and ("black" in colours) != odd:
                    continue
            black, white = black + odd, white + (not odd)
        self.rounds += 1
        if self.players == 1:
            self.totals = [black if self.named == "black" else white]
            self.over = True
            return
        first = self.black if self.order[0] == "black" else 1 - self.black
        again = (
            self.house["match"] == "single"
            and self.house["single_round_tie"] == "replay"
            and black == white
        )
        if not again:
            self.totals[self.black] += black
            self.totals[1 - self.black] += white
        self.over = self.ended(again)
        if not self.over:
            self.go_on(first)

    def ended(self, again: bool) -> bool:
        if self.house["match"] == "single":
            return not again
        target = self.house["target"]
        if target == "usual":
            target = 25 if self.house["variant"] == "color_match" else 50
        level = self.totals[0] == self.totals[1]
        return max(self.totals) >= target and (not level or self.house["race_tie"] == "draw")

    def go_on(self, first: int) -> None:
        self.fresh()
        colours = self.house["colours_between_rounds"]
        self.starter = 1 - first
        if self.house["later_starts"] == "free" and colours != "choose_again":
            self.starter = None
        if colours == "swap":
            self.black = 1 - self.black
        if colours == "choose_again":
            self.black = None


def after(house: Mapping[str, Any], players: int, events: Sequence[Event]) -> OracleTable:
    """Return the table after the events; raises No if they break a rule."""
    play = OracleTable(house, players)
    for event in events:
        play.do(event)
    return play


def written() -> Iterator[Event]:
    """Yield every event that can be written down, right or wrong."""
    yield from (("StartRoll", pips) for pips in product(PIPS, PIPS))
    yield from (("Agree", a, b) for a, b in product(NUMBERS, NUMBERS))
    yield from (("ChooseColour", side) for side in SIDES)
    for side in SIDES:
        yield from (("Roll", side, pips) for pips in combinations_with_replacement(PIPS, 5))
        yield ("Roll", side, (2, 1, 3, 4, 5))
    yield from (("Place", *place) for place in product(NUMBERS, NUMBERS, SIDES, PIPS))
