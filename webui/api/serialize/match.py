"""A match as it stands: what a phone shows, and what the pages are made from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scorer import Because, Equipment, Table, Tournament
from scorer.evening import Standing
from scorer.values import dump
from webui.api.answers import plain
from webui.api.answers.followers import ShownMatch
from webui.api.answers.match import (
    EquipmentView,
    GameName,
    Identity,
    KnownMark,
    KnownTile,
    MeetingView,
    PieceView,
    RankView,
    ResultView,
    StandingView,
    Surface,
    TournamentView,
)
from webui.api.serialize.games import settings_view
from webui.api.serialize.history import parts_view, steps_view
from webui.languages import said
from webui.match.match import Match
from webui.match.points import points_after
from webui.store.replay import NEWEST

NO_EQUIPMENT = Equipment()


def match_view(match: Match, root: str, *, earned: bool = False) -> dict[str, Any]:
    """Return everything a phone shows of *match*; *root* is the server's address, ending in "/".

    Of the points only those that are *earned*, as the pages show them, or the whole score.
    """
    names = match.names
    game = match.game
    identity = Identity(
        id=match.row.id,
        code=match.row.whole_code,
        public=match.row.public,
        url=f"{root}m/{match.row.id}",
        join=f"{root}j/{match.row.whole_code}",
        game=GameName(match.row.game, match.title),
        names=list(names),
        seats=len(names),
        created_at=match.row.created_at,
        settings=settings_view(game, match) if game else [],
        seq=match.seq,
        version_ok=match.closed is None,
        can_undo=match.closed is None and match.last is not None,
        ahead=_ahead(match),
    )
    because: tuple[Because, ...] = ()
    if match.closed is None and game is not None:
        because = match.because_earned() if earned else match.because()
    return {
        **plain(identity),
        **plain(_standing(match, earned=earned)),
        **parts_view(match, because),
        **steps_view(match, match.steps, earned=earned),
    }


def shown_view(match: Match) -> dict[str, Any]:
    """Return what somebody is shown who only looks: nothing in it leads to the match."""
    row, game = match.row, GameName(match.row.game, match.title)
    shown = ShownMatch(row.public, game, list(match.names), row.created_at, match.seq)
    return {**plain(shown), **plain(_standing(match, earned=False))}


def _ahead(match: Match) -> list[int]:
    """Return the steps that a redo may put back, the next ones and the last."""
    ahead = match.tree.ahead() if match.closed is None else []
    return ahead if len(ahead) <= NEWEST else [*ahead[: NEWEST - 1], ahead[-1]]


def _standing(match: Match, *, earned: bool) -> StandingView:
    """Return how the match stands; without rules to ask, as it was stored last."""
    game, state, names, stands = match.game, match.state, match.names, match.standing()
    if game is None or stands is None:
        last = points_after(match, match.last)[earned]
        return StandingView(
            over=False,
            prompt=said(match.closed or ""),
            hint="",
            to_move=[],
            score=list(last) or [0] * len(names),
            notes=[],
            colours=[],
            target=None,
            result=None,
            turn_total=None,
            equipment=equipment_view(NO_EQUIPMENT, names),
            board=[],
            overridden=[],
            tournament=None,
        )
    equipment = game.equipment(state)
    return StandingView(
        over=stands.over,
        prompt=said(stands.prompt, names),
        hint=said(game.hint(state), names),
        to_move=list(stands.to_move),
        score=list(stands.earned if earned else stands.points),
        notes=[said(note, names) for note in game.notes(state)],
        colours=list(game.colours(state)),
        target=game.target(state),
        result=_result(stands, names),
        turn_total=game.turn_total(state),
        equipment=equipment_view(equipment, names),
        board=_pieces(equipment.spots[0].table) if equipment.spots else [],
        overridden=list(match.overridden),
        tournament=_tournament(game.tournament(state)),
    )


def _result(stands: Standing, names: Sequence[str]) -> ResultView | None:
    """Return who has won, and why; None while the match goes on."""
    result = stands.result
    if result is None:
        return None
    return ResultView(
        title=said(stands.title or "", names),
        winners=list(result.winners),
        won=list(result.won),
        why=said(result.why, names),
        draw=result.draw,
        early=result.early,
    )


def _tournament(tournament: Tournament | None) -> TournamentView | None:
    if tournament is None:
        return None
    return TournamentView(
        noun=tournament.noun,
        round=tournament.number,
        rounds=tournament.rounds,
        meetings=[
            MeetingView(
                one.number,
                list(one.seats),
                None if one.points is None else list(one.points),
                one.counts,
            )
            for one in tournament.meetings
        ],
        sat_out=list(tournament.sat_out),
        standings=[RankView(**dump(one)) for one in tournament.standings],
    )


def equipment_view(equipment: Equipment, names: Sequence[str]) -> EquipmentView:
    """Return what is to be photographed, surface by surface."""
    return EquipmentView(
        board=equipment.board,
        dice=equipment.dice,
        colours=dict(equipment.colours),
        tiles=equipment.tiles,
        loose=equipment.loose,
        largest=equipment.largest,
        places=list(equipment.places),
        spots=[
            Surface(
                title=said(spot.title, names),
                seat=spot.seat,
                waits=spot.waits,
                board=_pieces(spot.table),
                tiles=[
                    KnownTile(dump(tile.halves), dump(tile.cells), tile.level)
                    for tile in spot.table.tiles
                ],
                marks=[KnownMark(list(one.cell), one.mark) for one in spot.table.marks],
            )
            for spot in equipment.spots
        ],
    )


def _pieces(table: Table) -> list[PieceView]:
    return [PieceView(dump(die.cell), die.value, die.colour) for die in table.dice]
