"""Nothing a phone was told is stored is lost, whenever the server dies."""

from __future__ import annotations

import hashlib
import http.client
import json
import signal
import threading
from collections.abc import Callable

import pytest

from tests.conftest import AGREE, picture
from tests.webui.serving import ServerProcess, serving

ROUNDS = 2
PHONES = 4
ENOUGH = 20  # steps acknowledged before the server is killed in the middle of others

NEW = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE]}


class Phone(threading.Thread):
    """Plays and takes back in a match of its own for as long as the server answers."""

    def __init__(self, server: ServerProcess, match: str, acknowledged: Callable[[], None]) -> None:
        super().__init__()
        self.server, self.match, self.acknowledged = server, match, acknowledged
        self.steps: dict[int, list[str]] = {}  # step -> its words, as the server acknowledged them

    def run(self) -> None:
        seq = self.server.call(f"/api/matches/{self.match}")[1]["seq"]
        try:
            while True:
                what = "undo" if seq % 2 else "moves"
                sent = {"after": seq, "request": f"{seq}"} | ({} if seq % 2 else {"moves": [AGREE]})
                status, view = self.server.call(f"/api/matches/{self.match}/{what}", sent)
                assert status == 201
                seq = view["seq"]
                self.steps[seq] = view["history"][-1]["text"]
                self.acknowledged()
        except (OSError, http.client.HTTPException, ValueError):
            return  # the server is dead; ValueError: it died within the body of its answer


def test_every_acknowledged_step_survives_sigkill(tmp_path):
    matches: list[str] = []
    acknowledged: dict[str, dict[int, list[str]]] = {}
    for _ in range(ROUNDS):
        with serving(tmp_path) as server:
            matches += [server.call("/api/matches", NEW)[1]["id"] for _ in range(PHONES)]
            for match in matches:  # what earlier rounds were told is still there
                assert_kept(server, match, acknowledged.get(match, {}))
            for phone in play_until_killed(server, matches[-PHONES:]):
                acknowledged.setdefault(phone.match, {}).update(phone.steps)

    with serving(tmp_path) as server:
        for match in matches:
            assert_kept(server, match, acknowledged[match])
            seq = server.call(f"/api/matches/{match}")[1]["seq"]
            step = {"after": seq, "moves": [AGREE]} if seq % 2 == 0 else {"after": seq}
            what = "undo" if seq % 2 else "moves"
            assert server.call(f"/api/matches/{match}/{what}", step)[0] == 201
    assert sum(map(len, acknowledged.values())) >= ROUNDS * ENOUGH


def play_until_killed(server: ServerProcess, matches: list[str]) -> list[Phone]:
    enough, count = threading.Event(), iter(range(ENOUGH))

    def acknowledged() -> None:
        if next(count, None) is None:
            enough.set()

    phones = [Phone(server, match, acknowledged) for match in matches]
    for phone in phones:
        phone.start()
    assert enough.wait(60)
    server.end(signal.SIGKILL)
    for phone in phones:
        phone.join()
    return phones


def assert_kept(server: ServerProcess, match: str, acknowledged: dict[int, list[str]]) -> None:
    view = server.call(f"/api/matches/{match}")[1]
    history = view["history"]
    while view["older"]:
        view = server.call(view["older"])[1]
        history = view["history"] + history
    assert [step["seq"] for step in history] == list(range(1, len(history) + 1))
    for seq, text in acknowledged.items():
        assert history[seq - 1]["text"] == text


def test_an_acknowledged_photo_survives_sigkill(tmp_path):
    with serving(tmp_path) as server:
        match = server.call("/api/matches", NEW)[1]["id"]
        connection = server.connect()
        headers = {"Content-Type": "image/jpeg"}
        connection.request("POST", f"/api/matches/{match}/photos", picture(), headers)
        answer = json.load(connection.getresponse())
        connection.close()
        server.end(signal.SIGKILL)

    with serving(tmp_path) as server:
        kept = server.call(f"/api/matches/{match}/sightings/{answer['sighting']}")[1]
        connection = server.connect()
        connection.request("GET", kept["photo"])
        photo = connection.getresponse().read()
        connection.close()

    assert kept["reading"] == answer["reading"]
    assert kept["photo"].endswith(f"/{hashlib.sha256(photo).hexdigest()}.jpg")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_server_ends_quietly_though_phones_listen(tmp_path, number):
    with serving(tmp_path) as server:
        match = server.call("/api/matches", NEW)[1]["id"]
        connection = server.connect()
        connection.request("GET", f"/api/matches/{match}/live")
        stream = connection.getresponse()
        assert stream.readline() == b"retry: 1000\n"

        code, errors = server.end(number)

        assert (code, errors) == (0, "")
        stream.read()  # ends
        connection.close()
