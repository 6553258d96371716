"""Behind a proxy that has other programs too: the pages stay below their path, live and offline."""

from ipaddress import ip_network
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.faults.test_offline import KEPT
from tests.browser.phones import eyes, photo, serving
from tests.browser.race_pages import ROUND_1, confirm, expect_score, start_match, take_photo
from tests.webui.proxy import proxy
from webui.settings import ServerSettings

pytestmark = pytest.mark.browser

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
