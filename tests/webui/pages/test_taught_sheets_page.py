"""A match's own score sheet: taught from a photo of it empty, and read on the next photos."""

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from models.camera import sent
from models.sheets.printing import PX_PER_MM
from models.sheets.strokes import STATES
from scorer import dump_move
from tests.browser.phones import PATIENCE
from tests.browser.photo.test_photos import ON_SCREEN, RISING, match
from tests.browser.photo.test_photos import shot as keep
from tests.browser.sight.fits import check_fits
from tests.conftest import send_photo
from tests.vision.boards.taught_sheets import ABOVE, ASIDE, MARKS, sheet, shot
from tests.webui.follow.test_follow_answers import OPENING
from tests.webui.pages.test_taught_boards_page import app
from webui.eyes import photo as bridge

__all__ = ["app"]
LOOK = "by hand"


def jpeg(photo):
    return cv2.imencode(".jpg", photo.bgr, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


@pytest.mark.release
def test_a_sheet_drawn_by_hand_is_taught_and_its_marks_are_read(client, new_match):
    made = new_match(game="dice_wide_shut", opening=[dump_move(one) for one in OPENING])
    drawn, marked = sheet(LOOK)
    empty, plane = shot(drawn.page, ABOVE)
    first = send_photo(client, made["id"], jpeg(empty))
    corners = sent(plane, (drawn.corners_px + 0.5) / PX_PER_MM)
    lesson = {
        "sighting": first.json["sighting"],
        "corners": corners.tolist(),
        "cells": drawn.boxes.tolist(),
    }

    answer = client.post(f"/api/matches/{made['id']}/board", json=lesson)

    assert answer.status_code == 201, answer.json
    reading = send_photo(client, made["id"], jpeg(shot(marked, ASIDE, seed=3)[0])).json["reading"]
    marks = [one["mark"] for one in reading["marks"]]
    assert len(marks) == 60
    right = np.array(marks) == np.array(STATES)[MARKS]
    assert right.sum() > 56
    both = zip(reading["marks"], right, strict=True)
    assert not any(one["sure"] for one, is_right in both if not is_right)


@pytest.mark.release
@pytest.mark.browser
def test_a_sheet_is_taught_on_a_phone(opened, server, show):
    page = match(opened, server, "dice_wide_shut", [dump_move(one) for one in OPENING])
    show(bridge.see)
    drawn, _ = sheet(LOOK)
    empty, plane = shot(drawn.page, ABOVE)
    corners = sent(plane, (drawn.corners_px + 0.5) / PX_PER_MM)

    file = {"name": "empty.jpg", "mimeType": "image/jpeg", "buffer": jpeg(empty)}
    page.locator("#camera").set_input_files(file)
    page.locator("#set-corners").click(timeout=4 * PATIENCE)
    page.locator("#corners").evaluate(RISING)
    page.get_by_role("button", name="Our own board").click()
    for corner in corners.tolist():  # between the lines' dense handles
        page.mouse.click(*page.evaluate(ON_SCREEN, corner))
    handles = page.locator("#corners-view [data-corner] .edge")
    put = handles.evaluate_all("all => all.map(({cx, cy}) => [cx.baseVal.value, cy.baseVal.value])")
    assert np.abs(np.array(put) - corners).max() < 4  # px of the photo
    check_fits(page, least=24)
    expect(page.locator("#corners-view .line")).to_have_count(16)
    keep(page, "lines of our own sheet")
    page.get_by_role("button", name="Remember this board").click()

    expect(page.locator("#corners")).to_be_hidden(timeout=6 * PATIENCE)
    expect(page.locator("#taught-board")).to_contain_text("our board, taught on")
