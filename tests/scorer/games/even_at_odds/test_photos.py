"""Even at Odds read off photos: what was laid, what is doubtful, what cannot be."""

import random
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scorer import Table, Tile
from scorer.dominoes import Lay, surface
from scorer.games.even_at_odds.photo import IDS
from scorer.photo.dominoes import compared, lying
from tests.grids import tries
from tests.scorer.games.at_odds import (
    BASE,
    LEVEL,
    SIX_FOUR,
    SIX_TWO,
    after,
    dealt,
    eo,
    lay,
    of_kind,
)
from tests.scorer.games.even_at_odds.photographed import (
    AGAIN,
    BEFORE_IT,
    CASES,
    OTHER,
    SEAM,
    TWO_SIX,
    UNLIKE,
    WHOLE,
    at,
    looks,
    photo,
    shot,
)


def sentences(found):
    return [difference.sentence for difference in found.differences]


def doubts(found):
    return [doubt.sentence for doubt in found.doubts]


@pytest.mark.parametrize(("state", "table", "moves", "asks", "wrong"), CASES.values(), ids=CASES)
def test_what_is_made_of_a_photo(state, table, moves, asks, wrong):
    found = eo.observe(state, table)

    assert (found.moves, doubts(found), sentences(found)) == (moves, asks, wrong)


def random_turn(seed):
    """A state of random play, a move of it, and a photo taken after that move from anywhere."""
    chance, state = random.Random(seed), dealt()
    for _ in range(chance.randrange(20)):
        state = eo.apply(state, chance.choice(of_kind(state, Lay)))
    move = chance.choice(of_kind(state, Lay))
    turns, down, right = chance.randrange(4), chance.randrange(-9, 9), chance.randrange(-9, 9)
    return chance, state, move, photo((*state.laid, move), turns=turns, down=down, right=right)


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


@pytest.mark.parametrize(
    ("state", "pair"), [(TWO_SIX, (LEVEL, SIX_FOUR)), (dealt(), (LEVEL, OTHER))]
)
def test_of_two_tiles_at_once_nobody_is_asked_which_was_first_as_the_board_is_the_same(state, pair):
    found = eo.observe(state, photo((*state.laid, *pair)))

    assert found.moves in (pair, pair[::-1])
    assert doubts(found) == []


def test_in_which_order_two_tiles_were_laid_is_not_asked_where_the_board_is_the_same():
    both = 0
    for seed in range(tries(150)):
        chance, state, first, _photo = random_turn(seed)
        laid = eo.apply(state, first)
        if not (lays := [move for move in of_kind(laid, Lay) if move.tile != first.tile]):
            continue
        end = eo.apply(laid, chance.choice(lays))
        found = eo.observe(state, photo(end.laid))
        if len(found.moves) == 2:
            both += 1
            assert not any("in this order" in said for said in doubts(found))
            after = eo.apply(eo.apply(state, found.moves[0]), found.moves[1])
            assert eo.score(after) == eo.score(end)
            assert {*eo.legal_moves(after)} == {*eo.legal_moves(end)}

    assert both > tries(60)


def test_of_two_new_tiles_the_one_that_fits_nowhere_is_named():
    found = eo.observe(dealt(), photo((*BASE, LEVEL), at("3-5", 0, 4)))

    assert found.moves == (LEVEL,)
    assert sentences(found) == [f"neither half of 3-5 touches its own number; {BEFORE_IT}?"]
    assert found.differences[0].piece == ("tiles", 7)


def test_a_reading_is_repaired_by_the_rules_with_a_doubt():
    repaired = eo.observe(dealt(), photo(BASE, looks("5-3", LEVEL, "1-2")))

    assert repaired.moves == (LEVEL,)
    assert doubts(repaired) == [
        "treated as 1-2: it looks like 3-5, but neither half of 3-5 touches its own number"
    ]
    assert repaired.doubts[0].piece == ("tiles", 6)


@pytest.mark.parametrize(
    ("state", "new"),
    [(after(), ()), (dealt(), ()), (dealt(), (Tile((1, 2), ((0, -1), (0, -2))),))],
)
def test_a_mirrored_photo_is_called_that(state, new):
    shown = (*lying(BASE).tiles, *new)
    mirrored = [replace(one, cells=tuple((r, -c) for r, c in one.cells)) for one in shown]

    found = eo.observe(state, Table(tiles=tuple(mirrored)))

    assert found.moves == ()
    assert sentences(found) == [
        "The photo is mirrored. Turn off mirroring in the camera, and take it again."
    ]


def test_doubts_beside_others():
    unsure = photo((*BASE, UNLIKE), Tile((2, 3), SEAM))
    too_high = photo(BASE[:1] + BASE[4:], shot(SIX_TWO, level=3))
    two_ways = Table(tiles=(*WHOLE[:1], Tile((1, 2), ((0, -1), (0, -2)))))

    assert doubts(eo.observe(dealt(UNLIKE), unsure)) == [f"2-3 {AGAIN}"]
    found = eo.observe(dealt(), too_high)
    assert found.moves == (SIX_TWO,)
    assert "2-6 looks as if it is on level 3, but it would have to be on level 2" in doubts(found)
    place = "the photo fits the table in more than one way; check the place"
    assert place in doubts(eo.observe(dealt(), two_ways))


def test_the_camera_looks_for_the_tiles_as_they_lie():
    wanted = eo.equipment(dealt(SIX_TWO))

    assert wanted.tiles
    tiles = wanted.spots[0].table.tiles
    assert tiles[-1] == Tile((2, 6), ((1, 2), (0, 2)), 2)
    assert [one.level for one in tiles] == [1] * 6 + [2]


def test_many_new_tiles_are_not_guessed_at():
    chance, state = random.Random(4), dealt()
    for _tile in range(5):
        flat = [m for m in of_kind(state, Lay) if m.cells[0] not in surface(state.laid)]
        state = eo.apply(state, chance.choice(flat))

    found = eo.observe(dealt(), photo(state.laid))

    assert sentences(found) == ["5 tiles are new; enter the older ones by hand"]


STACK = (
    lay("6-6", (0, 2), (0, 3)),
    lay("5-5", (1, 2), (1, 3)),
    lay("1-1", (0, 0), (0, 1)),
    lay("0-5", (0, 3), (1, 3)),
    lay("1-6", (0, 1), (0, 2)),
    lay("3-6", (0, 3), (0, 2)),
)


def test_a_tile_may_lie_two_levels_above_one_with_the_same_cells():
    for tiles in (lying(STACK).tiles, photo(STACK).tiles):
        look = compared(STACK, tiles, IDS)
        assert [*look.differences, *look.doubts, *look.fresh] == []


@pytest.mark.parametrize("seed", range(12))
def test_a_board_as_it_is_known_is_in_no_doubt_in_a_match_played_at_random(seed):
    chance, state = random.Random(seed), dealt()
    while not eo.is_over(state):
        moves = of_kind(state, Lay) or list(eo.legal_moves(state))
        for spot in eo.equipment(state).spots:
            assert not spot.table.tiles or not eo.observe(state, spot.table).differences
        state = eo.apply(state, chance.choice(moves))


def test_the_buried_tile_is_not_seen_in_its_place_on_top():
    rest = [one for one in photo(STACK).tiles if set(one.cells) != set(STACK[0].cells)]

    look = compared(STACK, [*rest, shot(STACK[0])], IDS)

    assert [str(one.sentence) for one in look.differences] == ["6-6 was read where 3-6 lies"]
