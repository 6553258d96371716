"""Even at Odds: every ruling of its docstring, its refusals, counts, facts and photos."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scorer import Doubt, Illegal, NotAMove, Proposal, Table, settle
from scorer import table as seen
from scorer.dominoes import SET, Lay, TopFace, surface
from scorer.games import GAMES
from scorer.games.even_at_odds import ONE
from scorer.games.even_at_odds.board import groups, largest, solo_points, top_level
from scorer.games.even_at_odds.moves import (
    TEAMS,
    Agree,
    Choose,
    Discard,
    Draw,
    Exchange,
    Flip,
    Pass,
    Show,
)
from scorer.games.even_at_odds.state import FACE_DOWN, Outcome, State, foundation
from tests.oracles import even_at_odds as slow

eo = GAMES["even_at_odds"]


def lay(name, p, q):
    """lay("6-2", (0, 2), (1, 2)): the 6 on the first cell."""
    return Lay(tile(name), (p, q))


def tile(name):
    return int(name[0]), int(name[2])


def tiles(names):
    return tuple(sorted(map(tile, names.split())))


HOUSE = settle(ONE.settings, {})
BASE = foundation(2, HOUSE)
SOLO = foundation(1, HOUSE)
SIX_TWO = lay("6-2", (0, 2), (1, 2))  # level 2, over 6-6 and 5-5
SIX_FOUR = lay("6-4", (0, 3), (1, 3))  # level 2 beside it
MIDDLE = (*BASE, SIX_TWO, SIX_FOUR, lay("4-0", (1, 4), (1, 5)), lay("0-1", (1, 6), (1, 7)))


def after(*moves, seats=2, **house):
    state = eo.start(seats, house)
    for move in moves:
        state = eo.apply(state, move)
    return state


def dealt(*moves, **house):
    """A game that player 1 starts, playing for the evens."""
    return after(Agree(0, 0), *moves, **house)


def late(laid, first, second="", stock=0, **changes):
    """A position with known hands, player 1 to move and playing for the evens."""
    hands = tiles(first), tiles(second)
    house = settle(ONE.settings, changes.pop("house", {}))
    held = len(hands[0]), len(hands[1])
    state = State(house, tuple(laid), hands, held, stock, starter=0, teams=TEAMS)
    return replace(state, **changes)


def alone(laid, hand, stock=0, **house):
    """A solo position with this hand."""
    hand = tiles(hand)
    return State(settle(ONE.settings, house), laid, (hand,), (len(hand),), stock, starter=0)


def refusal(state, move):
    with pytest.raises(Illegal) as why:
        eo.apply(state, move)
    return why.value.reason, why.value.rule


def of_kind(state, kind):
    return [move for move in eo.legal_moves(state) if isinstance(move, kind)]


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
        (lay("2-6", (0, 4), (0, 5)), "neither half of 2-6 lies beside its own number", "EO-5"),
        (lay("6-2", (-1, 4), (-2, 4)), "neither half of 2-6 lies beside its own number", "EO-5"),
        (lay("3-3", (3, 0), (3, 1)), "3-3 lies on the table already", "EO-4"),
        (lay("3-7", (3, 0), (3, 1)), "there is no tile 3-7 in the box", "EO-4"),
    ],
)
def test_a_tile_that_does_not_fit_is_refused_with_the_fact(move, sentence, rule):
    assert refusal(dealt(), move) == (sentence, rule)


def test_a_tile_never_rests_on_two_heights():
    state = dealt(SIX_TWO)

    assert refusal(state, lay("2-1", (1, 2), (1, 1))) == (
        "1-2 would lie on two heights, 1 and 2",
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
        "neither half of 0-1 lies beside its own number, and blanks match nothing",
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


@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_legal_lays_are_those_of_the_rule_text_and_groups_too(data):
    """Random play under random house rules, every hidden tile tried, against the slow rules."""
    house = {
        "stack_match": data.draw(st.sampled_from(["face_on_face", "any_face"])),
        "blank_matches_blank": data.draw(st.booleans()),
    }
    chance = random.Random(data.draw(st.integers(0, 10**6)))
    state = dealt(**house)
    for _ in range(data.draw(st.integers(0, 19))):
        state = eo.apply(state, chance.choice(of_kind(state, Lay)))
    laid = {move.tile for move in state.laid}

    expected = slow.moves(
        [halves(move) for move in state.laid],
        [(a, b) for a in range(7) for b in range(a, 7) if (a, b) not in laid],
        any_face=house["stack_match"] == "any_face",
        blanks=house["blank_matches_blank"],
    )

    assert {halves(move) for move in of_kind(state, Lay)} == expected
    top = surface(state.laid)
    expected = slow.biggest({cell: face.number for cell, face in top.items()})
    assert largest(top) == (expected[0], expected[1])


def halves(move):
    return frozenset(zip(move.cells, move.tile, strict=True))


FIRST, SECOND = "0-0 2-4 3-5", "0-5 1-6 2-3"


@pytest.mark.parametrize(
    ("laid", "hands", "depth", "house", "slow_house", "golden"),
    [
        (
            BASE,
            ("0-1 0-6 1-2 1-6 2-5 3-4 4-6", "0-0 0-3 1-3 2-3 2-6 3-5 5-6"),
            2,
            {},
            {},
            14378,
        ),
        (BASE, ("1-2 0-6", "3-4 0-0"), 3, {}, {}, 9105),
        (MIDDLE, (FIRST, SECOND), 2, {"stack_match": "any_face"}, {"any_face": True}, 3609),
        (MIDDLE, (FIRST, SECOND), 2, {"blank_matches_blank": False}, {"blanks": False}, 1547),
        (SOLO, ("1-1 2-3 4-6",), 3, {"solo_fail": "score_anyway"}, {"solo": True}, 444),
    ],
)
def test_the_number_of_lines_is_that_of_the_slow_rules(
    laid, hands, depth, house, slow_house, golden
):
    solo = len(hands) == 1
    state = alone(laid, *hands, **house) if solo else late(laid, *hands, house=house)

    assert count(state, depth) == golden
    board = [halves(move) for move in laid]
    assert slow.count(board, list(map(tiles, hands)), depth, **slow_house) == golden


def test_the_deeper_count_once_agreed_with_the_slow_rules():
    # slow.count(MIDDLE, …, 3) gave 75178 too, in 12 s
    assert count(late(MIDDLE, FIRST, SECOND), 3) == 75178


def count(state, depth):
    found = of_kind(state, Lay)
    if depth == 1:
        return len(found)
    return sum(count(eo.apply(state, move), depth - 1) for move in found)


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
        ("round", "a list is wanted"),
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


# ---------------------------------------------------------------- groups, winner, match


def view(*rows, levels=None):
    return {
        (r, c): TopFace(int(number), int(levels[r][c]) if levels else 1, 0)
        for r, row in enumerate(rows)
        for c, number in enumerate(row)
        if number != "."
    }


def test_groups_cross_levels_unless_the_house_says_no():
    top = view("24", levels=["12"])

    assert largest(top) == (2, 0)
    assert largest(top, "same_level") == (1, 0)
    assert eo.score(dealt(SIX_TWO)) == (7, 2)
    assert eo.score(dealt(SIX_TWO, group_levels="same_level")) == (2, 2)


def test_blanks_and_corners_connect_nothing():
    assert largest(view("21", "12")) == (1, 1)
    assert largest(view("202")) == (1, 0)
    assert groups(view("00")) == {"evens": [], "odds": []}


LEVEL = lay("2-1", (1, -1), (0, -1))  # beside the foundation: groups of 3, and 7 faces each


def test_a_level_game_gives_each_player_one_of_the_removed_tiles():
    state = eo.apply(late(BASE, "1-2"), LEVEL)

    assert state.extra
    assert state.held == (1, 1)
    assert state.stock == 0
    assert eo.to_move(state) == (0,)
    assert eo.prompt(state) == "level: player 1 takes one of the two removed tiles and lays it"
    state = eo.apply(state, lay("4-2", (2, 4), (3, 4)))
    assert not eo.is_over(state)
    state = eo.apply(state, lay("5-0", (1, 4), (1, 5)))
    assert eo.is_over(state)
    assert state.outcome == Outcome((4, 3), (9, 8), 0, extra=True)
    assert eo.result(state).why == "player 1 wins: groups of 4 and 3 faces after the extra turn"


def test_the_starter_begins_the_extra_turn_whoever_laid_last():
    state = replace(late(BASE, "1-2"), starter=1)

    assert eo.to_move(eo.apply(state, LEVEL)) == (1,)


def test_level_after_the_extra_turn_is_a_draw():
    state = late((*BASE, LEVEL), "0-2", "0-1", extra=True)

    state = eo.apply(state, lay("2-0", (1, -2), (1, -3)))
    state = eo.apply(state, lay("1-0", (0, -2), (0, -3)))

    assert state.outcome == Outcome((4, 4), (8, 8), None, extra=True)
    assert eo.result(state).winners == (0, 1)
    assert eo.result(state).why == (
        "a draw: groups of 4 faces each, and as many faces on the top level after the extra turn"
    )


def test_the_top_level_breaks_a_level_game():
    state = late((*BASE, LEVEL), "1-3", "", hands=((), ()))

    over = eo.apply(state, lay("1-3", (0, 1), (1, 1)))

    assert over.outcome.tops == (0, 2)
    assert over.outcome.winner == 1


def test_an_extra_tile_that_fits_nowhere_is_lost_with_the_turn():
    state = late(BASE, "0-0", "1-2", extra=True)

    state = eo.apply(state, Pass())

    assert state.held == (0, 1)
    assert eo.to_move(state) == (1,)
    assert eo.is_over(eo.apply(state, LEVEL))


WON = (*BASE, SIX_TWO), "1-2", LEVEL  # tiles laid, the last hand, the last move
ON_TOP = BASE, "0-2", lay("0-2", (0, 0), (1, 0))  # groups of 2, decided on the top level
DRAWN = (*BASE, LEVEL, lay("2-0", (1, -2), (1, -3))), "0-1", lay("1-0", (0, -2), (0, -3))


def finished(*winners, end=None, **house):
    """A match after games won by these seats (None: drawn), each by its last move."""
    state = after(**house)
    for seat in winners:
        laid, hand, last = end or (DRAWN if seat is None else WON)
        teams = TEAMS if seat != 1 else TEAMS[::-1]
        (table,) = state.tables
        ending = late(laid, hand, house=house, teams=teams, extra=seat is None)
        state = replace(state, tables=(replace(table, round=ending),))
        state = eo.apply(state, last)
    return state


@pytest.mark.parametrize(
    ("winners", "tally", "over"),
    [
        ((0,), (1, 0), False),
        ((0, 1), (1, 1), False),
        ((0, None, 1), (1, 1), False),  # a drawn game counts for nobody
        ((1, None, 1), (0, 2), True),
    ],
)
def test_best_of_three_needs_two_wins(winners, tally, over):
    state = finished(*winners, match="best_of_three")

    assert eo.score(state) == tally
    assert eo.is_over(state) == over
    assert eo.target(state) == 2


def test_game_scores_add_the_differences_and_go_on_while_level():
    two = {"match": "game_scores", "match_games": 2}

    assert eo.score(finished(0, 1, 1, **two)) == (5, 10)
    assert eo.result(finished(0, 1, 1, **two)).why == "player 2 wins by 10 points to 5"
    assert not eo.is_over(finished(0, 1, **two))
    assert not eo.is_over(finished(0, **two))
    assert eo.target(finished(0, **two)) is None


def test_a_game_won_on_the_tie_break_scores_what_the_house_says():
    house = {"match": "game_scores", "match_games": 1}

    assert eo.score(finished(0, end=ON_TOP, **house)) == (0, 0)
    assert eo.score(finished(0, end=ON_TOP, tiebreak_game_score=1, **house)) == (1, 0)


def test_each_game_of_a_match_begins_with_its_own_flip():
    house = {"match": "best_of_three"}
    state = finished(0, **house)

    assert state.done[0].round.outcome.winner == 0
    assert eo.prompt(state) == "game 2: each player flips a tile for the start"
    (table,) = eo.apply(state, Agree(1, 1)).tables
    assert table.round.laid == BASE
    assert table.round.held == (7, 7)
    assert eo.score(state) == (1, 0)


# ---------------------------------------------------------------- start and hands


def test_more_pips_start_and_the_other_player_chooses():
    level = after(Flip((2, 5), (3, 4)))
    assert eo.prompt(level) == "each player flips a tile again: the flips were level"

    state = eo.apply(level, Flip((0, 0), (0, 1)))

    assert state.starter == 1
    assert eo.to_move(state) == (0,)
    assert eo.apply(state, Choose("odds")).teams == ("odds", "evens")


def test_everybody_plays_ten_tiles_and_the_sixth_turn_draws_the_last():
    chance = random.Random(1)
    state, held = dealt(), []
    while not state.outcome and not state.extra:
        held.append((state.held[state.turn], state.stock))
        state = eo.apply(state, chance.choice(of_kind(state, Lay)))

    assert len(held) == 20
    assert held[5:7] == [(7, 1), (7, 0)]
    assert held[-1] == (1, 0)


def test_nobody_has_to_tell_a_hand():
    known = {move.tile for move in of_kind(dealt(), Lay)}

    assert known == set(FACE_DOWN[2]) - {(0, 0)}  # it fits nowhere yet
    assert len(of_kind(dealt(), Show)) == 44


def test_a_hand_that_is_wholly_known_narrows_the_moves():
    hand = tiles("1-2 1-3 1-4 1-5 1-6 0-1 2-3")
    state = dealt(*(Show(0, one) for one in hand))

    assert {move.tile for move in of_kind(state, Lay)} == set(hand)
    assert refusal(state, SIX_TWO) == (
        "player 1 holds 0-1, 1-2, 1-3, 1-4, 1-5, 1-6 and 2-3, not 2-6",
        "EO-4",
    )
    assert {move.seat for move in of_kind(state, Show)} == {1}
    drawn = eo.apply(state, lay("1-2", (0, -1), (1, -1)))
    assert drawn.hands[0] == tuple(one for one in hand if one != (1, 2))
    assert Show(0, (2, 6)) in of_kind(drawn, Show)  # what was drawn is not known


def test_a_tile_known_in_one_hand_is_not_laid_from_the_other():
    state = dealt(Show(1, (2, 6)))

    assert refusal(state, SIX_TWO) == ("2-6 is in player 2's hand", "EO-4")
    assert eo.apply(eo.apply(state, SIX_FOUR_FLAT), SIX_TWO)


SIX_FOUR_FLAT = lay("6-4", (0, 4), (0, 5))
SEVEN = [Show(1, (0, n)) for n in range(7)]


@pytest.mark.parametrize(
    ("state", "move", "sentence", "rule"),
    [
        (after(), SIX_TWO, "settle first who starts: each player flips a tile", "EO-3"),
        (after(), Flip((1, 1), (0, 1)), "1-1 is not among the tiles face down", "EO-3"),
        (after(), Flip((6, 5), (0, 1)), "6-5 is not among the tiles face down", "EO-3"),
        (after(), Flip((0, 1), (0, 1)), "there is only one 0-1", "EO-2"),
        (
            after(Flip((2, 5), (3, 4))),
            Flip((2, 5), (0, 1)),
            "2-5 was flipped before",
            "EO-3",
        ),
        (after(), Agree(0, 2), "there is no player 3", "EO-3"),
        (dealt(), Flip((2, 5), (0, 1)), "it is settled: player 1 starts", "EO-3"),
        (
            after(Flip((2, 6), (0, 1))),
            SIX_TWO,
            "player 2 chooses evens or odds first",
            "EO-3",
        ),
        (dealt(), Choose("odds"), "the teams are chosen: player 1 plays for the evens", "EO-3"),
        (dealt(), Show(2, (0, 1)), "there is no player 3", "EO-2"),
        (dealt(), Show(0, (3, 3)), "3-3 lies on the table already", "EO-2"),
        (dealt(), Show(0, (2, 1)), "2-1 is written with the smaller number first", "EO-2"),
        (dealt(Show(1, (0, 1))), Show(0, (0, 1)), "0-1 is in player 2's hand", "EO-2"),
        (
            dealt(*SEVEN),
            Show(1, (1, 2)),
            "player 2's hand is known: 0-0, 0-1, 0-2, 0-3, 0-4, 0-5 and 0-6",
            "EO-4",
        ),
        (late(BASE, "0-1"), Show(1, (1, 2)), "player 2 holds no tile", "EO-4"),
        (
            dealt(),
            Pass(),
            "player 1 must hold a tile that fits: too few of those unseen fit nowhere",
            "EO-A8",
        ),
        (late(BASE, "0-0 1-2"), Pass(), "player 1 can lay 1-2", "EO-A8"),
        (dealt(), Discard((0, 0)), "without a move you pass; no tile is set aside", "EO-A8"),
        (
            dealt(no_move="discard"),
            Pass(),
            "in this house a tile is set aside instead of passing",
            "EO-A8",
        ),
        (dealt(no_move="discard"), Discard((1, 2)), "1-2 can be laid", "EO-4"),
        (
            dealt(no_move="discard"),
            Discard((0, 0)),
            "player 1 must hold a tile that fits: too few of those unseen fit nowhere",
            "EO-A8",
        ),
        (
            late(BASE, "0-0", "1-2", aside=((3, 5),)),
            Show(0, (3, 5)),
            "player 1's hand is known: 0-0",
            "EO-4",
        ),
        (
            late(BASE, "0-0", "1-2", aside=((3, 5),)),
            lay("3-5", (3, 0), (4, 0)),
            "3-5 was set aside",
            "EO-4",
        ),
        (
            dealt(),
            Draw(tiles("0-1 0-2 0-3")),
            "tiles are drawn from the boneyard unseen; nobody tells them",
            "EO-4",
        ),
        (dealt(), Exchange((0, 1), (0, 2)), "the helper belongs to the solo game", "EO-10"),
        (finished(0, 0, match="best_of_three"), Agree(0, 0), "the game is over", "EO-9"),
    ],
)
def test_refusals(state, move, sentence, rule):
    assert refusal(state, move) == (sentence, rule)
    assert move not in list(eo.legal_moves(state))


# ---------------------------------------------------------------- no move

NOTHING_FITS = (lay("1-1", (0, 0), (0, 1)),)


def test_without_a_move_one_passes_and_two_passes_end_the_game():
    state = late(NOTHING_FITS, "2-4 0-6", "0-3 3-5", stock=4)

    assert list(eo.legal_moves(state)) == [Pass()]
    assert eo.prompt(state) == "player 1 has no move and passes"
    passed = eo.apply(state, Pass())
    assert (passed.held, passed.stock, passed.turn) == ((2, 2), 4, 1)  # nothing drawn
    ended = eo.apply(passed, Pass())
    assert ended.outcome.winner == 1  # the odds' 1-1 is the only group


def test_a_pass_ends_the_game_when_the_other_hand_is_empty():
    assert eo.is_over(eo.apply(late(NOTHING_FITS, "2-4"), Pass()))


def test_who_has_no_tile_left_is_left_out():
    state = late(BASE, "0-1 0-6", "")

    state = eo.apply(state, lay("1-0", (0, -1), (0, -2)))

    assert eo.to_move(state) == (0,)


def test_passes_count_only_in_succession():
    state = late(NOTHING_FITS, "2-4 0-6", "0-1 3-5")

    state = eo.apply(state, Pass())
    state = eo.apply(state, lay("1-0", (0, 2), (0, 3)))

    assert state.passes == 0
    assert eo.to_move(state) == (0,)
    assert not of_kind(state, Pass)  # 0-6 fits now


def test_tiles_left_in_a_hand_are_out_of_the_extra_turn():
    level = late((*BASE, LEVEL), "0-0", stock=4)

    state = eo.apply(level, Pass())

    assert state.extra
    assert state.stock == 0  # nobody draws in the extra turn
    assert state.aside == ((0, 0),)
    assert Show(0, (0, 0)) not in of_kind(state, Show)


def test_in_a_discarding_house_a_tile_is_set_aside_and_one_drawn():
    house = {"no_move": "discard"}
    state = late(NOTHING_FITS, "2-4 0-6", "0-3 3-5", stock=4, house=house)

    assert of_kind(state, Discard) == [Discard((0, 6)), Discard((2, 4))]
    state = eo.apply(state, Discard((0, 6)))
    assert (state.held, state.stock, state.turn) == ((2, 2), 3, 1)
    assert state.aside == ((0, 6),)


def test_an_unknown_hand_may_be_without_a_move_if_enough_unseen_tiles_fit_nowhere():
    unknown = replace(late(NOTHING_FITS, "2-4 0-6"), hands=((), ()))
    boxed_in = replace(unknown, held=(17, 0))  # sixteen of the unseen tiles have no 1

    assert Pass() in list(eo.legal_moves(unknown))
    assert Pass() not in list(eo.legal_moves(boxed_in))


# ---------------------------------------------------------------- solo


def test_solo_draws_three_of_twenty_one_tiles_a_turn():
    state = after(seats=1)

    assert (state.stock, len(state.laid)) == (21, 6)
    assert len(of_kind(state, Draw)) == 1330
    assert (0, 0) not in FACE_DOWN[1]
    drawn = eo.apply(state, Draw(tiles("1-1 2-3 4-6")))
    assert (drawn.stock, drawn.held) == (18, (3,))
    assert eo.prompt(drawn) == "lay 1-1, 2-3 and 4-6 in any order"


SOLO_OPEN = "a solo player's tiles lie open; no hand is hidden"


@pytest.mark.parametrize(
    ("state", "move", "sentence", "rule"),
    [
        (after(seats=1), Agree(0, 0), "a solo player does not flip for the start", "EO-10"),
        (after(seats=1), Choose("odds"), "a solo player plays for both teams", "EO-10"),
        (after(seats=1), LEVEL, "draw three tiles first", "EO-10"),
        (after(seats=1), Pass(), "draw three tiles first", "EO-10"),
        (
            after(seats=1),
            Draw(((1, 1), (2, 3))),
            "a turn draws three different tiles",
            "EO-10",
        ),
        (
            after(seats=1),
            Draw(((0, 0), (1, 1), (4, 6))),
            "0-0 is the helper and is never laid",
            "EO-2",
        ),
        (after(seats=1), Draw(((0, 1), (1, 1), (4, 6))), "0-1 lies on the table already", "EO-2"),
        (alone(SOLO, "1-1 4-6", 18), Draw(tiles("1-2 1-3 1-4")), "lay the hand first", "EO-10"),
        (
            alone(SOLO, "1-1 4-6", 18),
            LEVEL,
            "1-2 is not among the tiles drawn: 1-1 and 4-6",
            "EO-4",
        ),
        (
            alone(SOLO, "1-1 4-6", 18),
            lay("1-1", (-1, 0), (-2, 0)),
            "1-1 is a double, and solo doubles are only stacked",
            "EO-10",
        ),
        (alone(SOLO, "1-1 4-6", 18), Pass(), "player 1 can lay 1-1", "EO-A8"),
        (
            alone(SOLO, "1-1 4-6", 18),
            Discard((1, 1)),
            "without a move you pass; no tile is set aside",
            "EO-A8",
        ),
        (alone(SOLO, "1-1", 18), Exchange((1, 2), (1, 3)), "1-2 is not in the hand", "EO-10"),
        (alone(SOLO, "1-1", 18), Exchange((1, 1), (0, 6)), "0-6 lies on the table already", "EO-2"),
        (alone(SOLO, "1-1", 0), Exchange((1, 1), (1, 3)), "the draw pile is empty", "EO-A12"),
        (
            replace(alone(SOLO, "1-1", 18), helped=True),
            Exchange((1, 1), (1, 3)),
            "the helper is used up",
            "EO-A12",
        ),
        (after(seats=1), Show(0, (1, 2)), SOLO_OPEN, "EO-10"),
        (alone(SOLO, "1-1", 18), Show(0, (1, 2)), SOLO_OPEN, "EO-10"),
    ],
)
def test_solo_refusals(state, move, sentence, rule):
    assert refusal(state, move) == (sentence, rule)
    assert move not in list(eo.legal_moves(state))


def test_the_helper_exchanges_a_tile_once():
    state = eo.apply(alone(SOLO, "1-1 4-6", 18), Exchange((1, 1), (2, 4)))

    assert state.hands == (tiles("2-4 4-6"),)
    assert (state.stock, state.helped) == (18, True)
    assert not of_kind(state, Exchange)
    # the tile given back can be drawn again
    later = replace(state, hands=((),), held=(0,))
    assert eo.apply(later, Draw(tiles("1-1 1-2 1-3")))


COVERS_THE_TWO = lay("3-1", (1, 0), (0, 0))  # over the only 2, beside nothing else that shows it


def test_a_number_missing_at_the_end_of_a_turn_loses_the_solo_game():
    state = alone(SOLO, "1-3", 18)
    between = alone(SOLO, "1-3 2-4", 18)

    lost = eo.apply(state, COVERS_THE_TWO)

    assert eo.result(lost).winners == ()
    assert eo.result(lost).why == "lost: no 2 shows at the end of turn 1"
    assert not eo.is_over(eo.apply(between, COVERS_THE_TWO))  # the turn is not over
    anyway = eo.apply(alone(SOLO, "1-3", 18, solo_fail="score_anyway"), COVERS_THE_TWO)
    assert eo.prompt(anyway) == "draw three tiles"


def test_a_solo_tile_that_fits_nowhere_loses_or_goes_aside():
    board = (lay("1-0", (0, 0), (0, 1)),)
    stuck = alone(board, "2-3 4-5", 18)

    assert eo.prompt(stuck) == "2-3 and 4-5 cannot be laid: use the helper or pass"
    assert eo.result(eo.apply(stuck, Pass())).why == "lost: 2-3 and 4-5 cannot be laid"
    anyway = eo.apply(alone(board, "2-3 4-5", 18, solo_fail="score_anyway"), Pass())
    assert anyway.aside == tiles("2-3 4-5")
    assert eo.prompt(anyway) == "draw three tiles"


@pytest.mark.parametrize(
    ("rows", "all_but_largest", "every_group"),
    [
        (["1060", "2050", "3040"], 4, 6),
        (["2222222222", "1111111100"], 4, 6),
        (["246", "135"], 0, 2),
        (["2402", "1300"], 1, 3),
        (["00"], 0, 0),
    ],
)
def test_the_solo_score(rows, all_but_largest, every_group):
    every = settle(ONE.settings, {"solo_isolated": "every_group"})

    assert solo_points(view(*rows), HOUSE) == all_but_largest
    assert solo_points(view(*rows), every) == every_group


def test_a_solo_game_played_to_its_end_is_counted():
    state = alone(SOLO, "1-6", 0)
    over = eo.apply(state, lay("1-6", (-1, 0), (-1, 1)))

    assert eo.is_over(over)
    assert eo.result(over).winners == (0,)
    assert eo.result(over).why == f"the final score is {eo.score(over)[0]}; 0 is perfect"
    assert sum(entry.points for entry in eo.explain(over)) == eo.score(over)[0]


# ---------------------------------------------------------------- in words


@pytest.mark.parametrize(
    ("state", "move", "words"),
    [
        (
            after(),
            Flip((5, 6), (4, 6)),
            "player 1 flips 5-6, player 2 flips 4-6: player 1 starts",
        ),
        (after(), Flip((2, 5), (3, 4)), "player 1 flips 2-5, player 2 flips 3-4: level"),
        (after(), Agree(1, 0), "player 2 starts, player 1 plays for the evens"),
        (after(Flip((5, 6), (4, 6))), Choose("odds"), "player 2 plays for the odds"),
        (dealt(), Show(1, (5, 6)), "player 2 holds 5-6"),
        (
            dealt(),
            LEVEL,
            "player 1 plays 1-2 left of the 1-1, its 1 touching and its 2 below it",
        ),
        (
            dealt(),
            SIX_TWO,
            "player 1 stacks 2-6 on level 2: "
            "its 2 on the left half of the 5-5, its 6 on the left half of the 6-6",
        ),
        (late(NOTHING_FITS, "2-4"), Pass(), "player 1 has no move and passes"),
        (late(NOTHING_FITS, "2-4"), Discard((2, 4)), "player 1 has no move and sets 2-4 aside"),
        (after(seats=1), Draw(tiles("1-2 1-3 4-4")), "player 1 draws 1-2, 1-3 and 4-4"),
        (
            alone(SOLO, "1-1", 18),
            Exchange((1, 1), (2, 4)),
            "player 1 turns the helper over: 1-1 goes back, 2-4 comes",
        ),
    ],
)
def test_moves_are_told_in_words(state, move, words):
    assert eo.describe(state, move) == words


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (after(), "each player flips a tile for the start"),
        (after(Flip((5, 6), (4, 6))), "player 2 chooses evens or odds"),
        (dealt(), "player 1 lays a tile and draws one"),
        (late(BASE, "0-6 1-6", "0-1"), "player 1 lays a tile"),
        (
            late(NOTHING_FITS, "2-4", house={"no_move": "discard"}),
            "player 1 has no move and sets a tile aside",
        ),
        (alone(SOLO, "1-1", 18), "lay 1-1"),
        (replace(alone(NOTHING_FITS, "2-4", 18), helped=True), "2-4 cannot be laid: pass"),
    ],
)
def test_the_prompt_says_what_to_do(state, words):
    assert eo.prompt(state) == words


def test_the_tally_is_explained_by_the_groups_and_their_cells():
    state = dealt(SIX_TWO)

    mine, other, tie = eo.explain(state)

    assert (mine.seat, mine.points, other.points) == (0, 7, 2)
    assert tie.text == "a tie would be broken on level 2: evens 2, odds 0"
    assert mine.text == "player 1's largest group of evens: 7 faces"
    assert set(mine.cells) == {(0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (2, 2), (2, 3)}


def test_a_match_is_explained_game_by_game():
    state = eo.apply(finished(0, match="game_scores"), Agree(0, 0))

    told = [(entry.seat, entry.points, entry.part) for entry in eo.explain(state)]

    assert told == [(0, 5, "game 1"), *[(None, 0, "game 2 so far")] * 3]


# ---------------------------------------------------------------- photos


def photo(laid, turns=0, down=0, right=0, **extra):
    """The tiles of *laid* that nothing lies on, as the camera gives them, in its own frame."""
    top = surface(laid)
    whole = [
        move for place, move in enumerate(laid) if all(top[cell][2] == place for cell in move.cells)
    ]
    return Table(tiles=tuple(shot(move, turns, down, right, **extra) for move in whole))


def shot(move, turns=0, down=0, right=0, **extra):
    return seen.Tile(move.tile, tuple(moved(c, turns, down, right) for c in move.cells), **extra)


def moved(cell, turns, down, right):
    row, column = cell
    for _ in range(turns):
        row, column = -column, row
    return row + down, column + right


def plus(table, *more):
    return replace(table, tiles=(*table.tiles, *more))


NOTHING = Proposal(doubts=(Doubt("no new tile is seen"),))


def sentences(found):
    return [difference.sentence for difference in found.differences]


def doubts(found):
    return [doubt.sentence for doubt in found.doubts]


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
@settings(max_examples=40, deadline=None)
def test_every_turn_of_a_random_game_is_read_off_its_photo(seed):
    _, state, move, table = random_turn(seed)

    found = eo.observe(state, table)

    assert found.moves == (move,)
    assert not found.differences
    assert all("just what lay there before" in said for said in doubts(found))


@given(seed=st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
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
    told = {doubt.piece for doubt in found.doubts} | {d.piece for d in found.differences}
    assert found.moves == (move,) or ("tiles", place) in told


def test_nothing_new_is_nothing_proposed():
    state = dealt(SIX_TWO)

    assert eo.observe(state, photo(state.laid)) == NOTHING


def test_two_tiles_at_once_are_proposed_with_a_doubt_about_their_order():
    found = eo.observe(dealt(SIX_TWO), photo((*BASE, SIX_TWO, LEVEL, SIX_FOUR)))

    assert found.moves in ((SIX_FOUR, LEVEL), (LEVEL, SIX_FOUR))
    assert doubts(found)[0].endswith("are new; taken as laid in this order")


def test_a_tile_whose_support_was_not_confirmed_asks_for_the_one_before_it():
    on_top = lay("6-0", (0, 2), (0, 3))  # over 2-6 and over half of a 4-6 nobody confirmed

    hidden = eo.observe(dealt(SIX_TWO), photo((*BASE, SIX_TWO, SIX_FOUR, on_top)))

    assert hidden.moves == ()
    assert sentences(hidden) == [
        "0-6 would lie on two heights, 1 and 2; was a tile laid before it?",
    ]


def test_a_tile_laid_against_another_new_one_comes_after_it():
    first, second = lay("1-5", (0, -1), (0, -2)), lay("5-3", (0, -3), (0, -4))

    found = eo.observe(dealt(), photo((*BASE, second, first)))

    assert found == Proposal((first, second))


def test_known_hands_tell_whose_tile_came_first():
    other = lay("4-3", (2, 4), (2, 5))
    both = photo((*BASE, LEVEL, other))

    assert doubts(eo.observe(dealt(), both)) == ["1-2 and 3-4 are new; taken as laid in this order"]
    assert eo.observe(dealt(Show(0, (3, 4))), both) == Proposal((other, LEVEL))


def test_of_two_new_tiles_the_one_that_fits_nowhere_is_named():
    wrong = lay("3-5", (0, 4), (0, 5))

    found = eo.observe(dealt(), photo((*BASE, LEVEL, wrong)))

    assert found.moves == (LEVEL,)
    assert sentences(found) == [
        "neither half of 3-5 lies beside its own number; was a tile laid before it?"
    ]
    assert found.differences[0].piece == ("tiles", 7)


def test_a_reading_is_repaired_by_the_rules_with_a_doubt():
    misread = seen.Tile((1, 3), LEVEL.cells[::1], confidence=0.6, others=(((1, 2), 0.3),))
    illegal = seen.Tile((5, 3), LEVEL.cells, confidence=0.6, others=(((1, 2), 0.3),))

    fits = eo.observe(dealt(), plus(photo(BASE), misread))
    repaired = eo.observe(dealt(), plus(photo(BASE), illegal))

    assert fits.moves == (lay("1-3", (0, -1), (1, -1)),)
    assert doubts(fits) == ["taken as 1-3, but 1-2 is possible too"]
    assert repaired.moves == (LEVEL,)
    assert doubts(repaired) == [
        "taken as 1-2: it looks like 3-5, but neither half of 3-5 lies beside its own number"
    ]
    assert repaired.doubts[0].piece == ("tiles", 6)


def test_a_tile_that_is_laid_already_is_repaired_too():
    twin = seen.Tile((1, 1), LEVEL.cells, confidence=0.6, others=(((1, 2), 0.3),))

    found = eo.observe(dealt(), plus(photo(BASE), twin))

    assert found.moves == (LEVEL,)
    assert doubts(found) == ["taken as 1-2: it looks like 1-1, but 1-1 lies on the table already"]


def test_a_stack_misread_as_just_what_it_covers_is_repaired():
    below = lay("2-3", (3, 1), (3, 0))
    over = lay("6-3", (3, 0), (2, 0))  # covers a 3 of 3-3 and the 3 of 2-3
    built = photo((*BASE, below, over)).tiles
    misread = seen.Tile((3, 3), over.cells, confidence=0.6, others=((over.tile, 0.3),))

    found = eo.observe(dealt(below), Table(tiles=(*built[:-1], misread)))

    assert found.moves == (over,)
    assert doubts(found) == ["taken as 3-6: it looks like 3-3, but 3-3 lies on the table already"]


def test_an_unlikely_second_reading_is_not_worth_a_doubt():
    sure = seen.Tile((1, 2), LEVEL.cells, confidence=0.97, others=(((1, 3), 0.01),))

    assert eo.observe(dealt(), plus(photo(BASE), sure)) == Proposal((LEVEL,))


def test_a_known_tile_misread_is_taken_as_what_lies_there():
    whole = photo(BASE).tiles
    four_four = seen.Tile((4, 5), whole[5].cells, confidence=0.7, others=(((4, 4), 0.2),))

    found = eo.observe(dealt(), Table(tiles=(*whole[:5], four_four)))
    other = eo.observe(dealt(), Table(tiles=(*whole[:5], seen.Tile((4, 5), whole[5].cells))))

    assert doubts(found) == ["4-5 is seen where 4-4 lies; taken as 4-4"]
    assert not found.differences
    assert sentences(other) == ["4-5 is seen where 4-4 lies"]


def test_a_tile_that_has_gone_or_was_moved_is_told():
    whole = photo(BASE).tiles
    elsewhere = seen.Tile((4, 4), ((3, 0), (3, 1)))

    gone = eo.observe(dealt(), Table(tiles=whole[:5]))
    moved_tile = eo.observe(dealt(), Table(tiles=(*whole[:5], elsewhere)))

    assert sentences(gone) == ["4-4 is not to be seen where it lay"]
    assert sentences(moved_tile) == ["4-4 has been moved from where it lay"]


def test_a_tile_taken_off_a_stack_is_told():
    found = eo.observe(dealt(SIX_TWO), photo(BASE))

    assert sentences(found) == ["2-6 is not to be seen where it lay"]


def test_a_tile_seen_twice_is_an_error():
    twin = seen.Tile((4, 4), ((3, 0), (3, 1)))
    fresh = seen.Tile((1, 2), ((4, 0), (4, 1)))

    assert sentences(eo.observe(dealt(), plus(photo(BASE), twin))) == [
        "4-4 is seen twice; the box holds it once"
    ]
    found = eo.observe(dealt(), plus(photo((*BASE, LEVEL)), replace(fresh, cells=((3, 0), (3, 1)))))
    assert found.moves == (LEVEL,)
    assert sentences(found) == ["1-2 lies on the table already"]


def test_a_tile_lying_apart_is_left_out():
    apart = seen.Tile((3, 5), ((9, 9), (9, 10)))

    found = eo.observe(dealt(), plus(photo((*BASE, LEVEL)), apart))

    assert found.moves == (LEVEL,)
    assert doubts(found) == ["3-5 lies apart and is left out"]


def test_the_bare_halves_of_two_tiles_taken_for_one_are_no_new_tile():
    over = lay("2-3", (1, 1), (2, 1))  # leaves a bare 2 and a bare 3, one above the other
    other = lay("2-4", (1, 1), (2, 1))
    seam = (1, 0), (2, 0)

    laid_already = plus(photo((*BASE, over)), seen.Tile((2, 3), seam))
    on_level_1 = plus(photo((*BASE, other)), seen.Tile((2, 3), seam, level=1))
    unsure = plus(photo((*BASE, other)), seen.Tile((2, 3), seam))

    assert eo.observe(dealt(over), laid_already) == NOTHING
    assert eo.observe(dealt(other), on_level_1) == NOTHING
    assert doubts(eo.observe(dealt(other), unsure)) == [
        "2-3 shows just what lay there before: is it a new tile?"
    ]


def test_a_tile_over_its_own_numbers_is_asked_about():
    over = lay("1-6", (0, 1), (0, 2))

    found = eo.observe(dealt(), photo((*BASE, over)))

    assert found.moves == (over,)
    assert doubts(found) == ["1-6 shows just what lay there before: is it a new tile?"]


def test_a_tile_over_its_own_numbers_that_is_seen_higher_asks_nothing():
    over = lay("1-6", (0, 1), (0, 2))

    found = eo.observe(dealt(), plus(photo(BASE), seen.Tile((1, 6), over.cells, level=2)))

    assert found.moves == (over,)
    assert doubts(found) == []


@pytest.mark.parametrize(
    ("other", "asked"),
    [
        ((3, 4), []),  # would lie beside the 1 and the 2 with neither number
        ((1, 4), ["is the 1-2 read right?"]),
    ],
)
def test_what_the_rules_forbid_makes_a_reading_no_less_likely(other, asked):
    likely = seen.Tile((1, 2), LEVEL.cells, confidence=0.96, others=((other, 0.03),))

    found = eo.observe(dealt(), plus(photo(BASE), likely))

    assert found.moves == (LEVEL,)
    assert doubts(found) == asked


def test_a_level_that_cannot_be_is_doubted():
    found = eo.observe(dealt(), plus(photo(BASE[:1] + BASE[4:]), shot(SIX_TWO, level=3)))

    assert found.moves == (SIX_TWO,)
    assert "2-6 looks as if it lay on level 3, but would lie on 2" in doubts(found)


def test_a_photo_that_fits_two_ways_says_so():
    one_double = photo(BASE).tiles[:1]
    beside = seen.Tile((1, 2), ((0, -1), (0, -2)))

    found = eo.observe(dealt(), Table(tiles=(*one_double, beside)))

    assert "the photo fits the table in more than one way; check the place" in doubts(found)


def test_a_photo_of_another_table_is_refused():
    other = Table(tiles=(seen.Tile((1, 2), ((0, 0), (0, 1))),))

    assert sentences(eo.observe(dealt(), other)) == [
        "none of the tiles seen lies there so far; is this the right table?"
    ]
    assert sentences(eo.observe(dealt(), Table())) == ["no tile is seen; show the table"]


def test_many_new_tiles_are_not_guessed_at():
    chance, state = random.Random(4), dealt()
    laid = []
    while len(laid) < 5:
        flat = [m for m in of_kind(state, Lay) if m.cells[0] not in surface(state.laid)]
        laid.append(chance.choice(flat))
        state = eo.apply(state, laid[-1])

    found = eo.observe(dealt(), photo(state.laid))

    assert sentences(found) == ["5 tiles are new; enter the older ones by hand"]


def test_two_tiles_beside_the_foundation_are_the_flip():
    flipped = seen.Tile((5, 6), ((9, 0), (9, 1))), seen.Tile((6, 4), ((9, 4), (9, 5)))

    found = eo.observe(after(), plus(photo(BASE), *flipped))

    assert found.moves == (Flip((5, 6), (4, 6)),)
    assert doubts(found) == ["is 5-6 player 1's and 4-6 player 2's?"]
    again = eo.observe(after(Flip((2, 5), (3, 4))), Table(tiles=flipped))
    assert again.moves == found.moves
    assert sentences(eo.observe(after(), plus(photo(BASE), flipped[0]))) == [
        "each player flips one tile; 1 new tile is seen"
    ]


def test_a_foundation_that_lies_otherwise_is_told_before_the_start():
    other = Table(tiles=(*photo(BASE).tiles[:5], seen.Tile((4, 4), ((3, 0), (3, 1)))))

    assert sentences(eo.observe(after(), other)) == ["4-4 has been moved from where it lay"]
    assert eo.observe(after(), photo(BASE)) == NOTHING
    assert sentences(eo.observe(after(), Table())) == ["the foundation is not to be seen"]
    over = [replace(one, cells=tuple((r, -c) for r, c in one.cells)) for one in photo(BASE).tiles]
    assert "is mirrored" in sentences(eo.observe(after(), Table(tiles=tuple(over))))[0]


def test_solo_three_new_tiles_are_the_draw_and_the_helper_is_none():
    helper = seen.Tile((0, 0), ((6, 6), (6, 7)))
    drawn = [seen.Tile(tile(n), ((9, c), (9, c + 1))) for n, c in (("4-6", 0), ("1-1", 4))]
    laid = lay("2-3", (1, -1), (1, -2))

    found = eo.observe(after(seats=1), plus(photo((*SOLO, laid)), helper, *drawn))

    assert found == Proposal((Draw(tiles("1-1 2-3 4-6")), laid))
    assert eo.observe(after(seats=1), plus(photo(SOLO), helper)) == NOTHING
    short = eo.observe(after(seats=1), plus(photo(SOLO), *drawn))
    assert sentences(short) == ["a turn draws three tiles; 2 new tiles are seen"]


def test_solo_tiles_of_the_hand_may_wait_beside_the_board():
    state = alone(SOLO, "1-1 2-3 4-6", 18)
    laid = lay("2-3", (1, -1), (1, -2))
    waiting = [seen.Tile(tile(n), ((9, c), (9, c + 1))) for n, c in (("4-6", 0), ("1-1", 4))]
    stranger = seen.Tile((5, 5), ((9, 8), (9, 9)))

    found = eo.observe(state, plus(photo((*SOLO, laid)), *waiting))
    odd_one = eo.observe(state, plus(photo(SOLO), *waiting, stranger))

    assert found == Proposal((laid,))
    assert doubts(odd_one) == ["5-5 lies apart and is left out"]


def test_a_drawn_tile_read_as_one_that_is_out_is_repaired():
    drawn = [
        seen.Tile((0, 6), ((9, 0), (9, 1)), confidence=0.6, others=(((6, 6), 0.3),)),
        seen.Tile((1, 1), ((9, 4), (9, 5))),
        seen.Tile((1, 2), ((9, 8), (9, 9))),
    ]

    found = eo.observe(after(seats=1), plus(photo(SOLO), *drawn))

    assert found.moves == (Draw(tiles("1-1 1-2 6-6")),)
    assert doubts(found) == ["taken as 6-6: it looks like 0-6, which is not left"]


def test_nothing_is_read_once_the_match_is_over():
    over = finished(0, 0, match="best_of_three")

    assert sentences(eo.observe(over, photo(BASE))) == ["the game is over"]
    assert eo.legal_moves(over) is not None
    assert list(eo.legal_moves(over)) == []


def test_the_camera_looks_for_the_tiles_as_they_lie():
    wanted = eo.equipment(dealt(SIX_TWO))

    assert wanted.tiles
    known = wanted.spots[0].known.tiles
    assert known[-1] == seen.Tile((2, 6), ((1, 2), (0, 2)), 2)
    assert [one.level for one in known] == [1] * 6 + [2]
