"""What several looks at a table that rests make sure, ask about or cannot read."""

from dataclasses import replace
from math import cos, sin

import pytest

from tests.vision.watch.fake_frames import (
    FPS,
    SIDE,
    A,
    B,
    C,
    FakeFrames,
    bare_table,
    blocks,
    die,
    every_quarter_second,
    moved,
)
from vision.quad import Quad
from vision.watch.evidence import FrameReading
from vision.watch.settling import finish

film = pytest.fixture(bare_table)
DOUBTFUL = die(3, 300, 200, confidence=0.6, sure=False)


def closer(film, seconds, quick, near):
    """Let dice lie that quick and closer looks see so; what is seen may go by the frame."""
    for k in range(round(seconds * FPS)):
        is_close = film.watch.waiting == "doubt"
        pieces = near if is_close else quick
        pieces = pieces(k) if callable(pieces) else pieces
        film.frame(reading=FrameReading(tuple(pieces), thorough=is_close))


@pytest.mark.parametrize("quick", [(), (die(2, 300, 200), B)], ids=["too small", "misread"])
def test_a_roll_has_the_values_of_the_closer_looks(quick, film):
    film.roll_in(A, B)
    closer(film, 0.8, quick, (A, B))

    assert film.values == [[3, 5]]
    assert film.rolls[0].sure


def test_what_quick_looks_alone_take_for_a_die_is_none(film):
    doubtful = die(5, 420, 260, 20, confidence=0.6, sure=False)
    film.roll_in(A, B)
    closer(film, 1.0, (A, doubtful), (A,))

    assert film.values == [[3]]


def test_a_die_that_closer_looks_see_now_and_then_is_doubtful_and_not_lost(film):
    film.roll_in(A, B)
    closer(film, 1.0, (A, B), lambda k: (A,) if k % 3 else (A, B))

    assert film.values == [[3, 5]]
    assert not film.rolls[0].sure


@pytest.mark.parametrize(("apart", "sure"), [(0, False), (SIDE, True)])
def test_what_one_closer_look_reads_and_another_asks_about_is_doubted(apart, sure, film):
    """Two of three closer looks see something there, though neither reading is the half of all."""
    faint = die(5, 420, 260, 20, confidence=0.7, sure=False)
    perhaps = moved(faint, apart).quad
    film.roll_in(A, faint)
    film.rest(0.25, A)
    for reading in (FrameReading((A, faint)), FrameReading((A,), (perhaps,)), FrameReading((A,))):
        film.frame(reading=replace(reading, thorough=True))
    film.rest(1.0, A)

    assert [roll.sure for roll in film.rolls] == [sure]


def test_a_sure_rest_that_a_hand_ends_before_a_closer_look_is_told(film):
    film.roll_in(A, B)
    while film.watch.closer_s is None:
        film.rest(0.05, A, B)
    film.take(taken=(A, B))

    assert film.values == [[3, 5]]


def test_what_looked_like_a_die_before_anything_was_thrown_is_none_and_asks_nothing():
    film, print_ = FakeFrames(), die(1, 600, 300, confidence=0.5, sure=False)
    film.rest(0.6, print_)
    film.roll_in(A, B)
    film.rest(1.0, A, B, print_)

    assert film.values == [[3, 5]]
    assert film.rolls[0].sure


def test_a_place_that_may_be_a_die_asks_unless_it_looked_so_when_the_table_was_bare(film):
    perhaps = die(1, 600, 300).quad
    for thrown in ((A, B), (C,)):
        film.roll_in(*thrown)
        for _ in range(FPS):
            is_close = film.watch.waiting == "doubt"
            film.frame(reading=FrameReading(thrown, (perhaps,), thorough=is_close))
        film.take(taken=thrown)
        film.rest(1.0, reading=FrameReading((), (perhaps,)))

    assert film.values == [[3, 5], [6]]
    assert [roll.sure for roll in film.rolls] == [False, True]


def test_a_doubtful_die_that_lay_there_at_the_start_is_no_roll_once_it_is_clear():
    film = FakeFrames()
    film.rest(0.6, die(3, 300, 200, confidence=0.6, sure=False))
    film.take(taken=(A,))
    film.rest(1.0, A)

    assert film.values == []


def test_dice_that_a_hand_has_just_uncovered_are_waited_for(film):
    film.settle(A, B, C)
    film.take(A, taken=(B, C), seconds=1.0)
    film.frame([A])
    while film.watch.waiting in ("hand", "moving"):
        late = film.now_s - film.watch.busy_s > 0.28
        film.frame([A, B, C] if late else [A])

    assert film.watch.waiting == "doubt"

    film.rest(1.0, A, B, C)

    assert film.watch.lying is not None
    assert len(film.watch.lying) == 3
    assert film.values == [[3, 5, 6]]


def test_a_die_that_a_hand_has_left_counts_by_the_looks_since(film):
    film.settle(A, B, C)
    film.take(A, taken=(B, C), seconds=0.3)
    away = die(1, 900, 700)
    for k in range(20):  # the hand goes, and moves at the edge
        over = k < 8
        film.frame(
            [A] if over else [A, B],
            moving=blocks(away),
            hand=(*(blocks(B) if over else blocks(away)), (0.0, 0.0)),
        )
        assert len(film.watch.lying or ()) != 1

    assert film.watch.waiting == ""
    assert [one.piece.values for one in film.watch.lying or ()] == [(3,), (5,)]


def test_one_look_at_a_die_that_a_slow_camera_uncovers_says_nothing_yet(film):
    film.settle(A, B)
    over = {"moving": blocks(B), "hand": (*blocks(B), (0.0, 0.0))}
    for frame in (*[((A,), over)] * 4, ((A, B), {"moving": blocks(B)}), ((A, B), {})):
        every_quarter_second(film, frame)
        assert len(film.watch.lying or ()) == 2

    assert film.watch.waiting == ""


def test_a_die_that_a_hand_just_uncovers_is_waited_for_though_others_rest(film):
    film.settle(A, B, C)
    hand = {"moving": ((20.0, 20.0),), "hand": ((20.0, 20.0),)}

    for pieces in (*[(A, C)] * 2, *[(A, B, C)] * 3):
        every_quarter_second(film, (pieces, hand))
        assert len(film.watch.lying or ()) == 3


def turns(k):
    return A, B if k % 2 else die(2, 400, 260, 20)


@pytest.mark.parametrize(("near", "sure"), [(turns, False), ((A, B), True)])
def test_of_two_readings_that_take_turns_closer_looks_tell_which_is_right(near, sure, film):
    film.roll_in(A, B)
    closer(film, 1.0, turns, near)

    assert [roll.sure for roll in film.rolls] == [sure]
    assert not sure or film.values == [[3, 5]]


def test_a_glint_on_one_frame_changes_nothing(film):
    film.roll_in(A, B)
    for k in range(FPS):
        film.frame([die(4, 300, 200, confidence=0.5, sure=False) if k == 3 else A, B])

    assert film.values == [[3, 5]]


def test_a_die_misread_later_where_it_lies_is_no_roll(film):
    film.settle(A, B)
    film.take(A, B, seconds=0.3)
    film.rest(1.0, die(4, 300, 200), B)

    assert film.values == [[3, 5]]


def test_a_die_overlooked_at_first_is_no_roll_of_its_own(film):
    film.roll_in(A, B)
    film.rest(0.6, A)
    film.rest(1.0, A, B)

    assert len(film.rolls) == 1


def test_a_doubtful_rest_is_looked_at_thoroughly_and_told_as_doubtful_within_a_second(film):
    film.roll_in(DOUBTFUL)
    rested_s = film.now_s
    film.rest(0.5, DOUBTFUL)

    assert film.watch.waiting == "doubt"

    film.rest(1.0, DOUBTFUL)

    assert film.values == [[3]]
    assert not film.rolls[0].sure
    assert film.rolls[0].time_s - rested_s <= 1.0


def test_a_doubtful_rest_that_a_hand_or_a_video_ends_is_told_and_not_lost(film):
    film.settle(DOUBTFUL, seconds=0.45)
    last = finish(film.watch)
    assert ([piece.values for piece in last.pieces], last.sure) == ([(3,)], False)

    film.take(taken=(DOUBTFUL,))
    film.rest(0.5)

    assert film.values == [[3]]
    assert not film.rolls[0].sure


def test_a_video_that_ends_after_a_roll_tells_it_no_second_time(film):
    film.settle(A)

    assert finish(film.watch) is None


def test_two_thorough_looks_make_a_doubtful_die_clear(film):
    film.settle(DOUBTFUL, seconds=0.35)
    film.frame(reading=FrameReading((A,), thorough=True))
    film.frame(reading=FrameReading((A,), thorough=True))

    assert film.values == [[3]]
    assert film.rolls[0].sure


def test_what_rests_and_is_not_read_is_told_once_with_its_place_and_no_value(film):
    film.roll_in(A)
    rested_s = film.now_s

    film.rest(3.0, strange=(A.quad,))

    assert film.values == [[]]
    assert not film.rolls[0].sure
    assert film.rolls[0].unread == (A.quad,)
    assert 0.7 < film.rolls[0].time_s - rested_s < 1.0


def test_what_is_not_read_beside_dice_that_lay_there_is_told_with_them(film):
    film.settle(A, seconds=1.0)
    film.roll_in(B)

    film.rest(2.0, A, strange=(B.quad,))

    assert film.values == [[3], [3]]
    assert film.rolls[1].unread == (B.quad,)


@pytest.mark.parametrize(
    "strange",
    [
        (),
        (Quad(((0.0, 0.0), (300.0, 0.0), (300.0, 200.0), (0.0, 200.0))),),  # a cup
        (moved(C, 300, 0).quad,),  # nothing moved there
    ],
)
def test_what_no_die_can_be_is_not_told(strange, film):
    film.settle(A, seconds=1.0)
    film.roll_in(B)

    film.rest(2.0, A, strange=strange)

    assert film.values == [[3]]


def test_a_die_that_is_read_late_is_told_with_its_value_alone(film):
    film.roll_in(A)
    film.rest(0.3, strange=(A.quad,))

    film.rest(2.0, A)

    assert film.values == [[3]]
    assert film.rolls[0].unread == ()


def test_a_die_that_is_carried_slowly_by_a_hand_that_holds_the_camera_is_told(film):
    film.roll_in(A)

    for k in range(30):
        carried = moved(A, 12 * sin(k / 5), 6 * cos(k / 7))
        film.frame((carried,), moving=blocks(carried))

    assert film.values == [[3]]
