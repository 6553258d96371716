"""The server's own camera before a match: what is shown of it, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from webui.camera import server_camera
from webui.camera.server_camera import GOES_ON, PLAYED, run_camera
from webui.errors import RequestError
from webui.eyes.frames import CameraGone


@dataclass
class FakeMatchCamera:
    """A match's camera, as `Cameras` keeps it."""

    ended: bool = False
    picture: bytes = b""
    fault: str | None = None
    says: str = ""


@dataclass
class FakeCameras:
    """Takes frames; wants the next one so many seconds later."""

    wanted_s: float = 0.0
    refuses: bool = False
    taken: list[float] = field(default_factory=list)
    ends_after: int = 100
    lost: list[str] = field(default_factory=list)
    gone_for: int = 1  # so often it is lost before it ends

    def take(self, camera: FakeMatchCamera, _jpeg: bytes, time_s: float) -> float:
        self.taken.append(time_s)
        camera.ended = len(self.taken) >= self.ends_after
        if self.refuses:
            raise RequestError("Take another picture.")
        return self.wanted_s

    def lose(self, camera: FakeMatchCamera, why: str) -> None:
        self.lost.append(why)
        camera.fault, camera.ended = why, len(self.lost) >= self.gone_for


def film(monkeypatch: pytest.MonkeyPatch, *times_s: float, gone: str = "") -> None:
    """Let the camera send a frame at each of these times, and then be gone."""

    def frames(_source: str) -> Iterator[tuple[bytes, float]]:
        yield from ((b"%.1f" % time_s, time_s) for time_s in times_s)
        if gone:
            raise CameraGone(gone)

    monkeypatch.setattr(server_camera, "frames", frames)
    monkeypatch.setattr(server_camera.time, "sleep", lambda _s: None)


def run(cameras: FakeCameras, source: str = "table.mp4") -> FakeMatchCamera:
    camera: Any = FakeMatchCamera()
    run_camera(cameras, camera, source).join(10)  # type: ignore[arg-type]
    return camera  # type: ignore[no-any-return]


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
    cameras.take = None  # type: ignore[assignment]

    assert run(cameras).fault
