"""What waits for the network: a photo over a reload, and sentences that are no longer true."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.phones import eyes, photo, send_again, serving
from tests.browser.race_pages import CELLS, ROUND_1, confirm, expect_score, ready_match, take_photo
from tests.grids import few

pytestmark = pytest.mark.browser

UNREACHED = "The server cannot be reached"
PLAIN = "http://table.lan/"  # no https, and not this machine: what a phone on the Wi-Fi opens


def over_plain_http(page, server):
    """Serve the page at an address that browsers do not trust."""

    def pass_on(route):
        if "/api/live" in route.request.url:
            return route.abort()
        there = route.request.url.replace(PLAIN, server.address)
        home = route.request.headers | {"origin": server.address.rstrip("/")}
        return route.fulfill(response=route.fetch(url=there, headers=home))

    page.route(PLAIN + "**", pass_on)
    page.goto(page.url.replace(server.address, PLAIN))
    assert not page.evaluate("isSecureContext")


def not_sent(page, number):
    """Take a photo that does not reach the server."""
    page.route("**/photos*", lambda route: route.abort())
    page.locator("#camera").set_input_files(photo(number))
    expect(page.locator("#photo-says")).to_contain_text(UNREACHED)


@pytest.mark.parametrize("plain", few([False, True]))
def test_a_photo_that_was_not_sent_is_there_after_a_reload_or_given_up_for_good(
    opened, server, *, plain
):
    page = ready_match(opened, server)
    if plain:
        over_plain_http(page, server)
    not_sent(page, 1)
    page.get_by_role("button", name="Back").click()
    page.reload()
    expect(page.locator("#tally")).to_be_visible()
    expect(page.locator("#look")).to_be_hidden()
    not_sent(page, 1)

    page.reload()

    expect(page.locator("#photo-says")).to_contain_text(UNREACHED)
    expect(page.locator("#photo")).to_be_visible()
    if plain:
        return  # a route hands on no photo
    page.unroute("**/photos*")
    page.reload()
    expect(page.locator(CELLS)).to_have_count(9)  # sent by itself
    page.reload()
    expect(page.locator(CELLS)).to_have_count(9)
    confirm(page)
    expect_score(page, **ROUND_1)
    page.reload()
    expect(page.locator("#tally")).to_be_visible()
    expect(page.locator("#look")).to_be_hidden()
    not_sent(page, 2)
    page.unroute("**/photos*")
    send_again(page)
    expect(page.locator(CELLS)).to_have_count(9)


SLOW_DISK = """{
  const { open } = IDBFactory.prototype;
  IDBFactory.prototype.open = function (...given) {
    const opening = open.apply(this, given);
    const late = (done) => opening.addEventListener("success", () => setTimeout(done, 400));
    return Object.defineProperty(opening, "onsuccess", { set: late });
  };
}"""


@pytest.mark.parametrize("what", few(["step", "photo"]))
def test_what_is_said_to_wait_is_not_lost_by_a_reload_on_a_slow_phone(opened, server, what):
    page = opened("about:blank", own=True)
    page.add_init_script(SLOW_DISK)
    page.route(re.compile("/(moves|photos)"), lambda route: route.abort())
    page.goto(server.match("pig", "Ana", "Ben")["url"])
    waits = page.locator("#waiting" if what == "step" else "#photo-says")
    if what == "step":
        page.get_by_role("button", name="Ana rolls 3").click()
    else:
        page.locator("#camera").set_input_files(photo(1))
    expect(waits).to_contain_text("Ana rolls 3" if what == "step" else UNREACHED)

    page.reload()

    expect(waits).to_contain_text("Ana rolls 3" if what == "step" else UNREACHED)


@pytest.mark.release
def test_after_a_restart_no_sentence_says_that_the_server_is_gone(opened, tmp_path):
    """A move, a proposal, a confirm and a photo that found nobody; three are done by themselves."""
    with serving(tmp_path, eyes()) as server:
        said, looked, sent = (ready_match(opened, server) for _ in range(3))
        match = server.match("pig", "Ana", "Ben")["url"]
        said.goto(match)
        take_photo(looked, photo(1))
        for page in (said, looked, sent):
            expect(page.locator("#state")).to_have_text("live")

    said.get_by_role("button", name="Ana rolls 3").click()
    looked.get_by_role("button", name="Count it").click()
    sent.locator("#camera").set_input_files(photo(1))
    for page in (said, looked, sent):
        says = page.get_by_text(UNREACHED).or_(page.get_by_text("goes out by itself"))
        expect(says.first).to_be_visible()

    with serving(tmp_path, eyes(), server.port):
        for page in (said, looked, sent):
            expect(page.locator("#state")).to_have_text("live")
            expect(page.get_by_text(UNREACHED)).to_have_count(0)
        expect_score(looked, **ROUND_1)
        expect(sent.locator(CELLS)).to_have_count(9)
