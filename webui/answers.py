"""What the JSON interface answers: its OpenAPI schemas are derived from these very types.

The text in `Annotated` is what the schema says of a field besides its type.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Annotated, Any, NewType

Seats = list[int]  # a number a seat
CellView = list[int]  # row and column
MoveView = NewType("MoveView", dict[str, Any])  # a move as `load_move` reads it
Reading = NewType("Reading", Mapping[str, Any])  # as `pipsight read --json` prints it
Time = NewType("Time", str)  # ISO 8601
Point = NewType("Point", list[float])  # x and y, px of the photo


def plain(answer: Any) -> Any:
    """Return an answer as JSON data."""
    if is_dataclass(answer) and not isinstance(answer, type):
        return {one.name: plain(getattr(answer, one.name)) for one in fields(answer)}
    if isinstance(answer, (list, tuple)):
        return [plain(one) for one in answer]
    return answer


# ---------------------------------------------------------------- the server and its games


@dataclass(frozen=True, slots=True)
class Health:
    """Whether the server can do its work."""

    ok: bool


@dataclass(frozen=True, slots=True)
class SettingChoice:
    """A value of a setting and its meaning."""

    value: Any
    says: str


@dataclass(frozen=True, slots=True)
class SettingView:
    """A setting with its choices; `range` instead of choices for whole numbers."""

    name: str
    meaning: str
    default: Any
    choices: list[SettingChoice]
    range: list[int] | None
    open: Annotated[bool, "other values may be given too"]
    example: Annotated[str, "such a value, as a person types it"]
    rule: str
    only_if: Annotated[list[Any] | None, "another setting, and its values that make this matter"]
    per_seat: Annotated[
        list[str], "words of which each player takes one; the value lists one a seat"
    ]
    seats: Annotated[list[int] | None, "fewest and most players with whom it matters"]


@dataclass(frozen=True, slots=True)
class GameView:
    """A game as the start page offers it."""

    name: str
    title: str
    seats: Annotated[list[int], "fewest and most players"]
    settings: list[SettingView]


@dataclass(frozen=True, slots=True)
class Games:
    """The games there are."""

    games: list[GameView]


@dataclass(frozen=True, slots=True)
class Found:
    """The match with a join code."""

    id: str
    url: str


# ---------------------------------------------------------------- a match


@dataclass(frozen=True, slots=True)
class LineView:
    """Points that one seat got, and why."""

    seat: int | None
    points: int
    text: str
    rule: str
    cells: list[CellView]


@dataclass(frozen=True, slots=True)
class PartView:
    """The lines of the tally under one heading."""

    part: str
    lines: list[LineView]


@dataclass(frozen=True, slots=True)
class BecauseView:
    """How the score came about."""

    because: Annotated[
        list[PartView],
        "how the points came about: the newest parts, or those before one, the newest of them"
        " first",
    ]
    older_because: Annotated[str | None, "address of the parts before these"]


@dataclass(frozen=True, slots=True)
class StepView:
    """An event in its place in the history."""

    seq: int
    at: Time
    by: int | None
    text: Annotated[list[str], "each of its moves in words"]
    summary: Annotated[str, "all of them in one line"]
    gains: Annotated[list[int], "what it changed of the score"]
    standing: bool
    undo_of: int | None
    sighting: str | None
    photo: str | None
    thumbnail: str | None
    score: Seats


@dataclass(frozen=True, slots=True)
class History:
    """Steps of a match."""

    history: Annotated[
        list[StepView],
        "the newest of `seq` events, or those before one, the oldest of them first",
    ]
    older: Annotated[str | None, "address of the events before these"]


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

    winners: list[int]
    why: str
    draw: bool


@dataclass(frozen=True, slots=True)
class MeetingView:
    """Who meets whom in one round of a tournament."""

    round: int
    seats: Seats
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
class Standing:
    """How a match stands now."""

    over: bool
    prompt: str
    to_move: list[int]
    score: Seats
    notes: Annotated[list[str], "on each seat's score; [] where it needs none"]
    colours: Annotated[list[str], "of each seat's dice; [] where they have none"]
    target: int | None
    result: ResultView | None
    turn_total: Annotated[int | None, "points of the turn in play, which do not count yet"]
    equipment: EquipmentView
    board: Annotated[list[PieceView], "what lies on the first surface as far as is known"]
    tournament: Annotated[TournamentView | None, "null where all play at one table"]


@dataclass(frozen=True, slots=True)
class Identity:
    """What a match is called and how it is reached."""

    id: str
    code: Annotated[str, "to be typed on another phone"]
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


# ---------------------------------------------------------------- a photo

Box = Annotated[list[float], "x, y, width, height in px of the photo"]


@dataclass(frozen=True, slots=True)
class Tag:
    """Where the value of a piece is written on the photo."""

    box: Box
    to: Annotated[Point, "on the outline of its piece: where a line to it ends"]
    text: str


@dataclass(frozen=True, slots=True)
class PhotoView:
    """A way to show the photo."""

    frame: Box
    unit: Annotated[float, "px of the photo to a CSS px on a phone"]
    letters: Annotated[
        dict[str, str], "for the colours of dice, where hues alone would tell them apart"
    ]
    dice: list[Tag | None]
    tiles: list[Tag | None]
    perhaps: list[Tag | None]


@dataclass(frozen=True, slots=True)
class PrintedCell:
    """A cell of the board that lies there."""

    cell: Annotated[list[Any], "its name, as readings use it: ['red', 0, 3]"]
    quad: Annotated[list[Point], "its corners"]


@dataclass(frozen=True, slots=True)
class SightingView:
    """What was read on a photo, and how to show it."""

    sighting: str
    photo: Annotated[str, "address of the upright photo, without metadata"]
    width: int
    height: int
    views: Annotated[
        list[PhotoView],
        "ways to show the photo: the part with the pieces, and the whole if that is more; each"
        " with places for tags that cover no other piece",
    ]
    cells: Annotated[list[PrintedCell], "of a sheet or a track that was found, in order"]
    reading: Reading


# ---------------------------------------------------------------- moves in words


@dataclass(frozen=True, slots=True)
class SpokenView:
    """A move with its sentence."""

    words: str
    move: MoveView


@dataclass(frozen=True, slots=True)
class Moves:
    """The legal moves."""

    seq: int
    all: Annotated[bool, "false: there are more moves than were looked at"]
    moves: list[SpokenView]


@dataclass(frozen=True, slots=True)
class Sentence:
    """How far a sentence has come."""

    seq: int
    all: Annotated[bool, "false: there are more moves than were looked at"]
    said: Annotated[list[str], "with the words that could only follow"]
    following: Annotated[list[str], "the words that are possible next"]
    left: Annotated[int, "how many moves are still possible"]
    move: Annotated[MoveView | None, "the move whose whole sentence was said"]
    moves: Annotated[list[SpokenView], "what is left, once that is few"]


# ---------------------------------------------------------------- what a table would mean


@dataclass(frozen=True, slots=True)
class DoubtView:
    """What a person should look at again."""

    sentence: str
    piece: Annotated[list[Any] | None, "kind and place: ['dice', 4]"]
    taken: Annotated[list[Any] | None, "what a die counts for that looks otherwise: ['red', 4]"]


@dataclass(frozen=True, slots=True)
class DifferenceView:
    """What the rules forbid on the table as it was read."""

    sentence: str
    piece: Annotated[list[Any] | None, "kind and place: ['dice', 4]"]
    rule: str


@dataclass(frozen=True, slots=True)
class PreviewView:
    """What confirming the proposal would lead to."""

    text: list[str]
    score: Seats
    because: list[PartView]


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A move that would explain the table in the place of a step."""

    question: str
    step: int
    move: MoveView


@dataclass(frozen=True, slots=True)
class OvertakenView:
    """The step of another phone that was first."""

    step: int
    text: list[str]


@dataclass(frozen=True, slots=True)
class ProposalView:
    """What a table would mean."""

    moves: list[MoveView]
    doubts: list[DoubtView]
    differences: list[DifferenceView]
    preview: PreviewView | None
    questions: Annotated[
        list[QuestionView], "moves that would explain the table in the place of a step: `instead`"
    ]
    overtaken: Annotated[
        OvertakenView | None,
        "the step of another phone that ended what was looked at; the proposal is judged as"
        " before it",
    ]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A place in the queue."""

    job: str
    place: Annotated[int, "in the queue, 1 for the next; 0: it is being read"]


@dataclass(frozen=True, slots=True)
class TaughtView:
    """What was learned of a family's dice."""

    pieces: str
    faces: Annotated[int, "that were learned, on up to two photos"]
    says: Annotated[str, "how photos of this match are read from now on"]


@dataclass(frozen=True, slots=True)
class TaughtBoardView:
    """A match's own board that was learned."""

    board: str
    cells: Annotated[int, "that it has"]
    says: Annotated[str, "on which board photos of this match are read from now on"]


# ---------------------------------------------------------------- advice


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """What may be done now, and what it is worth."""

    move: Annotated[MoveView, "without what only the dice will tell"]
    value: Annotated[float, "higher for the better choice; what it measures is said in why"]
    why: str


@dataclass(frozen=True, slots=True)
class AdviceView:
    """What would be best."""

    advice: Annotated[list[ChoiceView], "the best first"]


# ---------------------------------------------------------------- a table that is watched


@dataclass(frozen=True, slots=True)
class OutlineView:
    """A piece as the last frame shows it."""

    quad: list[Point]
    state: Annotated[str, "still, moving, hand (one is over it), doubt or leaning"]


@dataclass(frozen=True, slots=True)
class WatchView:
    """How a camera watches a match."""

    watch: Annotated[str | None, "the camera's id; null: none watches"]
    camera: Annotated[str | None, "page or server"]
    says: Annotated[str, "what is waited for, or what is due, in a sentence"]
    waiting: Annotated[str, "empty once all lies still, else moving, hand, doubt or leaning"]
    width: Annotated[int, "px of the frame"]
    height: int
    pieces: list[OutlineView]
    next_ms: Annotated[int, "after which the next frame is wanted"]
    seq: int
    asked: Annotated[int, "changes whenever what is asked about a roll does"]
    over: bool
