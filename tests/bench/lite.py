"""How long Pipsight without a server takes to start: `make bench-lite`, after `make site`.

Each part in ms since the page was opened: the first visit, then starts from what the browser keeps.
The site is served from this machine, uncompressed. `--slowdown 4` is a processor of a quarter of
the speed: pages and their workers are stopped for three quarters of the time, as a browser's own
throttling leaves workers out.
"""

import json
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Annotated

import psutil

from tests import ROOT
from tests.browser.phones import PHONE, chromium, wait_until
from tests.browser.test_lite import KEPT, STARTED, hosted

SITE = ROOT / "build" / "site"
STARTS = ("first visit", "later", "again")
BEAT = 0.02  # s, in which a slow processor stops once


def main(*, slowdown: Annotated[float, "times as slow as this machine"] = 1.0) -> None:
    """Print a row for each start."""
    with hosted(SITE) as host, chromium() as running, slow(slowdown):
        context = running.new_context(**{**PHONE, "service_workers": "allow"})
        for name in STARTS:
            page = context.new_page()
            page.goto(f"{host}/")
            page.locator(STARTED).wait_for(timeout=180_000, state="attached")
            parts = json.loads(page.locator("html").get_attribute("data-ready"))
            print(f"{name:14}", "  ".join(f"{part} {at}" for part, at in parts.items()))
            wait_until(page, partial(page.evaluate, KEPT))  # the copy of Python, for later starts
            page.close()


@contextmanager
def slow(times: float) -> Iterator[None]:
    """Stop the pages of the browsers of this process for a share of each BEAT."""
    ended = threading.Event()

    def stop_and_go() -> None:
        own = psutil.Process()
        while not ended.is_set():
            pages = [each for each in own.children(recursive=True) if _is_page(each)]
            for _ in range(25):  # until it looks for new ones
                _send(pages, signal.SIGSTOP)
                ended.wait(BEAT * (1 - 1 / times))
                _send(pages, signal.SIGCONT)
                ended.wait(BEAT / times)

    if times > 1:
        threading.Thread(target=stop_and_go, daemon=True).start()
    yield
    ended.set()


def _is_page(process: psutil.Process) -> bool:
    with suppress(psutil.Error):
        return "--type=renderer" in process.cmdline()
    return False


def _send(processes: list[psutil.Process], number: signal.Signals) -> None:
    for process in processes:
        with suppress(psutil.Error):
            process.send_signal(number)
