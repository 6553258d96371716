"""A camera of few frames, as on a busy machine: what it cannot see it asks about."""

import pytest

from tests.vision.watch.fake_frames import FPS, A, B, C, FakeFrames, blocks, die, moved
from vision.watch.settling import finish
from vision.watch.state import as_json, doubt


class SlowFrames(FakeFrames):
    """A camera of *rate* frames a second before which pieces come, lie and are taken."""

    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def frame(self, pieces=(), **changes):
        super().frame(pieces, **changes)
        self.now_s += 1 / self.rate - 1 / FPS

    def show(self, frames, *pieces, before=()):
        """Show pieces; on the first frame those *before* have changed into them."""
        for k in range(frames):
            self.frame(pieces, moving=() if k else blocks(*before, *pieces))

    def gap(self, seconds):
        """Show nothing for a time."""
        self.now_s += seconds - 1 / self.rate

    def throw(self, frames, *pieces):
        """Show the pieces on a number of *frames*, and then the bare table."""
        self.show(frames, *pieces)
        self.show(4, before=pieces)

    def bare(self):
        self.show(4)
        return self


@pytest.mark.parametrize("rate", [3, 2, 1])
def test_dice_that_rest_for_as_long_as_is_asked_are_counted_by_the_slowest_camera(rate):
    film = SlowFrames(rate).bare()
    film.throw(6, A, B)
    leave_s = film.watch.pace.leave_s
    film.throw(round(leave_s * rate), C)

    assert film.values == [[3, 5], [6]]
    assert not any(roll.brief for roll in film.rolls)


@pytest.mark.parametrize("rate", [3, 2, 1])
def test_dice_that_two_frames_show_in_their_places_are_not_lost(rate):
    film = SlowFrames(rate).bare()

    film.throw(2, A, B)

    assert film.values == [[3, 5]]


def test_dice_that_a_hand_takes_after_two_frames_are_asked_about():
    film = SlowFrames(2).bare()
    film.frame([A, B], moving=blocks(A, B, C), hand=blocks(C))
    film.frame([A, B], moving=blocks(C), hand=blocks(C))
    film.frame(moving=blocks(A, B), hand=blocks(A, B))
    film.show(4)

    assert film.values == [[3, 5]]
    assert [(roll.sure, roll.brief) for roll in film.rolls] == [(False, True)]
    assert doubt(film.rolls[0]).endswith("Were they thrown?")


def test_a_slow_camera_asks_about_dice_that_came_to_rest_elsewhere_with_the_same_values():
    """They may have been thrown, or the table was pushed: too few frames tell which."""
    film = SlowFrames(2).bare()
    film.show(6, A, B)
    film.frame(moving=blocks(A, B))
    film.show(6, moved(A, y=140), moved(B, y=140), before=(A, B))

    assert film.values == [[3, 5], [3, 5]]
    assert [(roll.sure, roll.again) for roll in film.rolls] == [(True, False), (False, True)]


def test_dice_that_a_slow_camera_reads_late_are_a_roll():
    film = SlowFrames(2).bare()
    film.show(3, before=(A, B))
    film.show(4)
    film.frame(moving=blocks(A, B))
    for _ in range(3):
        film.frame()
    for _ in range(4):
        film.frame([A, B])

    assert film.values == [[3, 5]]


def test_a_die_whose_fellow_is_found_late_is_no_roll_of_its_own():
    film = SlowFrames(3).bare()
    film.frame([A], moving=blocks(A, B))
    film.frame([A], moving=blocks(B))
    for _ in range(5):
        film.frame([A, B])

    assert film.values == [[3, 5]]
    assert film.rolls[0].sure


def test_dice_that_are_seen_on_their_way_are_no_roll():
    film = SlowFrames(3).bare()
    for x in (100, 160, 220):
        film.frame([die(3, x, 200)], moving=blocks(A))
    film.show(5, A, before=(A,))

    assert film.values == [[3]]
    assert film.rolls[0].sure


def test_a_roll_that_falls_between_two_frames_is_asked_about_with_the_next():
    film = SlowFrames(15).bare()
    film.frame(moving=blocks(A))  # dice come rolling
    film.gap(1.9)  # they rest, and a hand comes
    for _ in range(4):
        film.frame(moving=blocks(A), hand=blocks(A))
        last = finish(film.watch)
        assert (last.pieces, last.sure, len(last.unseen)) == ((), False, 1)  # at the end too
    film.show(8)
    film.throw(12, C)

    assert film.values == [[6]]
    ((begin, end),) = film.rolls[0].unseen
    assert end - begin == pytest.approx(1.9, abs=0.1)
    assert not film.rolls[0].sure
    assert as_json(film.rolls[0])["doubt"] == (
        "Nothing was seen for 2 s. Was there a roll in between?"
    )


@pytest.mark.parametrize(
    ("gap_s", "pieces", "moves", "asked"),
    [
        (1.9, (), False, False),  # nothing came or went
        (2.6, (), False, True),  # thrown, taken and put away
        (9.0, (A,), False, False),  # it lies there yet
        (9.0, (A,), True, False),  # a hand comes, and it lies there yet
        (0.6, (), True, False),
    ],
)
def test_a_gap_is_asked_about_only_if_a_roll_may_have_been_lost_in_it(gap_s, pieces, moves, asked):
    film = SlowFrames(15).bare()
    film.show(12, *pieces)
    film.gap(gap_s)
    film.frame(pieces, moving=((20.0, 20.0),) if moves else ())
    film.rest(1.0, *pieces)

    assert bool(film.watch.pace.unseen) == asked


@pytest.mark.parametrize(("rate", "said", "leave_s"), [(15, 0, 0), (3, 3, 2), (2, 2, 3), (1, 1, 5)])
def test_a_camera_knows_its_rate_and_for_how_long_dice_must_lie(rate, said, leave_s):
    film = SlowFrames(rate)
    for _ in range(8):
        film.frame(moving=blocks(A))

    assert film.watch.pace.rate == pytest.approx(said)
    assert film.watch.pace.leave_s == leave_s


def test_a_camera_that_looks_seldom_while_nothing_happens_is_not_slow():
    film = SlowFrames(15).bare()
    film.show(12, A)
    film.rate = 1
    for _ in range(10):
        film.frame([A])

    assert film.watch.pace.rate == 0
