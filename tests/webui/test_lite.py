"""Pipsight in a browser alone: taken along, without compiled packages, its matches in a copy."""

import subprocess
import sys
from functools import partial
from io import BytesIO

import pytest

from webui import cli
from webui.app import create_app
from webui.lite import site
from webui.lite.copies import views
from webui.settings import ServerSettings
from webui.store.tables.webhooks import WebhookTable
from webui.store.upgrade import prepare

PIG = {"game": "pig", "names": ["Ada", "Ben"]}


def browser_in(folder):
    """Return a browser that runs Pipsight itself over the matches in *folder*."""
    folder.mkdir(exist_ok=True)
    url = f"sqlite:///{folder / 'log.db'}"
    prepare(url)
    app = create_app(url, folder / "photos")
    app.register_blueprint(views(url))
    return app.test_client()


def test_on_another_phone_all_matches_of_a_copy_are_there_and_its_own(tmp_path):
    old, new = browser_in(tmp_path / "old"), browser_in(tmp_path / "new")
    started = old.post("/start", data={"game": "pig", "name": ["Ada", "Ben"]})
    match = started.location.rsplit("/", 1)[1]
    old.post("/api/matches", json=PIG)  # by no page: it has no host
    with old.get("/copy.zip") as saved:
        copy = BytesIO(saved.data)

    refused = new.post("/copy", data={"copy": (BytesIO(b"notes"), "notes.zip")})
    assert refused.status_code == 400
    assert "Nothing was changed" in refused.text
    new.post("/copy", data={"copy": (copy, "pipsight.zip")})

    again = browser_in(tmp_path / "new")  # the shell starts it anew, and keeps the cookies
    again._cookies = new._cookies
    listed = again.get("/matches").text
    assert (listed.count('id="m-'), listed.count("Delete the match")) == (2, 2)
    assert f'id="m-{match}"' in listed
    assert again.post("/api/matches", json=PIG).status_code == 201
    pages = listed + again.get("/players").text
    assert "Whoever runs the server" not in pages  # nobody does


@pytest.mark.parametrize("others", [True, False], ids=["a server", "a browser alone"])
def test_only_a_server_leads_to_a_webhook_that_was_given_up(others, make_app, monkeypatch):
    monkeypatch.setattr(WebhookTable, "lost", lambda *_: True)
    client = make_app(settings=ServerSettings(others=others)).test_client()
    started = client.post("/start", data={"game": "pig", "name": ["Ada", "Ben"]})

    assert ("/followers" in client.get(started.location).text) == others


PLAY = """
import json
import sys

from webui.lite.used_modules import Refused

sys.meta_path.insert(0, Refused())

from scorer.games import GAMES
from webui.lite.boot import begin

names = (
    "constants.json", "detector.onnx", "edge_classifier.onnx", "face_classifier.onnx", "kinds.bin",
    "pair_classifier.onnx", "ort-wasm-simd-threaded.wasm",
)
app = begin(sys.argv[1], "localhost", "", json.dumps({name: ("0", 1, 1) for name in names}))
phone = app.test_client()

def page(path, words):
    answer = phone.get(path)
    assert answer.status_code == 200, (path, answer.status, answer.text[-900:])
    assert words in answer.text, (path, answer.text[-900:])

page("/", "Start")
for game in GAMES:
    page(f"/?game={game}", "Start")
    page(f"/rules/{game}", "<h1")
given = {"game": "pig", "names": ["Ada", "Ben"], "settings": {"target": 10}}
started = phone.post("/api/matches", json=given)
assert started.status_code == 201, started.text
match, seq = started.json["id"], started.json["seq"]
page(f"/m/{match}", "Ada")
for move in ({"move": "Roll", "pips": 5}, {"move": "Roll", "pips": 6}, {"move": "Hold"}):
    sent = {"after": seq, "moves": [move]}
    answer = phone.post(f"/api/matches/{match}/moves", json=sent)
    assert answer.status_code == 201, answer.text
    page(f"/m/{match}/tally", "Ada")
    seq = answer.json["seq"]
page(f"/m/{match}", "on this phone alone")
assert "your own dice" not in phone.get(f"/m/{match}").text
assert "server" not in phone.get(f"/m/{match}/delete").text
for server_page in (f"/m/{match}/pieces", f"/m/{match}/phones", f"/m/{match}/followers", "/trust"):
    answer = phone.get(server_page)
    assert (answer.status_code, "Only a Pipsight server" in answer.text) == (404, True), server_page
page(f"/m/{match}", "Ada wins")
page(f"/m/{match}/history", "Ada")
page(f"/m/{match}/why/0", "11")
page("/matches", "Pig")
page("/players", "Ada")
"""


def test_the_app_starts_and_plays_where_no_native_package_can_be_imported(tmp_path):
    ended = subprocess.run(  # noqa: PLW1510
        [sys.executable, "-c", PLAY, str(tmp_path)], capture_output=True, text=True
    )

    assert ended.returncode == 0, ended.stderr


GONE = "This server has no Pipsight to take along."


@pytest.fixture
def folder(tmp_path):
    for name in ("index.html", "service_worker.js", "python.wasm", "python.mjs"):
        (tmp_path / "site" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "site" / name).write_text(name)
    (tmp_path / "secret").write_text("of the server")
    return tmp_path / "site"


def test_a_phone_gets_the_files_and_the_rights_that_its_shell_needs(make_app, folder):
    phone = make_app(settings=ServerSettings(lite=folder)).test_client()
    get = partial(phone.get, buffered=True)

    shell = get("/lite/")
    assert shell.text == "index.html"
    assert "'wasm-unsafe-eval'" in shell.headers["Content-Security-Policy"]
    assert "no-cache" in shell.headers["Cache-Control"]  # else it would keep a build for a year
    assert get("/lite/python.wasm").mimetype == "application/wasm"
    assert get("/lite/python.mjs").mimetype == "text/javascript"
    assert get("/lite/../secret").status_code == 404
    assert get("/lite/%2e%2e/secret").status_code == 404
    assert 'href="/lite/"' in get("/").text


def test_a_server_without_the_files_says_how_to_offer_them(make_app):
    phone = make_app().test_client()

    answer = phone.get("/lite/")
    assert answer.status_code == 404
    assert GONE in answer.text
    assert "/lite/" not in phone.get("/").text


def test_a_folder_with_something_else_is_refused_at_the_start(tmp_path, capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main(["serve", "--lite", str(tmp_path)])

    assert "is not what pipsight site has written" in capsys.readouterr().err


def test_a_site_that_a_full_disk_cuts_off_is_not_left_there(tmp_path, monkeypatch, capsys):
    def full(_pyodide, python):
        raise OSError(28, "No space left on device", str(python / "pyodide.mjs"))

    monkeypatch.setattr(site, "_unpack", full)

    assert cli.main(["site", str(tmp_path / "new")]) == 1
    said = capsys.readouterr().err
    assert said == f"{tmp_path}/new cannot be written: No space left on device.\n"
    assert not (tmp_path / "new").exists()
