"""`pipsight watch`: videos with truth, and sources that give no pictures."""

import io
import json
from contextlib import redirect_stdout

import cv2
import numpy as np
import pytest

from models.measure.watch.watch import RestCounts, compare
from models.videos.phone import told_to_turn
from tests import FIXTURES
from tests.grids import few
from vision.quad import Quad
from vision.watch.frames import Frame, NoFrames, _all, frames, length_s
from vision.watch.state import SettledRoll
from webui import cli
from webui.commands.watch import WatchProgress, as_json, as_line
from webui.languages import speak

VIDEOS = FIXTURES / "videos"


@pytest.fixture(scope="module")
def rests():
    """What the command tells of each video, by its name."""
    videos = sorted(VIDEOS.glob("*.mp4"))
    assert len(videos) >= 2
    lines = {}
    for video in few(videos[::-1]):  # tests/vision/test_library.py watches the first
        with redirect_stdout(io.StringIO()) as out:
            assert cli.main(["watch", "--json", str(video)]) == 0
        lines[video.stem] = [json.loads(line) for line in out.getvalue().splitlines()]
    return lines


def truth(name):
    return dict(json.loads((VIDEOS / f"{name}.json").read_text()))


@pytest.mark.release
def test_rests_on_rendered_videos_are_told_rightly_and_in_time_and_none_is_invented(rests):
    compared = (compare(truth(name)["rolls"], lines) for name, lines in rests.items())
    counts = sum(compared, RestCounts())

    assert counts.rests >= 2 * len(rests)
    assert counts.reported == counts.right == counts.rests
    assert counts.late == counts.silent == counts.invented == 0


@pytest.mark.release
def test_each_roll_is_one_line_of_json_with_frame_and_time(rests):
    for name, lines in rests.items():
        fps = truth(name)["conditions"]["fps"]
        for roll in lines:
            assert set(roll) == {"frame", "time_s", "values", "dice", "sure"}
            assert roll["frame"] / fps == pytest.approx(roll["time_s"], abs=0.01)
            assert sorted(die["value"] for die in roll["dice"]) == roll["values"]


def written(path, count=10, bgr=None):
    """Write a video of one picture, or of a grey table."""
    noise = np.random.default_rng(1)
    shown = [noise.integers(100, 110, (120, 160, 3), np.uint8) if bgr is None else bgr] * count
    code = cv2.VideoWriter.fourcc(*("mp4v" if path.suffix == ".mp4" else "MJPG"))
    writer = cv2.VideoWriter(str(path), code, 20.0, shown[0].shape[1::-1])
    for picture in shown:
        writer.write(picture)
    writer.release()
    return path


def test_a_video_without_a_readable_roll_says_so(tmp_path, capsys):
    video = str(written(tmp_path / "table.avi"))

    assert cli.main(["watch", video]) == 1
    out, said = capsys.readouterr()
    assert (out, said.startswith("No roll could be read")) == ("", True)

    assert cli.main(["watch", "--json", video]) == 1
    out, said = capsys.readouterr()
    assert (json.loads(out)["file"], json.loads(out)["error"][:7], said) == (video, "No roll", "")


def test_frames_carry_number_and_time(tmp_path):
    times = [(frame.number, frame.time_s) for frame in frames(str(written(tmp_path / "a.avi", 4)))]

    assert [number for number, _ in times] == [0, 1, 2, 3]
    assert [time for _, time in times] == pytest.approx([0, 0.05, 0.1, 0.15], abs=0.002)


class FakeCapture:
    """A file whose container tells these times, ms."""

    def __init__(self, told_ms, fps=25.0):
        self.told_ms, self.fps, self.at = told_ms, fps, -1

    def get(self, what):
        return self.fps if what == cv2.CAP_PROP_FPS else self.told_ms[self.at]

    def grab(self):
        self.at += 1
        return self.at < len(self.told_ms)

    def retrieve(self):
        return True, np.zeros((8, 8, 3), np.uint8)


@pytest.mark.parametrize(
    ("told_ms", "fps", "times_s"),
    [
        ([0, 34, 100, 300, 334], 25.0, [0, 0.034, 0.1, 0.3, 0.334]),  # a phone's, as it took them
        ([0, 0, 0, 0], 25.0, [0, 0.04, 0.08, 0.12]),  # the container tells none
        ([0, 40, 0, 40, 240], 25.0, [0, 0.04, 0.08, 0.12, 0.24]),  # it restarts
        ([0, 40, 40, 120], 25.0, [0, 0.04, 0.08, 0.12]),
        ([0, 0, 0], 0.0, [0, 1 / 30, 2 / 30]),  # not even how many a second
    ],
)
def test_time_is_what_the_file_tells_and_never_goes_back(told_ms, fps, times_s):
    capture = FakeCapture([float(time) for time in told_ms], fps)

    shown_s = [frame.time_s for frame in _all(capture, "a.mp4")]

    assert shown_s == pytest.approx(times_s, abs=1e-6)


def test_of_sixty_frames_a_second_every_other_one_is_looked_at_and_all_are_counted():
    capture = FakeCapture([1000 * k / 60 for k in range(12)], 60.0)

    looked_at = list(_all(capture, "a.mp4"))

    assert [frame.number for frame in looked_at] == [0, 2, 4, 6, 8, 10]
    times_s = [k / 30 for k in range(6)]
    assert [frame.time_s for frame in looked_at] == pytest.approx(times_s, abs=1e-6)


def test_a_large_frame_keeps_its_px_for_the_eyes_and_may_be_wanted_smaller(tmp_path):
    video = str(written(tmp_path / "a.avi", 1, np.full((2160, 3840, 3), 90, np.uint8)))

    assert [one.bgr.shape for one in frames(video)] == [(2160, 3840, 3)]
    assert [one.bgr.shape for one in frames(video, 1920)] == [(1080, 1920, 3)]


@pytest.mark.parametrize("quarters", range(4))
def test_a_video_of_a_phone_on_its_side_is_turned_as_players_turn_it(quarters, tmp_path):
    bgr = np.full((120, 160, 3), 90, np.uint8)
    bgr[:20] = (0, 0, 250)
    video = written(tmp_path / "a.mp4", 5, bgr)
    video.write_bytes(told_to_turn(video.read_bytes(), quarters))

    pictures = [frame.bgr for frame in frames(str(video))]

    shown = np.rot90(bgr, -quarters)
    assert len(pictures) == 5
    assert all(one.shape == shown.shape for one in pictures)
    assert np.abs(pictures[0].astype(int) - shown).mean() < 12


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("none.mp4", None, "There is no file"),
        ("empty.mp4", b"", "is empty"),
        ("notes.txt", b"six and a five", "no video that can be played"),
        ("table.JPG", b"a photo", "is a photo. Read it with: pipsight read"),
        ("folder", "folder", "is a folder"),
    ],
)
def test_a_file_that_is_no_video_is_told_in_a_sentence(name, content, sentence, tmp_path, capsys):
    path = tmp_path / name
    if content == "folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)

    assert cli.main(["watch", str(path)]) == 1

    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("source", ["97", "http://127.0.0.1:9/video"])
def test_a_camera_that_is_not_there_is_told_as_json_too(source, capsys):
    assert cli.main(["watch", "--json", source]) == 1

    printed = json.loads(capsys.readouterr().out)
    assert printed["file"] == source
    assert "camera" in printed["error"]


def test_a_video_that_is_cut_off_ends_where_it_is_cut(tmp_path):
    video = written(tmp_path / "cut.avi", 20)
    video.write_bytes(video.read_bytes()[: video.stat().st_size // 2])

    shown = list(frames(str(video)))

    assert 0 < len(shown) < 20


def test_a_file_of_which_nothing_can_be_decoded_is_told(tmp_path):
    video = written(tmp_path / "cut.avi", 5)
    video.write_bytes(video.read_bytes()[:400])

    with pytest.raises(NoFrames, match=r"no video|No picture"):
        list(frames(str(video)))


def test_what_cannot_be_read_is_told_in_a_sentence_and_as_json():
    place = Quad(((10.0, 10.0), (30.0, 10.0), (30.0, 30.0), (10.0, 30.0)))
    roll = SettledRoll(118, 64.92, (), sure=False, unread=(place,))

    body, line = as_json(roll), as_line(roll)

    assert body == {
        "frame": 118, "time_s": 64.92, "values": [], "dice": [], "sure": False,
        "unread": [place.to_json()], "doubt": body["doubt"],
    }  # fmt: skip
    assert body["doubt"].startswith("Something lies still there that cannot be read.")
    assert line == f"1:04.92  frame 118  ?  {body['doubt']}"


def test_a_video_of_few_frames_is_said_to_need_longer_rests(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("webui.commands.watch.frames", lambda _: slow_frames())
    video = written(tmp_path / "slow.avi", 2)

    assert cli.main(["watch", str(video), "--language", "de"]) == 1

    said = "Ich sehe nur 2 Bilder pro Sekunde: Lass die Würfel 3 Sekunden liegen."
    assert capsys.readouterr().err.splitlines()[0] == said


def slow_frames():
    """Yield frames on which something moves all the time, two a second."""
    noise = np.random.default_rng(1)
    for number in range(8):
        bgr = noise.integers(100, 110, (120, 160, 3), np.uint8)
        bgr[40:80, 15 * number : 15 * number + 30] = 250
        yield Frame(bgr, number, number / 2)


def test_what_was_not_seen_is_asked_about_in_both_languages():
    roll = SettledRoll(118, 64.92, (), sure=False, unseen=((61.0, 62.9),))

    assert as_json(roll)["unseen"] == [[61.0, 62.9]]
    assert as_line(roll).endswith("Nothing was seen for 2 s. Was there a roll in between?")
    speak("de")
    in_german = as_line(roll)
    speak(None)
    assert in_german.endswith("Lag in dieser Zeit ein Wurf?")


def test_a_roll_told_twice_is_counted_as_invented():
    rest = {"rest_s": 1.0, "settled_s": 1.2, "until_s": 3.0, "values": [4]}
    roll = {"time_s": 1.5, "values": [4], "sure": True}

    counts = compare([rest], [roll, roll | {"time_s": 2.0}])

    assert (counts.reported, counts.right, counts.invented) == (1, 1, 1)


class FakeTerminal(io.StringIO):
    def isatty(self):
        return True


def test_a_long_file_shows_how_far_it_is_on_a_terminal_alone():
    shown = [Frame(np.zeros((2, 2, 3), np.uint8), k, float(k)) for k in range(0, 80, 4)]
    terminal, file = FakeTerminal(), io.StringIO()

    for stream in (terminal, file):
        list(WatchProgress(stream, 125.0).over(iter(shown)))

    assert "watched 1:04 of 2:05" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r")
    assert file.getvalue() == ""


def test_a_file_tells_how_long_it_is(tmp_path):
    assert length_s(str(written(tmp_path / "a.avi", 10))) == pytest.approx(0.5, abs=0.06)
    assert length_s("0") is None
