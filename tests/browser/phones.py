"""What the browser tests share: a server on a free port, Chromium as a phone, boards with truth."""

import json
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from re import Pattern
from tempfile import TemporaryDirectory
from typing import Any, Self
from urllib.parse import urljoin
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from scorer import Die, Doubt, Equipment, Table
from scorer.photo.interpret import drawn
from tests import FIXTURES
from tests.webui.serving import reserved_port, served
from tests.webui.sights import NOTHING_READ
from webui.app import USUAL, create_app
from webui.eyes import photo as bridge
from webui.eyes.eyes import Eyes
from webui.eyes.photo import PhotoReading, See
from webui.settings import ServerSettings

BOARDS = FIXTURES / "boards"
RACE = json.loads((BOARDS / "race.json").read_text())
# The shell draws no window around the pages, which is half of what Chromium computes.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# A test that fakes the network sees what the page asks for, and not what a service worker does.
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "service_workers": "block",
    "reduced_motion": "reduce",  # what moves has tests of its own
}
# The person has ended the first match's guide; "" in its place begins it anew.
GUIDED = "try { localStorage.guide ??= 'done' } catch { /* of a page without an address */ }"
# Its own eyes take a second of each new page, and a photo another: they need this much memory (GB).
EYELESS = "Object.defineProperty(navigator, 'deviceMemory', { value: 1 });"
# No test's routes see what a worker asks for.
NO_WORKER = "delete window.SharedWorker"
PATIENCE = 30_000  # ms; two cores may be shared with other tests
expect.set_options(timeout=PATIENCE)
COLOURS = {"B": "black", "W": "white"}

Grid = list[list[str]]
Open = Callable[..., Page]  # opens an address as a phone of its own
Show = Callable[[See], None]  # sets the eyes of the shared server until the test ends


def _grid_of(truth: Path) -> Grid:
    dice = {tuple(die["cell"]): die for die in json.loads(truth.read_text())["dice"] if die["cell"]}
    words = {cell: f"{die['color'][0].upper()}{die['value']}" for cell, die in dice.items()}
    return [[words[row, column] for column in range(3)] for row in range(3)]


DEMO = _grid_of(BOARDS / "demo.json")


def need_chromium() -> None:
    """Skip without Chromium; fail where it was promised."""
    if CHROMIUM is None:
        reason = "no chromium on this machine: install it to run the browser tests"
        if os.environ.get("PIPSIGHT_BROWSER") == "required":
            pytest.fail(reason)
        pytest.skip(reason)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run Chromium until the block ends."""
    need_chromium()
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield running
        running.close()


class Phones:
    """Pages that are phones of their own, each with its own store, used again test after test.

    A page that shows a server's page once more costs a quarter of a new one: its process runs.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: list[Page] = []
        self._used: list[Page] = []  # by the test that runs
        self._own: list[Page] = []
        self._faults: list[str] = []

    def open(
        self, address: str, *, own: bool = False, eyes: bool = False, **options: object
    ) -> Page:
        """Show *address* on a phone that no other test page has, which may have *eyes* of its own.

        A page that gets a script of its own, or with other *options*, is not used again.
        """
        own = own or eyes or bool(options)
        if self._free and not own:
            page = self._free.pop()
        else:
            context = self._browser.new_context(**{**PHONE, **options})
            context.add_init_script(GUIDED if eyes else EYELESS + GUIDED)
            page = context.new_page()
            page.set_default_timeout(PATIENCE)
            page.on("pageerror", lambda fault: self._faults.append(str(fault)))
        (self._own if own else self._used).append(page)
        if address != "about:blank":  # nothing is shown: on a phone of before, in the same process
            page.goto(address)
        return page

    def put_back(self) -> None:
        """Clean the pages of a test; a script that failed on any of them fails the test."""
        self._free += [page for page in self._used if _clean(page)]
        for page in {*self._own, *self._used} - {*self._free}:
            page.context.close()
        self._own, self._used = [], []
        faults, self._faults = self._faults, []
        assert not faults, faults


def _clean(page: Page) -> bool:
    """Leave a page as a new one is, on its server still; return False where that is no more."""
    if page.is_closed() or len(page.context.pages) > 1:
        return False
    page.unroute_all(behavior="ignoreErrors")
    page.context.set_offline(False)
    try:
        page.goto(urljoin(page.url, "/healthz"))
    except PlaywrightError:
        return False
    page.set_viewport_size(PHONE["viewport"])  # of what is soon laid out
    page.emulate_media(color_scheme="null")
    page.evaluate("localStorage.clear(), sessionStorage.clear()")
    page.context.clear_cookies()
    return True


def wait_until(page: Page, holds: Callable[[], object], why: object = "") -> None:
    """Wait until it *holds*: a page may show one thing a moment before another."""
    ends = time.monotonic() + PATIENCE / 1000
    while not holds():
        assert time.monotonic() < ends, why
        page.wait_for_timeout(20)


def double_tap(page: Page, x: float, y: float) -> None:
    """Tap twice, 0.15 s apart by the clock of the taps, however slow the machine."""
    touch = page.context.new_cdp_session(page)
    first = time.time()
    for at in (first, first + 0.15):
        page.wait_for_timeout(max(0, at - time.time()) * 1000)
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            sent = {"type": kind, "touchPoints": points, "timestamp": at}
            touch.send("Input.dispatchTouchEvent", sent)
    touch.detach()


class HeldRequests:
    """The requests of a page for *addresses*, which get no further until `go_on`."""

    def __init__(self, addresses: str | Pattern[str]) -> None:
        self._addresses = addresses
        self._routes: list[Route] = []
        self._open = False

    def of(self, page: Page, *, times: int | None = None) -> Self:
        """Hold the requests of *page* from now on, or the next *times* of them."""
        self._page = page
        page.route(self._addresses, self._hold, times=times)
        return self

    def _hold(self, route: Route) -> None:
        if self._open:
            route.continue_()
        else:
            self._routes.append(route)

    def wait(self) -> None:
        """Wait until one is held: a page may say that it sends before it does."""
        wait_until(self._page, lambda: self._routes, self._addresses)

    def go_on(self) -> None:
        """Wait until one is held, then let it through, and what comes later."""
        self.wait()
        self._open = True
        for route in self._routes:
            with suppress(PlaywrightError):  # of a page that is no more
                route.continue_()


def send_again(page: Page) -> None:
    """Press "Send it again", unless the page, which hears from the server, was faster."""
    page.locator("#again").evaluate("button => button.hidden || button.click()")


@dataclass(frozen=True, slots=True)
class BrowserServer:
    """A running server; `address` ends in "/"."""

    address: str
    port: int

    def post(self, path: str, sent: Mapping[str, Any]) -> dict[str, Any]:
        """Send JSON to "api/…" and return what is answered."""
        headers = {"Content-Type": "application/json"}
        request = Request(f"{self.address}api/{path}", json.dumps(sent).encode(), headers)
        with urlopen(request, timeout=60) as answer:
            return dict(json.load(answer))

    def match(
        self, game: str, *names: str, opening: Iterable[Any] = (), **settings: Any
    ) -> dict[str, Any]:
        """Make a match in which the moves of *opening* have been made; return its view."""
        sent = {"game": game, "names": names, "opening": [*opening], "settings": settings}
        return self.post("matches", sent)

    def play(self, match: Mapping[str, Any], *moves: Mapping[str, Any]) -> dict[str, Any]:
        """Make moves after those of a view of a match; return its next view."""
        return self.post(f"matches/{match['id']}/moves", {"after": match["seq"], "moves": moves})


@contextmanager
def serving(
    folder: Path,
    see: See = bridge.see,
    port: int = 0,
    settings: ServerSettings = USUAL,
    **looks: Any,
) -> Iterator[BrowserServer]:
    """Serve the log in *folder* until the block ends; *looks* to `Eyes`."""
    url = f"sqlite:///{folder / 'log.db'}"
    app = create_app(url, folder / "photos", Eyes(see, **looks), settings)
    try:
        with served(app, port=port or reserved_port()) as at:
            yield BrowserServer(f"http://127.0.0.1:{at}/", at)
    finally:
        app.extensions["pipsight"].live.close()
        app.extensions["pipsight"].store.close()


@contextmanager
def server_and_browser() -> Iterator[tuple[BrowserServer, Browser]]:
    """Run both, the matches in a folder of their own: for what measures pages or draws them."""
    with TemporaryDirectory() as folder, serving(Path(folder)) as server, chromium() as browser:
        yield server, browser


def photo(number: int) -> Path:
    """Return the photo of a round of the race, from 1."""
    return BOARDS / RACE["rounds"][number - 1]["file"]


def eyes(
    *doubtful: int,
    board: str = "race-01",
    missing: int | None = None,
    confidence: float = 0.6,
    numerals: int | None = None,
) -> See:
    """Return eyes that read every photo as that *board* of the fixtures, some dice doubtfully.

    These are right with that *confidence*. Of a *missing* die they only say that one may lie there,
    of one with *numerals* that it is not read.
    """
    truth = json.loads((BOARDS / f"{board}.json").read_text())
    perhaps = [] if missing is None else [truth["dice"].pop(missing)["quad"]]
    hint = "There may be one more piece. Look there." if perhaps else None
    unread = [] if numerals is None else [truth["dice"].pop(numerals)["quad"]]
    dice = [
        {**die, "confidence": confidence if asked else 0.99, "sure": not asked}
        for place, die in enumerate(truth["dice"])
        for asked in [place in doubtful]
    ]
    table = Table(
        tuple(
            Die(die["value"], die["color"], die["cell"] and tuple(die["cell"]), die["confidence"])
            for die in dice
        )
    )
    doubts = tuple(
        Doubt(_question(dice[place]), ("dice", place), drawn=drawn(confidence))
        for place in doubtful
    )
    reading = NOTHING_READ | {name: truth[name] for name in ("width", "height", "board")}
    reading |= {"dice": dice, "perhaps": perhaps, "hint": hint, "warnings": [hint] if hint else []}
    reading["unread"] = [{"kind": "numbered", "quad": quad, "probability": 1.0} for quad in unread]

    def see(sent: bytes, _equipment: Equipment, _spot: int = 0) -> PhotoReading:
        return PhotoReading(reading, table, doubts, sent)

    return see


def _question(die: dict[str, Any]) -> str:
    row, column = die["cell"]
    return f"row {row + 1}, column {column + 1}: read as {die['color']} {die['value']}"
