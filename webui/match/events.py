"""The public events of a match, made from its stored steps.

All feeds (streams, webhooks, MQTT) send these events. Their sentences are in English.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from scorer import Result, load_move, named
from scorer.evening.standing import standing
from scorer.evening.state import names_of
from scorer.evening.steps import (
    ChangeChairs,
    Concede,
    ConcedeMatch,
    EndMatch,
    JoinTable,
    LeaveTable,
    PlayOn,
    Rename,
    Reseat,
)
from scorer.values import dump
from webui.match.match import Match, load, state_after
from webui.match.points import points_after
from webui.store.log import Store
from webui.store.rows import Event

FORMAT = 1
AT_ONCE = 50  # events in a batch
# fmt: off
EventKind = Literal[
    "move", "undo", "redo", "note",
    "leave", "concede", "join", "end", "rename", "reseat", "chairs", "play_on",
    "test",
]
# fmt: on
BESIDE: dict[str, EventKind] = {  # the steps beside a game's moves
    LeaveTable.__name__: "leave",
    Concede.__name__: "concede",
    ConcedeMatch.__name__: "concede",
    JoinTable.__name__: "join",
    EndMatch.__name__: "end",
    Rename.__name__: "rename",
    Reseat.__name__: "reseat",
    ChangeChairs.__name__: "chairs",
    PlayOn.__name__: "play_on",
}


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended."""

    winners: list[int]
    won: Annotated[list[int], "seats that have won; [] where it is a draw, or ended early"]
    why: str
    draw: Annotated[bool, "nobody has won; `winners` are level"]
    early: Annotated[bool, "nobody has won; `winners` led when it was ended"]


@dataclass(frozen=True, slots=True)
class MatchEvent:
    """What happened at a match: written once, never changed. Seats are counted from 0."""

    format: Annotated[int, "1; names in it stay, new ones may come"]
    match: Annotated[str, "names the match, as its `public` does: with it nobody can play"]
    game: str
    title: Annotated[str, "of the game, or the name that its players gave it"]
    seq: Annotated[int, "1, 2, 3, … in each match"]
    at: Annotated[str, ("format", "date-time"), "UTC"]
    kind: Annotated[
        EventKind,
        "a correction is an `undo` of each step that it changes, and the steps again; `test`: the"
        " host tries a webhook, nothing happened",
    ]
    by: Annotated[int | None, "the seat that confirmed it, where it is known"]
    who: Annotated[str | None, "what that player is called"]
    text: Annotated[list[str], "each move in words, in English"]
    moves: Annotated[list[dict[str, Any]], "as they were sent and stored; [] of what is no step"]
    step: Annotated[int | None, "that an `undo` took back, a `redo` put back, a `note` is on"]
    note: Annotated[str | None, 'what is noted; "": no longer anything']
    photo: Annotated[str | None, "the name of its photo"]
    players: Annotated[list[str], "what everybody is called then, seat by seat"]
    score: Annotated[list[int], "then, seat by seat"]
    earned: Annotated[list[int], "of the score what is earned so far, as the pages show it"]
    to_move: Annotated[list[int], "seats; [] once it is over"]
    leading: Annotated[list[int], "seats: who leads by what is earned, or has won"]
    over: Annotated[bool | None, "null: the rules of the match are not here"]
    result: Annotated[MatchResult | None, "once it is over"]

    def to_json(self) -> str:
        """Return the JSON that is sent."""
        return json.dumps(dump(self), ensure_ascii=False, separators=(",", ":"))


def events_after(store: Store, match_id: str, after: int) -> Sequence[MatchEvent]:
    """Return the events after event *after*, at most AT_ONCE of them; raises NotFound."""
    match = load(store, match_id)
    states = _States(store, match)
    last = min(after + AT_ONCE, match.seq)
    return [_told(match, one, states.after(one)) for one in store.events(match_id, after, last)]


def written_after(store: Store, match_id: str, after: int) -> list[tuple[int, str]]:
    """Return the numbers and the JSON of the next events after *after*."""
    return [(one.seq, one.to_json()) for one in events_after(store, match_id, after)]


def try_out(store: Store, match_id: str, at: str) -> MatchEvent:
    """Return a test event, in which nothing happens, *at* a time; raises NotFound."""
    match = load(store, match_id)
    score, earned = points_after(match, match.last)
    nothing = Event(None, (), score, earned=earned, seq=match.seq, at=at, step=match.seq)
    return replace(_told(match, nothing, match.state), kind="test", step=None)


class _States:
    """The states after successive events, each made from the one before if possible."""

    def __init__(self, store: Store, match: Match) -> None:
        self._store, self._match, self._kept = store, match, dict[int, Any]()

    def after(self, event: Event) -> Any:
        """Return the state after *event*; None if the rules are not installed."""
        match, game = self._match, self._match.game
        if match.closed is not None or game is None:
            return None
        head = match.tree.head(event.seq)
        if head not in self._kept:
            state = self._kept.get(match.tree.below(head)) if head == event.seq else None
            if state is None:
                state = state_after(self._store, match, head)
            else:
                for move in event.moves or ():
                    state = game.apply(state, load_move(game, move))
            self._kept[head] = state
        return self._kept[head]


def _told(match: Match, event: Event, state: Any) -> MatchEvent:
    stands = standing(match.game, state) if match.game and state is not None else None
    names = match.names if state is None else names_of(state, match.row.names)
    return MatchEvent(
        format=FORMAT,
        match=match.row.public,
        game=match.row.game,
        title=str(match.title),
        seq=event.seq,
        at=event.at,
        kind=_kind(event),
        by=event.by,
        who=None if event.by is None else names[event.by],
        text=[str(text) for text in event.text],
        moves=[dict(move) for move in event.moves or ()],
        step=match.tree.head_before(event.seq) if event.kind == "undo" else event.step,
        note=event.note,
        photo=event.photo,
        players=list(names),
        score=list(event.score),
        earned=list(event.earned),
        to_move=list(stands.to_move) if stands else [],
        leading=list(stands.leading) if stands else [],
        over=stands.over if stands else None,
        result=outcome(stands.result, names) if stands and stands.result else None,
    )


def outcome(result: Result, names: Sequence[str]) -> MatchResult:
    """Return how a match ended, with the players' names."""
    who = list(result.winners), list(result.won)
    return MatchResult(*who, named(result.why, names), result.draw, result.early)


def _kind(event: Event) -> EventKind:
    if event.kind != "step":
        return event.kind
    kinds = {BESIDE.get(str(move.get("move")), "move") for move in event.moves or ()}
    return kinds.pop() if len(kinds) == 1 else "move"
