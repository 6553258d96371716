"""Sentences of a match: explanation of the score, prompts, results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from scorer.entry import TableEntry, moved
from scorer.game import Because, Instead, Result, Typed
from scorer.match.photo import surfaces
from scorer.match.play import inner, is_over, table_of, winners
from scorer.match.values import M, MatchState, Plan, S, Series, TableRound, at_table, plan_of
from scorer.messages import Message, _, joined, ngettext, raw
from scorer.seats import leaders
from scorer.tournament import TournamentTable, numbered
from scorer.words import player, players, points, tally_said

WIDE = 50  # letters of a drawn line


def explain(series: Series[S, M], state: MatchState[S]) -> tuple[Because, ...]:
    """Return the gains of each round in order, unfinished ones last."""
    plan, game = plan_of(series, state), series.game
    entries = [entry for table in state.done for entry in _entries(series, plan, state, table)]
    entries += [
        Because(seat, plan.bye, numbered(plan.noun, number), _("sits out"), plan.bye_rule)
        for number, seat in enumerate(state.sat_out, start=1)
        if number < state.tables[0].number or all(game.is_over(one.round) for one in state.tables)
    ]
    for table in state.tables:
        if not game.is_over(table.round):
            heading = _heading(plan, state, table)
            if table.counts:
                heading = _("{heading} so far", heading=heading)
            entries += _lines(series, table, heading, counts=False)
    return tuple(entries)


def _entries(
    series: Series[S, M], plan: Plan, state: MatchState[S], table: TableRound[S]
) -> Iterator[Because]:
    """Yield the entries of a finished round: its own lines, or its winner."""
    heading = _heading(plan, state, table)
    if plan.gains is None:
        yield from _lines(series, table, heading, counts=table.counts)
        return
    ended = series.game.result(table.round)
    assert ended is not None
    text = at_table(ended.why, table.seats)
    gained = plan.gains(table.round) if table.counts else ()
    paid: list[tuple[int | None, int]] = [
        (seat, won) for seat, won in zip(table.seats, gained, strict=False) if won
    ]
    for seat, won in paid or [(None, 0)]:
        yield Because(seat, won, heading, text, plan.rule)


def _lines(
    series: Series[S, M], table: TableRound[S], heading: Message, *, counts: bool
) -> Iterator[Because]:
    """Yield the lines of a round under one heading: with points if they count, else with names."""
    entries = series.game.explain(table.round)
    several = len({one.part for one in entries}) > 1
    for entry in entries:
        text = joined(": ", (entry.part, entry.text)) if several else entry.text
        pays = counts and entry.seat is not None
        if not pays and entry.seat is not None and str(player(entry.seat)) not in text:
            text = joined(": ", (player(entry.seat), text))
        text = at_table(text, table.seats)
        seat = table.seats[entry.seat] if pays and entry.seat is not None else None
        yield replace(entry, seat=seat, points=entry.points * pays, part=heading, text=text)


def _heading(plan: Plan, state: MatchState[S], table: TableRound[S]) -> Message:
    text = numbered(plan.noun, table.number)
    if len(state.tables) > 1:
        text = _("{round}, {who}", round=text, who=players(table.seats))
    if table.counts:
        return text
    if plan.pairs:
        return _("{round}, replay (not counted)", round=text)
    return _("{round}, level and played again", round=text)


def result(series: Series[S, M], state: MatchState[S]) -> Result | None:
    """Return the result, None during the match."""
    if not is_over(series, state):
        return None
    plan = plan_of(series, state)
    if plan.rounds == 1 and not plan.pairs:
        return _of_round(series, state.done[-1])
    best = leaders(state.totals, plan.lowest)
    if len(best) > 1:
        who, points = players(best), _units(plan, state.totals[best[0]])
        if plan.pairs:
            why = _("{who} are level with {points}: a shared win", who=who, points=points)
            return Result(best, why)
        why = _("{who} are level with {points}: a draw", who=who, points=points)
        return Result(best, why, draw=True)
    return Result(best, _won(plan, state, player(best[0])))


def _units(plan: Plan, number: int) -> Message:
    return ngettext("{n} game", "{n} games", number) if plan.unit == "game" else points(number)


def _of_round(series: Series[S, M], table: TableRound[S]) -> Result:
    ended = series.game.result(table.round)
    assert ended is not None
    return replace(ended, winners=winners(series, table), why=at_table(ended.why, table.seats))


def _won(plan: Plan, state: MatchState[S], who: Message) -> Message:
    """Return a sentence about the winner, with the tally and, if not obvious, the criterion."""
    best, *others = sorted(state.totals, reverse=not plan.lowest)
    if plan.unit and plan.pairs:
        return _("{who} wins with {points}", who=who, points=_units(plan, best))
    if plan.unit:
        rest = tally_said(others)
        return _("{who} wins by {points} to {rest}", who=who, points=_units(plan, best), rest=rest)
    aim = _("the fewest points win") if plan.lowest else _("the most points win")
    if plan.pairs:
        return _("{who} wins with {points}: {aim}", who=who, points=points(best), aim=aim)
    tally = tally_said((best, *others))
    if not plan.target:
        return _("{who} wins {tally}: {aim}", who=who, tally=tally, aim=aim)
    return _(
        "{who} wins {tally}: somebody has {target} after {round}, and {aim}",
        who=who,
        tally=tally,
        target=plan.target,
        round=numbered(plan.noun, state.tables[0].number),
        aim=aim,
    )


def prompt(series: Series[S, M], state: MatchState[S]) -> Message:
    """Return a sentence about what to do next, for all tables of a tournament."""
    noun = plan_of(series, state).noun
    prompts = []
    for place, table in enumerate(state.tables):
        if series.game.is_over(table.round):
            continue
        text = at_table(series.game.prompt(table.round), table.seats)
        if len(state.totals) > 1 and len(state.tables) == 1:
            text = joined(": ", (numbered(noun, table.number), text))
        prompts.append(said_at(state, place, text))
    return joined("; ", prompts)


def said_at(state: MatchState[S], place: int, text: Message) -> Message:
    """Return what is said of a table, with its number if there are several."""
    if len(state.tables) == 1 and place == 0:
        return text
    return _("table {number}: {text}", number=place + 1, text=text)


def describe(series: Series[S, M], state: MatchState[S], move: Any) -> Message:
    """Describe *move*, made in *state*, with the table of a tournament."""
    index = table_of(move)
    table = state.tables[index if index in range(len(state.tables)) else 0]
    text = series.game.describe(table.round, inner(series, move, table.seats))
    return said_at(state, index, at_table(text, table.seats))


def also_said(series: Series[S, M], state: MatchState[S], move: Any) -> tuple[Message, ...]:
    """Return alternative typed forms of a move at a table."""
    table = state.tables[table_of(move)]
    said = series.game.also_said(table.round, inner(series, move, table.seats))
    return tuple(at_table(text, table.seats) for text in said)


def instead(series: Series[S, M], state: MatchState[S]) -> tuple[Instead, ...]:
    """Return alternatives to the opening moves of a table."""
    return tuple(
        Instead(at_table(one.question, table.seats), series.outside(one.move, table.seats, index))
        for index, table in enumerate(state.tables)
        if table.number == 1 or series.following is None
        for one in series.game.instead(table.round)
    )


def typed(series: Series[S, M], state: MatchState[S]) -> tuple[Typed, ...]:
    """Return the number fields; none with several tables."""
    table = state.tables[0]
    return tuple(
        replace(
            one, asks=at_table(one.asks, table.seats), move=series.outside(one.move, table.seats, 0)
        )
        for one in (series.game.typed(table.round) if len(state.tables) == 1 else ())
    )


def entry(series: Series[S, M], state: MatchState[S]) -> tuple[TableEntry, ...]:
    """Return what can be entered at each table that plays."""
    declared = [
        (place, table, own)
        for place, table in enumerate(state.tables)
        if not series.game.is_over(table.round)
        for own in series.game.entry(table.round)
    ]
    first: dict[int, int] = {}  # surface of a table; a game without sheets has no use for it
    if any(own.sheet for _place, _table, own in declared):
        for spot, (place, _own) in enumerate(surfaces(series, state)):
            first.setdefault(place, spot)
    return tuple(
        replace(
            _entered(series, table, place, _at_surface(own, first.get(place, 0))),
            title=_of_table(series, state, place),
            state=table.round,
            asks=at_table(series.game.prompt(table.round), table.seats),
        )
        for place, table, own in declared
    )


def _at_surface(own: TableEntry, spot: int) -> TableEntry:
    return replace(own, sheet=replace(own.sheet, spot=spot)) if own.sheet else own


def _entered(series: Series[S, M], table: TableRound[S], place: int, own: TableEntry) -> TableEntry:
    """Return what a table declares, with the seats of the match."""
    return moved(
        own,
        lambda text: at_table(text, table.seats),
        lambda move: series.outside(move, table.seats, place),
    )


def _of_table(series: Series[S, M], state: MatchState[S], place: int) -> Message:
    if len(state.tables) == 1:
        return raw("")
    who = players(state.tables[place].seats)
    return _("table {number}: {text}", number=place + 1, text=who)


def draw(series: Series[S, M], state: MatchState[S]) -> tuple[Message, ...]:
    """Return each table, then a tournament's standings."""
    return tuple(
        block for place in range(len(state.tables)) for block in _drawn(series, state, place)
    )


def _drawn(series: Series[S, M], state: MatchState[S], place: int) -> Iterator[Message]:
    table = state.tables[place]
    heading = numbered(plan_of(series, state).noun, table.number)
    if len(state.tables) > 1:
        heading = _("table {number}, {round}", number=place + 1, round=heading)
    for block in series.game.draw(table.round):
        text = at_table(block, table.seats)
        fits = len(f"{heading}: {text}".partition("\n")[0]) <= WIDE
        yield joined(": " if fits else ":\n", (heading, text))


def played_tables(series: Series[S, M], state: MatchState[S]) -> tuple[TournamentTable, ...]:
    """Return the tables of a tournament, () if all play at one."""
    if len(state.tables) == 1:
        return ()
    rule = plan_of(series, state).pairs_rule
    return tuple(
        TournamentTable(table.seats, rule, tuple(_drawn(series, state, place)))
        for place, table in enumerate(state.tables)
    )


def hint(series: Series[S, M], state: MatchState[S]) -> Message:
    """Return a hint for the current decision, "" with several tables."""
    return series.game.hint(state.tables[0].round) if len(state.tables) == 1 else raw("")


def notes(series: Series[S, M], state: MatchState[S]) -> tuple[Message, ...]:
    """Return what each player has in the game that is played, and its notes; nothing for byes."""
    words = [raw("")] * len(state.totals)
    for table in state.tables:
        own = series.game.notes(table.round) or [raw("")] * len(table.seats)
        plays = plan_of(series, state).noun == "game" and not series.game.is_over(table.round)
        for seat, text, has in zip(table.seats, own, series.game.earned(table.round), strict=False):
            said = [at_table(text, table.seats)] if text else []
            words[seat] = joined("; ", [_("this game: {n}", n=has), *said] if plays else said)
    return tuple(words) if any(words) else ()


def colours(series: Series[S, M], state: MatchState[S]) -> tuple[str, ...]:
    """Return the colour of each seat's dice, "" for byes."""
    names = [""] * len(state.totals)
    for table in state.tables:
        for seat, name in zip(table.seats, series.game.colours(table.round), strict=False):
            names[seat] = name
    return tuple(names) if any(names) else ()


def turn_total(series: Series[S, M], state: MatchState[S]) -> int | None:
    """Return the points of the current turn, None with several tables."""
    return series.game.turn_total(state.tables[0].round) if len(state.tables) == 1 else None
