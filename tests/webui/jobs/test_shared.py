"""Servers and workers share a queue: any answers, a lost one's photos are read by another."""

import tempfile
import threading
from contextlib import ExitStack, closing
from functools import partial
from io import BytesIO

import pytest
import sqlalchemy as sa

from tests.conftest import AGREE, FakeEyes, picture
from tests.webui.serving import HELD, process
from webui.api.orders import perform
from webui.app import create_app
from webui.errors import Busy, NotFound
from webui.eyes.eyes import Eyes
from webui.eyes.version import eyes_version
from webui.jobs import worker as workers
from webui.jobs.order import FULL, OF_ONE_MATCH, WAITING, YOURS, Order
from webui.jobs.shared import SharedJobs, Strays, waiting
from webui.jobs.shared_schema import JOB, MARK, prepare
from webui.jobs.worker import Sharing, Worker
from webui.match.photo import Desk
from webui.outside import deliveries
from webui.outside.deliveries import Deliveries
from webui.outside.post import Reach
from webui.store import notices
from webui.store.log import Store
from webui.store.notices import PROCESS, Presence
from webui.store.upgrade import CannotOpen

OURS = "0.0.1-ours"
SENT = {"data": picture(), "content_type": "image/jpeg"}
NEW = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE]}
LOST = 1.5  # seconds; in it a worker says several times that it is there, on a busy machine too


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    for name in ("POLL_SECONDS", "AGAIN_SECONDS"):
        monkeypatch.setattr(workers, name, 0.05)
    monkeypatch.setattr(deliveries, "LOOK_S", 0.02)


class Machines:
    """Servers and workers over one database and one store of photos."""

    def __init__(self, url, photos, stack):
        self.url, self.photos, self.stack = url, photos, stack
        self.eyes = FakeEyes()
        self.eyes.show()

    def server(self, version=OURS, eyes=0):
        """Start a server, without eyes unless it is given some; return its client."""
        jobs = partial(Sharing, version=version, eyes=eyes)
        app = create_app(self.url, self.photos, Eyes(self.eyes), jobs=jobs)
        services = app.extensions["pipsight"]
        self.stack.callback(services.store.close)
        self.stack.callback(services.jobs.close)
        return app.test_client()

    def store(self):
        store = Store(self.url, self.photos)
        self.stack.callback(store.close)
        return store

    def deliveries(self):
        """Send webhooks, as each server does."""
        return Deliveries(self.store(), Reach(private=True))

    def worker(self, work=None, lost=60.0):
        """Start a worker, with the eyes of the tests if it is given no other work."""
        store = self.store()
        made = Worker(store, work or partial(perform, Desk(store, Eyes(self.eyes))), OURS, 1, lost)
        self.stack.callback(made.close)
        return made


@pytest.fixture(scope="module")
def database(postgres_server):
    """A database with a queue that the tests share: to make one takes longer than they do."""
    postgres_server.renew()
    with tempfile.TemporaryDirectory() as folder:
        store = Store(postgres_server.url, folder)
        SharedJobs(store, OURS)
        empty(store)
        yield store
        store.close()


@pytest.fixture
def machines(database, tmp_path):
    with ExitStack() as stack:
        yield Machines(str(database.database.engine.url), str(tmp_path / "photos"), stack)
    empty(database)


def empty(store):
    with store.database.writing() as connection:
        for table in ("photo_job", "procrastinate_jobs", "process", "photo_place"):
            connection.execute(sa.text(f"DELETE FROM {table}"))


def new_match(client):
    return f"/api/matches/{client.post('/api/matches', json=NEW).json['id']}"


def settled(client, path):
    """Ask for the answer of a job until it is there."""
    pause = threading.Event()
    while True:
        answer = client.get(path)
        if answer.status_code != 503 and "place" not in answer.json:
            return answer
        pause.wait(0.02)


def rows(store, table):
    with store.database.reading() as connection:
        return list(connection.execute(sa.select(table)).mappings())


@pytest.mark.release
def test_a_photo_sent_to_one_server_is_read_by_a_worker_and_told_by_another(machines):
    first, second = machines.server(), machines.server()
    match = new_match(first)
    waits = [first.post(f"{match}/photos?patient={n}", **SENT) for n in (1, 0)]

    assert [one.status_code for one in waits] == [202, 202]
    frame, person = [one.headers["Location"] for one in waits]
    assert [second.get(path).json["place"] for path in (person, frame)] == [1, 2]

    machines.worker()
    answers = [settled(second, path) for path in (person, frame)]
    assert [one.status_code for one in answers] == [200, 200]
    assert answers[0].json["proposal"]["moves"]
    assert second.get(answers[0].json["photo"]).data == machines.eyes.shown.jpeg
    assert first.get(person).json == answers[0].json  # as often as it is asked for
    services = first.application.extensions["pipsight"]
    names = {file.name for file in services.store.photo_files.shelf.files()}
    photo = answers[0].json["photo"].rsplit("/", 1)[1]
    assert names == {photo, MARK}  # what was sent is gone: it has the camera's metadata
    assert second.get(person.replace(match, new_match(first))).status_code == 404


def test_a_server_with_eyes_of_its_own_answers_at_once(machines, caplog):
    client = machines.server(eyes=1)

    answer = client.post(f"{new_match(client)}/photos", **SENT)

    assert answer.status_code == 201
    assert answer.json["proposal"]["moves"]
    assert not caplog.records


@pytest.mark.release
def test_the_command_reads_photos_and_sends_webhooks_with_servers(machines, receiver):
    client = machines.server(version := eyes_version())
    match = new_match(client)
    sent = client.post(f"{match}/photos", data=picture(), content_type="image/jpeg")
    client.post(f"{match}/webhooks", json={"url": receiver.url})

    def note(after):
        client.post(f"{match}/notes", json={"after": after, "step": 1, "text": f"{after}"})

    note(after=1)
    where = ["--database", machines.url, "--photos", machines.photos, "--webhooks-private"]

    with process("-m", "webui.cli", "worker", "--eyes", "1", *where) as worker:
        answer = settled(client, sent.headers["Location"])
        assert (answer.json["width"], answer.json["height"]) == (320, 240)
        assert version in worker.stdout.readline()
        assert receiver.next()["seq"] == 2
        with closing(machines.deliveries()), closing(machines.deliveries()):
            note(after=2), note(after=3), note(after=4)
            assert [receiver.next()["seq"] for _ in range(3)] == [3, 4, 5]
        worker.terminate()
        assert worker.wait(30) == 0
    assert receiver.got.empty()
    store = client.application.extensions["pipsight"].store
    assert [row["kind"] for row in rows(store, PROCESS)] == ["server"]


def test_what_a_killed_worker_had_begun_is_done_by_another(machines, caplog):
    client = machines.server()
    path = client.post(f"{new_match(client)}/photos", **SENT).headers["Location"]

    with process("-c", HELD, machines.url, machines.photos, OURS) as held:
        assert held.stdout.readline().strip() == path.rsplit("/", 1)[1]
        assert client.get(path).json["place"] == 0
        held.kill()
        held.wait()
        machines.worker(lost=LOST)

        assert settled(client, path).json["proposal"]["moves"]
    assert "of a lost worker is taken over" in caplog.text


def test_a_photo_that_ends_its_reader_twice_is_given_up(machines):
    client = machines.server()
    path = client.post(f"{new_match(client)}/photos", **SENT).headers["Location"]
    services = client.application.extensions["pipsight"]
    with services.store.database.writing() as connection:
        connection.execute(JOB.update().values(begun=2))

    machines.worker()

    answer = settled(client, path)
    assert answer.status_code == 422
    assert "too long or too much memory" in answer.json["error"]["sentence"]
    assert machines.eyes.asked == []


def test_an_order_done_twice_is_stored_once(machines):
    client = machines.server()
    match = new_match(client)
    store = machines.store()
    work = partial(perform, Desk(store, Eyes(machines.eyes)))
    order = Order("photo", match.rsplit("/", 1)[1], {"spot": 0})

    first, again = work(order, picture()), work(order, picture())

    assert first == again
    assert first["sighting"] == order.id


def test_a_restarted_database_loses_no_photo(machines, postgres_server):
    client = machines.server()
    match = new_match(client)
    reading, go_on = threading.Semaphore(0), threading.Event()
    do = partial(perform, Desk(machines.store(), Eyes(machines.eyes)))

    def work(order, photo):
        reading.release()
        assert go_on.wait(60)
        return do(order, photo)

    machines.worker(work)
    paths = [client.post(f"{match}/photos", **SENT).headers["Location"] for _ in range(2)]
    assert reading.acquire(timeout=60)

    postgres_server.stop()
    away, refused = client.get(paths[1]), client.post(f"{match}/photos", **SENT)
    go_on.set()
    postgres_server.start()

    for answer in (away, refused):
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert all(settled(client, path).json["proposal"]["moves"] for path in paths)


def test_a_photo_waits_for_a_worker_of_its_version_and_both_sides_say_so(machines, caplog):
    client = machines.server("0.0.2-theirs")
    path = client.post(f"{new_match(client)}/photos", **SENT).headers["Location"]
    store = machines.store()
    assert "No worker reads photos for version 0.0.2-theirs" in caplog.text

    worker = Presence(store.database, "worker", OURS, 1)
    machines.stack.callback(worker.close)
    machines.worker()
    services = client.application.extensions["pipsight"]
    services.jobs._presence.beat()

    assert f"reads photos for servers of version {OURS}" in caplog.text
    assert f"Those that run are of {OURS}." in caplog.text
    assert client.get(path).json["place"] == 1

    machines.server(OURS)
    assert "Servers of other versions use these matches too: 0.0.2-theirs" in caplog.text


def test_the_shared_queue_is_bounded_and_says_when_to_come_back(machines):
    services = machines.server().application.extensions["pipsight"]
    jobs, full = services.jobs, [("m", "a")] * OF_ONE_MATCH
    for match, address in full:
        jobs.submit(Order("corners", match, {}, address))
    with pytest.raises(Busy, match=YOURS[:20]):
        jobs.submit(Order("corners", "m", {}, "b"))
    for number in range(WAITING - OF_ONE_MATCH):
        jobs.submit(Order("corners", f"m{number}", {}, f"a{number}"))

    with pytest.raises(Busy) as refusal:
        jobs.submit(Order("photo", "other", {}, "z"), BytesIO(picture()))

    assert str(refusal.value) == FULL
    assert refusal.value.retry_after
    assert [file.name for file in services.store.photo_files.shelf.files()] == [MARK]


def test_a_hall_is_one_address_and_has_half_of_a_longer_queue(machines, monkeypatch):
    jobs = machines.server().application.extensions["pipsight"].jobs
    monkeypatch.setattr("webui.jobs.shared.eyes_of", lambda *_: 4)

    for number in range(WAITING):
        jobs.submit(Order("corners", f"m{number}", {}, "hall"))

    with pytest.raises(Busy, match=YOURS[:20]):
        jobs.submit(Order("corners", "m", {}, "hall"))
    jobs.submit(Order("corners", "m", {}, "another"))


def test_what_nobody_asks_for_any_more_is_forgotten(machines):
    services = machines.server().application.extensions["pipsight"]
    job = services.jobs.submit(Order("photo", "m", {}), BytesIO(picture()))
    with services.store.database.writing() as connection:
        day = sa.text("UPDATE photo_job SET made_at = made_at - interval '25 hours'")
        connection.execute(day)

    worker = machines.worker()
    worker._forget()

    with pytest.raises(NotFound):
        services.jobs.find("m", job.id)
    with pytest.raises(FileNotFoundError):
        services.store.photo_files.shelf.read(waiting(job.id))


def test_a_photo_whose_order_never_came_goes_at_the_second_look(machines):
    services = machines.server().application.extensions["pipsight"]
    job = services.jobs.submit(Order("photo", "m", {}), BytesIO(picture()))
    shelf, strays = services.store.photo_files.shelf, Strays(services.store)
    shelf.write(waiting("0" * 24), picture())

    strays.sweep()
    assert len(list(shelf.files())) == 3
    strays.sweep()

    assert {file.name for file in shelf.files()} == {MARK, waiting(job.id)}


def test_a_fault_of_the_eyes_is_an_answer(machines):
    client = machines.server()
    match = new_match(client)

    def broken(_order, _photo):
        raise ZeroDivisionError

    machines.worker(broken)
    path = client.post(f"{match}/photos", **SENT).headers["Location"]
    answer = settled(client, path)

    assert (answer.status_code, answer.json["error"]["kind"]) == (500, "Broken")


def test_servers_that_start_at_once_make_one_queue(machines, postgres):
    machines.url = postgres.url
    starting = [threading.Thread(target=machines.server) for _ in range(3)]
    for thread in starting:
        thread.start()
    for thread in starting:
        thread.join()

    store = machines.store()
    assert len(rows(store, PROCESS)) == 3
    with store.database.writing() as connection:
        prepare(connection)  # and leaves one that is up to date as it is


def test_a_clock_that_is_an_hour_off_is_told_and_takes_nothing_over(machines, monkeypatch, caplog):
    client = machines.server()
    match = new_match(client)

    class Ahead(notices.datetime):
        @classmethod
        def now(cls, zone=None):
            return super().now(zone) + workers.timedelta(hours=1)

    monkeypatch.setattr(notices, "datetime", Ahead)
    store = machines.store()
    late = Presence(store.database, "worker", OURS, 1)
    machines.stack.callback(late.close)

    assert "60 minutes ahead of the database's" in caplog.text
    assert len(rows(store, PROCESS)) == 2  # the other is not taken for gone
    machines.worker()
    path = client.post(f"{match}/photos", **SENT)
    found = path if path.status_code == 201 else settled(client, path.headers["Location"])
    assert found.json["proposal"]["moves"]


def test_a_newer_version_does_not_change_the_database_under_an_older_one(machines, postgres):
    machines.url = postgres.url
    client = machines.server()
    store = client.application.extensions["pipsight"].store
    with store.database.writing() as connection:
        connection.execute(PROCESS.update().values(revision="r0001"))
        connection.execute(sa.text("UPDATE alembic_version SET version_num = 'r0007'"))

    with pytest.raises(CannotOpen, match="Stop that server"):
        machines.store()


def test_who_keeps_photos_elsewhere_is_told_before_any_photo_is_lost(machines, tmp_path):
    machines.server()
    machines.server()  # in the same place

    machines.photos = str(tmp_path / "elsewhere")
    with pytest.raises(CannotOpen, match="lie elsewhere than in"):
        machines.server()
