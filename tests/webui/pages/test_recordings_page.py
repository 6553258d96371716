"""A match saved as a file and opened again, and files that are none."""

import io
from html import unescape

import pytest

import pipsight
from scorer import recording
from scorer.games import GAMES
from tests.grids import few
from tests.tools.record import FOLDER
from webui.terminal.matches import read


def send(client, content, name="match.jsonl"):
    return client.post("/open", data={"recording": (io.BytesIO(content), name)})


def matches(services):
    with services.store.database.engine.connect() as connection:
        return connection.exec_driver_sql("select count(*) from match").scalar()


@pytest.mark.parametrize("name", few(GAMES, 3))
def test_a_recorded_match_is_opened_and_saved_as_it_was(client, name):
    kept = (FOLDER / f"{name}.jsonl").read_bytes()

    answer = send(client, kept)

    assert answer.status_code == 303
    assert (
        f'href="{answer.location}/recording.jsonl"' in client.get(f"{answer.location}/share").text
    )
    saved = client.get(f"{answer.location}/recording.jsonl")
    assert saved.mimetype == "application/jsonl"
    assert "attachment" in saved.headers["Content-Disposition"]
    both = (recording.read(text.splitlines(), GAMES) for text in (saved.text, kept.decode()))
    assert len({one.moves for one in both}) == 1


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_recording_is_opened_as_windows_writes_texts(client, tmp_path, encoding):
    (path := tmp_path / "our.jsonl").write_text(PIG.decode() + "}\n", encoding, newline="\r\n")

    assert send(client, path.read_bytes()).status_code == 303
    assert read(path).game == "pig"
    assert pipsight.replay(path).score == (0, 0)


def test_each_move_of_a_recording_can_be_taken_back(client):
    opened = send(client, (FOLDER / "pig.jsonl").read_bytes()).location
    match = client.get(f"/api{opened.replace('/m/', '/matches/')}").json

    undone = client.post(f"/api/matches/{match['id']}/undo", json={"after": match["seq"]}).json

    assert [len(step["text"]) for step in match["history"]] == [1] * len(match["history"])
    assert match["seq"] == len((FOLDER / "pig.jsonl").read_text("utf-8").splitlines()) - 1
    assert undone["score"] == match["history"][-2]["score"]
    assert match["names"] == ["Player 1", "Player 2"]  # it is from before names were kept


PIG = b'{"game": "pig", "version": 1, "seats": 2'


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "The recording is empty; its first line names the game."),
        (PIG + b"}\n" + b"[" * 99_999, "Line 2 is not JSON"),
        (PIG + b'}\n\n{"move": {"move": "Hold"}}', "Line 3: "),
        (PIG + b', "names": ["Ada", "\\u200b"]}', "name of player 2 contains a character that"),
        (b"\xff\xfe{", "It is not a text file"),
        (b"\xff\xd8\xff\xe0 a photo", "It is not a text file"),
    ],
)
def test_a_file_that_is_no_recording_makes_no_match_and_says_why(client, services, content, says):
    answer = send(client, content)

    assert answer.status_code == 400
    page = unescape(answer.text)
    assert "The recording was not opened." in page
    assert says in page
    assert matches(services) == 0


def test_no_file_and_too_large_a_file_are_refused(client, services, monkeypatch):
    assert "Choose a file first" in client.post("/open").text
    monkeypatch.setattr("webui.pages.start.start.RECORDING_BYTES", 1000)
    assert send(client, b"x" * 2000).status_code == 413
    assert matches(services) == 0


def test_a_match_under_rules_that_are_gone_cannot_be_saved_and_says_so(client, match, monkeypatch):
    monkeypatch.delitem(GAMES, "purple_house")
    monkeypatch.setattr("webui.pages.start.start.FIRST_GAME", next(iter(GAMES)))

    answer = client.get(f"/m/{match['id']}/recording.jsonl")

    assert answer.status_code == 422
    assert "is not installed here" in answer.text


@pytest.mark.parametrize(
    ("game", "name", "typed", "value"),
    [
        ("purple_house", "target", "75", 75),
        ("gords", "track", "1, 2, 1*, 3", ["1", "2", "1*", "3"]),
        ("gords", "track", "half_after", "half_after"),
    ],
)
def test_an_open_house_rule_is_typed(client, game, name, typed, value):
    sent = {"game": game, "name": ["Ada", "Ben"], f"typed.{name}": typed}

    made = client.post("/start", data=sent)

    view = client.get(f"/api{made.location.replace('/m/', '/matches/')}").json
    assert {one["name"]: one["value"] for one in view["settings"]}[name] == value


@pytest.mark.parametrize(
    ("game", "name", "typed", "says"),
    [
        ("purple_house", "target", "many", "the target is a whole number from 1 to 1000"),
        ("gords", "track", "1, two", "a place is a number or a star"),
        ("even_at_odds", "foundation", "[" * 9999, "foundation"),
    ],
)
def test_an_open_house_rule_that_cannot_be_is_refused_and_what_was_typed_stays(
    client, services, game, name, typed, says
):
    sent = {"game": game, "name": ["Ada", "Ben"], f"typed.{name}": typed}

    answer = client.post("/start", data=sent)

    assert answer.status_code == 400
    assert says in unescape(answer.text)
    assert f'value="{typed[:9999]}"' in unescape(answer.text)
    assert matches(services) == 0
