"""Others who follow a match: tokens that only look, and webhooks, through the JSON interface."""

import json

import pytest

from tests.conftest import board_moves
from tests.webui.api.test_openapi import answered
from tests.webui.http.test_events import next_event
from tests.webui.http.test_live import phone, told
from tests.webui.serving import served
from webui.store.tables.phones import MOST_VIEWERS
from webui.store.tables.webhooks import MOST as MOST_WEBHOOKS


@pytest.fixture
def path(match):
    return f"/api/matches/{match['id']}"


@pytest.fixture
def token(client, path):
    made = answered(client, "post", f"{path}/viewers", json={"name": "Evening stream"})
    assert made["viewer"]["name"] == "Evening stream"
    return made["token"]


def test_a_token_shows_its_match_and_nothing_on_it_leads_to_where_one_plays(client, match, token):
    shown = answered(client, "get", "/api/view", headers={"Authorization": f"Bearer {token}"})

    assert shown == answered(client, "get", "/api/view", query_string={"token": token})
    assert (shown["names"], shown["public"], shown["seq"]) == (["Ada", "Ben"], match["public"], 1)
    events = client.get(f"/api/view/events?token={token}&after=0").text
    pages = [client.get(f"/m/{token}/board{part}").text for part in ("", "?plain", "/tally")]
    assert "Ada" in pages[0]
    assert "data: {" in events
    for text in (json.dumps(shown), events, *pages):
        assert match["id"] not in text
        assert match["code"][:6] not in text


def test_a_token_answers_at_no_other_address_of_a_match(client, token):
    assert client.get(f"/api/matches/{token}").status_code == 404
    assert client.get(f"/m/{token}").status_code == 404
    sent = {"after": 1, "moves": board_moves()}
    assert client.post(f"/api/matches/{token}/moves", json=sent).status_code == 404


def test_the_screen_of_a_match_is_shown_likewise(client, match, services):
    screen = services.store.match(match["id"]).screen

    assert client.get(f"/api/view?token={screen}").json["seq"] == 1


def test_a_token_that_is_revoked_shows_nothing_and_its_streams_end(client, app, match, path, token):
    with served(app) as port, phone(port) as overlay, phone(port) as page:
        overlay.request("GET", f"/api/view/events?token={token}")
        events = overlay.getresponse()
        page.request("GET", f"/api/live?match={token}")
        numbers = page.getresponse()
        assert told(numbers) == {"match": token, "seq": 1}
        client.post(f"{path}/undo", json={"after": 1})
        assert next_event(events)[1]["kind"] == "undo"

        assert client.delete(f"{path}/viewers/1").status_code == 204

        with pytest.raises(EOFError):
            next_event(events)
    assert client.get(f"/m/{token}/board").status_code == 404
    assert answered(client, "get", "/api/view", query_string={"token": token})["error"]
    assert answered(client, "get", f"{path}/viewers") == {"viewers": []}
    assert client.delete(f"{path}/viewers/1").status_code == 404


def test_the_token_is_not_stored(client, path, token, services):
    with services.store.database.reading() as connection:
        row = connection.exec_driver_sql("SELECT * FROM viewer").one()

    assert token not in map(str, row)


def test_a_token_ends_with_its_match(client, match, token):
    """The big screen's own address goes on to the rematch."""
    client.post(f"/api/matches/{match['id']}/moves", json={"after": 1, "moves": board_moves()})
    client.post(f"/m/{match['id']}/again")

    assert "data-next" not in client.get(f"/m/{token}/board").text


def test_a_match_has_so_many_tokens_and_webhooks_at_most(client, path):
    for kind, sent, most in (
        ("viewers", {"name": ""}, MOST_VIEWERS),
        ("webhooks", {"url": "https://example.org"}, MOST_WEBHOOKS),
    ):
        for _ in range(most):
            assert client.post(f"{path}/{kind}", json=sent).status_code == 201
        assert answered(client, "post", f"{path}/{kind}", json=sent)["error"]


def test_only_the_host_makes_them(hosted, client):
    match_id, host = hosted
    path = f"/api/matches/{match_id}"

    for kind, body in (("viewers", {"name": "x"}), ("webhooks", {"url": "https://example.org"})):
        assert client.get(f"{path}/{kind}").status_code == 403
        assert client.post(f"{path}/{kind}", json=body).status_code == 403
        assert host.post(f"{path}/{kind}", json=body).status_code == 201
        assert client.delete(f"{path}/{kind}/1").status_code == 403
    assert client.post(f"{path}/webhooks/1/test").status_code == 403


NO_URLS = ["", "example.org", "ftp://example.org", "https://", "https://ada:secret@example.org"]
NO_HOSTS = ["example.org:99999", "exa mple.org", "example.org/\n", "[::", f"e.org/{500 * 'x'}"]


@pytest.mark.parametrize("url", [*NO_URLS, *(f"https://{host}" for host in NO_HOSTS)])
def test_what_is_no_address_is_refused(client, path, url):
    assert answered(client, "post", f"{path}/webhooks", json={"url": url})["error"]


def test_the_secret_is_told_once(client, path):
    made = answered(client, "post", f"{path}/webhooks", json={"url": "https://example.org/p"})

    assert made["secret"].startswith("whsec_")
    (listed,) = answered(client, "get", f"{path}/webhooks")["webhooks"]
    assert listed == made["webhook"]
    assert client.delete(f"{path}/webhooks/1").status_code == 204
    assert answered(client, "post", f"{path}/webhooks/1/test")["error"]


def test_a_deleted_match_leaves_none_of_them(client, path, token, services):
    client.post(f"{path}/webhooks", json={"url": "https://example.org"})
    client.delete(path)

    with services.store.database.reading() as connection:
        for table in ("viewer", "webhook"):
            assert connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar() == 0
