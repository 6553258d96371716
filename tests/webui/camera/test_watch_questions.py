"""A question about what a camera saw stays until somebody answers, or the table itself does."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

import pytest
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st

import scorer
from scorer import Doubt, load_move
from scorer.messages import raw
from scorer.photo.meaning import Meaning, ReadTable
from tests.grids import tries
from tests.matches import AGREED
from tests.webui.camera.shown_tables import NO_ROLL, PageCamera, ShownTable, sight, watched
from tests.webui.plain_phone import Control, PlainPhone
from vision.watch.pace import Pace
from webui.app import create_app
from webui.camera.waiting_rolls import WatchedRoll, depends
from webui.eyes.eyes import Eyes
from webui.eyes.watch import FrameKind
from webui.match import match as matches

MATCH = {"game": "beat_the_odds", "names": ["Ada", "Ben"], "opening": AGREED}
SIDE, NUDGED = 12, 1.2  # px of a die in `sight`; sides
UNSEEN_S = 20.0  # a phone that was locked


@dataclass
class CameraServer:
    """A server whose camera sees what a test says."""

    app: Flask
    shown: ShownTable
    time_s: float = 0.0

    def camera(self, sent=MATCH):
        client = self.app.test_client()
        match = client.post("/api/matches", json=sent).json["id"]
        camera = PageCamera(client, self.shown, match)
        self.shown.pace = Pace()  # each camera begins without the gaps of the one before
        assert camera.start()[0] == 201
        self.see(camera)
        return camera

    def see(self, camera, kind="", *values, doubtful=False, at=0.0, after_s=0.1):
        self.time_s += after_s
        shown = sight(*values, doubts=(NO_ROLL,) if doubtful else (), at=at) if values else None
        answer = camera.frame(watched(kind if shown else "", shown), time=self.time_s)
        assert answer.status_code == 200, answer.json

    def waiting(self, camera):
        rolls = self.app.extensions["pipsight"].cameras.rolls
        return list(rolls.kept.rolls(camera.match))  # what is asked, all of it


@pytest.fixture(scope="module")
def table():
    shown = ShownTable()
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/pipsight.sqlite"
        app = create_app(url, Path(folder) / "photos", Eyes(watch=lambda: shown))
        app.extensions["pipsight"].cameras.most = 1000  # a match for each example
        yield CameraServer(app, shown)
        app.extensions["pipsight"].cameras.close()
        app.extensions["pipsight"].store.close()


@pytest.mark.parametrize("kind", ["again", "changed", "taken"])
@pytest.mark.parametrize(
    ("thrown", "dice", "asked"),
    [
        ({"after_s": UNSEEN_S}, (4, 5), "saw nothing for 20 s"),
        ({"doubtful": True}, (4, 6), "The 5 may be 3."),
    ],
    ids=["what the camera could not see", "a die that the hand turned over"],
)
def test_a_hand_that_reaches_in_does_not_answer(table, kind, thrown, dice, asked):
    camera = table.camera()
    table.see(camera, "thrown", 4, 5, **thrown)
    assert asked in camera.tally

    table.see(camera, kind, *dice)

    assert camera.steps == []
    assert asked in camera.tally


LOOKS = st.tuples(
    st.sampled_from(get_args(FrameKind)),
    st.sampled_from([(4, 5), (4, 3), (4, 6), (5,), (4, 5, 6)]),
    st.booleans(),
    st.sampled_from([0.0, 5.0, 60.0]),
    st.sampled_from([0.1, UNSEEN_S]),
).filter(lambda look: len(look[1]) > 1 or not look[2])


@pytest.mark.release
@settings(max_examples=tries(60), deadline=None)
@given(looks=st.lists(LOOKS, min_size=2, max_size=7))
def test_no_question_goes_away_but_by_an_answer_or_by_what_lies_there(table, looks):
    camera = table.camera()
    for kind, values, doubtful, at, after_s in looks:
        before = table.waiting(camera)[:1]
        table.see(camera, kind, *values, doubtful=doubtful, at=at, after_s=after_s)
        left = [roll.sighting for roll in table.waiting(camera)]
        for roll in before:
            if roll.sighting not in left:
                assert kind in ("again", "changed", "taken")
                assert not doubtful
                assert not roll.more
                assert _may_be(roll.reading["dice"], values, at)


def _may_be(dice, values, at):
    """Return True if dice that `sight` lays *at* px to the right may be those of a question."""
    return len(dice) == len(values) and all(
        abs(die["center"][0] - (26 + at + 40 * i)) < NUDGED * SIDE
        and value in (die["value"], *(3 for _ in die["alternatives"]))
        for i, (die, value) in enumerate(zip(dice, values, strict=True))
    )


def test_a_roll_waits_behind_a_question_only_if_its_answer_matters_for_it(table):
    """In Pig the log of a turn tells its rolls in order: only equal ones may change places."""
    store = table.app.extensions["pipsight"].store
    match = matches.create(store, "pig", ["Ada", "Ben"], {})
    four, three = (load_move(match.rules(), {"move": "Roll", "pips": pips}) for pips in (4, 3))
    asked = Meaning((four,), None, (Doubt(raw("is it a 4?")),))
    table = ReadTable(scorer.Table())
    first, second = (WatchedRoll(n, "", table, {}, 0, thrown=True, more=()) for n in "12")

    def waits(step, then=None):
        def meant(at, roll):
            if roll is first:
                return asked
            return step if at is match or then is None else then

        return depends(match, second, [first], meant)

    assert not waits(Meaning((four,), None))  # whether one four came or two, this is one
    assert waits(Meaning((three,), None))
    assert waits(Meaning((four,), None, (Doubt(raw("is it?")),)))
    assert waits(Meaning((four,), None), then=Meaning((), None))
    ace = load_move(match.rules(), {"move": "Roll", "pips": 1})
    assert waits(Meaning((ace,), None))  # it would pass the turn


@pytest.fixture
def pig(table):
    """A camera before a match of Pig, whose first roll it has counted."""
    camera = table.camera(MATCH | {"game": "pig", "opening": []})
    table.see(camera, "thrown", 4)
    return camera


def phone_at(camera):
    phone = PlainPhone(camera.client)
    phone.tap(Control({"href": f"/m/{camera.match}"}))
    return phone


def rolls(camera):
    view = camera.client.get(camera.path).json
    return [one["summary"] for one in view["history"] if one["standing"]]


ANOTHER = "The camera has just counted a roll, and nothing has moved since: is this another roll?"


@pytest.mark.parametrize(("answer", "left"), [("Not a roll", 1), ("Ada rolls 4", 2)])
def test_a_roll_tapped_just_after_the_camera_counted_it_is_asked_about(table, pig, answer, left):
    phone = phone_at(pig)

    phone.press("Ada rolls 4")
    assert rolls(pig) == ["Ada rolls 4"]
    assert phone.shows(ANOTHER)
    phone.tap(next(one for one in phone.moves() if one.says.startswith("Ada rolls 4")))
    assert len(table.waiting(pig)) == 1  # tapped again there, it is asked once
    phone.press(answer)

    assert rolls(pig) == ["Ada rolls 4"] * left
    assert not phone.shows(ANOTHER)


def test_another_number_tapped_after_it_is_asked_about_and_scripts_are_told(pig):
    sent = {"after": 1, "moves": [{"move": "Roll", "pips": 5}]}

    answer = pig.client.post(f"{pig.path}/moves", json=sent)

    assert (answer.status_code, answer.json["error"]["kind"]) == (409, "Asked")
    assert rolls(pig) == ["Ada rolls 4"]
    assert "Ada rolls 5" in pig.tally
    assert ANOTHER in pig.tally


def test_what_else_is_tapped_is_counted_at_once(table, pig):
    phone_at(pig).press("Ada holds 4")  # no roll
    assert rolls(pig) == ["Ada rolls 4", "Ada holds 4"]

    phone_at(pig).press("Ben rolls 3")  # thrown out of sight: the newest step is a person's
    assert rolls(pig)[2:] == ["Ben rolls 3"]


def test_a_roll_tapped_while_dice_move_is_counted(table, pig):
    pig.frame(watched(waiting="moving"), time=table.time_s + 0.1)
    table.time_s += 0.1

    phone_at(pig).press("Ada rolls 5")

    assert rolls(pig) == ["Ada rolls 4", "Ada rolls 5"]


def test_without_a_camera_the_same_roll_tapped_twice_is_counted_twice(table, pig):
    pig.client.post(f"{pig.path}/watch/{pig.watch}/end")

    phone_at(pig).press("Ada rolls 4")

    assert rolls(pig) == ["Ada rolls 4"] * 2
