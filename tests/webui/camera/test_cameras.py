"""A camera that watches a match: what it saw is counted once, or asked about, and never lost."""

from dataclasses import replace

import pytest

from scorer import Die, Table
from tests.matches import AGREED
from tests.webui.camera.shown_tables import (
    NO_ROLL,
    PageCamera,
    agree,
    first_form,
    sight,
    told,
    watched,
)


def test_a_roll_that_is_not_doubtful_is_counted_with_its_picture(camera, client, shown):
    answer = camera.throw(4, 5)

    assert answer.status_code == 200
    assert shown.asked[-1].dice == 2  # the rules tell what is looked for
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


def test_a_doubtful_roll_waits_and_one_tap_answers_once_from_two_phones(camera, client):
    answer = camera.throw(4, 5, doubts=(NO_ROLL,))

    assert camera.steps == []
    assert answer.json["asked"] == 1
    assert "The 5 may be 3." in camera.tally
    assert "Ada rolls 4-5" in camera.tally
    assert "Ada rolls 3-4" in camera.tally
    assert camera.frame().json["says"] == "A roll is waiting for an answer."

    form = first_form(camera.tally)
    answers = [client.post(f"/m/{camera.match}/watched", data=form).status_code for _ in range(2)]
    assert answers == [303, 303]
    assert camera.steps == ["4-5"]
    assert "Not a roll" not in camera.tally


def test_what_is_thrown_after_a_doubtful_roll_waits_behind_it(camera):
    camera.throw(4, 5, doubts=(NO_ROLL,))
    camera.throw(2, 6)
    assert camera.steps == []
    assert "1 more" in camera.tally

    agree(camera)
    camera.frame()

    assert camera.steps == ["4-5", "2-6"]


@pytest.mark.parametrize(("clear", "counted"), [((4, 5), "4-5"), ((4, 3), "3-4")])
def test_a_nudge_answers_where_the_roll_is_clear_then(camera, clear, counted):
    """Also with what the doubtful die may have shown."""
    camera.throw(4, 5, doubts=(NO_ROLL,))

    camera.frame(watched("again", sight(*clear)))

    assert camera.steps == [counted]


def test_what_was_no_roll_is_dropped_on_a_tap(camera, client):
    camera.throw(4, 5, doubts=(NO_ROLL,))
    form = first_form(camera.tally)

    gone = {name: form[name] for name in ("sighting", "after")} | {"drop": "1"}
    assert client.post(f"/m/{camera.match}/watched", data=gone).status_code == 303

    assert "Not a roll" not in camera.tally
    assert camera.steps == []
    again = client.post(f"{camera.path}/watch/drop", json={"sighting": form["sighting"]})
    assert again.status_code == 404


def test_a_roll_of_a_locked_seat_is_dropped_by_its_phone_alone(app, camera, client):
    camera.throw(4, 5, doubts=(NO_ROLL,))
    sent = {"sighting": first_form(camera.tally)["sighting"]}
    phones = f"/m/{camera.match}/phones"
    client.post(phones, data={"do": "begin"})
    other = app.test_client()
    other.get(f"/m/{camera.match}")
    client.post(phones, data={"do": "lock", "seat": "0", "phone": "1"})

    assert other.post(f"{camera.path}/watch/drop", json=sent).status_code == 403
    form = {**sent, "after": "1", "drop": "1"}
    assert other.post(f"/m/{camera.match}/watched", data=form).status_code == 403
    assert "Not a roll" in camera.tally

    assert client.post(f"{camera.path}/watch/drop", json=sent).status_code == 200
    client.post(phones, data={"do": "unlock", "seat": "0"})
    client.post(phones, data={"do": "lock", "seat": "1", "phone": "1"})  # Ada moves, not Ben
    camera.throw(4, 5, doubts=(NO_ROLL,))
    form["sighting"] = first_form(camera.tally)["sighting"]
    assert other.post(f"/m/{camera.match}/watched", data=form).status_code == 303


def test_what_the_rules_cannot_explain_is_asked(camera):
    camera.throw(4, 5, 6)

    assert camera.steps == []
    assert "3 dice were found" in camera.tally


@pytest.fixture
def board(watching):
    """A camera above an empty grid of Purple House."""
    return watching("purple_house", [{"move": "Agree", "starter": 0, "black": 0}])


def on_grid(*dice, doubts=()):
    """Return a die put on a grid, as it lies there then."""
    shown = sight(*(die.value for die in dice))
    return watched("thrown", replace(shown, table=Table(dice), doubts=doubts))


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


def placed_on(camera):
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


TAKEN = (("blue", 2), ("blue", 4))
POOL = (("blue", 2), ("blue", 4), ("blue", 5), ("purple", 6), ("red", 1), ("red", 3), ("red", 3))


def pool_left(*gone, unread=-1, at=0.0):
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
def pool(watching):
    """A camera above a pool of Dice Wide Shut that Ada has thrown."""
    rolled = {"move": "Roll", "dice": [list(die) for die in POOL]}
    return watching("dice_wide_shut", [{"move": "Starter", "seat": 0}, rolled])


def test_dice_that_a_hand_took_are_a_take_and_nobody_is_asked_if_they_are_hidden(pool):
    pool.frame(watched("taken", pool_left(*TAKEN)))

    assert "takes blue 2 and blue 4" in told(pool)
    assert told(pool).endswith("False")


PURPLE = 3  # in the pool


@pytest.fixture
def thrown(watching):
    """A camera that saw the pool thrown; of the purple die it asks whether it is read right."""
    made = watching("dice_wide_shut", [{"move": "Starter", "seat": 0}])
    made.frame(watched("thrown", pool_left(unread=PURPLE)))
    assert "Was the purple 6 read correctly?" in made.tally
    return made


def test_what_was_agreed_to_is_not_asked_again_while_the_die_lies_there(thrown):
    agree(thrown)

    thrown.frame(watched("taken", pool_left(*TAKEN, unread=PURPLE)))

    assert "takes blue 2 and blue 4" in told(thrown)
    assert told(thrown).endswith("False")


def test_a_die_that_was_moved_is_asked_about_again(thrown):
    agree(thrown)

    thrown.frame(watched("taken", pool_left(*TAKEN, unread=PURPLE, at=30)))

    assert "takes" not in told(thrown)
    assert "Was the purple 6 read correctly?" in thrown.tally


def test_what_was_told_by_hand_says_nothing_of_the_dice_that_lie_there(thrown, client):
    seq = client.get(thrown.path).json["seq"]
    rolled = {"move": "Roll", "dice": [list(die) for die in POOL]}
    sent = client.post(f"{thrown.path}/moves", json={"after": seq, "moves": [rolled]})
    assert sent.status_code == 201, sent.json

    thrown.frame(watched("taken", pool_left(*TAKEN, unread=PURPLE)))

    assert "takes" not in told(thrown)
    assert "Was the purple 6 read correctly?" in thrown.tally


def test_dice_that_a_hand_was_near_are_no_take_and_those_it_may_hide_are_asked_about(pool):
    for kind in ("again", "changed"):
        pool.frame(watched(kind, pool_left(*TAKEN)))
        assert "takes" not in told(pool)
    assert "or are they hidden?" in pool.tally


def test_a_take_before_the_marks_of_the_last_are_entered_is_counted_after_them(pool, client):
    pool.frame(watched("taken", pool_left(*TAKEN)))
    pool.frame(watched("taken", pool_left(*TAKEN, ("red", 1), ("red", 3))))
    assert "takes blue 2 and blue 4" in told(pool)

    seq = client.get(pool.path).json["seq"]
    mark = {"move": "Mark", "cells": [["blue", 1, 0], ["blue", 3, 0]], "powers": []}
    sent = client.post(f"{pool.path}/moves", json={"after": seq, "moves": [mark]})
    assert sent.status_code == 201, sent.json
    pool.frame()

    assert "takes red 1 and red 3" in told(pool)
    assert told(pool).endswith("False")


def test_a_white_die_that_stands_since_the_last_round_is_no_bid(watching):
    opening = [*AGREED, {"move": "Bid", "space": "2", "face": 4}, {"move": "Call", "seat": 1}]
    opening.append({"move": "Count", "found": 3})
    camera = watching("gords", opening)
    lying = sight(4)
    at_two = replace(lying, table=Table((replace(lying.table.dice[0], cell=(0, 2)),)))

    camera.frame(watched("changed", at_two))
    assert "Not a roll" not in camera.tally

    turned = replace(at_two, table=Table((replace(at_two.table.dice[0], value=5),)))
    camera.frame(watched("changed", turned))
    assert "bids" in told(camera)
    assert told(camera).endswith("False")


def test_the_same_value_thrown_after_a_hold_is_another_roll(client, watching):
    camera = watching("pig", [])
    camera.throw(4)
    seq = client.get(camera.path).json["seq"]
    client.post(f"{camera.path}/moves", json={"after": seq, "moves": [{"move": "Hold"}]})

    camera.throw(4, at=40)

    assert "rolls 4" in told(camera)
    assert told(camera).endswith("False")
