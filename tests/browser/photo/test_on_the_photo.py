"""What stands on the photo itself: likely values with their scores, doubts and sums."""

import re

import pytest
from playwright.sync_api import expect

from scorer import Die, Table, Tile, dump_move, replay
from scorer.games import GAMES
from scorer.games.purple_house import Agree, Place
from tests.browser.phones import eyes, photo, wait_until
from tests.browser.photo.test_photos import CHECKED, match, photograph
from tests.browser.play.test_games import live_match
from tests.browser.race_pages import cell, confirm, ready_match, take_photo
from tests.grids import few
from tests.matches import BEGUN
from tests.webui import sights

pytestmark = pytest.mark.browser

SCREENS = {"phone": (360, 740), "laptop": (1280, 800), "television": (1920, 1080)}
# Of every tag and every sum on the photo: which lie over another, or leave it.
CLASHES = """() => {
  const of = one => one.getBoundingClientRect();
  const all = [...document.querySelectorAll('#overlay :is(.tag, .sum > rect)')].map(of);
  const around = of(document.querySelector('#overlay'));
  const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const out = one => one.left < around.left - 1 || one.right > around.right + 1
    || one.top < around.top - 1 || one.bottom > around.bottom + 1;
  const clashes = (one, at) => all.slice(at + 1).filter(other => over(one, other)).length;
  return all.filter((one, at) => out(one) || clashes(one, at)).length;
}"""
# Over how many lines the first words of each are broken.
LINES = """all => all.map(one => {
  const range = document.createRange();
  range.selectNodeContents(one.firstChild);
  return range.getClientRects().length;
})"""
PIECES = "all => all.map(one => [one.getAttribute('role'), one.ariaLabel])"


@pytest.mark.release
def test_each_likely_value_of_a_doubtful_die_tells_the_score_it_leads_to(opened, server, show):
    show(eyes(4))
    page = ready_match(opened, server)
    take_photo(page, photo(1))

    chips = page.locator("#chips-choices .value:not(.more)")
    expect(chips).to_have_count(3)
    expect(page.locator("#chips-choices .leads")).to_have_text([re.compile(r"^\d\s:\s\d$")] * 3)
    score = re.compile(r"black ([1-6]): (Ana \+\d(, Ben \+\d)?|Ben \+\d)")
    offered = [score.fullmatch(chip.get_attribute("aria-label") or "") for chip in chips.all()]
    values, gains = zip(*(found.group(1, 2) for found in offered if found), strict=True)
    assert values[0] == "3"
    assert len(set(gains)) > 1

    page.get_by_role("button", name=f"black {values[1]}: ").click()

    expect(page.locator("#confirm")).to_have_text(f"Count it: {gains[1]}")
    expect(cell(page, 1, 1)).to_have_attribute("aria-label", f"row 2, column 2: black {values[1]}")
    expect(page.locator("#chips")).to_be_hidden()


def test_nothing_counts_before_every_doubt_is_answered(opened, server, show):
    show(eyes(2, 4))
    page = ready_match(opened, server)
    stored = []
    page.on("request", lambda sent: stored.append(sent.url) if "/moves" in sent.url else None)
    take_photo(page, photo(1))
    button, answers = page.locator("#confirm"), page.locator("#chips-choices .value")

    expect(button).to_have_text("Check 2 dice")
    button.click()
    expect(answers.first).to_be_focused()
    page.keyboard.press("Escape")
    expect(cell(page, 0, 2)).to_be_focused()
    button.click()
    answers.first.press("Enter")
    expect(button).to_have_text("Check 1 die")
    button.press("Enter")
    answers.first.press("Enter")

    expect(button).to_have_text(re.compile("^Count it: "))
    assert stored == []


def test_a_value_that_likely_stands_is_marked_on_its_die_and_counts_by_one_tap(
    opened, server, show
):
    show(eyes(2, 4, confidence=0.85))
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    marked, button = cell(page, 1, 1), page.locator("#confirm")

    expect(button).to_have_text(re.compile("^Count it: "))
    expect(page.locator("#chips")).to_be_hidden()
    expect(page.locator("#findings")).to_contain_text("With a question mark: 2 dice")
    expect(page.get_by_role("button", name="Correct as shown")).to_be_visible()
    expect(page.locator("#overlay .doubtful .word")).to_have_text(["1?", "3?"])
    expect(marked).to_have_attribute("aria-label", "row 2, column 2: black 3, doubtful")

    marked.press("Enter")
    expect(page.locator("#chips")).to_contain_text("was the black 3 read correctly?")
    page.locator("#chips-choices .value").nth(1).press("Enter")
    expect(marked).not_to_have_attribute("aria-label", re.compile("black 3|doubtful"))

    expect(page.locator("#overlay .doubtful .word")).to_have_text(["1?"])
    expect(page.get_by_role("button", name="These are our dice")).to_be_hidden()
    page.get_by_role("button", name="Correct as shown").click()
    expect(page.locator("#overlay .doubtful")).to_have_count(0)
    confirm(page)
    expect(page.locator("#look")).to_be_hidden()


@pytest.mark.release
@pytest.mark.parametrize("board", few(["race-01", "race-03", "race-05"]))
def test_every_line_has_its_sum_on_the_photo_and_no_tag_covers_another(opened, server, show, board):
    show(eyes(board=board))
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    expect(page.locator("#preview .why > li")).to_have_count(8)

    for width, height in SCREENS.values():
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(f"() => ({CLASHES})() === 0")
        summed = page.locator("#overlay .sum text").all_text_contents()
        lines = page.locator("#preview .why .says").all_text_contents()
        sums = [re.findall(r"= (\d+)", line)[0] for line in lines]
        assert len(summed) >= 6
        assert set(summed) <= set(sums)


@pytest.mark.release
def test_the_photo_is_the_only_board_and_each_of_its_pieces_is_a_named_button(opened, server):
    page = ready_match(opened, server)
    take_photo(page, photo(1))

    pieces = page.locator("#overlay .piece").evaluate_all(PIECES)
    assert {role for role, _ in pieces} == {"button"}
    names = [name for _, name in pieces]
    assert all(names)
    assert len(set(names)) == len(names)
    assert page.locator("#board").locator("*").count() == 0
    expect(page.locator("#overlay [tabindex='0']")).to_have_count(1)  # arrows reach the others
    walked = walk(page, "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft")
    assert walked == ["0,0", "0,1", "0,2", "1,2", "2,2", "2,1"]


def walk(page, *keys):
    """Return the cells that arrow keys go to, from the first one."""
    cell(page, 0, 0).focus()
    focused = "document.activeElement.dataset.key"
    cells = [page.evaluate(focused)]
    for key in keys:
        page.keyboard.press(key)
        cells.append(page.evaluate(focused))
    return cells


@pytest.mark.release
@pytest.mark.parametrize("screen", few(["phone", "television", "laptop"], 2))
def test_the_photo_is_large_and_the_button_in_reach_on_every_screen(opened, server, show, screen):
    width, height = SCREENS[screen]
    show(eyes(4))
    page = ready_match(opened, server)
    page.set_viewport_size({"width": width, "height": height})
    take_photo(page, photo(1))

    expect(page.locator("#chips")).to_be_visible()
    wait_until(page, lambda: has_room(page, width, height))


def has_room(page, width, height):
    """Whether the photo is large, and the button below the chips and on the screen."""
    shown, chips = (page.locator(name).bounding_box() for name in ("#stage", "#chips"))
    button = page.locator("#confirm").bounding_box()
    return (
        shown["width"] >= (0.9 if width < 820 else 0.5) * width
        and chips["y"] + chips["height"] <= button["y"] + 1
        and button["y"] + button["height"] <= height
    )


@pytest.mark.release
def test_what_another_reading_of_a_tile_counts_is_one_tap(opened, server, show):
    page = match(opened, server, "even_at_odds", sights.laid())
    misread = {"halves": [2, 6], "alternatives": [[[0, 6], 0.3]]}
    reading = sights.stack(doubtful=True, misread=misread)
    photograph(page, show, reading, "Photograph the tiles")

    expect(page.locator("#chips-choices .value:not(.more)")).to_have_count(2)
    page.get_by_role("button", name="0-6: ").click()

    expect(page.locator("#confirm")).to_have_text(re.compile("^Count it: "))


def test_a_tile_read_as_the_double_blank_may_be_face_down(opened, server, show):
    page = match(opened, server, "even_at_odds", sights.laid())
    reading = sights.stack(doubtful=True, misread={"halves": [0, 0], "alternatives": []})
    photograph(page, show, reading, "Photograph the tiles")

    page.get_by_role("button", name="face down").click()

    expect(page.locator("#overlay").get_by_role("button", name="0-0")).to_have_count(0)
    expect(page.locator("#chips")).to_be_hidden()


def loose(*values):
    """Return white dice that lie in a row."""
    dice = [sights.die_at(60 + 60 * at, 300, die, "white", None) for at, die in enumerate(values)]
    return sights.sight(sights.SHEET, Table(tuple(Die(die, "white") for die in values)), dice=dice)


@pytest.mark.release
def test_what_a_rolled_die_counts_is_not_said_before_it_is_kept(opened, server, show):
    page = match(opened, server, "farkle", [])
    photograph(page, show, loose(1, 2, 2, 3, 4, 6), "Photograph the dice")

    with page.expect_response("**/proposals"):
        page.locator("#overlay .piece").first.press("Enter")

    leads = page.locator("#chips-choices .leads")
    expect(leads).to_have_text([""] * 3)
    expect(page.locator("#confirm")).to_have_text("Count it")


def test_a_photo_on_which_nothing_is_new_says_so(opened, server, show):
    page = match(opened, server, "even_at_odds", sights.laid(missing=0))
    photograph(page, show, sights.stack(beside=(0, 1)), "Photograph the tiles")

    expect(page.locator("#chips-says")).to_contain_text("lies apart from the others")
    page.get_by_role("button", name="Correct as shown").click()

    expect(page.locator("#confirm")).to_have_text("Nothing new to count")


@pytest.mark.release
def test_the_next_photo_is_of_a_table_that_still_plays(opened, server, show):
    game = GAMES["purple_house"]
    moves = [Agree(starter=0, black=0)]
    state = replay(game, 4, {}, moves)
    while first := [move for move in game.legal_moves(state) if isinstance(move, Place)]:
        moves.append(first[0])
        state = game.apply(state, first[0])
    opening = [dump_move(move) for move in moves]
    page = live_match(opened, server, "purple_house", "Ana", "Ben", "Cyd", "Dan", opening=opening)

    show(eyes())
    page.locator("#camera").set_input_files(photo(1))
    expect(page.locator("#confirm")).to_have_text(re.compile("Count it"))

    expect(page.locator("#spot option:checked")).to_have_text("Table 2: Cyd and Dan")


@pytest.mark.release
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


@pytest.mark.release
def test_which_die_was_set_aside_before_a_roll_is_one_tap_each(opened, server, show):
    page = match(opened, server, "farkle", [{"move": "Roll", "dice": [1, 2, 3, 4, 5, 6]}])
    photograph(page, show, loose(2, 2, 3, 4, 6), "Photograph the dice")

    answers = page.locator("#questions button")
    kept = "Count: Ana keeps {} and rolls on, then Ana rolls 2 2 3 4 6, a Farkle, {} points lost"
    expect(answers).to_have_text([kept.format(1, 100), kept.format(5, 50)])
    answers.last.click()
    expect(page.locator("#look")).to_be_hidden()
    expect(page.locator(".history .said").first).to_contain_text("keeps 5 and rolls on")


@pytest.mark.parametrize("height", few([740, 640]))
def test_the_answers_for_a_doubtful_mark_are_above_the_button(opened, server, show, height):
    """They were under it: only the other bar's height was left free."""
    page = match(opened, server, "dice_wide_shut", BEGUN["dice_wide_shut"])
    page.set_viewport_size({"width": 360, "height": height})
    show(lambda *_asked: sights.sheet(CHECKED, {("red", 3, 1)}))

    page.locator("#camera").set_input_files(photo(1))

    chips, dock = page.locator("#chips"), page.locator("#look .dock")
    expect(chips).to_be_visible()
    foot = "one => one.getBoundingClientRect().bottom"
    top = "one => one.getBoundingClientRect().top"
    wait_until(page, lambda: chips.evaluate(foot) <= dock.evaluate(top) + 1)


def test_no_word_of_an_answer_is_broken(opened, server, show):
    """German broke "angekreuzt" after its seventh letter."""
    made = server.match("dice_wide_shut", "Ana", "Ben", opening=BEGUN["dice_wide_shut"])
    page = opened(made["url"], locale="de-DE")
    show(lambda *_asked: sights.sheet(CHECKED, {("red", 3, 1)}))

    page.locator("#camera").set_input_files(photo(1))

    words = page.locator("#chips-choices .value > span:last-child")
    expect(words.filter(has_text="angekreuzt")).to_have_count(1)
    assert set(words.evaluate_all(LINES)) == {1}


def test_the_sum_of_a_folded_half_is_on_the_screen_in_large_text(opened, server):
    page = match(opened, server, "dice_wide_shut", BEGUN["dice_wide_shut"])

    page.evaluate("document.documentElement.style.fontSize = '200%'")

    sides = page.locator("#entry .folded > *").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().right)"
    )
    assert len(sides) == 3
    assert max(sides) <= 360
