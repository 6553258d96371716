"""A match: the replay of its log. Load it, play on, take steps back, ask what a table would mean.

Names of people are put into the sentences of the rules here, so nothing outside speaks of seats.
"""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorer import (
    Because,
    Equipment,
    Game,
    Illegal,
    NotAMove,
    Proposal,
    Table,
    dump_move,
    load_move,
    named,
    settle,
)
from scorer.games import GAMES
from scorer.recording import Recording, record
from scorer.values import dump
from webui.refusal import Closed, NothingToUndo, Refusal
from webui.store import Draft, Event, Row, Store, check_after

log = logging.getLogger(__name__)

NAME_LENGTH = 24
JOINERS = "\u200c\u200d"  # within Persian words and within emoji; alone they show nothing
HIDDEN = {"Cc", "Cf", "Cs"}  # Unicode's categories: control, format, half a surrogate pair


@dataclass(frozen=True, slots=True)
class Step:
    """An event in its place: whether it still stands, and which event it took back."""

    event: Event
    standing: bool
    undo_of: int | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """A match now. `closed` says why it takes no moves under the rules that are here."""

    row: Row
    steps: tuple[Step, ...]
    photos: Mapping[str, str]  # sighting -> SHA-256 of its photo
    game: Game[Any, Any] | None
    state: Any
    closed: str | None = None

    @property
    def seq(self) -> int:
        """Return the number of the last event, 0 before the first."""
        return len(self.steps)

    @property
    def standing(self) -> tuple[Event, ...]:
        """Return the events that have not been taken back."""
        return tuple(step.event for step in self.steps if step.standing)

    def rules(self) -> Game[Any, Any]:
        """Return the game; raises Closed if the match takes no moves."""
        if self.game is None or self.closed is not None:
            raise Closed(self.closed or "")
        return self.game


@dataclass(frozen=True, slots=True)
class Preview:
    """What confirming a proposal would lead to."""

    text: tuple[str, ...]  # of each move
    score: tuple[int, ...]
    because: tuple[Because, ...]


# ---------------------------------------------------------------- making and loading


def create(
    store: Store,
    game: str,
    names: Sequence[object],
    settings: Mapping[str, object],
    opening: Sequence[object] = (),
) -> Match:
    """Make a match, the moves agreed beforehand played; raises NotAMove or Illegal."""
    rules = GAMES.get(game)
    if rules is None:
        raise NotAMove(f"There is no game {game!r} here; there are {', '.join(GAMES)}.")
    people = check_names(names)
    house = dump(settle(rules.settings, settings))
    state = rules.start(len(people), house)
    first = []
    if opening:
        moves = tuple(load_move(rules, move) for move in opening)
        first = [_draft(rules, state, moves, people)[0]]
    return load(store, store.create(game, rules.version, house, people, first).id)


def again(store: Store, match: str) -> Match:
    """Return the rematch of *match*: made now, or the one that another phone has made."""
    row = store.match(match)
    rules = GAMES.get(row.game)
    if rules is None:
        raise NotAMove(f"There is no game {row.game!r} here; there are {', '.join(GAMES)}.")
    house = dump(settle(rules.settings, row.settings))
    made = store.create(row.game, rules.version, house, row.names, rematch_of=match)
    return load(store, made.id)


def restore(store: Store, recorded: Recording) -> Match:
    """Make a match of a recording, each move an event of its own; raises NotAMove on a name."""
    names = recorded.names or [f"Player {seat}" for seat in range(1, recorded.seats + 1)]
    rules, people = GAMES[recorded.game], check_names(names)
    house = dump(settle(rules.settings, recorded.settings))
    state, drafts = rules.start(len(people), house), []
    for move in recorded.moves:
        draft, state = _draft(rules, state, [move], people)
        drafts.append(draft)
    return load(store, store.create(rules.name, rules.version, house, people, drafts).id)


def recorded(match: Match) -> Recording:
    """Return what stands of *match* as a recording; raises Closed if its rules are not here."""
    game, row = match.rules(), match.row
    moves = [load_move(game, move) for event in match.standing for move in event.moves or ()]
    return record(game, len(row.names), row.settings, moves, row.names)


def check_names(names: Sequence[object]) -> tuple[str, ...]:
    """Return the names trimmed; raises NotAMove on one that cannot stand on a tally."""
    checked: list[str] = []
    for place, name in enumerate(names, start=1):
        if not isinstance(name, str):
            raise NotAMove(f"The name of player {place} is a text.")
        plain = " ".join(unicodedata.normalize("NFC", name).split())
        if not plain.strip(JOINERS):
            raise NotAMove(f"Player {place} needs a name.")
        if len(plain) > NAME_LENGTH:
            raise NotAMove(f"The name of player {place} has more than {NAME_LENGTH} letters.")
        if any(unicodedata.category(letter) in HIDDEN for letter in plain if letter not in JOINERS):
            raise NotAMove(f"The name of player {place} holds a character that cannot be shown.")
        if plain.casefold() in (other.casefold() for other in checked):
            raise NotAMove(f"Two players are called {plain}; give one of them another name.")
        checked.append(plain)
    return tuple(checked)


def load(store: Store, match: str) -> Match:
    """Return the match as its log tells it; raises Unknown."""
    row = store.match(match)
    steps = _steps(store.events(match))
    game = GAMES.get(row.game)
    state, closed = _replayed(row, steps, game)
    return Match(row, steps, store.photos_of(match), game, state, closed)


def _steps(events: Sequence[Event]) -> tuple[Step, ...]:
    """Pair each event that takes back with the one it took back."""
    standing: list[int] = []
    undone: dict[int, int] = {}
    for event in events:
        if event.moves is not None:
            standing.append(event.seq)
        else:
            undone[event.seq] = standing.pop()
    return tuple(Step(e, e.seq in standing, undone.get(e.seq)) for e in events)


def _replayed(
    row: Row, steps: Sequence[Step], game: Game[Any, Any] | None
) -> tuple[Any, str | None]:
    """Return the state, or None and why: nothing stored is lost when rules change."""
    keep = "The tally stays as it was; start a new match to play on."
    if game is None:
        return None, f"The game {row.game} is not installed here. {keep}"
    if game.version != row.version:
        was = f"This match was played under version {row.version} of the rules of {game.title}"
        return None, f"{was}, and version {game.version} is installed. {keep}"
    try:
        state = game.start(len(row.names), row.settings)
        for step in steps:
            if step.standing:
                for move in step.event.moves or ():
                    state = game.apply(state, load_move(game, move))
    except (Illegal, NotAMove) as fault:
        log.exception("match %s does not replay", row.id)
        return None, f"The rules installed here do not allow this match: {fault}. {keep}"
    return state, None


# ---------------------------------------------------------------- playing on


def play(
    store: Store,
    match: str,
    after: int,
    moves: Sequence[object],
    *,
    by: int | None = None,
    sighting: str | None = None,
    request: str | None = None,
) -> Match:
    """Store *moves* as one event that follows the event *after*, and return the match then.

    All moves or none. A *request* that was stored before is answered again, not stored again.

    Raises:
        Stale: another phone moved since.
        Illegal, NotAMove: the moves are not to be made.
        Unknown: there is no such match, or the match has no such sighting.
    """
    now = load(store, match)
    game = now.rules()
    if not moves:
        raise NotAMove("There is no move to store; send at least one.")
    read = tuple(load_move(game, move) for move in moves)
    who = _seat(now, by)
    if sighting is not None:
        store.sighting(match, sighting)
    asked = Draft(tuple(map(dump_move, read)), (), (), who, sighting, request)
    if store.repeated(match, asked):
        return load(store, match)
    check_after(after, now.seq)
    draft, _ = _draft(game, now.state, read, now.row.names)
    store.append(match, after, [replace(asked, text=draft.text, score=draft.score)])
    return load(store, match)


def undo(
    store: Store,
    match: str,
    after: int,
    *,
    to: int | None = None,
    by: int | None = None,
    request: str | None = None,
) -> Match:
    """Take back the last step that stands, or every step after the step *to* (0: all of them).

    Raises:
        Stale: another phone moved since.
        NothingToUndo: no step stands, or *to* is not one that stands.
    """
    now = load(store, match)
    now.rules()
    who = _seat(now, by)
    if store.repeated(match, Draft(None, (), (), request=request)):
        return load(store, match)
    check_after(after, now.seq)
    taken = list(enumerate(now.standing))[_left(now.standing, to) :]
    drafts = [
        Draft(None, (f"step {event.seq} taken back",), _score_after(now, place), who)
        for place, event in reversed(taken)
    ]
    drafts[0] = replace(drafts[0], request=request)
    store.append(match, after, drafts)
    return load(store, match)


def _left(standing: Sequence[Event], to: int | None) -> int:
    """Return how many of the *standing* events an undo leaves; raises NothingToUndo."""
    if not standing:
        raise NothingToUndo("There is no step to take back.")
    if to is None:
        return len(standing) - 1
    if to and to not in (event.seq for event in standing):
        raise NothingToUndo(f"Step {to} does not stand; choose one that does.")
    left = sum(event.seq <= to for event in standing)
    if left == len(standing):
        raise NothingToUndo(f"Step {to} is the last one; there is nothing after it to take back.")
    return left


def _seat(match: Match, by: int | None) -> int | None:
    if by is not None and by not in range(len(match.row.names)):
        raise Refusal(f"There is no seat {by} in this match; the first is 0.")
    return by


def _score_after(match: Match, steps: int) -> tuple[int, ...]:
    """Return the score after the first *steps* events that stand."""
    return match.standing[steps - 1].score if steps else start_score(match)


def start_score(match: Match) -> tuple[int, ...]:
    """Return the score before the first event; () where the rules of the match are not here."""
    if match.game is None or match.closed is not None:
        return ()
    return match.game.score(match.game.start(len(match.row.names), match.row.settings))


def _draft(
    game: Game[Any, Any], state: Any, moves: Sequence[Any], names: Sequence[str]
) -> tuple[Draft, Any]:
    """Return the event of *moves* made in *state*, and the state after them."""
    text = []
    for move in moves:
        try:
            after = game.apply(state, move)
        except Illegal as fault:
            raise Illegal(fault.move, named(fault.reason, names), fault.rule) from None
        text.append(named(game.describe(state, move), names))
        state = after
    return Draft(tuple(map(dump_move, moves)), tuple(text), game.score(state)), state


# ---------------------------------------------------------------- what a table would mean


def equipment(match: Match) -> Equipment:
    """Return what the camera should look for now."""
    return match.rules().equipment(match.state)


def propose(match: Match, table: Table) -> tuple[Proposal, Preview | None]:
    """Return what *table* means now and what confirming it would lead to; nothing is stored."""
    game = match.rules()
    proposal = game.observe(match.state, table)
    if proposal.differences or not proposal.moves:
        return proposal, None
    draft, state = _draft(game, match.state, proposal.moves, match.row.names)
    return proposal, Preview(draft.text, game.score(state), game.explain(state))
