import pytest

from scorer import Die, NotAMove
from scorer.games import GAMES
from scorer.sentence import MOST, Spoken, lying, search, speak, step

MOVES = [
    Spoken(number, tuple(text.split()))
    for number, text in enumerate(
        [
            "Ada rolls 1 2",
            "Ada rolls 1 12",
            "Ada rolls 2 1",
            "Ada rolls 10 1",
            "Ada passes",
            "Ada passes again, for good",
        ]
    )
]


def texts(found):
    return [one.text for one in found]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("Ada passes", ["Ada passes"]),  # the whole sentence, though a longer one begins so
        ("rolls 1 2", ["Ada rolls 1 2"]),  # in this order
        ("1 roll 2", ["Ada rolls 1 2", "Ada rolls 2 1"]),  # in any order, words cut short
        ("roll 10", ["Ada rolls 10 1"]),
        ("again for good", ["Ada passes again, for good"]),
        ("2 2", []),
        ("flies", []),
    ],
)
def test_what_was_typed_finds_its_moves(typed, found):
    assert texts(search(MOVES, typed)) == found


def test_nothing_typed_finds_everything():
    assert len(search(MOVES, "")) == len(MOVES)


def test_a_sentence_runs_on_while_only_one_word_can_follow():
    first = step(MOVES, [])
    rolls = step(MOVES, [*first.said, "rolls"])
    passes = step(MOVES, ["Ada", "passes"])

    assert (first.said, first.following) == (("Ada",), ("passes", "rolls"))
    assert len(first.left) == 6
    assert rolls.following == ("1", "2", "10")
    assert passes.move == 4
    assert passes.following == ("again,",)
    assert step(MOVES, ["Ada", "passes", "again,"]).move == 5
    assert step(MOVES, ["Bo"]) == step([], ["Bo"])


@pytest.mark.parametrize("name", GAMES)
def test_every_game_can_be_played_by_saying_words(name):
    game = GAMES[name]
    state = game.start(game.seats[0], {})
    for _ in range(6):
        if game.is_over(state):
            break
        moves = speak(game, state)
        if len(moves) == MOST or game.typed(state):  # not said but shown, or a number
            state = game.apply(state, next(game.legal_moves(state)))
            continue
        reached = step(moves, [])
        while reached.move is None:
            reached = step(moves, [*reached.said, reached.following[-1]])
        assert reached.said == next(one.words for one in moves if one.move == reached.move)
        state = game.apply(state, reached.move)


def test_names_are_said_where_players_are_meant():
    game = GAMES["pig"]

    said = speak(game, game.start(2, {}), ["Ada", "Bo"])

    assert said[1].text == "Ada rolls 2"


def test_no_more_moves_than_can_be_looked_through_are_put_in_words():
    game = GAMES["dice_wide_shut"]
    state = game.apply(game.start(5, {}), next(game.legal_moves(game.start(5, {}))))

    assert len(speak(game, state)) == MOST


def test_dice_are_said_by_colour_and_pips():
    assert lying("4") == (Die(4, "white"),)
    assert lying("Red 1 16, blue 2;") == (
        Die(1, "red"),
        Die(1, "red"),
        Die(6, "red"),
        Die(2, "blue"),
    )
    with pytest.raises(NotAMove, match="-3 is not a die"):
        lying("red -3")
