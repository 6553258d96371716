"""What a person types, and whatever the terminal offers and says, stands for one move."""

import random
import re

import pytest

from scorer.games import GAMES
from scorer.games.dice_wide_shut.state import Half, Sheet
from scorer.match.offer import MOST as MOST_PLAYERS
from scorer.messages import ENGLISH, WHOLE, translated
from scorer.values import changed
from tests.grids import EVERY, few
from webui.match import match as matches
from webui.terminal import matches as played
from webui.terminal.commands_typed import COMMANDS, offered
from webui.terminal.session import Session

CALLED = ("Ada bids first", "4 sixes", "Bo calls")
KEPT = ("1 1 1 2 3 4",)
FARKLE, FOR_START = "→ Ada rolls 2 3 4, a Farkle", "→ Bo rolls 2-5 for the start"
THREES, FLIPS = "Ada rolls 3 and Bo rolls 3", ("Ada flips 0-6", "Bo flips 1-5")
FOUND = "→ 4 sixes, ones included – Ada bid 4 sixes, Bo called"
BLACK = "Ada starts Ada black"


@pytest.mark.parametrize(
    ("game", "lines", "played"),
    few(
        [
            ("farkle", [*KEPT, "keep 1 and bank"], "→ Ada keeps 1 and banks 100\n"),
            ("farkle", [*KEPT, "keep 1 1 and bank"], "→ Ada keeps 1 1 and banks 200\n"),
            ("farkle", [*KEPT, "keep 1 1 1 bank"], "→ Ada keeps 1 1 1 and banks 1000\n"),
            ("farkle", ["115234", "keeps 115 and banks"], "→ Ada keeps 1 1 5 and banks 250\n"),
            ("pig", ["4", "roll 4"], "→ Ada rolls 4\n"),
            ("gords", [*CALLED, "count 4"], FOUND),
            ("gords", [*CALLED, "4 found"], FOUND),
            ("gords", [*CALLED[:1], "4 x 6"], "→ Ada bids 4 sixes\n"),
            ("gords", [*CALLED[:1], "4x sixes"], "→ Ada bids 4 sixes\n"),
            ("gords", [*CALLED[:1], "4 × 6"], "→ Ada bids 4 sixes\n"),
            ("purple_house", [BLACK, "white rolls 12345"], "→ white rolls 1 2 3 4 5\n"),
            ("purple_house", [BLACK, "white rolls 12345", "12345"], "→ black rolls 1 2 3 4 5\n"),
            ("beat_the_odds", ["Ada begins", "Ada rolls 52"], "→ Ada rolls 2-5 for 2 points\n"),
            ("pig", ["5", "6", "1"], "→ Ada rolls 1 and loses the turn with its 11 points\n"),
            ("farkle", ["2 2 3 3 4 6"], "→ Ada rolls 2 2 3 3 4 6, a Farkle\n"),
            ("farkle", ["115234", "keep 115 rolls on", "2 3 4"], f"{FARKLE}, 250 points lost\n"),
            ("beat_the_odds", ["3 4", "2 5"], f"{FOR_START}, level: Ada and Bo roll again\n"),
            ("beat_the_odds", ["3 4", "2 6"], "→ Bo rolls 2-6 for the start: Bo begins\n"),
            ("purple_house", [THREES], f"→ {THREES} for the start, level: both roll again\n"),
            ("even_at_odds", [f"{FLIPS[0]} {FLIPS[1]}"], f"→ {', '.join(FLIPS)}: level\n"),
        ],
        7,
    ),
)
def test_what_says_a_move_exactly_is_that_move_told_with_what_it_costs(
    answered, game, lines, played
):
    assert f"{answered(game, *lines)}\n".startswith(played)


def test_a_tile_is_found_by_the_tile_beside_it(answered):
    agreed = "Ada starts, Ada plays for the evens"

    said = answered("even_at_odds", agreed, "1-2 beside 1-1")
    played = answered("even_at_odds", agreed, "2-1 beside 1-1 and 6-6")

    assert len(said.splitlines()) == 7
    assert all("plays 1-2 " in line and "of the 1-1" in line for line in said.splitlines())
    assert played.startswith("→ Ada plays 1-2 above the right half of the 1-1, its 1 touching and")


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["3 Vierer"], "→ Ada bietet 3 Vieren\n"),
        (["3 vieren"], "→ Ada bietet 3 Vieren\n"),
        (["3 x 4"], "→ Ada bietet 3 Vieren\n"),
        (["3x Vierer"], "→ Ada bietet 3 Vieren\n"),
        (["Ada bietet 3 Vierer"], "→ Ada bietet 3 Vieren\n"),
        (["4 Dreier", "Bo zweifelt", "4 gezählt"], "→ 4 Dreien, Einsen eingerechnet"),
        (["4 Dreier", "2 Vierer"], "(GD-4)"),
    ],
)
def test_faces_are_counted_in_german(typed, lines, says):
    said = typed("Ada Erstes", *lines, game="gords", names=("Ada", "Bo"), language="de")

    assert says in said


@pytest.mark.parametrize(
    ("game", "lines", "says"),
    [
        ("pig", ["würfle 4", "halte"], "→ Ada sichert 4\n"),
        ("farkle", ["1 1 1 2 3 4", "halte 1 1 1 und würfle"], "→ Ada behält 1 1 1 und würfelt"),
        ("farkle", ["111234", "behalte 1 1 1 und sichere 1000"], "→ Ada behält 1 1 1 und sichert"),
        ("gords", ["Ada", "biete 4 Sechser", "zweifle"], "→ Bo zweifelt an\n"),
        ("pig", ["4", "tausche Ada und Bo"], "Tippe: tauschen namen Ada und Bo"),
        ("pig", ["4", "zurück"], "Zurückgenommen: Ada würfelt 4\n"),
        ("pig", ["4", "Bo gibt auf"], "Schreib es als aufgeben NAME."),
        ("pig", ["4", "höre auf"], "Schreib es als aufhören."),
        ("purple_house", ["4-3", "schwarz", "schwarz 2 Reihe 1 Spalte 2"], "nicht schwarz. (PH-4)"),
    ],
)
def test_verbs_may_be_typed_as_one_speaks(typed, game, lines, says):
    assert says in typed(*lines, game=game, names=("Ada", "Bo"), language="de")


OTHERS = [language for language in WHOLE if language != ENGLISH]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("command", few(COMMANDS, 8), ids=lambda command: command.name)
def test_a_command_does_the_same_in_the_words_of_every_language(typed, command, language):
    about = {"leave": "Bo", "concede": "Bo", "join": "Cy", "start": "Bo", "rule": "PIG-2"}
    about |= {"play": "red 1", "save": "", "replace": "", "moves": "Ada"}
    named = {"rename": ("Ada", "Zoe")} | dict.fromkeys(("swap", "names", "chairs"), ("Ada", "Bo"))
    lines = []
    for spoken in (ENGLISH, language):
        words = translated(command.usage, spoken).split()
        before = [word for word in words if not word.isupper()]
        if command.name in named:
            players = iter(named[command.name])
            lines.append(" ".join(next(players) if word.isupper() else word for word in words))
        else:
            lines.append(" ".join([*before, *about.get(command.name, "").split()]))

    answers = [typed("4", line, names=("Ada", "Bo"), language=language) for line in lines]
    said = [re.sub(r"[A-Z0-9]{6,12}", "", answer) for answer in answers]

    assert said[0] == said[1]
    assert not re.search(rf"\b{re.escape(lines[0])}\b", said[1])


@pytest.mark.parametrize("language", OTHERS)
def test_help_and_tab_offer_the_words_of_the_language(typed, language):
    said = typed("Hilfe", language=language)

    hidden = {"best", "play"}  # not agreed on, and without effect in Pig
    for command in COMMANDS:
        shown = command.listed and command.name not in hidden
        assert (f"  {translated(command.usage, language)} " in said) == shown
    assert not {"undo", "history", "quit"} & set(offered(set(), language))


def test_a_rule_is_looked_up_during_a_match(typed):
    english = typed("4", "rule pig-2", "rule PIG-2", "rule nonsense")
    german = typed("4", "Regel PIG-2", language="de")

    assert english.count("\nPIG-2 ") == 2
    assert "Rules are named like PH-4; a refusal ends with one." in english
    assert "PIG-2 " in german
    assert "player" not in german


def test_commands_are_typed_without_umlauts_and_in_any_case(typed):
    said = typed("4", "RUECKGAENGIG", "wiederholen", "Verlauf", language="de")

    assert "Zurückgenommen: Player 1 würfelt 4" in said
    assert "   1 Player 1 würfelt 4" in said


def test_the_last_turn_of_farkle_is_said_with_what_is_to_beat(answered):
    first = ["1 1 1 2 3 4", "1 1 1 banks"]

    rolls = answered("farkle", *first, house={"target": 500})
    keeps = answered("farkle", *first, "1 1 5 2 3 4", house={"target": 500})

    assert "Bo rolls 6 dice, the last turn: 1000 to beat" in rolls
    assert "Bo sets aside what counts from 1 1 2 3 4 5, the last turn: 1000 to beat" in keeps


@pytest.mark.parametrize("mode", ["finish_round", "each_other_once"])
def test_the_last_turns_of_dice_wide_shut_are_said(mode):
    """Three columns of a half are full: whoever has no turn after this one is told."""
    game = GAMES["dice_wide_shut"]
    start = game.start(2, {"end_mode": mode})
    full = Half(rows=("xxx..",) * 5)
    begun = changed(start, sheets=(Sheet(red=full), Sheet()), round=4, order=(1,), last=())
    one_more = changed(begun, order=(1,), last=(1,))

    assert game.prompt(begun) == "round 4: player 2 rolls 3 red, 3 blue and 1 purple, the last turn"
    assert "the last turn" not in game.prompt(one_more)


# As people may be called: as a command, as a player, as a number, as a colour.
NAMES = ("Table", "Best", "Player 1", "4", "Moves", "Red")
STEPS, OFFERED = (8, 4) if EVERY else (4, 2)  # of a match; sentences typed in each


def forms():
    """Yield a game, its number of players and its house rules, for every way to play it.

    The shortest is tried by the fewest players and the longest by three; `make test-all` tries each
    with each.
    """
    for game in GAMES.values():
        own = {one.name: one for one in game.settings}
        lengths = list(own["match"].values) if "match" in own else []
        sizes = sorted({game.seats[0], 2, 3, 5} & set(game.seats))
        for seats in sizes if EVERY else sorted({sizes[0], min(3, sizes[-1])}):
            fewest = seats == sizes[0]
            tried = lengths if EVERY else lengths[:1] if fewest else lengths[-1:]
            for length in tried or [None]:
                house = {} if length is None else {"match": length}
                if game.seats[-1] == MOST_PLAYERS and seats > 2:
                    house["tournament_rounds"] = 2
                yield pytest.param(game, seats, house, id=f"{game.name}-{seats}-{length}")


def offers(session, said):
    """Yield the sentences that are offered, each as it is to be typed."""
    for asked in ("help", "moves"):
        said.clear()
        session.take(asked)
        lines = "\n".join(said).split("\n")
        first = lines.index("Now, for example:") if "Now, for example:" in lines else len(lines)
        shown = lines if asked == "moves" else lines[first:]
        for line in shown:
            if line.startswith("  ") and "…" not in line:
                yield re.split(r"\s{2,}", line.strip())[0]
        yield from (line.partition(" like: ")[2] for line in lines if " like: " in line)
    for name in ("", *session.names, "table"):
        found = session.complete(name)
        yield from (one for one in found if one not in offered(set(), ENGLISH))


def steps(session):
    """Return the number of the last step, 0 before the first."""
    return session.match.seq if session.match else 0


@pytest.mark.parametrize(("game", "seats", "house"), few(list(forms()), 5))
def test_every_sentence_that_is_offered_is_taken(store, game, seats, house):
    chance, said = random.Random(3), []
    begun = played.new(game.name, NAMES[:seats], house)
    session = Session(store, begun, said.append)
    for _ in range(STEPS):
        if game.is_over(session.state):
            break
        offered = sorted(set(filter(None, offers(session, said))))
        assert offered
        for typed in chance.sample(offered, min(OFFERED, len(offered))):
            before = steps(session)
            session.take(typed)
            assert steps(session) == before + 1, (typed, said[-3:])
            session.take("undo")
        session.take(chance.choice(offered))


def test_a_command_with_other_words_behind_it_is_none(store):
    said = []
    session = Session(store, played.new("pig", ("Undo", "Quit"), {}), said.append)

    assert session.take("Undo rolls 4")
    assert session.take("undo holds 4")
    assert session.take("quit rolls 5")

    texts = [text for step in session.match.steps for text in step.event.text]
    assert texts == ["Undo rolls 4", "Undo holds 4", "Quit rolls 5"]
    asking = {"moves", "redo", "best", "rule", "save", "replace"}
    of_the_table = {"leave", "concede", "join", "rename", "swap", "names", "chairs"}
    of_the_table |= {"end", "start", "play"}
    assert asking | of_the_table == {one.name for one in COMMANDS if one.words}
    assert matches.load(store, session.match.row.id).seq == 3


def test_a_list_that_is_cut_short_has_moves_of_each_kind(answered):
    listed = answered("gords", "Ada first", "4 sixes", "moves").splitlines()

    assert listed[-2:] == ["  Bo calls", "  … and 77 more: add more words"]


def test_a_word_alone_is_never_taken_for_how_dice_fell(answered):
    opening = ["3-4", "2-2"]

    assert answered("beat_the_odds", *opening, "h").startswith("  Ada rolls 5-5, which halves")
    assert "No move has been made" not in answered("beat_the_odds", *opening, "h", "history")
    assert "5-5" not in answered("beat_the_odds", *opening, "h", "history")
