"""The pages of the steps without scripts, and the newest photo on the page of a match."""

import json
import re

import pytest

from scorer import Equipment, Table
from scorer.games import GAMES
from scorer.games.gords.bids import places
from tests.browser.phones import eyes as race_eyes
from tests.browser.phones import photo
from tests.conftest import AGREE, board_moves, send_photo
from tests.grids import few
from tests.matches import AGREED, moves_by_chance, plain, play
from tests.webui import sights
from tests.webui.plain_phone import PlainPhone
from webui.match import match as matches


def roll(pips):
    return {"move": "Roll", "pips": pips}


HOLD = {"move": "Hold"}


@pytest.fixture
def phone(app):
    return PlainPhone(app.test_client())


@pytest.fixture
def pig(client, new_match, phone):
    """A match of pig on the phone: Ada holds 9, Ben holds 4, Ada rolls 5."""
    match_id = new_match(game="pig", opening=[])["id"]
    play(client, match_id, roll(4), roll(5), HOLD, roll(4), HOLD, roll(5))
    phone._show(f"/m/{match_id}")
    return f"/m/{match_id}"


def words(page):
    """Return what the main part of a page says."""
    return plain(page[page.index("<main") :])


def scores(phone):
    return re.findall(r'data-score="\d">(\d+)<', phone.page)


def test_a_step_is_corrected_and_the_later_ones_are_replayed(phone, pig):
    phone.press("Correct step 2")
    phone.press("Ada rolls 6")
    shown = words(phone.page)
    assert "Ada rolls 5 Ada rolls 6" in shown  # the first crossed out
    assert "Ada holds 10 Ada 9 10 , Ben 0" in shown
    assert "The score: Ada 9 10 , Ben 4" in shown
    assert "no longer fits" not in shown

    phone.press("Correct it")

    assert scores(phone) == ["10", "4"]
    assert "5 steps taken back, from step 2 on" in words(phone.page)


def test_who_joined_later_has_no_place_in_the_scores_of_a_correction_before(client, phone, pig):
    play(client, pig.removeprefix("/m/"), {"move": "JoinTable", "name": "Cyd"})
    phone._show(pig)

    phone.press("Correct step 2")
    phone.press("Ada rolls 6")

    shown = words(phone.page)
    assert "Ada holds 10 Ada 9 10 , Ben 0 Ben rolls 4" in shown
    assert "Cyd joins Ada 9 10 , Ben 4, Cyd 4" in shown


def test_what_no_longer_fits_is_shown_before_it_is_taken_back(phone, pig):
    phone.press("Correct step 2")
    phone.press("Ada rolls 1 and")
    shown = words(phone.page)
    assert "Step 3 no longer fits: " in shown
    assert shown.count("taken back with it") == 3

    phone.press("Correct it and take 4 steps after it back")

    assert scores(phone) == ["0", "0"]
    assert "Ben" in phone.prompt
    phone.press("Put back step 6")  # the match as it was before
    assert "What is taken back for that" in words(phone.page)
    phone.press("Put back")
    assert scores(phone) == ["9", "4"]


def test_a_step_that_never_happened_is_left_out(phone, pig):
    phone.press("Correct step 1")
    phone.press("This step never happened")
    assert "It is left out." in words(phone.page)

    phone.press("Correct it")

    assert scores(phone) == ["5", "4"]


def test_one_of_the_moves_of_a_step_is_another_one(client, phone, new_match):
    match = new_match(opening=[AGREE])
    sent = {"after": 1, "moves": board_moves()}
    client.post(f"/api/matches/{match['id']}/moves", json=sent)
    phone._show(f"/m/{match['id']}")
    before = scores(phone)
    phone.press("Correct step 2")
    assert phone.page.count("Another move") == 9
    phone.press("Another move")  # the black 1 in the upper left corner
    assert "Stored is: " in words(phone.page)
    phone.press("Black 2 on row 1, column 1")
    assert "The score: " in words(phone.page)

    phone.press("Correct it")

    assert scores(phone) != before


def test_a_move_that_the_rules_forbid_there_is_refused_in_a_sentence(client, pig):
    answer = client.get(f"{pig}/step/1/correct?moves=[%7B%22move%22:%22Hold%22%7D]")

    assert answer.status_code == 422
    assert "That cannot be: " in answer.text


@pytest.mark.parametrize("query", ["moves=[", "at=0&move=1", "at=x", "at=77", "at=-1&out=1"])
def test_an_address_that_makes_no_sense_is_no_fault_of_the_server(client, pig, query):
    assert client.get(f"{pig}/step/1/correct?{query}").status_code in (200, 400, 422)


def test_several_steps_are_taken_back_and_put_back_at_once(phone, pig):
    phone.press("Take back step 4")
    phone.press("Take back")
    assert scores(phone) == ["9", "0"]
    phone.press("Take back step 3")
    phone.press("Take back")
    assert "4 steps taken back, from step 3 on" in words(phone.page)

    phone.press("Put back these steps")
    shown = words(phone.page)
    assert "Put these 4 steps back?" in shown
    assert "The score is then 9 : 4" in shown
    phone.press("Put back")

    assert scores(phone) == ["9", "4"]
    assert "4 steps put back, from step 3 on" in words(phone.page)
    assert "Put back" not in words(phone.page)
    phone.press("Take back step 6")  # an undo of the redo
    phone.press("Take back")
    phone.press("Put back step 6")
    phone.press("Put back")
    assert scores(phone) == ["9", "4"]


def test_a_note_is_written_on_a_step_changed_and_removed(phone, pig):
    label = "A note for everybody at the table"
    phone.press("Step 2: where it came from")
    phone.write(label, "it fell <b>off</b> the table")
    assert "it fell &lt;b&gt;off&lt;/b&gt; the table" in phone.page
    assert phone.page.count('id="step-') == 6  # a note is no line of its own
    phone.press("Step 2: where it came from")
    phone.write(label, "it was cocked")
    phone.press("Step 2: where it came from")
    phone.press("Remove the note")

    assert "cocked" not in phone.page


@pytest.mark.parametrize(("typed", "status"), [("9 9 9 9 9 9", 422), ("none", 400)])
def test_dice_that_cannot_be_are_given_back_by_a_correction(client, new_match, typed, status):
    rolled = {"move": "Roll", "dice": [1, 2, 3, 4, 5, 6]}
    match = new_match(game="farkle", names=["Ada", "Ben"], opening=[rolled])
    sent = {"at": "0", "roll": '{"move": "Roll"}', "dice": typed}

    answer = client.get(f"/m/{match['id']}/step/1/correct", query_string=sent)

    assert answer.status_code == status
    assert "That cannot be: " in answer.text
    assert f'value="{typed}"' in answer.text


def test_numbers_and_a_correction_that_another_phone_overtakes_are_given_back(client, new_match):
    match = new_match(game="sum", names=["Ana", "Ben"], opening=[])["id"]
    number, made = 7, {"move": {"move": "Enter", "seat": 1, "points": 0}, "field": "points"}
    moves = [{"move": "Enter", "seat": 0, "points": 12}]
    typed = {"after": 0, "request": "typed", "number": ["", number],
             "made": ["{}", json.dumps(made)]}  # fmt: skip
    client.post(f"/api/matches/{match}/moves", json={"after": 0, "moves": moves})

    page = client.post(f"/m/{match}/move", data=typed).text
    assert "Another phone just moved" in page
    assert 'value="7"><input type="hidden" name="made"' in page

    right = [{**moves[0], "points": 21}]
    sent = {"after": 0, "request": "right", "moves": json.dumps(right)}
    page = client.post(f"/m/{match}/step/1/correct", data=sent).text
    assert "Another phone just moved" in page
    assert "Ana enters 21" in page
    assert '<input type="hidden" name="after" value="1">' in page


def test_a_note_that_is_too_long_is_given_back(client, pig):
    sent = {"after": 6, "request": "r", "note": "a long story, " * 20}

    answer = client.post(f"{pig}/step/2/note", data=sent)

    assert answer.status_code == 400
    assert "A note has at most 200 letters, and this one has 279. Make it shorter." in answer.text
    assert "a long story, a long story" in answer.text


@pytest.mark.parametrize("name", few(GAMES, 2))
def test_every_game_has_a_page_that_corrects_a_step(client, new_match, phone, name):
    match = new_match(game=name, opening=[])
    play(client, match["id"], *moves_by_chance(GAMES[name], 5, most=1))

    phone._show(f"/m/{match['id']}/step/1/correct")

    assert phone.moves()
    assert "What was it?" in words(phone.page)


BID = {"move": "Bid", "space": places("half_after")[3], "face": 2}
FELL = [sights.die_at(60 + 40 * at, 500, at + 1, "white", None) for at in range(5)]
FELL.append(sights.die_at(260, 500, 5, "white", None, sure=False))  # which is the 6
LOOSE = sights.sight(sights.SHEET, Table(), dice=FELL)
QUAD = [[60, 60], [108, 60], [108, 84], [60, 84]]
LIES = {"quad": QUAD, "centers": [[72, 72], [96, 72]], "cells": None, "level": None}
TILE = LIES | {"halves": [3, 5], "confidence": 0.6, "sure": False, "alternatives": [[[3, 6], 0.4]]}
LOOSE_TILES = sights.sight(sights.SHEET, Table(), tiles=[TILE])
TILES = {"move": "SumPieces", "seat": 0, "tiles": [[3, 6]]}
ROLL = {"move": "Roll", "dice": [1, 2, 3, 4, 5, 6]}


@pytest.fixture
def counted(client, eyes, new_match):
    """Return a match whose first round was counted from a photo."""
    return count_photo(client, eyes, new_match(opening=[AGREE]), 1)


def count_photo(client, eyes, made, number):
    """Count a round of a match from a photo on which one die was put right; return the match."""
    sent = photo(number).read_bytes()
    eyes.shown = race_eyes(board=f"race-{number:02}")(sent, Equipment(), 0)
    path = f"/api/matches/{made['id']}"
    answer = send_photo(client, made["id"], sent).json
    answer["proposal"]["moves"][0]["pips"] = 5
    moves = {"moves": answer["proposal"]["moves"], "sighting": answer["sighting"]}
    return client.post(f"{path}/moves", json=moves | {"after": made["seq"]}).json


def test_every_line_is_summed_on_the_photo_with_its_dice_until_it_is_taken_back(client, counted):
    page = client.get(f"/m/{counted['id']}").text
    step = client.get(f"/m/{counted['id']}/step/{counted['seq']}").text

    sums = re.findall(r'class="sum paper-(\d)".*?<text[^>]*>(\d+)<', page)
    lines = counted["because"][0]["lines"]
    assert [(int(seat), int(pips)) for seat, pips in sums] == [
        (line["seat"], int(re.search(r"= (\d+)", line["text"])[1])) for line in lines
    ]
    assert page.count('class="crops"') == len(lines)
    crops = re.findall(r'class="crops".*?</span>', page)
    assert all(crop.count("<image") == 3 for crop in crops)
    frame = re.search(r'class="overlay framed" viewBox="([^"]+)"', page)
    left, top, wide, high = map(float, frame[1].split())  # the part of the photo that is shown
    for x, y in re.findall(r'class="sum [^>]*translate\(([\d.]+) ([\d.]+)\)', page):
        assert left < float(x) < left + wide
        assert top < float(y) < top + high
    assert step.count('class="crops"') == step.count('class="mini"') == len(lines)
    assert step.count('class="sum paper-') == 2 * len(lines)  # the board, and the whole photo
    assert 'class="crops"' not in client.get(f"/m/{counted['id']}/step/1").text

    path = f"/api/matches/{counted['id']}"
    undone = client.post(f"{path}/undo", json={"after": counted["seq"]}).json

    page = client.get(f"/m/{counted['id']}").text
    assert undone["score"] == [0, 0]
    assert 'class="sum' not in page
    assert 'id="last-photo"' not in page


@pytest.mark.parametrize(
    ("game", "settings", "opening", "sight", "moves"),
    [
        ("gords", {}, AGREED, sights.track(5, 3, sure=False), [BID]),
        ("farkle", {}, [], LOOSE, [ROLL]),
        ("sum", {"photo": "dominoes"}, [], LOOSE_TILES, [TILES]),
    ],
)
def test_pieces_stand_on_the_photo_as_they_counted(
    client, eyes, new_match, game, settings, opening, sight, moves
):
    made = new_match(game=game, opening=opening, settings=settings)
    path, eyes.shown = f"/api/matches/{made['id']}", sight
    sighting = send_photo(client, made["id"], sight.jpeg).json["sighting"]
    step = {"moves": moves, "sighting": sighting, "after": made["seq"]}
    seq = client.post(f"{path}/moves", json=step).json["seq"]

    last, screen = (client.get(f"/m/{made['id']}{page}").text for page in ("", "/board"))
    words = re.findall(r'<text class="word"[^>]*>([^<]+)<', last)

    counted = [*map(str, moves[0].get("dice") or [moves[0].get("face", "3-6")])]
    assert words == counted  # no question mark is left
    assert 'class="doubtful' not in last + screen
    assert "?<" in client.get(f"/m/{made['id']}/step/{seq}").text  # that tells what was read


def test_a_match_is_played_to_the_step_of_its_photo_once(client, counted, monkeypatch):
    played, state_after = [], matches.state_after
    monkeypatch.setattr(
        matches, "state_after", lambda *at: played.append(at[-1]) or state_after(*at)
    )

    pages = [client.get(f"/m/{counted['id']}").text for _ in range(2)]

    assert len(played) == 1
    assert all('class="sum paper-' in page for page in pages)


def test_why_a_score_is_what_it_is_shows_the_dice_behind_each_point_when_it_is_read(
    client, eyes, counted
):
    again = count_photo(client, eyes, counted, 2)
    page = client.get(f"/m/{again['id']}").text
    address = re.findall(r'id="why-\d" data-ask="([^"]+)" data-adds', page)

    folds = [client.get(fold).text for fold in address]

    assert len(again["because"]) == 2
    lines = [line for part in again["because"] for line in part["lines"]]
    assert sum(fold.count('class="crops"') for fold in folds) == len(lines)
    assert sum(fold.count("<image") for fold in folds) == 3 * len(lines)
    assert len(set(re.findall(r'href="([^"]+/screen.jpg)"', "".join(folds)))) == 2
    assert page.count('class="crops"') == len(again["because"][0]["lines"])  # of the newest round


@pytest.mark.parametrize("step", [-5, 99])
def test_what_is_no_step_is_not_taken_back_and_nothing_else_either(client, pig, step):
    for asked in (client.get, client.post):
        answer = asked(f"{pig}/undo?step={step}", data={"after": 1, "request": "r"})
        assert (answer.status_code, "no longer counts" in answer.text) == (422, True)
