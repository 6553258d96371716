"""Colours and shapes can be told apart (WCAG 2.2 AA), icons come of one drawing, samples fit."""

import re
import shutil
import subprocess
import sys

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests import ROOT
from tests.browser.phones import serving
from tests.browser.sight.fits import check_layout
from tests.tools import icons
from webui.pages.drawings.seats import SHAPES


@pytest.fixture
def workshop(tmp_path, monkeypatch):
    """Return a server that is being developed."""
    monkeypatch.setenv("FLASK_DEBUG", "1")
    with serving(tmp_path) as server:
        yield server


@pytest.mark.browser
@pytest.mark.release
def test_no_part_of_the_sample_sheet_leaves_its_box_or_covers_another(opened, workshop):
    check_layout(opened(f"{workshop.address}style"))


STYLES = ROOT / "webui" / "static" / "styles"
TOKENS = (STYLES / "tokens.css").read_text()
COMPONENTS = (STYLES / "ui.css").read_text()
TEXT, SHAPE = 4.5, 3.0  # WCAG 1.4.3 and 1.4.11

SURFACES = ("--page", "--card", "--sunk")
SEATS = tuple(f"--seat-{seat}" for seat in range(len(SHAPES)))
GAMES = tuple(dict.fromkeys(re.findall(r"(--g-[\w-]+):", TOKENS)))
WRITTEN = (
    *((ink, ground) for ink in ("--ink", "--soft") for ground in SURFACES),
    *((ink, ground) for ink in ("--act", *SEATS) for ground in ("--page", "--card")),
    *((ink, "--act-wash") for ink in ("--act", "--ink", "--soft", *SEATS)),
    ("--on-act", "--act"),
    ("--doubt", "--doubt-wash"),
    ("--ink", "--doubt-wash"),
    ("--doubt", "--page"),
    ("--wrong", "--wrong-wash"),
    ("--ink", "--wrong-wash"),
    ("--felt-ink", "--felt"),
    ("--page", "--ink"),
    ("--red-half", "--card"),
    ("--blue-half", "--card"),
    *(("--on-game", box) for box in GAMES),
    ("--under-photo", "--paper"),
    ("--under-photo", "--doubt-photo"),
    ("--under-photo", "--wrong-photo"),
    *((f"--paper-{seat}", "--paper") for seat in range(len(SHAPES))),
    *(("--card", seat) for seat in SEATS),  # the number of the thirteenth seat and on
)
DRAWN = (
    *((line, ground) for line in ("--edge", "--focus") for ground in ("--page", "--card")),
    ("--edge", "--sunk"),  # the holes of the peg track
    *((seat, "--sunk") for seat in SEATS),
    ("--act", "--sunk"),
    ("--doubt-photo", "--under-photo"),
    ("--wrong-photo", "--under-photo"),
    ("--doubt-photo", "--felt"),
)
DICE = {
    colour: dict(re.findall(r"--(body|pip|rim): (#\w+)", rule))
    for colour, rule in re.findall(r"^\.die(?:\.(\w+))? \{(.*)\}", COMPONENTS, re.MULTILINE)
}


def properties(rule):
    named = dict(re.findall(r"(--[\w-]+):\s*(#[0-9a-f]{6})\b", rule))
    same = re.findall(r"(--[\w-]+):\s*var\((--[\w-]+)\)", rule)
    return named | {name: named[other] for name, other in same if other in named}


LIGHT, DARK, MORE, MORE_DARK = map(
    properties, re.findall(r":root \{(.*?)\n\}", TOKENS, re.DOTALL)[:4]
)
SCHEMES = {
    "light": LIGHT,
    "dark": LIGHT | DARK,
    "more contrast": LIGHT | MORE,
    "more contrast, dark": LIGHT | DARK | MORE | MORE_DARK,
}


def luminance(colour):
    """Return the relative luminance of "#rrggbb" (WCAG 2.2, definition)."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(colour, other):
    low, high = sorted((luminance(colour), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_measured_as_wcag_defines_it():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("ink", "ground"), WRITTEN)
def test_text_can_be_read(scheme, ink, ground):
    colours = SCHEMES[scheme]

    assert contrast(colours[ink], colours[ground]) >= TEXT


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("line", "ground"), DRAWN)
def test_controls_and_lines_can_be_seen(scheme, line, ground):
    colours = SCHEMES[scheme]

    assert contrast(colours[line], colours[ground]) >= SHAPE


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("colour", DICE)
def test_dice_stand_out_on_the_felt_by_their_body_or_their_rim(scheme, colour):
    die = DICE[""] | DICE[colour]

    assert contrast(die["pip"], die["body"]) >= TEXT
    felt = SCHEMES[scheme]["--felt"]
    assert max(contrast(die["body"], felt), contrast(die["rim"], felt)) >= SHAPE


def test_twelve_seats_differ_in_colour_and_in_shape():
    assert len({*SHAPES.values()}) == len(SHAPES) == 12
    for scheme, colours in SCHEMES.items():
        assert len({colours[seat] for seat in SEATS}) == len(SEATS), scheme
    styles = COMPONENTS + (STYLES / "table.css").read_text()
    for seat in range(len(SHAPES)):
        for kind in ("seat", "paper"):
            assert f".{kind}-{seat} {{ color: var(--{kind}-{seat}); }}" in styles


def test_only_the_tokens_name_the_colours_of_a_page():
    """Besides the dice, which have their own colours, and a QR code, which lies on white."""
    for sheet in sorted(STYLES.glob("*.css")):
        rules = [line for line in sheet.read_text().splitlines() if not line.startswith(".die")]
        named = set(re.findall(r"#[0-9a-f]{3,8}\b(?=[;\s])", "\n".join(rules)))
        assert sheet.name == "tokens.css" or named <= {"#ffffff"}, sheet.name


# A process of its own: that of the tests may have a browser already.
DRAW = (
    "from pathlib import Path; from tests.tools import icons; "
    "icons.FOLDER = Path({folder!r}); icons.main()"
)


@pytest.mark.browser
@pytest.mark.release
def test_each_icon_is_drawn_in_its_size(tmp_path):
    shutil.copy(icons.FOLDER / "favicon.svg", tmp_path)

    command = [sys.executable, "-c", DRAW.format(folder=str(tmp_path))]
    subprocess.run(command, cwd=ROOT, check=True)

    sides = {name: size_of(tmp_path / name) for name in icons.ICONS}
    assert sides == {name: (side, side) for name, (side, _share) in icons.ICONS.items()}


def size_of(path):
    with Image.open(path) as icon:
        return icon.size


NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hal", "Ina", "Jo", "Kim", "Lea")
LOOKS = """uses => uses.map((use) =>
  [use.getAttribute("href"), getComputedStyle(use).fill])"""
ROUNDS = [
    {"move": "Enter", "seat": seat, "points": 10 * (seat + turn)}
    for turn in range(3)
    for seat in range(12)
]


def check_differ(page, uses, number):
    """Assert that a *number* of marks is drawn, no two of one shape or of one colour."""
    marks = page.locator(uses)
    expect(marks).to_have_count(number)
    shapes, colours = zip(*marks.evaluate_all(LOOKS), strict=True)
    assert len({*shapes}) == len({*colours}) == number, (page.url, shapes, colours)


@pytest.mark.browser
@pytest.mark.release
def test_marks_differ_on_the_page_on_a_television_on_the_peg_track_and_in_the_chart(opened, server):
    page = opened(server.match("sum", *NAMES, opening=ROUNDS)["url"])
    check_differ(page, ".tally .seat-mark use", 12)
    page.goto(f"{page.url}/board")
    check_differ(page, ".halves .seat-mark use", 12)
    turns = [{"move": "Roll", "pips": 4}, {"move": "Hold"}] * 10
    match = server.match("pig", *NAMES[:10], opening=turns)
    for _ in range(2):
        match = server.play(match, *turns)
    page.goto(match["url"])
    check_differ(page, ".pegs .front", 10)
    check_differ(page, ".chart .race ~ .point:nth-child(2)", 10)


@pytest.mark.browser
@pytest.mark.release
def test_the_thirteenth_has_a_number(opened, server):
    names = [f"Player number {seat}" for seat in range(1, 15)]
    page = opened(server.match("purple_house", *names)["url"])
    expect(page.locator(".tally .numbered")).to_have_text(["13", "14"])
