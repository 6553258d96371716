"""Our dice on the server: learned from a confirmed photo, chosen, switched off and forgotten."""

import json

import pytest

from tests.browser.phones import BOARDS
from tests.conftest import once, read_once, send_photo
from tests.webui.api.test_openapi import faults
from vision import NotTaught
from webui.api.openapi import document
from webui.eyes import lessons, photo
from webui.eyes.eyes import Eyes
from webui.match.taught import named
from webui.store.taught import MOST_LESSONS, TaughtTable

PHOTO = (BOARDS / "race-01.jpg").read_bytes()
TRUTH = json.loads((BOARDS / "race-01.json").read_text())
DICE = [
    {"center": die["center"], "value": die["value"], "colour": die["color"]}
    for die in TRUTH["dice"]
    if die["cell"]
]
LEARN = once(lessons.learn)
ON = "Photos are read with our dice"
OFF = "Photos are read without taught dice."


def see(content, equipment, spot=0, **taught):
    """Read a photo; without taught pieces it is read the same in each test."""
    if any(taught.values()):
        return photo.see(content, equipment, spot, **taught)
    return read_once(content, equipment, spot)


@pytest.fixture
def app(make_app):
    return make_app(see, learn=LEARN)


def read_photo(client, match, content=PHOTO):
    answer = send_photo(client, match["id"], content)
    assert answer.status_code == 201, answer.json
    return answer.json


def remember(client, match, sighting, dice=DICE):
    sent = {"sighting": sighting, "dice": dice}
    return client.post(f"/api/matches/{match['id']}/pieces", json=sent)


@pytest.fixture
def taught(client, match):
    answer = remember(client, match, read_photo(client, match)["sighting"])
    assert answer.status_code == 201, answer.json
    return answer.json


def page(client, match, what=""):
    return client.get(f"/m/{match['id']}{what}").get_data(as_text=True)


def test_confirmed_dice_are_learned_and_used(client, match, services, taught):
    assert list(faults(taught, document()["components"]["schemas"]["Taught"])) == []
    assert taught["faces"] >= 8
    assert taught["says"].startswith(ON)
    assert ON in page(client, match)

    asked = []
    services.eyes = Eyes(lambda *sent, **more: asked.append(more) or see(*sent, **more))
    answer = read_photo(client, match)

    assert asked == [{"learned": TaughtTable(services.store, "dice").used(match["id"]).learned}]
    assert "Teach them again" not in str(answer["reading"]["warnings"])


def test_a_match_switches_them_off_and_on_and_they_outlast_the_server(
    client, match, taught, make_app
):
    path = f"/m/{match['id']}/pieces"

    assert client.post(path, data={"pieces": ""}).status_code == 303
    assert OFF in page(client, match)
    assert client.post(path, data={"pieces": taught["pieces"]}).status_code == 303
    assert ON in page(client, match)
    assert client.post(path, data={"pieces": "others"}).status_code == 404
    assert ON in page(make_app().test_client(), match)


def test_another_match_may_choose_them_and_cannot_forget_them(
    client, match, new_match, services, taught
):
    other = new_match(names=["Cy", "Dee"])

    assert OFF in page(client, other)
    client.post(f"/m/{other['id']}/pieces", data={"pieces": taught["pieces"]})
    assert ON in page(client, other)
    assert "Ada" not in page(client, other, "/pieces")  # names stay in their match

    forget = {"forget": taught["pieces"]}
    refused = client.post(f"/m/{other['id']}/pieces/forget", data=forget)
    shown = page(client, other, "/pieces")
    assert refused.status_code == 403
    assert "Only the match that taught these dice can forget them" in refused.text
    assert ("Forget our dice" in shown, "This match taught none of these" in shown) == (False, True)
    client.post(f"/m/{other['id']}/pieces", data={"pieces": ""})
    assert TaughtTable(services.store, "dice").used(other["id"]) is None  # it can stop using them

    for _ in range(2):  # the second tap finds nothing left
        answer = client.post(f"/m/{match['id']}/pieces/forget", data=forget)
        assert answer.status_code == 303
    assert OFF in page(client, match)
    assert TaughtTable(services.store, "dice").all() == []


def test_an_open_page_hears_that_the_dice_it_uses_were_forgotten(
    client, match, new_match, services, taught
):
    other = new_match(names=["Cy", "Dee"])
    for change, says in (
        (lambda: client.post(f"/m/{other['id']}/pieces", data={"pieces": taught["pieces"]}), ON),
        (lambda: TaughtTable(services.store, "dice").forget(match["id"], taught["pieces"]), OFF),
    ):
        before = services.store.news(other["id"]), page(client, other, "/tally")
        change()
        assert services.store.news(other["id"]) != before[0]  # the stream tells it
        assert says in page(client, other, "/tally")
        assert says not in before[1]


def test_two_sets_of_one_minute_have_two_names(services, match, monkeypatch):
    table = TaughtTable(services.store, "dice")
    for second in (5, 6):
        monkeypatch.setattr("webui.store.taught.now", lambda at=second: f"2026-11-27T20:00:0{at}Z")
        table.keep(match["id"], {"faces": 3}, lessons=[])

    assert len({named(one) for one in table.all()}) == 2


def test_a_choice_that_is_not_sent_yet_survives_another_button(client, match, services, taught):
    kept = TaughtTable(services.store, "dice").keep(match["id"], {"faces": 6}, lessons=[])
    sent = {"forget": kept.id, "pieces": "", "board": ""}
    answer = client.post(f"/m/{match['id']}/pieces/forget", data=sent)

    shown = client.get(answer.location).text
    assert 'name="pieces" value="" checked' in shown
    assert kept.id not in shown


@pytest.mark.release
def test_a_second_photo_is_learned_together_with_the_first(client, match, services, taught):
    second = read_photo(client, match, (BOARDS / "race-02.jpg").read_bytes())
    truth = json.loads((BOARDS / "race-02.json").read_text())["dice"]
    dice = [{"center": d["center"], "value": d["value"], "colour": d["color"]} for d in truth]

    both = remember(client, match, second["sighting"], dice).json

    assert both["faces"] > taught["faces"]
    used = TaughtTable(services.store, "dice").used(match["id"])
    assert len(used.lessons) == MOST_LESSONS
    assert len(remember(client, match, second["sighting"], dice).json) == 3
    assert len(TaughtTable(services.store, "dice").used(match["id"]).lessons) == MOST_LESSONS


@pytest.mark.parametrize(
    ("change", "status", "sentence"),
    [
        ({"sighting": "unknown"}, 404, "This match has no such photo."),
        ({"dice": []}, 422, "None of the confirmed pieces was found"),
        ({"dice": [{"center": [9, 9], "value": 9, "colour": "red"}]}, 400, "0 to 6 pips, not 9"),
        ({"dice": [{"center": [9, 9], "value": 3, "colour": "beige"}]}, 400, "no such colour"),
        ({"dice": [{"center": [9], "value": 3, "colour": "red"}]}, 400, ""),
    ],
)
def test_bad_input_gets_a_sentence(client, match, change, status, sentence):
    assert "No dice have been taught here yet." in page(client, match, "/pieces")
    body = read_photo(client, match)
    sent = {"sighting": body["sighting"], "dice": DICE, **change}

    answer = client.post(f"/api/matches/{match['id']}/pieces", json=sent)

    assert (answer.status_code, sentence in answer.json["error"]["sentence"]) == (status, True)
    assert OFF in page(client, match)


def test_dice_taught_to_another_reader_are_left_out_and_told_of(monkeypatch, client, match, taught):
    def refuse(_):
        raise NotTaught("Teach them again.")

    monkeypatch.setattr(photo.vision.Adapter, "from_json", refuse)

    assert "Teach them again." in read_photo(client, match)["reading"]["warnings"]
