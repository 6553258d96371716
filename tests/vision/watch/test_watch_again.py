"""A die that was taken up and thrown to lie where it lay, showing the same, is another roll."""

import numpy as np
import pytest

from tests.grids import combined, few
from tests.vision.watch.fake_frames import A, B, C, bare_table, die, moved
from tests.vision.watch.throws import FPS, SIDE, _noisy, _table, _with
from vision.watch.capture import Frame
from vision.watch.watcher import Watcher
from webui.commands.watch import as_line

film = pytest.fixture(bare_table)
NEAR = [A, moved(A, 1, 2), moved(A, 20, 10), die(3, 330, 215, 50)]


@pytest.mark.parametrize("again", NEAR)
def test_what_is_thrown_where_the_bare_table_was_seen_is_a_roll(film, again):
    film.roll_in(A)
    film.rest(0.6, A)
    film.bare(1.0)
    film.roll_in(again)
    film.rest(1.0, again)

    assert film.values == [[3], [3]]
    assert film.rolls[-1].sure


@pytest.mark.parametrize("again", NEAR)
def test_what_was_only_covered_or_overlooked_there_is_none(film, again):
    film.roll_in(A)
    film.rest(0.6, A)
    film.rest(1.0)
    film.roll_in(again)
    film.rest(1.0, again)

    assert film.values == [[3]]


def test_one_of_three_thrown_again_to_its_place_is_a_roll(film):
    film.roll_in(A, B, C)
    film.rest(0.6, A, B, C)
    film.take(B, C, taken=(A,))
    film.bare(0.6, B, C)
    film.roll_in(moved(A, 8, 8))
    film.rest(1.0, moved(A, 8, 8), B, C)

    assert film.values == [[3, 5, 6], [3, 5, 6]]


def test_what_a_hand_takes_up_and_puts_back_is_asked_about(film):
    film.roll_in(A)
    film.rest(0.6, A)
    film.take(taken=(A,))
    film.bare(0.6)
    film.take(taken=(A,))
    film.rest(1.0, A)

    assert film.values == [[3], [3]]
    assert not film.rolls[-1].sure
    assert "shows the same as before. Was it thrown again?" in as_line(film.rolls[-1])


def test_one_of_three_that_a_hand_puts_back_is_no_roll(film):
    film.roll_in(A, B, C)
    film.rest(0.6, A, B, C)
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
    film.roll_in(A)
    film.rest(1.0, A)

    assert film.values == [[3]]


# ---------------------------------------------------------------- drawn, and read by the eyes


PLACE = 320.0, 240.0


def drawn(x, y, turn, bare_s, *, pushed=False):
    """Yield a five that slides in, lies, and comes again so many px off, or is *pushed* there."""
    rng = np.random.default_rng(3)
    table = _table(rng)

    def lying(at, turned):
        return _noisy(_with(table, (5,), [at], [turned]), rng)

    for _ in range(2 * FPS):
        yield _noisy(table, rng)
    for to, turned, way in ((PLACE, 20.0, 3.2), ((PLACE[0] + x, PLACE[1] + y), turn, 3.2)):
        for step in range(4, 0, -1):
            left = step / 4 * (np.hypot(x, y) if pushed and to != PLACE else way * SIDE)
            yield lying((to[0] - left, to[1] - left / 2), turned + 25 * step * (not pushed))
        for _ in range(25):
            yield lying(to, turned)
        for _ in range(round(bare_s * FPS) if to == PLACE and not pushed else 0):
            yield _noisy(table, rng)


def rolls(pictures):
    watcher = Watcher()
    settled = (watcher.step(Frame(bgr, n, n / FPS)) for n, bgr in enumerate(pictures))
    return [roll for roll in settled if roll is not None]


@pytest.mark.release
@pytest.mark.parametrize(
    ("aside", "turn"), few(combined([(0, 0), (20, 10), (60, 30)], [20.0, 65.0]))
)
def test_the_eyes_tell_the_same_five_thrown_again_near_its_place(aside, turn):
    rolled = rolls(drawn(*aside, turn, bare_s=1.0))

    assert [[piece.values for piece in roll.pieces] for roll in rolled] == [[(5,)], [(5,)]]


@pytest.mark.release
def test_the_eyes_tell_no_roll_of_a_die_that_is_pushed():
    assert len(rolls(drawn(40, 20, 20.0, bare_s=0.0, pushed=True))) == 1
