"""A question is answered otherwise by one tap on the phone that took the photo."""

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from scorer import Die, Table, Tile
from scorer.games import GAMES
from tests.browser.photo.test_photos import match, photograph
from tests.webui import sights

pytestmark = [pytest.mark.browser, pytest.mark.release]


def test_whose_flipped_tile_is_whose_is_told_the_other_way_round_by_a_tap(opened, server, show):
    game = GAMES["even_at_odds"]
    (spot,) = game.equipment(game.start(2, {})).spots
    new = (Tile((1, 5), ((6, 0), (6, 1))), Tile((1, 3), ((8, 0), (8, 1))))
    page = match(opened, server, "even_at_odds", [])

    sight = sights.sight(sights.STACK, Table(tiles=(*spot.table.tiles, *new)))
    photograph(page, show, sight, "Photograph the tiles")

    expect(page.locator("#findings")).to_contain_text("Does 1-5 belong to Ana and 1-3 to Ben?")
    expect(page.locator("#confirm")).to_have_text("Count it anyway")
    other = page.locator("#questions button")
    expect(other).to_have_text(["Count instead: Ana flips 1-3, Ben flips 1-5: Ben starts"])
    other.click()
    expect(page.locator("#look")).to_be_hidden()
    expect(page.locator(".history .said").first).to_contain_text("Ana flips 1-3, Ben flips 1-5")


def test_which_die_was_set_aside_before_a_roll_is_one_tap_each(opened, server, show):
    page = match(opened, server, "farkle", [{"move": "Roll", "dice": [1, 2, 3, 4, 5, 6]}])
    dice = tuple(Die(value, "white") for value in (2, 2, 3, 4, 6))

    sight = sights.sight(sights.STACK, Table(dice))
    reading = [
        {"value": die.value, "color": "white", "confidence": 0.99, "sure": True, "cell": None}
        | {"quad": [[x, 40], [x + 30, 40], [x + 30, 70], [x, 70]]}
        for x, die in zip(range(40, 400, 60), dice, strict=False)
    ]
    sight = replace(sight, reading={**sight.reading, "dice": reading})
    photograph(page, show, sight, "Photograph the dice")

    answers = page.locator("#questions button")
    expect(answers).to_have_text(
        [
            "Count: Ana keeps 1 and rolls on, then Ana rolls 2 2 3 4 6, a Farkle, 100 points lost",
            "Count: Ana keeps 5 and rolls on, then Ana rolls 2 2 3 4 6, a Farkle, 50 points lost",
        ]
    )
    answers.last.click()
    expect(page.locator("#look")).to_be_hidden()
    expect(page.locator(".history .said").first).to_contain_text("keeps 5 and rolls on")
