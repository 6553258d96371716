"""What the eyes of a browser alone cannot do is not offered."""

import json
import re
from html import unescape

import pytest

from scorer import Equipment
from vision.warnings import CUT
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


def face_at(left):
    """Return a white 3 as the page's eyes see it, 20 px wide, on a photo of 100 px."""
    quad = [[left, 40], [left + 20, 40], [left + 20, 60], [left, 60]]
    probs = [float(value == 3) for value in range(7)]
    return {
        "quad": quad, "probs": probs, "colours": [["white", 1.0]], "confidence": 0.99, "sure": True
    }  # fmt: skip


def test_a_place_where_a_die_may_lie_is_asked_about_and_a_cut_one_is_said():
    found = {"width": 100, "height": 100, "ms": 1.0}
    perhaps = face_at(70)["quad"]
    eyes = PageEyes({**found, "faces": [face_at(10)], "perhaps": [perhaps]})
    asked = eyes.see(b"", Equipment())
    eyes.found = {**found, "faces": [face_at(-5)], "perhaps": []}
    cut = eyes.see(b"", Equipment())

    more = "There may be one more piece (right). Look there."
    assert asked.reading["warnings"] == [more]
    assert asked.reading["hint"] == more
    assert cut.reading["warnings"] == [CUT]
