"""Steps beside the moves, made at a terminal: those that need a question ask it first."""

from __future__ import annotations

from typing import Any

from scorer import Game, Illegal, NotAMove
from scorer.evening import EndMatch, PlayOn
from scorer.messages import _, raw
from scorer.sentence import lying
from scorer.table import Table
from webui.errors import RequestError
from webui.match.amend import Right, amend
from webui.match.at_table import play_on, present, seat_called, start
from webui.match.summary import sentence
from webui.terminal.at_table import is_sure, step_of
from webui.terminal.commands_typed import betweens
from webui.terminal.typed_match import TypedMatch


def without_effect(game: Game[Any, Any]) -> set[str]:
    """Return the commands that do nothing in a game."""
    return set() if PlayOn in game.steps else {"play"}


class Beside:
    """What happens at the table beside the moves, and what was asked about it last."""

    def __init__(self, shown: TypedMatch) -> None:
        self.shown = shown
        self._against: tuple[int, PlayOn] | None = None  # asked about after that event

    def take(self, word: str, words: str) -> bool:
        """Make the step that was typed; return whether something was played."""
        try:
            match word:
                case "start":
                    return self._start(words)
                case "play":
                    return self._play_on(words)
                case "end" if not is_sure(words, self.shown.language):
                    return self._ask_end()
            between = betweens(word, self.shown.language)
            return self.shown.make([step_of(word, words, self.shown.names, between)])
        except Illegal as refused:
            self.shown.refuse(refused)
        except (RequestError, NotAMove) as fault:
            self.shown.say(fault.args[0])
        return False

    def _start(self, name: str) -> bool:
        """Correct who has started; return whether that was done."""
        shown, match = self.shown, self.shown.match
        seat = seat_called(shown.names, name)
        assert seat is not None
        right = start(shown.store, match, seat) if match else None
        if match is None or right is None:
            shown.say(_("There is nothing to correct about who started."))
            return False
        if not isinstance(right, Right):
            return shown.make([right])
        place = shown.store, match.row.id, match.seq, right
        if not shown.done(lambda: amend(*place), lambda why: _("Not corrected: {why}", why=why)):
            return False
        shown.say(_("Corrected: {name} has started.", name=raw(name)))
        shown.show()
        return True

    def _play_on(self, words: str) -> bool:
        """Ask whether all play on against a rule, and do so once they are sure."""
        shown, match, asked = self.shown, self.shown.match, self._against
        sure = is_sure(words, shown.language)
        if match is None:
            shown.say(_("No move has been made yet."))
            return False
        if sure and asked and asked[0] == match.seq:
            return shown.make([asked[1]])
        if not (dice := () if sure else lying(words)):
            shown.say(_("Type the dice that lie there, like: play on red 1 1 4, blue 2"))
            return False
        step = play_on(match, Table(dice), present(match)[0])
        shown.game.apply(shown.state, step)
        self._against = match.seq, step
        shown.say(_("That is against a rule, {rule}.", rule=raw(step.rule)))
        shown.say(_("If all agree, type: play on now"))
        return False

    def _ask_end(self) -> bool:
        ended = self.shown.game.result(self.shown.game.apply(self.shown.state, EndMatch()))
        if ended is not None:
            self.shown.say(sentence(self.shown.words(ended.why), "."))
        self.shown.say(_("If all agree, type: end now"))
        return False
