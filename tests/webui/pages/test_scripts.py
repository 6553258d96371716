"""Scripts and style sheets are joined, one file a page."""

from __future__ import annotations

import doctest
import re

import pytest
from flask.testing import FlaskClient

from webui.pages import scripts


def test_modules_are_joined_as_the_example_says() -> None:
    assert doctest.testmod(scripts).failed == 0


def test_what_a_page_names_stays_with_a_browser(client: FlaskClient) -> None:
    page = client.get("/").text
    joined = re.findall(r'"(/static/[^"]+/joined/[^"]+)"', page)

    assert len(joined) == 2
    for address in joined:
        answer = client.get(address)
        assert answer.headers["Cache-Control"].endswith("immutable")
        assert not re.search(r"^(import|export) ", answer.text, re.MULTILINE)


NO_NAMES = ["app.py", "..", "favicon.svg", "match.js+ui.css", "gone.js", "ui.css+ui.css"]


@pytest.mark.parametrize("name", NO_NAMES)
def test_nothing_else_is_joined(client: FlaskClient, name: str) -> None:
    page = client.get("/").text
    folder = re.findall(r'"(/static/[^"]+/joined/)[^"]+\.js"', page)[0]

    assert client.get(folder + name).status_code == 404
