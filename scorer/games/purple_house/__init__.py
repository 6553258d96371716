"""The Original Purple House Even & Odd Dice Game: five black and five white dice on a 3x3 grid.

Black owns the odd lines, white the even ones: three rows, three columns, two diagonals. Rule ids
are those of RULES.md. The rule text is silent on some points; we rule that

* equal starting rolls are rolled again (PH-A1);
* a 4-4 in a single round is a draw, or is played again (PH-A2, `single_round_tie`);
* a race that ends level, 52-52, goes on for a round, or is a draw (PH-A3, `race_tie`);
* players keep their colours and only the start alternates (PH-A4, `colours_between_rounds`); a
  table that does not keep count of the start may leave it free (`later_starts`);
* dice that fell badly are re-rolled before the first placement, so a roll is entered once (PH-A5);
* in a tournament (PH-7, PH-A6) the winner of each table moves on to the next table and the loser
  stays; the odd player out scores nothing, or where the fewest points win what a round brings on
  average (`bye_points`), and the loser with the fewest byes sits out next. A level round counts
  once and is then played again, uncounted, until somebody moves on. Most points win; level totals
  share the place. What is turned round in the harder game is turned round here;
* one-colour lines pay by parity (PH-A7) and towards 25, the aim not reversed (PH-A8);
* solo, any colour may start and a level score is no success (PH-A9); where the fewest points win
  the named colour wants fewer;
* lines are shown while the grid fills, but count only when it is full (PH-A10).
"""

from scorer.advice import coach_of
from scorer.attendance import Attendance
from scorer.games.purple_house import match, moves, photo, rules, settings, state, words
from scorer.games.purple_house.moves import Agree, ChooseColour, Move, Place, Roll, StartRoll
from scorer.games.purple_house.settings import SEATS, SETTINGS, SOLO, TWO
from scorer.games.purple_house.state import State
from scorer.match import match_of
from scorer.match.offer import advice_settings
from scorer.match.values import MatchState, Series
from scorer.messages import _
from scorer.parts import game_of

ROUND = game_of(
    "purple_house",
    1,
    vars(settings) | vars(moves) | vars(state) | vars(rules) | vars(words) | vars(photo),
    seats=range(SOLO[0], TWO[-1] + 1),
    unseen=(Agree, ChooseColour),
    about=_("Odd or even: win the lines"),
    minutes=(25, 40),  # 12 or 13 rounds to 50, of two or three minutes (docs/rules/RULES.md)
    often=("variant", "match", "target", "solo_start", "tournament_rounds"),
    colour_means=words.MEANS,
    several={"Place": _("dice placed"), "Roll": _("rolls")},
    coach=coach_of("purple_house"),
    attendance=Attendance(means=_("the round in play is void, and the match ends as it stands")),
)
GAME = match_of(
    Series(
        ROUND,
        (*SETTINGS, *advice_settings(ROUND)),
        SEATS,
        match.plan,
        following=match.following,
        second=match.second,
        inside=match.inside,
        outside=match.outside,
        known_before=photo.same_grid,
        surface=_("the grid"),
    )
)

__all__ = [
    "GAME",
    "ROUND",
    "SETTINGS",
    "Agree",
    "ChooseColour",
    "MatchState",
    "Move",
    "Place",
    "Roll",
    "StartRoll",
    "State",
]
