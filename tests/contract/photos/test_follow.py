"""Following a match from its photos: whole matches of every game, and what may go wrong."""

import random
from dataclasses import replace

import pytest

from models.series.shown import LEFT_OUT, shots
from scorer import Die, Doubt, Table, dump_move, load_move
from scorer.games import GAMES
from scorer.photo.follow import UNTOLD, played, understood
from scorer.photo.meaning import ReadTable
from tests.conftest import BOARD, grid
from tests.grids import few
from tests.matches import BEGUN
from tests.scorer.photo.truth import PlacedDie, photographed
from tests.webui.follow_photos import NO_DICE, ROLL, answered, follower, lying_at
from vision.arrangement import same_arrangement
from webui.follow import answers
from webui.follow.answers import from_file
from webui.follow.follower import nobody
from webui.match import match as matches
from webui.match.photo import lies_as_before
from webui.match.proposals import propose

GRID = " ".join(BOARD)
MOST = 40  # photos of a match; by then every phase of every game has been met


def yes(asked):
    """Confirm whatever is proposed."""
    return asked.step if asked.step.settled else None


every_game = pytest.mark.parametrize("name", GAMES)


@every_game
@pytest.mark.parametrize("seed", few([1, 2]))
def test_a_match_is_followed_to_its_end_and_nothing_wrong_is_sure(name, seed, fakes):
    """A purple 6 is taken as red or as blue to the same end: then the state tells, not the move."""
    game, taken = GAMES[name], shots(GAMES[name], 2, seed, MOST)
    truths = {f"p{n}": answers.PhotoAnswer(None, shot.moves) for n, shot in enumerate(taken)}
    match = follower(name, fakes, from_file(answered(**truths)))

    truth = game.start(2, {})
    for number, shot in enumerate(taken):
        truth = played(game, truth, shot.moves)
        step = match.take(fakes.photo(f"p{number}.jpg", shot.table))
        assert not step.left
        if not step.sure:
            assert step.moves == shot.moves
        assert match.state == truth

    assert len(match.moves) >= len(taken) > 0


@every_game
def test_what_no_photo_shows_is_never_seen_without_it(name):
    """The moves that a game calls unseen are those after which nothing is photographed."""
    game = GAMES[name]
    shown = {type(move) for shot in shots(game, 2, 3, MOST) for move in shot.moves[-1:]}

    assert set(game.unnoticed(game.start(2, {}))) <= set(game.unseen) <= set(game.moves)
    assert not shown & (set(game.unseen) - {*LEFT_OUT, GAMES["pig"].moves[1]})


@pytest.mark.parametrize("name", ["purple_house", "even_at_odds"])
def test_where_things_stay_lost_and_stale_photos_change_nothing(name, fakes):
    """One photo in four is lost, an old one comes again: what lies there is told all the same."""
    game, taken, chance = GAMES[name], shots(GAMES[name], 2, 5, 21), random.Random(5)
    match, truth, followed = follower(name, fakes, yes), game.start(2, {}), []
    for number, shot in enumerate(taken):
        full = played(game, truth, shot.moves)
        lost = lying(game, full) > lying(game, truth) and chance.random() < 0.25
        truth = full
        if number < 2:  # who has which colour and which team is said
            match.state = truth
        elif not lost:
            was = match.state
            for back, old in enumerate(followed[-3:]):
                stale = match.take(fakes.photo(f"old{number}-{back}.jpg", old))
                assert (stale.moves, match.state) == ((), was)
            match.take(fakes.photo(f"p{number}.jpg", shot.table))
            followed.append(shot.table)

    assert lying(game, match.state) == lying(game, truth)
    assert game.score(match.state) == game.score(truth)


def lying(game, state):
    """Return what is known to lie on the table, in whatever order it came there."""
    tables = [spot.table for spot in game.equipment(state).spots]
    return {repr(piece) for table in tables for piece in (*table.dice, *table.tiles)}


def test_what_could_not_be_is_told_with_the_answer_to_it(fakes):
    truths = {"a": answers.PhotoAnswer(Table((Die(4, "red"),)))}
    match = follower("pig", fakes, from_file(answered(**truths)))

    step = match.take(fakes.photo("a.jpg", Table((Die(4, "red"), Die(2, "red")))))

    assert (len(step.moves), step.sure, step.left) == (1, False, False)
    assert step.differences == ("2 dice were found; show only the one that was rolled.",)


def test_gords_shows_one_hand_on_a_photo_or_several():
    per_photo = [
        max(
            sum(type(move).__name__ == "Reveal" for move in shot.moves)
            for shot in shots(GAMES["gords"], 4, seed, MOST)
        )
        for seed in (3, 4, 5)
    ]

    assert per_photo == [2, 1, 4]


def test_tiles_are_looked_for_as_they_are_known_to_lie_now(fakes):
    """They were looked for as they lay before the photo before, which a stale one may show."""
    match, game = follower("even_at_odds", fakes, yes), GAMES["even_at_odds"]
    flip, first, *taken = shots(game, 2, 5, 7)
    match.state = played(game, match.state, (*flip.moves, *first.moves))
    looked = []

    def look(photo, wanted):
        looked.append(len(wanted.spots[0].table.tiles))
        return fakes(photo, wanted)

    match.look = look
    for number, shot in enumerate(taken):
        looked.clear()
        match.take(fakes.photo(f"p{number}.jpg", shot.table))
        assert looked == [7 + number]


def test_a_die_of_a_foreign_colour_is_asked_about_until_somebody_said_what_it_is():
    game = GAMES["purple_house"]
    agreed = played(game, game.start(2, {}), [load_move(game, AGREED)])
    strange = Die(4, "purple", (0, 0), 0.94, colours=(("black", 0.04), ("pink", 0.01)))
    foreign = Doubt("A purple die does not belong to this game.", ("dice", 0))
    white = Die(2, "white", (0, 1), 0.99)

    asked = meant(game, agreed, Table((strange,)), foreign)
    after = meant(game, asked.state, Table((strange, white)), foreign)

    assert [doubt.piece for doubt in asked.open] == [("dice", 0)]
    colours = [dump_move(move)["colour"] for move in (*asked.moves, *after.moves)]
    assert colours == ["black", "white"]
    assert after.sure
    turned = meant(game, asked.state, Table((replace(strange, value=5), white)), foreign)
    assert not turned.sure


AGREED = {"move": "Agree", "starter": 0, "black": 0}


def meant(game, state, table, *doubts):
    """Return what a table means where nothing has been said since."""

    def seen(_wanted, spot):
        return ReadTable(replace(table, spot=spot), doubts)

    return understood(game, state, seen, guided=True)


def test_an_unreadable_photo_in_the_middle_is_told_and_the_match_goes_on(fakes):
    match = follower("purple_house", fakes)
    match.take(fakes.photo("a.jpg", grid(GRID)))

    bad = match.take(fakes.photo("bad.jpg", None))
    good = match.take(fakes.photo("b.jpg", grid("w1 b2 w4 b3 w5 b1 w6 b6 w2")))

    assert (bad.moves, bad.sure, bad.left) == ((), False, True)
    assert bad.differences == ("The photo is too dark. Turn on a light or use the flash.",)
    assert len(good.moves) == 9
    assert not good.sure
    assert "bad.jpg is ignored because it was not counted" in good.doubts


def test_a_photo_left_out_costs_nothing_where_the_next_one_shows_it_too(fakes):
    match = follower("purple_house", fakes, yes)
    match.take(fakes.photo("a.jpg", grid(GRID)))
    match.take(fakes.photo("b.jpg", grid("w1 b2 . . . . . . .")))
    assert match.take(fakes.photo("bad.jpg", None)).left

    full = match.take(fakes.photo("c.jpg", grid("w1 b2 w4 b3 w5 b1 w6 b6 w2")))

    assert full.sure


def test_a_missing_file_is_a_sentence(fakes, tmp_path):
    step = follower("pig", fakes).take(tmp_path / "gone.jpg")

    assert step.differences == ("The file cannot be opened: No such file or directory.",)


HINT = "There may be one more piece (left). Look there."


def hinted(fakes, table):
    """Return a photo of a table on which the eyes suspect one more piece."""
    photo = fakes.photo("a.jpg", table)
    fakes.readings[photo.read_bytes()] = NO_DICE | {"warnings": [HINT], "hint": HINT}
    return photo


@pytest.mark.parametrize(("dice", "sure"), [(2, True), (1, False)])
def test_a_piece_that_may_be_missed_is_asked_about_until_all_are_there(dice, sure, fakes):
    match = follower("beat_the_odds", fakes)

    step = match.take(hinted(fakes, hand("red", *(2, 5)[:dice])))

    assert HINT in step.doubts
    assert step.sure == sure


@pytest.mark.parametrize(("lost", "sure"), [(0, True), (1, False)])
def test_where_a_hand_is_complete_no_piece_is_missed_unless_a_lost_die_may_lie_there(
    lost, sure, fakes
):
    match = gords(fakes, nobody)
    call = [{"move": "Call", "seat": 1}]
    match.state = played(match.game, match.state, [load_move(match.game, move) for move in call])
    match.state = replace(match.state, dice=(5, 5 - lost))

    assert match.take(hinted(fakes, hand("blue", *(2, 4, 5, 6, 6)[lost:]))).sure == sure


def test_beside_the_white_die_on_its_place_no_piece_is_missed(fakes):
    match = gords(fakes, nobody)

    step = match.take(hinted(fakes, Table((Die(5, "white", (0, 9)),))))

    assert (len(step.moves), step.sure) == (1, True)


def test_what_the_eyes_doubt_is_asked_before_it_is_counted(fakes):
    doubt = Doubt("read as red 4, perhaps 5", ("dice", 0))
    match = follower("pig", fakes)

    step = match.take(fakes.photo("a.jpg", Table((Die(4, "red"),)), doubt))

    assert (step.moves, step.left, step.doubts) == ((), True, (doubt.sentence,))


@pytest.mark.parametrize(("at", "asked"), [(0, False), (8, True)])
def test_what_the_eyes_doubt_and_the_match_knows_is_not_asked_again(at, asked, fakes):
    match, full = follower("purple_house", fakes, yes), grid(GRID)
    match.take(fakes.photo("a.jpg", replace(full, dice=full.dice[:7])))
    doubt = Doubt("read so, perhaps otherwise", ("dice", at))

    step = match.take(fakes.photo("b.jpg", full, doubt))

    assert len(step.moves) == 2
    assert step.sure != asked
    assert (doubt.sentence in step.doubts) == asked


def gords(fakes, ask):
    """Return a match in which player 1 has bid, and player 2 is next."""
    match = follower("gords", fakes, ask)
    game = match.game
    moves = [{"move": "Agree", "starter": 0}, {"move": "Bid", "space": "4", "face": 3}]
    match.state = played(game, match.state, [load_move(game, move) for move in moves])
    return match


def hand(colour, *pips):
    return Table(tuple(Die(value, colour) for value in pips))


def test_dice_shown_tell_of_the_call_before_them(fakes):
    match = gords(fakes, yes)
    colour = match.game.colours(match.state)[0]

    step = match.take(fakes.photo("a.jpg", hand(colour, 1, 3, 3, 5, 6)))

    call, reveal = map(dump_move, step.moves)
    assert call == {"move": "Call", "seat": 1}
    assert reveal == {"move": "Reveal", "seat": 0, "dice": [1, 3, 3, 5, 6]}


def test_several_ways_are_a_question_and_nothing_is_guessed(fakes):
    match = follower("pig", fakes)
    match.take(fakes.photo("a.jpg", Table((Die(4, "red"),))))

    step = match.take(fakes.photo("b.jpg", Table((Die(5, "red"),))))

    assert (step.moves, step.sure, step.left) == ((), False, True)
    (asked,) = step.doubts
    assert asked == f"{UNTOLD}: no answer was given; or player 1 holds 4"


def test_the_page_guesses_no_seat(fakes):
    """There players have names: which of them starts is theirs to say."""
    game = GAMES["purple_house"]
    reading = ReadTable(Table((Die(3, "black", (0, 0)),)))

    step = understood(game, game.start(2, {}), lambda *_: reading, (0,), guided=True)

    assert step.moves == ()
    assert len(step.ways) == 2


@pytest.mark.parametrize(
    ("then", "asks"),
    [
        (lying_at(0.5, *ROLL), True),  # the same dice as they lay
        (lying_at(0.5, (2, 0, 0, 0.9), (5, 7, 1, 1.0)), False),  # thrown, and alike by chance
    ],
)
def test_the_page_asks_whether_dice_were_rolled_again_unless_they_lie_elsewhere(then, asks, store):
    begun = matches.create(store, "beat_the_odds", ["Ada", "Ben"], {}, BEGUN["beat_the_odds"])
    row = begun.row.id
    photo = store.keep(row, lying_at(0, *ROLL), b"jpeg")
    roll = {"move": "Roll", "low": 2, "high": 5}
    match = matches.play(store, row, begun.seq, [roll], sighting=photo.id)

    lies = lies_as_before(store, match, then)
    proposal, _preview = propose(match, Table((Die(2, "red"), Die(5, "red"))), lies)

    assert lies == asks
    assert [doubt.about for doubt in proposal.doubts] == ["again"] * asks


def test_dice_that_were_typed_in_tell_nothing_of_where_they_lay(store):
    opening = [*BEGUN["beat_the_odds"], {"move": "Roll", "low": 2, "high": 5}]
    match = matches.create(store, "beat_the_odds", ["Ada", "Ben"], {}, opening)

    assert lies_as_before(store, match, lying_at(0, *ROLL)) is None


def test_two_alike_side_by_side_are_not_taken_for_each_other():
    """Two fours far from the other dice: told by two near dice alone, each seemed the other."""
    lying = [(1, 49, 10, 2.4), (2, 31, 62, 6.1), (4, 213, 40, 4.5), (4, 205, 24, 4.5)]
    lying += [(4, 12, 22, 4.3), (5, 208, 139, 2.6)]  # value, mm, mm, turn
    table = Table(tuple(PlacedDie(value, "white", lies=place) for value, *place in lying))
    chance = random.Random(1)

    pairs = [(photographed(chance, table), photographed(chance, table)) for _again in range(6)]

    assert all(same_arrangement(*pair) for pair in pairs)
