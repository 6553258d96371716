"""The peg track: where pegs stand, how far a track goes, and when there is none."""

from __future__ import annotations

import pytest

from webui.pages.drawings.pegs import MARGIN, pegs

TWO = ("Ana", "Ben")


def test_a_peg_stands_at_the_score_and_one_where_it_was_before() -> None:
    track = pegs(TWO, (34, 22), (4, 0), 50)

    assert track is not None
    first, second = track.lanes
    assert first.front - first.back == pytest.approx(4 * track.hole, abs=0.1)
    assert second.front == second.back
    assert first.front > second.front
    assert track.says == "Race to 50: Ana 34, Ben 22"
    assert [points for _, points in track.labels] == [10, 20, 30, 40, 50]


def test_who_is_past_the_end_or_before_the_beginning_stays_on_the_track() -> None:
    track = pegs(TWO, (156, -12), (150, -4), 100)

    assert track is not None
    assert track.lanes[0].front == track.right
    assert track.lanes[1].front == track.lanes[1].back == MARGIN


def test_a_long_race_has_a_hole_for_several_points() -> None:
    track = pegs(TWO, (450, 10000), (450, 0), 10000)

    assert track is not None
    assert track.hole == (track.right - MARGIN) / 50
    assert all(0 < x < track.width for x, _ in track.labels)


def test_without_an_end_the_track_goes_a_little_beyond_the_best() -> None:
    track = pegs(TWO, (21, 19), (0, 2), None)

    assert track is not None
    assert not track.home
    assert track.labels[-1][1] == 25
    assert pegs(TWO, (0, 0), (0, 0), None) is None


def test_so_many_players_have_a_table_and_no_track() -> None:
    assert pegs([f"P{at}" for at in range(11)], [1] * 11, [0] * 11, 50) is None
