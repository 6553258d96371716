"""What the eyes of a browser alone cannot do is not offered."""

import json
import re
from html import unescape

import pytest

from webui.app import create_app
from webui.lite.at_once import AtOnce
from webui.lite.page_photo import PageEyes
from webui.store.upgrade import prepare


@pytest.mark.parametrize(
    ("game", "offered"), [("pig", True), ("farkle", True), ("purple_house", False)]
)
def test_only_photos_of_loose_dice_are_offered(tmp_path, game, offered):
    url = f"sqlite:///{tmp_path / 'log.db'}"
    prepare(url)
    phone = create_app(url, tmp_path / "photos", PageEyes().eyes, jobs=AtOnce).test_client()

    match = phone.post("/api/matches", json={"game": game, "names": ["Ada", "Ben"]}).json["id"]
    page = phone.get(f"/m/{match}").text

    table = json.loads(unescape(re.search('data-table="([^"]+)', page)[1]))
    assert (table["seen"], table["learns"]) == (offered, False)
    assert 'id="taught" class="small soft" hidden' in page
