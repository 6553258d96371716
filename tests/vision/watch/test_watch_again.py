"""What is a roll, what is another one, and what a hand lays, takes or uncovers."""

import numpy as np
import pytest

from tests.vision.watch import throws
from tests.vision.watch.fake_frames import A, B, C, FakeFrames, bare_table, die, moved
from vision.watch.frames import Frame
from vision.watch.state import as_json
from vision.watch.watcher import watch
from webui.commands.watch import as_line

film = pytest.fixture(bare_table)
NEAR = [A, moved(A, 1, 2), moved(A, 20, 10), die(3, 330, 215, 50)]


@pytest.mark.parametrize("again", NEAR)
def test_what_is_thrown_where_the_bare_table_was_seen_is_a_roll(film, again):
    film.settle(A)
    film.bare(1.0)
    film.settle(again, seconds=1.0)

    assert film.values == [[3], [3]]
    assert film.rolls[-1].sure


@pytest.mark.parametrize("again", NEAR)
def test_what_was_only_covered_or_overlooked_there_is_none(film, again):
    film.settle(A)
    film.rest(1.0)
    film.settle(again, seconds=1.0)

    assert film.values == [[3]]


def test_one_of_three_thrown_again_to_its_place_is_a_roll(film):
    film.settle(A, B, C)
    film.take(B, C, taken=(A,))
    film.bare(0.6, B, C)
    film.roll_in(moved(A, 8, 8))
    film.rest(1.0, moved(A, 8, 8), B, C)

    assert film.values == [[3, 5, 6], [3, 5, 6]]


def test_what_a_hand_takes_up_and_puts_back_is_asked_about(film):
    film.settle(A)
    film.take(taken=(A,))
    film.bare(0.6)
    film.take(taken=(A,))
    film.rest(1.0, A)

    assert film.values == [[3], [3]]
    assert not film.rolls[-1].sure
    assert "shows the same as before. Was it thrown again?" in as_line(film.rolls[-1])


@pytest.mark.release
def test_one_of_three_that_a_hand_puts_back_is_no_roll(film):
    film.settle(A, B, C)
    film.take(B, C, taken=(A,))
    film.bare(0.6, B, C)
    film.take(B, C, taken=(A,))
    film.rest(1.0, A, B, C)

    assert film.values == [[3, 5, 6]]


def test_a_die_that_looks_like_the_table_tells_nothing_by_its_place(film):
    film.roll_in(A)
    film.rest(0.6, A, bare=film.watch.places)
    film.bare(0.5, A)
    film.bare(1.0)
    film.settle(A, seconds=1.0)

    assert film.values == [[3]]


@pytest.mark.release
def test_the_eyes_tell_the_same_five_thrown_again_to_its_place_also_at_the_films_end():
    chance = np.random.default_rng(3)
    table = throws._table(chance)

    def lying(left):
        at, turn = (320 - 50 * left, 240 - 25 * left), 20.0 + 25 * left
        return throws._with(table, (5,), [at], [turn])

    once = [*[table] * 30, *map(lying, (4, 3, 2, 1)), *[lying(0)] * 25]
    noisy = (throws._noisy(shown, chance) for shown in (2 * once)[:-18])
    rolls = watch(Frame(bgr, number, number / throws.FPS) for number, bgr in enumerate(noisy))

    assert [as_json(roll)["values"] for roll in rolls] == [[5], [5]]


def test_dice_that_lie_there_at_the_start_are_no_roll():
    film = FakeFrames()
    film.rest(2.0, A, B)

    assert film.values == []


def test_a_hand_that_takes_dice_lying_there_at_the_start_makes_them_no_roll():
    film = FakeFrames()
    film.rest(0.1, A, B, C)
    film.take(B, C, taken=(A,))
    film.rest(1.0, B, C)
    film.take(taken=(B, C))
    film.rest(1.0)

    assert film.values == []


def test_dice_gathered_one_by_one_are_no_roll(film):
    film.settle(A, B, C)
    for left, taken in (((A, B), C), ((A,), B), ((), A)):
        film.take(*left, taken=(taken,))
        film.rest(0.8, *left)

    assert film.values == [[3, 5, 6]]


def test_a_die_put_aside_while_others_are_in_hand_is_no_roll(film):
    film.settle(A, B, C)
    film.take(A, taken=(B, C))
    aside = moved(A, 250)
    film.take(taken=(A, aside))
    film.rest(1.0, aside)

    assert film.values == [[3, 5, 6]]


def test_a_die_that_a_hand_uncovers_is_no_roll(film):
    film.settle(A, B)
    film.take(B, taken=(A,), seconds=1.5)
    film.rest(1.0, B)  # the hand lies still over it and is not told from the table
    film.take(B, taken=(A,), seconds=0.3)
    film.rest(1.0, A, B)

    assert film.values == [[3, 5]]


def test_nothing_counts_while_a_hand_is_over_a_die(film):
    film.roll_in(A, B)
    film.rest(2.0, A, B, hand=((300.0, 180.0), (0.0, 0.0)))

    assert film.values == []

    film.rest(0.5, A, B)

    assert film.values == [[3, 5]]


def test_a_hand_elsewhere_in_view_makes_it_wait_longer(film):
    film.roll_in(A, B)
    far = ((20.0, 700.0),)
    film.rest(0.5, A, B, moving=far, hand=far)

    assert film.values == []

    film.rest(0.6, A, B, moving=far, hand=far)

    assert film.values == [[3, 5]]


def test_the_same_values_thrown_to_lie_otherwise_are_a_roll(film):
    film.settle(A, B)
    again = moved(A, 70, 45), die(5, 390, 420, 33)
    film.settle(*again, seconds=1.0)

    assert film.values == [[3, 5], [3, 5]]


def test_what_a_hand_takes_or_turns_over_has_changed_and_what_it_covers_has_not(film):
    film.settle(A, B, C)
    film.take(B, C, taken=(A,))
    film.rest(0.6, B, C)

    assert film.watch.changed

    film.take(B, C, taken=(B,))
    film.rest(0.6, B, C)

    assert not film.watch.changed

    film.take(C, taken=(B,))
    film.rest(0.6, die(2, 421, 262, 24), C)

    assert film.watch.changed
    assert film.values == [[3, 5, 6]]


def test_a_die_put_just_where_one_was_taken_before_has_changed_the_table(film):
    lay, put = die(3, 300, 300), die(2, 302, 299, 4)
    film.settle(lay, seconds=1.0)
    film.take(taken=[lay])
    film.rest(1.0)
    assert film.watch.changed

    film.take(taken=[put])
    film.rest(1.0, put)

    assert film.watch.changed
    assert [one.piece.values for one in film.watch.lying] == [(2,)]


def test_some_dice_thrown_again_make_a_roll_of_all_that_lie_there(film):
    film.settle(A, B, C)
    film.take(A, taken=(B, C))
    film.rest(0.4, A)
    again = die(2, 500, 300, 70), die(1, 450, 420, 5)
    film.roll_in(*again)
    film.rest(1.0, A, *again)

    assert film.values == [[3, 5, 6], [1, 2, 3]]


@pytest.mark.parametrize("count", [3, 2])
def test_dice_that_show_what_lay_there_are_a_roll_if_no_hand_laid_them_there(film, count):
    again = (die(3, 560, 330, 70), die(5, 480, 420, 5), die(6, 520, 210, 33))[:count]
    film.settle(A, B, C)
    film.take(taken=(A, B, C))
    film.settle(*again, seconds=1.0)

    assert film.values == [[3, 5, 6], [3, 5, 6][:count]]


def test_dice_that_a_hand_lays_in_order_are_no_roll(film):
    in_order = die(3, 500, 200), die(5, 550, 200), die(6, 600, 200)
    film.settle(A, B, C)
    film.take(taken=(A, B, C))
    for k in range(3):
        film.take(*in_order[:k], taken=in_order[k:])
    film.rest(1.0, *in_order)

    assert film.values == [[3, 5, 6]]
