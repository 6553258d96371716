"""What goes wrong before a camera: bad frames, foreign watches, gaps, restarts."""

from dataclasses import dataclass, field

import pytest
from sqlalchemy.exc import OperationalError

from tests.webui.camera.shown_tables import PageCamera, ShownTable, sight, watched
from webui.camera import server_camera
from webui.camera.cameras import GONE_S, IDLE_S, MOST
from webui.camera.server_camera import GOES_ON, PLAYED, run_camera
from webui.errors import NotRead, RequestError
from webui.eyes.frames import CameraGone


@pytest.mark.parametrize("time", ["", "x", "nan", "inf", "-1"])
def test_a_frame_tells_when_it_was_taken(camera, time):
    answer = camera.frame(time=time)

    assert answer.status_code == 400
    assert answer.json["error"]["sentence"].startswith("Say when the frame was taken")


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [(b"", "image/jpeg", 422), (b"x", "text/plain", 415), (b"x" * 4_000_001, "image/jpeg", 413)],
)
def test_a_bad_frame_is_refused_in_a_sentence(camera, client, content, kind, status):
    path = f"{camera.path}/watch/{camera.watch}/frames?time=1"

    answer = client.post(path, data=content, content_type=kind)

    assert answer.status_code == status
    assert answer.json["error"]["sentence"].endswith((".", "?"))


def test_a_frame_that_cannot_be_read_does_not_end_the_watch(camera):
    assert camera.frame(NotRead("The frame is damaged.")).status_code == 422

    camera.throw(4, 5)
    assert camera.steps == ["4-5"]


def test_frames_out_of_order_are_left_out(camera, shown):
    camera.frame(time=1000.0)
    looked = len(shown.asked)

    assert camera.frame(time=999.0).status_code == 200
    assert camera.frame(time=1000.0).status_code == 200

    assert len(shown.asked) == looked


def test_a_foreign_watch_takes_no_frames(camera, client, new_match):
    other = PageCamera(client, camera.shown, new_match(game="pig", opening=[])["id"], camera.watch)

    assert other.frame().status_code == 404
    camera.watch = "0" * 24
    assert camera.frame().status_code == 403


def test_two_cameras_do_not_watch_one_match(camera, client, match, shown):
    second = PageCamera(client, shown, match["id"])

    assert second.start()[0] == 403
    assert second.start(take=True)[0] == 201

    answer = camera.frame()
    assert answer.status_code == 403
    assert answer.json["error"]["sentence"] == "Another camera watches this match now."


def test_a_camera_that_fell_silent_may_be_followed_by_another(
    camera, client, match, shown, services
):
    heard = services.cameras.of(match["id"]).heard
    services.cameras.clock = lambda: heard + GONE_S

    assert PageCamera(client, shown, match["id"]).start()[0] == 201


def test_a_camera_that_sends_nothing_for_long_lets_its_process_end(camera, shown, services, match):
    heard = services.cameras.of(match["id"]).heard
    services.cameras.clock = lambda: heard + IDLE_S + 1

    services.cameras.sweep()

    assert shown.closed == 1
    assert camera.frame().status_code == 404


def test_so_many_cameras_and_no_more(camera, client, shown, new_match, watching):
    for _ in range(MOST - 1):
        watching("pig", [])

    status, answer = PageCamera(client, shown, new_match(game="pig", opening=[])["id"]).start()

    assert status == 503
    assert "Take photos" in answer["error"]["sentence"]


def test_among_so_many_the_one_that_fell_silent_makes_room(camera, shown, services, watching):
    heard = services.cameras.of(camera.match).heard
    for _ in range(MOST - 1):
        watching("pig", [])
    services.cameras.clock = lambda: heard + GONE_S

    watching("pig", [])
    assert shown.closed == 1
    assert camera.frame().status_code == 404


def test_a_page_that_is_loaded_anew_goes_on_where_it_was(camera):
    camera.frame()

    fresh = PageCamera(camera.client, camera.shown, camera.match, camera.watch)
    fresh.throw(4, 5)

    assert camera.steps == ["4-5"]


def restarted(make_app, match):
    """Return a camera before a match of a server that was stopped and started again."""
    shown = ShownTable()
    camera = PageCamera(make_app(watch=lambda: shown).test_client(), shown, match)
    camera.start()
    return camera


@pytest.mark.parametrize(
    ("lies", "asked"), [(sight(4, 5), False), (sight(2, 6, at=30), True)], ids=["counted", "thrown"]
)
def test_after_a_restart_only_what_was_thrown_meanwhile_is_asked(camera, make_app, lies, asked):
    camera.throw(4, 5)

    again = restarted(make_app, camera.match)
    again.frame(watched("lay", lies))

    assert again.steps == ["4-5"]
    assert ("not counted yet" in again.tally, "Not a roll" in again.tally) == (asked, asked)


def test_a_roll_that_could_not_be_stored_is_stored_with_the_next_frame(
    camera, services, monkeypatch
):
    keep = type(services.store).keep
    left = [1]

    def full(store, *args):
        if left and left.pop():
            raise OperationalError("insert", {}, Exception("disk full"))
        return keep(store, *args)

    monkeypatch.setattr(type(services.store), "keep", full)

    assert camera.throw(4, 5).status_code >= 500
    assert camera.steps == []
    camera.frame()
    assert camera.steps == ["4-5"]


def test_frames_are_wanted_seldom_when_nothing_happens(camera):
    paces = [camera.frame(watched(idle_s=idle)).json["next_ms"] for idle in (1, 10, 100, 1000)]

    assert paces == [67, 200, 500, 1000]
    assert camera.frame(watched(waiting="moving", idle_s=1000)).json["next_ms"] == 67


@dataclass
class FakeMatchCamera:
    """A match's camera, as `Cameras` keeps it."""

    ended: bool = False
    picture: bytes = b""
    fault: str | None = None
    says: str = ""


@dataclass
class FakeCameras:
    """Takes frames; wants the next one `wanted_s` later."""

    wanted_s: float = 0.0
    refuses: bool = False
    taken: list[float] = field(default_factory=list)
    ends_after: int = 100
    lost: list[str] = field(default_factory=list)
    gone_for: int = 1  # number of times that it is lost before it ends

    def take(self, camera, _jpeg, time_s):
        self.taken.append(time_s)
        camera.ended = len(self.taken) >= self.ends_after
        if self.refuses:
            raise RequestError("Take another picture.")
        return self.wanted_s

    def lose(self, camera, why):
        self.lost.append(why)
        camera.fault, camera.ended = why, len(self.lost) >= self.gone_for


def film(monkeypatch, *times_s, gone=""):
    """Let the camera send a frame at each of these times, and then be gone."""

    def frames(_source):
        yield from ((b"%.1f" % time_s, time_s) for time_s in times_s)
        if gone:
            raise CameraGone(gone)

    monkeypatch.setattr(server_camera, "frames", frames)
    monkeypatch.setattr(server_camera.time, "sleep", lambda _s: None)


def run(cameras, source="table.mp4"):
    camera = FakeMatchCamera()
    run_camera(cameras, camera, source).join(10)
    return camera


def test_every_frame_of_a_recording_that_is_wanted_is_shown(monkeypatch):
    film(monkeypatch, 0.0, 0.1, 0.2, 0.3, 0.4)
    cameras = FakeCameras(wanted_s=0.15)

    camera = run(cameras)

    assert cameras.taken == [0.0, 0.2, 0.4]
    assert camera.picture == b"0.4"
    assert camera.fault == PLAYED


def test_a_camera_stops_with_its_match(monkeypatch):
    film(monkeypatch, *(k / 10 for k in range(9)))
    cameras = FakeCameras(ends_after=2)

    camera = run(cameras, "0")

    assert len(cameras.taken) == 2
    assert camera.fault == ""


def test_a_camera_that_is_pulled_out_is_told_on_the_page_and_tried_again(monkeypatch):
    film(monkeypatch, 0.0, gone="The camera sends no more pictures.")
    cameras = FakeCameras(gone_for=3)

    run(cameras, "0")

    assert cameras.lost == [f"The camera sends no more pictures. {GOES_ON}"] * 3
    assert len(cameras.taken) == 3
    assert cameras.taken == sorted(set(cameras.taken))  # its time goes on


def test_a_recording_that_is_not_there_is_told_once(monkeypatch):
    film(monkeypatch, gone="There is no file.")

    assert run(FakeCameras()).fault == "There is no file."


def test_a_frame_that_is_refused_ends_nothing(monkeypatch):
    film(monkeypatch, 0.0, 0.5, 1.5)
    cameras = FakeCameras(refuses=True)

    camera = run(cameras)

    assert cameras.taken == [0.0, 1.5]  # what was refused is tried again after a second
    assert camera.says == "Take another picture."


def test_a_fault_of_ours_is_told_in_a_sentence_and_stops_no_server(monkeypatch):
    film(monkeypatch, 0.0)
    cameras = FakeCameras()
    cameras.take = None

    assert run(cameras).fault
