"""Without the network: a page opens as it was last seen; a confirmed step is sent once, later."""

import json
import re
import socket
import socketserver
import threading
from contextlib import contextmanager, suppress
from ipaddress import ip_network
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests import ROOT
from tests.browser.faults.test_waiting import PLAIN, over_plain_http
from tests.browser.phones import eyes, photo, serving
from tests.browser.race_pages import (
    ROUND_1,
    confirm,
    expect_score,
    ready_match,
    start_match,
    take_photo,
)
from tests.conftest import AGREE
from tests.grids import few
from tests.webui import serving as real
from tests.webui.proxy import proxy
from webui.settings import ServerSettings

pytestmark = pytest.mark.browser

STATIC = ROOT / "webui" / "static"
# Resolves when a page is kept, by the worker that serves this one.
KEPT = """async path => {
  const pause = () => new Promise(done => setTimeout(done, 50));
  while (!(await caches.match(path)) || !navigator.serviceWorker.controller) await pause();
}"""
ROLL = "Ana rolls 3"


def kept_page(opened, address):
    """Open a match on a phone that has kept its page."""
    page = opened(address, service_workers="allow")
    page.evaluate(KEPT, urlsplit(page.url).path)
    return page


def test_a_match_opens_without_the_network_and_says_that_it_is_not_live(opened, tmp_path):
    with serving(tmp_path, eyes()) as server:
        page = kept_page(opened, server.match("pig", "Ana", "Ben")["url"])
        page.get_by_role("button", name=ROLL).click()
        expect(page.locator(".history > li")).to_have_count(1)
        page.evaluate(KEPT, urlsplit(page.url).path + "/tally")
        expect(page.locator("#untrusted")).to_be_hidden()  # it keeps pages, so nothing is said

    page.reload()

    expect(page.locator("#state")).to_have_text("offline")
    expect(page.get_by_text("as this phone last saw it")).to_be_visible()
    expect(page.locator(".history > li")).to_have_count(1)  # newer than the page that was loaded
    with serving(tmp_path, eyes(), server.port):
        expect(page.locator("#state")).to_have_text("live")
        expect(page.get_by_text("as this phone last saw it")).to_have_count(0)


@pytest.mark.release
@pytest.mark.parametrize(
    ("path", "button", "counted", "arrives", "plain"),
    few(
        [
            ("undo", "Take back", "Step 1 taken back", False, True),
            ("step/1", "Note it", "It fell off the table", True, False),
            ("step/1/correct?out=1", "Correct it", "Step 1 taken back", False, False),
        ]
    ),
)
def test_a_form_that_found_no_network_is_sent_once_when_it_returns(
    opened, server, path, button, counted, *, arrives, plain
):
    match = server.match("pig", "Ana", "Ben", opening=[{"move": "Roll", "pips": 4}])["url"]
    page = opened(f"{match}/{path}")
    if plain:
        over_plain_http(page, server)
    lose, back = lost(server, arrives=arrives), threading.Event()
    sent_to = page.locator("form[data-waits]").evaluate("form => form.action")
    page.route(sent_to, lambda to: to.fallback() if back.is_set() or not posts(to) else lose(to))
    for field in page.get_by_label("A note for everybody").all():
        field.fill(counted)
    page.get_by_role("button", name=button).click()
    expect(page.locator("#waiting")).to_contain_text(button)

    back.set()

    expect(page.locator(".history")).to_contain_text(counted)
    expect(page.locator("#waiting")).to_be_hidden()
    expect(page.locator(".history > li")).to_have_count(1 + ("taken back" in counted))


def posts(route):
    return route.request.method == "POST"


def test_a_photo_that_was_cut_off_in_its_middle_is_sent_again_and_counts_once(opened, server):
    with cutting(server, len(photo(1).read_bytes()) // 2) as (address, cut):
        made = server.match("purple_house", "Ana", "Ben", opening=[AGREE])
        page = opened(made["url"].replace(server.address, address))
        expect(page.locator("#state")).to_have_text("live")

        page.locator("#camera").set_input_files(photo(1))

        confirm(page)
        assert cut.is_set()
        expect_score(page, **ROUND_1)
        expect(page.locator(".history > li")).to_have_count(2)


@contextmanager
def cutting(server, most):
    """Pass on to the server, but lose the network once *most* bytes of a photo have come there."""
    cut, over, open_now = threading.Event(), threading.Event(), set[socket.socket]()

    def lose():
        cut.set()
        for end in list(open_now):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def pump(source, target, *, counted):
        sent = 0
        with suppress(OSError):
            while part := source.recv(4096):
                sent += len(part) if sent or b"/photos" in part.split(b"\r\n")[0] else 0
                if counted and sent > most and not cut.is_set():
                    lose()
                    return
                target.sendall(part)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    class Passing(socketserver.BaseRequestHandler):
        def handle(self):
            with socket.create_connection(("127.0.0.1", server.port)) as there:
                open_now.update((self.request, there))
                if over.is_set():
                    return
                back = threading.Thread(target=lambda: pump(there, self.request, counted=False))
                back.start()
                pump(self.request, there, counted=True)
                back.join()
                open_now.difference_update((self.request, there))

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Passing) as passing:
        thread = threading.Thread(target=passing.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{passing.server_address[1]}/", cut
        finally:  # a page that has lost one connection opens another at once
            passing.shutdown()
            thread.join()
            over.set()
            lose()


def lost(server, *, arrives):
    """Return what loses a step on its way to the server, or only the answer on its way back."""

    def lose(route):
        if arrives:
            there = route.request.url.replace(PLAIN, server.address)
            home = route.request.headers | {"origin": server.address.rstrip("/")}
            assert route.fetch(url=there, headers=home).ok
        route.abort()

    return lose


@pytest.mark.parametrize("arrives", few([False, True]))
def test_a_photo_that_was_confirmed_as_the_network_went_counts_once_after_a_reload(
    opened, server, *, arrives
):
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    lose = lost(server, arrives=arrives)
    page.route("**/moves", lose)
    page.get_by_role("button", name="Count it").click()
    expect(page.locator("#not-now")).to_contain_text("is kept on this phone")
    expect(page.locator("#waiting")).to_be_visible()

    page.unroute("**/moves", lose)
    page.reload()

    expect(page.locator("#look")).to_be_hidden()
    expect_score(page, **ROUND_1)
    expect(page.locator(".history > li")).to_have_count(2)
    page.reload()
    expect(page.locator("#tally")).to_be_visible()
    expect(page.locator("#waiting")).to_be_hidden()
    expect(page.locator(".history > li")).to_have_count(2)


@pytest.mark.parametrize("arrives", few([False, True]))
def test_over_plain_http_a_step_waits_over_a_reload_too(opened, server, *, arrives):
    page = opened(server.match("pig", "Ana", "Ben")["url"])
    over_plain_http(page, server)
    lose = lost(server, arrives=arrives)
    page.route("**/moves", lose)
    page.get_by_role("button", name=ROLL).click()
    expect(page.locator("#waiting")).to_contain_text(ROLL)
    page.reload()
    expect(page.locator("#waiting")).to_contain_text(ROLL)

    page.unroute("**/moves", lose)
    page.reload()

    expect(page.locator(".history > li")).to_have_count(1)
    expect(page.locator("#waiting")).to_be_hidden()


def test_the_page_can_be_installed_and_its_icons_are_small():
    manifest = json.loads((STATIC / "site.webmanifest").read_text(encoding="utf-8"))
    drawn = [icon for icon in manifest["icons"] if icon["type"] == "image/png"]

    kinds = {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
    assert {(icon["sizes"], icon["purpose"]) for icon in drawn} == kinds
    files = [(icon["src"], icon["sizes"]) for icon in drawn]
    for name, size in [*files, ("icons/icon-apple.png", "180x180")]:
        with Image.open(STATIC / name) as icon:
            assert icon.size == tuple(map(int, size.split("x")))
        assert (STATIC / name).stat().st_size < 8000, name


@pytest.mark.release
def test_without_trust_the_missing_offline_page_is_explained(opened, tmp_path):
    with real.serving(tmp_path, "--https", "0") as server:
        with urlopen(f"{server.address}trust", timeout=20) as answer:
            found = re.search(r'https://[^"]+', answer.read().decode())
        warned = {"ignore_https_errors": True, "service_workers": "allow"}
        page = opened(found[0], **warned)

        says = page.locator("#untrusted")
        expect(says).to_contain_text("does not trust this server's certificate yet")
        page.get_by_role("button", name=re.compile("^Start ")).click()
        expect(page.locator("#tally")).to_be_visible()
        expect(says).to_be_visible()
        says.get_by_role("link").click()
        expect(page.get_by_role("heading", name="Why your browser warns")).to_be_visible()
        expect(page.get_by_text("keeps pages for when the network is away")).to_be_visible()


BELOW = "/home/dice"


@pytest.mark.release
def test_a_match_is_played_by_taps_and_by_photo_below_a_path(opened, tmp_path):
    trusted = ServerSettings(proxies=(ip_network("127.0.0.1"),))
    with (
        serving(tmp_path, eyes(), settings=trusted) as server,
        proxy(server.port, BELOW, {"X-Forwarded-Prefix": BELOW}) as front,
    ):
        page = opened(front.address, service_workers="allow")
        page.evaluate("caches.open('of another program')")
        start_match(page)
        page.get_by_role("button", name="Ana rolls: 6").click()
        page.get_by_role("button", name="Ben rolls: 1").click()
        page.get_by_role("button", name="Ben takes white").click()
        follower = opened(page.url)
        take_photo(page, photo(1))
        confirm(page)
        expect_score(page, **ROUND_1)
        expect_score(follower, **ROUND_1)
        expect(follower.locator("#state")).to_have_text("live")
        page.evaluate(KEPT, urlsplit(page.url).path)

    assert front.strays == []
    page.reload()
    expect(page.get_by_text("as this phone last saw it")).to_be_visible()
    kept = page.evaluate("caches.keys()")
    assert f"pages{BELOW}" in kept
    assert "of another program" in kept
    assert {cookie["path"] for cookie in page.context.cookies()} == {BELOW}
