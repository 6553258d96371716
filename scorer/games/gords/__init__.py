"""Gords: five hidden dice each, bids on the count of a face under all cups, ones wild.

A bid is a place on the board's track and the face of the white die. Number place 4 with face 6:
"among all dice at least four are sixes or ones". Star place 2*: "at least two are ones". The next
player bids higher or calls; then all dice are shown and the one who was wrong loses a die.

Rule ids are those of RULES.md. The board's picture is lost and the text is silent on some points;
we rule that

* the track runs 1 1* 2 3 2* 4 5 3* 6 …, or 1 2 1* 3 4 2* …, or as on your board (GD-A1, `track`);
* ones are not bid on a number place; where they are, only ones count (GD-A2,
  `ones_on_number_space`);
* only the next player may call (GD-A3, `call_by`);
* the last player with dice wins, however many they are (GD-A4);
* the first bid of a round may be any, also a star (GD-A5);
* a bid above the dice in play is allowed, and said to be one (GD-A6, `cap_at_dice_in_play`);
* exactly right is right, and wins nothing more (GD-A7, `exact`);
* after a star the next number place follows (GD-A8);
* a call costs one die, or as many as the bid was off (GD-A15, `loss`);
* a lost die goes on the board, whoever lost it (GD-A9), and closes no place there (GD-A13);
* seats follow clockwise (GD-A10), and after the highest bid of all one can only call (GD-A11);
* fallen dice are rolled again before the first bid, so they enter no record (GD-A12).

Who bids first in round one is agreed; then the last caller does (GD-7). Dice enter when shown.
"""

from scorer.advice import coach_of
from scorer.attendance import Attendance
from scorer.games.gords import moves, rules, settings, state, words
from scorer.games.gords.moves import Agree, Bid, Call, Count, Move, Own, Reveal
from scorer.games.gords.photo import alone, in_match
from scorer.games.gords.settings import SETTINGS
from scorer.games.gords.state import State
from scorer.match import match_of
from scorer.match.offer import in_rounds
from scorer.messages import _, ngettext
from scorer.parts import game_of

ONE = game_of(
    "gords",
    1,
    vars(settings)
    | vars(moves)
    | vars(state)
    | vars(rules)
    | vars(words)
    | vars(in_match)
    | vars(alone),
    unseen=(Agree, Call),
    about=_("Bid, bluff, and keep your dice"),
    minutes=(15, 30),  # a round for each of nine dice lost, of two or three minutes
    often=("call_by", "match", "advice"),
    several={"Reveal": _("players show their dice")},
    hand="1 4 4 5 6",
    own=Own,
    coach=coach_of("gords"),
    attendance=Attendance(
        rules.leave,
        _("the dice go out with this player, and the round begins anew"),
        rules.join,
        lambda state: ngettext("with {n} die", "with {n} dice", state.dice[-1]),
    ),
    rounds_played=lambda state: len(state.past),
)
GAME = match_of(in_rounds(ONE))

__all__ = [
    "GAME",
    "ONE",
    "SETTINGS",
    "Agree",
    "Bid",
    "Call",
    "Count",
    "Move",
    "Own",
    "Reveal",
    "State",
]
