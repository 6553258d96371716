"""A copy of the matches of a browser: what is no copy is refused, and the matches stay open."""

from io import BytesIO

from webui.app import create_app
from webui.lite.copies import views
from webui.store.upgrade import prepare


def test_what_is_no_copy_is_refused_and_the_match_goes_on(tmp_path):
    url = f"sqlite:///{tmp_path / 'log.db'}"
    prepare(url)
    app = create_app(url, tmp_path / "photos")
    app.register_blueprint(views(url))
    phone = app.test_client()

    refused = phone.post("/copy", data={"copy": (BytesIO(b"notes"), "notes.zip")})
    made = phone.post("/api/matches", json={"game": "pig", "names": ["Ada", "Ben"]})

    assert (refused.status_code, made.status_code) == (400, 201)
    assert "Nothing was changed" in refused.text
