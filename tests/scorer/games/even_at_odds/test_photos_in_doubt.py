"""Even at Odds: photos with tiles that went, lie oddly, or cannot be what they seem."""

import random
from dataclasses import replace

import pytest

from scorer import Proposal, Table
from scorer import table as on_table
from scorer.dominoes import Lay, surface
from scorer.games.even_at_odds.photo import IDS
from scorer.photo.dominoes import compared, lying
from tests.scorer.games.at_odds import BASE, LEVEL, SIX_TWO, dealt, eo, lay, of_kind
from tests.scorer.games.even_at_odds.photographed import (
    NOTHING,
    doubts,
    photo,
    plus,
    sentences,
    shot,
)


def test_an_unlikely_second_reading_is_not_worth_a_doubt():
    sure = on_table.Tile((1, 2), LEVEL.cells, confidence=0.97, others=(((1, 3), 0.01),))

    assert eo.observe(dealt(), plus(photo(BASE), sure)) == Proposal((LEVEL,))


def test_a_known_tile_misread_is_taken_as_what_lies_there():
    whole = photo(BASE).tiles
    four_four = on_table.Tile((4, 5), whole[5].cells, confidence=0.7, others=(((4, 4), 0.2),))

    found = eo.observe(dealt(), Table(tiles=(*whole[:5], four_four)))
    other = eo.observe(dealt(), Table(tiles=(*whole[:5], on_table.Tile((4, 5), whole[5].cells))))

    assert doubts(found) == ["4-5 was read where 4-4 lies; treated as 4-4"]
    assert not found.differences
    assert sentences(other) == ["4-5 was read where 4-4 lies"]


def test_a_tile_that_has_gone_or_was_moved_is_told():
    whole = photo(BASE).tiles
    elsewhere = on_table.Tile((4, 4), ((3, 0), (3, 1)))

    gone = eo.observe(dealt(), Table(tiles=whole[:5]))
    moved_tile = eo.observe(dealt(), Table(tiles=(*whole[:5], elsewhere)))

    assert sentences(gone) == ["4-4 is no longer where it was"]
    assert sentences(moved_tile) == ["4-4 has been moved"]


def test_a_tile_taken_off_a_stack_is_told():
    found = eo.observe(dealt(SIX_TWO), photo(BASE))

    assert sentences(found) == ["2-6 is no longer where it was"]


def test_a_tile_seen_twice_is_an_error():
    twin = on_table.Tile((4, 4), ((3, 0), (3, 1)))
    fresh = on_table.Tile((1, 2), ((4, 0), (4, 1)))

    assert sentences(eo.observe(dealt(), plus(photo(BASE), twin))) == [
        "4-4 was read twice, but the box holds only one"
    ]
    found = eo.observe(dealt(), plus(photo((*BASE, LEVEL)), replace(fresh, cells=((3, 0), (3, 1)))))
    assert found.moves == (LEVEL,)
    assert sentences(found) == ["1-2 is already on the table"]


def test_a_tile_lying_apart_is_left_out():
    apart = on_table.Tile((3, 5), ((9, 9), (9, 10)))

    found = eo.observe(dealt(), plus(photo((*BASE, LEVEL)), apart))

    assert found.moves == (LEVEL,)
    assert doubts(found) == ["3-5 lies apart from the others and does not count"]


def test_the_bare_halves_of_two_tiles_taken_for_one_are_no_new_tile():
    over = lay("2-3", (1, 1), (2, 1))  # leaves a bare 2 and a bare 3, one above the other
    other = lay("2-4", (1, 1), (2, 1))
    seam = (1, 0), (2, 0)

    laid_already = plus(photo((*BASE, over)), on_table.Tile((2, 3), seam))
    on_level_1 = plus(photo((*BASE, other)), on_table.Tile((2, 3), seam, level=1))
    unsure = plus(photo((*BASE, other)), on_table.Tile((2, 3), seam))

    assert eo.observe(dealt(over), laid_already) == NOTHING
    assert eo.observe(dealt(other), on_level_1) == NOTHING
    assert doubts(eo.observe(dealt(other), unsure)) == [
        "2-3 shows exactly what was there before: is it a new tile?"
    ]


def test_a_tile_over_its_own_numbers_is_asked_about():
    over = lay("1-6", (0, 1), (0, 2))

    found = eo.observe(dealt(), photo((*BASE, over)))

    assert found.moves == (over,)
    assert doubts(found) == ["1-6 shows exactly what was there before: is it a new tile?"]


def test_a_tile_over_its_own_numbers_that_is_seen_higher_asks_nothing():
    over = lay("1-6", (0, 1), (0, 2))

    found = eo.observe(dealt(), plus(photo(BASE), on_table.Tile((1, 6), over.cells, level=2)))

    assert found.moves == (over,)
    assert doubts(found) == []


@pytest.mark.parametrize(
    ("other", "asked"),
    [
        ((3, 4), []),  # would lie beside the 1 and the 2 with neither number
        ((1, 4), ["was the 1-2 read correctly?"]),
    ],
)
def test_what_the_rules_forbid_makes_a_reading_no_less_likely(other, asked):
    likely = on_table.Tile((1, 2), LEVEL.cells, confidence=0.96, others=((other, 0.03),))

    found = eo.observe(dealt(), plus(photo(BASE), likely))

    assert found.moves == (LEVEL,)
    assert doubts(found) == asked


def test_a_level_that_cannot_be_is_doubted():
    found = eo.observe(dealt(), plus(photo(BASE[:1] + BASE[4:]), shot(SIX_TWO, level=3)))

    assert found.moves == (SIX_TWO,)
    assert "2-6 looks as if it is on level 3, but it would have to be on level 2" in doubts(found)


def test_a_photo_that_fits_two_ways_says_so():
    one_double = photo(BASE).tiles[:1]
    beside = on_table.Tile((1, 2), ((0, -1), (0, -2)))

    found = eo.observe(dealt(), Table(tiles=(*one_double, beside)))

    assert "the photo fits the table in more than one way; check the place" in doubts(found)


def test_a_photo_of_another_table_is_refused():
    other = Table(tiles=(on_table.Tile((1, 2), ((0, 0), (0, 1))),))

    assert sentences(eo.observe(dealt(), other)) == [
        "none of these tiles are on the table so far; is this the right table?"
    ]
    assert sentences(eo.observe(dealt(), Table())) == ["no tile was found; show the table"]


def test_many_new_tiles_are_not_guessed_at():
    chance, state = random.Random(4), dealt()
    laid = []
    while len(laid) < 5:
        flat = [m for m in of_kind(state, Lay) if m.cells[0] not in surface(state.laid)]
        laid.append(chance.choice(flat))
        state = eo.apply(state, laid[-1])

    found = eo.observe(dealt(), photo(state.laid))

    assert sentences(found) == ["5 tiles are new; enter the older ones by hand"]


STACK = tuple(
    Lay(*told)
    for told in (
        ((6, 6), ((0, 2), (0, 3))),
        ((5, 5), ((1, 2), (1, 3))),
        ((1, 1), ((0, 0), (0, 1))),
        ((0, 5), ((0, 3), (1, 3))),
        ((1, 6), ((0, 1), (0, 2))),
        ((3, 6), ((0, 3), (0, 2))),
    )
)


def test_a_tile_may_lie_two_levels_above_one_with_the_same_cells():
    in_place = compared(STACK, lying(STACK).tiles, IDS)
    from_above = compared(STACK, photo(STACK).tiles, IDS)

    for look in (in_place, from_above):
        assert not look.differences
        assert not look.doubts
        assert not look.fresh


@pytest.mark.parametrize("seed", range(12))
def test_a_board_as_it_is_known_is_in_no_doubt_in_a_match_played_at_random(seed):
    chance, state = random.Random(seed), dealt()
    while not eo.is_over(state):
        moves = of_kind(state, Lay) or list(eo.legal_moves(state))
        for spot in eo.equipment(state).spots:
            assert not spot.table.tiles or not eo.observe(state, spot.table).differences
        state = eo.apply(state, chance.choice(moves))


def test_the_buried_tile_is_not_seen_in_its_place_on_top():
    seen_wrong = replace(shot(STACK[0]), others=())
    rest = [one for one in photo(STACK).tiles if set(one.cells) != set(STACK[0].cells)]

    look = compared(STACK, [*rest, seen_wrong], IDS)

    assert [str(one.sentence) for one in look.differences] == ["6-6 was read where 3-6 lies"]
