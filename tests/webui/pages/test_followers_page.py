"""The host's page of overlays and webhooks."""

from __future__ import annotations

import re

import pytest


@pytest.fixture
def press(client, match):
    def send(do, **form):
        return client.post(f"/m/{match['id']}/followers", data={"do": do, **form})

    return send


def test_an_overlay_is_made_shown_once_and_removed(client, match, press):
    made = press("view", name="Evening <stream>")
    (overlay,) = re.findall(r"http://localhost(/m/\w+/board\?plain)<", made.text)

    assert "Ada" in client.get(overlay).text
    assert "Evening &lt;stream&gt;" in made.text
    page = client.get(f"/m/{match['id']}/followers").text
    assert overlay not in page
    press("revoke", number=1)
    assert client.get(overlay).status_code == 404


def test_a_webhook_is_added_tried_and_removed(client, match, press):
    made = press("hook", url=" http://127.0.0.1:9/hook ")
    assert "whsec_" in made.text

    tried = press("test", number=1)

    assert "127.0.0.1 is in a private network" in tried.text
    page = client.get(f"/m/{match['id']}/followers").text
    assert "http://127.0.0.1:9/hook" in page
    assert "whsec_" not in page
    assert "127.0.0.1:9" not in press("unhook", number=1).text


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"do": "hook", "url": "x"}, 400),
        ({"do": "test", "number": "7"}, 404),
        ({"do": "revoke"}, 404),
        ({"do": "fly"}, 400),
    ],
)
def test_what_cannot_be_done_says_why(press, form, status):
    refused = press(**form)

    assert refused.status_code == status
    assert 'role="alert"' in refused.text
    assert f'value="{form.get("url", "")}"' in refused.text  # what was typed stays


def test_the_page_is_the_hosts_alone(app):
    host, guest = app.test_client(), app.test_client()
    sent = {"game": "pig", "name": ["Ada", "Ben"]}
    path = host.post("/start", data=sent).location

    assert guest.get(f"{path}/followers").status_code == 403
    assert "/followers" not in guest.get(f"{path}/phones").text
    assert "/followers" in host.get(f"{path}/phones").text
