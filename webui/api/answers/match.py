"""A match as it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from webui.api.answers import CellView, SeatNumbers


@dataclass(frozen=True, slots=True)
class PieceView:
    """A die as far as is known."""

    cell: CellView | None
    value: int
    colour: str


@dataclass(frozen=True, slots=True)
class KnownTile:
    """A domino as far as is known."""

    halves: list[int]
    cells: list[CellView]
    level: int | None


@dataclass(frozen=True, slots=True)
class KnownMark:
    """A printed cell and how it is marked."""

    cell: list[Any]
    mark: str


@dataclass(frozen=True, slots=True)
class Surface:
    """A surface to be photographed, with what is known to lie there."""

    title: str
    seat: Annotated[int | None, "whose it is, where each player has one"]
    waits: Annotated[bool, "its table has finished the round"]
    board: list[PieceView]
    tiles: list[KnownTile]
    marks: list[KnownMark]


@dataclass(frozen=True, slots=True)
class EquipmentView:
    """What is to be photographed now."""

    board: str | None
    dice: int | None
    colours: dict[str, int]
    tiles: bool
    loose: Annotated[bool, "pieces count wherever they lie, however many"]
    largest: Annotated[int | None, "most pips on half a tile; null: not known"]
    places: Annotated[list[str], "of a track; place i is the cell [0, i]"]
    spots: list[Surface]


@dataclass(frozen=True, slots=True)
class GameName:
    """Which game is played."""

    name: str
    title: str


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A setting of a match, with its value in words."""

    name: str
    value: Any
    meaning: str
    says: str


@dataclass(frozen=True, slots=True)
class ResultView:
    """Who has won, and why."""

    title: Annotated[str, "how it ended, in a few words"]
    winners: list[int]
    won: Annotated[list[int], "seats that have won; [] where it is a draw, or ended early"]
    why: str
    draw: bool
    early: Annotated[bool, "it ended before its rules end it: `winners` led, nobody has won"]


@dataclass(frozen=True, slots=True)
class MeetingView:
    """Who meets whom in one round of a tournament."""

    round: int
    seats: SeatNumbers
    points: Annotated[list[int] | None, "null: they are playing"]
    counts: Annotated[bool, "false: a replay that only decides who moves on"]


@dataclass(frozen=True, slots=True)
class RankView:
    """How one player stands in a tournament; level players share the place."""

    place: int
    seat: int
    points: int
    won: int
    level: int
    lost: int
    byes: int


@dataclass(frozen=True, slots=True)
class TournamentView:
    """Who meets whom, who sits out, and how all stand, the best first."""

    noun: Annotated[str, "what a round is called"]
    round: Annotated[int, "that is played, or was the last"]
    rounds: int
    meetings: Annotated[list[MeetingView], "round after round, table by table"]
    sat_out: Annotated[list[int], "seats, in round 1, 2, …; [] with an even number of players"]
    standings: list[RankView]


@dataclass(frozen=True, slots=True)
class StandingView:
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


@dataclass(frozen=True, slots=True)
class Identity:
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
