"""A server elsewhere, played on by photo through its interface, as a program of another would."""

import json
import ssl
import time
import urllib.request
from typing import Any

from tests import ROOT

SAMPLE = ROOT / "webui" / "static" / "samples" / "purple_house.jpg"
NEW = {"game": "purple_house", "names": ["Ada", "Ben"]}
LONG = 120  # seconds after which nothing is waited for any more


class Elsewhere:
    """A server at an *address* without its last slash; *trust* knows its certificate."""

    def __init__(self, address: str, trust: ssl.SSLContext | None = None) -> None:
        self.address, self.trust = address, trust

    def get(self, path: str, body: bytes | dict[str, Any] | None = None) -> bytes:
        """Return an answer; what is sent is a photo or an object."""
        kind = "image/jpeg" if isinstance(body, bytes) else "application/json"
        data = json.dumps(body).encode() if isinstance(body, dict) else body
        request = urllib.request.Request(self.address + path, data, {"Content-Type": kind})
        with urllib.request.urlopen(request, timeout=LONG, context=self.trust) as answer:
            return bytes(answer.read())

    def call(self, path: str, body: bytes | dict[str, Any] | None = None) -> Any:
        """Return the JSON of an answer."""
        return json.loads(self.get(path, body))

    def wait(self) -> None:
        """Wait until it answers."""
        until = time.monotonic() + LONG
        while True:
            try:
                self.get("/healthz")
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)
            else:
                return

    def play(self) -> tuple[str, int]:
        """Start a match and play its first photo; return its id and the number of its last step."""
        match = self.call("/api/matches", NEW)["id"]
        answer = self.call(f"/api/matches/{match}/photos", SAMPLE.read_bytes())
        while "job" in answer:
            time.sleep(0.1)
            answer = self.call(f"/api/matches/{match}/jobs/{answer['job']}")
        assert len(answer["reading"]["dice"]) == 10, answer
        who_started = answer["proposal"]["answers"]  # a photo cannot tell, so it asks
        step: dict[str, Any] = {"moves": who_started[0]["moves"], "after": 0, "request": "first"}
        step["sighting"] = answer["sighting"]
        return match, self.call(f"/api/matches/{match}/moves", step)["seq"]

    def last(self, match: str) -> int:
        """Return the number of a match's last step."""
        return int(self.call(f"/api/matches/{match}")["seq"])
