"""`pipsight photos`: what they use, and an export with what was counted; a match deleted."""

import json
import re
import shutil
import subprocess
import sys
from io import BytesIO
from zipfile import ZipFile

import pytest

from models.dataset.folders import datasets_under, photos_by_set, strangers_under
from models.train.calibration.card import learned_from
from models.train.steps import grounds_of
from tests.conftest import picture
from webui.cli import main
from webui.match import match as matches
from webui.match.undo import undo


def quad(left):
    return [[left, 20], [left + 10, 20], [left + 10, 30], [left, 30]]


def reading(*dice):
    return {
        "width": 64, "height": 48, "tiles": [], "marks": [], "board": None, "perhaps": [],
        "dice": [
            {"value": value, "color": colour, "cell": None, "quad": quad(20 * place)}
            for place, (value, colour) in enumerate(dice)
        ],
    }  # fmt: skip


@pytest.fixture
def file(tmp_path):
    return str(tmp_path / "log.sqlite")


@pytest.fixture
def counted(store):
    """Count moves with a photo on which dice were read."""

    def count(match, width, dice, *moves):
        kept = store.keep(match.row.id, reading(*dice), picture(width))
        seq = matches.load(store, match.row.id).seq
        return matches.play(store, match.row.id, seq, moves, sighting=kept.id)

    return count


def exported(tmp_path, file, capsys):
    assert main(["photos", "--database", file, "--export", str(tmp_path / "own")]) == 0
    images = json.loads((tmp_path / "own/labels.json").read_text())["images"]
    return images, capsys.readouterr().out


def test_what_was_counted_labels_a_photo_and_puts_its_reading_right(
    store, counted, tmp_path, file, capsys
):
    pig = matches.create(store, "pig", ["Ada", "Ben"], {})
    counted(pig, 64, [(4, "white")], {"move": "Roll", "pips": 4})
    counted(pig, 72, [(3, "white")], {"move": "Roll", "pips": 2})  # a person said so

    images, said = exported(tmp_path, file, capsys)

    assert said.startswith("2 photos with labels")
    assert [image["dice"][0]["value"] for image in images] == [4, 2]
    assert images[0]["dice"][0]["color"] is None  # Pig asks no colour
    names = sorted(path.name for path in (tmp_path / "own/images").iterdir())
    assert names == ["000001.jpg", "000002.jpg"]
    assert "Ada" not in (tmp_path / "own/labels.json").read_text()
    (own,) = datasets_under(tmp_path / "own", all_photos=True)
    assert [[face.value for face in image.dice or ()] for image in own.images] == [[4], [2]]


def test_training_takes_an_own_table_by_itself_and_beside_other_sets(
    store, counted, tmp_path, file, capsys
):
    pig = matches.create(store, "pig", ["Ada", "Ben"], {})
    for width in (64, 72, 80):
        counted(pig, width, [(4, "white")], {"move": "Roll", "pips": 4})
    exported(tmp_path, file, capsys)
    (tmp_path / "networks").mkdir()

    for photos in (tmp_path / "own", tmp_path):
        (name, shots), *others = photos_by_set(photos).items()
        assert (name, others) == ("own", [])
        assert [shot.path.name for shot in shots] == ["000002.jpg", "000003.jpg"]
        (line,) = learned_from(tmp_path / "networks", photos)
        assert line == "- own: 2 photos, 2 dice (counted at a table)"
        assert list(strangers_under(photos)) == []


def test_photos_of_dominoes_are_no_ground_without_pieces(tmp_path):
    tile = {"halves": [6, 1], "half_centers": [[16, 16], [32, 16]]}
    images = [{"file": "000002.jpg", "dice": [], "tiles": [tile]}, {"file": "000003.jpg"}]
    (tmp_path / "labels.json").write_text(json.dumps({"images": images}))

    assert [path.name for path in grounds_of(tmp_path)] == ["000003.jpg"]


def test_a_step_taken_back_or_one_that_does_not_say_what_lies_there_labels_nothing(
    store, counted, tmp_path, file, capsys
):
    free, pig = (matches.create(store, game, ["Ada", "Ben"], {}) for game in ("sum", "pig"))
    counted(free, 64, [(4, "white"), (2, "white")], {"move": "Enter", "seat": 0, "points": 7})
    made = counted(pig, 72, [(4, "white")], {"move": "Roll", "pips": 4})
    undo(store, pig.row.id, made.seq)

    images, said = exported(tmp_path, file, capsys)

    assert images == []
    assert said.startswith("0 photos")
    assert "1 photo was left out" in said  # of what was taken back nobody says it
    # The folder is there now, and is left alone.
    assert main(["photos", "--database", file, "--export", str(tmp_path / "own")]) == 1
    assert "is there already. Choose another name" in capsys.readouterr().err


def test_the_host_downloads_the_photos_of_a_match(client, app):
    store = app.extensions["pipsight"].store
    made = client.post("/api/matches", json={"game": "pig", "names": ["Ada", "Ben"]}).json
    kept = store.keep(made["id"], reading((4, "white")), picture(64))
    sent = {"after": 0, "moves": [{"move": "Roll", "pips": 4}], "sighting": kept.id}
    assert client.post(f"/api/matches/{made['id']}/moves", json=sent).status_code == 201

    link = re.search(r'href="(/m/\w+/photos.zip)"', client.get(f"/m/{made['id']}/share").text)
    with client.get(link[1]) as answer, ZipFile(BytesIO(answer.data)) as file:
        labels = json.loads(file.read("labels.json"))
        assert file.read("images/000001.jpg")[:2] == b"\xff\xd8"

    assert labels["images"][0]["dice"][0]["value"] == 4


@pytest.fixture
def match(store):
    """A match with a photo of March and one that is gone."""
    made = matches.create(store, "pig", ["Ada", "Ben"], {})
    for width, at in ((64, "2026-03-02T20:00:00Z"), (72, "2026-04-02T20:00:00Z")):
        kept = store.keep(made.row.id, {}, picture(width))
        with store.database.writing() as connection:
            connection.exec_driver_sql("UPDATE sighting SET at = ? WHERE id = ?", (at, kept.id))
    return made.row


def test_photos_are_counted_month_by_month_and_old_ones_deleted(store, match, file, capsys):
    assert main(["photos", "--database", file]) == 0
    months = [" ".join(line.split()[:3]) for line in capsys.readouterr().out.splitlines()]
    assert months == ["2026-03 1 photos", "2026-04 1 photos", "total 2 photos"]

    assert main(["photos", "--database", file, "--photo-gb", "0.000000001"]) == 0

    said = capsys.readouterr().out
    assert re.search(r"deleted: 2 photos, 0\.0 MB\ntotal +0 photos", said)
    assert "2 more are not kept any more" in said
    assert matches.load(store, match.id).seq == 0


def test_an_empty_place_is_not_the_usual_one(file, capsys):
    with pytest.raises(SystemExit):
        main(["photos", "--photos", "", "--database", file])

    assert "name a folder or a store, not ''" in capsys.readouterr().err


@pytest.mark.parametrize("number", ["0", "-1", "many", "inf", "1e9"])
def test_a_limit_is_a_number_above_0(number, capsys):
    with pytest.raises(SystemExit):
        main(["photos", "--photo-days", number])

    assert "write a number above 0" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [["photos"], ["host", "ABCDEF"], ["stats"], ["matches"], ["play", "--resume", "ABCDEF"]],
)
def test_no_command_makes_a_database_only_to_look_into_it(command, tmp_path, capsys):
    file = tmp_path / "none.sqlite"

    assert main([*command, "--database", str(file)]) == 1

    assert f"There are no matches at {file}. Start one" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


MOUNTED = 'mount --bind -o ro "$0" "$0" && exec "$@"'
UNSHARED = (
    shutil.which("unshare")
    and not subprocess.run(
        ["unshare", "-rm", "sh", "-c", MOUNTED, "/tmp", "true"], capture_output=True, check=False
    ).returncode
)


@pytest.mark.skipif(not UNSHARED, reason="no file system can be mounted here")
@pytest.mark.parametrize("command", ["photos", "stats", "matches", "check"])
def test_what_only_looks_needs_no_right_to_write(command, store, match, tmp_path, file):
    store.close()
    argv = [sys.executable, "-m", "webui.cli", command, "--database", file]

    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", MOUNTED, tmp_path, *argv],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    said = {"photos": "total ", "stats": "Ada ", "matches": match.code, "check": "is intact"}
    assert (done.returncode, done.stderr) == (0, "")
    assert said[command] in done.stdout


@pytest.mark.parametrize(("answer", "code", "left"), [("n", 1, 1), ("", 1, 1), ("y", 0, 0)])
def test_a_match_is_deleted_after_a_question(
    store, match, file, answer, code, left, monkeypatch, capsys
):
    monkeypatch.setattr("builtins.input", lambda _ask: answer)

    assert main(["matches", match.code, "--delete", "--database", file]) == code

    assert len(store.newest(9)) == left
    assert len(list(store.photos.iterdir())) == 2 * left
    assert ("Nothing was deleted" in capsys.readouterr().out) == bool(left)


def test_it_is_deleted_without_a_question_where_that_is_said(store, match, file, capsys):
    assert main(["matches", match.id, "--delete", "--yes", "--database", file]) == 0
    assert main(["matches", match.id, "--delete", "--yes", "--database", file]) == 1

    said = capsys.readouterr()
    deleted = f"Deleted: {match.code}, pig of Ada, Ben, and 2 photos that no other match has.\n"
    assert said.out == deleted
    assert "no match" in said.err.lower()
    assert store.newest(9) == ()


def test_which_match_is_to_be_deleted_must_be_said(file, capsys):
    with pytest.raises(SystemExit):
        main(["matches", "--delete", "--database", file])

    assert "name the match to delete" in capsys.readouterr().err
