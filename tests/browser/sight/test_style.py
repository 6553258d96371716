"""The sample sheet: no part leaves its box or covers another, whatever the screen and the text."""

import pytest

from tests.browser.phones import serving
from tests.browser.sight.fits import check_layout

pytestmark = pytest.mark.browser


@pytest.fixture
def workshop(tmp_path, monkeypatch):
    """Return a server that is being developed."""
    monkeypatch.setenv("FLASK_DEBUG", "1")
    with serving(tmp_path) as server:
        yield server


@pytest.mark.release
def test_no_part_of_the_sample_sheet_leaves_its_box_or_covers_another(opened, workshop):
    check_layout(opened(f"{workshop.address}style"))


def test_the_sample_sheet_is_no_page_of_a_server_that_people_use(opened, server):
    page = opened("about:blank")

    answer = page.goto(f"{server.address}style")

    assert answer is not None
    assert answer.status == 404
