"""A copy of the matches of a browser: put back, and refused where it is none."""

from io import BytesIO

from webui.app import create_app
from webui.lite.copies import views
from webui.store.upgrade import prepare

PIG = {"game": "pig", "names": ["Ada", "Ben"]}


def browser_in(folder):
    """Return a browser that runs Pipsight itself over the matches in *folder*."""
    folder.mkdir(exist_ok=True)
    url = f"sqlite:///{folder / 'log.db'}"
    prepare(url)
    app = create_app(url, folder / "photos")
    app.register_blueprint(views(url))
    return app.test_client()


def test_on_another_phone_all_matches_of_a_copy_are_there_and_its_own(tmp_path):
    old, new = browser_in(tmp_path / "old"), browser_in(tmp_path / "new")
    started = old.post("/start", data={"game": "pig", "name": ["Ada", "Ben"]})
    match = started.location.rsplit("/", 1)[1]
    old.post("/api/matches", json=PIG)  # by no page: it has no host
    with old.get("/copy.zip") as saved:
        copy = BytesIO(saved.data)

    new.post("/copy", data={"copy": (copy, "pipsight.zip")})

    again = browser_in(tmp_path / "new")  # the shell starts it anew, and keeps the cookies
    again._cookies = new._cookies
    listed = again.get("/matches").text
    assert (listed.count('id="m-'), listed.count("Delete the match")) == (2, 2)
    assert f'id="m-{match}"' in listed


def test_what_is_no_copy_is_refused_and_the_match_goes_on(tmp_path):
    phone = browser_in(tmp_path)

    refused = phone.post("/copy", data={"copy": (BytesIO(b"notes"), "notes.zip")})
    made = phone.post("/api/matches", json=PIG)

    assert (refused.status_code, made.status_code) == (400, 201)
    assert "Nothing was changed" in refused.text


def test_where_there_is_no_server_no_page_sends_people_to_who_runs_it(tmp_path):
    phone = browser_in(tmp_path)

    pages = [phone.get(page).text for page in ("/matches", "/players")]

    assert not any("Whoever runs the server" in page for page in pages)
