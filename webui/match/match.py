"""A match is the replay of its log: create it, load it, store moves.

Players' names are inserted into the sentences of the rules here; other modules get finished text.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from typing import Any

from scorer import (
    Because,
    Equipment,
    Game,
    Illegal,
    NotAMove,
    check_seats,
    dump_move,
    load_move,
    named,
    rulebook,
    settle,
)
from scorer.evening.standing import Standing, standing
from scorer.evening.state import names_of, overrides_of
from scorer.evening.steps import JoinTable, PlayOn, Rename
from scorer.evening.words import because
from scorer.games import GAMES, title_of
from scorer.messages import Message, _, raw
from scorer.recording import Recording, record
from scorer.sentence import Spoken, speak
from scorer.values import dump
from scorer.words import tidy
from webui.errors import Closed, NotFound, RequestError
from webui.languages import language
from webui.match.player_names import check_names, check_note, with_unnamed
from webui.match.seats import check_moves, stood_still
from webui.store.log import Store, check_after
from webui.store.replay import Replay, UndoTree
from webui.store.rows import Draft, Event, MatchRow
from webui.store.tables.phones import EVERYBODY, Access

SeatPoints = tuple[int, ...]  # of each seat


@dataclass(frozen=True, slots=True)
class LoggedStep:
    """An event with its status: whether it is undone, and which step it refers to if it is none."""

    event: Event
    standing: bool
    undo_of: int | None = None
    redo_of: tuple[int, ...] = ()  # oldest first
    note_on: int | None = None
    note: str = ""  # the newest note on this step


@dataclass(frozen=True, slots=True)
class Match:
    """The current match. `closed` is the reason why it takes no moves under the installed rules."""

    row: MatchRow
    seq: int  # of the last event, 0 before the first
    steps: tuple[LoggedStep, ...]  # the newest ones
    last: Event | None  # the newest event that is not undone
    game: Game[Any, Any] | None
    state: Any
    closed: str | None = None
    tree: UndoTree = field(default_factory=UndoTree, compare=False, repr=False)
    memo: dict[str, tuple[Any, ...]] = field(default_factory=dict, compare=False, repr=False)
    earned: Sequence[SeatPoints] = field(default=(), compare=False, repr=False)  # by event
    notes: Mapping[int, str] = field(default_factory=dict, compare=False, repr=False)  # by step

    @property
    def names(self) -> tuple[str, ...]:
        """Return the players' current names."""
        names = names_of(self.state, self.row.names)
        count = len(self.last.score) if self.closed and self.last else len(names)
        return with_unnamed(names, count)

    @property
    def title(self) -> Message:
        """Return the title of the game, or the name that the players gave it."""
        return title_of(self.row.game, self.row.settings)

    @property
    def overridden(self) -> tuple[str, ...]:
        """Return the rules that the players overrode by accepting a table."""
        return tuple(override.rule for override in overrides_of(self.state))

    def rules(self) -> Game[Any, Any]:
        """Return the game; raises Closed if the match takes no moves."""
        if self.game is None or self.closed is not None:
            raise Closed(self.closed or "")
        return self.game

    def standing(self) -> Standing | None:
        """Return the standing; None if the match takes no moves."""
        if self.game is None or self.closed is not None:
            return None
        if "standing" not in self.memo:
            self.memo["standing"] = (standing(self.game, self.state),)
        found: Standing = self.memo["standing"][0]
        return found

    def because(self) -> tuple[Because, ...]:
        """Return the explanation of the score; raises Closed."""
        if "because" not in self.memo:
            self.memo["because"] = because(self.rules(), self.state, self.row.names)
        return self.memo["because"]

    def because_earned(self) -> tuple[Because, ...]:
        """Return the explanation of the points earned so far; raises Closed."""
        return tuple(entry for entry in self.because() if not entry.if_ended)

    def spoken(self) -> tuple[Spoken, ...]:
        """Return the legal moves in words, as `speak` does; raises Closed."""
        key = f"spoken {language()}"
        if key not in self.memo:
            self.memo[key] = speak(self.rules(), self.state, self.names, language())
        return self.memo[key]


# ---------------------------------------------------------------- making and loading


def game_called(name: str) -> Game[Any, Any]:
    """Return the game of that name; raises NotAMove."""
    if name not in GAMES:
        raise NotAMove(
            _(
                "There is no game {game} here; there are {names}.",
                game=raw(repr(name)),
                names=raw(", ".join(GAMES)),
            )
        )
    return GAMES[name]


def create(
    store: Store,
    game: str,
    names: Sequence[object],
    settings: Mapping[str, object],
    opening: Sequence[object] = (),
) -> Match:
    """Create a match and store its opening moves; raises NotAMove or Illegal."""
    rules, people, house, state = begun(game, names, settings)
    first = []
    if opening:
        first = [draft_of(rules, state, load_moves(rules, opening), people)[0]]
    return load(store, store.create(game, rules.version, house, people, first).id)


def begun(
    game: str, names: Sequence[object], settings: Mapping[str, object]
) -> tuple[Game[Any, Any], tuple[str, ...], dict[str, Any], Any]:
    """Return a new match's rules, names, house rules and first state; raises NotAMove."""
    rules = game_called(game)
    check_seats(rules.title, rules.seats, len(names))  # before anything slow
    people = check_names(names)
    house: dict[str, Any] = dump(settle(rules.settings, settings))
    if (seat := house.get("coach_plays", 0)) > len(people):
        raise NotAMove(
            _(
                "The coach cannot play for player {seat}: there are {players}.",
                seat=seat,
                players=len(people),
            )
        )
    return rules, people, house, rules.start(len(people), house)


def restore(store: Store, recorded: Recording) -> Match:
    """Create a match from a recording, an event for each move; raises NotAMove on a name."""
    names = with_unnamed(recorded.names, recorded.seats)
    rules, people, house, state = begun(recorded.game, names, recorded.settings)
    drafts = []
    for place, move in enumerate(recorded.moves):
        draft, state = draft_of(rules, state, [tidied(move)], people)
        note = recorded.notes.get(place)
        drafts.append(draft if note is None else replace(draft, note=check_note(note)))
    row = store.create(rules.name, rules.version, house, people, drafts)
    replay = store.replays.of(row.id)
    events = [
        Event(one.moves, one.text, one.score, earned=one.earned, note=one.note, seq=seq, at=at)
        for at in [row.created_at]
        for seq, one in enumerate(drafts, start=1)
    ]
    with replay.lock:  # the cache has it: it is neither read nor replayed
        replay.begin(row, rules, {len(drafts): state})
        replay.catch_up(row, rules, lambda _after, _upto: events)
    return load(store, row.id)


def recorded(store: Store, match: Match) -> Recording:
    """Return *match* as a recording, without undone steps; raises Closed."""
    game, row = match.rules(), match.row
    stands = set(match.tree.standing(match.seq))
    events = store.events(row.id, upto=match.seq)
    moves, notes = list[Any](), dict[int, str]()
    for event in events:
        if event.seq in stands:
            moves += [load_move(game, move) for move in event.moves or ()]
            if note := match.notes.get(event.seq):
                notes[len(moves) - 1] = note
    return replace(record(game, len(row.names), row.settings, moves, row.names), notes=notes)


def load(store: Store, match_id: str) -> Match:
    """Load a match by replaying its log; raises NotFound."""
    row = store.match(match_id)
    replay = store.replays.of(match_id)
    with replay.lock:
        replay.catch_up(row, GAMES.get(row.game), partial(store.events, match_id))
        return _now(store, row, replay)


def _now(store: Store, row: MatchRow, replay: Replay) -> Match:
    """Return the match at the replayed position."""
    seq, newest = replay.tree.seq, tuple(replay.newest)
    head = replay.tree.head(seq)
    last = next((event for event in newest if event.seq == head), None)
    if head and last is None:
        (last,) = store.events(row.id, head - 1, head)
    steps = _steps(newest, replay.tree, seq, replay.notes)
    played = row, seq, steps, last, replay.game, replay.state, replay.closed
    return Match(*played, replay.tree, replay.memo, replay.earned, replay.notes)


def state_after(store: Store, match: Match, seq: int) -> Any:
    """Return the state after step *seq*, which is not undone; 0 for the start; raises Closed."""
    match.rules()
    replay = store.replays.of(match.row.id)
    with replay.lock:
        fetch = partial(store.events, match.row.id)
        replay.catch_up(match.row, match.game, fetch)
        return replay.state_after(seq, fetch)


def standing_from(store: Store, match: Match, step: int) -> tuple[Event, ...]:
    """Return the events from *step* on that are not undone, oldest first."""
    return tuple(one.event for one in _since(store, match, step) if one.standing)


def _since(store: Store, match: Match, step: int) -> tuple[LoggedStep, ...]:
    if match.steps and match.steps[0].event.seq <= step:
        return tuple(one for one in match.steps if one.event.seq >= step)
    return _placed(match, store.events(match.row.id, max(step - 1, 0), match.seq))


def find(store: Store, name: str) -> str:
    """Return the id of a match by its id or its code; raises NotFound."""
    with suppress(NotFound):
        return store.match(name).id
    with suppress(NotFound):
        return store.find(name)
    missing = _("There is no match {name}. List them with: pipsight matches", name=raw(repr(name)))
    raise NotFound(missing)


def history(store: Store, match: Match, before: int, most: int) -> tuple[LoggedStep, ...]:
    """Return up to *most* + 1 steps of *match* before event *before*, oldest first."""
    last = min(max(before, 1) - 1, match.seq)
    return _placed(match, store.events(match.row.id, max(last - most - 1, 0), last))


def _placed(match: Match, events: Sequence[Event]) -> tuple[LoggedStep, ...]:
    return _steps(events, match.tree, match.seq, match.notes)


def _steps(
    events: Sequence[Event], tree: UndoTree, seq: int, notes: Mapping[int, str]
) -> tuple[LoggedStep, ...]:
    """Return *events* with their status after event *seq*."""
    first = events[0].seq if events else seq + 1
    stands = set(takewhile(lambda standing: standing >= first, tree.standing(seq)))
    return tuple(_logged(event, event.seq in stands, tree, notes) for event in events)


def _logged(event: Event, stands: bool, tree: UndoTree, notes: Mapping[int, str]) -> LoggedStep:
    seq, kind = event.seq, event.kind
    return LoggedStep(
        event,
        stands,
        undo_of=tree.head_before(seq) if kind == "undo" else None,
        redo_of=tuple(tree.moved(tree.head_before(seq), tree.head(seq))[1])
        if kind == "redo"
        else (),
        note_on=event.step if kind == "note" else None,
        note=notes.get(seq, ""),
    )


# ---------------------------------------------------------------- playing on


def play(
    store: Store,
    match_id: str,
    after: int,
    moves: Sequence[object],
    *,
    by: int | None = None,
    sighting: str | None = None,
    request: str | None = None,
    access: Access = EVERYBODY,
) -> Match:
    """Store *moves* as one event that follows event *after*; return the new match.

    All moves or none. *request* is an idempotency key: repeated, it returns the first result.

    Raises:
        Stale: another phone moved since.
        Illegal, NotAMove: the moves are not possible.
        NotAllowed: a seat is locked to a phone other than the one with this *access*.
        NotFound: there is no such match, or the match has no such sighting.
    """
    match = load(store, match_id)
    game = match.rules()
    if not moves:
        raise NotAMove(_("There is no move to store; send at least one."))
    read = load_moves(game, moves)
    who = check_seat(match, by)
    if sighting is not None:
        store.sighting(match_id, sighting)
    asked = Draft(tuple(map(dump_move, read)), (), (), who, sighting, request)
    if store.repeated(match_id, asked):
        return load(store, match_id)
    check_after(after := _as_of(store, match, after, read), match.seq)
    check_moves(access, game, match.state, read, match.names)
    draft = draft_of(game, match.state, read, match.row.names)[0]
    store.append(match_id, after, [replace(draft, by=who, sighting=sighting, request=request)])
    return load(store, match_id)


def _as_of(store: Store, match: Match, after: int, moves: Sequence[Any]) -> int:
    """Return *after*, or the newest event if nothing has happened at the moves' tables since."""
    head = match.tree.head(after) if 0 <= after < match.seq else -1
    stands = head in (0, *match.tree.standing(match.seq))
    still = stands and stood_still(state_after(store, match, head), match.state, moves)
    return match.seq if still else after


def check_seat(match: Match, by: int | None) -> int | None:
    """Return the confirming seat, or None if it is unknown; raises RequestError."""
    if by is not None and by not in range(len(match.names)):
        raise RequestError(_("There is no seat {number} in this match; the first is 0.", number=by))
    return by


def load_moves(game: Game[Any, Any], moves: Sequence[object]) -> tuple[Any, ...]:
    """Return moves that were sent, as they are stored; raises Malformed."""
    return tuple(_as_stored(load_move(game, move)) for move in moves)


def _as_stored(move: Any) -> Any:
    if isinstance(move, PlayOn):
        return replace(move, rule=rulebook.rule(move.rule).name)
    return tidied(move)


def tidied(move: Any) -> Any:
    """Return a move with its name normalised as names are stored."""
    names = isinstance(move, JoinTable | Rename)
    return replace(move, name=tidy(move.name)) if names else move


def draft_of(
    game: Game[Any, Any], state: Any, moves: Sequence[Any], names: Sequence[str]
) -> tuple[Draft, Any]:
    """Return the event of *moves* made in *state*, and the state after them.

    *names* are those at the start of the match. Raises Illegal, Malformed on a name.
    """
    text = list[str]()
    begun = called = names_of(state, names)
    for move in moves:
        try:
            after = game.apply(state, move)
        except Illegal as fault:
            raise Illegal(fault.move, named(fault.reason, called), fault.rule) from None
        text.append(named(game.describe(state, move), called))
        state, before = after, called
        if (called := names_of(state, names)) != before:
            check_names(called)
    stored, score = tuple(map(dump_move, moves)), game.score(state)
    new = called if called != begun else ()
    return Draft(stored, tuple(text), score, earned=game.earned(state), players=new), state


# ---------------------------------------------------------------- what a table would mean


def equipment(match: Match) -> Equipment:
    """Return the pieces and surfaces that the camera should look for now."""
    return match.rules().equipment(match.state)
