"""Dice left lying where fewer are rolled than before, and photos that tell a match nothing."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from scorer import Die, Doubt, Table, dump_move, load_move, replay
from scorer.games import GAMES
from scorer.games import farkle as fk
from scorer.photo.follow import understood
from scorer.photo.meaning import ReadTable
from scorer.photo.rolls import rolled
from tests.conftest import grid
from tests.contract.photos.test_follow import GRID, yes
from tests.webui.follow_photos import ROLL, follower, lying_at
from vision.arrangement import lie_yet, same_arrangement
from webui.match import match as matches
from webui.match.photo import lies_as_before
from webui.match.proposals import propose

GAME = GAMES["farkle"]
FELL = ((1, 0, 0, 0.3), (2, 4, 2, 1.0), (3, 8, 1, 0.1), (4, 3, 7, 0.7), (6, 9, 6, 1.2))
FELL = (*FELL, (1, 0, 5, 0.9))
ROLLED = fk.Roll((1, 1, 2, 3, 4, 6))
KEEP = fk.Keep((1, 1), bank=False)
ONE_LEFT = fk.Roll((1, 1, 1, 5, 5, 4)), fk.Keep((1, 1, 1, 5, 5), bank=False)
LEFT = FELL[1:5]  # 2 3 4 6: the turn would be lost
THROWN = ((2, 1, 7, 0.9), (3, 9, 2, 1.1), (4, 5, 5, 0.2), (6, 2, 1, 0.5))  # alike by chance


def table(*dice):
    return Table(tuple(Die(value, "white") for value, *_place in dice))


@pytest.mark.parametrize(
    ("moves", "pips", "said"),
    [
        ((ROLLED, KEEP), (2, 3, 4, 6), "2 3 4 6 were there before: were the dice rolled again?"),
        ((ROLLED, KEEP), (1, 1, 2, 3), "1 1 2 3 were there before: were the dice rolled again?"),
        ((ROLLED, KEEP), (2, 3, 4, 4), None),
        (ONE_LEFT, (4,), "a 4 was there before: was the die rolled again?"),
        (  # the next player finds all six as the last two rolls left them
            (ROLLED, KEEP, fk.Roll((2, 2, 3, 6))),
            (1, 1, 2, 2, 3, 6),
            "these are the dice of the last roll, 1 1 2 2 3 6: were they rolled again?",
        ),
        (  # all six counted: what was set aside before is rolled too
            (fk.Roll((1, 1, 1, 5, 5, 5)), fk.Keep((1, 1, 1, 5, 5, 5), bank=False)),
            (1, 1, 1, 5, 5, 5),
            "these are the dice of the last roll, 1 1 1 5 5 5: were they rolled again?",
        ),
    ],
)
def test_dice_that_lay_there_before_are_asked_about(moves, pips, said):
    proposal = GAME.observe(replay(GAME, 2, {}, moves), table(*((value,) for value in pips)))

    assert [doubt.sentence for doubt in proposal.doubts] == ([said] if said else [])


def test_what_may_be_misread_as_what_was_left_is_asked_about():
    dice = table(*LEFT).dice
    doubtful = replace(dice[0], value=5, confidence=0.8, values=((2, 0.2),))

    proposal = GAME.observe(replay(GAME, 2, {}, [ROLLED, KEEP]), Table((doubtful, *dice[1:])))

    assert "again" in [doubt.about for doubt in proposal.doubts]


@pytest.mark.parametrize("guided", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_left_is_never_sure_whether_the_keep_was_entered_or_not(guided, seed):
    chance, game = random.Random(seed), GAME
    for _roll in range(60):
        roll = fk.Roll(tuple(chance.randint(1, 6) for _die in range(6)))
        before = replay(game, 2, {}, [roll])
        if not before.lying:
            continue
        keep = chance.choice([one for one in game.legal_moves(before) if not one.bank])
        left = list(roll.dice)
        for value in keep.dice:
            left.remove(value)
        reading = ReadTable(table(*((value,) for value in left or roll.dice)))
        for state in (before, game.apply(before, keep)):
            step = understood(game, state, lambda *_, reading=reading: reading, guided=guided)
            assert not step.sure


def test_any_game_that_rolls_fewer_dice_asks_by_itself():
    proposal = rolled(table((2,), (6,)), 2, "X-1", fk.Roll, lay=(1, 2, 6))

    assert [doubt.about for doubt in proposal.doubts] == ["again"]


@pytest.mark.parametrize(
    ("dice", "lie"),
    [
        (FELL, True),
        (LEFT, True),
        (LEFT[:2], True),
        (THROWN, False),
        (FELL[:1], None),  # one die alone fits any place
        (((5, 0, 0, 0.3), *FELL[1:]), None),  # a 5 was not there: what lay there is not known
    ],
)
def test_what_is_left_lies_as_it_lay_however_the_phone_moved(dice, lie):
    assert lie_yet(lying_at(0, *FELL), lying_at(0.5, *dice)) is lie
    # More dice than were photographed tell nothing of the others.
    assert lie_yet(lying_at(0, *LEFT), lying_at(0.5, *FELL)) is None


@pytest.mark.parametrize(("dice", "counted"), [(LEFT, False), (THROWN, True)])
def test_follow_counts_what_was_thrown_and_not_what_was_left(dice, counted, fakes):
    match = follower("farkle", fakes)
    photos = [fakes.photo(f"{n}.jpg", table(*shown)) for n, shown in enumerate((FELL, dice))]
    places = (lying_at(0, *FELL), lying_at(0.3, *dice))
    fakes.readings = {one.read_bytes(): at for one, at in zip(photos, places, strict=True)}
    match.take(photos[0])
    match.state = match.game.apply(match.state, load_move(match.game, dump_move(KEEP)))

    step = match.take(photos[1])

    assert (len(step.moves), step.sure) == (int(counted), True)
    assert step.doubts == (() if counted else ("the dice are the same as on 0.jpg, nothing new",))


@pytest.mark.parametrize("entered", [True, False])
@pytest.mark.parametrize(("dice", "asks"), [(LEFT, True), (THROWN, False)])
def test_the_page_asks_about_what_was_left_unless_it_was_thrown(dice, asks, entered, store):
    begun = matches.create(store, "farkle", ["Ada", "Ben"], {}, [])
    row = begun.row.id
    photo = store.keep(row, lying_at(0, *FELL), b"jpeg")
    match = matches.play(store, row, begun.seq, [dump_move(ROLLED)], sighting=photo.id)
    if entered:
        match = matches.play(store, row, match.seq, [dump_move(KEEP)])

    lies = lies_as_before(store, match, lying_at(0.4, *dice))
    proposal, preview = propose(match, table(*dice), lies)

    assert preview is not None
    assert [doubt.about for doubt in proposal.doubts] == ["again"] * asks


def test_the_same_file_again_is_counted_once(fakes):
    match = follower("pig", fakes)
    photo = fakes.photo("a.jpg", Table((Die(4, "red"),)))

    first, again = match.take(photo), match.take(photo)

    assert (len(first.moves), again.moves, again.sure) == (1, (), True)
    assert again.doubts == ("this is a.jpg again, which counts only once",)


@pytest.mark.parametrize(
    ("then", "lies"),
    [
        (lying_at(0.5, *ROLL), True),
        (lying_at(0.9, *reversed(ROLL)), True),
        (lying_at(0.5, (2, 0, 0, 0.8), (5, 4, 2, 1.0)), False),  # one was turned
        (lying_at(0.5, (2, 0, 0, 0.3), (5, 6, 1, 1.0)), False),  # one lies elsewhere
        (lying_at(0.5, (2, 0, 0, 0.3), (4, 4, 2, 1.0)), False),
        (lying_at(0.5, *ROLL[:1]), False),
    ],
)
def test_dice_that_lie_as_they_lay_are_no_new_roll_however_the_phone_moved(then, lies, fakes):
    match, pair = (follower("beat_the_odds", fakes, yes), Table((Die(2, "red"), Die(5, "red"))))
    photos = [fakes.photo(name, pair) for name in ("a.jpg", "b.jpg")]
    places = (lying_at(0, *ROLL), then)
    fakes.readings = dict(zip(map(Path.read_bytes, photos), places, strict=True))
    match.take(photos[0])

    again = match.take(photos[1])

    assert same_arrangement(lying_at(0, *ROLL), then) == lies
    assert (again.moves == ()) == lies
    assert ("the dice are the same as on a.jpg, nothing new" in again.doubts) == lies


@pytest.mark.parametrize(("elsewhere", "sure"), [(True, True), (False, False)])
def test_whether_dice_were_rolled_again_is_not_asked_where_they_lie_otherwise(
    elsewhere, sure, fakes
):
    match, pair = follower("beat_the_odds", fakes), Table((Die(2, "red"), Die(5, "red")))
    photos = [fakes.photo(name, pair) for name in ("a.jpg", "b.jpg")]
    if elsewhere:
        lay = lying_at(0, *ROLL), lying_at(0.2, (2, 0, 0, 1.0), *ROLL[1:])
        fakes.readings = dict(zip(map(Path.read_bytes, photos), lay, strict=True))
    match.take(photos[0])
    rules, again = match.game, Doubt("were they rolled again?", about="again")
    match.game = replace(rules, observe=lambda s, t: replace(rules.observe(s, t), doubts=(again,)))

    assert match.take(photos[1]).sure == sure


@pytest.mark.parametrize(("cell", "lies"), [([0, 2], True), (None, True), ([0, 5], False)])
def test_two_dice_on_other_cells_of_a_board_lie_otherwise_however_it_was_seen(cell, lies):
    """The white die of Gords may go where another camera would have seen it before."""
    before, after = lying_at(0, *ROLL), lying_at(0.5, *ROLL)
    before["dice"][0]["cell"], after["dice"][0]["cell"] = [0, 2], cell

    assert same_arrangement(before, after) == lies


def test_one_die_alone_tells_nothing_of_how_it_lay():
    die = lying_at(0, ROLL[0])

    assert same_arrangement(die, die) is None


def test_nothing_new_is_said_and_the_match_goes_on(fakes):
    """It is not sure: a die may have been overlooked, and the next photo then shows two."""
    match = follower("purple_house", fakes, yes)
    match.take(fakes.photo("a.jpg", grid(GRID)))
    half = grid("b1 w2 . . . . . . .")
    match.take(fakes.photo("b.jpg", half))

    again = match.take(fakes.photo("c.jpg", half))

    assert (again.moves, again.sure, again.left) == ((), False, False)
    assert again.doubts
    assert match.left == ()
