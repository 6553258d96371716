"""Even at Odds: how tiles are laid, and the foundation they are laid on."""

from __future__ import annotations

from collections import Counter

import pytest

from scorer import NotAMove
from scorer.dominoes import SET, surface
from scorer.games.even_at_odds.board import largest, top_level
from scorer.games.even_at_odds.state import FACE_DOWN
from tests.scorer.games.at_odds import BASE, SIX_FOUR, SIX_TWO, SOLO, dealt, eo, lay, refusal

# ---------------------------------------------------------------- laying


@pytest.mark.parametrize(
    ("move", "sentence", "rule"),
    [
        (
            lay("1-2", (0, -1), (1, 0)),
            "the two halves of 1-2 must lie on neighbouring cells",
            "EO-4",
        ),
        (
            lay("6-2", (0, 3), (0, 4)),
            "2-6 would lie half on a tile and half on the table",
            "EO-6",
        ),
        (
            lay("6-2", (0, 2), (0, 3)),
            "2-6 would rest on one tile, 6-6; it must cover two",
            "EO-6",
        ),
        (
            lay("3-4", (0, 2), (1, 2)),
            "3-4 would cover 6 and 5, neither with its own number",
            "EO-6",
        ),
        (lay("2-6", (0, 4), (0, 5)), "neither half of 2-6 touches its own number", "EO-5"),
        (lay("6-2", (-1, 4), (-2, 4)), "neither half of 2-6 touches its own number", "EO-5"),
        (lay("3-3", (3, 0), (3, 1)), "3-3 is already on the table", "EO-4"),
        (lay("3-7", (3, 0), (3, 1)), "there is no tile 3-7 in the box", "EO-4"),
    ],
)
def test_a_tile_that_does_not_fit_is_refused_with_the_fact(move, sentence, rule):
    assert refusal(dealt(), move) == (sentence, rule)


def test_a_tile_never_rests_on_two_heights():
    state = dealt(SIX_TWO)

    assert refusal(state, lay("2-1", (1, 2), (1, 1))) == (
        "1-2 would lie at two heights, 1 and 2",
        "EO-6",
    )
    assert refusal(state, lay("6-5", (0, 2), (1, 2)))[0].startswith("5-6 would rest on one tile")


def test_a_number_matches_a_face_of_any_height_but_only_one_that_shows():
    beside = (1, 4), (1, 5)

    assert eo.apply(dealt(SIX_TWO, SIX_FOUR), lay("4-0", *beside))
    assert eo.apply(dealt(SIX_TWO), lay("5-0", *beside))
    assert refusal(dealt(SIX_TWO, SIX_FOUR), lay("5-0", *beside))[1] == "EO-5"


def test_one_move_has_one_form_however_it_is_written():
    assert lay("6-2", (0, 2), (1, 2)) == lay("2-6", (1, 2), (0, 2))
    assert lay("3-3", (2, 0), (1, 0)) == lay("3-3", (1, 0), (2, 0))
    assert lay("6-2", (0, 2), (1, 2)) != lay("2-6", (0, 2), (1, 2))


def test_blanks_match_blanks_unless_the_house_says_no():
    built = [SIX_TWO, SIX_FOUR, lay("4-0", (1, 4), (1, 5))]
    beside, over = lay("0-1", (1, 6), (1, 7)), lay("0-3", (1, 5), (1, 6))

    assert eo.apply(dealt(*built, beside), over)
    assert refusal(dealt(*built, blank_matches_blank=False), beside) == (
        "neither half of 0-1 touches its own number, and blanks match nothing",
        "EO-5",
    )
    with_one = dealt(*built, lay("1-3", (-1, 0), (-2, 0)), blank_matches_blank=False)
    assert refusal(with_one, lay("0-2", (1, 5), (1, 4)))[1] == "EO-6"


def test_a_stacked_half_lies_on_its_own_number_unless_the_house_is_looser():
    crossed = lay("2-6", (0, 2), (1, 2))  # the 6 lies on the 5

    assert refusal(dealt(), crossed)[1] == "EO-6"
    assert eo.apply(dealt(stack_match="any_face"), crossed)


def test_stacks_grow_without_limit():
    state = dealt(SIX_TWO, SIX_FOUR)

    state = eo.apply(state, lay("6-0", (0, 2), (0, 3)))

    assert surface(state.laid)[(0, 2)][:2] == (6, 3)
    assert top_level(surface(state.laid)) == (3, (6, 0))


# ---------------------------------------------------------------- foundation


def test_the_foundation_is_a_chequerboard_of_pairs():
    top = surface(BASE)

    assert largest(top) == (2, 2)
    rows = ["".join(str(top[(r, c)][0]) for c in range(4)) for r in range(3)]
    assert rows == ["1166", "2255", "3344"]
    solo = surface(SOLO)
    rows = ["".join(str(solo[(r, c)][0]) for c in range(4)) for r in range(3)]
    assert rows == ["1060", "2050", "3040"]


def test_the_house_may_lay_the_foundation_otherwise():
    row = [[[n, n], [[0, 2 * n], [0, 2 * n + 1]]] for n in range(1, 7)]

    state = dealt(foundation=row)

    assert state.laid[0] == lay("1-1", (0, 2), (0, 3))
    assert eo.apply(state, lay("1-2", (0, 3), (0, 4)))


@pytest.mark.parametrize(
    ("foundation", "sentence"),
    [
        ([[[1, 1], [[0, 0], [0, 1]]]], "it is made of 1-1, 6-6, 2-2, 5-5, 3-3 and 4-4, each once"),
        ([[[1, 1], [[0, 0], [0, 2]]]], "the halves of 1-1 must lie on neighbouring cells"),
        (
            [[[1, 1], [[0, 0], [0, 1]]], [[2, 2], [[0, 1], [0, 2]]]],
            "two halves lie on one cell",
        ),
        ("round", "expected a list"),
    ],
)
def test_a_foundation_that_cannot_lie_is_refused(foundation, sentence):
    with pytest.raises(NotAMove, match=sentence):
        eo.start(2, {"foundation": foundation})


def test_the_box_is_as_counted():
    hand = FACE_DOWN[2]
    faces = Counter(number for pair in SET for number in pair)

    assert sum(faces[n] for n in (2, 4, 6)) == sum(faces[n] for n in (1, 3, 5)) == 24
    assert faces[0] == 8
    assert len(hand) == 22
    kinds = Counter("".join(sorted("b" if not n else "eo"[n % 2] for n in pair)) for pair in hand)
    assert kinds == {"ee": 3, "oo": 3, "eo": 9, "be": 3, "bo": 3, "bb": 1}
