"""Sentences are messages: named parameters, one catalogue, another language at the edge."""

import ast
import pickle
import random
import re
from functools import cache
from itertools import islice, product
from string import Formatter

import pytest

from scorer import Illegal, Malformed, NotAMove, named
from scorer.game import load_move
from scorer.games import GAMES
from scorer.messages import LOCALE, WHOLE, Message, _, joined, languages, ngettext, raw, translated
from scorer.recording import read
from scorer.sentence import search, speak
from scorer.settings import settle
from scorer.words import listed, player, points
from tests import ROOT
from tests.grids import few
from tests.scorer.photo.damage import DAMAGES
from tests.scorer.photo.truths import TRUTHS
from tests.tools import messages


def fields(template):
    return sorted((name, spec) for _text, name, spec, _c in Formatter().parse(template) if name)


def test_a_message_is_its_english_text_and_knows_what_it_is_made_of():
    message = _("{who} rolls {pips}", who=player(0), pips=4)

    assert message == "player 1 rolls 4"
    assert message.template == "{who} rolls {pips}"
    assert dict(message.parts) == {"who": "player 1", "pips": 4}
    assert pickle.loads(pickle.dumps(message)).parts == message.parts


def test_names_stand_in_it_and_no_name_is_taken_for_a_player():
    message = listed([player(0), player(1), raw("player 3")])

    assert named(message, ["player 2", "Ben"]) == "player 2, Ben and player 3"
    assert named(named(message, [player(1), player(0)]), ["Ada", "Ben"]) == "Ben, Ada and player 3"
    for nobody in map(player, (-10, -1, 2)):
        assert named(nobody, ["Ada", "Ben"]) == named(str(nobody), ["Ada", "Ben"]) == nobody


def test_numbers_choose_the_plural_of_each_language():
    assert [points(n) for n in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert [translated(points(n), "de") for n in (0, 1, 2)] == ["0 Punkte", "1 Punkt", "2 Punkte"]
    assert ngettext("{n} of {all}", "{n} of them", 1, all=3) == "1 of 3"


def test_what_is_not_translated_or_no_message_is_told_as_it_is():
    message = _("{who} whistles", who=player(0))

    assert translated(message, "de") == "Spieler 1 whistles"
    assert translated(message, "xx") == translated(message, "en") == "player 1 whistles"
    assert translated("player 1 rolls 4", "de") == "player 1 rolls 4"
    assert translated(joined(", ", []), "de") == ""  # and not the head of the catalogue


def test_the_catalogue_holds_the_sentences_of_the_sources_and_is_what_gettext_reads():
    assert messages.TEMPLATE.read_bytes() == messages.as_po(messages.extracted())
    assert languages() == ("en", "de")
    for path in messages.translations():
        catalogue = messages.updated(messages.read(path), messages.extracted())
        assert path.read_bytes() == messages.as_po(catalogue), "make messages"
        assert path.with_suffix(".mo").read_bytes() == messages.compiled(catalogue)


@pytest.mark.parametrize("path", list(messages.translations()), ids=lambda path: path.parts[-3])
def test_a_translation_names_the_same_parameters_and_says_its_sentence_once(path):
    for entry in messages.read(path):
        sources = [set(fields(source)) for source in as_tuple(entry.id)]
        for said in filter(None, as_tuple(entry.string)):
            assert set(fields(said)) in sources, entry.id
            assert not re.fullmatch(r"(.{20,}?)\1+", said, re.DOTALL), said


def test_no_sentence_stands_where_the_extraction_of_messages_misses_it():
    """Babel does not look into f-strings."""
    missed = [
        (path.name, node.args[0].value)
        for room in messages.ROOMS
        for path in (ROOT / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in messages.KEYWORDS
        if node.args and isinstance(node.args[0], ast.Constant)
        if node.args[0].value not in messages.extracted()
    ]

    assert not missed


def test_no_function_hides_the_message_maker():
    """An assignment to `_` makes it local, and the sentence beside it a TypeError."""
    hidden = []
    for room in messages.ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            code = path.read_text(encoding="utf-8")
            if len(re.findall(r"\b_\b(?!\()", code)) < 2:
                continue  # it is imported and called, or not even that
            tree = ast.parse(code)
            imported = [node.names for node in tree.body if isinstance(node, ast.ImportFrom)]
            makes = any(one.name == "_" for names in imported for one in names)
            loops = [node for node in ast.walk(tree) if isinstance(node, ast.comprehension)]
            own = {id(name) for node in loops for name in ast.walk(node.target)}
            hidden += [
                (path.name, node.lineno)
                for node in ast.walk(tree)
                if makes and isinstance(node, ast.Name) and node.id == "_"
                if isinstance(node.ctx, ast.Store) and id(node) not in own
            ]

    assert not hidden


def check(sentence):
    """Every part of a sentence in words is in the catalogue; what is raw has no words of ours."""
    assert isinstance(sentence, Message), sentence
    for part in sentence.walk():
        words = re.sub(r"{.*?}", "", part.template)
        if re.search("[a-z]{2}", words):
            assert part.template in messages.extracted()


def sentences_of(game, state):
    """Yield every sentence about a state."""
    yield game.prompt(state)
    yield from game.draw(state)
    yield from game.notes(state)
    yield from (spot.title for spot in game.equipment(state).spots)
    yield from (one.question for one in game.instead(state))
    yield from (text for one in game.explain(state) for text in (one.part, one.text))
    if (ended := game.result(state)) is not None:
        yield ended.why


def played(game, seats, settings, chance, most=60):
    """Yield states of a random match, each with its moves."""
    state = game.start(seats, settings)
    for _move in range(most):
        moves = list(islice(game.legal_moves(state), 400))
        yield state, moves
        if not moves:
            return
        state = game.apply(state, chance.choice(moves))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_sentence_of_a_match_is_a_message_of_the_catalogue(game):
    chance, refused, later = random.Random(1), 0, []
    for seats in {max(1, game.seats[0]), 2, min(4, game.seats[-1])} & set(game.seats):
        for state, moves in played(game, seats, {}, chance):
            for sentence in sentences_of(game, state):
                check(sentence)
            for move in chance.sample(moves, min(8, len(moves))):
                check(game.describe(state, move))
            for move in chance.sample(later, min(8, len(later))):
                try:
                    game.apply(state, move)
                except (Illegal, NotAMove) as fault:
                    check(fault.reason)
                    refused += 1
                except (IndexError, ValueError):
                    pass
            later += chance.sample(moves, min(3, len(moves)))

    assert refused > 3


@pytest.mark.parametrize("game", TRUTHS)
def test_every_question_about_a_photo_is_a_message_of_the_catalogue(game):
    chance, asked = random.Random(2), 0
    for _case in range(25):
        truth = TRUTHS[game](chance)
        for damage in DAMAGES.values():
            table = damage(chance, truth, truth.table)
            if table is not None:
                proposal = truth.game.observe(truth.state, table)
                for remark in (*proposal.doubts, *proposal.differences):
                    check(remark.sentence)
                    asked += 1

    assert asked > 20


def test_german_speaks_to_one_person_and_calls_a_phone_handy():
    german = messages.read(LOCALE / "de" / "LC_MESSAGES" / "pipsight.po")
    words = r"[Ee]uch|[Ee]u(?:re[mnrs]?)|habt|wollt|[Tt]elefon\w*|ihr \w+ (habt|könnt)"
    plural = re.compile(rf"\b({words})\b")

    texts = [text for one in german if one.id for text in as_tuple(one.string)]

    assert [text for text in texts if plural.search(text)] == []


def as_tuple(text):
    return text if isinstance(text, tuple) else (text,)


def test_a_move_is_found_by_its_words_in_another_language_and_by_its_dice():
    game = GAMES["pig"]
    state = game.apply(game.start(2, {}), game.moves[0](3))
    spoken = speak(game, state, ["Ada", "Ben"], "de")

    assert [one.text for one in search(spoken, "sichert")] == ["Ada sichert 3"]
    assert [one.text for one in search(spoken, "4")] == ["Ada würfelt 4"]


def test_a_language_is_whole_once_every_sentence_is_translated():
    """Until then nobody hears two languages at a time."""
    whole = ["en"]
    for path in messages.translations():
        if all(all(one.string) for one in messages.read(path) if one.id):
            whole.append(path.parts[-3])

    assert list(WHOLE) == whole


ROOMS = ("scorer", "webui", "vision")
# What programs read: the interface is described there, and tables of a database.
FOR_PROGRAMS = {"openapi.py", "migrations", "reference.py"}
STATEMENT = re.compile(r"(PRAGMA|SELECT|SET) ")  # to a database
OF_DATABASES = {"pg_dump", "pg_restore"}  # programs that people run
# Who call the eyes or add a game; a type; a schema of the interface; a template of Home Assistant.
FOR_PROGRAMMERS = {"from_array", "game_of", "int", "MatchEvent", "value_json"}
PYTHON = {"True", "False", "None", "NoneType", "dict", "tuple", "str", "int", "list", "Traceback"}
NOTHING_OF_THEM = re.compile(r"\bNone(?= of\b|:)")  # English
CAMEL, SNAKE = re.compile(r"_?[A-Z][a-z]+[A-Z]\w*"), re.compile(r"[a-z]+(_[a-z0-9]+)+")
MOVES = {kind.__name__ for game in GAMES.values() for kind in game.moves}  # their JSON has these
ODD = (None, True, 1.5, "x", [], {}, [None], {"a": None}, -1, 10**30)


@cache
def sources():
    """Return each source file that speaks to people, with its text."""
    paths = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    return [
        (path, path.read_text(encoding="utf-8"))
        for path in paths
        if not FOR_PROGRAMS & set(path.parts)
    ]


def sentences(tree):
    """Yield line and text of each literal of several words that neither documents nor is SQL."""
    documents = set()  # an expression comes before what it is made of
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as text):
                documents.add(id(text))
            case ast.Constant(value=str(text)) if " " in text and id(node) not in documents:
                if not STATEMENT.match(text):
                    yield node.lineno, text


def names_of_python(text):
    """Return the words of a sentence that only a programmer knows."""
    plain = NOTHING_OF_THEM.sub("", re.sub(r"\{.*?\}|%\(\w+\)", "", text))
    words = set(re.findall(r"\b[A-Za-z_]\w*\b", plain))
    camel = {word for word in words if CAMEL.fullmatch(word)}
    return camel | {word for word in words if SNAKE.fullmatch(word)} | words & (PYTHON - {"list"})


def test_no_sentence_of_the_sources_names_a_class_or_a_variable():
    classes = {name for _, t in sources() for name in re.findall(r"^ *class (\w+)", t, re.M)}
    typed = set(GAMES) | {one.name for game in GAMES.values() for one in game.settings}
    found = [
        (path.name, line, name)
        for path, code in sources()
        for line, text in sentences(ast.parse(code))
        for name in names_of_python(text) - typed - OF_DATABASES - FOR_PROGRAMMERS
        if name in classes | PYTHON or SNAKE.fullmatch(name)
    ]

    assert not found


def test_no_sentence_is_made_of_the_name_of_a_type():
    found = [
        (path.name, node.lineno)
        for path, code in sources()
        if "vision" not in path.parts  # a library, whose AttributeError is for programmers
        if "__name__" in code
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.JoinedStr) and " " in ast.unparse(node)[2:-1].strip()
        if "__name__" in ast.unparse(node)
    ]

    assert not found


def check_people(sentence):
    """Assert that a sentence names nothing of Python; what was sent may be named as it was sent."""
    assert not (names_of_python(sentence) & PYTHON), sentence
    assert not {word for word in names_of_python(sentence) if CAMEL.fullmatch(word)} - MOVES


@pytest.mark.parametrize(
    "what", few(["moves", "undo", "proposals", "advice", "pieces", "board"], 3)
)
def test_odd_requests_are_refused_in_words_of_people(post, what):
    fields = ("after", "to", "moves", "by", "request", "sighting", "spot", "dice", "hand", "tiles")
    bodies = [None, [], "x", 1, {}, *({"after": 1, name: odd} for name in fields for odd in ODD)]
    for sent in bodies:
        status, answer = post(what, sent)
        if status >= 400:
            check_people(answer["error"]["sentence"])


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_odd_moves_and_settings_are_refused_in_words_of_people(game):
    for setting, odd in product(game.settings, ODD):
        try:
            settle(game.settings, {setting.name: odd})
        except Malformed as fault:
            check_people(str(fault).removeprefix(setting.name))
    for odd, kind in product(ODD, game.moves):
        for sent in (odd, {"move": odd}, {"move": kind.__name__, "x": odd}):
            try:
                load_move(game, sent)
            except Malformed as fault:
                check_people(str(fault))


@pytest.mark.parametrize("head", ['{"game": null}', '{"game": "pig"}', "[]", '{"game": true}'])
def test_odd_recordings_are_refused_in_words_of_people(head):
    with pytest.raises(Malformed) as fault:
        read([head], GAMES)

    check_people(str(fault.value))
