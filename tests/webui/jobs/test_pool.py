"""Photos wait for the eyes in a queue that holds no thread; each phone is told its place."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from io import BytesIO
from unittest.mock import Mock

import pytest

from tests.conftest import picture, send_photo
from tests.webui.api.test_openapi import answered
from webui.errors import Busy, DiskFull, NotFound, NotRead, Problem
from webui.eyes.eyes import Eyes
from webui.jobs import order as limits
from webui.jobs import pool
from webui.jobs.order import AT_ONCE, FULL, OF_ONE_MATCH, YOURS, Order
from webui.jobs.pool import OwnJobs
from webui.jobs.shared import packed, unpacked


class Slow:
    """Eyes that look at every photo until they are told to go on; *then* says what they see."""

    def __init__(self, then):
        self.looking = threading.Semaphore(0)
        self.go_on = threading.Event()
        self.then = then

    def __call__(self, _photo, _equipment, _spot=0):
        then = self.then  # what comes of this photo, however many are looked at meanwhile
        self.looking.release()
        assert self.go_on.wait(60)
        return then()


@pytest.fixture
def slow(services, eyes):
    """Eyes of the app that look until they are told to go on."""
    eyes.show()
    made = Slow(lambda: eyes.shown)
    services.eyes = Eyes(made)
    yield made
    made.go_on.set()
    services.jobs._executor.shutdown()  # what waits is read while there is a store


@contextmanager
def both_busy(app, match, slow):
    """Let both eyes look at a photo; in the end, their answers are those of any photo."""
    with ThreadPoolExecutor() as phones:
        sent = [phones.submit(send, app.test_client(), match) for _ in range(AT_ONCE)]
        for _ in sent:
            assert slow.looking.acquire(timeout=60)
        try:
            yield
        finally:
            slow.go_on.set()
        assert [one.result().status_code for one in sent] == [201] * AT_ONCE


def send(phone, match):
    return send_photo(phone, match["id"])


def settled(phone, path):
    """Ask for the answer of a job until it is there."""
    while (answer := phone.get(path)).status_code == 200 and "place" in answer.json:
        pass
    return answer


def test_where_no_eye_is_free_a_photo_gets_a_place_and_later_its_answer(app, client, match, slow):
    with both_busy(app, match, slow):
        first, second = send(client, match), send(client, match)

        assert [one.status_code for one in (first, second)] == [202, 202]
        assert [one.json["place"] for one in (first, second)] == [1, 2]
        path = second.headers["Location"]
        assert path == f"/api/matches/{match['id']}/jobs/{second.json['job']}"
        asked = client.get(path)
        assert (asked.status_code, asked.json) == (200, second.json)
        assert int(second.headers["Retry-After"]) == int(asked.headers["Retry-After"]) == 1

    answer = settled(client, path)
    assert answer.json["proposal"]["moves"]
    assert client.get(f"/api/matches/{match['id']}/sightings/{answer.json['sighting']}").json
    assert client.get(path).json == answer.json  # the first answer may have been lost


def test_the_queue_is_described_as_it_is_and_meanwhile_all_else_is_answered(
    app, client, match, slow
):
    path = f"/api/matches/{match['id']}"
    photo = {"data": picture(), "content_type": "image/jpeg"}
    with both_busy(app, match, slow):
        waiting = answered(client, "post", f"{path}/photos", **photo)
        answered(client, "get", f"{path}/jobs/{waiting['job']}")
        assert client.get(path).status_code == client.get("/healthz").status_code == 200

    settled(client, f"{path}/jobs/{waiting['job']}")
    assert "sighting" in answered(client, "get", f"{path}/jobs/{waiting['job']}")


@pytest.mark.parametrize("refused", [NotRead("A joke."), Busy("A queue."), DiskFull("A disk.")])
def test_a_photo_that_is_refused_is_so_whenever_it_is_asked(app, client, match, slow, refused):
    with both_busy(app, match, slow):
        slow.then = Mock(side_effect=refused)
        path = send(client, match).headers["Location"]

    assert settled(client, path).status_code == refused.status
    error = answered(client, "get", path)["error"]
    assert (error["kind"], error["sentence"]) == (refused.kind, str(refused))


def test_a_match_does_not_fill_the_queue_alone(app, client, match, new_match, slow):
    with both_busy(app, match, slow):
        answers = [send(client, match) for _ in range(OF_ONE_MATCH + 1)]

        assert [one.status_code for one in answers] == [202] * OF_ONE_MATCH + [503]
        error = answers[-1].json["error"]
        assert (error["kind"], error["sentence"]) == ("Busy", YOURS)
        assert int(answers[-1].headers["Retry-After"]) > 0
        assert send(client, new_match()).status_code == 202


class OfSize(BytesIO):
    """A photo of some size that takes no memory."""

    def __init__(self, size):
        super().__init__()
        self.size = size

    def seek(self, _place, _whence=0):
        return self.size


def order(match_id="", address="", **more):
    return Order("photo", match_id, {}, address, **more)


@contextmanager
def held_up():
    """Yield a queue whose one eye looks at its first photo until all is tried; and what it did."""
    go_on, inside, done = threading.Event(), threading.Event(), list[str]()

    def work(asked, _photo):
        if inside.is_set():
            done.append(asked.id)
        inside.set()
        assert go_on.wait(60)
        return {}

    queue = OwnJobs(work, at_once=1)
    queue.submit(order())
    assert inside.wait(60)
    try:
        yield queue, done
    finally:
        go_on.set()


@pytest.mark.parametrize(
    ("waiting", "next_one", "words"),
    [
        ([(f"m{n}", f"a{n}", 1) for n in range(limits.WAITING)], ("m", "a", 1), FULL),
        ([("m", "a", limits.WAITING_BYTES - 5)], ("m", "a", 6), FULL),
        ([(f"m{n}", "a", 1) for n in range(limits.OF_ONE_ADDRESS)], ("m", "a", 1), YOURS),
    ],
    ids=["count", "bytes", "one address"],
)
def test_the_queue_is_bounded(waiting, next_one, words):
    with held_up() as (queue, _done):
        for match_id, address, size in waiting:
            queue.submit(order(match_id, address), OfSize(size))

        match_id, address, size = next_one
        with pytest.raises(Busy) as refusal:
            queue.check(*next_one)
        with pytest.raises(Busy):
            queue.submit(order(match_id, address), OfSize(size))
        assert str(refusal.value) == words


def test_a_person_waits_for_no_photo_that_a_camera_sent_before():
    with held_up() as (queue, done):
        frames = [queue.submit(order("m", patient=True)) for _ in range(2)]
        person = queue.submit(order("m"))

        assert [queue.place(job) for job in (person, *frames)] == [1, 2, 3]
    assert [queue.answer(job, wait=True) for job in (person, *frames)] == [{}] * 3
    assert done == [person.id, *(job.id for job in frames)]


def test_a_bounded_number_of_answers_is_kept(monkeypatch):
    monkeypatch.setattr(pool, "KEPT", 3)
    queue = OwnJobs(lambda _order, _photo: {})

    asked = []
    for _ in range(6):
        asked.append(queue.submit(order("m")))
        queue.answer(asked[-1], wait=True)

    for job in asked[:-3]:
        with pytest.raises(NotFound):
            queue.find("m", job.id)
    assert [queue.find("m", job.id).id for job in asked[-3:]] == [job.id for job in asked[-3:]]


def test_what_waits_when_the_server_stops_is_told_so():
    with held_up() as (queue, done):
        waiting = queue.submit(order("m"), sent := BytesIO(picture()))
        queue.close()

    assert "server is stopping" in queue.answer(waiting, wait=True).sentence
    assert (done, sent.closed) == ([], True)


def test_what_nobody_foresaw_is_logged_once_and_told_in_a_sentence(
    app, client, match, slow, caplog
):
    with both_busy(app, match, slow):
        slow.then = Mock(side_effect=StopIteration)
        path = send(client, match).headers["Location"]

    answers = [settled(client, path), client.get(path)]

    assert [one.status_code for one in answers] == [500, 500]
    assert answers[1].json["error"]["sentence"].startswith("Something went wrong")
    # An app of an earlier test may still warn that its files are gone.
    errors = [record for record in caplog.records if record.levelname == "ERROR"]
    assert [record.exc_info[0] for record in errors] == [StopIteration]


@pytest.mark.parametrize("of_another", [True, False])
def test_an_answer_is_for_its_own_match_only(client, match, new_match, of_another, services):
    services.eyes = Eyes(Mock(side_effect=NotRead("A joke.")))
    job = services.jobs.submit(Order("photo", match["id"], {"spot": 0}))
    asked = new_match()["id"] if of_another else match["id"]
    name = job.id if of_another else "0" * 24

    answer = client.get(f"/api/matches/{asked}/jobs/{name}")

    assert answer.status_code == 404
    assert "Send it again" in answer.json["error"]["sentence"]


def test_problems_are_stored_whole():
    problem = Problem(503, "Busy", "Wait.", headers={"Retry-After": "5"})
    assert unpacked(packed(problem)) == problem
    assert unpacked(packed({"b": 1, "a": 2})) == {"b": 1, "a": 2}
