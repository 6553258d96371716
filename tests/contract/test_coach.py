"""Advice: its figures against FACTS.md and against the rules, and what the command says."""

import hashlib
import itertools
import json
import random
from itertools import islice
from math import comb

import pytest

from scorer import NoAdvice, dump_move, load_move, recording
from scorer.coach import beat_the_odds as odds
from scorer.coach import tables
from scorer.coach.beat_the_odds_turn import Outlook
from scorer.coach.purple_house import best_margin, folded, odd_margin
from scorer.games import GAMES, gords, pig
from scorer.games import beat_the_odds as bo
from scorer.games import purple_house as ph
from scorer.games.even_at_odds.moves import Agree
from tests import FIXTURES
from tests.bench.coach import hand_of
from tests.grids import without
from tests.scorer import positions
from webui import cli

GAMES_FOLDER = FIXTURES / "games"
COACHED = [game for game in GAMES.values() if game.coach is not None]


def after(name, *moves, **house):
    return positions.after(GAMES[name], *moves, **house)


def recorded(game):
    text = (GAMES_FOLDER / f"{game.name}.jsonl").read_text(encoding="utf-8")
    return recording.read(text.splitlines(), GAMES)


@pytest.mark.parametrize(
    "game", without(COACHED, GAMES["even_at_odds"]), ids=lambda game: game.name
)
def test_advice_is_legal_and_the_best_comes_first(game):
    match = recorded(game)
    state, choices = game.start(match.seats, match.settings), 0
    for number, move in enumerate(match.moves[:60]):
        if number % 12 == 11:
            legal = [dump_move(one) for one in islice(game.legal_moves(state), 5000)]
            try:
                advice = game.coach(state, hand_of(game, state, random.Random(number)))
            except NoAdvice:  # a round of Purple House may be recorded without its rolls
                advice = ()
            for choice in advice:
                assert any(choice.move.items() <= other.items() for other in legal)
                assert any(letter.isdigit() for letter in choice.why) or choice.value == 0
            assert [one.value for one in advice] == sorted((a.value for a in advice), reverse=True)
            choices += len(advice)
        state = game.apply(state, move)
    assert choices


@pytest.mark.parametrize("name", tables.SHA256)
def test_a_solved_table_is_what_its_solver_wrote(name):
    assert hashlib.sha256(tables.path(name).read_bytes()).hexdigest() == tables.SHA256[name]


def test_best_play_of_a_turn_brings_what_the_facts_say():
    outlook = Outlook(float, far=260)

    assert outlook.rolling(0, 0, 0) == pytest.approx(15.840, abs=6e-4)
    assert outlook.rolling(0, 0, 1) == pytest.approx(20.53, abs=6e-3)  # a re-roll right in hand


@pytest.mark.parametrize(("own", "other"), [(0, 0), (30, 71), (99, 0), (88, 99), (12, 96)])
def test_the_table_agrees_with_one_turn_and_is_a_little_less_than_choosing_for_the_win(own, other):
    state = bo.State(after("beat_the_odds").house, (own, other), starter=0, rights=(0, 0))
    (roll,) = odds.advise(state)

    assert roll.move == {"move": "Roll"}
    assert 0 <= roll.value - odds.win_chance(own, other) + 2e-4 < 0.006


def choices(*moves, scores=(0, 0)):
    state = bo.State(after("beat_the_odds").house, scores, starter=0, rights=(0, 0))
    for move in moves:
        state = bo.ONE.apply(state, move)
    return odds.advise(state)


def test_4_4_doubles_the_highest_roll():
    advice = choices(bo.Roll(2, 4), bo.Roll(4, 6), bo.Roll(4, 4))

    assert [one.move["roll"] for one in advice] == [1, 2, 0, None]
    assert advice[0].why.startswith("Double roll 2, 4-6, from 10: ")


def test_of_two_odd_dice_the_1_is_rolled_again():
    advice = choices(bo.Roll(2, 2), bo.Roll(1, 5))

    assert advice[0].move == {"move": "Reroll", "face": 1}
    assert advice[-1].move == {"move": "Decline"}  # 1-5 would end the turn with 4


@pytest.mark.parametrize(("together", "rerolls"), [(90, True), (92, True), (94, False)])
def test_1_5_is_rolled_again_below_94_points(together, rerolls):
    outlook, highest = Outlook(float, far=260), 12
    again = max(outlook.rerolling(together, highest, 0, kept) for kept in (1, 5))

    assert (again > outlook.read(together, highest, 0, (1, 5))) is rerolls


def test_in_the_very_last_turn_only_passing_the_other_counts():
    state = bo.State(
        after("beat_the_odds").house, (90, 104), 0, bo.Turn(((4, 6), (6, 4)), (10, 10)),
        starter=0, rights=(0, 0), trigger=1, last=(0,),
    )  # fmt: skip
    (roll,) = odds.advise(state)

    assert 0.5 < roll.value < 1  # 6 in front now; a 1-1, 3-3 or 5-5 may still take it


def position(first, second, black=0, **house):
    roll = {odd: (1,) * odd + (2,) * (5 - odd) for odd in range(6)}
    starts = ("black", "white") if black == 0 else ("white", "black")
    return after(
        "purple_house",
        ph.Agree(0, black),
        ph.Roll(starts[0], roll[first]),
        ph.Roll(starts[1], roll[second]),
        match="single",
        **house,
    )


@pytest.mark.parametrize(("first", "second", "margin"), [(0, 0, -8), (4, 1, -2), (5, 5, 8)])
def test_the_best_placement_keeps_the_margin_of_the_round(first, second, margin):
    assert GAMES["purple_house"].coach(position(first, second), ())[0].value == margin


@pytest.mark.parametrize("splits", [(1, 4), (2, 2), (4, 1)])
def test_white_and_the_harder_game_turn_the_parity_over(splits):
    first, second = splits
    turned = best_margin(True, 5 - first, 5 - second)

    white = GAMES["purple_house"].coach(position(first, second, black=1), ())
    harder = GAMES["purple_house"].coach(position(first, second, variant="harder"), ())

    assert white[0].value == best_margin(False, first, second) == turned
    assert harder[0].value == turned


def test_the_centre_keeps_the_best_result_as_often_as_the_facts_say():
    kept = dict.fromkeys(("centre", "corner", "edge"), 0)
    for first, second in itertools.product(range(6), repeat=2):
        best = best_margin(True, first, second)
        for name, cell in (("centre", 4), ("corner", 0), ("edge", 1)):
            margins = [
                odd_margin(*folded(1 << cell, odd << cell), second, first - odd)
                for odd in (0, 1)
                if (first if odd else 5 - first)
            ]
            kept[name] += (max(margins) == best) * comb(5, first) * comb(5, second)

    assert kept == {"centre": 954, "corner": 698, "edge": 648}


def test_the_even_harder_game_is_played_out_exactly():
    state = position(3, 2, variant="color_match")
    for cell, pips in enumerate((1, 1, 1, 2, 2, 1)):
        placed = ph.Place(*divmod(cell, 3), ("black", "white")[cell % 2], pips)
        state = ph.GAME.apply(state, placed)

    def best(state, depth):
        if depth == 0:
            return None
        values = []
        for move in ph.GAME.legal_moves(state):
            following = ph.GAME.apply(state, move)
            if depth == 1:
                black, white = ph.board.points(following.done[-1].round.grid, "color_match")
                values.append(black - white)
            else:
                values.append(best(following, depth - 1))
        return max(values) if depth % 2 else min(values)  # the ninth die is black's

    assert GAMES["purple_house"].coach(state, ())[0].value == best(state, 3)


def test_own_dice_raise_the_chance_of_a_bid():
    state = after("gords", gords.Agree(0), gords.Bid("4", 6))
    blind = {str(one.move): one.why for one in GAMES["gords"].coach(state, ())}
    seeing = {str(one.move): one.why for one in GAMES["gords"].coach(state, (6, 6, 6, 1, 2))}
    call, bids = str({"move": "Call", "seat": 1}), [why for why in seeing.values() if "Bid" in why]

    assert "true in 44.1 %" in blind[call]  # the facts: 4 of 10 unknown dice
    assert "true in 100.0 %" in seeing[call]
    # How often no die is lost is said with what it rests on.
    assert seeing[call].endswith(" if player 1 bids only what their own dice make likely.")
    assert all(" cases if player " in why for why in seeing.values())
    assert "keep all your dice for now in" in bids[0]


def test_a_bid_that_cannot_be_true_is_called():
    state = after("gords", gords.Agree(0), gords.Bid("10", 6))

    best = GAMES["gords"].coach(state, (2, 2, 3, 4, 5))[0]

    assert best.move == {"move": "Call", "seat": 1}
    assert best.value == 1


def test_a_hand_of_what_no_die_shows_is_refused():
    with pytest.raises(NoAdvice, match="1 to 6 each"):
        GAMES["gords"].coach(after("gords", gords.Agree(0)), (1, 2, 3, 4, 7))


def saved(tmp_path, name, moves, **house):
    match = recording.record(GAMES[name], 2, house, moves, ("Ada", "Ben"))
    path = tmp_path / "match.jsonl"
    path.write_text("".join(f"{line}\n" for line in recording.write(match)), encoding="utf-8")
    return path


def test_the_command_prints_the_choices_as_the_recording_has_them(tmp_path, capsys):
    path = saved(tmp_path, "pig", [pig.Roll(6)] * 3, target=50)

    assert cli.main(["coach", "pig", "--state", str(path), "--json"]) == 0
    choices = json.loads(capsys.readouterr().out)

    assert [sorted(one) for one in choices] == [["move", "value", "why"]] * 2
    hold = next(one["move"] for one in choices if one["move"]["move"] == "Hold")
    assert load_move(GAMES["pig"], hold) == pig.Hold()


def test_the_command_prints_a_table_for_a_person(tmp_path, capsys):
    path = saved(tmp_path, "gords", [gords.Agree(0), gords.Bid("4", 6)])

    assert cli.main(["coach", "gords", "--state", str(path), "--hand", "1,2,3,4,5"]) == 0
    lines = capsys.readouterr().out.splitlines()

    assert lines[0].startswith(" 1. ")
    assert lines[-1].endswith("more choices: --json")


@pytest.mark.parametrize(
    ("game", "name", "moves", "hand", "says"),
    [
        ("pig", "pig", [pig.Roll(6), pig.Roll(6), pig.Hold()], [], "The game is over"),
        ("pig", "pig", [pig.Roll(6)], ["--hand", "1,2"], "leave the hand out"),
        ("pig", "gords", [gords.Agree(0)], [], "is of Gords"),
        ("gords", "gords", [], [], "nothing to choose now"),
        ("gords", "gords", [gords.Agree(0)], ["--hand", "12"], None),
        ("gords", "gords", [gords.Agree(0)], ["--hand", "1,2"], "Ada holds 5 dice"),
        ("purple_house", "purple_house", [ph.Agree(0, 0)], [], "enter both rolls"),
    ],
)
def test_what_cannot_be_advised_is_said_in_a_sentence(
    tmp_path, capsys, game, name, moves, hand, says
):
    path = saved(tmp_path, name, moves, **({"target": 10} if name == "pig" else {}))
    argv = ["coach", game, "--state", str(path), *hand]

    if says is None:
        with pytest.raises(SystemExit) as ended:
            cli.main(argv)
        assert ended.value.code == 2
        assert "a hand is dice" in capsys.readouterr().err
    else:
        assert cli.main(argv) == 1
        printed = capsys.readouterr()
        assert says in printed.err
        assert printed.out == ""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "match.jsonl cannot be opened"),  # with its small letters
        ("holiday\n", "is not JSON"),
        ('{"game": "pig", "version": 99, "seats": 2, "settings": {}}\n', "rules version 99"),
    ],
)
def test_a_file_that_is_no_recording_of_these_rules_is_said_to_be_so(
    tmp_path, monkeypatch, capsys, text, says
):
    monkeypatch.chdir(tmp_path)
    if text:
        (tmp_path / "match.jsonl").write_text(text, encoding="utf-8")

    assert cli.main(["coach", "pig", "--state", "match.jsonl"]) == 1
    assert says in capsys.readouterr().err


def test_the_command_takes_a_hand_of_tiles(tmp_path, capsys):
    path = saved(tmp_path, "even_at_odds", [Agree(0, 0)])
    argv = ["coach", "even_at_odds", "--state", str(path), "--json", "--hand"]

    assert cli.main([*argv, "6-2,0-4,3-5,1-2,4-6,0-0,1-5"]) == 0
    choices = json.loads(capsys.readouterr().out)

    assert choices[0]["move"]["move"] == "Lay"
    assert 1 >= choices[0]["value"] >= choices[-1]["value"] >= 0
    assert cli.main([*argv, "2-6,0-4"]) == 1
    assert "Ada holds 7 tiles" in capsys.readouterr().err
