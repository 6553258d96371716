"""How light the page of a match is, on a slow phone: `make bench-page`.

The bytes and requests of its first visit, when it is painted and when its scripts are ready, at
1.6 Mbit/s with a processor slowed four times; what four taps on the panel restyle; the bytes that
each phone fetches for a step, early in a match and late; and how long a person waits for a photo
of 12 megapixels, from choosing it to what the phone sees itself and to what the server has read.
"""

import json
import os
import statistics
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any
from urllib.request import Request, urlopen

import cv2
import numpy as np
from playwright.sync_api import Browser, Page

from tests import ROOT
from tests.browser.phones import GUIDED, BrowserServer, server_and_browser

NETWORK = {"offline": False, "latency": 40, "downloadThroughput": 2e5, "uploadThroughput": 2e5}
SLOWER = 4  # than this machine's processor
VISITS = 5  # each with an empty cache; medians are printed
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
# The page follows its match when all its scripts have run.
READY = """const made = window.SharedWorker;
window.SharedWorker = function (...given) {
  window.readyAt ??= performance.now();
  return new made(...given);
};"""
TAPS = 4
SETTLED = 300  # ms from a tap until the page shows what it led to
PHOTO = ROOT / "webui" / "static" / "samples" / "farkle.jpg"
MEGAPIXELS_12 = (4032, 3024)
GRAIN = 8  # grey levels
UP = {"1.6 Mbit/s up": 2e5, "30 Mbit/s up": 3.75e6}  # bytes a second
PHOTOS = 3  # of each network; medians are printed
PATIENCE = 60_000  # ms for a photo
# When a photo is chosen, and when it is outlined and read, in ms of the page.
SEEN = """() => {
  const at = (window.at = {});
  const chosen = () => (at.chosen = performance.now());
  document.querySelector("#gallery").addEventListener("change", chosen, { capture: true });
  const append = FormData.prototype.append;
  FormData.prototype.append = function (name, photo, file) {
    at.size = photo.size;
    return append.call(this, name, photo, file);
  };
  const shown = (name) => document.querySelector(name);
  const look = () => {
    const now = performance.now();
    if (at.chosen && shown(".glimpsed text")) at.outlined ??= now;
    if (at.chosen && shown("#overlay:not([hidden]) [data-key]")) return (at.read = now);
    requestAnimationFrame(look);
  };
  look();
}"""
WAITED = """() => new Promise((done) => {
  const outlined = () => at.outlined ?? at.read; // the server was faster
  const waits = () => [at.size, outlined() - at.chosen, at.read - at.chosen];
  const look = () => (at.read ? done(waits()) : setTimeout(look, 50));
  look();
})"""
PLAYED = {"pig": (10, 100, 400), "purple_house": (10, 100), "farkle": (10, 100, 400)}


@dataclass(frozen=True)
class Visit:
    """What one visit cost, in bytes, requests and ms."""

    size: float
    requests: int
    painted: float
    ready: float


def new_phone(browser: Browser, **options: Any) -> Page:
    """Return a page that nobody has opened before, which shows no tips for a first match."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, **options)
    context.add_init_script(GUIDED)
    return context.new_page()


def visit(browser: Browser, address: str) -> Visit:
    """Open a match as a phone that has never been here."""
    page = new_phone(browser)
    context = page.context
    page.add_init_script(READY)
    devtools = context.new_cdp_session(page)
    sizes: list[float] = []
    asked: list[str] = []
    devtools.on("Network.loadingFinished", lambda done: sizes.append(done["encodedDataLength"]))
    devtools.on("Network.requestWillBeSent", lambda sent: asked.append(sent["request"]["url"]))
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", NETWORK)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address)
    page.wait_for_timeout(2000)
    painted, ready = page.evaluate(f"[{PAINTED}, window.readyAt]")
    context.close()
    return Visit(sum(sizes), sum(not url.startswith("data:") for url in asked), painted, ready)


def photographed(browser: Browser, address: str, up: float) -> tuple[float, float, float]:
    """Return the bytes of a photo, and the ms until it is outlined, and until it is read."""
    page = new_phone(browser)
    context = page.context
    page.goto(address)
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    photo = {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": large_photo()}
    waits: list[tuple[float, float, float]] = []
    for number in range(PHOTOS + 1):  # the first opens the eyes
        page.locator(".glimpsed").wait_for(state="attached")
        page.evaluate("document.querySelector('.glimpsed').replaceChildren()")
        page.evaluate(SEEN)
        page.locator("#gallery").set_input_files(files=[photo])
        page.locator("#overlay [data-key]").first.wait_for(timeout=PATIENCE)
        waits.append(page.evaluate(WAITED))
        page.locator("#close").click()
        if not number:
            slow = {"offline": False, "latency": 20, "downloadThroughput": -1}
            devtools.send("Network.emulateNetworkConditions", {**slow, "uploadThroughput": up})
    context.close()
    size, outlined, read = (statistics.median(column) for column in zip(*waits[1:], strict=True))
    return size, outlined, read


@cache
def large_photo() -> bytes:
    """Return a photo of 12 megapixels with the grain of a sensor in the evening."""
    width, height = MEGAPIXELS_12
    enlarged = cv2.resize(cv2.imread(str(PHOTO)), MEGAPIXELS_12, interpolation=cv2.INTER_CUBIC)
    noise = np.random.default_rng(1).normal(0, GRAIN, (height // 2, width // 2))
    grain = cv2.resize(noise.astype(np.float32), MEGAPIXELS_12)[..., None]
    return cv2.imencode(".jpg", np.clip(enlarged + grain, 0, 255).astype(np.uint8))[1].tobytes()


def restyled(browser: Browser, address: str) -> tuple[int, float]:
    """Return how many elements four taps on the panel of a match restyle, and in how many ms."""
    page = new_phone(browser, reduced_motion="reduce")
    page.goto(address)
    page.wait_for_timeout(SETTLED)
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    for place in range(TAPS):
        page.locator("#entry .key:visible").nth(place).click()
        page.wait_for_timeout(SETTLED)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    page.context.close()
    done = [one for one in events if one["name"] == "UpdateLayoutTree" and one["ph"] == "X"]
    elements = sum(one["args"].get("elementCount", 0) for one in done)
    return elements, sum(one["dur"] for one in done) / 1000


def tally_size(address: str) -> int:
    """Return the bytes of a match's tally as phones fetch it."""
    asked = Request(f"{address}/tally", headers={"Accept-Encoding": "br"})
    with urlopen(asked, timeout=20) as answer:
        return len(answer.read())


def tallies(server: BrowserServer, game: str, steps: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return how large the tally of a game is after each number of *steps*, as (steps, bytes)."""
    made = server.match(game, "Ada", "Ben")
    path = f"{server.address}api/matches/{made['id']}/moves"
    sizes: list[tuple[int, int]] = []
    for step in count(1):
        with urlopen(path, timeout=20) as answer:
            legal = answer.read()
        moves = json.loads(legal)
        if not moves["moves"] or step > steps[-1]:
            return sizes
        chosen = moves["moves"][step * 7 % len(moves["moves"])]["move"]
        server.post(f"matches/{made['id']}/moves", {"after": moves["seq"], "moves": [chosen]})
        if step in steps:
            sizes.append((step, tally_size(made["url"])))
    return sizes


def main() -> None:
    """Print the figures, and the load that they were measured under."""
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with server_and_browser() as (server, browser):
        for game in PLAYED:
            address = server.match(game, "Ada", "Ben")["url"]
            visits = [visit(browser, address) for _ in range(VISITS)]
            size, requests, painted, ready = (
                statistics.median(getattr(one, name) for one in visits)
                for name in ("size", "requests", "painted", "ready")
            )
            print(
                f"{game:14} {size / 1000:.1f} kB, {requests:.0f} requests,"
                f" painted after {painted:.0f} ms, scripts ready after {ready:.0f} ms"
            )
            elements, took = restyled(browser, address)
            print(f"{game:14} {TAPS} taps restyle {elements} elements in {took:.0f} ms")
        address = server.match("farkle", "Ada", "Ben")["url"]
        for name, up in UP.items():
            size, outlined, read = photographed(browser, address, up)
            print(
                f"a photo, {size / 1000:.0f} kB, {name}: outlined after {outlined:.0f} ms,"
                f" read after {read:.0f} ms"
            )
        for game, steps in PLAYED.items():
            sizes = tallies(server, game, steps)
            said = ", ".join(f"{size / 1000:.1f} kB at step {at}" for at, size in sizes)
            print(f"{game:14} a tally: {said}")
    print(f"load {os.getloadavg()[0]:.1f} after")
