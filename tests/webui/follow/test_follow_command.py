"""`pipsight follow`: photos in, what was understood, the tally and a recording out."""

import json
from dataclasses import replace

import pytest

from scorer import Die, Doubt, Table
from scorer.games import GAMES
from scorer.photo.follow import understood
from scorer.photo.meaning import ReadTable
from tests import FIXTURES
from tests.conftest import BOARD, grid
from webui import cli
from webui.eyes.pictures import make_folder
from webui.follow import command as follow_command
from webui.follow import follower
from webui.terminal.matches import read

BOARDS = FIXTURES / "boards"


@pytest.fixture
def command(fakes, monkeypatch, capsys):
    """Run `pipsight follow` on these photos with the eyes of *fakes*."""
    monkeypatch.setattr(follower, "see", fakes)

    def run(*argv):
        code = cli.main(["follow", *argv])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def test_what_cannot_be_is_drawn_on_the_photo(fakes, command, tmp_path, monkeypatch):
    drawn = {}

    def draw(picture, _photo, _reading, _wanted, pieces, said):
        drawn[picture.name] = pieces, said

    monkeypatch.setattr(follow_command, "write_overlay", draw)
    before, after = grid("b1 w2 b3 . . . . . ."), grid("b1 w2 b4 w5 . . . . .")
    photos = [str(fakes.photo("a.jpg", before)), str(fakes.photo("b.jpg", after))]

    command("purple_house", "--overlay", str(tmp_path), *photos)

    assert drawn["a.jpg.overlay.jpg"][0] == ()
    pieces, (sentence, *_) = drawn["b.jpg.overlay.jpg"]
    assert pieces == (("dice", 2),)
    assert "black 3" in sentence


def test_a_picture_that_cannot_be_written_ends_it_with_a_sentence(
    fakes, command, tmp_path, monkeypatch
):
    (tmp_path / "a file").write_text("")

    def write(picture, *_):
        make_folder(picture.parent)

    monkeypatch.setattr(follow_command, "write_overlay", write)
    photo = fakes.photo("a.jpg", grid("b1 w2 b3 . . . . . ."))

    code, _, said = command("purple_house", "--overlay", f"{tmp_path}/a file/in it", str(photo))

    assert code == 1
    assert "cannot be written" in said


def test_the_command_tells_each_photo_then_the_tally_and_writes_a_recording(
    fakes, command, tmp_path
):
    photos = [str(fakes.photo("a.jpg", grid(" ".join(BOARD)))), str(fakes.photo("b.jpg", None))]
    out = tmp_path / "match.jsonl"

    house = ("--set", "match=race", "--set", "target=25")
    code, output, said = command("purple_house", *house, *photos, "--out", str(out))

    assert code == 1
    assert read(out).settings["target"] == 25
    assert "a.jpg: player 1 starts, player 1 has black; black 1 on row 1, column 1; " in output
    assert "look again: the photo does not show who is who" in output
    assert "b.jpg: nothing is counted\n  cannot be: The photo is too dark." in output
    assert output.rstrip().endswith("play until all nine cells are full")
    assert "total: player 1 has 5, player 2 has 3" in output
    assert f"One photo is not counted: {photos[1]}" in said
    assert read(out).scores[-1] == (5, 3)
    assert command("purple_house", photos[0], "--out", str(out))[0] == 1  # it stays as it is
    assert read(out).scores[-1] == (5, 3)

    nowhere = str(tmp_path / "none" / "match.jsonl")  # said before any photo is read
    why = f"{nowhere} cannot be written: No such file or directory.\n"
    assert command("purple_house", photos[0], "--out", nowhere) == (1, "", why)


@pytest.mark.parametrize(
    ("argv", "why"),
    [
        (("pig", "--set", "coach_plays=4"), "The coach cannot play for player 4: there are 2."),
        (("even_at_odds", "--players", "3"), "if you want that, say how many rounds"),
    ],
)
def test_a_match_that_could_not_be_gone_on_with_is_not_begun(command, capsys, argv, why):
    with pytest.raises(SystemExit):
        command(*argv, "photo.jpg")

    assert why in capsys.readouterr().err


def test_json_is_one_object_a_photo_and_nothing_else(fakes, command):
    photos = [str(fakes.photo(f"{n}.jpg", Table((Die(n, "red"),)))) for n in (3, 1)]

    code, output, _ = command("pig", "--json", *photos)

    lines = [json.loads(line) for line in output.splitlines()]
    assert code == 1  # whether player 1 held before the 1, nobody said
    line = {"file": photos[0], "moves": [{"move": "Roll", "pips": 3}], "doubts": []}
    line |= {"differences": [], "score": [0, 0], "sure": True, "ms": 0}
    assert lines[0] | {"ms": 0} == line
    assert list(lines[0]) == list(lines[1]) == list(line)
    assert (lines[1]["sure"], lines[1]["moves"]) == (False, [])


def test_answers_are_taken_from_their_file(fakes, command, tmp_path):
    photos = [str(fakes.photo(f"{n}.jpg", Table((Die(n, "red"),)))) for n in (3, 1)]
    truths = {"1.jpg": {"moves": [{"move": "Hold"}, {"move": "Roll", "pips": 1}]}}
    path = tmp_path / "answers.json"
    path.write_text(json.dumps(truths | {"l.jpg": {"moves": []}}))

    code, out, said = command("pig", *photos, "--answers", str(path))

    assert code == 0
    assert said == "There are answers about photos that were not given: l.jpg\n"
    assert "total: player 1 has 3, player 2 has 0" in out


def test_a_race_is_followed_from_its_rendered_photos(capsys):
    """The real eyes, two rounds of the race: sure of all but who sits where."""
    race = json.loads((BOARDS / "race.json").read_text())["rounds"][:2]

    photos = [str(BOARDS / played["file"]) for played in race]
    assert cli.main(["follow", "purple_house", "--json", *photos]) == 0

    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (len(first["moves"]), len(second["moves"])) == (10, 9)
    assert first["score"] == [race[0]["total"]["black"], race[0]["total"]["white"]]
    assert second["score"] == [race[1]["total"]["black"], race[1]["total"]["white"]]
    assert second["sure"]


def test_a_doubt_about_progress_asks_nothing():
    game = GAMES["pig"]
    asks = (Doubt("so far", about="progress"),)
    progress = replace(game, observe=lambda *seen: replace(game.observe(*seen), doubts=asks))
    reading = ReadTable(Table((Die(4, "red"),)))

    step = understood(progress, game.start(2, {}), lambda *_: reading)

    assert step.sure
    assert step.doubts
