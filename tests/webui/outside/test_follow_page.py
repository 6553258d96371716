"""The examples of docs/develop/follow.md are right, as they stand there."""

import doctest
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.webui.http.test_events import move, step
from tests.webui.serving import reserved_port, served
from webui.outside.post import Reach

PAGE = Path(__file__).parents[3] / "docs" / "develop" / "follow.md"
DELIVERED = {"delivered": True, "fault": None}


@pytest.fixture
def match(client, new_match):
    made = new_match(game="pig", names=["Ada", "Ben"], opening=[])
    move(client, made, "Roll", pips=4)
    step(client, made, "undo")
    return made


def programs(language):
    """Return the examples in some language that are whole programs."""
    found = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    return [text for text in found if not text.startswith(">>>")]


@contextmanager
def running(*command, **env):
    """Run an example as a stranger would; yield what it prints."""
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    started = {"stdout": subprocess.PIPE, "text": True, "start_new_session": True}
    with subprocess.Popen(command, env={"PATH": path, **env}, **started) as process:
        yield process.stdout
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


def test_the_examples_in_python(app, match):
    with served(app) as port:
        given = {"server": f"http://127.0.0.1:{port}", "match": match["id"]}

        result = doctest.testfile(str(PAGE), module_relative=False, globs=given)

    assert result.failed == 0
    assert result.attempted > 4


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_the_example_of_a_stream_by_curl(app):
    (stream, *_) = programs("sh")
    with (
        served(app) as port,
        running("sh", "-c", stream.replace("localhost:8000", f"127.0.0.1:{port}")) as lines,
    ):
        assert "Ada rolls 4" in next(line for line in lines if line.startswith("data: {"))


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_the_examples_of_a_webhook_and_its_receiver(app, services, match):
    services.webhooks = Reach(private=True)
    (_, add, try_it), (receiver,) = programs("sh"), programs("python")
    at = str(reserved_port())
    with served(app) as port:
        given = {"SERVER": f"http://127.0.0.1:{port}", "MATCH": match["id"]}
        with running("sh", "-c", add.replace("8800", at), **given) as lines:
            secret = json.loads(lines.read())["secret"]
        with running("python3", "-c", receiver.replace("8800", at), SECRET=secret) as lines:
            answer = None
            while answer != DELIVERED:  # until it listens
                with running("sh", "-c", try_it, **given) as printed:
                    answer = json.loads(printed.read())
            assert next(lines).startswith("test ")

        with running("python3", "-c", receiver.replace("8800", at), SECRET="whsec_b3RoZXI=") as _:
            while "401" not in (answer["fault"] or ""):
                with running("sh", "-c", try_it, **given) as printed:
                    answer = json.loads(printed.read())


@pytest.mark.browser
def test_the_example_of_a_page(opened, server):
    made = server.match("pig", "Ada", "Ben")
    path = f"matches/{made['id']}"
    server.post(f"{path}/moves", {"after": 0, "moves": [{"move": "Roll", "pips": 4}]})
    server.post(f"{path}/moves", {"after": 1, "moves": [{"move": "Hold"}]})
    (overlay,) = programs("html")
    overlay = overlay.replace("http://localhost:8000", server.address.rstrip("/"))
    token = server.post(f"{path}/viewers", {"name": ""})["token"]
    page = opened(server.address)
    page.route("**/overlay", lambda route: route.fulfill(body=overlay.replace("TOKEN", token)))

    page.goto(f"{server.address}overlay")

    expect(page.locator("output")).to_have_text("Ada 4, Ben 0")
