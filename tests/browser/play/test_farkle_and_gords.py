"""Gords and Farkle on their pages: bids, calls, whose colour is whose; dice kept, and points."""

import re

import pytest
from playwright.sync_api import expect

from scorer import Die, Table
from tests.browser.phones import photo
from tests.browser.play.test_games import live_match, match
from tests.browser.race_pages import START
from tests.conftest import picture
from tests.matches import CALLED
from tests.webui.sights import NOTHING_READ, die_at
from webui.eyes.photo import PhotoReading

pytestmark = pytest.mark.browser


def show(page, dice):
    """Tap the dice of all players one after the other, die by die."""
    page.get_by_role("button", name="Die by die").click()
    for pips in dice:
        page.locator(f'#entry [data-hands] [data-key="{pips}"]').click()


def test_dice_are_shown_die_by_die_with_those_that_count(opened, server):
    page = match(opened, server, "gords", "Ann", "Ben", "Cyd", opening=CALLED)
    show(page, "1366624")
    expect(page.get_by_role("button", name="Ann: 5 of 5")).to_be_visible()
    expect(page.get_by_role("button", name="Ben: 2 of 5")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#entry-says")).to_contain_text("2 dice count so far")
    expect(page.locator("#foot button")).to_have_text("Tap 3 more of Ben")
    expect(page.locator("#entry [data-pad]")).to_be_hidden()

    page.get_by_role("button", name="4; take it away").click()
    expect(page.locator("#foot button")).to_have_text("Tap 4 more of Ben")
    for pips in "333366666":
        page.keyboard.press(pips)
    expect(page.locator("#foot button")).to_have_text("Ben loses a die")
    page.locator("#foot button").click()

    expect(page.locator('[data-score="1"]')).to_have_text("4")


def test_how_many_dice_count_is_two_taps_and_says_first_who_loses(opened, server):
    page = match(opened, server, "gords", "Ann", "Ben", "Cyd", opening=CALLED)
    show(page, "13")
    page.get_by_role("button", name="Just count").click()  # back from die by die
    label = ["Dice that show 3 or 1, of all players"]
    expect(page.locator("#entry .keys .label")).to_have_text(label)
    lost = [f"{n}{'Ann' if n < 4 else 'Ben'} −1" for n in range(16)]
    expect(page.locator("#entry .key")).to_have_text(lost)

    page.locator('#entry [data-key="3"]').click()
    expect(page.locator("#entry-says")).to_contain_text("3 threes, ones included")
    button = page.locator("#foot button")
    expect(button).to_contain_text("Ann loses a die")
    button.click()

    expect(page.locator('[data-score="0"]')).to_have_text("4")


@pytest.mark.release
def test_the_colour_of_a_players_dice_is_tapped_and_shown_with_the_name(opened, server):
    page = opened(f"{server.address}?game=gords&players=2")
    ann, ben = page.locator(".swatches").all()
    page.get_by_label("Player 1", exact=True).fill("Ann")
    page.get_by_label("Player 2", exact=True).fill("Ben")

    ann.locator("summary").click()
    ann.get_by_text("blue").click()

    expect(ann.locator("summary")).to_contain_text("Dice: blue")
    expect(ben.locator("summary")).to_contain_text("Dice: red")  # no two have the same
    expect(ann.locator("fieldset")).to_be_hidden()
    page.get_by_role("button", name=START).click()
    expect(page.locator(".score .dice")).to_have_text(["blue dice", "red dice"])
    page.get_by_role("button", name="Ben bids first").click()
    expect(page.locator("#prompt")).to_contain_text("Ben (red) bids first")


BLUE = [Die(value, "blue", None, 0.6, (), (("red", 0.4),)) for value in (1, 2, 3, 4, 5)]
SIXES = [Die(6, "blue")] * 5
TEN_BLUE = "Ten blue dice can be seen, but Ben holds five. Are some red?"


@pytest.mark.release
@pytest.mark.parametrize(
    ("lying", "said", "legends"),
    [
        (
            (*BLUE, *SIXES),
            ["Five dice look blue; treated as red, so that the numbers fit"],
            ["Ann’s dice, red: 5", "Ben’s dice, blue: 5"],
        ),
        ((*SIXES, *SIXES), [TEN_BLUE], ["Ann’s dice, red: 0", "Ben’s dice, blue: 10"]),
    ],
)
def test_what_is_odd_about_the_colours_is_said_once(opened, server, show, lying, said, legends):
    """Five red dice in poor light are one question about five dice, and shown as red."""
    show(lambda *_asked: in_a_row(lying))
    page = match(opened, server, "gords", "Ann", "Ben", opening=CALLED)

    page.locator("#camera").set_input_files(photo(1))

    expect(page.locator("#chips-says p, #findings li")).to_have_text(
        [re.compile(f"^{re.escape(line)}") for line in said]  # a rule may be named behind it
    )
    expect(page.locator("#pool legend")).to_have_text([*legends, "white, 0 of 1"])


def in_a_row(lying):
    """Return what is read of ten dice that lie in a row."""
    row = enumerate(lying)
    dice = [die_at(70 + 100 * n, 120, die.value, die.colour, None) for n, die in row]
    reading = NOTHING_READ | {"width": 1200, "height": 900, "dice": dice}
    return PhotoReading(reading, Table(lying), (), picture())


@pytest.mark.release
def test_a_tap_on_ones_own_die_in_a_photo_says_whose_colour_is_whose(opened, server, show):
    """On a phone of 360 px; it is a step of the match, and is undone as one."""
    show(lambda *_asked: in_a_row((*[Die(3, "red")] * 5, *[Die(6, "blue")] * 5)))
    page = match(opened, server, "gords", "Ann", "Ben", opening=CALLED)
    page.set_viewport_size({"width": 360, "height": 740})
    page.locator("#camera").set_input_files(photo(1))
    expect(page.locator("#pool legend").first).to_have_text("Ann’s dice, red: 5")

    page.locator("#overlay .hit").first.click()
    page.get_by_role("button", name="Another value").click()
    expect(page.locator("#picker-owners p")).to_have_text("Whose are the red dice?")
    owners = page.locator("#picker-owners button")
    expect(owners).to_have_text(["Ann", "Ben"])
    expect(owners.first).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    owners.last.click()

    legends = ["Ann’s dice, blue: 5", "Ben’s dice, red: 5", "white, 0 of 1"]
    expect(page.locator("#pool legend")).to_have_text(legends)
    page.locator("#close").click()
    expect(page.locator(".score .dice")).to_have_text(["blue dice", "red dice"])
    page.get_by_role("link", name="Undo").click()
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".score .dice")).to_have_text(["red dice", "blue dice"])


def farkle(opened, server, *dice, **settings):
    """Open a match of Farkle and tap the dice of a roll as they lie."""
    page = live_match(opened, server, "farkle", "Ana", "Ben", **settings)
    tap_dice(page, *dice)
    return page


def tap_dice(page, *dice):
    for pips in dice:
        page.get_by_role("button", name=f"add a {pips}", exact=True).click()


@pytest.mark.release
def test_the_dice_of_farkle_are_tapped_in_any_order_and_say_what_they_bring(opened, server):
    """Seven taps a move: six dice, and what is done with those that are kept."""
    page = farkle(opened, server, 3, 1, 2)
    expect(page.get_by_role("button", name="Tap in")).to_be_hidden()
    says, foot = page.locator("#entry-says"), page.locator("#foot button")
    expect(page.locator("#entry .slot[aria-pressed=true]")).to_have_count(1)  # the 1
    expect(foot).to_have_text(["Tap 3 more dice"])
    tap_dice(page, 5, 6, 4)
    expect(says).to_have_text("1 5: 150")
    expect(foot).to_have_text(["Roll 4 on150 so far", "Bank 1500 → 150"])

    page.locator("#entry .slot").nth(2).click()  # the 2

    expect(says).to_contain_text("Not every die of 1 2 5 counts.")
    expect(says.locator(".rule")).to_have_text("FK-4")
    page.get_by_role("button", name="Leave what does not count").click()
    expect(says).to_have_text("1 5: 150")
    page.locator("#entry .slot").nth(3).click()  # the 5
    expect(foot).to_have_text(["Roll 5 on100 so far", "Bank 1000 → 100"])
    foot.first.click()

    expect(page.locator("#prompt")).to_have_text("Ana rolls 5 dice.")
    expect(page.locator(".history > li")).to_have_count(1)
    expect(page.get_by_role("button", name="add a 1", exact=True)).to_be_focused()
    for key in "12346":
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(page.locator('[data-score="0"]')).to_have_text("200")


@pytest.mark.release
def test_a_roll_of_farkle_of_which_nothing_counts_is_one_button(opened, server):
    page = farkle(opened, server, 2, 3, 3, 4, 6, 6)

    expect(page.locator("#entry-says")).to_have_text("Nothing counts.")
    page.locator("#foot button").click()

    expect(page.locator("#prompt")).to_have_text("Ben rolls 6 dice.")


@pytest.mark.release
def test_of_a_roll_that_was_photographed_only_what_is_kept_is_tapped(opened, server):
    rolled = {"move": "Roll", "dice": [1, 1, 2, 3, 4, 6]}
    page = farkle(opened, server, opening=[rolled], first_score=350)

    foot = page.locator("#foot button")
    expect(foot.last).to_contain_text("A first score needs 350 points; roll on. (FK-A2)")
    expect(foot.last).to_have_attribute("aria-disabled", "true")
    foot.first.click()

    expect(page.locator("#prompt")).to_have_text("Ana rolls 4 dice.")


def test_what_is_kept_of_a_tapped_roll_can_be_asked_and_the_coach_says_it_of_its_own(
    opened, server
):
    """A tapped roll was counted with what is kept of it: nobody could ask, and no coach was."""
    page = farkle(opened, server, 1, 1, 2, 3, 4, 6, advice=True, coach_plays=2)

    page.get_by_role("button", name="Count the roll, then ask").click()
    expect(page.locator("#prompt")).to_contain_text("Ana sets aside what counts")
    expect(page.get_by_role("button", name="then ask")).to_have_count(0)
    page.locator("#foot button.main").click()
    expect(page.locator("#prompt")).to_have_text("Ben rolls 6 dice.")
    tap_dice(page, 1, 1, 2, 3, 4, 6)
    page.get_by_role("button", name="Count the roll", exact=True).click()

    expect(page.locator("#coach")).to_contain_text("Ben keeps 1")


def test_the_points_before_and_after_a_bank_are_those_of_the_game_that_is_played(opened, server):
    """Whoever had won a game and had no points yet read "1 → 201"."""
    rolled, kept = {"move": "Roll", "dice": [1, 1, 1, 2, 3, 4]}, {"move": "Keep", "dice": [1, 1, 1]}
    none = {"move": "Roll", "dice": [2, 2, 3, 3, 4, 6]}
    won = [rolled, {**kept, "bank": True}, none, none]
    page = farkle(opened, server, 1, 1, 2, 3, 4, 6, match="wins", target=500, opening=won)

    expect(page.locator("#foot button.main")).to_have_text("Bank 2000 → 200")
