"""A network camera that ends, stalls, never answers or dies is told, and takes nothing along."""

import signal
import threading
import time
from contextlib import closing, suppress
from itertools import pairwise
from multiprocessing import Pipe
from typing import Literal

import numpy as np
import psutil
import pytest

from tests.grids import few
from tests.vision.watch.fake_stream import Mode, camera_stream
from tests.webui.serving import serving
from vision.watch.frames import SILENT_S, Frame, NoFrames, _own, frames, live_frames, named
from webui import cli

WAIT_S = 60.0  # on a machine that is busy; nothing is measured by it


@pytest.fixture
def stream():
    with camera_stream() as made:
        yield made


@pytest.mark.parametrize("mode", few(["ends", "stalls", "answers not", "is no video"], 2))
def test_a_stream_that_fails_is_told_in_a_sentence(stream, mode):
    if mode in ("answers not", "is no video"):
        stream.mode = mode
    shots = live_frames(stream.address, 640)
    with closing(shots):
        if stream.mode == "sends":
            assert isinstance(next(shots), Frame)
            stream.mode = mode
        said = _first_sentence(shots)

    assert said.startswith("http://127.0.0.1")
    assert "sends no" in said


def _first_sentence(shots):
    try:
        return next(one for one in shots if isinstance(one, str))
    except NoFrames as fault:
        return str(fault)


@pytest.mark.release
def test_a_stream_that_stalls_for_a_while_goes_on(stream):
    with closing(live_frames(stream.address, 640)) as shots:
        assert isinstance(next(shots), Frame)
        stream.mode = "stalls"
        next(one for one in shots if isinstance(one, str))
        stream.mode = "sends"

        assert isinstance(next(shots), Frame)


def test_frames_of_a_stream_come_in_order_and_the_newest_is_given(stream):
    given = list[Frame]()
    with closing(frames(stream.address)) as shots:
        for frame in shots:
            given.append(frame)
            time.sleep(0.2)
            if len(given) == 4:
                break

    numbers = [frame.number for frame in given]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] > 3  # what was not looked at in time was left out
    assert all(a.time_s < b.time_s for a, b in pairwise(given))


def test_the_process_of_a_camera_ends_with_whoever_looked(stream):
    before = set(psutil.Process().children())
    with closing(live_frames(stream.address, 640)) as shots:
        next(shots)
        (owner,) = set(psutil.Process().children()) - before

    assert not owner.is_running()


def test_a_camera_whose_process_dies_is_told(stream):
    before = set(psutil.Process().children())
    with closing(live_frames(stream.address, 640)) as shots:
        next(shots)
        (owner,) = set(psutil.Process().children()) - before
        owner.send_signal(signal.SIGSEGV)

        with pytest.raises(NoFrames, match="sends no more pictures"):
            list(shots)


class Unplugged:
    """A camera that sends three frames, and is then pulled out."""

    def __init__(self):
        self.left = 3

    def open(self, *_source):
        return True

    def isOpened(self):
        return True

    def grab(self):
        self.left -= 1
        return self.left >= 0

    def retrieve(self):
        return True, np.full((120, 160, 3), 90, np.uint8)

    def release(self):
        self.left = 0


def test_a_cameras_last_frame_is_seen_and_none_twice_or_out_of_order(monkeypatch):
    monkeypatch.setattr("vision.watch.frames.cv2.VideoCapture", Unplugged)
    ours, theirs = Pipe()
    numbers: list[int] = []

    def look():
        ours.recv()  # it is ready
        with suppress(EOFError, OSError):
            while True:
                ours.send(None)
                numbers.append(ours.recv()[1])

    looking = threading.Thread(target=look)
    looking.start()
    before = signal.getsignal(signal.SIGINT)
    _own(theirs, "0", 640)
    signal.signal(signal.SIGINT, before)
    theirs.close()
    looking.join(WAIT_S)

    assert numbers == sorted(set(numbers))
    assert numbers[-1] == 2


@pytest.mark.release
def test_watching_a_stream_that_ends_tells_so_and_gives_an_exit_code(stream, capsys):
    threading.Timer(2.0, setattr, (stream, "mode", "ends")).start()

    assert cli.main(["watch", stream.address]) == 1

    out, err = capsys.readouterr()
    assert out == ""
    assert "sends no more pictures" in err or "sends no" in err
    assert err.count("\n") == 1


def test_a_cameras_password_is_no_ones_to_read():
    assert named("http://ada:secret@10.0.0.9:8080/video?pwd=secret") == "http://10.0.0.9:8080/video"
    assert named("0") == "Camera 0"
    assert named("ada@home?.mp4") == "ada@home?.mp4"


MATCH = {
    "game": "beat_the_odds",
    "names": ["Ada", "Ben"],
    "opening": [{"move": "Agree", "starter": 0}],
}


class WatchedServer:
    """A match that the camera of a real server watches."""

    def __init__(self, server):
        self.server = server
        status, match = server.call("/api/matches", MATCH)
        assert status == 201, match
        self.path = f"/api/matches/{match['id']}"
        status, answer = server.call(f"{self.path}/watch", {"camera": "server"})
        assert status == 201, answer
        self.watch = answer["watch"]

    def view(self):
        status, view = self.server.call(f"{self.path}/watch")
        assert status == 200
        return dict(view)

    def until(self, there):
        """Ask as a page does until that is so."""
        began = time.monotonic()
        while not there(view := self.view()):
            assert time.monotonic() - began < WAIT_S, view
            time.sleep(0.1)

    def camera(self):
        """Return the process that owns the camera: the only one that holds a connection to it."""
        for child in psutil.Process(self.server.process.pid).children(recursive=True):
            if child.net_connections("tcp"):
                return child
        raise AssertionError("no process holds the camera")


@pytest.fixture
def watched(stream, tmp_path):
    with serving(tmp_path, "--camera", stream.address) as server:
        yield WatchedServer(server)


@pytest.mark.release
def test_a_camera_that_stalls_ends_or_dies_is_told_and_comes_back_by_itself(watched, stream):
    """Also several times: none of it ends the server, as a phone that asks for the match sees."""
    watched.until(lambda view: view["width"] == 320)
    faults: tuple[Mode | Literal["dies"], ...] = ("stalls", "ends", "dies")
    for fault in faults:
        if fault == "dies":
            watched.camera().send_signal(signal.SIGSEGV)
        else:
            stream.mode = fault
        watched.until(lambda view: "sends no" in view["says"])
        assert watched.view()["pieces"] == []

        stream.mode = "sends"
        watched.until(lambda view: "sends no" not in view["says"])
        assert watched.view()["watch"] == watched.watch

    assert watched.server.call(watched.path)[0] == 200
    assert watched.server.process.poll() is None


@pytest.mark.release
def test_a_stream_that_never_answers_is_told_and_taken_up_when_it_does(stream, tmp_path):
    stream.mode = "answers not"
    with serving(tmp_path, "--camera", stream.address) as server:
        watched = WatchedServer(server)
        watched.until(lambda view: "sends no" in view["says"])

        stream.mode = "sends"
        watched.until(lambda view: view["width"] == 320)


def test_silence_is_told_within_five_seconds_of_the_last_picture():
    assert SILENT_S + 2 * 0.4 < 5  # a page asks every 0.4 s, and shows what the second answer says


@pytest.mark.release
@pytest.mark.parametrize(
    ("source", "said"),
    few(
        [
            ("http://ada:secret@127.0.0.1:9/video", "http://127.0.0.1:9/video sends no video"),
            ("97", "There is no camera 97"),
            ("evening.mp4", "There is no file evening.mp4"),
        ]
    ),
)
def test_a_server_says_at_the_start_that_its_camera_is_not_there(source, said, tmp_path):
    with serving(tmp_path, "--camera", source) as server:
        assert server.process.stderr is not None
        line = server.process.stderr.readline()

        assert said in line
        assert "secret" not in line
        assert server.call("/api/games")[0] == 200


@pytest.mark.release
def test_a_server_whose_camera_is_there_says_nothing_of_it(stream, tmp_path):
    with serving(tmp_path, "--camera", stream.address) as server:
        while not stream.opened:
            time.sleep(0.1)
        time.sleep(2 * SILENT_S)
        code, errors = server.end(signal.SIGTERM)

    assert (code, errors) == (0, "")
