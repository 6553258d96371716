"""A match as it stands: what a phone shows, and what the pages are made from."""

from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

from scorer import Because, Equipment, Table, Tournament
from scorer.evening.standing import Standing
from scorer.values import dump
from webui.api.answers import CellView, SeatNumbers, Time
from webui.api.answers.games import GameName, HouseRule, settings_view
from webui.api.answers.history import BecauseView, History, parts_view, steps_view
from webui.languages import said
from webui.match.match import Match
from webui.match.points import points_after
from webui.store.replay import NEWEST


class PieceView(TypedDict):
    """A die as far as is known."""

    cell: CellView | None
    value: int
    colour: str


class KnownTile(TypedDict):
    """A domino as far as is known."""

    halves: list[int]
    cells: list[CellView]
    level: int | None


class KnownMark(TypedDict):
    """A printed cell and how it is marked."""

    cell: list[Any]
    mark: str


class Surface(TypedDict):
    """A surface to be photographed, with what is known to lie there."""

    title: str
    seat: Annotated[int | None, "whose it is, where each player has one"]
    waits: Annotated[bool, "its table has finished the round"]
    board: list[PieceView]
    tiles: list[KnownTile]
    marks: list[KnownMark]


class EquipmentView(TypedDict):
    """What is to be photographed now."""

    board: str | None
    dice: int | None
    colours: dict[str, int]
    tiles: bool
    loose: Annotated[bool, "pieces count wherever they lie, however many"]
    largest: Annotated[int | None, "most pips on half a tile; null: not known"]
    places: Annotated[list[str], "of a track; place i is the cell [0, i]"]
    spots: list[Surface]


class ResultView(TypedDict):
    """Who has won, and why."""

    title: Annotated[str, "how it ended, in a few words"]
    winners: list[int]
    won: Annotated[list[int], "seats that have won; [] where it is a draw, or ended early"]
    why: str
    draw: bool
    early: Annotated[bool, "it ended before its rules end it: `winners` led, nobody has won"]


class MeetingView(TypedDict):
    """Who meets whom in one round of a tournament."""

    round: int
    seats: SeatNumbers
    points: Annotated[list[int] | None, "null: they are playing"]
    counts: Annotated[bool, "false: a replay that only decides who moves on"]
    so_far: Annotated[list[int] | None, "points of a game that is played"]


class RankView(TypedDict):
    """How one player stands in a tournament; level players share the place."""

    place: int
    seat: int
    points: int
    won: int
    level: int
    lost: int
    byes: int


class TournamentView(TypedDict):
    """Who meets whom, who sits out, and how all stand, the best first."""

    noun: Annotated[str, "what a round is called"]
    round: Annotated[int, "that is played, or was the last"]
    rounds: int
    meetings: Annotated[list[MeetingView], "round after round, table by table"]
    sat_out: Annotated[list[int], "seats, in round 1, 2, …; [] with an even number of players"]
    standings: list[RankView]


class StandingView(TypedDict):
    """How a match stands now."""

    over: bool
    prompt: str
    hint: Annotated[str, "what may help to settle what is due, and is no rule; mostly empty"]
    to_move: list[int]
    score: SeatNumbers
    notes: Annotated[list[str], "on each seat's score; [] where it needs none"]
    colours: Annotated[list[str], "of each seat's dice; [] where they have none"]
    target: int | None
    result: ResultView | None
    turn_total: Annotated[int | None, "points of the turn in play, which do not count yet"]
    equipment: EquipmentView
    board: Annotated[list[PieceView], "what lies on the first surface as far as is known"]
    overridden: Annotated[list[str], "rules against which all played on with what lay there"]
    tournament: Annotated[TournamentView | None, "null where all play at one table"]


class Identity(TypedDict):
    """What a match is called and how it is reached."""

    id: str
    code: Annotated[str, "to be typed on another phone"]
    public: Annotated[str, "names the match in its events; with it nobody can play"]
    url: str
    join: Annotated[str, "the address behind the QR code"]
    game: GameName
    names: list[str]
    seats: int
    created_at: str
    settings: list[HouseRule]
    seq: Annotated[int, "the newest event; `after` of the next step"]
    version_ok: Annotated[bool, "false: the rules here differ, `prompt` says how"]
    can_undo: bool
    ahead: Annotated[
        list[int],
        "steps taken back that may be put back, oldest first; of many the next ones and the last",
    ]


class MatchView(Identity, StandingView, BecauseView, History):
    """All that a phone shows of a match."""


class ShownMatch(TypedDict):
    """What names a match for somebody who only looks."""

    public: Annotated[str, "names the match in its events"]
    game: GameName
    names: list[str]
    created_at: Time
    seq: Annotated[int, "the newest event"]


class ShownView(ShownMatch, StandingView):
    """All that somebody is shown who only looks."""


NO_EQUIPMENT = Equipment()


def match_view(match: Match, root: str, *, earned: bool = False) -> MatchView:
    """Return everything a phone shows of *match*; *root* is the server's address, ending in "/".

    Of the points only those that are *earned*, as the pages show them, or the whole score.
    """
    names, game = match.names, match.game
    because: tuple[Because, ...] = ()
    if match.closed is None and game is not None:
        because = match.because_earned() if earned else match.because()
    identity = Identity(
        id=match.row.id,
        code=match.row.whole_code,
        public=match.row.public,
        url=f"{root}m/{match.row.id}",
        join=f"{root}j/{match.row.whole_code}",
        game=GameName(name=match.row.game, title=match.title),
        names=list(names),
        seats=len(names),
        created_at=match.row.created_at,
        settings=settings_view(game, match) if game else [],
        seq=match.seq,
        version_ok=match.closed is None,
        can_undo=match.closed is None and match.last is not None,
        ahead=_ahead(match),
    )
    return {
        **identity,
        **_standing(match, earned=earned),
        **parts_view(match, because),
        **steps_view(match, match.steps, earned=earned),
    }


def shown_view(match: Match) -> ShownView:
    """Return what somebody is shown who only looks: nothing in it leads to the match."""
    shown = ShownMatch(
        public=match.row.public,
        game=GameName(name=match.row.game, title=match.title),
        names=list(match.names),
        created_at=match.row.created_at,
        seq=match.seq,
    )
    return {**shown, **_standing(match, earned=False)}


def _ahead(match: Match) -> list[int]:
    """Return the steps that a redo may put back, the next ones and the last."""
    ahead = match.tree.ahead() if match.closed is None else []
    return ahead if len(ahead) <= NEWEST else [*ahead[: NEWEST - 1], ahead[-1]]


def _standing(match: Match, *, earned: bool) -> StandingView:
    """Return how the match stands; without rules to ask, as it was stored last."""
    game, state, names, stands = match.game, match.state, match.names, match.standing()
    if game is None or stands is None:
        return StandingView(
            over=False,
            prompt=said(match.closed or ""),
            hint="",
            to_move=[],
            score=list(points_after(match, match.last)[earned]),
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
                round=one.number,
                seats=list(one.seats),
                points=None if one.points is None else list(one.points),
                counts=one.counts,
                so_far=None if one.so_far is None else list(one.so_far),
            )
            for one in tournament.meetings
        ],
        sat_out=list(tournament.sat_out),
        standings=dump(tournament.standings),
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
                    KnownTile(halves=list(tile.halves), cells=dump(tile.cells), level=tile.level)
                    for tile in spot.table.tiles
                ],
                marks=[KnownMark(cell=list(one.cell), mark=one.mark) for one in spot.table.marks],
            )
            for spot in equipment.spots
        ],
    )


def _pieces(table: Table) -> list[PieceView]:
    return [
        PieceView(cell=dump(die.cell), value=die.value, colour=die.colour) for die in table.dice
    ]
