"""`make taps N=120 SEED=1`: phones tap at random, photograph, undo, reload, lose the network.

What they send may be refused; a person decides about that. A fault is a script that fails, a word
that nobody should read, a page wider than its screen, a step that waits for ever once the network
is back, and two phones that show different scores.
"""

import json
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

from playwright.sync_api import Browser, Locator, Page
from playwright.sync_api import Error as PlaywrightError

from models.harness import run
from scorer.games import GAMES
from tests import ROOT
from tests.browser.phones import Phones, chromium, serving
from tests.proof.report import Report, Row, Write

HEADS = (
    "game",
    "players",
    "taps",
    "photos",
    "without network",
    "steps stored",
    "to be decided",
    "faults",
)
NAMES = ("Ada", "Ben", "Cem", "Dan")
TOURNAMENT = {"match": "tournament", "tournament_rounds": 1}
UNREADABLE = re.compile(r"undefined|NaN|\bNone\b(?! of)|\[object|\bnull\b|Traceback|%\(|\{\w+\}")
SAID = """() => document.body.innerText + [...document.querySelectorAll("[aria-label]")]
  .map(({ ariaLabel }) => ariaLabel).join("; ")"""
FREE = "button:visible:not([aria-disabled=true])"
OVER, PANEL, ANY = f"dialog[open] {FREE}", f":is(#entry, #foot) {FREE}", f"main {FREE}"
WAITING, UNDECIDED = "#waiting .said", "#undecided li"
CAMERA = "#camera"
PHOTOS = sorted((ROOT / "webui" / "static" / "samples").glob("*.jpg"))
NUMBERS = "#entry input[name=number]:visible"
SLOW = 3000  # ms after which a tap has missed what it aimed at
SETTLED = 60_000  # ms in which nothing may wait any more once the network is back


@dataclass
class TappingPhone:
    """A phone at a match; `did` has what was done on it, `faults` what was wrong with its pages."""

    page: Page
    rng: random.Random
    did: Counter[str] = field(default_factory=Counter)
    faults: set[str] = field(default_factory=set)
    offline: bool = False

    def __post_init__(self) -> None:
        """Hear of scripts that fail."""
        self.page.set_default_timeout(SLOW)
        self.page.set_default_navigation_timeout(SETTLED)
        self.page.on("pageerror", lambda fault: self.faults.add(f"a script failed: {fault}"))

    def act(self) -> None:
        """Do one thing: what is gone before the tap is missed, as by a person."""
        try:
            self._act(self.rng.random())
        except PlaywrightError:
            self.did["missed"] += 1
        self._look()

    def _act(self, chance: float) -> None:
        if chance < 0.06:
            self.go(offline=not self.offline)
        elif chance < 0.09 and not self.offline:
            self.page.reload()
        elif chance < 0.14:
            self._tap(self.page.locator("#undo:visible"))
        elif chance < 0.19:
            self.page.locator(CAMERA).set_input_files(self.rng.choice(PHOTOS))
            self.did["photos"] += 1
        elif self.page.locator("dialog[open]").count():
            self._tap(self.page.locator(OVER))
        elif chance < 0.4 and (count := self.page.locator(NUMBERS).count()):
            field = self.page.locator(NUMBERS).nth(self.rng.randrange(count))
            field.fill(str(self.rng.randrange(30)))
        else:
            self._tap(self.page.locator(PANEL if chance < 0.9 else ANY))

    def _tap(self, on: Locator) -> None:
        if count := on.count():
            on.nth(self.rng.randrange(count)).click()
            self.did["taps"] += 1

    def go(self, *, offline: bool) -> None:
        """Lose the network, or find it again."""
        self.did["without network"] += offline
        self.offline = offline
        self.page.context.set_offline(offline)

    def _look(self) -> None:
        said = self.page.evaluate(SAID)
        if found := UNREADABLE.search(said):
            self.faults.add(f"it says {said[max(0, found.start() - 40) : found.end() + 40]!r}")
        if self.page.evaluate("document.scrollingElement.scrollWidth > innerWidth"):
            self.faults.add("the page is wider than the screen")

    def settle(self) -> None:
        """Wait until nothing waits for the network; behind a photo it waits for a person."""
        self.go(offline=False)
        try:
            self.page.locator(WAITING).first.wait_for(state="hidden", timeout=SETTLED)
        except PlaywrightError:
            if self.page.locator(UNDECIDED).count():
                return
            self.faults.add(f"for ever waits {self.page.locator(WAITING).all_inner_texts()}")


def play(browser: Browser, game: str, taps: int, seed: int) -> Row:
    """Let two phones tap in a match; return its row."""
    rng, phones = random.Random(f"{game} {seed}"), Phones(browser)
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        seats = GAMES[game].seats
        players = rng.choice([*(few for few in (1, 2, 3) if few in seats), 4])
        settings = {} if players in seats else TOURNAMENT
        made = server.match(game, *NAMES[:players], **settings)
        language = {"locale": rng.choice(["en-US", "de-DE"])}
        both = [TappingPhone(phones.open(made["url"], **language), rng) for _ in range(2)]
        for _ in range(taps):
            rng.choice(both).act()
        for phone in both:
            phone.settle()
        for phone in both:
            phone.page.goto(made["url"])
        shown = [phone.page.locator("[data-score]").all_inner_texts() for phone in both]
        with urlopen(f"{server.address}api/matches/{made['id']}", timeout=60) as answer:
            stored = json.load(answer)["seq"]
        faults = set[str]().union(*(phone.faults for phone in both))
        faults |= {f"different scores: {shown}"} if shown[0] != shown[1] else set()
        done = sum((phone.did for phone in both), Counter[str]())
        asked = sum(phone.page.locator(UNDECIDED).count() for phone in both)
        for phone in both:
            phone.page.context.close()
    for fault in sorted(faults):
        print(f"{game}, seed {seed}: {fault}", file=sys.stderr, flush=True)
    return (
        game,
        players,
        done["taps"],
        done["photos"],
        done["without network"],
        stored,
        asked,
        len(faults),
    )


def main(
    *, taps: int = 120, seed: int = 1, games: Sequence[str] = tuple(GAMES), write: Write = False
) -> int:
    """Print the table; return 1 where something was wrong."""
    report = Report("taps", f"make taps N={taps} SEED={seed}")
    with chromium() as browser:
        rows = [play(browser, game, taps, seed) for game in games]
    report.publish(report.text(HEADS, rows), write=write)
    return int(any(row[-1] for row in rows))


if __name__ == "__main__":
    sys.exit(run(main))
