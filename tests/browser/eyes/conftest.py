"""A page whose own eyes many tests ask: to open them takes longer than most of what they read."""

import pytest

from tests.browser.phones import Phones
from tests.browser.preview import BrowserEyes


@pytest.fixture(scope="package")
def eyed(browser, _shared):
    """Return the page of a match."""
    phones = Phones(browser)
    yield phones.open(_shared[0].match("farkle", "Ada", "Ben")["url"], eyes=True)
    phones.put_back()


@pytest.fixture(scope="package")
def eyes(eyed):
    """Return the eyes on it."""
    eyes = BrowserEyes.on(eyed)
    yield eyes
    eyes.close()
