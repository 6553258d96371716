"""Photos that tell a match nothing: the same again, the same dice, tiles as they lay."""

from dataclasses import replace
from pathlib import Path

import pytest

from scorer import Die, Doubt, Table
from tests.conftest import grid
from tests.contract.photos.test_follow import GRID, yes
from tests.webui.follow_photos import ROLL, follower, lying_at
from vision.arrangement import same_arrangement


def test_the_same_file_again_is_counted_once(fakes):
    match = follower("pig", fakes)
    photo = fakes.photo("a.jpg", Table((Die(4, "red"),)))

    first, again = match.take(photo), match.take(photo)

    assert (len(first.moves), again.moves, again.sure) == (1, (), True)
    assert again.doubts == ("this is a.jpg again, which counts only once",)


@pytest.mark.parametrize(
    ("then", "lies"),
    [
        (lying_at(0.5, *ROLL), True),
        (lying_at(0.9, *reversed(ROLL)), True),
        (lying_at(0.5, (2, 0, 0, 0.8), (5, 4, 2, 1.0)), False),  # one was turned
        (lying_at(0.5, (2, 0, 0, 0.3), (5, 6, 1, 1.0)), False),  # one lies elsewhere
        (lying_at(0.5, (2, 0, 0, 0.3), (4, 4, 2, 1.0)), False),
        (lying_at(0.5, *ROLL[:1]), False),
    ],
)
def test_dice_that_lie_as_they_lay_are_no_new_roll_however_the_phone_moved(then, lies, fakes):
    match, pair = (follower("beat_the_odds", fakes, yes), Table((Die(2, "red"), Die(5, "red"))))
    photos = [fakes.photo(name, pair) for name in ("a.jpg", "b.jpg")]
    fakes.readings = dict(
        zip(map(Path.read_bytes, photos), (lying_at(0, *ROLL), then), strict=True)
    )
    match.take(photos[0])

    again = match.take(photos[1])

    assert same_arrangement(lying_at(0, *ROLL), then) == lies
    assert (again.moves == ()) == lies
    assert ("the dice are the same as on a.jpg, nothing new" in again.doubts) == lies


@pytest.mark.parametrize(("elsewhere", "sure"), [(True, True), (False, False)])
def test_whether_dice_were_rolled_again_is_not_asked_where_they_lie_otherwise(
    elsewhere, sure, fakes
):
    match, pair = follower("beat_the_odds", fakes), Table((Die(2, "red"), Die(5, "red")))
    photos = [fakes.photo(name, pair) for name in ("a.jpg", "b.jpg")]
    if elsewhere:
        lay = lying_at(0, *ROLL), lying_at(0.2, (2, 0, 0, 1.0), *ROLL[1:])
        fakes.readings = dict(zip(map(Path.read_bytes, photos), lay, strict=True))
    match.take(photos[0])
    rules, again = match.game, Doubt("were they rolled again?", about="again")
    match.game = replace(rules, observe=lambda s, t: replace(rules.observe(s, t), doubts=(again,)))

    assert match.take(photos[1]).sure == sure


@pytest.mark.parametrize(("cell", "lies"), [([0, 2], True), (None, True), ([0, 5], False)])
def test_two_dice_on_other_cells_of_a_board_lie_otherwise_however_it_was_seen(cell, lies):
    """The white die of Gords may go where another camera would have seen it before."""
    before, after = lying_at(0, *ROLL), lying_at(0.5, *ROLL)
    before["dice"][0]["cell"], after["dice"][0]["cell"] = [0, 2], cell

    assert same_arrangement(before, after) == lies


def test_one_die_alone_tells_nothing_of_how_it_lay():
    die = lying_at(0, ROLL[0])

    assert same_arrangement(die, die) is None


def test_nothing_new_is_said_and_the_match_goes_on(fakes):
    """It is not sure: a die may have been overlooked, and the next photo then shows two."""
    match = follower("purple_house", fakes, yes)
    match.take(fakes.photo("a.jpg", grid(GRID)))
    half = grid("b1 w2 . . . . . . .")
    match.take(fakes.photo("b.jpg", half))

    again = match.take(fakes.photo("c.jpg", half))

    assert (again.moves, again.sure, again.left) == ((), False, False)
    assert again.doubts
    assert match.left == ()
