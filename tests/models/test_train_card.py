"""The card has parts that other steps tell: one is written anew, and the rest stays."""

import pytest

from models.train.calibration.calibrate import summary
from models.train.calibration.card import LARGER_SETS, MARKS, OF_OTHERS, part_of, with_part
from tests import ROOT
from vision.faces.networks import shipped_models

CARD = ROOT / "models" / "CARD.md"


@pytest.mark.parametrize("heading", OF_OTHERS)
def test_a_part_written_as_it_was_changes_nothing(heading):
    card = CARD.read_text()

    assert part_of(card, heading).startswith(heading)
    assert with_part(card, heading, part_of(card, heading)) == card


def test_parts_stand_below_the_rest_in_one_order_whichever_is_told_first():
    card = with_part("# Networks\n\n## Doubt\n1\n", MARKS, f"{MARKS}\n2")
    card = with_part(card, LARGER_SETS, f"{LARGER_SETS}\n3")

    assert card == f"# Networks\n\n## Doubt\n1\n\n{LARGER_SETS}\n3\n\n{MARKS}\n2\n"
    assert with_part(card, MARKS, f"{MARKS}\n4") == card.replace("2\n", "4\n")


def test_a_set_of_which_no_photo_is_held_back_has_a_line_that_says_so():
    assert summary([], shipped_models().calibration) == "no picture, so nothing was measured"
