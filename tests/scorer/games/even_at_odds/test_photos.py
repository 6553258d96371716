"""Even at Odds read off photos: what was laid, what is doubtful, what cannot be."""

import random
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scorer import Proposal, Table
from scorer import table as on_table
from scorer.dominoes import Lay
from scorer.games.even_at_odds.moves import Draw, Flip, Show
from tests.grids import tries
from tests.scorer.games.at_odds import (
    BASE,
    LEVEL,
    SIX_FOUR,
    SIX_TWO,
    SOLO,
    after,
    alone,
    dealt,
    eo,
    finished,
    lay,
    of_kind,
    tile,
    tiles,
)
from tests.scorer.games.even_at_odds.photographed import NOTHING, doubts, photo, plus, sentences


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("shift", [(0, 0), (5, -3)])
def test_the_new_tile_is_found_however_the_photo_lies(turns, shift):
    built = (*BASE, SIX_TWO)

    found = eo.observe(dealt(SIX_TWO), photo((*built, SIX_FOUR), turns, *shift))

    assert found == Proposal((SIX_FOUR,))


def random_turn(seed):
    """A state of random play, a move of it, and a photo taken after that move from anywhere."""
    chance, state = random.Random(seed), dealt()
    for _ in range(chance.randrange(20)):
        state = eo.apply(state, chance.choice(of_kind(state, Lay)))
    move = chance.choice(of_kind(state, Lay))
    frame = chance.randrange(4), chance.randrange(-9, 9), chance.randrange(-9, 9)
    return chance, state, move, photo((*state.laid, move), *frame)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=tries(40), deadline=None)
def test_every_turn_of_a_random_game_is_read_off_its_photo(seed):
    _, state, move, table = random_turn(seed)

    found = eo.observe(state, table)

    assert found.moves == (move,)
    assert not found.differences
    assert all("exactly what was there before" in said for said in doubts(found))


@given(seed=st.integers(0, 10**6))
@settings(max_examples=tries(60), deadline=None)
@example(seed=443361)  # read as the very tile that lies covered there
def test_a_misread_tile_never_gives_a_wrong_move_without_a_word(seed):
    chance, state, move, table = random_turn(seed)
    read = list(table.tiles)
    place = chance.randrange(len(read))
    true = read[place].halves
    wrong = chance.choice([(true[0], n) for n in range(7) if n != true[1]])
    read[place] = replace(read[place], halves=wrong, confidence=0.6, others=((true, 0.3),))

    found = eo.observe(state, Table(tiles=tuple(read)))

    assert found.doubts or found.differences
    named = {doubt.piece for doubt in found.doubts} | {d.piece for d in found.differences}
    assert found.moves == (move,) or ("tiles", place) in named


def test_nothing_new_is_nothing_proposed():
    state = dealt(SIX_TWO)

    assert eo.observe(state, photo(state.laid)) == NOTHING


def test_of_two_tiles_at_once_nobody_is_asked_which_was_first_as_the_board_is_the_same():
    found = eo.observe(dealt(SIX_TWO), photo((*BASE, SIX_TWO, LEVEL, SIX_FOUR)))

    assert found.moves in ((SIX_FOUR, LEVEL), (LEVEL, SIX_FOUR))
    assert doubts(found) == []


def test_a_tile_whose_support_was_not_confirmed_asks_for_the_one_before_it():
    on_top = lay("6-0", (0, 2), (0, 3))  # over 2-6 and over half of a 4-6 nobody confirmed

    hidden = eo.observe(dealt(SIX_TWO), photo((*BASE, SIX_TWO, SIX_FOUR, on_top)))

    assert hidden.moves == ()
    assert sentences(hidden) == [
        "0-6 would lie at two heights, 1 and 2; was a tile laid before it?"
    ]


@pytest.mark.parametrize("turns", range(4))
def test_a_tile_under_one_that_nobody_confirmed_is_said_to_be_covered(turns):
    hides, on_top = lay("5-4", (1, 3), (2, 3)), lay("2-5", (1, 2), (1, 3))
    table = photo((*BASE, SIX_TWO, hides, on_top), turns)

    found = eo.observe(dealt(SIX_TWO), table)

    assert sentences(found) == [
        "2-5 would lie at two heights, 1 and 2; was a tile laid before it, over 4-4?"
    ]


def test_a_tile_laid_against_another_new_one_comes_after_it():
    first, second = lay("1-5", (0, -1), (0, -2)), lay("5-3", (0, -3), (0, -4))

    found = eo.observe(dealt(), photo((*BASE, second, first)))

    assert found == Proposal((first, second))


def test_known_hands_tell_whose_tile_came_first():
    other = lay("4-3", (2, 4), (2, 5))
    both = photo((*BASE, LEVEL, other))

    assert doubts(eo.observe(dealt(), both)) == []  # nobody's hand is known: the board is the same
    assert eo.observe(dealt(Show(0, (3, 4))), both) == Proposal((other, LEVEL))


def test_of_two_new_tiles_the_one_that_fits_nowhere_is_named():
    wrong = lay("3-5", (0, 4), (0, 5))

    found = eo.observe(dealt(), photo((*BASE, LEVEL, wrong)))

    assert found.moves == (LEVEL,)
    assert sentences(found) == [
        "neither half of 3-5 touches its own number; was a tile laid before it?"
    ]
    assert found.differences[0].piece == ("tiles", 7)


def test_a_reading_is_repaired_by_the_rules_with_a_doubt():
    misread = on_table.Tile((1, 3), LEVEL.cells[::1], confidence=0.6, others=(((1, 2), 0.3),))
    illegal = on_table.Tile((5, 3), LEVEL.cells, confidence=0.6, others=(((1, 2), 0.3),))

    fits = eo.observe(dealt(), plus(photo(BASE), misread))
    repaired = eo.observe(dealt(), plus(photo(BASE), illegal))

    assert fits.moves == (lay("1-3", (0, -1), (1, -1)),)
    assert doubts(fits) == ["treated as 1-3, but 1-2 is possible too"]
    assert repaired.moves == (LEVEL,)
    assert doubts(repaired) == [
        "treated as 1-2: it looks like 3-5, but neither half of 3-5 touches its own number"
    ]
    assert repaired.doubts[0].piece == ("tiles", 6)


def test_a_tile_that_is_laid_already_is_repaired_too():
    twin = on_table.Tile((1, 1), LEVEL.cells, confidence=0.6, others=(((1, 2), 0.3),))

    found = eo.observe(dealt(), plus(photo(BASE), twin))

    assert found.moves == (LEVEL,)
    assert doubts(found) == ["treated as 1-2: it looks like 1-1, but 1-1 is already on the table"]


def test_a_stack_misread_as_just_what_it_covers_is_repaired():
    below = lay("2-3", (3, 1), (3, 0))
    over = lay("6-3", (3, 0), (2, 0))  # covers a 3 of 3-3 and the 3 of 2-3
    built = photo((*BASE, below, over)).tiles
    misread = on_table.Tile((3, 3), over.cells, confidence=0.6, others=((over.tile, 0.3),))

    found = eo.observe(dealt(below), Table(tiles=(*built[:-1], misread)))

    assert found.moves == (over,)
    assert doubts(found) == ["treated as 3-6: it looks like 3-3, but 3-3 is already on the table"]


def test_two_tiles_beside_the_foundation_are_the_flip():
    flipped = on_table.Tile((5, 6), ((9, 0), (9, 1))), on_table.Tile((6, 4), ((9, 4), (9, 5)))

    found = eo.observe(after(), plus(photo(BASE), *flipped))

    assert found.moves == (Flip((5, 6), (4, 6)),)
    assert doubts(found) == ["does 5-6 belong to player 1 and 4-6 to player 2?"]
    again = eo.observe(after(Flip((2, 5), (3, 4))), Table(tiles=flipped))
    assert again.moves == found.moves
    assert sentences(eo.observe(after(), plus(photo(BASE), flipped[0]))) == [
        "each player flips one tile; 1 new tile was found"
    ]


def test_a_foundation_that_lies_otherwise_is_told_before_the_start():
    other = Table(tiles=(*photo(BASE).tiles[:5], on_table.Tile((4, 4), ((3, 0), (3, 1)))))

    assert sentences(eo.observe(after(), other)) == ["4-4 has been moved"]
    assert eo.observe(after(), photo(BASE)) == NOTHING
    assert sentences(eo.observe(after(), Table())) == ["the foundation cannot be seen"]
    over = [replace(one, cells=tuple((r, -c) for r, c in one.cells)) for one in photo(BASE).tiles]
    assert "is mirrored" in sentences(eo.observe(after(), Table(tiles=tuple(over))))[0]


def test_solo_three_new_tiles_are_the_draw_and_the_helper_is_none():
    helper = on_table.Tile((0, 0), ((6, 6), (6, 7)))
    drawn = [on_table.Tile(tile(n), ((9, c), (9, c + 1))) for n, c in (("4-6", 0), ("1-1", 4))]
    laid = lay("2-3", (1, -1), (1, -2))

    found = eo.observe(after(seats=1), plus(photo((*SOLO, laid)), helper, *drawn))

    assert found == Proposal((Draw(tiles("1-1 2-3 4-6")), laid))
    assert eo.observe(after(seats=1), plus(photo(SOLO), helper)) == NOTHING
    short = eo.observe(after(seats=1), plus(photo(SOLO), *drawn))
    assert sentences(short) == ["you draw three tiles in a turn; 2 new tiles were found"]


def test_solo_tiles_of_the_hand_may_wait_beside_the_board():
    state = alone(SOLO, "1-1 2-3 4-6", 18)
    laid = lay("2-3", (1, -1), (1, -2))
    waiting = [on_table.Tile(tile(n), ((9, c), (9, c + 1))) for n, c in (("4-6", 0), ("1-1", 4))]
    stranger = on_table.Tile((5, 5), ((9, 8), (9, 9)))

    found = eo.observe(state, plus(photo((*SOLO, laid)), *waiting))
    odd_one = eo.observe(state, plus(photo(SOLO), *waiting, stranger))

    assert found == Proposal((laid,))
    assert doubts(odd_one) == ["5-5 lies apart from the others and does not count"]


def test_a_drawn_tile_read_as_one_that_is_out_is_repaired():
    drawn = [
        on_table.Tile((0, 6), ((9, 0), (9, 1)), confidence=0.6, others=(((6, 6), 0.3),)),
        on_table.Tile((1, 1), ((9, 4), (9, 5))),
        on_table.Tile((1, 2), ((9, 8), (9, 9))),
    ]

    found = eo.observe(after(seats=1), plus(photo(SOLO), *drawn))

    assert found.moves == (Draw(tiles("1-1 1-2 6-6")),)
    assert doubts(found) == ["treated as 6-6: it looks like 0-6, but none of those is left"]


def test_nothing_is_read_once_the_match_is_over():
    over = finished(0, 0, match="best_of_three")

    assert sentences(eo.observe(over, photo(BASE))) == ["the game is over"]
    assert eo.legal_moves(over) is not None
    assert list(eo.legal_moves(over)) == []


def test_the_camera_looks_for_the_tiles_as_they_lie():
    wanted = eo.equipment(dealt(SIX_TWO))

    assert wanted.tiles
    tiles = wanted.spots[0].table.tiles
    assert tiles[-1] == on_table.Tile((2, 6), ((1, 2), (0, 2)), 2)
    assert [one.level for one in tiles] == [1] * 6 + [2]
