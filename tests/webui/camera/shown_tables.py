"""Tables that are shown to a camera of a page, and what it made of them."""

import html
import re
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from scorer import Die, Doubt, Equipment, Table
from tests.conftest import picture
from tests.webui.sights import NOTHING_READ, die_at
from vision.watch.pace import ALL_LOST_S, Pace
from webui.eyes.photo import PhotoReading
from webui.eyes.watch import Outline, Watched, unseen_doubts

QUAD = [[10.0, 10.0], [20.0, 10.0], [20.0, 20.0], [10.0, 20.0]]
TIMES = count(1)
NO_ROLL = Doubt("read as white 5, perhaps 3", ("dice", 1))


def sight(*values, doubts=(), at=0.0):
    """Return loose dice as they lie in a row, *at* px to the right."""
    unsure = {doubt.piece[1] for doubt in doubts if doubt.piece}
    dice = []
    for i, value in enumerate(values):
        x, y = 26 + at + 40 * i, 56 + at * i
        quad = [[x - 6, y - 6], [x + 6, y - 6], [x + 6, y + 6], [x - 6, y + 6]]
        doubt = {"alternatives": [[3, 0.3]] if i in unsure else [], "confidence": 0.99}
        die = die_at(x, y, value, "white", None) | {"quad": quad, "sure": i not in unsure}
        dice.append(die | doubt)
    reading = NOTHING_READ | {"dice": dice, "perhaps": [], "hint": None}
    table = Table(
        tuple(
            Die(value, "white", values=((3, 0.3),) if place in unsure else ())
            for place, value in enumerate(values)
        )
    )
    return PhotoReading(reading, table, doubts, picture())


@dataclass
class ShownTable:
    """A table before the camera: what the next frame tells."""

    next: Watched | Exception | None = None
    asked: list[Equipment] = field(default_factory=list)
    closed: int = 0
    pace: Pace = field(default_factory=Pace)

    def look(self, _frame, time_s, wanted, _learned=None, unseen_s=None):
        self.asked.append(wanted)
        result, self.next = self.next, None
        if isinstance(result, Exception):
            raise result
        self.pace = self.pace.with_frame(time_s, unseen_s, settled=False).with_lost(ALL_LOST_S)
        result = result or watched()
        if result.kind != "thrown":
            return result
        unseen, self.pace = self.pace.unseen, self.pace.after_roll(time_s)
        return replace(result, more=(*result.more, *unseen_doubts(unseen)))

    def close(self):
        self.closed += 1


def watched(kind="", sight=None, **others):
    still = {"waiting": "", "idle_s": 0.5, "outlines": (Outline(QUAD, "still"),)}
    return Watched(320, 240, **{**still, **others}, kind=kind, sight=sight)


@dataclass
class PageCamera:
    """A page's camera before a match."""

    client: Any
    shown: ShownTable
    match: str
    watch: str = ""

    @property
    def path(self):
        return f"/api/matches/{self.match}"

    def start(self, **sent):
        answer = self.client.post(f"{self.path}/watch", json=sent)
        self.watch = answer.json.get("watch", self.watch)
        return answer.status_code, dict(answer.json)

    def frame(self, result=None, time=None):
        self.shown.next = result
        time = next(TIMES) / 10 if time is None else time
        path = f"{self.path}/watch/{self.watch}/frames?time={time}"
        return self.client.post(path, data=b"jpeg", content_type="image/jpeg")

    def unchanged(self, time):
        """Say that a frame would show what the last one showed."""
        path = f"{self.path}/watch/{self.watch}/frames?time={time}&unchanged=1"
        return self.client.post(path)

    def throw(self, *values, doubts=(), at=0.0):
        return self.frame(watched("thrown", sight(*values, doubts=doubts, at=at)))

    @property
    def steps(self):
        """The rolls that stand."""
        view = self.client.get(self.path).json
        standing = [one["summary"] for one in view["history"][1:] if one["standing"]]
        return re.findall(r"rolls (\d-\d)", " ".join(standing))

    @property
    def tally(self):
        return str(self.client.get(f"/m/{self.match}/tally").text)


def first_form(page):
    """Return what the first button of the question sends."""
    question = page[page.index('id="asked"') :]
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', question)[:2])
    (moves,) = re.findall(r'name="moves" value="([^"]*)"', question)[:1]
    return fields | {"moves": html.unescape(moves)}


def agree(camera):
    """Tap the first answer."""
    form = first_form(camera.tally)
    assert camera.client.post(f"/m/{camera.match}/watched", data=form).status_code == 303


def told(camera):
    """Return the last step in words, and what is asked."""
    view = camera.client.get(camera.path).json
    return f"{view['history'][-1]['summary']} {'Not a roll' in camera.tally}"
