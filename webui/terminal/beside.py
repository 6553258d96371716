"""Steps beside the moves at a terminal; some ask for confirmation first."""

from collections.abc import Sequence
from typing import Any

from scorer import Game, Illegal, NotAMove
from scorer.evening.standing import standing
from scorer.evening.state import names_of
from scorer.evening.steps import PlayOn
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

ENDING = ("leave", "concede", "end")  # asked about first if it ends the match


def without_effect(game: Game[Any, Any]) -> set[str]:
    """Return the commands without an effect in a game."""
    return set() if PlayOn in game.steps else {"play"}


class Beside:
    """Steps beside the moves, with the last open question about one."""

    def __init__(self, shown: TypedMatch) -> None:
        self.shown = shown
        self._against: tuple[int, PlayOn] | None = None  # the event after which it was asked about

    def take(self, word: str, words: str) -> bool:
        """Perform a typed step; return True if it was stored."""
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
        """Correct the starting player; return True if it was stored."""
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
        """Override a rule by agreement, after a confirmation."""
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
        """Ask for confirmation if the step would end the match; return True if it would."""
        shown = self.shown
        ended = standing(shown.game, shown.game.apply(shown.state, step))
        if ended.over:
            shown.say(sentence(shown.words(ended.prompt), "."))
            sure = translated(SURE, shown.language)
            line = raw(f"{typed(word, shown.language)} {words} {sure}".replace("  ", " "))
            shown.say(_("The match is over then. If all agree, type: {line}", line=line))
        return ended.over

    def _swap(self, word: str, words: str, between: Sequence[str]) -> bool:
        """Swap names or chairs; ask which if it is not given."""
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
