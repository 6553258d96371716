"""A camera before a match: what takes us long, what people tap meanwhile, what a frame costs."""

from contextlib import contextmanager

import pytest
import sqlalchemy as sa

from tests.conftest import send_photo
from tests.webui.camera.shown_tables import NO_ROLL, PageCamera, ShownTable, sight, watched
from webui.camera.cameras import GONE_S, IDLE_S, REST_S
from webui.errors import Busy
from webui.eyes.eyes import Eyes
from webui.match.taught import taught


class SlowTable(ShownTable):
    """Takes so long for a frame; `meanwhile` is done in that time."""

    def __init__(self):
        super().__init__()
        self.now_s, self.takes_s = 1000.0, 0.0
        self.meanwhile = None

    def look(self, *sent):
        self.now_s += self.takes_s
        if self.meanwhile is not None:
            self.meanwhile()
        return super().look(*sent)


@pytest.fixture
def shown():
    return SlowTable()


@pytest.fixture(autouse=True)
def clock(services, shown):
    services.cameras.clock = lambda: shown.now_s


def roll(*values, at=0.0):
    return watched("thrown", sight(*values, at=at))


MOVING, LAY, SAME, ROLL = "moving", "", "unchanged", "roll"


@pytest.mark.parametrize(
    ("looks", "silence"),
    [
        # A page sends its next frame once the last is answered: for 6 s it had no chance to.
        ([(1.0, MOVING, 6.0), (7.1, MOVING, 0.1), (7.3, ROLL, 0.1)], None),
        ([(1.0, MOVING, 6.0), (12.0, ROLL, 6.0)], 5),  # for longer than we took
        ([(1.0, MOVING, 0.0), (1.1, MOVING, 3.0), (4.2, ROLL, 3.0)], 3),  # read slowly
        ([(2.0, LAY, 0.0), (8.0, SAME, 0.0), (8.5, ROLL, 0.0)], 6),  # a page compared nothing
        ([(1.0, MOVING, 0.0), (2.0, LAY, 0.0), ("9.0&since=8.9", ROLL, 0.0)], None),  # it did
    ],
)
def test_a_time_in_which_nothing_was_seen_is_asked_about(camera, shown, looks, silence):
    for time, what, takes_s in looks:
        shown.takes_s = takes_s
        if what == SAME:
            camera.unchanged(time)
        else:
            camera.frame(roll(4, 5) if what == ROLL else watched(waiting=what), time=time)

    assert camera.steps == ([] if silence else ["4-5"])
    assert ("saw nothing" in camera.tally) == bool(silence)
    assert not silence or f"saw nothing for {silence} s" in camera.tally


def test_what_has_not_changed_is_no_silence_and_is_not_looked_at(camera, shown):
    camera.frame(watched(waiting="moving"), time=1.0)
    camera.frame(watched(), time=2.0)
    answers = [camera.unchanged(time) for time in (4.0, 6.0, 8.0)]
    camera.frame(roll(4, 5), time=8.5)

    said = {(one.status_code, one.json["waiting"], one.json["next_ms"]) for one in answers}
    assert said == {(200, "", round(1000 * REST_S))}
    assert len(shown.asked) == 3
    assert camera.steps == ["4-5"]
    assert "saw nothing" not in camera.tally


def test_a_page_that_compares_its_pictures_leaves_no_gap_before_a_hand_comes(
    camera, shown, monkeypatch
):
    unseen = []
    monkeypatch.setattr(shown, "look", lambda *sent: unseen.append(sent[4]) or watched())
    camera.frame(time=1.0)
    for time in (3.0, 5.0, 7.0):
        camera.unchanged(time)
    camera.frame(time=7.2)

    assert unseen == [0.0, pytest.approx(0.2)]


def test_a_slow_camera_says_for_how_long_dice_must_lie(camera):
    for waiting in ("moving", ""):
        said = camera.frame(watched(waiting=waiting, rate=2.1, leave_s=3)).json
        words = "I see only 2 pictures a second: leave the dice for 3 seconds."
        assert said["says"].endswith(words)
        assert (said["rate"], said["leave_s"]) == (2.1, 3)

    camera.frame(watched(waiting="moving", rate=1.0, leave_s=5))
    german = {"Accept-Language": "de"}
    said = camera.client.get(f"{camera.path}/watch", headers=german).json["says"]
    assert said == "Ich sehe nur ein Bild pro Sekunde: Lass die Würfel 5 Sekunden liegen."


def test_a_time_in_which_a_roll_may_have_been_lost_is_said_before_the_next_roll(camera):
    said = camera.frame(watched(unseen_s=1.9)).json["says"]

    assert said.endswith("I saw nothing for 2 s: enter the roll if there was one.")


def test_a_frame_is_wanted_at_once_where_nothing_lies_still_yet(camera):
    assert camera.unchanged(1.0).json["next_ms"] == 0
    camera.frame(watched(waiting="hand"), time=2.0)

    answer = camera.unchanged(3.0)

    assert (answer.json["waiting"], answer.json["next_ms"]) == ("hand", 0)
    assert camera.unchanged("soon").status_code == 400


def test_a_frame_that_is_read_for_long_is_no_silence_of_its_camera(camera, shown, client, match):
    def another_camera_begins():
        shown.now_s += max(GONE_S, IDLE_S) + 1
        client.application.extensions["pipsight"].cameras.sweep()
        assert PageCamera(client, shown, match["id"]).start()[0] == 403

    shown.meanwhile = another_camera_begins
    assert camera.frame().status_code == 200
    shown.meanwhile = None

    assert PageCamera(client, shown, match["id"]).start()[0] == 403


@pytest.fixture
def pig(watching):
    made = watching("pig", [])
    made.frame()
    return made


def rolls(camera):
    view = camera.client.get(camera.path).json
    return [text for one in view["history"] if one["standing"] for text in one["text"]]


def tap(camera, move):
    seq = camera.client.get(camera.path).json["seq"]
    answer = camera.client.post(f"{camera.path}/moves", json={"after": seq, "moves": [move]})
    assert answer.status_code == 201, answer.json


def test_a_roll_that_a_person_taps_while_the_camera_settles_on_another_is_asked_about(pig):
    pig.frame(watched(waiting="moving"))
    tap(pig, {"move": "Roll", "pips": 4})
    pig.frame(watched(waiting="moving"))
    pig.frame(roll(5))

    assert [text for text in rolls(pig) if "rolls" in text] == ["Ada rolls 4"]
    assert "is this another roll?" in pig.tally
    assert "Not a roll" in pig.tally


def test_what_no_camera_sees_may_be_tapped_while_dice_roll(pig):
    pig.frame(roll(4))
    pig.frame(watched(waiting="moving"))
    tap(pig, {"move": "Hold"})
    pig.frame(roll(5, at=60))

    assert "Not a roll" not in pig.tally
    assert rolls(pig)[-1] == "Ben rolls 5"


def test_a_roll_tapped_before_the_dice_moved_is_one_of_its_own(pig):
    tap(pig, {"move": "Roll", "pips": 4})
    pig.frame()
    pig.frame(watched(waiting="moving"))
    pig.frame(roll(5))

    assert "Not a roll" not in pig.tally
    assert rolls(pig)[-1] == "Ada rolls 5"


@pytest.mark.parametrize(("at", "asked"), [(0.0, False), (60.0, True)], ids=["there", "elsewhere"])
def test_one_die_is_asked_about_when_it_begins_again_if_it_lies_elsewhere(pig, at, asked):
    pig.frame(roll(5))

    pig.start(take=True)
    pig.frame(watched("lay", sight(5, at=at)))

    assert ("not counted yet?" in pig.tally, "Not a roll" in pig.tally) == (asked, asked)


def test_a_roll_that_waits_is_not_asked_about_once_more(pig):
    pig.frame(roll(3))
    pig.frame(watched("thrown", sight(4, 5, doubts=(NO_ROLL,), at=80)))
    pig.start(take=True)
    pig.frame(watched("lay", sight(4, 5, at=80)))

    assert "Not a roll" in pig.tally
    assert "1 more" not in pig.tally


@contextmanager
def statements(services):
    found = []

    def note(_connection, _cursor, statement, *_more):
        found.append(" ".join(statement.split()))

    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    yield found
    sa.event.remove(sa.Engine, "before_cursor_execute", note)


@pytest.mark.parametrize("waits", [False, True])
def test_a_frame_loads_the_match_once(camera, services, waits):
    if waits:
        camera.throw(4, 5, doubts=(NO_ROLL,))
    camera.frame()
    with statements(services) as found:
        camera.frame()

    asked = [one.partition(" FROM ")[2].split()[0] for one in found if one != "BEGIN"]
    assert asked == ["hosting", "asked", '"match"', "event", "pieces", "board"]


def test_frames_are_read_with_all_that_photos_are_read_with(camera, shown, services, monkeypatch):
    given = {"learned": {"faces": 3}, "board": {"cells": []}}
    assert taught(services.store, camera.match) == {}
    monkeypatch.setattr("webui.camera.cameras.taught", lambda *_: given)
    monkeypatch.setattr("webui.match.photo.taught", lambda *_: given)
    looked, photographed = [], []
    monkeypatch.setattr(shown, "look", lambda *sent: looked.append(sent[3]) or watched())

    def busy(*_sent, **more):
        photographed.append(more)
        raise Busy("Wait.")

    services.eyes = Eyes(busy)

    camera.frame()
    send_photo(camera.client, camera.match, b"jpeg")

    assert looked == photographed == [given]
