"""A match as last shown at a terminal: its state, what can be typed, and its changes."""

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any

import sqlalchemy as sa

from scorer import Illegal, Malformed, dump_move, named
from scorer.evening.standing import Standing, standing
from scorer.evening.state import names_of
from scorer.games import GAMES
from scorer.messages import ENGLISH, Message, _, as_message, raw, translated
from scorer.sentence import Spoken, listable, speak
from webui.errors import RequestError
from webui.match import match as matches
from webui.match.advice import coach_seat, seat_now
from webui.match.match import Match
from webui.match.summary import sentence, standings
from webui.store.log import Store
from webui.store.rows import Event
from webui.terminal.commands_typed import many
from webui.terminal.matches import New

Say = Callable[[str], None]
SHORT = 24  # letters of a note that stands in the line of the points


class TypedMatch:
    """A match, stored or new, as last shown to the person at the terminal.

    *coached*: the game's coach plays the last seat, regardless of the match's settings. *language*
    is that of the sentences.
    """

    def __init__(
        self,
        store: Store,
        begun: New | Match,
        say: Say,
        *,
        coached: bool = False,
        language: str = ENGLISH,
    ) -> None:
        self.store, self.begun, self.language = store, begun, language
        self.say: Say = lambda text: say(translated(text, language))
        if isinstance(begun, New):
            self.game, self.named, self.settings = GAMES[begun.game], begun.names, begun.settings
        else:
            row = begun.row
            self.game, self.named, self.settings = begun.rules(), row.names, row.settings
        self.agreed_coach = coach_seat(self.settings)
        self.coached = len(self.named) - 1 if coached else self.agreed_coach

    @property
    def match(self) -> Match | None:
        """Return the match that was shown, None before its first move."""
        return None if isinstance(self.begun, New) else self.begun

    @property
    def state(self) -> Any:
        """Return the state that was shown."""
        if isinstance(self.begun, New):
            return self.game.start(len(self.named), self.begun.settings)
        return self.begun.state

    @property
    def names(self) -> Sequence[str]:
        """Return the players' current names; `named` are the first ones."""
        return names_of(self.state, self.named)

    @property
    def coach(self) -> int | None:
        """Return the coach's current seat; `coached` is its first one."""
        return seat_now(self.state, len(self.named), self.coached)

    def standing(self) -> Standing:
        """Return the standing."""
        return (self.match and self.match.standing()) or standing(self.game, self.state)

    def words(self, text: str) -> str:
        """Return a sentence of the rules with the players' names, in the session's language."""
        return translated(named(text, self.names), self.language)

    # ------------------------------------------------------------ what can be typed

    def spoken(self) -> Sequence[Spoken]:
        """Return the legal moves as sentences."""
        if self.match is not None and self.language == ENGLISH:
            return self.match.spoken()
        return speak(self.game, self.state, self.names, self.language)

    def listed(self) -> Sequence[Spoken]:
        """Return the moves that can be listed: a roll of many dice is typed as dice."""
        return listable(self.spoken())

    def many(self) -> str:
        """Explain how to type moves that cannot be listed, "" if all can."""
        listed, spoken = self.listed(), self.spoken()
        if len(listed) == len(spoken):
            return ""
        apart = set(map(id, listed))
        rolls = [phrase.text for phrase in spoken if id(phrase) not in apart]
        return self.words(many(max(rolls, key=lambda text: len(set(text)))))  # unlike dice

    def unlisted(self) -> Sequence[str]:
        """Explain how to type a roll of many dice, or a number."""
        hints = [self.many()]
        if self.game.typed(self.state):
            name = raw(self.names[self.game.to_move(self.state)[-1]])
            hints.append(_("Type a number, or whose it is too, like: {name} 12", name=name))
        return list(filter(None, hints))

    # ------------------------------------------------------------ what is shown

    def show(self, step: Event | None = None) -> None:
        """Print the table of a *step*, by default the last, the tally, and what is next."""
        for drawn in self._at_table(step)[:1]:
            self.say(f"\n{self.words(drawn)}")
        self.say(f"\n{self.tally()}")
        self.say(self.words(self.standing().prompt))
        if hint := self.words(self.game.hint(self.state)):
            self.say(hint)

    def _at_table(self, step: Event | None) -> Sequence[Message]:
        """Return the pieces on the table of a step, if there are several tables."""
        step = step or (self.match.last if self.match else None)
        tables = self.game.played_tables(self.state)
        moves = step.moves if step else None
        place = moves[-1].get("table", 0) if moves else 0
        elsewhere = {
            block for at, table in enumerate(tables) if at != place for block in table.blocks
        }
        return [block for block in self.game.draw(self.state) if block not in elsewhere]

    def tally(self) -> str:
        """Return the points in a line."""
        stands, turn = self.standing(), self.game.turn_total(self.state)
        parts = map(self.words, standings(self.names, stands.earned, stands.to_move, turn))
        notes = [*map(self.words, self.game.notes(self.state))]
        shared = notes[0] if len({*notes}) == 1 else ""
        fit = [note if len(note) <= SHORT and not shared else "" for note in notes]  # `why` has all
        each = [
            f"{part} ({note})" if note else part
            for part, note in zip_longest(parts, fit, fillvalue="")
        ]
        return ", ".join(each) + (f" ({shared})" if shared else "")

    # ------------------------------------------------------------ how it changes

    def make(self, moves: Sequence[Any]) -> bool:
        """Store the moves as one step and print it; return True if it was stored."""
        state, lines = self.state, []
        for move in moves:
            lines.append(f"→ {self.words(self.game.describe(state, move))}")
            state = self.game.apply(state, move)
        if not self._stored(moves):
            return False
        self.say("\n".join(lines))
        self.show()
        return True

    def _stored(self, moves: Sequence[Any]) -> bool:
        """Store the moves, or print the reason of a failure without a change."""
        sent, begun = [dump_move(move) for move in moves], self.begun

        def store() -> Match:
            if isinstance(begun, New):
                return matches.create(self.store, begun.game, begun.names, begun.settings, sent)
            return matches.play(self.store, begun.row.id, begun.seq, sent)

        return self.done(store, lambda why: _("Not played: {why}", why=why))

    def done(self, change: Callable[[], Match], failed: Callable[[Message], Message]) -> bool:
        """Make a change of the match and return True, or print the reason of a failure."""
        try:
            self.begun = change()
        except (RequestError, Malformed, sa.exc.SQLAlchemyError, OSError) as fault:
            self.say(failed(reason(fault)))
            return False
        return True

    def refuse(self, fault: Illegal) -> None:
        """Print why the rules forbid a move, and the rule."""
        self.say(f"{sentence(self.words(fault.reason), '.')} ({fault.rule})")


def reason(fault: Exception) -> Message:
    """Return the reason why matches could not be read or written."""
    if isinstance(fault, sa.exc.DBAPIError):
        return _("the matches cannot be written: {why}.", why=raw(fault.orig))
    in_words = isinstance(fault, RequestError | Malformed)
    return as_message(fault.args[0] if in_words else str(fault))
