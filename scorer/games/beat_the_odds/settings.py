"""Beat the Odds: its house rules."""

from scorer.messages import _
from scorer.settings import choice

TARGET = 100
TITLE = "Beat the Odds"

SEATS = range(2, 21)  # any number may play; twenty still fit on a phone

SETTINGS = (
    choice(
        "right_carries_over",
        _("A re-roll right left over when the turn ends"),
        "BO-A1",
        {False: _("It is lost"), True: _("It waits for your next turn")},
    ),
    choice(
        "declined_right",
        _("A re-roll right you do not use on the next odd roll"),
        "BO-A3",
        lost=_("It is lost"),
        kept=_("It waits for a later odd roll"),
    ),
    choice(
        "rights_stack",
        _("A second 2-2 while you hold a re-roll right"),
        "BO-A5",
        {False: _("It adds nothing"), True: _("You hold two rights")},
    ),
    choice(
        "redouble",
        _("4-4 on a roll that is doubled already"),
        "BO-A6",
        {True: _("It may be doubled again"), False: _("Each roll is doubled once at most")},
    ),
    choice(
        "last_turns",
        _("When somebody has reached 100"),
        "BO-A9",
        each_other_once=_("Every other player has one more turn"),
        finish_round=_("The round is finished, so everyone has had the same number of turns"),
    ),
    choice(
        "tie",
        _("When the highest scores are level"),
        "BO-A10",
        shared=_("The win is shared"),
        playoff=_("The level players have one more turn each"),
    ),
)
