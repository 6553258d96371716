"""A step that was another one: asked about, and put right in one confirm; the log only grows."""

import json

import pytest

from tests.conftest import AGREE, BOARD, COLOURS, board_moves, place, send_photo
from tests.matches import BEGUN, play

BEN = {**AGREE, "starter": 1}  # who has white
WHITE_FIRST = tuple({"b": "w", "w": "b"}[die[0]] + die[1] for die in BOARD)  # five white dice


def tapped(board=WHITE_FIRST):
    cells = [(COLOURS[die[0]], int(die[1]), [*divmod(at, 3)]) for at, die in enumerate(board)]
    return [{"cell": cell, "colour": colour, "value": value} for colour, value, cell in cells]


def placed(board=WHITE_FIRST):
    """Return the placements of *board*, white first."""
    dice = [place(*one["cell"], one["colour"], one["value"]) for one in tapped(board)]
    white = [one for one in dice if one["colour"] == "white"]
    black = [one for one in dice if one["colour"] == "black"]
    return [white[i // 2] if i % 2 == 0 else black[i // 2] for i in range(9)]


def test_a_board_that_the_other_one_started_asks_whether_they_did(post):
    _, answer = post("proposals", {"after": 1, "dice": tapped()})

    assert "the colours take turns" in answer["differences"][0]["sentence"]
    assert [(one["question"], one["step"], one["move"]) for one in answer["questions"]] == [
        ("did Ben start?", 1, BEN),
        ("did Ben have black?", 1, {**AGREE, "black": 1}),
    ]


def test_a_photo_asks_too(client, match, eyes):
    eyes.show(*WHITE_FIRST)

    answer = send_photo(client, match["id"]).json

    assert answer["proposal"]["questions"][0]["question"] == "did Ben start?"


def test_the_start_is_put_right_and_the_board_counted_in_one_confirm(client, match, post):
    right = {"step": 1, "moves": [BEN]}
    _, asked = post("proposals", {"after": 1, "dice": tapped(), "instead": right})
    assert asked["differences"] == []

    sent = {"after": 1, "moves": asked["moves"], "instead": right, "request": "once"}
    status, view = post("moves", sent)

    assert status == 201
    assert view["score"] == asked["preview"]["score"]
    assert [(step["text"][0], step["standing"]) for step in view["history"][:3]] == [
        ("Ada starts, Ada has black", False),
        ("step 1 taken back", False),
        ("Ben starts, Ada has black", True),
    ]
    assert len(view["history"]) == 4
    assert post("moves", sent)[1]["seq"] == 4  # sent again it is answered, not stored again


def test_without_a_photo_the_page_asks_below_whose_turn_it_is(client, match):
    page = client.get(f"/m/{match['id']}").text
    assert "Did Ben start?" in page

    sent = {"after": 1, "moves": json.dumps([BEN]), "request": "r"}
    answer = client.post(f"/m/{match['id']}/step/1/correct", data=sent)

    assert answer.status_code == 303
    shown = client.get(f"/m/{match['id']}").text
    assert "Ben (white) starts" in shown
    assert "Did Ada start?" in shown


def test_once_a_die_lies_the_start_is_not_asked_about_on_the_page(client, match, post):
    post("moves", {"after": 1, "moves": board_moves()[:1]})

    assert "Did Ben start?" not in client.get(f"/m/{match['id']}").text


def test_what_came_after_a_step_stays_with_its_photo(client, new_match):
    match = new_match(game="pig", opening=[])
    path = f"/api/matches/{match['id']}/moves"
    play(client, match["id"], *({"move": "Roll", "pips": pips} for pips in (3, 4)))

    right = {"step": 1, "moves": [{"move": "Roll", "pips": 6}]}
    view = client.post(path, json={"after": 2, "moves": [], "instead": right}).json

    standing = [step["text"][0] for step in view["history"] if step["standing"]]
    assert standing == ["Ada rolls 6", "Ada rolls 4"]


@pytest.mark.parametrize(
    ("sent", "status", "says"),
    [
        ({"after": 0}, 409, "Another phone just moved"),
        ({"instead": {"step": 9, "moves": [BEN]}}, 422, "Step 9 no longer counts"),
        ({"instead": {"step": 1, "moves": [BEN]}}, 422, "step 2 is not possible after that"),
        ({"instead": {"step": 1, "moves": [{"move": "Fly"}]}}, 400, "has the moves"),
    ],
)
def test_a_step_that_cannot_be_put_right_stays(client, match, post, sent, status, says):
    post("moves", {"after": 1, "moves": board_moves()[:1]})
    whole = {"after": 2, "moves": [], "instead": {"step": 1, "moves": [BEN]}, **sent}

    answered, body = post("moves", whole)

    assert answered == status
    assert says in body["error"]["sentence"]
    assert client.get(f"/api/matches/{match['id']}").json["seq"] == 2


def test_a_board_is_judged_by_the_round_it_belongs_to(post):
    post("moves", {"after": 1, "moves": board_moves()})
    mine = ("b3", *BOARD[1:])

    _, answer = post("proposals", {"after": 2, "since": 1, "dice": tapped(mine)})

    assert (answer["overtaken"]["step"], answer["overtaken"]["corrected"]) == (2, False)
    assert len(answer["overtaken"]["text"]) == 9
    assert answer["differences"] == []
    assert answer["preview"]["because"][0]["part"] == "round 1"
    right = {"step": 2, "moves": answer["moves"]}
    view = post("moves", {"after": 2, "moves": [], "instead": right})[1]
    assert view["score"] == answer["preview"]["score"]


def test_a_round_that_is_still_open_is_not_over(post):
    post("moves", {"after": 1, "moves": board_moves()[:2]})

    _, answer = post("proposals", {"after": 2, "since": 1, "dice": tapped(BOARD)})

    assert answer["overtaken"] is None
    assert len(answer["moves"]) == 7


def test_a_roll_is_over_once_another_phone_has_counted_one(client, new_match):
    match = new_match(game="pig", opening=[])
    path = f"/api/matches/{match['id']}"
    client.post(f"{path}/moves", json={"after": 0, "moves": [{"move": "Roll", "pips": 3}]})

    sent = {"after": 1, "since": 0, "dice": [{"value": 4, "colour": "white"}]}
    answer = client.post(f"{path}/proposals", json=sent).json

    assert answer["overtaken"] == {"step": 1, "text": ["Ada rolls 3"], "corrected": False}
    assert answer["preview"]["text"] == ["Ada rolls 4"]


@pytest.mark.parametrize(
    ("later", "is_over"),
    [
        ({"moves": [{"move": "Concede", "seat": 1}]}, False),
        ({"moves": [{"move": "JoinTable", "name": "Cleo"}]}, False),
        ({"moves": [], "instead": {"step": 1, "moves": [{"move": "Roll", "pips": 2}]}}, False),
        ({"moves": [], "instead": {"step": 2, "moves": [{"move": "Roll", "pips": 2}]}}, True),
        ({"moves": [{"move": "Roll", "pips": 5}]}, True),
    ],
)
def test_only_a_move_after_those_that_it_saw_supersedes_a_roll(client, new_match, later, is_over):
    match = new_match(game="pig", names=["Ada", "Ben", "Dora"], opening=[])
    path = f"/api/matches/{match['id']}"
    for after, pips in enumerate((3, 4)):
        moves = [{"move": "Roll", "pips": pips}]
        client.post(f"{path}/moves", json={"after": after, "moves": moves})
    stored = client.post(f"{path}/moves", json={"after": 2, **later})
    assert stored.status_code == 201, stored.json

    sent = {"after": stored.json["seq"], "since": 2, "dice": [{"value": 6, "colour": "white"}]}
    answer = client.post(f"{path}/proposals", json=sent).json

    assert (answer["overtaken"] is not None) is is_over
    assert (answer["overtaken"] or {}).get("corrected", False) is ("instead" in later and is_over)


def test_a_sheet_is_not_superseded_by_a_correction_of_another_players_turn(client, new_match):
    """What was photographed for Ben's turn was offered in place of Ana's, on her sheet."""
    match = new_match(game="dice_wide_shut", opening=BEGUN["dice_wide_shut"])
    turns = [[*turn_of(row)] for row in (1, 2)]
    path = f"/api/matches/{match['id']}"
    seq = client.post(f"{path}/moves", json={"after": match["seq"], "moves": turns[0]}).json["seq"]
    right = {"after": seq, "moves": [], "instead": {"step": seq, "moves": turns[1]}}
    stored = client.post(f"{path}/moves", json=right)
    assert stored.status_code == 201, stored.json

    sent = {"after": stored.json["seq"], "since": seq, "dice": []}

    assert client.post(f"{path}/proposals", json=sent).json["overtaken"] is None


def turn_of(row):
    """Yield a turn of Dice Wide Shut that takes red 1 and red 2 and marks them in a *row*."""
    yield {"move": "Take", "colour": "red", "dice": [["red", 1], ["red", 2]]}
    yield {"move": "Mark", "cells": [["red", row, 0], ["red", row, 1]]}


def test_a_roll_is_not_superseded_by_one_at_another_table(client, new_match):
    """A photo of Cyd's dice was offered in place of Ada's roll at the first table."""
    four = {"names": ["Ada", "Ben", "Cyd", "Dan"], "settings": {"match": "tournament"}}
    match = new_match(game="pig", opening=[], **four)
    path = f"/api/matches/{match['id']}"
    client.post(f"{path}/moves", json={"after": 0, "moves": [{"move": "Roll", "pips": 3}]})

    sent = {"after": 1, "since": 0, "spot": 1, "dice": [{"value": 4, "colour": "white"}]}
    answer = client.post(f"{path}/proposals", json=sent).json

    assert answer["overtaken"] is None
    assert answer["preview"]["text"] == ["table 2: Cyd rolls 4"]
    over = client.post(f"{path}/proposals", json=sent | {"spot": 0}).json["overtaken"]
    assert over == {"step": 1, "text": ["table 1: Ada rolls 3"], "corrected": False}
