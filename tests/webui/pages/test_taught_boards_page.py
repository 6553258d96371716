"""A match's own board: taught from a photo of it empty, chosen, forgotten; its cells anywhere."""

import re
from functools import cache

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from models.measure.boards.composites import CameraShot, Cube, composed
from tests.browser.phones import PATIENCE
from tests.browser.photo.test_photos import ON_SCREEN, RISING, match, shot
from tests.browser.sight.fits import check_fits
from tests.conftest import AGREE, once, send_photo
from tests.webui import sights
from tests.webui.api.test_openapi import faults
from vision.board_profile import NO_CELLS
from webui.api.openapi import document
from webui.eyes import lessons
from webui.eyes import photo as bridge

SEE, LEARN = once(bridge.see), once(lessons.learn_board)
PX_PER_MM = 4.0
ABOVE = CameraShot((1000, 800), elevation=80, azimuth=0, roll=3, fills=0.8, focal=0.9, noise=1.0)
ASIDE = CameraShot((1000, 800), elevation=55, azimuth=25, roll=-5, fills=0.8, focal=0.9, noise=1.0)
XS, YS = (0.0, 0.4, 0.7, 1.0), (0.0, 0.3, 0.6, 1.0)  # of a board whose cells are not alike
MM = 150.0


@cache
def board_page():
    """Draw a board of uneven cells with something in each to know it by."""
    page = np.full((720, 720, 3), 235, np.uint8)
    rng = np.random.default_rng(3)
    at = [[round((15 + MM * v) * PX_PER_MM) for v in line] for line in (XS, YS)]
    for x in at[0]:
        cv2.line(page, (x, at[1][0]), (x, at[1][-1]), (60, 60, 60), 3)
    for y in at[1]:
        cv2.line(page, (at[0][0], y), (at[0][-1], y), (60, 60, 60), 3)
    for row in range(3):
        for column in range(3):
            word = "".join(rng.choice(list("ABCDEFGHKLMNPRST"), 3))
            place = at[0][column] + 8, at[1][row] + 38
            cv2.putText(page, word, place, cv2.FONT_HERSHEY_SIMPLEX, 1.1, (90, 60, 40), 2)
    return page


@cache
def photo_of(taken, cubes=()):
    """Return a photo, and the corners of the board's outer cells on it."""
    ground = np.full((600, 800, 3), (80, 100, 120), np.uint8)
    made = composed(np.random.default_rng(1), ground, board_page(), PX_PER_MM, taken, cubes)
    rim = np.array([(15, 15), (15 + MM, 15), (15 + MM, 15 + MM), (15, 15 + MM)], float)
    return sights.jpeg(made.picture), made.sees(rim)


def in_cell(row, column, value, colour):
    """Return a die in a cell, not in its middle where an even grid would have another cell."""
    spot = [15 + MM * (line[k] + line[k + 1]) / 2 for line, k in ((XS, column), (YS, row))]
    return Cube((spot[0], spot[1]), 20, value, colour)


BOXES = [[XS[x], YS[y], XS[x + 1], YS[y + 1]] for y in range(3) for x in range(3)]
CUBES = (in_cell(0, 1, 5, "black"), in_cell(1, 0, 3, "white"), in_cell(2, 2, 4, "black"))


@pytest.fixture
def app(make_app):
    return make_app(SEE, learn_board=LEARN)


def send(client, match, content):
    answer = send_photo(client, match["id"], content)
    assert answer.status_code == 201, answer.json
    return answer.json


def teach(client, match, cells=BOXES):
    photo, corners = photo_of(ABOVE)
    sighting = send(client, match, photo)["sighting"]
    sent = {"sighting": sighting, "corners": corners.tolist(), "cells": cells}
    return client.post(f"/api/matches/{match['id']}/board", json=sent)


@pytest.mark.release
def test_a_board_of_uneven_cells_is_taught_found_and_forgotten(client, match):
    answer = teach(client, match)

    assert answer.status_code == 201, answer.json
    assert list(faults(answer.json, document()["components"]["schemas"]["TaughtBoard"])) == []
    photo, corners = photo_of(ASIDE, CUBES)
    body = send(client, match, photo)
    found = np.array(body["reading"]["board"]["corners"])
    assert np.linalg.norm(found - corners, axis=1).max() < 3
    dice = {tuple(one["cell"]): one["value"] for one in body["reading"]["dice"] if one["cell"]}
    assert dice == {(0, 1): 5, (1, 0): 3, (2, 2): 4}
    cells = {tuple(one["cell"]): one["quad"] for one in body["cells"]}
    assert len(cells) == 9
    assert client.get(f"/m/{match['id']}/board.json").json["cells"][0]["cell"] == [0, 0]
    assert re.search(r"our board, taught on \d\d ", client.get(f"/m/{match['id']}").text)

    path = f"/m/{match['id']}/pieces"
    forget = f"/m/{match['id']}/board/forget"
    assert client.post(path, data={"board": ""}).status_code == 303
    assert "our board, taught on" not in client.get(f"/m/{match['id']}").text
    assert client.post(path, data={"board": answer.json["board"]}).status_code == 303
    assert client.post(forget, data={"forget": answer.json["board"]}).status_code == 303
    assert "our board, taught on" not in client.get(f"/m/{match['id']}").text
    assert client.post(path, data={"board": answer.json["board"]}).status_code == 404


@pytest.mark.release
def test_a_camera_that_watches_finds_the_board_as_a_photo_does(client, match):
    assert teach(client, match).status_code == 201
    path = f"/api/matches/{match['id']}"
    watch = client.post(f"{path}/watch", json={}).json["watch"]
    bare, put = photo_of(ASIDE)[0], photo_of(ASIDE, CUBES[:1])[0]

    for number, jpeg in enumerate([bare] * 6 + [put] * 10):
        frames = f"{path}/watch/{watch}/frames?time={number * 0.35}"
        answer = client.post(frames, data=jpeg, content_type="image/jpeg")
        assert answer.status_code == 200, answer.json

    tally = client.get(f"/m/{match['id']}/tally").text  # counted there, or asked about
    assert "black 5 on row 1, column 2" in tally.lower()


def test_another_match_chooses_the_board_and_cannot_forget_it(client, match, new_match):
    board = teach(client, match).json["board"]
    other = new_match(names=["Cy", "Dee"])

    assert client.post(f"/m/{other['id']}/pieces", data={"board": board}).status_code == 303
    assert "our board, taught on" in client.get(f"/m/{other['id']}").text
    answer = client.post(f"/m/{other['id']}/board/forget", data={"forget": board})
    assert answer.status_code == 403


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        (BOXES[:8], "has 9 cells, not 8"),
        ([*BOXES[:8], BOXES[0]], NO_CELLS),
        ([*BOXES[:8], [0.7, 0.6, 0.7, 1.0]], NO_CELLS),
        ([*BOXES[:8], [0.7, 0.6, 1.2, 1.0]], NO_CELLS),
    ],
    ids=["too few", "over each other", "a line", "off the board"],
)
def test_cells_that_cannot_be_are_refused(client, match, cells, sentence):
    answer = teach(client, match, cells)

    assert answer.status_code == 422
    assert sentence in answer.json["error"]["sentence"]


@pytest.mark.release
@pytest.mark.browser
def test_a_board_is_taught_on_a_phone_and_found_from_elsewhere(opened, server, show):
    page = match(opened, server, "purple_house", [AGREE])
    show(bridge.see)
    empty, corners = photo_of(ABOVE)

    file = {"name": "empty.jpg", "mimeType": "image/jpeg", "buffer": empty}
    page.locator("#camera").set_input_files(file)
    page.locator("#set-corners").click(timeout=4 * PATIENCE)
    page.locator("#corners").evaluate(RISING)
    page.get_by_role("button", name="Our own board").click()
    for corner in corners.tolist():
        page.mouse.click(*page.evaluate(ON_SCREEN, corner))
    shot(page, "lines of our own board")
    check_fits(page, least=24)
    lines = page.locator("#corners-view .line")
    expect(lines).to_have_count(4)
    line = lines.nth(0).locator(".edge").bounding_box()
    page.mouse.move(line["x"] + line["width"] / 2, line["y"] + line["height"] / 2)
    page.mouse.down()
    goal = corners[0] + (corners[1] - corners[0]) * XS[1]
    x, _ = page.evaluate(ON_SCREEN, goal.tolist())
    page.mouse.move(x, line["y"] + line["height"] / 2, steps=4)
    page.mouse.up()
    expect(lines.nth(0)).to_have_attribute("aria-label", "upright line 1: 40 % from the left side")
    lines.nth(2).focus()
    for _ in range(40):
        if "30 %" in (lines.nth(2).get_attribute("aria-label") or ""):
            break
        page.keyboard.press("ArrowUp")
    expect(lines.nth(2)).to_have_attribute("aria-label", "level line 1: 30 % from the upper side")
    shot(page, "lines are dragged")
    page.get_by_role("button", name="Remember this board").click()

    expect(page.locator("#corners")).to_be_hidden(timeout=6 * PATIENCE)
    expect(page.locator("#corners-says")).to_contain_text("where you put it")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.locator("#taught-board")).to_contain_text("our board, taught on")
    photo, _ = photo_of(ASIDE, CUBES)
    file = {"name": "two.jpg", "mimeType": "image/jpeg", "buffer": photo}
    page.locator("#camera").set_input_files(file)
    expect(page.get_by_role("button", name="row 1, column 2: black 5")).to_be_visible(
        timeout=4 * PATIENCE
    )
    expect(page.get_by_role("button", name="row 2, column 1: white 3")).to_be_visible()
    shot(page, "found on our own board")
