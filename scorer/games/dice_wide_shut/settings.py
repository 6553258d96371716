"""Dice Wide Shut: its house rules."""

from scorer.messages import _
from scorer.settings import choice

TITLE = "Dice Wide Shut"
SEATS = range(2, 6)
SETTINGS = (
    choice(
        "same_number_pair",
        _("Two dice taken may show the same number"),
        "DW-A2",
        {True: _("They may"), False: _("They must differ")},
    ),
    choice(
        "six_power_scope",
        _("When a checked 6 may be spent instead of checking a number"),
        "DW-A3",
        any_blank_in_row=_("Whenever its row has a blank cell of that number"),
        only_to_prevent_split=_("Only when checking the number would fill the row"),
    ),
    choice(
        "purple_counts_for_single",
        _(
            "A single die from 1 to 5 may be taken if no other of its colour is left; the purple "
            "die"
        ),
        "DW-A9",
        {True: _("Counts as another"), False: _("Does not count")},
    ),
    choice(
        "end_mode",
        _("When three columns of a half are full"),
        "DW-A10",
        finish_round=_("The round is finished, so everyone has had the same number of turns"),
        each_other_once=_("Each other player has one more turn"),
    ),
)
