"""Phones that play on a real server, each keeping a ledger of what it was answered."""

import http.client
import random
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from tests.conftest import AGREE
from tests.webui.serving import ServerProcess

NEW = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE]}
GONE = (OSError, http.client.HTTPException, ValueError)  # ValueError: it died within an answer
NOTHING = "nothing was stored"
LATER = {429, 503}
PATIENCE = 20.0  # seconds in which what is refused for now is there
EXPECTED = {200, 201, 202, 409} | LATER
Sent = Mapping[str, Any]
Stored = tuple[str, Sent, int]  # match, request, the number of its step


@dataclass
class Ledger:
    """What the phones of all rounds were answered. Each list only grows."""

    stored: list[Stored] = field(default_factory=list)
    refused: list[tuple[str, Sent, int]] = field(default_factory=list)  # and the status
    unanswered: list[tuple[str, Sent]] = field(default_factory=list)
    cut_off: int = 0  # of these, in all rounds
    sightings: list[tuple[str, Sent]] = field(default_factory=list)  # match, the answer
    watched: int = 0  # steps that a camera has counted
    faults: list[str] = field(default_factory=list)  # answers that no phone should meet

    def sizes(self) -> tuple[int, int]:
        """Return how many steps and photos are stored."""
        return len(self.stored), len(self.sightings)


class Phone(threading.Thread):
    """Does one thing again and again until the server is gone or the phone is stopped."""

    def __init__(self, server: ServerProcess, match: str, ledger: Ledger, seed: str) -> None:
        super().__init__(daemon=True)
        self.server, self.match, self.ledger = server, match, ledger
        self.random, self.seed = random.Random(seed), seed
        self.stopped = threading.Event()
        self.done = 0

    def run(self) -> None:
        while not self.stopped.is_set():
            try:
                self.act()
                self.done += 1
            except GONE:  # a slow server is asked again, a dead one is not
                if self.server.process.poll() is not None:
                    return
                self.stopped.wait(0.1)
                self.done += 1  # no two requests have one id
            except AssertionError as fault:
                self.ledger.faults.append(str(fault))
                return

    def act(self) -> None:
        raise NotImplementedError

    def _may_go_on(self, status: int, answer: Any) -> bool:
        """Wait a little where the server says so; any answer but those it promises is a fault."""
        assert status in EXPECTED, (status, answer)
        if status in LATER:
            self.stopped.wait(0.1)
        return status not in LATER


class Confirming(Phone):
    """Agrees, takes that back, and so on; two of them at one match are refused in turn."""

    def act(self) -> None:
        status, view = self.server.call(f"/api/matches/{self.match}")
        if not self._may_go_on(status, view):
            return
        seq = view["seq"]
        sent = {"after": seq, "request": f"{self.seed}-{self.done}"}
        if seq % 2 == 0:
            sent["moves"] = [AGREE]
        entry = (self.match, sent)
        self.ledger.unanswered.append(entry)
        status, answer = send(self.server, *entry)
        if status == 201:
            assert answer["seq"] > seq  # by more where the other phone's next step came meanwhile
            self.ledger.stored.append((*entry, seq + 1))
        elif status < 500 or NOTHING in answer["error"]["sentence"]:
            self.ledger.refused.append((*entry, status))
        else:
            return  # the server does not know; it stays without an answer, and is sent again
        self.ledger.unanswered.remove(entry)
        self._may_go_on(status, answer)


def send(server: ServerProcess, match: str, sent: Sent) -> tuple[int, Any]:
    """Send a step as the phone that made it did."""
    what = "moves" if "moves" in sent else "undo"
    return server.call(f"/api/matches/{match}/{what}", sent)


class Photographing(Phone):
    """Sends photos, no two alike, and looks at each that was kept."""

    def act(self) -> None:
        path = f"/api/matches/{self.match}"
        status, answer = self.server.call(f"{path}/photos", photo(self.random.randrange(2**32)))
        while "job" in answer:
            self.stopped.wait(0.1)
            status, answer = self.server.call(f"{path}/jobs/{answer['job']}")
        if self._may_go_on(status, answer):
            self.ledger.sightings.append((self.match, answer))
            content(self.server, answer["photo"])


def photo(seed: int) -> bytes:
    """Return a small photo of nothing."""
    noise = np.random.default_rng(seed).integers(90, 150, (96, 128, 3), np.uint8)
    return bytes(cv2.imencode(".jpg", noise)[1])


def content(server: ServerProcess, path: str) -> bytes:
    """Return what is at an address; raises AssertionError where nothing is, also somewhat later."""
    until = time.monotonic() + PATIENCE
    while True:
        connection = server.connect()
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            body = answer.read()
        finally:
            connection.close()
        if answer.status == 302:
            return content(server, answer.headers["Location"])
        if answer.status not in LATER or time.monotonic() > until:
            assert answer.status == 200, (path, answer.status, body[:200])
            return body
        time.sleep(0.1)
