"""A camera that watches a match: what it saw is counted once, or asked about, and never lost."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from scorer import Die, Doubt, Equipment, Table
from tests.conftest import picture
from webui.app import create_app
from webui.camera.cameras import GONE_S, IDLE_S, MOST
from webui.errors import NotRead
from webui.eyes.photo import PhotoReading
from webui.eyes.watch import Kind, Outline, Watched

QUAD = [[10.0, 10.0], [20.0, 10.0], [20.0, 20.0], [10.0, 20.0]]
TIMES = count(1)
NO_ROLL = Doubt("read as white 5, perhaps 3", ("dice", 1))


def sight(*values: int, doubts: tuple[Doubt, ...] = (), at: float = 0.0) -> PhotoReading:
    """Return loose dice as they lie in a row, *at* so many px to the right."""
    square = ((0, 0), (12, 0), (12, 12), (0, 12))
    quads = [
        [[20 + at + 40 * i + dx, 50 + at * i + dy] for dx, dy in square] for i in range(len(values))
    ]
    unsure = {doubt.piece[1] for doubt in doubts if doubt.piece}
    dice = [
        {
            "quad": quad,
            "center": [quad[0][0] + 6, quad[0][1] + 6],
            "value": value,
            "color": "white",
            "confidence": 0.99,
            "sure": place not in unsure,
            "alternatives": [[3, 0.3]] if place in unsure else [],
            "color_alternatives": [],
            "cell": None,
        }
        for place, (quad, value) in enumerate(zip(quads, values, strict=True))
    ]
    reading = {
        "file": "frame.jpg", "width": 320, "height": 240, "dice": dice, "tiles": [], "marks": [],
        "board": None, "warnings": [], "perhaps": [], "hint": None, "ms": 1.0,
    }  # fmt: skip
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

    def look(self, _frame: bytes, _time: float, wanted: Equipment, _learned: Any = None) -> Watched:
        self.asked.append(wanted)
        told, self.next = self.next, None
        if isinstance(told, Exception):
            raise told
        return told or watched()

    def close(self) -> None:
        self.closed += 1


def watched(kind: Kind = "", seen: PhotoReading | None = None, **told: Any) -> Watched:
    still = {"waiting": "", "idle_s": 0.5, "outlines": (Outline(QUAD, "still"),)}
    return Watched(320, 240, **{**still, **told}, kind=kind, sight=seen)


@pytest.fixture
def shown() -> ShownTable:
    return ShownTable()


@pytest.fixture
def app(tmp_path: Any, shown: ShownTable) -> Iterator[Any]:
    app = create_app(
        f"sqlite:///{tmp_path / 'pipsight.sqlite'}", tmp_path / "photos", watched=lambda: shown
    )
    yield app
    app.extensions["pipsight"].cameras.close()
    app.extensions["pipsight"].store.close()


@pytest.fixture
def match(new_match: Any) -> dict[str, Any]:
    """A match of Beat the Odds in which Ada rolls first."""
    return dict(new_match(game="beat_the_odds", opening=[{"move": "Agree", "starter": 0}]))


@dataclass
class PageCamera:
    """A page's camera before a match."""

    client: Any
    shown: ShownTable
    match: str
    watch: str = ""

    @property
    def path(self) -> str:
        return f"/api/matches/{self.match}"

    def start(self, **sent: Any) -> tuple[int, dict[str, Any]]:
        answer = self.client.post(f"{self.path}/watch", json=sent)
        self.watch = answer.json.get("watch", self.watch)
        return answer.status_code, dict(answer.json)

    def frame(self, told: Watched | Exception | None = None, time: object = None) -> Any:
        self.shown.next = told
        time = next(TIMES) / 10 if time is None else time
        path = f"{self.path}/watch/{self.watch}/frames?time={time}"
        return self.client.post(path, data=b"jpeg", content_type="image/jpeg")

    def throw(self, *values: int, doubts: tuple[Doubt, ...] = (), at: float = 0.0) -> Any:
        return self.frame(watched("thrown", sight(*values, doubts=doubts, at=at)))

    @property
    def steps(self) -> list[str]:
        """The rolls that stand."""
        view = self.client.get(self.path).json
        standing = [one["summary"] for one in view["history"][1:] if one["standing"]]
        return re.findall(r"rolls (\d-\d)", " ".join(standing))

    @property
    def tally(self) -> str:
        return str(self.client.get(f"/m/{self.match}/tally").text)


@pytest.fixture
def camera(client: Any, shown: ShownTable, match: dict[str, Any]) -> PageCamera:
    made = PageCamera(client, shown, match["id"])
    assert made.start()[0] == 201
    return made


# ---------------------------------------------------------------- what is counted


def test_a_roll_that_is_not_doubtful_is_counted_with_its_picture(camera, client):
    answer = camera.throw(4, 5)

    assert answer.status_code == 200
    step = client.get(camera.path).json["history"][-1]
    assert step["summary"].startswith("Ada rolls 4-5")
    with client.get(step["photo"]) as photo:
        assert photo.status_code == 200
    assert answer.json["seq"] == step["seq"]


def test_the_same_dice_thrown_again_are_another_roll(camera):
    camera.throw(4, 5)
    camera.frame()
    camera.throw(4, 5, at=30)

    assert camera.steps == ["4-5", "4-5"]


def test_what_a_person_told_may_be_the_very_roll_the_camera_saw(camera, client):
    sent = {"after": 1, "moves": [{"move": "Roll", "low": 4, "high": 5, "table": 0}]}
    assert client.post(f"{camera.path}/moves", json=sent).status_code == 201

    camera.throw(4, 5)

    assert camera.steps == ["4-5"]
    assert "4-5" in camera.tally
    assert "Not a roll" in camera.tally


def test_an_undone_roll_is_not_counted_again_while_it_lies_there(camera, client):
    seq = camera.throw(4, 5).json["seq"]
    client.post(f"{camera.path}/undo", json={"after": seq})

    for _ in range(3):
        camera.frame()
    camera.frame(watched("again", sight(4, 5)))
    assert camera.steps == []

    camera.throw(2, 6, at=30)
    assert camera.steps == ["2-6"]


def test_the_rules_tell_what_is_looked_for(camera, shown):
    camera.frame()

    assert shown.asked[-1].dice == 2


def test_a_match_that_is_over_ends_its_camera(client, shown, new_match):
    made = new_match(game="pig", settings={"target": 10}, opening=[{"move": "Roll", "pips": 6}])
    camera = PageCamera(client, shown, made["id"])
    camera.start()
    camera.throw(5)
    client.post(f"{camera.path}/moves", json={"after": 2, "moves": [{"move": "Hold", "table": 0}]})

    answer = camera.frame()

    assert answer.json["over"]
    assert answer.json["says"] == "The match is over; the camera is off."
    assert shown.closed == 1
    assert camera.frame().status_code == 404


# ---------------------------------------------------------------- what is asked


def test_a_doubtful_roll_waits_and_one_tap_answers(camera):
    answer = camera.throw(4, 5, doubts=(NO_ROLL,))

    assert camera.steps == []
    assert answer.json["asked"] == 1
    assert "The 5 may be 3." in camera.tally
    assert "Ada rolls 4-5" in camera.tally
    assert "Ada rolls 3-4" in camera.tally
    assert camera.frame().json["says"] == "A roll waits for an answer."

    agree(camera)
    assert camera.steps == ["4-5"]
    assert "Not a roll" not in camera.tally


def first_form(page: str) -> dict[str, str]:
    """Return what the first button of the question sends."""
    question = page[page.index('id="asked"') :]
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', question)[:2])
    (moves,) = re.findall(r'name="moves" value="([^"]*)"', question)[:1]
    return fields | {"moves": html.unescape(moves)}


def agree(camera: PageCamera) -> None:
    """Tap the first answer."""
    form = first_form(camera.tally)
    assert camera.client.post(f"/m/{camera.match}/watched", data=form).status_code == 303


def test_the_same_answer_from_two_phones_counts_once(camera, client):
    camera.throw(4, 5, doubts=(NO_ROLL,))
    form = first_form(camera.tally)

    answers = [client.post(f"/m/{camera.match}/watched", data=form).status_code for _ in range(2)]

    assert answers == [303, 303]
    assert camera.steps == ["4-5"]


def test_what_is_thrown_after_a_doubtful_roll_waits_behind_it(camera, client):
    camera.throw(4, 5, doubts=(NO_ROLL,))
    camera.throw(2, 6)
    assert camera.steps == []
    assert "1 more" in camera.tally

    client.post(f"/m/{camera.match}/watched", data=first_form(camera.tally))
    camera.frame()

    assert camera.steps == ["4-5", "2-6"]


def test_a_nudge_answers_where_the_roll_is_clear_then(camera):
    camera.throw(4, 5, doubts=(NO_ROLL,))

    camera.frame(watched("again", sight(4, 5)))

    assert camera.steps == ["4-5"]


def test_what_was_no_roll_is_dropped_on_a_tap(camera, client):
    camera.throw(4, 5, doubts=(NO_ROLL,))
    form = first_form(camera.tally)

    gone = {name: form[name] for name in ("sighting", "after")} | {"drop": "1"}
    assert client.post(f"/m/{camera.match}/watched", data=gone).status_code == 303

    assert "Not a roll" not in camera.tally
    assert camera.steps == []
    again = client.post(f"{camera.path}/watch/drop", json={"sighting": form["sighting"]})
    assert again.status_code == 404


def test_what_the_rules_cannot_explain_is_asked(camera):
    camera.throw(4, 5, 6)

    assert camera.steps == []
    assert "3 dice are seen" in camera.tally


@pytest.fixture
def board(client: Any, shown: ShownTable, new_match: Any) -> PageCamera:
    """A camera above an empty grid of Purple House."""
    agreed = {"move": "Agree", "starter": 0, "black": 0}
    made = PageCamera(client, shown, new_match(game="purple_house", opening=[agreed])["id"])
    assert made.start()[0] == 201
    return made


def on_grid(*dice: Die, doubts: tuple[Doubt, ...] = ()) -> Watched:
    """Return a die put on a grid, as it lies there then."""
    seen = sight(*(die.value for die in dice))
    return watched("thrown", replace(seen, table=Table(dice), doubts=doubts))


BLACK, DOUBTED = Die(4, "black", (0, 0)), Die(4, "black", (0, 0), 0.6, values=((5, 0.4),))
WHITE = Die(2, "white", (0, 1))


def test_a_question_is_withdrawn_once_the_table_went_on_and_shows_plainly_what_it_was(board):
    board.frame(on_grid(DOUBTED))
    assert "may be" in board.tally

    board.frame(on_grid(BLACK, WHITE))

    assert "may be" not in board.tally
    assert placed_on(board) == ["black 4 on row 1, column 1", "white 2 on row 1, column 2"]


def test_a_question_stays_where_what_was_put_later_leaves_it_open(board):
    board.frame(on_grid(DOUBTED))
    board.frame(on_grid(DOUBTED, WHITE))

    assert "may be" in board.tally
    assert placed_on(board) == []


def placed_on(camera: PageCamera) -> list[str]:
    """Return in words which dice were counted as placed."""
    _agreed, *steps = camera.client.get(camera.path).json["history"]
    return [text for step in steps for text in step["text"]]


def test_a_choice_that_no_camera_sees_is_one_tap(camera):
    camera.throw(4, 4)
    camera.throw(2, 5, at=30)

    assert camera.steps == ["4-4"]
    assert "doubles no roll" in camera.tally


def test_dice_that_lie_there_at_the_start_of_a_match_are_no_roll(camera):
    camera.frame(watched("lay", sight(4, 5)))

    assert camera.steps == []
    assert "Not a roll" not in camera.tally


# ---------------------------------------------------------------- what came or went


POOL = (("blue", 2), ("blue", 4), ("blue", 5), ("purple", 6), ("red", 1), ("red", 3), ("red", 3))


def pool_left(*gone: tuple[str, int], unread: int = -1, at: float = 0.0) -> PhotoReading:
    """Return the pool as it lies once some dice are gone; of one the value is hardly read."""
    left = list(range(len(POOL)))
    for die in gone:
        left.remove(next(i for i in left if POOL[i] == die))
    whole = sight(*(value for _, value in POOL), at=at)
    dice = tuple(
        replace(whole.table.dice[i], colour=POOL[i][0], confidence=0.6 if i == unread else 1.0)
        for i in left
    )
    lying = [whole.reading["dice"][i] | {"color": POOL[i][0]} for i in left]
    return replace(whole, table=Table(dice), reading=whole.reading | {"dice": lying})


@pytest.fixture
def pool(client: Any, shown: ShownTable, new_match: Any) -> PageCamera:
    """A camera above a pool of Dice Wide Shut that Ada has thrown."""
    rolled = {"move": "Roll", "dice": [list(die) for die in POOL]}
    opening = [{"move": "Starter", "seat": 0}, rolled]
    made = PageCamera(client, shown, new_match(game="dice_wide_shut", opening=opening)["id"])
    assert made.start()[0] == 201
    return made


def told(camera: PageCamera) -> str:
    """Return the last step in words, and what is asked."""
    view = camera.client.get(camera.path).json
    return f"{view['history'][-1]['summary']} {'Not a roll' in camera.tally}"


def test_dice_that_a_hand_took_are_a_take_and_nobody_is_asked_if_they_are_hidden(pool):
    pool.frame(watched("taken", pool_left(("blue", 2), ("blue", 4))))

    assert "takes blue 2 and blue 4" in told(pool)
    assert told(pool).endswith("False")


PURPLE = 3  # in the pool


@pytest.fixture
def thrown(client: Any, shown: ShownTable, new_match: Any) -> PageCamera:
    """A camera that saw the pool thrown; of the purple die it asks whether it is read right."""
    opening = [{"move": "Starter", "seat": 0}]
    made = PageCamera(client, shown, new_match(game="dice_wide_shut", opening=opening)["id"])
    assert made.start()[0] == 201
    made.frame(watched("thrown", pool_left(unread=PURPLE)))
    assert "Is the purple 6 read right?" in made.tally
    return made


def test_what_was_agreed_to_is_not_asked_again_while_the_die_lies_there(thrown):
    agree(thrown)

    thrown.frame(watched("taken", pool_left(("blue", 2), ("blue", 4), unread=PURPLE)))

    assert "takes blue 2 and blue 4" in told(thrown)
    assert told(thrown).endswith("False")


def test_a_die_that_was_moved_is_asked_about_again(thrown):
    agree(thrown)

    thrown.frame(watched("taken", pool_left(("blue", 2), ("blue", 4), unread=PURPLE, at=30)))

    assert "takes" not in told(thrown)
    assert "Is the purple 6 read right?" in thrown.tally


def test_what_was_told_by_hand_says_nothing_of_the_dice_that_lie_there(thrown, client):
    seq = client.get(thrown.path).json["seq"]
    rolled = {"move": "Roll", "dice": [list(die) for die in POOL]}
    sent = client.post(f"{thrown.path}/moves", json={"after": seq, "moves": [rolled]})
    assert sent.status_code == 201, sent.json

    thrown.frame(watched("taken", pool_left(("blue", 2), ("blue", 4), unread=PURPLE)))

    assert "takes" not in told(thrown)
    assert "Is the purple 6 read right?" in thrown.tally


def test_dice_that_may_be_hidden_by_a_hand_are_asked_about(pool):
    pool.frame(watched("changed", pool_left(("blue", 2), ("blue", 4))))

    assert "takes" not in told(pool)
    assert "only hidden?" in pool.tally


def test_dice_that_a_hand_was_near_are_no_take(pool):
    pool.frame(watched("again", pool_left(("blue", 2), ("blue", 4))))

    assert "takes" not in told(pool)


def test_a_take_before_the_marks_of_the_last_are_entered_is_counted_after_them(pool, client):
    pool.frame(watched("taken", pool_left(("blue", 2), ("blue", 4))))
    pool.frame(watched("taken", pool_left(("blue", 2), ("blue", 4), ("red", 1), ("red", 3))))
    assert "takes blue 2 and blue 4" in told(pool)

    seq = client.get(pool.path).json["seq"]
    mark = {"move": "Mark", "cells": [["blue", 1, 0], ["blue", 3, 0]], "powers": []}
    sent = client.post(f"{pool.path}/moves", json={"after": seq, "moves": [mark]})
    assert sent.status_code == 201, sent.json
    pool.frame()

    assert "takes red 1 and red 3" in told(pool)
    assert told(pool).endswith("False")


def test_a_white_die_that_stands_since_the_last_round_is_no_bid(client, shown, new_match):
    opening = [
        {"move": "Agree", "starter": 0},
        {"move": "Bid", "space": "2", "face": 4},
        {"move": "Call", "seat": 1},
        {"move": "Count", "found": 3},
    ]
    camera = PageCamera(client, shown, new_match(game="gords", opening=opening)["id"])
    camera.start()
    lying = sight(4)
    at_two = replace(lying, table=Table((replace(lying.table.dice[0], cell=(0, 2)),)))

    camera.frame(watched("changed", at_two))
    assert "Not a roll" not in camera.tally

    turned = replace(at_two, table=Table((replace(at_two.table.dice[0], value=5),)))
    camera.frame(watched("changed", turned))
    assert "bids" in told(camera)
    assert told(camera).endswith("False")


def test_the_same_value_thrown_after_a_hold_is_another_roll(client, shown, new_match):
    camera = PageCamera(client, shown, new_match(game="pig", opening=[])["id"])
    camera.start()
    camera.throw(4)
    seq = client.get(camera.path).json["seq"]
    client.post(f"{camera.path}/moves", json={"after": seq, "moves": [{"move": "Hold"}]})

    camera.throw(4, at=40)

    assert "rolls 4" in told(camera)
    assert told(camera).endswith("False")


# ---------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize("time", ["", "x", "nan", "inf", "-1"])
def test_a_frame_tells_when_it_was_taken(camera, time):
    answer = camera.frame(time=time)

    assert answer.status_code == 400
    assert answer.json["error"]["sentence"].startswith("Say when the frame was taken")


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"", "image/jpeg", 422),
        (b"x", "text/plain", 415),
        (b"x" * 4_000_001, "image/jpeg", 413),
    ],
)
def test_a_bad_frame_is_refused_in_a_sentence(camera, client, content, kind, status):
    path = f"{camera.path}/watch/{camera.watch}/frames?time=1"

    answer = client.post(path, data=content, content_type=kind)

    assert answer.status_code == status
    assert answer.json["error"]["sentence"].endswith((".", "?"))


def test_a_frame_that_cannot_be_read_does_not_end_the_watch(camera):
    assert camera.frame(NotRead("The frame is damaged.")).status_code == 422

    camera.throw(4, 5)
    assert camera.steps == ["4-5"]


def test_frames_out_of_order_are_left_out(camera, shown):
    camera.frame(time=1000.0)
    looked = len(shown.asked)

    assert camera.frame(time=999.0).status_code == 200
    assert camera.frame(time=1000.0).status_code == 200

    assert len(shown.asked) == looked


def test_a_foreign_watch_takes_no_frames(camera, client, new_match):
    other = PageCamera(client, camera.shown, new_match(game="pig", opening=[])["id"], camera.watch)

    assert other.frame().status_code == 404
    camera.watch = "0" * 24
    assert camera.frame().status_code == 403


def test_two_cameras_do_not_watch_one_match(camera, client, match, shown):
    second = PageCamera(client, shown, match["id"])

    assert second.start()[0] == 403
    assert second.start(take=True)[0] == 201

    answer = camera.frame()
    assert answer.status_code == 403
    assert answer.json["error"]["sentence"] == "Another camera watches this match now."


def test_a_camera_that_fell_silent_may_be_followed_by_another(
    camera, client, match, shown, services
):
    heard = services.cameras.of(match["id"]).heard
    services.cameras.clock = lambda: heard + GONE_S

    assert PageCamera(client, shown, match["id"]).start()[0] == 201


def test_a_camera_that_sends_nothing_for_long_lets_its_process_end(camera, shown, services, match):
    heard = services.cameras.of(match["id"]).heard
    services.cameras.clock = lambda: heard + IDLE_S + 1

    services.cameras.sweep()

    assert shown.closed == 1
    assert camera.frame().status_code == 404


def test_so_many_cameras_and_no_more(camera, client, shown, new_match):
    for _ in range(MOST - 1):
        assert PageCamera(client, shown, new_match(game="pig", opening=[])["id"]).start()[0] == 201

    status, told = PageCamera(client, shown, new_match(game="pig", opening=[])["id"]).start()

    assert status == 503
    assert "Take photos" in told["error"]["sentence"]


def test_among_so_many_the_one_that_fell_silent_makes_room(
    camera, client, shown, services, new_match
):
    heard = services.cameras.of(camera.match).heard
    for _ in range(MOST - 1):
        assert PageCamera(client, shown, new_match(game="pig", opening=[])["id"]).start()[0] == 201
    services.cameras.clock = lambda: heard + GONE_S

    assert PageCamera(client, shown, new_match(game="pig", opening=[])["id"]).start()[0] == 201

    assert shown.closed == 1
    assert camera.frame().status_code == 404


def test_a_roll_after_a_gap_may_be_the_second_and_is_asked(camera):
    camera.frame(time=5000.0)
    told = watched("thrown", sight(4, 5))
    camera.frame(told, time=5012.0)

    assert camera.steps == []
    assert "saw nothing for 12 s" in camera.tally


def test_a_page_that_is_loaded_anew_goes_on_where_it_was(camera):
    camera.frame()

    fresh = PageCamera(camera.client, camera.shown, camera.match, camera.watch)
    fresh.throw(4, 5)

    assert camera.steps == ["4-5"]


def restarted(tmp_path: Any, match: str) -> PageCamera:
    """Return a camera before a match of a server that was stopped and started again."""
    shown = ShownTable()
    url = f"sqlite:///{tmp_path / 'pipsight.sqlite'}"
    app = create_app(url, tmp_path / "photos", watched=lambda: shown)
    camera = PageCamera(app.test_client(), shown, match)
    camera.start()
    return camera


def test_after_a_restart_what_was_counted_is_not_counted_again(camera, tmp_path):
    camera.throw(4, 5)

    again = restarted(tmp_path, camera.match)
    again.frame(watched("lay", sight(4, 5)))

    assert again.steps == ["4-5"]
    assert "Not a roll" not in again.tally


def test_after_a_restart_what_was_thrown_meanwhile_is_asked(camera, tmp_path):
    camera.throw(4, 5)

    again = restarted(tmp_path, camera.match)
    again.frame(watched("lay", sight(2, 6, at=30)))

    assert again.steps == ["4-5"]
    assert "not counted yet" in again.tally


def test_a_roll_that_could_not_be_stored_is_stored_with_the_next_frame(
    camera: PageCamera, services: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep: Callable[..., Any] = type(services.store).keep
    left = [1]

    def full(store: Any, *args: Any) -> Any:
        if left and left.pop():
            raise OperationalError("insert", {}, Exception("disk full"))
        return keep(store, *args)

    monkeypatch.setattr(type(services.store), "keep", full)

    assert camera.throw(4, 5).status_code >= 500
    assert camera.steps == []
    camera.frame()
    assert camera.steps == ["4-5"]


def test_frames_are_wanted_seldom_when_nothing_happens(camera):
    paces = [camera.frame(watched(idle_s=idle)).json["next_ms"] for idle in (1, 10, 100, 1000)]

    assert paces == [67, 200, 500, 1000]
    assert camera.frame(watched(waiting="moving", idle_s=1000)).json["next_ms"] == 67
