"""A film of a match, as `models.series.film` draws it, before a camera that watches the match.

What no camera sees is entered as people do on the page; what is asked is answered by the truth, and
what went wrong is put right after each step, so that every step is judged by itself.
"""

import json
import tempfile
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.harness import AddedCounts
from scorer import load_move
from scorer.photo.follow import played
from webui.app import create_app
from webui.match import match as matches
from webui.store.tables.phones import EVERYBODY

FRAME_S = 0.25
NOISE = (1.2, 1.2, 1.2)  # grey levels of blue, green and red


def frame(picture):
    """Return *picture* as a camera takes it: with noise, which is new each time."""
    noise = cv2.randn(np.empty(picture.shape, np.float32), (0, 0, 0), NOISE)
    return cv2.imencode(".jpg", cv2.add(picture, noise, dtype=cv2.CV_8U))[1].tobytes()


@dataclass(frozen=True, slots=True)
class FilmCounts(AddedCounts):
    """Steps of one film or more, and what became of them."""

    steps: int = 0
    right: int = 0  # counted rightly and unasked
    asked: int = 0
    late: int = 0  # neither yet, and the page says that it waits, or that it saw nothing
    missed: int = 0  # neither, without a word
    silent: int = 0  # counted wrongly and unasked
    invented: int = 0  # counted before the step was done
    in_vain: int = 0  # asked before the step was done: of what was late, and entered by hand


@contextmanager
def served(folder):
    """Serve matches whose cameras are read in this process."""
    app = create_app(f"sqlite:///{folder / 'log.db'}", folder / "photos")
    yield app
    app.extensions["pipsight"].cameras.close()
    app.extensions["pipsight"].store.close()


def watched(film, sending=None):
    """Count what becomes of each step of a film, after each of which nothing happens for a time.

    *sending* takes the frames instead of sending them all.
    """
    script = json.loads((film / "film.json").read_text())
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as app:
        camera = FilmCamera(app, film, script)
        camera.sending = sending or FilmCamera.send
        became = [name for one in script["steps"] for name in camera.step(one)]
    found = {one.name: became.count(one.name) for one in fields(FilmCounts)}
    return FilmCounts(**found | {"steps": len(became) - found["invented"] - found["in_vain"]})


class FilmCamera:
    """A page's camera before a match, to which a film is shown."""

    def __init__(self, app, film, script):
        names = [f"Player {seat + 1}" for seat in range(script["players"])]
        made = {"game": script["game"], "names": names, "settings": script["settings"]}
        self.client, self.services = app.test_client(), app.extensions["pipsight"]
        self.film, self.now_s = film, 0.0
        cv2.setRNGSeed(1)
        self.seq, self.says = 0, dict[str, Any]()
        self.sending: Callable[[FilmCamera, bytes], None] = FilmCamera.send
        self.match = str(self.client.post("/api/matches", json=made | {"opening": []}).json["id"])
        self.path = f"/api/matches/{self.match}"
        self.state = self._now().state  # as it truly is
        self.watch = self.client.post(f"{self.path}/watch", json={}).json["watch"]

    def step(self, scene):
        """Show a step; yield what was invented on the way, and what became of it."""
        if scene["said"]:
            self.enter(scene["said"])
        *before, last = scene["pictures"]
        for picture in before:
            self.show(picture)
        early = scene["shown"] and self._now().state == self._after(scene["shown"])  # all is done
        if self._asked() is not None:
            self._put_right([])
            yield "in_vain"
        elif self._now().seq != self.seq and not early:
            self._put_right([])
            yield "invented"
        self.show(last)
        if scene["shown"] or self._asked() is not None or self._now().seq != self.seq:
            became = self._became(scene["shown"])
            if became == "right":
                self.seq, self.state = self._now().seq, self._now().state
            else:
                self._put_right(scene["shown"])
            yield became

    # ------------------------------------------------------------ what became of it

    def _became(self, shown):
        """Return the name in FilmCounts of what became of a step."""
        match = self._now()
        if self._asked() is not None:
            return "asked" if shown else "in_vain"
        if match.seq == self.seq:
            waits = self.says.get("waiting") or "I saw nothing" in self.says.get("says", "")
            return "late" if waits else "missed"
        if match.state == self._after(shown):
            return "right"
        return "silent" if shown else "invented"

    def _after(self, moves):
        """Return the true state once *moves* were made."""
        game = self._now().rules()
        return played(game, self.state, [load_move(game, move) for move in moves])

    def _put_right(self, shown):
        """Answer or undo what was told, and enter what is true."""
        asked, match = self._asked(), self._now()
        if asked is not None and match.seq == self.seq:
            offered = [answer.moves for answer in asked.options]
            if shown in offered:  # one tap
                rolls = self.services.cameras.rolls
                match = rolls.answer(self.match, asked.sighting, match.seq, shown)
                self.seq, self.state = match.seq, match.state
                return
        while (asked := self._asked()) is not None:
            self.services.cameras.rolls.drop(self.match, asked.sighting, EVERYBODY)
        while (match := self._now()).seq > self.seq and match.last and match.last.seq > self.seq:
            self.client.post(f"{self.path}/undo", json={"after": match.seq})
        self.seq = self._now().seq
        if shown:
            self.enter(shown)

    def _asked(self):
        return self.services.cameras.rolls.asked(self._now())

    def _now(self):
        return matches.load(self.services.store, self.match)

    def enter(self, moves):
        """Enter moves as people do on the page."""
        sent = {"after": self._now().seq, "moves": moves}
        answer = self.client.post(f"{self.path}/moves", json=sent)
        assert answer.status_code == 201, answer.json
        self.seq, self.state = self._now().seq, self._now().state

    # ------------------------------------------------------------ frames

    def show(self, shot):
        """Lay a picture before the camera for so long."""
        picture = cv2.imread(str(self.film / shot["file"]))
        for _ in range(round(shot["seconds"] / FRAME_S)):
            self.sending(self, frame(picture))
            self.now_s += FRAME_S

    def send(self, jpeg):
        """Send a frame."""
        path = f"{self.path}/watch/{self.watch}/frames?time={self.now_s:.3f}"
        self.says = self.client.post(path, data=jpeg, content_type="image/jpeg").json
