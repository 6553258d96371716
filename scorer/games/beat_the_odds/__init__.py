"""Beat the Odds: roll two dice again and again until they end your turn; past 100, one turn each.

| dice | the roll is worth | the turn |
| --- | --- | --- |
| one even, one odd | the even die | goes on |
| two different evens | their sum | goes on |
| two different odds | 0 | ends: all rolls added up |
| 1-1 | 0 | ends: nothing |
| 2-2 | 4 | goes on, with the right to roll an odd die of the next odd roll again |
| 3-3 | 0 | ends: without the highest roll |
| 4-4 | 8 | goes on, and any one roll of the turn may be doubled |
| 5-5 | 0 | ends: half the sum |
| 6-6 | 12 | ends: twice the sum |

Rule ids are those of RULES.md. Where the text is silent we rule that

* a re-roll right not used by the end of the turn lapses (BO-A1, `right_carries_over`);
* of two odd dice either may be rolled again, also of 1-1, 3-3 and 5-5 (BO-A2);
* a right not used on the next odd roll is lost (BO-A3, `declined_right`);
* the new pair counts fully: a new 2-2 is a new right, an odd one is not rolled again (BO-A4);
* a second 2-2 adds no second right (BO-A5, `rights_stack`);
* 4-4 may double a roll that is doubled already (BO-A6, `redouble`);
* 3-3 takes the roll that is highest as doubled, the earliest of several, or nothing (BO-A7);
* nobody may stop by choice (BO-A8);
* after 100 every other player has one more turn, whoever had one this round (BO-A9, `last_turns`);
* a level top is a shared win, or the level players have one more turn each (BO-A10, `tie`);
* level starting rolls: only those players roll again (BO-A11);
* a doubling is named at once, before the next roll (BO-A12);
* 100 counts when the turn is over, not in its middle (BO-A13).
"""

from itertools import chain

from scorer.advice import coach_of
from scorer.attendance import SCORE_STANDS, Attendance, without_points
from scorer.games.beat_the_odds import moves, photo, rules, settings, words
from scorer.games.beat_the_odds.moves import Agree, Decline, Double, Move, Reroll, Roll, StartRoll
from scorer.games.beat_the_odds.settings import SETTINGS
from scorer.games.beat_the_odds.state import State
from scorer.games.beat_the_odds.turn import Turn
from scorer.match import match_of
from scorer.match.offer import in_rounds
from scorer.messages import _
from scorer.parts import game_of
from scorer.seats import rounds_of

ONE = game_of(
    "beat_the_odds",
    1,
    vars(settings) | vars(moves) | vars(rules) | vars(words) | vars(photo),
    unseen=(Agree, Decline, Double),
    unnoticed=lambda _state: (Decline,),
    about=_("Roll two dice until they end your turn"),
    minutes=(5, 15),  # 12 to 27 turns where the coach plays, some 50 rolls of ten seconds
    often=("last_turns", "match", "advice"),
    several={"Roll": _("rolls")},
    coach=coach_of("beat_the_odds"),
    attendance=Attendance(
        rules.leave, SCORE_STANDS, rules.join, concede=rules.concede, ignoring=without_points
    ),
    rounds_played=lambda state: rounds_of(past.seat for past in chain.from_iterable(state.past)),
)
GAME = match_of(in_rounds(ONE, sums=True))

__all__ = [
    "GAME",
    "ONE",
    "SETTINGS",
    "Agree",
    "Decline",
    "Double",
    "Move",
    "Reroll",
    "Roll",
    "StartRoll",
    "State",
    "Turn",
]
