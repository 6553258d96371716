"""Eyes of a page that many tests ask: to open them takes longer than most of what they read."""

import pytest

from tests.browser.phones import Phones
from tests.browser.preview import BrowserEyes


@pytest.fixture(scope="package")
def eyes(browser, _shared):
    """Return the eyes on the page of a match."""
    phones = Phones(browser)
    eyes = BrowserEyes.on(phones.open(_shared[0].match("farkle", "Ada", "Ben")["url"], eyes=True))
    yield eyes
    eyes.close()
    phones.put_back()
