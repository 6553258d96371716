"""Twelve players differ in colour and in shape wherever they are drawn."""

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.release]

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hal", "Ina", "Jo", "Kim", "Lea")
LOOKS = """uses => uses.map((use) =>
  [use.getAttribute("href"), getComputedStyle(use).fill])"""
ROUNDS = [
    {"move": "Enter", "seat": seat, "points": 10 * (seat + turn)}
    for turn in range(3)
    for seat in range(12)
]


def check_differ(page, uses, number):
    """Hold that so many marks are drawn there, no two of one shape or of one colour."""
    marks = page.locator(uses)
    expect(marks).to_have_count(number)
    shapes, colours = zip(*marks.evaluate_all(LOOKS), strict=True)
    assert len({*shapes}) == len({*colours}) == number, (page.url, shapes, colours)


def test_on_the_page_and_on_a_television(opened, server):
    page = opened(server.match("sum", *NAMES, opening=ROUNDS)["url"])
    check_differ(page, ".tally .seat-mark use", 12)
    page.goto(f"{page.url}/board")
    check_differ(page, ".halves .seat-mark use", 12)


def test_on_the_peg_track_and_in_the_chart(opened, server):
    turns = [{"move": "Roll", "pips": 4}, {"move": "Hold"}] * 10
    match = server.match("pig", *NAMES[:10], opening=turns)
    for _ in range(2):
        sent = {"after": match["seq"], "moves": turns}
        match = server.post(f"matches/{match['id']}/moves", sent)
    page = opened(match["url"])
    check_differ(page, ".pegs .front", 10)
    check_differ(page, ".chart .race ~ .point:nth-child(2)", 10)


def test_the_thirteenth_has_a_number(opened, server):
    names = [f"Player number {seat}" for seat in range(1, 15)]
    page = opened(server.match("purple_house", *names)["url"])
    expect(page.locator(".tally .numbered")).to_have_text(["13", "14"])
