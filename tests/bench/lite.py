"""How long Pipsight without a server takes to start: `make bench-lite`, after `make site`.

Each part in ms since the page was opened: the first visit, then starts from what the browser keeps.
The site is served from this machine, uncompressed.
"""

import json
from functools import partial

from tests import ROOT
from tests.browser.phones import PHONE, chromium, wait_until
from tests.browser.test_lite import KEPT, STARTED, hosted

SITE = ROOT / "build" / "site"
STARTS = ("first visit", "later", "again")


def main() -> None:
    """Print a row for each start."""
    with hosted(SITE) as host, chromium() as running:
        context = running.new_context(**{**PHONE, "service_workers": "allow"})
        for name in STARTS:
            page = context.new_page()
            page.goto(f"{host}/")
            page.locator(STARTED).wait_for(timeout=180_000, state="attached")
            parts = json.loads(page.locator("html").get_attribute("data-ready"))
            print(f"{name:14}", "  ".join(f"{part} {at}" for part, at in parts.items()))
            wait_until(page, partial(page.evaluate, KEPT))  # the copy of Python, for later starts
            page.close()
