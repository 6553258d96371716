"""Matches kept in PostgreSQL: several servers play them, and the database may restart."""

import threading
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from hashlib import sha256

import pytest

from scorer import Doubt
from scorer.messages import raw
from tests.conftest import AGREE, FakeEyes, board_moves, picture
from tests.matches import ended
from tests.webui.camera.shown_tables import PageCamera, ShownTable, agree, first_form
from tests.webui.serving import HELD, HeldStream, listen, next_seq, process, serving
from webui.api.orders import perform
from webui.app import create_app
from webui.eyes.eyes import Eyes
from webui.eyes.version import eyes_version
from webui.eyes.watched_table import WatchedTable
from webui.http.live import Live
from webui.jobs.worker import Worker
from webui.match.photo import Desk
from webui.store.log import Store
from webui.store.notices import Notices
from webui.store.schema import SIGHTING
from webui.store.upkeep import delete_photos
from webui.terminal import matches as played

LONG = 3600.0  # seconds; a heartbeat that cannot be what delivers the news
PIG = {"game": "pig", "names": ["Ada", "Ben"]}
NEW = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE]}


@pytest.fixture
def client(postgres, tmp_path):
    """A phone at a server over PostgreSQL."""
    app = create_app(postgres.url, tmp_path / "photos", Eyes(FakeEyes()))
    yield app.test_client()
    app.extensions["pipsight"].store.close()


def test_a_match_is_played_on_after_the_database_was_restarted(postgres, client):
    match = client.post("/api/matches", json=NEW).json
    page, moves = f"/m/{match['id']}", f"/api/matches/{match['id']}/moves"
    first, second = board_moves()[:2]
    assert client.post(moves, json={"after": 1, "moves": [first]}).status_code == 201

    postgres.stop()
    away = client.post(moves, json={"after": 2, "moves": [second]})
    looked = client.get(page)
    postgres.start()

    assert (away.status_code, looked.status_code) == (503, 503)
    assert "nothing was stored" in away.json["error"]["sentence"]
    assert away.headers["Retry-After"]
    assert client.get(page).status_code == 200
    assert client.post(moves, json={"after": 2, "moves": [second]}).status_code == 201

    postgres.stop()
    postgres.start()  # between two requests: nobody notices
    assert client.get(page).status_code == 200
    assert client.post(f"{page}/undo", data={"after": 3, "request": "u"}).status_code == 303


def test_what_one_server_stores_is_heard_at_another_at_once(postgres, client):
    """Neither a heartbeat tells it, nor the server that stored it."""
    store = client.application.extensions["pipsight"].store
    match = client.post("/api/matches", json=NEW).json["id"]
    back = threading.Semaphore(0)
    live = Live(store.news_of, heartbeat=LONG)
    notices = Notices(postgres.url, live.tell, lambda: back.release() or live.catch_up())
    back.acquire(timeout=30)
    phone = HeldStream(live, match)

    rematch = ended(client, match)
    assert phone.next() == "event: seq\nid: 2\ndata: 2"
    again = client.post(rematch).location.rpartition("/")[2]
    assert phone.next() == f"event: next\ndata: {again}"

    postgres.stop()
    postgres.start()
    client.post(f"/api/matches/{match}/undo", json={"after": 2})  # perhaps told to nobody
    assert phone.next() == "event: seq\nid: 3\ndata: 3"
    assert back.acquire(timeout=30)
    notices.close()
    live.close()


def test_a_deleted_match_is_gone_at_every_server_and_old_photos_go(postgres, tmp_path):
    with two_servers(postgres, tmp_path) as (first, second, live):
        gone, stays = (first.post("/api/matches", json=NEW).json["id"] for _ in range(2))
        store = second.application.extensions["pipsight"].store
        for match, width in ((gone, 64), (gone, 72), (stays, 72), (stays, 80)):
            store.keep(match, {}, picture(width))
        phone = HeldStream(live, gone)

        assert second.get(f"/m/{gone}").status_code == 200
        assert first.post(f"/m/{gone}/delete", data={"sure": "yes"}).status_code < 400
        assert phone.next() == "event: seq\nid: 2\ndata: 2"  # it asks for that, and is told
        assert second.get(f"/m/{gone}").status_code == 404
        assert len(list(store.photo_files.shelf.files())) == 2

        with store.database.writing() as connection:
            long_ago = SIGHTING.c.photo == sha256(picture(80)).hexdigest()
            connection.execute(SIGHTING.update().where(long_ago).values(at="2020-01-01T00:00:00Z"))
        assert delete_photos(store, days=90).photos == 1
        assert len(list(store.photo_files.shelf.files())) == 1


def test_what_a_camera_asks_at_one_server_is_answered_at_another(postgres, tmp_path):
    shown = ShownTable()
    with two_servers(postgres, tmp_path, lambda: shown) as (first, second, live):
        match = first.post("/api/matches", json=PIG).json["id"]
        phone = HeldStream(live, match, last_seq=0)
        camera, other = PageCamera(first, shown, match), PageCamera(second, shown, match)
        camera.start()

        camera.throw(4, doubts=(Doubt(raw("is it a 4?")),))
        camera.throw(5, doubts=(Doubt(raw("is it a 5?")),))
        asked = [phone.next() for _ in range(2)]
        assert asked == [f"event: asked\ndata: {changes}" for changes in (1, 2)]
        assert "Is it a 4?" in other.tally
        agree(other)
        assert phone.next().startswith("event: seq")
        assert phone.next() == "event: asked\ndata: 3"
        assert "Is it a 5?" in camera.tally

        dropped = {"sighting": first_form(other.tally)["sighting"]}
        assert second.post(f"{other.path}/watch/drop", json=dropped).status_code == 200
        assert phone.next() == "event: asked\ndata: 4"
        assert "Not a roll" not in camera.tally
        camera.throw(3)
        assert phone.next().startswith("event: seq")  # the camera goes on
        assert other.start()[0] == 201
        assert camera.frame().status_code == 403  # two cameras would count each roll twice
        view = second.get(other.path).json
        assert [one["summary"] for one in view["history"]] == ["Ada rolls 4", "Ada rolls 3"]


@pytest.mark.release
def test_who_comes_and_what_the_host_changes_is_heard_at_another_server(postgres, tmp_path):
    with two_servers(postgres, tmp_path) as (host, guest, live):
        form = {"game": "pig", "name": ["Ada", "Ben"]}
        match = host.post("/start", data=form).location.rpartition("/")[2]
        phone = HeldStream(live, match, last_seq=0)

        guest.get(f"/m/{match}")
        hear(phone, "joined")
        host.post(f"/m/{match}/phones", data={"do": "watch", "phone": "2"})
        hear(phone, "roles")


def hear(phone, kind):
    """Wait for news of this kind; what the start of the match told may come before it."""
    while not phone.next().startswith(f"event: {kind}"):
        pass


@pytest.mark.release
def test_a_match_outlives_a_server_a_worker_and_a_restart_of_the_database(postgres, tmp_path, eyes):
    photos, eyes_of = str(tmp_path / "photos"), eyes_version()
    given = "--no-eyes", "--photos", photos
    server = partial(serving, tmp_path, *given, database=postgres.url)
    with server() as first, server() as second:
        match = first.call("/api/matches", NEW)[1]["id"]
        with closing(first.connect()) as phone, closing(listen(phone, match)) as heard:
            assert next_seq(heard) == 1
            assert move(second, match, 1) == 201
            assert next_seq(heard) == 2
            job = send(first, match)
            with process("-c", HELD, postgres.url, photos, eyes_of) as held:
                assert held.stdout.readline().strip() == job.rpartition("/")[2]
            first.process.kill()
            assert heard.read()[-1:] in (b"", b"\n")  # the stream breaks off
        with closing(second.connect()) as phone, closing(listen(phone, match, 0)) as heard:
            assert next_seq(heard) == 2  # what was stored at the other server is here
            postgres.stop()
            refused = move(second, match, 2)
            postgres.start()
            tries = iter(lambda: move(second, match, 2), 201)
            assert {refused, *tries} == {503}
            assert next_seq(heard) == 3
        eyes.show()
        with (
            closing(Store(postgres.url, photos)) as store,
            closing(Worker(store, partial(perform, Desk(store, Eyes(eyes))), eyes_of, 1, lost=1.5)),
        ):
            answers = iter(lambda: "proposal" in second.call(job)[1], True)
            assert not any(answers)  # until it is there, of the photo that the other had begun
        assert second.call(job)[1]["proposal"]["moves"]


@contextmanager
def two_servers(postgres, folder, watch=WatchedTable):
    """Yield phones at two servers, and what phones at the second one hear of the first."""
    with ExitStack() as stack:
        eyes = Eyes(FakeEyes(), watch=watch)
        apps = [create_app(postgres.url, folder / "photos", eyes) for _ in range(2)]
        for services in (app.extensions["pipsight"] for app in apps):
            stack.callback(services.store.close)
            stack.callback(services.cameras.close)
        live, ready = Live(services.store.news_of, heartbeat=LONG), threading.Semaphore(0)
        stack.callback(live.close)
        stack.callback(Notices(postgres.url, live.tell, ready.release).close)
        assert ready.acquire(timeout=30)
        yield *(app.test_client() for app in apps), live


def send(server, match):
    """Send a photo; return where its answer will be."""
    with closing(server.connect()) as phone:
        sent = {"Content-Type": "image/jpeg"}
        phone.request("POST", f"/api/matches/{match}/photos", picture(), sent)
        return phone.getresponse().headers["Location"]


def move(server, match, after):
    """Place the next die, however often it is sent; return the status."""
    moves = board_moves()[after - 1 : after]
    sent = {"after": after, "moves": moves, "request": f"move-{after}"}
    return server.call(f"/api/matches/{match}/moves", sent)[0]


def test_past_matches_are_found_by_the_title_that_players_gave_them(client):
    store = client.application.extensions["pipsight"].store
    for title in ("Skyjo", "SKYJO", "Straße 50 %", ""):
        new = {"game": "sum", "names": ["Ada", "Ben"], "settings": {"name": title}}
        made = client.post("/api/matches", json=new).json
        assert client.get(f"/m/{made['id']}").status_code == 200  # then the phone has opened it

    def found(title):
        answer = client.get("/api/matches", query_string={"game": title}).json
        return sorted(one["game"]["title"] for one in answer["matches"])

    assert found("skyjo") == ["SKYJO", "Skyjo"]
    assert found("STRASSE 50 %") == ["Straße 50 %"]
    assert "Skyjo" in client.get("/matches?game=skyjo").text
    assert played.resumed(store, "stra", None).row.settings["name"] == "Straße 50 %"
