"""A phone as people hold it: Chromium with scripts, where only what is in sight can be tapped."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Locator, Page, expect

READING = 60_000  # ms that a photo may take on a machine that does other things too
IN_SIGHT = """selector => [...document.querySelectorAll(selector)].map((one, at) => ({
  at, says: one.ariaLabel ?? one.textContent.replace(/\\s+/g, ' ').trim(),
  sight: one.checkVisibility({visibilityProperty: true})
    && one.ariaDisabled !== 'true' && !one.closest('[inert]')
}))"""
CONFIRM = "#look:has(#busy[hidden]) #confirm:not([hidden])"
NEXT = "#entry .place.free"  # what goes on with what was tapped
HAND = "#entry [data-tiles] .key"
TILED = "body:has([data-tiles]) #foot .main"
# A tap that is not only a choice: on a pad that counts at once, the last one of its groups.
SENDS = """one => {
  const pad = one.closest('[data-pad]');
  if (!pad || !('atOnce' in pad.dataset))
    return !one.closest(
      ':is([data-tiles], [data-pad], [data-dice], [data-roll], [data-hands], [data-sheet])');
  const open = [...pad.querySelectorAll('.keys')].filter(
    (group) => group.checkVisibility() && !group.querySelector('[aria-pressed=true]'));
  return open.length === 1 && open[0].contains(one);
}"""
# What is changed in place loses what no server has written.
HOLD = """for (const one of [document.querySelector('dialog.over'), document.querySelector('#entry')
  ?? document.querySelector('.games') ?? document.querySelector('.panes')
  ?? document.querySelector('main')])
  one?.setAttribute('data-held', '')"""
# A page that is still coming shows nothing yet.
HELD = """document.readyState !== 'complete' || (document.querySelector('[data-held]') !== null
  && document.querySelector('dialog.over:not([data-held])') === null)"""


@dataclass(frozen=True)
class ControlInSight:
    """Something in sight to tap."""

    says: str
    there: Locator


class TouchPhone:
    """One page, from the front door on."""

    def __init__(self, page: Page) -> None:
        self._page = page

    @property
    def over(self) -> bool:
        return self._page.locator("#result-title").count() > 0

    @property
    def game(self) -> str:
        """The game that the front door offers."""
        return self._page.locator(".game[aria-pressed=true] .name").inner_text()

    @property
    def prompt(self) -> str:
        shown = self._page.locator("#prompt")
        return shown.inner_text() if shown.count() else ""

    @property
    def rows(self) -> int:
        """The rows for names."""
        return self._page.get_by_placeholder("Name").count()

    def shows(self, words: str) -> bool:
        return words in self._page.inner_text("main")

    def moves(self) -> list[ControlInSight]:
        """Return the controls that enter a move, once there are some."""
        self._until(lambda: self.over or self._moves())
        return self._moves()

    def _moves(self) -> list[ControlInSight]:
        """Return the controls that enter a move: places on a board if any, else the keys."""
        for selector in (TILED, NEXT, HAND):
            if found := self._seen(selector):
                return found
        return self._seen("#entry .key, #foot button")

    def press(self, words: str) -> None:
        """Tap the first control of these words."""
        if not self._found(words):  # it is folded away
            self._page.locator("details:not([open]) > summary").filter(has_text="Another").click()
        self.tap(self._found(words)[0])

    def tap(self, control: ControlInSight) -> None:
        """Tap it, and wait for what comes of it."""
        plain = control.there.evaluate(SENDS)
        self._page.evaluate(HOLD)
        control.there.click()
        if plain:
            self._settle()

    def type_names(self, names: list[str]) -> None:
        """Write the names of the players."""
        for row, name in zip(self._page.get_by_placeholder("Name").all(), names, strict=True):
            row.fill(name)

    def choose(self, words: str) -> None:
        """Choose one value of a house rule, by its words."""
        self._open_rules()
        self._page.get_by_label(words, exact=True).check()

    def fill(self, label: str, value: str) -> None:
        """Write into the field of a house rule."""
        self._open_rules()
        self._page.get_by_label(label, exact=True).fill(value)

    def write(self, label: str, value: str) -> None:
        """Write into the field of a label, and press Enter."""
        self._page.evaluate(HOLD)
        self._page.get_by_label(label).fill(value)
        self._page.get_by_label(label).press("Enter")
        self._settle()

    def photograph(self, photo: Path) -> None:
        """Take a photo, agree to what was read, and count it."""
        self.take(photo)
        self.count()

    def take(self, photo: Path) -> None:
        """Take a photo, and wait until it is read."""
        expect(self._page.locator("#camera-part")).to_be_visible()
        self._page.locator("#camera").set_input_files(photo)
        read = re.compile("^(Count it|Check|Cannot)")
        expect(self._page.locator(CONFIRM)).to_have_text(read, timeout=READING)

    def put_right(self, colour: str, value: int) -> None:
        """Say what the die is that is asked about."""
        self._page.locator("#overlay .doubtful .hit").first.click()
        self._page.locator("#chips .more").click()
        chips = self._page.locator(f'#picker [data-chip="{colour}"]')
        if chips.count():
            chips.click()
        self._page.locator(f'#picker [data-colour="{colour}"][data-value="{value}"]').click()

    def count(self) -> None:
        """Agree to what is shown, and count it."""
        page, confirm = self._page, self._page.locator(CONFIRM)
        expect(confirm).to_have_text(re.compile("^(Count it|Check)"))
        page.evaluate(HOLD)
        self._trust()
        expect(confirm).to_have_text(re.compile("^Count it"))
        confirm.click()
        expect(page.locator("#look")).to_be_hidden()
        self._settle()

    def _trust(self) -> None:
        """Agree to what was read, where something is asked about."""
        if self._page.locator(CONFIRM).inner_text().startswith("Check"):
            self._page.locator("#trust").click()

    def _settle(self) -> None:
        """Wait until what was tapped has changed the page, or led to another."""
        self._until(lambda: not self._held())

    def _held(self) -> bool:
        try:
            held: bool = self._page.evaluate(HELD)
        except PlaywrightError:  # between two pages
            return True
        return held

    def _until(self, holds: Callable[[], object]) -> None:
        ends = time.monotonic() + READING / 1000
        while not holds():
            assert time.monotonic() < ends, self._page.inner_text("main")
            self._page.wait_for_timeout(20)

    def _open_rules(self) -> None:
        rules = self._page.locator("details:not([open]) > summary", has_text="House rules")
        if rules.count():
            rules.click()

    def _found(self, words: str) -> list[ControlInSight]:
        """Return the controls of these words: of a question over the page those alone."""
        asks = self._page.locator("dialog.over").count()
        over = "dialog.over" if asks else "main"
        found = self._seen(f"{over} button, {over} a")
        return [one for one in found if re.search(words, one.says)]

    def _seen(self, selector: str) -> list[ControlInSight]:
        """Return what of it can be seen, and is not switched off."""
        everything = self._page.locator(selector)
        found = self._page.evaluate(IN_SIGHT, selector)
        return [
            ControlInSight(one["says"], everything.nth(one["at"])) for one in found if one["sight"]
        ]
