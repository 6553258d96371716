"""A browser that does not trust the server's certificate keeps no pages, and says why."""

import re
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from tests.webui.serving import serving

pytestmark = pytest.mark.browser


@pytest.mark.release
def test_without_trust_the_missing_offline_page_is_explained(opened, tmp_path):
    with serving(tmp_path, "--https", "0") as server:
        with urlopen(f"{server.address}trust", timeout=20) as answer:
            found = re.search(r'https://[^"]+', answer.read().decode())
        assert found is not None
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


@pytest.mark.release
def test_a_browser_that_keeps_pages_says_nothing(opened, tmp_path):
    with serving(tmp_path) as server:
        page = opened(server.address, service_workers="allow")
        page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
        expect(page.locator("#untrusted")).to_be_hidden()
