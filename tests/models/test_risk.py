"""Risk against questions: what each threshold would have asked."""

from models.measure.photos.risk import Asking, asking_of, table
from tests.models.verdicts import FIVE, TWO, die, reading, with_dice

RIGHT = Asking(is_right=True, is_warned=False, confidences=(0.99, 0.9))
WRONG = Asking(is_right=False, is_warned=False, confidences=(0.97,))


def test_a_higher_threshold_asks_about_what_was_silent():
    assert not WRONG.is_asked(0.968)
    assert WRONG.is_asked(0.98)


def test_a_value_that_likely_stands_is_no_question():
    assert RIGHT.is_asked(0.968)
    assert not RIGHT.is_question(0.968, 2 / 3)
    assert RIGHT.is_question(0.968, 0.95)


def test_a_piece_doubted_for_another_reason_stays_a_question():
    photo = asking_of(with_dice(FIVE, TWO), reading(die(150, 150, 5), die(350, 150, 2, sure=False)))
    assert photo.is_right
    assert photo.doubted == (0.99,)
    assert photo.is_question(0.9, 0.5)


def test_a_table_counts_what_each_threshold_asks_and_misses():
    lines = [(sure, sure, 2 / 3) for sure in (0.968, 0.98)]
    rows = table("sure from", {"dice": [RIGHT, WRONG]}, lines).splitlines()[2:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    assert cells == [
        ["0.968", "dice", "2", "1", "0 (0.00 %)", "1", "1", "0"],
        ["0.980", "dice", "2", "1", "0 (0.00 %)", "1", "0", "1"],
    ]
