"""Contact sheets of the pages, to be looked at: `make screenshots PAGES="match start"`, or all.

Every page is shown on a phone, a tablet, a laptop and a television, light and dark, and on a phone
with text of twice the size; a sheet a page goes to `var/screenshots`. The entry panel's states are
`entry-NAME`, on the screens of its design.
"""

import itertools
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np
from playwright.sync_api import Browser, Page

from models.harness import run
from scorer import Equipment
from scorer.games import GAMES
from tests.browser.phones import GUIDED, RACE, BrowserServer, chromium, eyes, photo, serving
from tests.browser.race_pages import CELLS
from tests.browser.sight.fits import LARGE_TEXT
from tests.conftest import AGREE
from tests.matches import moves_by_chance
from tests.tools import entry_states
from tests.tools.entry_states import STATES
from webui.eyes.photo import PhotoReading

OUT = Path("var") / "screenshots"
SCREENS = {"phone": (360, 740), "tablet": (820, 1180), "laptop": (1280, 800), "tv": (1920, 1080)}
LOOKS: tuple[tuple[str, str, int], ...] = (
    *((screen, "light", 1) for screen in SCREENS),
    *((screen, "dark", 1) for screen in ("phone", "tv")),
    ("phone", "light", 2),
)
TALLEST = 2600  # px of a page that are shown
GAP = 16  # px between pictures
PEOPLE = ("Mia", "Tom", "Alexandra", "Ben", "Cleo", "Friederike")
MOVES = {"pig": 60, "farkle": 90, "beat_the_odds": 60, "gords": 40, "dice_wide_shut": 40}
MOVES |= {"even_at_odds": 24}  # of a match played by chance


class PhotographedTable:
    """A server whose eyes see given pieces, and a browser that plays on it."""

    def __init__(self, server: BrowserServer, page: Page) -> None:
        self.server = server
        self.page = page
        self.shown: Callable[[bytes, Equipment, int], PhotoReading] = eyes()

    def photograph(self, match: str, taken: Path) -> dict[str, Any]:
        """Send a photo; return what the server read and proposes."""
        sent = {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": taken.read_bytes()}
        address = f"{self.server.address}api/matches/{match}/photos"
        answer = self.page.request.post(address, multipart={"photo": sent})
        return dict(answer.json())

    def race(self, rounds: int) -> str:
        """Play rounds of a Purple House race from their photos; return the match's address."""
        made = self.server.match("purple_house", "Mia", "Tom", opening=[AGREE])
        for number in range(1, rounds + 1):
            self.shown = eyes(board=f"race-{number:02}")
            answer = self.photograph(made["id"], photo(number))
            sent = {"moves": answer["proposal"]["moves"], "sighting": answer["sighting"]}
            seq = self.server.post(f"matches/{made['id']}/moves", sent | {"after": made["seq"]})
            made["seq"] = seq["seq"]
        return str(made["url"])


def moves_of(name: str, seats: int, most: int, **settings: Any) -> list[Any]:
    """Return the moves of a match played by chance."""
    return moves_by_chance(GAMES[name], 3, seats, most, **settings)


def random_match(
    table: PhotographedTable, name: str, seats: int, most: int, **settings: Any
) -> str:
    """Return the address of a match played by chance."""
    opening = moves_of(name, seats, most, **settings)
    made = table.server.match(name, *PEOPLE[:seats], opening=opening, **settings)
    return str(made["url"])


def look(table: PhotographedTable) -> str:
    """Open the look at a photo with a doubtful die; the page stays there."""
    url = table.race(2)
    table.shown = eyes(6, board="race-03")
    return f"{url}#look"


def pages(table: PhotographedTable) -> dict[str, Callable[[], str]]:
    """Return how to come to each page, by name."""
    made: dict[str, Callable[[], str]] = {
        "start": lambda: table.server.address,
        "style": lambda: f"{table.server.address}style",
        "match": lambda: table.race(7),
        "match-new": lambda: table.server.match("purple_house", "Mia", "Tom")["url"],
        "match-won": lambda: table.race(min(13, len(RACE["rounds"]))),
        "look": lambda: look(table),
        "tournament": lambda: random_match(table, "purple_house", 6, 120),
    }
    for name, (seats, most) in itertools.product(MOVES, ((2, None), (4, None), (6, 30))):
        if seats in GAMES[name].seats and (seats != 6 or name in ("farkle", "gords")):
            made[f"{name}-{seats}"] = lambda name=name, seats=seats, most=most: random_match(  # type: ignore[misc]
                table, name, seats, most or MOVES[name]
            )
    return made


@contextmanager
def a_table(browser: Browser) -> Iterator[PhotographedTable]:
    """Serve matches from a folder that is gone afterwards."""
    found: list[PhotographedTable] = []

    def see(sent: bytes, equipment: Equipment, spot: int = 0) -> PhotoReading:
        return found[0].shown(sent, equipment, spot)

    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), see) as server:
        found.append(PhotographedTable(server, browser.new_page()))
        yield found[0]


def pictures(browser: Browser, url: str) -> Iterator[Any]:
    """Return the pictures of a page, BGR: each screen, each scheme, and large text."""
    for screen, scheme, text in LOOKS:
        width, height = SCREENS[screen]
        page = browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        page.add_init_script(GUIDED)
        page.goto(url.removesuffix("#look"))
        page.wait_for_timeout(400)
        if text > 1:
            page.evaluate(LARGE_TEXT)
        if url.endswith("#look"):
            page.locator("#camera").set_input_files(photo(3))
            page.locator(CELLS).first.wait_for()
        page.wait_for_timeout(400)
        shot = cv2.imdecode(np.frombuffer(page.screenshot(full_page=True), np.uint8), 1)
        page.close()
        yield shot[:TALLEST]


def contact_sheet(shots: Iterable[Any]) -> Any:
    """Return pictures beside each other on one sheet."""
    shown = [np.asarray(shot) for shot in shots]
    high = max(shot.shape[0] for shot in shown)
    columns = []
    for shot in shown:
        below = np.full((high - shot.shape[0], shot.shape[1], 3), 128, np.uint8)
        beside = np.full((high, GAP, 3), 128, np.uint8)
        columns += [np.vstack([shot, below]), beside]
    return np.hstack(columns)


def main(
    names: Annotated[Sequence[str], "of pages, or how they begin"] = ("",), *, out: Path = OUT
) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with chromium() as browser, a_table(browser) as table:
        for name, come_to in pages(table).items():
            if name.startswith(tuple(names)):
                sheet = contact_sheet(pictures(browser, come_to()))
                cv2.imwrite(str(out / f"{name}.png"), sheet)
                print(out / f"{name}.png")
        for name, state in STATES.items():
            if f"entry-{name}".startswith(tuple(names)):
                sheet = contact_sheet(entry_states.pictures(browser, table.server, state))
                cv2.imwrite(str(out / f"entry-{name}.png"), sheet)
                print(out / f"entry-{name}.png")


if __name__ == "__main__":
    run(main)
