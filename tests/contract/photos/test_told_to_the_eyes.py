"""What a game with its settings tells the eyes is the same on every road that reads a picture."""

import json
from dataclasses import replace

import pytest

import pipsight
import vision
from scorer import Die, NotScored, Table, load_move, replay
from scorer.games import GAMES
from tests import FIXTURES
from tests.conftest import picture, send_photo
from tests.contract.photos.test_score import scored_as
from tests.grids import EVERY
from tests.matches import BEGUN, CALLED
from vision.reading import Reading
from vision.watch.watcher import Watcher
from webui import cli
from webui.app import create_app
from webui.commands import watch as watch_command
from webui.eyes.eyes import Eyes
from webui.eyes.photo import see
from webui.eyes.watched_table import WatchedTable
from webui.follow.follower import Follower, nobody

REVEAL = FIXTURES / "photos" / "reveal-000002.jpg"
COLOURS = ("grey", "yellow", "black", "orange", "red")  # of the dice on it
# The moves to when a photo may be taken without a match, as far as there are any.
MOMENTS = {"gords": CALLED, "dice_wide_shut": BEGUN["dice_wide_shut"][:1]}
SEATS = {"gords": 6, "dice_wide_shut": 5}  # the most: without a match it is open how many play
BEFORE_MATCH = {"match", "advice", "coach_plays"}  # no setting of the table


def variants():
    """Yield every game with its usual settings, and with each other value of each setting."""
    for game in GAMES.values():
        yield game.name, {}
        for setting in game.settings:
            if setting.name == "colours":
                yield game.name, {"colours": ("yellow", "purple", "red")}
            elif setting.name not in BEFORE_MATCH and isinstance(setting.values, dict):
                others = [value for value in setting.values if value != setting.default]
                yield from ((game.name, {setting.name: value}) for value in others)


def moment(name, said):
    """Return how many play a game with its settings, and when a photo of it may be taken."""
    seats = len(said["colours"]) if "colours" in said else SEATS.get(name, 2)
    opening = [load_move(GAMES[name], move) for move in MOMENTS.get(name, [])]
    return seats, replay(GAMES[name], seats, said, opening)


def seen_otherwise():
    """Return each game, and for each setting that changes what is looked for a value of it."""
    found, usual = {}, {}
    for name, said in variants():
        equipment = GAMES[name].equipment(moment(name, said)[1])
        if equipment != usual.setdefault(name, equipment) or not said:
            found.setdefault((name, *said), (name, said))
    return list(variants()) if EVERY else list(found.values())


@pytest.fixture
def looks(monkeypatch):
    """What the eyes were asked for, in order; they find nothing."""
    asked = []

    def read(_photo, look, **_more):
        asked.append(look)
        return Reading(320, 240)

    def watch(_frames, *, watcher):
        asked.append(watcher.look)
        return iter(())

    monkeypatch.setattr(vision, "read", read)
    monkeypatch.setattr(Watcher, "step", lambda *_: None)
    monkeypatch.setattr(watch_command, "watch", watch)
    return asked


@pytest.fixture
def page(tmp_path):
    """Return a function that sends a photo to a new match, as a page does."""
    app = create_app(f"sqlite:///{tmp_path / 'log.sqlite'}", tmp_path / "photos", Eyes(see))
    client = app.test_client()

    def send(game, names, said, opening):
        sent = {"game": game, "names": names, "settings": said, "opening": opening}
        made = client.post("/api/matches", json=sent)
        assert made.status_code == 201, made.json
        send_photo(client, made.json["id"])

    yield send
    app.extensions["pipsight"].store.close()


@pytest.mark.parametrize(("name", "said"), seen_otherwise(), ids=str)
def test_every_road_tells_the_eyes_the_same_of_a_game(name, said, looks, page, tmp_path, capsys):
    game, opening = GAMES[name], MOMENTS.get(name, [])
    seats, state = moment(name, said)
    (photo := tmp_path / "photo.jpg").write_bytes(picture())

    page(name, [f"P{seat}" for seat in range(seats)], said, opening)
    of_page = looks[-1]
    (table := WatchedTable()).look(picture(), 0.0, game.equipment(state))
    match = Follower(game, seats, said, nobody)
    match.state = state
    looks.clear()
    match.take(photo)
    of_follow = looks[0]
    beside = {fact.name: fact.example for fact in game.one_photo.facts}
    words = [f"--set={key}={','.join(v) if isinstance(v, tuple) else json.dumps(v)}"
             for key, v in said.items()]  # fmt: skip
    cli.main(["score", name, f"--players={seats}", *words,
              *(f"--set={key}={value}" for key, value in beside.items()), str(photo)])  # fmt: skip
    of_score = looks[-1]
    with pytest.raises(NotScored):
        pipsight.score(photo, name, players=seats, **said, **beside)
    of_library = looks[-1]
    cli.main(["watch", "--game", name, f"--players={seats}", *words, str(photo)])
    of_watch = looks[-1]

    alone = replace(of_page, count=None) if game.one_photo.any_number else of_page
    assert [table.watcher.look, of_follow] == [of_page] * 2
    assert [of_score, of_library, of_watch] == [alone] * 3


def test_a_reveal_of_dice_that_look_alike_is_scored_with_its_colours_or_asked_about(capsys):
    """By themselves four yellow dice look white here, and grey ones too."""
    said = ["--players=5", f"--set=colours={','.join(COLOURS)}", "--set=bid=9 twos"]

    assert cli.main(["score", "gords", "--json", *said, str(REVEAL)]) == 0

    answer = json.loads(capsys.readouterr().out)
    assert answer["score"] == [10]
    assert len(answer["doubts"]) >= 2
    assert not answer["sure"]


def lying(**hands):
    return Table(tuple(Die(int(pips), name) for name, dice in hands.items() for pips in dice))


NO_YELLOW = "no yellow dice were seen: are there none left?"
TWO_WHITE = "two white dice were seen, and one shows the bid: is another one a player's?"
AGREED = {"bid": "3 sixes", "colours": ("yellow", "purple", "red")}


@pytest.mark.parametrize(
    ("table", "asked"),
    [
        (lying(yellow="66", purple="1", red="2", white="6"), []),
        (lying(yellow="66", purple="1", red="2", white="62"), [TWO_WHITE]),
        (lying(purple="1", red="66", white="6"), [NO_YELLOW]),
    ],
)
def test_two_white_dice_and_an_agreed_colour_without_dice_are_asked_about(table, asked):
    scored = scored_as("gords", table, players=3, **AGREED)

    assert [doubt.sentence for doubt in scored.doubts] == asked


def test_two_white_dice_among_those_shown_in_a_match_are_asked_about():
    game = GAMES["gords"]
    state = replay(game, 3, {"colours": AGREED["colours"]}, [load_move(game, m) for m in CALLED])

    found = game.observe(state, lying(yellow="66666", purple="11111", red="22222", white="32"))

    assert len(found.moves) == 3
    assert [doubt.sentence for doubt in found.doubts] == [TWO_WHITE]
