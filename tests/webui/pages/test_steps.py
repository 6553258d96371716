"""The pages of the steps on a phone without scripts: corrected, noted on, taken back, put back."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from scorer.games import GAMES
from tests.conftest import AGREE, board_moves
from tests.webui.plain_phone import PlainPhone


def roll(pips: int) -> dict[str, Any]:
    return {"move": "Roll", "pips": pips}


HOLD = {"move": "Hold"}


@pytest.fixture
def phone(app: Any) -> PlainPhone:
    return PlainPhone(app.test_client())


@pytest.fixture
def pig(client: Any, new_match: Any, phone: PlainPhone) -> str:
    """A match of pig on the phone: Ada holds 9, Ben holds 4, Ada rolls 5."""
    path = f"/m/{new_match(game='pig', opening=[])['id']}"
    for after, move in enumerate((roll(4), roll(5), HOLD, roll(4), HOLD, roll(5))):
        sent = {"after": after, "moves": [move]}
        assert client.post(f"/api/matches{path[2:]}/moves", json=sent).status_code == 201
    phone._show(path)
    return path


def words(page: str) -> str:
    """Return what the main part of a page says."""
    main = page[page.index("<main") :]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", main)).split())


def scores(phone: PlainPhone) -> list[str]:
    return re.findall(r'data-score="\d">(\d+)<', phone.page)


def test_a_step_is_corrected_and_the_later_ones_are_replayed(phone: PlainPhone, pig: str) -> None:
    phone.press("Correct step 2")
    phone.press("Ada rolls 6")
    shown = words(phone.page)
    assert "Ada rolls 5 Ada rolls 6" in shown  # the first crossed out
    assert "Ada holds 9 Ada 9 10 , Ben 0" in shown
    assert "The score: Ada 9 10 , Ben 4" in shown
    assert "no longer fits" not in shown

    phone.press("Correct it")

    assert scores(phone) == ["10", "4"]
    assert "5 steps taken back, from step 2 on" in words(phone.page)


def test_what_no_longer_fits_is_shown_before_it_is_taken_back(phone: PlainPhone, pig: str) -> None:
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


def test_a_step_that_never_happened_is_left_out(phone: PlainPhone, pig: str) -> None:
    phone.press("Correct step 1")
    phone.press("This step never happened")
    assert "It is left out." in words(phone.page)

    phone.press("Correct it")

    assert scores(phone) == ["5", "4"]


def test_one_of_the_moves_of_a_step_is_another_one(
    client: Any, phone: PlainPhone, new_match: Any
) -> None:
    match = new_match(opening=[AGREE])
    sent = {"after": 1, "moves": board_moves()}
    client.post(f"/api/matches/{match['id']}/moves", json=sent)
    phone._show(f"/m/{match['id']}")
    before = scores(phone)
    phone.press("Correct step 2")
    assert phone.page.count("Another move") == 9
    phone.press("Another move")  # the black 1 in the upper left corner
    assert "Stored is: " in words(phone.page)
    phone.fill("Or type some of its words", "black 2 row 1, column 1")
    phone.press("Find")
    phone.press("Black 2 on row 1, column 1")
    assert "The score: " in words(phone.page)

    phone.press("Correct it")

    assert scores(phone) != before


def test_a_move_that_the_rules_forbid_there_is_refused_in_a_sentence(client: Any, pig: str) -> None:
    answer = client.get(f"{pig}/step/1/correct?moves=[%7B%22move%22:%22Hold%22%7D]")

    assert answer.status_code == 422
    assert "That cannot be: " in answer.text


@pytest.mark.parametrize("query", ["moves=[", "at=0&move=1", "at=x", "at=77", "at=-1&out=1"])
def test_an_address_that_makes_no_sense_is_no_fault_of_the_server(
    client: Any, pig: str, query: str
) -> None:
    assert client.get(f"{pig}/step/1/correct?{query}").status_code in (200, 400, 422)


def test_several_steps_are_taken_back_and_put_back_at_once(phone: PlainPhone, pig: str) -> None:
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


def test_a_note_is_written_on_a_step_changed_and_removed(phone: PlainPhone, pig: str) -> None:
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


def test_a_note_that_is_too_long_is_given_back(client: Any, pig: str) -> None:
    sent = {"after": 6, "request": "r", "note": "a long story, " * 20}

    answer = client.post(f"{pig}/step/2/note", data=sent)

    assert answer.status_code == 400
    assert "A note has at most 200 letters, and this one has 279. Make it shorter." in answer.text
    assert "a long story, a long story" in answer.text


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_page_that_corrects_a_step(
    client: Any, new_match: Any, phone: PlainPhone, name: str
) -> None:
    from scorer import dump_move

    match = new_match(game=name, opening=[])
    game = GAMES[name]
    move = next(iter(game.legal_moves(game.start(2, {}))))
    sent = {"after": 0, "moves": [dump_move(move)]}
    assert client.post(f"/api/matches/{match['id']}/moves", json=sent).status_code == 201

    phone._show(f"/m/{match['id']}/step/1/correct")

    assert phone.moves()
    assert "What was it?" in words(phone.page)
