"""What a phone sends is bounded before it is parsed; what it gets is compressed."""

import gzip
from typing import TYPE_CHECKING

import pytest
import werkzeug.formparser

from tests.conftest import picture
from webui.http.bodies import BODY_BYTES, FORM

if TYPE_CHECKING:
    pass

MANY_FIELDS = b"&x" * 500_000
FILE = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="board.png"\r\n\r\n'


def addresses(app, match):
    """Return every address that takes a POST, for the *match*."""
    values = {"match_id": match, "watch_id": "w", "sighting": "s", "what": "pieces"}
    values |= {"seq": 1, "number": 1}
    with app.test_request_context():
        urls = app.url_map.bind("localhost", default_method="POST")
        return [
            urls.build(rule.endpoint, {name: values[name] for name in rule.arguments})
            for rule in app.url_map.iter_rules()
            if "POST" in (rule.methods or ())
        ]


def test_no_address_parses_a_form_larger_than_it_needs(app, client, match, monkeypatch):
    parsed: list[int] = []
    parse = werkzeug.formparser.parse_qsl
    monkeypatch.setattr(
        werkzeug.formparser,
        "parse_qsl",
        lambda text, **rest: parsed.append(len(text)) or parse(text, **rest),
    )

    answers = {
        address: client.post(address, data=MANY_FIELDS, content_type=FORM).status_code
        for address in addresses(app, match["id"])
    }

    assert answers["/start"] == 413
    assert answers[f"/api/matches/{match['id']}/photos"] == 415  # before anything of it is read
    assert max(parsed, default=0) <= BODY_BYTES


def test_a_form_that_is_too_large_gets_a_sentence(client):
    answer = client.post("/start", data=MANY_FIELDS, content_type=FORM)

    assert answer.status_code == 413
    assert "all else 256 kB" in answer.text


@pytest.mark.parametrize("form", [False, True])
def test_a_photo_of_some_megabytes_is_taken(client, match, eyes, form):
    eyes.show()
    photo = picture(1600, 1600, ".png")
    assert len(photo) > 10 * BODY_BYTES

    in_a_form = (FILE + photo + b"\r\n--x--", "multipart/form-data; boundary=x")
    body, kind = in_a_form if form else (photo, "image/png")

    path = f"/api/matches/{match['id']}/photos"
    answer = client.post(path, data=body, content_type=kind)

    assert answer.status_code in (200, 201, 202)


@pytest.mark.parametrize("coding", ["gzip", "br"])
def test_pages_scripts_and_json_are_compressed(client, match, coding):
    paths = (f"/m/{match['id']}", f"/m/{match['id']}/tally", f"/api/matches/{match['id']}", "/")
    for path in paths:
        plain = client.get(path)
        small = client.get(path, headers={"Accept-Encoding": coding})

        assert small.headers["Content-Encoding"] == coding
        assert "Accept-Encoding" in small.headers["Vary"]
        assert len(small.data) < len(plain.data) / 2


def test_a_compressed_page_is_the_page(client, match):
    path = f"/api/matches/{match['id']}"

    small = client.get(path, headers={"Accept-Encoding": "gzip"})

    assert gzip.decompress(small.data) == client.get(path).data


def test_news_of_a_match_are_sent_at_once_and_not_compressed(client, match):
    path = f"/api/matches/{match['id']}/live"

    with client.get(path, headers={"Accept-Encoding": "gzip, br"}, buffered=False) as stream:
        assert "Content-Encoding" not in stream.headers
        assert next(iter(stream.response)) == b"retry: 1000\n\n"


@pytest.mark.browser
def test_a_page_asks_for_one_script_and_one_style_sheet(opened, server):
    match = server.match("pig", "Ana", "Ben")
    for path in ("", f"m/{match['id']}"):
        page = opened(server.address + path, own=True)

        fetched = page.evaluate(
            "performance.getEntriesByType('resource').map((it) => it.name)"
            # sounds, motion and the viewfinder come after the first paint
            ".filter((name) => !/senses|sight|finder|wholes/.test(name))"
            ".map((name) => name.split('.').at(-1))"
        )
        assert fetched.count("js") == fetched.count("css") == 1
