"""`/lite`: a phone takes Pipsight along from a server that has its files."""

from functools import partial

import pytest

from webui import cli
from webui.settings import ServerSettings

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
