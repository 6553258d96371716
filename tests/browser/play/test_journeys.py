"""Whole evenings with scripts: photos read by the eyes, taps on boards, to the end."""

import cv2
import pytest
from playwright.sync_api import ViewportSize

from scorer.games import GAMES
from tests import FIXTURES
from tests.browser.phones import serving
from tests.browser.touch_phone import TouchPhone
from tests.grids import EVERY
from tests.vision.pictures import draw, grid_of
from tests.webui.evening import PEOPLE, TappedMatch

pytestmark = [pytest.mark.browser, pytest.mark.release]

SERIES = FIXTURES / "series"
PHONE: ViewportSize = {"width": 360, "height": 740}
TELEVISION: ViewportSize = {"width": 1920, "height": 1080}
# Of an evening of Dice Wide Shut, which takes some 120: a turn of each, checked and passed on. The
# others show the end. `make test-all` plays it and more games to theirs.
TAPS = 14


@pytest.fixture(scope="module")
def seeing(tmp_path_factory):
    """A server whose eyes read what is photographed."""
    with serving(tmp_path_factory.mktemp("evenings")) as running:
        yield running


EVENINGS = [
    ("purple_house", TELEVISION, 2, ["One round"], ["starts: Ben", "black: Ana", 1, 2, 3]),
    ("pig", PHONE, 2, [], [1, 2, 3]),
    ("beat_the_odds", PHONE, 2, [], [1, 2, 3]),
    ("gords", PHONE, 3, [], ["bids first: Ben|Ben bids first", 1]),
    (
        "even_at_odds",
        PHONE,
        2,
        [],
        ["Ana's tile: 1 3", "Ben's tile: 1 5", "starts$", "evens", 2, 3],
    ),
]


@pytest.mark.parametrize(("game", "screen", "players", "house", "table"), EVENINGS)
def test_an_evening_begins_by_photos_and_is_played_on_by_taps(
    opened, seeing, game, screen, players, house, table
):
    """The numbers are photos of what happens at the table, the words keys that are tapped."""
    page = opened(seeing.address)
    page.set_viewport_size(screen)
    phone = TouchPhone(page)
    played = TappedMatch(phone, GAMES[game], [*PEOPLE[:players]])
    played.begin(*house)
    for happens in table:
        if isinstance(happens, str):
            phone.press(happens)
        else:
            phone.photograph(SERIES / f"{game}-29" / f"photo-{happens:03}.jpg")

    played.rest()


def test_an_evening_of_farkle_begins_by_a_photo(opened, seeing, tmp_path):
    phone = TouchPhone(opened(seeing.address))
    played = TappedMatch(phone, GAMES["farkle"], [*PEOPLE[:2]])
    played.begin()
    dice, _ = draw(grid_of("111523", "w" * 9))
    cv2.imwrite(str(tmp_path / "dice.png"), dice)

    phone.photograph(tmp_path / "dice.png")

    assert "1 1 1 2 3 5" in phone.prompt
    played.rest()


def test_an_evening_of_dice_wide_shut_begins_by_a_photo_that_is_put_right(opened, seeing):
    phone = TouchPhone(opened(seeing.address))
    played = TappedMatch(phone, GAMES["dice_wide_shut"], [*PEOPLE[:2]])
    played.begin()
    phone.press("Ben starts")

    phone.take(SERIES / "dice_wide_shut-29" / "photo-004.jpg")
    phone.put_right("red", 4)
    phone.count()

    assert "takes dice" in phone.prompt
    for _ in range(0 if EVERY else TAPS):
        played.step()
    if EVERY:
        played.rest()
