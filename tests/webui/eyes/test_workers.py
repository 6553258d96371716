"""A call that goes wrong ends alone: the others, and the next, are answered."""

import os
import signal
import threading
from collections import namedtuple
from contextlib import closing

import psutil
import pytest

from scorer import Equipment
from tests.conftest import picture, send_photo
from tests.webui.eyes import calls
from tests.webui.serving import serving
from webui.app import create_app
from webui.errors import NotRead
from webui.eyes import budget
from webui.eyes.budget import LITTLE, SMALL, USUAL
from webui.eyes.eyes import Eyes
from webui.eyes.processes import EyePool, WatchedApart
from webui.eyes.workers import Stopped, WorkerLost, Workers


@pytest.fixture(scope="module")
def workers():
    """One process that may take ten seconds and 500 MB."""
    with closing(Workers(1, calls.nothing, seconds=10, memory=500_000_000)) as made:
        yield made


def test_a_call_is_answered_by_a_process_of_lower_priority(workers):
    first, second = workers.call(calls.pid), workers.call(calls.pid)

    assert first == second != os.getpid()
    assert workers.call(calls.double, 21) == 42
    assert psutil.Process(first).nice() > psutil.Process().nice()


@pytest.mark.release
def test_frames_of_a_watching_camera_do_not_wait_for_other_programs():
    with closing(WatchedApart()) as table:
        (pid,) = table.pids()
        with pytest.raises(NotRead):
            table.look(b"no picture", 1.0, Equipment())

        assert psutil.Process(pid).nice() == psutil.Process().nice()


def test_ctrl_c_reaches_no_process_that_is_just_starting():
    with closing(Workers(1, calls.nothing)) as workers:
        (started,) = workers.pids()
        os.kill(started, signal.SIGINT)

        assert workers.call(calls.pid) == started


def test_what_is_raised_there_is_raised_here(workers):
    with pytest.raises(NotRead, match="Take the photo again"):
        workers.call(calls.refuse)


@pytest.mark.release
@pytest.mark.parametrize(
    ("function", "why"), [(calls.die, "it ended"), (calls.grow, "more than 500 MB")]
)
def test_a_process_that_is_lost_is_replaced(workers, function, why):
    before = workers.call(calls.pid)

    with pytest.raises(WorkerLost, match=why):
        workers.call(function)

    assert workers.call(calls.pid) != before
    assert not psutil.pid_exists(before)


@pytest.mark.release
@pytest.mark.parametrize("function", [calls.compute, calls.idle])
def test_a_process_that_takes_too_long_is_ended(function):
    with closing(Workers(1, calls.nothing, seconds=0.1)) as workers:
        with pytest.raises(WorkerLost, match="it took more than"):
            workers.call(function)

        assert len(workers.pids()) == 1


def test_a_process_that_died_between_two_calls_costs_nobody_an_answer(workers):
    before = workers.call(calls.pid)
    os.kill(before, signal.SIGKILL)
    while psutil.Process(before).status() != psutil.STATUS_ZOMBIE:
        pass

    assert workers.call(calls.pid) != before


@pytest.mark.release
def test_a_process_that_has_grown_is_replaced_after_its_answer(workers):
    workers.large = 1

    assert workers.call(calls.pid) != workers.call(calls.pid)


def test_closing_ends_what_is_going_on():
    workers = Workers(1, calls.nothing)
    ended = []

    def call():
        with pytest.raises(Stopped):
            workers.call(calls.idle)
        ended.append(True)

    thread = threading.Thread(target=call)
    thread.start()
    (pid,) = workers.pids()
    workers.close()
    thread.join(30)

    assert ended
    assert not psutil.pid_exists(pid)


@pytest.fixture(scope="module")
def eyes():
    with closing(EyePool(1)) as made:
        yield made


def test_a_photo_is_read_in_another_process_and_refused_in_the_same_words(eyes):
    sight = eyes.eyes.see(picture(640, 480), Equipment("grid:3x3", 9), 2)

    assert (sight.reading["width"], sight.table.spot) == (640, 2)
    with pytest.raises(NotRead, match="is not a photo"):
        eyes.eyes.see(b"text", Equipment())
    assert len(eyes.pids()) == 1


def test_the_table_plays_on_while_a_photo_kills_the_eyes(eyes, tmp_path):
    """The process is killed as the system does when memory runs out: no check is asked."""

    def seen(*args, **named):
        threading.Timer(0, os.kill, (eyes.pids()[0], signal.SIGSTOP)).run()
        threading.Timer(0.2, os.kill, (eyes.pids()[0], signal.SIGKILL)).start()
        return eyes.eyes.see(*args, **named)

    app = create_app(
        f"sqlite:///{tmp_path / 'log'}", tmp_path / "photos", Eyes(seen, learn=eyes.eyes.learn)
    )
    with closing(app.extensions["pipsight"].store):
        phone = app.test_client()
        match = phone.post("/api/matches", json={"game": "pig", "names": ["Ada", "Ben"]}).json
        path = f"/api/matches/{match['id']}"

        answer = send_photo(phone, match["id"])

        assert answer.status_code == 422
        assert "too long or too much memory" in answer.json["error"]["sentence"]
        assert phone.get(path).status_code == 200
    assert eyes.eyes.see(picture(640, 480), Equipment()).reading["width"] == 640


Memory = namedtuple("Memory", "total")


@pytest.mark.parametrize(
    ("total", "group", "expected"),
    [(8 * LITTLE, "max\n", USUAL), (8 * LITTLE, "1073741824\n", SMALL), (10**9, "max", SMALL)],
)
def test_the_budget_is_chosen_by_the_memory_that_may_be_used(
    monkeypatch, tmp_path, total, group, expected
):
    limit = tmp_path / "memory.max"
    limit.write_text(group)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: Memory(total))
    monkeypatch.setattr(budget, "GROUPS", (tmp_path / "of another version", limit))

    assert budget.budget() is expected
    assert budget.budget(small=True) is SMALL


@pytest.mark.release
def test_a_small_server_has_one_process_that_reads(tmp_path):
    with serving(tmp_path, "--small") as server:
        others = psutil.Process(server.process.pid).children()
        eyes = [other for other in others if "spawn_main" in " ".join(other.cmdline())]

        assert len(eyes) == SMALL.eyes == 1
        if hasattr(eyes[0], "environ"):
            assert SMALL.environ[0] in eyes[0].environ().items()
