"""Beat the Odds: its house rules."""

from __future__ import annotations

from scorer.game import (
    Setting,
    choice,
)

TARGET = 100
TITLE = "Beat the Odds"

SEATS = range(2, 21)  # any number may play; twenty still fit on a phone

SETTINGS = (
    Setting(
        "right_carries_over",
        "A re-roll right left over when the turn ends",
        False,
        {False: "It is lost", True: "It waits for your next turn"},
        "BO-A1",
    ),
    choice(
        "declined_right",
        "A re-roll right you do not use on the next odd roll",
        "BO-A3",
        lost="It is lost",
        kept="It waits for a later odd roll",
    ),
    Setting(
        "rights_stack",
        "A second 2-2 while you hold a re-roll right",
        False,
        {False: "It adds nothing", True: "You hold two rights"},
        "BO-A5",
    ),
    Setting(
        "redouble",
        "4-4 on a roll that is doubled already",
        True,
        {True: "It may be doubled again", False: "Each roll is doubled once at most"},
        "BO-A6",
    ),
    choice(
        "last_turns",
        "When somebody has reached 100",
        "BO-A9",
        each_other_once="Every other player has one more turn",
        finish_round="The round is finished, so that all have had as many turns",
    ),
    choice(
        "tie",
        "When the highest scores are level",
        "BO-A10",
        shared="The win is shared",
        playoff="The level players have one more turn each",
    ),
)
