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

    refused = new.post("/copy", data={"copy": (BytesIO(b"notes"), "notes.zip")})
    assert refused.status_code == 400
    assert "Nothing was changed" in refused.text
    new.post("/copy", data={"copy": (copy, "pipsight.zip")})

    again = browser_in(tmp_path / "new")  # the shell starts it anew, and keeps the cookies
    again._cookies = new._cookies
    listed = again.get("/matches").text
    assert (listed.count('id="m-'), listed.count("Delete the match")) == (2, 2)
    assert f'id="m-{match}"' in listed
    assert again.post("/api/matches", json=PIG).status_code == 201
    pages = listed + again.get("/players").text
    assert "Whoever runs the server" not in pages  # nobody does
