"""The examples of docs/develop/follow.md are right."""

from __future__ import annotations

import doctest
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.webui.http.test_events import move, step
from tests.webui.serving import served

PAGE = Path(__file__).parents[3] / "docs" / "develop" / "follow.md"


@pytest.fixture
def match(client, new_match):
    made = new_match(game="pig", names=["Ada", "Ben"], opening=[])
    move(client, made, "Roll", pips=4)
    step(client, made, "undo")
    return made


def snippet(language):
    """Return the example in some language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    return found


def test_the_examples_in_python(app, services, match, receiver):
    services.private_webhooks = True
    with served(app) as port:
        given = {"server": f"http://127.0.0.1:{port}", "match": match["id"]}
        given |= {"receiver": receiver.url, "next_request": lambda: receiver.got.get(timeout=30)}

        result = doctest.testfile(str(PAGE), module_relative=False, globs=given)

    assert result.failed == 0
    assert result.attempted > 8


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_the_example_of_curl(app, match):
    with served(app) as port:
        given = {
            "SERVER": f"http://127.0.0.1:{port}",
            "MATCH": match["id"],
            "PATH": "/usr/bin:/bin",
        }
        shell = ["sh", "-c", f"exec {snippet('sh')}"]
        with subprocess.Popen(shell, env=given, stdout=subprocess.PIPE) as curl:
            event = next(line for line in curl.stdout if line.startswith(b"data: {"))
            curl.kill()

    assert b"Ada rolls 4" in event


@pytest.mark.browser
def test_the_example_in_javascript(opened, server):
    made = server.match("pig", "Ada", "Ben")
    path = f"matches/{made['id']}"
    server.post(f"{path}/moves", {"after": 0, "moves": [{"move": "Roll", "pips": 4}]})
    server.post(f"{path}/moves", {"after": 1, "moves": [{"move": "Hold"}]})
    page = opened(server.address)

    page.evaluate(
        f"([server, token]) => {{ {snippet('js')} }}",
        [server.address.rstrip("/"), server.post(f"{path}/viewers", {"name": ""})["token"]],
    )

    expect(page.locator("output").last).to_have_text("Ada 4, Ben 0")
