"""What real throws teach, one claim each, on sequences of what frames tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import cos, pi, sin

import pytest

from vision.geometry import Quad
from vision.reading import Face
from vision.watch.evidence import Evidence, FrameReading, Piece, Sway
from vision.watch.settling import finish, step
from vision.watch.state import SettledRoll, WatchState

FPS = 20
SIDE = 40.0  # px


def die(
    value: int, x: float, y: float, turn: float = 0.0, side: float = SIDE, **told: object
) -> Piece:
    """Return a die as the eyes read it, turned by degrees."""
    reach, first = side / 2**0.5, turn * pi / 180 - 0.75 * pi
    corners = [
        (x + reach * cos(a), y + reach * sin(a)) for a in (first + k * pi / 2 for k in range(4))
    ]
    a, b, c, d = corners
    quad = Quad((a, b, c, d))
    probs = tuple(0.99 if n == value else 0.01 / 6 for n in range(7))
    face = Face(quad, probs, (("white", 1.0),), 0.99, sure=True)
    return Piece(quad, (replace(face, **told),))  # type: ignore[arg-type]


def blocks(*pieces: Piece) -> tuple[tuple[float, float], ...]:
    """Return blocks of a frame that these pieces cover."""
    return tuple(
        (piece.quad.center[0] + dx, piece.quad.center[1] + dy)
        for piece in pieces
        for dx in (-12.0, 12.0)
        for dy in (-12.0, 12.0)
    )


class FakeFrames:
    """Frames as they come; what is told of them is in `rolls`."""

    def __init__(self, began_s: float = 0.0) -> None:
        self.watch, self.rolls, self.number, self.now_s = (
            WatchState(),
            list[SettledRoll](),
            0,
            began_s,
        )

    def frame(self, pieces: Sequence[Piece] = (), **told: object) -> None:
        closer = self.watch.closer_s is not None  # a watcher looks as at a photo then
        reading = FrameReading(tuple(pieces), thorough=closer)
        evidence = Evidence(self.number, self.now_s, reading=reading, block=16.0)
        self.watch, roll = step(self.watch, replace(evidence, **told))  # type: ignore[arg-type]
        self.rolls += [roll] if roll else []
        self.number += 1
        self.now_s += 1 / FPS

    def rest(self, seconds: float, *pieces: Piece, **told: object) -> None:
        for _ in range(round(seconds * FPS)):
            self.frame(pieces, **told)

    def roll_in(self, *pieces: Piece, seconds: float = 0.5) -> None:
        """Let dice come rolling from the left; they are blurred, so the eyes see none."""
        for k in range(round(seconds * FPS)):
            away = 300 * (1 - k / (seconds * FPS))
            flying = [moved(piece, -away) for piece in pieces]
            self.frame(moving=blocks(*flying, *pieces[: k > seconds * FPS - 3 and len(pieces)]))
        self.frame(moving=blocks(*pieces))

    def take(self, *left: Piece, taken: Sequence[Piece] = (), seconds: float = 0.5) -> None:
        """Let a hand come from the edge and take dice; those left are seen all the time."""
        for _ in range(round(seconds * FPS)):
            arm = tuple((x, y) for x, y in blocks(*taken))
            self.frame(left, moving=arm, hand=(*arm, (0.0, 0.0)))

    @property
    def values(self) -> list[list[int]]:
        return [sorted(v for piece in roll.pieces for v in piece.values) for roll in self.rolls]


def moved(piece: Piece, x: float = 0.0, y: float = 0.0) -> Piece:
    a, b, c, d = ((px + x, py + y) for px, py in piece.quad.corners)
    return replace(piece, quad=Quad((a, b, c, d)))


A, B, C = die(3, 300, 200), die(5, 420, 260, 20), die(6, 360, 400, 50)


@pytest.fixture
def film() -> FakeFrames:
    """A table on which nothing lies yet."""
    film = FakeFrames()
    film.rest(0.6)
    return film


def test_a_throw_is_told_once_and_within_half_a_second(film):
    film.roll_in(A, B)
    rested_s = film.now_s

    film.rest(3.0, A, B)

    assert film.values == [[3, 5]]
    assert film.rolls[0].sure
    assert film.rolls[0].time_s - rested_s < 0.5


def test_a_rest_of_four_tenths_before_the_hand_comes_is_enough(film):
    film.roll_in(A, B)
    film.rest(0.4, A, B)
    film.take(taken=(A, B))
    film.rest(1.0)

    assert film.values == [[3, 5]]


def test_a_die_that_spins_on_the_spot_does_not_count_though_its_value_stays(film):
    film.roll_in(A)
    for k in range(2 * FPS):
        film.frame([die(3, 300, 200, 25.0 * k)], moving=blocks(A))

    assert film.values == []

    film.rest(0.6, A)

    assert film.values == [[3]]


def test_a_die_that_spins_without_a_pixel_that_plainly_changes_does_not_count(film):
    film.roll_in(A)
    for k in range(FPS):
        film.frame([die(3, 300, 200, 7.0 * k)])

    assert film.values == []


@pytest.mark.parametrize(("side", "told", "sure"), [(18, [[3]], [True]), (12, [[3]], [False])])
def test_a_small_die_whose_turn_is_not_to_be_told_rests_and_a_tiny_one_is_asked_about(
    side, told, sure, film
):
    film.roll_in(die(3, 300, 200, side=side))
    for turn in (0, 21, -4, 28, 3, 18, -20, 7) * 2:
        film.frame([die(3, 300, 200, turn, side)])

    assert film.values == told
    assert [roll.sure for roll in film.rolls] == sure


@pytest.mark.parametrize("long", [60, 40, 20])  # a tile as a camera from the side may see it
def test_corners_that_waver_by_a_pixel_turn_no_tile(long, film):
    def seen(wavers: float) -> Piece:
        (face,), right, low = die(3, 300, 200).faces, 300 + long, 225
        quad = Quad(((300, 200 + wavers), (right, 200 - wavers), (right, low), (300, low + wavers)))
        return Piece(quad, (face, face))

    film.roll_in(seen(0))
    for wavers in (0, 1, -1, 1, 0, -1) * 2:
        film.frame([seen(wavers)])

    assert film.values == [[3, 3]]


def test_time_comes_from_timestamps_and_not_from_the_number_of_frames(film):
    film.roll_in(A)
    for _ in range(30):
        film.frame([A])
        film.now_s += 0.004 - 1 / FPS  # 250 frames a second

    assert film.values == []

    for _ in range(3):
        film.frame([A])
        film.now_s += 0.15 - 1 / FPS  # 7 a second: frames were dropped

    assert film.values == [[3]]


def slowly(film, frames, *pieces, **told):
    for _ in range(frames):
        film.frame(pieces, **told)
        film.now_s += 0.3 - 1 / FPS


def test_a_slow_camera_is_waited_for(film):
    film.roll_in(A, B)

    slowly(film, 4, A, B)

    assert film.values == [[3, 5]]


def test_dice_that_are_taken_up_between_two_frames_are_not_told_of_the_later_one(film):
    film.roll_in(A, B)
    slowly(film, 3, A, B)
    taken = film.number

    slowly(film, 1, moving=blocks(A, B))

    assert [roll.number < taken for roll in film.rolls] == [True]


def test_dice_taken_one_after_the_other_before_they_rested_are_no_roll_of_the_last(film):
    elsewhere = ((20.0, 20.0),)  # a hand comes in
    film.roll_in(A, B)
    film.now_s += 0.1
    for pieces in ((A, B), (A, B), (A,), (), ()):
        film.frame(pieces, moving=elsewhere)
        film.now_s += 0.2 - 1 / FPS
    film.rest(1.0)

    assert film.values == []


def test_a_frame_repeated_exactly_says_nothing(film):
    film.roll_in(A)
    film.frame([A])
    film.frame([A], moving=blocks(A))
    for _ in range(10):
        film.frame([A], repeat=True)

    assert film.values == []


@pytest.mark.parametrize("swing", [0.2, 0.5])  # sides of a die
def test_a_surface_that_sways_lets_dice_rest_by_what_the_picture_tells(film, swing):
    film.roll_in(A, B)
    for k in range(FPS):
        by = swing * SIDE * sin(2 * pi * k / FPS)
        film.frame([moved(A, by), moved(B, by)], sway=Sway(shift=complex(-by, 0)))

    assert film.values == [[3, 5]]


def test_a_bare_surface_that_sways_is_told_by_its_dice(film):
    film.roll_in(A, B, C)
    for k in range(2 * FPS):
        by = 0.5 * SIDE * sin(2 * pi * k / FPS)
        film.frame([moved(A, by), moved(B, by), moved(C, by)])

    assert film.values == [[3, 5, 6]]


def test_one_die_that_moves_among_others_is_no_sway(film):
    film.roll_in(A, B, C)
    for k in range(2 * FPS):
        film.frame([A, B, moved(C, 0.08 * SIDE * k)], moving=blocks(C))

    assert film.values == []


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
    film.roll_in(A, B, C)
    film.rest(0.6, A, B, C)
    for left, taken in (((A, B), C), ((A,), B), ((), A)):
        film.take(*left, taken=(taken,))
        film.rest(0.8, *left)

    assert film.values == [[3, 5, 6]]


def test_a_die_put_aside_while_others_are_in_hand_is_no_roll(film):
    film.roll_in(A, B, C)
    film.rest(0.6, A, B, C)
    film.take(A, taken=(B, C))
    aside = moved(A, 250)
    film.take(taken=(A, aside))
    film.rest(1.0, aside)

    assert film.values == [[3, 5, 6]]


def test_a_die_that_a_hand_uncovers_is_no_roll(film):
    film.roll_in(A, B)
    film.rest(0.6, A, B)
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


def test_a_die_knocked_over_before_all_rest_counts_as_it_lies_then(film):
    film.roll_in(A)
    film.rest(0.15, A)
    knocked = die(6, 345, 205, 10)
    film.roll_in(knocked, B)
    film.rest(1.0, knocked, B)

    assert film.values == [[5, 6]]


def test_a_die_thrown_on_the_table_that_knocks_another_over_makes_one_roll_of_both(film):
    film.roll_in(A)
    film.rest(0.6, A)
    knocked = die(6, 345, 205, 10)
    film.roll_in(knocked, B)
    film.rest(1.0, knocked, B)

    assert film.values == [[3], [5, 6]]


def leaned(piece: Piece, x: float, y: float) -> Piece:
    """Return a die whose face is seen narrower, as on one that leans."""
    middle = piece.quad.center
    corners = [
        (middle[0] + x * (px - middle[0]), middle[1] + y * (py - middle[1]))
        for px, py in piece.quad.corners
    ]
    a, b, c, d = corners
    return replace(piece, quad=Quad((a, b, c, d)))


def test_a_die_that_leans_holds_the_roll_back_until_it_lies_flat(film):
    others = die(3, 300, 200), die(5, 420, 260), die(6, 360, 400), die(1, 700, 500)
    leans = leaned(die(2, 560, 330), 0.55, 1.2)
    film.roll_in(*others, leans)
    film.rest(2.0, *others, leans)

    assert film.values == []

    film.take(*others, taken=(leans,))
    film.rest(1.0, *others, die(2, 575, 330, 40))

    assert film.values == [[1, 2, 3, 5, 6]]


def test_a_nudge_is_no_roll(film):
    film.roll_in(A, B)
    film.rest(0.6, A, B)
    film.take(B, taken=(A,))
    film.rest(1.0, moved(A, 25, 10), B)

    assert film.values == [[3, 5]]


def test_a_camera_or_a_tray_that_is_pushed_makes_no_roll_of_its_dice(film):
    film.roll_in(A, B)
    film.rest(0.6, A, B)
    pushed = moved(A, 70, 45), moved(B, 70, 45)
    film.frame(moving=blocks(A, B, *pushed))
    film.frame(moving=blocks(A, B, *pushed))
    film.rest(1.0, *pushed)

    assert film.values == [[3, 5]]


def test_the_same_values_thrown_to_lie_otherwise_are_a_roll(film):
    film.roll_in(A, B)
    film.rest(0.6, A, B)
    again = moved(A, 70, 45), die(5, 390, 420, 33)
    film.roll_in(*again)
    film.rest(1.0, *again)

    assert film.values == [[3, 5], [3, 5]]


def test_what_a_hand_takes_or_turns_over_has_changed_and_what_it_covers_has_not(film):
    film.roll_in(A, B, C)
    film.rest(0.6, A, B, C)
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
    film.roll_in(lay)
    film.rest(1.0, lay)
    film.take(taken=[lay])
    film.rest(1.0)
    assert film.watch.changed

    film.take(taken=[put])
    film.rest(1.0, put)

    assert film.watch.changed
    assert [one.piece.values for one in film.watch.lying] == [(2,)]


def test_the_same_value_thrown_again_is_a_roll(film):
    film.roll_in(A)
    film.rest(0.6, A)
    film.take(taken=(A,))
    film.rest(0.5)
    again = die(3, 500, 380, 33)
    film.roll_in(again)
    film.rest(1.0, again)

    assert film.values == [[3], [3]]


def test_some_dice_thrown_again_make_a_roll_of_all_that_lie_there(film):
    film.roll_in(A, B, C)
    film.rest(0.6, A, B, C)
    film.take(A, taken=(B, C))
    film.rest(0.4, A)
    again = die(2, 500, 300, 70), die(1, 450, 420, 5)
    film.roll_in(*again)
    film.rest(1.0, A, *again)

    assert film.values == [[3, 5, 6], [1, 2, 3]]


def test_three_dice_that_show_the_same_again_are_a_roll_if_no_hand_laid_them_there(film):
    again = die(6, 520, 210, 33), die(3, 560, 330, 70), die(5, 480, 420, 5)
    film.roll_in(A, B, C)
    film.rest(0.6, A, B, C)
    film.take(taken=(A, B, C))
    film.roll_in(*again)
    film.rest(1.0, *again)

    assert film.values == [[3, 5, 6], [3, 5, 6]]


def test_fewer_dice_that_show_what_lay_there_are_a_roll_if_no_hand_laid_them_there(film):
    again = die(3, 560, 330, 70), die(5, 480, 420, 5)
    film.roll_in(A, B, C)
    film.rest(0.6, A, B, C)
    film.take(taken=(A, B, C))
    film.roll_in(*again)
    film.rest(1.0, *again)

    assert film.values == [[3, 5, 6], [3, 5]]


def test_dice_that_a_hand_lays_in_order_are_no_roll(film):
    in_order = die(3, 500, 200), die(5, 550, 200), die(6, 600, 200)
    film.roll_in(A, B, C)
    film.rest(0.6, A, B, C)
    film.take(taken=(A, B, C))
    for k in range(3):
        film.take(*in_order[:k], taken=in_order[k:])
    film.rest(1.0, *in_order)

    assert film.values == [[3, 5, 6]]


def closer(film: FakeFrames, seconds: float, quick: Sequence[Piece], near: Sequence[Piece]) -> None:
    """Let dice lie that quick looks see as *quick* and closer ones as *near*."""
    for _ in range(round(seconds * FPS)):
        is_close = film.watch.waiting == "doubt"
        film.frame(reading=FrameReading(tuple(near if is_close else quick), thorough=is_close))


def test_dice_too_small_for_quick_looks_are_found_before_a_table_is_taken_for_bare(film):
    film.roll_in(A, B)
    closer(film, 0.8, (), (A, B))

    assert film.values == [[3, 5]]
    assert film.rolls[0].sure


def test_a_roll_is_told_as_closer_looks_have_it(film):
    film.roll_in(A, B)
    closer(film, 0.8, (die(2, 300, 200), B), (A, B))

    assert film.values == [[3, 5]]
    assert film.rolls[0].sure


def test_what_quick_looks_alone_take_for_a_die_is_none(film):
    doubtful = die(5, 420, 260, 20, confidence=0.6, sure=False)
    film.roll_in(A, B)
    closer(film, 1.0, (A, doubtful), (A,))

    assert film.values == [[3]]


def test_a_die_that_closer_looks_see_now_and_then_is_doubtful_and_not_lost(film):
    film.roll_in(A, B)
    for k in range(FPS):
        is_close = film.watch.waiting == "doubt"
        seen = (A,) if is_close and k % 3 else (A, B)
        film.frame(reading=FrameReading(seen, thorough=is_close))

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
    film.roll_in(A, B, C)
    film.rest(0.6, A, B, C)
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
    film.roll_in(A, B, C)
    film.rest(0.6, A, B, C)
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
    film.roll_in(A, B)
    film.rest(0.6, A, B)
    over = {"moving": blocks(B), "hand": (*blocks(B), (0.0, 0.0))}
    for pieces, told in (*[((A,), over)] * 4, ((A, B), {"moving": blocks(B)}), ((A, B), {})):
        film.now_s += 0.25 - 1 / FPS
        film.frame(pieces, **told)
        assert len(film.watch.lying or ()) == 2

    assert film.watch.waiting == ""


def every_quarter_second(film, *frames):
    for pieces, told in frames:
        film.now_s += 0.25 - 1 / FPS
        film.frame(pieces, **told)


def test_a_die_that_a_hand_just_uncovers_is_waited_for_though_others_rest(film):
    film.roll_in(A, B, C)
    film.rest(0.6, A, B, C)
    hand = {"moving": ((20.0, 20.0),), "hand": ((20.0, 20.0),)}

    for pieces in (*[(A, C)] * 2, *[(A, B, C)] * 3):
        every_quarter_second(film, (pieces, hand))
        assert len(film.watch.lying or ()) == 3


def test_a_glint_on_one_frame_changes_nothing(film):
    film.roll_in(A, B)
    for k in range(FPS):
        film.frame([die(4, 300, 200, confidence=0.5, sure=False) if k == 3 else A, B])

    assert film.values == [[3, 5]]


def test_a_die_misread_later_where_it_lies_is_no_roll(film):
    film.roll_in(A, B)
    film.rest(0.6, A, B)
    film.take(A, B, seconds=0.3)
    film.rest(1.0, die(4, 300, 200), B)

    assert film.values == [[3, 5]]


def test_a_die_overlooked_at_first_is_no_roll_of_its_own(film):
    film.roll_in(A, B)
    film.rest(0.6, A)
    film.rest(1.0, A, B)

    assert len(film.rolls) == 1


def test_a_doubtful_rest_is_looked_at_thoroughly_and_told_as_doubtful_within_a_second(film):
    doubtful = die(3, 300, 200, confidence=0.6, sure=False)
    film.roll_in(doubtful)
    rested_s = film.now_s
    film.rest(0.5, doubtful)

    assert film.watch.waiting == "doubt"

    film.rest(1.0, doubtful)

    assert film.values == [[3]]
    assert not film.rolls[0].sure
    assert film.rolls[0].time_s - rested_s <= 1.0


def test_a_doubtful_rest_that_a_hand_ends_is_told_and_not_lost(film):
    doubtful = die(3, 300, 200, confidence=0.6, sure=False)
    film.roll_in(doubtful)
    film.rest(0.45, doubtful)
    film.take(taken=(doubtful,))
    film.rest(0.5)

    assert film.values == [[3]]
    assert not film.rolls[0].sure


def test_a_doubtful_rest_with_which_a_video_ends_is_told(film):
    doubtful = die(3, 300, 200, confidence=0.6, sure=False)
    film.roll_in(doubtful)
    film.rest(0.45, doubtful)

    last = finish(film.watch)

    assert last is not None
    assert [piece.values for piece in last.pieces] == [(3,)]
    assert not last.sure


def test_a_video_that_ends_after_a_roll_tells_it_no_second_time(film):
    film.roll_in(A)
    film.rest(0.6, A)

    assert finish(film.watch) is None


def test_two_thorough_looks_make_a_doubtful_die_clear(film):
    doubtful = die(3, 300, 200, confidence=0.6, sure=False)
    film.roll_in(doubtful)
    film.rest(0.35, doubtful)
    film.frame(reading=FrameReading((A,), thorough=True))
    film.frame(reading=FrameReading((A,), thorough=True))

    assert film.values == [[3]]
    assert film.rolls[0].sure


def test_a_frame_that_says_nothing_new_tells_nothing_twice(film):
    film.roll_in(A, B)
    film.rest(10.0, A, B)

    assert len(film.rolls) == 1


# ---------------------------------------------------------------- what cannot be read


def test_what_rests_and_is_not_read_is_told_once_with_its_place_and_no_value(film):
    film.roll_in(A)
    rested_s = film.now_s

    film.rest(3.0, strange=(A.quad,))

    assert film.values == [[]]
    assert not film.rolls[0].sure
    assert film.rolls[0].unread == (A.quad,)
    assert 0.7 < film.rolls[0].time_s - rested_s < 1.0


def test_what_is_not_read_beside_dice_that_lay_there_is_told_with_them(film):
    film.roll_in(A)
    film.rest(1.0, A)
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
    film.roll_in(A)
    film.rest(1.0, A)
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
