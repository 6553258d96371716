"""Dice that came to lie there or went: what a camera counts of it, and what it asks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scorer import Table
from tests.webui.camera.shown_tables import PageCamera, ShownTable, agree, sight, told, watched
from webui.eyes.photo import PhotoReading

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
    assert "Was the purple 6 read correctly?" in made.tally
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
    assert "Was the purple 6 read correctly?" in thrown.tally


def test_what_was_told_by_hand_says_nothing_of_the_dice_that_lie_there(thrown, client):
    seq = client.get(thrown.path).json["seq"]
    rolled = {"move": "Roll", "dice": [list(die) for die in POOL]}
    sent = client.post(f"{thrown.path}/moves", json={"after": seq, "moves": [rolled]})
    assert sent.status_code == 201, sent.json

    thrown.frame(watched("taken", pool_left(("blue", 2), ("blue", 4), unread=PURPLE)))

    assert "takes" not in told(thrown)
    assert "Was the purple 6 read correctly?" in thrown.tally


def test_dice_that_may_be_hidden_by_a_hand_are_asked_about(pool):
    pool.frame(watched("changed", pool_left(("blue", 2), ("blue", 4))))

    assert "takes" not in told(pool)
    assert "or are they hidden?" in pool.tally


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
