"""`make bench-observe`: how often a damaged table is misread without a warning.

Thousands of true tables of each game (tests/scorer/photo/truths.py) are damaged
(tests/scorer/photo/damage.py), once and
twice, with the confidences the eyes would give, and shown to `observe`.

*Silently wrong* is a proposal whose moves leave another state than the truth does, and that carries
neither a doubt nor a difference. Questions of the eyes themselves, about a die that is not sure,
do not count here. Of Gords' showdown the state compared is who loses a die, not every hand.

*Not to be told* are silently wrong proposals of one kind, counted apart: the damaged table shows
exactly what another legal play shows, with every piece believed (confidence 0.968 or more, nothing
else nearly as likely). No rule can tell such a table from the truth: a roll misread with full
confidence, or the full grid of people nobody knows. What lay there before, all of it or what was
left of it, is never excused so, though dice may fall alike twice: it must be asked about.

*Asked* is the share of undamaged tables that get any doubt or difference: read rightly, with
pieces that the eyes ask nothing about. Dice that repeat the last roll by chance are not asked
about where their places show that they were thrown, as `pipsight follow`, the page and the camera
compare them; a die alone fits any place, so it is.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from models.harness import NothingToMeasure, PrintedRows
from scorer import Die, Illegal, Table
from scorer.photo.follow import unless_moved
from scorer.photo.interpret import likely
from scorer.photo.meaning import Meaning
from tests.scorer.photo.damage import BOARDS, DAMAGES, SURE, believed
from tests.scorer.photo.truth import Truth, facts, photographed
from tests.scorer.photo.truths import TRUTHS
from vision.arrangement import lie_yet

CASES = 10_000
BEFORE = {("stale",), ("left",), ("taken",)}  # photos of what lay there, and nothing else amiss
PER_TRUTH = 10  # damaged tables of one state: random play takes longer than looking


@dataclass
class Tallies:
    """What became of the tables of one game."""

    undamaged: int = 0
    asked: int = 0
    damaged: Counter[int] = field(default_factory=Counter)  # by the number of faults
    silent: Counter[int] = field(default_factory=Counter)
    untold: Counter[int] = field(default_factory=Counter)
    examples: list[tuple[tuple[str, ...], Truth, Table]] = field(default_factory=list)


def verdict(truth: Truth, table: Table, chance: random.Random) -> str:
    """Return "right", "asked" or "silent" for what `observe` makes of *table*.

    Where the dice were photographed before, they are seen to lie as they lay or otherwise.
    """
    proposal = truth.game.observe(truth.state, table)
    if truth.before is not None:
        photos = [photographed(chance, one) for one in (truth.before, table)]
        step = Meaning(proposal.moves, truth.state, proposal.doubts, proposal.differences)
        doubts = unless_moved(step, lie_yet(*photos)).doubts
        proposal = replace(proposal, doubts=doubts)
    if proposal.differences or any(doubt.about != "progress" for doubt in proposal.doubts):
        return "asked"
    right = truth.outcome(truth.after(proposal.moves)) == truth.outcome(truth.after(truth.moves))
    return "right" if right else "silent"


def not_to_be_told(truth: Truth, table: Table, faults: tuple[str, ...]) -> bool:
    """Return True if the table is the believed look of another legal play (see above)."""
    if faults in BEFORE:
        return False
    moves = truth.game.observe(truth.state, table).moves
    try:
        truth.after(moves)
    except Illegal:
        return False
    look, table = (
        replace(one, dice=tuple(filter(truth.matters, one.dice)))
        for one in (truth.look(moves), table)
    )
    if not moves or facts(look) != facts(table):
        return False
    return all(
        piece.confidence >= SURE
        and not likely(piece.values if isinstance(piece, Die) else piece.others, piece.confidence)
        and not (isinstance(piece, Die) and likely(piece.colours, 1.0))
        for piece in (*table.dice, *table.tiles, *table.marks)
    )


def damaged(
    chance: random.Random, truth: Truth, faults: int
) -> tuple[tuple[str, ...], Table] | None:
    """Return a table of *truth* with a number of *faults* of different pieces or kinds."""
    names = chance.choices(list(DAMAGES), k=faults)
    if sum(name in BOARDS for name in names) > 1:
        return None
    table: Table | None = believed(chance, truth.table)
    for name in sorted(names, key=lambda name: name not in BOARDS):  # then what the eyes make of it
        table = table and DAMAGES[name](chance, truth, table)
    if table is None or facts(table) == facts(truth.table):
        return None
    return tuple(sorted(names)), table


def count(game: str, cases: int, seed: int = 1) -> Tallies:
    """Count *cases* tables with one fault, as many with two, and undamaged ones."""
    chance, found = random.Random(seed), Tallies()
    while min(found.damaged[1], found.damaged[2]) < cases:
        truth = TRUTHS[game](chance)
        found.undamaged += 1
        found.asked += verdict(truth, believed(chance, truth.table), chance) == "asked"
        for faults in (1, 2) * PER_TRUTH:
            made = damaged(chance, truth, faults) if found.damaged[faults] < cases else None
            if made is None:
                continue
            names, table = made
            found.damaged[faults] += 1
            if verdict(truth, table, chance) != "silent":
                continue
            if not_to_be_told(truth, table, names):
                found.untold[faults] += 1
            else:
                found.silent[faults] += 1
                found.examples.append((names, truth, table))
    return found


def said_of(game: str, found: Tallies) -> str:
    """Return what is wrong with a game's `observe` in a sentence, "" where nothing is."""
    if not found.silent:
        return ""
    (faults, truth, table), tables = found.examples[0], sum(found.damaged.values())
    played, taken = (
        "; ".join(_told(truth, moves)) or "no move"
        for moves in (truth.moves, truth.game.observe(truth.state, table).moves)
    )
    return (
        f"{game}: observe takes {sum(found.silent.values())} of {tables} damaged tables for other"
        f" moves and asks nothing. One is damaged by {' and '.join(faults)}: played was"
        f" “{played}”, and observe proposes “{taken}”. Let it return a doubt"
        " (scorer.proposal.Doubt) for each piece that may be misread, missed or left from before;"
        " scorer.photo.rolls.rolled does that for a roll."
    )


def _told(truth: Truth, moves: Iterable[Any]) -> Iterator[str]:
    state = truth.state
    for move in moves:
        yield truth.game.describe(state, move)
        state = truth.game.apply(state, move)


def main(
    cases: Annotated[int, "tables of each kind"] = CASES,
    games: Annotated[Sequence[str], "all if none is named"] = (*TRUTHS,),
) -> int:
    """Print a row for each game; return 1 if a proposal was silently wrong."""
    if unknown := ", ".join(set(games) - set(TRUTHS)):
        raise NothingToMeasure(f"There is no game {unknown}; there are {', '.join(TRUTHS)}.")
    print(f"{'':22} one fault of {cases} tables, then two")
    table = PrintedRows("", *("silent", "not to be told") * 2, "undamaged", "asked")
    worst = 0
    for game in games:
        found = count(game, cases)
        worst += sum(found.silent.values())
        cells = (counted[n] for n in (1, 2) for counted in (found.silent, found.untold))
        table.row(game, *cells, found.undamaged, f"{found.asked / found.undamaged:.2%}")
        for kinds, many in Counter(names for names, *_ in found.examples).most_common(5):
            print(f"    {many} silent: {' and '.join(kinds)}")
    return 1 if worst else 0
