"""Pages of other sites: none may call the JSON interface but those that the owner has named."""

import pytest

from tests.conftest import AGREE
from webui.commands.servers import serve_parser
from webui.settings import ServerSettings

NAMED = "https://overlay.example"
OTHER = "https://elsewhere.example"
NEW = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE]}


@pytest.fixture
def client(make_app, eyes):
    return make_app(eyes, ServerSettings(origins=(NAMED,))).test_client()


def asks(client, path, origin, **headers):
    headers |= {"Origin": origin, "Access-Control-Request-Method": "POST"}
    return client.options(path, headers=headers)


def allowed(answer):
    return answer.headers.get("Access-Control-Allow-Origin")


def test_a_named_site_may_read_and_write_the_json_interface(client):
    sent = {"Origin": NAMED, "Sec-Fetch-Site": "cross-site"}
    made = client.post("/api/matches", json=NEW, headers=sent)
    read = client.get(f"/api/matches/{made.json['id']}", headers=sent)

    assert (made.status_code, allowed(made)) == (201, NAMED)
    assert (read.status_code, allowed(read)) == (200, NAMED)
    for answer in (made, read):
        assert "Origin" in answer.vary
        assert "Access-Control-Allow-Credentials" not in answer.headers


def test_a_browser_that_asks_first_is_told_what_a_named_site_may_do(client):
    answer = asks(client, "/api/matches/none/webhooks", NAMED)

    assert (answer.status_code, allowed(answer)) == (204, NAMED)
    assert "DELETE" in answer.headers["Access-Control-Allow-Methods"]
    assert "Authorization" in answer.headers["Access-Control-Allow-Headers"]


@pytest.mark.parametrize("origin", [OTHER, "null", f"{NAMED}.evil.example", f"{NAMED}:8443"])
def test_no_other_site_may(client, origin):
    sent = {"Origin": origin, "Sec-Fetch-Site": "cross-site"}
    made = client.post("/api/matches", json=NEW, headers=sent)
    read = client.get("/api/games", headers=sent)

    assert (made.status_code, allowed(made)) == (403, None)
    assert (allowed(read), allowed(asks(client, "/api/games", origin))) == (None, None)
    assert "Origin" in read.vary  # or a cache would give the answer to a site that may


def test_pages_and_errors_are_not_theirs_but_errors_of_the_interface_are(client):
    sent = {"Origin": NAMED, "Sec-Fetch-Site": "cross-site"}

    assert allowed(client.get("/", headers=sent)) is None
    assert client.post("/start", headers=sent).status_code == 403
    wrong = client.get("/api/matches/none", headers=sent)
    assert (wrong.status_code, allowed(wrong)) == (404, NAMED)


def test_a_page_of_another_site_is_never_the_phone_whose_browser_shows_it(client):
    """What the host's phone may do, a page that it looks at may not."""
    sent = {"game": "pig", "name": ["Ada", "Ben"]}
    path = f"/api/matches/{client.post('/start', data=sent).location.rpartition('/')[2]}/viewers"

    assert client.get(path).status_code == 200
    assert client.get(path, headers={"Origin": NAMED}).status_code == 403


def test_without_named_sites_nothing_is_said_of_any(make_app):
    answer = make_app().test_client().get("/api/games", headers={"Origin": NAMED})

    assert allowed(answer) is None
    assert "Origin" not in answer.vary


def test_the_owner_names_sites_as_options_or_in_the_environment(capsys):
    given = serve_parser().parse_args(
        ["--cors-origin", NAMED, "--cors-origin", "http://[::1]:3000"]
    )
    assert given.cors_origin == [NAMED, "http://[::1]:3000"]

    for wrong in ("*", "overlay.example", f"{NAMED}/", "null", "HTTPS://X"):
        with pytest.raises(SystemExit):
            serve_parser().parse_args(["--cors-origin", wrong])
    assert "write an origin" in capsys.readouterr().err
