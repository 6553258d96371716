"""Steps beside the moves, made at a terminal: those that need a question ask it first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scorer import Game, Illegal, NotAMove
from scorer.evening import PlayOn, names_of, standing
from scorer.messages import _, raw, translated
from scorer.sentence import lying
from scorer.table import Table
from webui.errors import RequestError
from webui.match import at_table
from webui.match.amend import Right, amend
from webui.match.at_table import play_on, present, seat_called, start
from webui.match.summary import sentence
from webui.terminal.at_table import SURE, SWAPS, is_sure, step_of, two_of, unconfirmed
from webui.terminal.commands_typed import betweens, typed
from webui.terminal.typed_match import TypedMatch

ENDING = ("leave", "concede", "end")  # asked about first where it ends the match


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
            between = betweens(word, self.shown.language)
            if word in SWAPS:
                return self._swap(word, words, between)
            step = step_of(word, words, self.shown.names, between)
            if word in ENDING and unconfirmed(words) == words and self._asks(step, word, words):
                return False
            return self.shown.make([step])
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

    def _asks(self, step: Any, word: str, words: str) -> bool:
        """Say how the match would end and how to agree to that; return whether it would."""
        shown = self.shown
        ended = standing(shown.game, shown.game.apply(shown.state, step))
        if ended.over:
            shown.say(sentence(shown.words(ended.prompt), "."))
            sure = translated(SURE, shown.language)
            line = raw(f"{typed(word, shown.language)} {words} {sure}".replace("  ", " "))
            shown.say(_("The match is over then. If all agree, type: {line}", line=line))
        return ended.over

    def _swap(self, word: str, words: str, between: Sequence[str]) -> bool:
        """Change names or chairs; ask which of them where that is not said."""
        shown, names = self.shown, self.shown.names
        two = two_of(words, names, between)
        assert two is not None
        mixed_up = at_table.mixed_up(len(names), *two)
        if word != "swap":
            chairs = at_table.chairs_changed(shown.state, len(names), *two)
            return shown.make([mixed_up if word == "names" else chairs])
        after = names_of(shown.game.apply(shown.state, mixed_up), shown.named)
        points = zip(after, shown.standing().earned, strict=True)
        tally = raw(", ".join(f"{name} {number}" for name, number in points))
        both = between[0].join(names[seat] for seat in two)
        lines = [raw(f"{typed(one, shown.language)} {both}") for one in SWAPS[1:]]
        shown.say(_("Were the names mixed up? Then the points stay: {tally}.", tally=tally))
        shown.say(_("Type: {line}", line=lines[0]))
        shown.say(_("Have they changed chairs? Then each keeps the points."))
        shown.say(_("Type: {line}", line=lines[1]))
        return False
