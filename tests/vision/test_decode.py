"""Photo bytes become upright pixels, or a sentence that says what to send instead."""

import io
import struct
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

import pipsight
from tests import FIXTURES
from tests.grids import every_value
from tests.vision.killers import KILLERS, heic, png, png_chunk
from tests.vision.pictures import draw, grid_of
from vision import Look, Unreadable, as_jpeg, decode, load, read
from vision.limits import limited_memory
from vision.quad import Quad
from vision.quality import complaints
from vision.warnings import is_cut_off, share_inside, where

HEIC = FIXTURES / "photos" / "board.heic"  # the board of BOARD
BOARD = "123456123"
LOOK = Look.parse("grid:3x3", colours=("black", "white"))
PHOTO, _ = draw(grid_of(BOARD), size=(640, 480))
# How a picture must be turned before it is stored, so that its EXIF orientation turns it upright.
STORED = {
    1: lambda p: p,
    2: lambda p: p[:, ::-1],
    3: lambda p: p[::-1, ::-1],
    4: lambda p: p[::-1],
    5: lambda p: p.transpose(1, 0, 2),
    6: lambda p: np.rot90(p, 1),
    7: lambda p: np.rot90(p, 2).transpose(1, 0, 2),
    8: lambda p: np.rot90(p, 3),
}


def encoded(suffix, picture=PHOTO):
    return bytes(cv2.imencode(suffix, picture)[1])


def with_orientation(number, kind="JPEG"):
    exif = Image.Exif()
    exif[0x0112] = number
    stored = Image.fromarray(np.ascontiguousarray(STORED[number](PHOTO)[:, :, ::-1]))
    file = io.BytesIO()
    stored.save(file, kind, exif=exif, quality=95, lossless=True)
    return file.getvalue()


def comes_out(content, picture=PHOTO):
    """Return True if the photo is that picture, but for what its format loses."""
    decoded = cv2.resize(decode(content).bgr, PHOTO.shape[1::-1], interpolation=cv2.INTER_AREA)
    return np.abs(decoded.astype(int) - picture).mean() < 3


def hint(content):
    with pytest.raises(Unreadable) as refusal:
        decode(content)
    return str(refusal.value)


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp"])
def test_every_common_format_comes_out_alike(suffix):
    assert comes_out(encoded(suffix))


def test_heic_reads_like_the_others():
    photo = load(HEIC)

    assert (photo.width, photo.height) == (800, 600)
    assert "".join(str(die.value) for die in read(photo, LOOK).dice) == BOARD


@every_value(number=list(STORED), kind=["JPEG", "PNG", "WEBP"])
def test_every_exif_orientation_comes_out_upright_and_without_loss_the_same(number, kind):
    photo = decode(with_orientation(number, kind))

    assert (photo.width, photo.height, photo.scale) == (640, 480, 1.0)
    assert comes_out(with_orientation(number, kind))
    assert kind == "JPEG" or np.array_equal(photo.bgr, PHOTO)


GREY = cv2.cvtColor(PHOTO, cv2.COLOR_BGR2GRAY)


@pytest.mark.parametrize(
    ("pixels", "picture"),
    [
        (GREY, GREY[..., None]),
        (cv2.cvtColor(PHOTO, cv2.COLOR_BGR2BGRA), PHOTO),
        (PHOTO.astype(np.uint16) * 257, PHOTO),
        (GREY.astype(np.uint16) * 257, GREY[..., None]),
    ],
    ids=["grey", "alpha", "16 bit", "16 bit grey"],
)
def test_unusual_pixels_come_out_alike(pixels, picture):
    assert comes_out(encoded(".png", pixels), picture)


@pytest.mark.parametrize(
    "content", [with_orientation(6), encoded(".png", GREY.astype(np.uint16) * 257)]
)
def test_a_picture_of_pillows_is_taken_as_its_file_is(content):
    taken = pipsight.read(Image.open(io.BytesIO(content)), "dice").photo

    assert (taken.width, taken.height) == (640, 480)
    assert np.array_equal(taken.bgr, decode(content).bgr)


def test_an_animation_is_read_by_its_first_picture():
    first, second = (Image.fromarray(p[:, :, ::-1]) for p in (PHOTO, np.zeros_like(PHOTO)))
    file = io.BytesIO()
    first.save(file, "WEBP", save_all=True, append_images=[second], lossless=True)

    assert comes_out(file.getvalue())


@pytest.mark.parametrize(
    ("kind", "name"), [("GIF", "GIF"), ("BMP", "BMP"), ("TIFF", "TIFF/RAW"), ("AVIF", "AVIF")]
)
def test_a_picture_of_a_kind_that_is_not_read_is_named_with_what_to_do(kind, name):
    file = io.BytesIO()
    Image.new("RGB", (320, 240)).save(file, kind)

    sentence = f"Pipsight does not read {name} pictures. Save this one as JPEG or PNG first."
    assert hint(file.getvalue()) == sentence


def large_webp():
    small = io.BytesIO()
    Image.new("RGB", (64, 64)).save(small, "webp", lossless=True)
    bits = struct.pack("<I", 7679 | 7679 << 14)  # of the VP8L header: width and height less one
    return small.getvalue()[:21] + bits + small.getvalue()[25:]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        *((other, "JPEG, PNG, WebP or HEIC") for other in (b"hello", b"%!PS-Adobe", b"BMW 320")),
        (b"\x00" * 4096, "JPEG, PNG, WebP or HEIC"),
        (b"", "empty. Take it again"),
        (b"%PDF-1.7 ...", "a PDF document. Send a photo"),
        (b"\0\0\0 ftypisom\0\0\2\0mp41", "a video. Take a photo"),
        (b"\0\0\0\x14ftypqt  \0\0\0\0", "a video. Take a photo"),
        (b"\x1a\x45\xdf\xa3 webm", "a video. Take a photo"),
        (b"RIFF\0\0\0\0AVI LIST", "a video. Take a photo"),
        (b"\xff\x0a\xfa\x1f", "does not read JPEG XL pictures"),
        (b"\0\0\0\x18ftypcrx \0\0", "does not read raw pictures"),
        # Without a single pixel behind its header: nothing was decoded.
        (png(20_000, 10_000, png_chunk(b"IDAT", b"x")), "200 megapixels"),
        (large_webp(), "59 megapixels; send one of at most 48"),
        (encoded(".png", PHOTO[:32, :32]), "32 x 32"),
        (b"\xff\xd8\xff\xe0\x00\x04ab", "cut off"),
        (HEIC.read_bytes()[:9000], "cut off"),
        # With an end marker the decoder fills the lower half with grey and says nothing.
        (encoded(".jpg")[:9000] + b"\xff\xd9", "cut off"),
    ],
)
def test_what_is_no_photo_or_no_whole_one_is_refused_with_what_to_send(content, words):
    assert words in hint(content)


HELD = """
import re, sys
from vision.photo import decode
decode(open(sys.argv[1], "rb").read())
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""


@pytest.mark.release
@pytest.mark.skipif(not Path("/proc").exists(), reason="only Linux tells the most a process held")
@pytest.mark.parametrize("kind", ["webp", "png"])
def test_a_picture_of_a_few_kilobytes_takes_less_than_a_gigabyte(tmp_path, kind):
    """As large as a WebP may be; a process that decodes nothing has 60 MB."""
    path = tmp_path / f"large.{kind}"
    Image.new("RGBA", (6900, 6900)).save(path, lossless=True, compress_level=1)

    run = subprocess.run(
        [sys.executable, "-c", HELD, path], capture_output=True, text=True, check=True
    )

    assert int(run.stdout) * 1024 < 900_000_000


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_file_cut_off_is_refused(suffix, share):
    content = encoded(suffix)

    assert "cut off" in hint(content[: int(len(content) * share)])


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(Unreadable, match=r"none\.jpg"):
        load(tmp_path / "none.jpg")


def test_a_large_photo_is_decoded_small_but_keeps_its_size():
    large = cv2.resize(PHOTO, (4000, 3000))

    photo = decode(encoded(".jpg", large))

    assert (photo.width, photo.height) == (4000, 3000)
    assert photo.bgr.shape == (1500, 2000, 3)
    assert photo.scale == 2


def test_the_stored_photo_is_upright_bounded_and_without_metadata():
    photo = decode(with_orientation(6))

    stored = as_jpeg(photo, longest=320)

    assert b"Exif" not in stored
    assert decode(stored).bgr.shape == (240, 320, 3)


@pytest.mark.parametrize(("content", "words"), KILLERS.values(), ids=KILLERS)
def test_a_photo_that_takes_too_much_is_refused_in_a_sentence(content, words):
    assert len(content) < 100_000
    assert words in hint(content)


@pytest.mark.parametrize(
    ("at", "fault"), [(36, "SyntaxError"), (176, "IndexError"), (87, "RuntimeError")]
)
def test_whatever_the_heic_decoder_raises_the_file_is_damaged(at, fault):
    assert "damaged" in hint(heic(at)), fault


def test_a_progressive_photo_with_as_many_scans_as_cameras_write_is_read():
    """Bytes after the picture, a phone's video say, are no scans of it."""
    photo = Image.fromarray(cv2.resize(PHOTO, (4000, 3000))[:, :, ::-1])
    file = io.BytesIO()
    photo.save(file, "JPEG", progressive=True)

    video = np.random.default_rng(1).bytes(8_000_000)
    assert video.count(b"\xff\xda") > 100

    assert comes_out(file.getvalue() + video)


def test_a_jpeg_whose_end_marker_was_forgotten_is_read():
    assert comes_out(encoded(".jpg").removesuffix(b"\xff\xd9"))


def test_damaged_metadata_is_no_reason_to_refuse_a_photo():
    content = with_orientation(1)
    at = content.index(b"Exif\0\0") + 6

    assert comes_out(content[:at] + b"\xff" * 12 + content[at + 12 :])


# Two parsers that disagreed on the size took 90 s of a processor.
BOUNDED = """
import resource, sys
from pathlib import Path
from webui.cli import main
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
code = main(sys.argv[1:])
used = [line for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line]
print(used[0].split()[1], file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads the memory used where Linux tells it")
def test_in_the_terminal_each_of_them_ends_in_a_sentence_and_within_bounds(tmp_path):
    for number, (content, _) in enumerate(KILLERS.values()):
        (tmp_path / f"{number}.jpg").write_bytes(content)
    # The peak is asked of the process itself: what its parent held counts in `ru_maxrss`.
    command = [sys.executable, "-c", BOUNDED, "read", str(tmp_path)]
    read = subprocess.run(command, capture_output=True, text=True, check=False)

    *lines, peak = read.stderr.splitlines()
    assert (read.returncode, read.stdout) == (1, "")
    assert [line.partition(".jpg: ")[2][-1] for line in lines] == ["."] * len(KILLERS)
    assert int(peak) < 300_000  # kB


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts memory that is mapped")
def test_memory_is_limited_while_a_photo_is_read_and_no_longer():
    with limited_memory(50_000_000), pytest.raises(MemoryError):
        bytearray(500_000_000)

    assert len(bytearray(500_000_000)) == 500_000_000


SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])


def test_a_face_over_the_edge_is_cut_off():
    assert not is_cut_off(Quad.around(SQUARE * 20), 100, 100)
    assert not is_cut_off(Quad.around(SQUARE * 20 + (-1, 30)), 100, 100)
    assert is_cut_off(Quad.around(SQUARE * 20 + (-3, 30)), 100, 100)
    assert is_cut_off(Quad.around(SQUARE * 20 + (30, 83)), 100, 100)
    assert not is_cut_off(Quad.around(SQUARE * 20 + (-2, 30)), 100, 100, half=True)
    assert is_cut_off(Quad.around(SQUARE * 20 + (-3, 30)), 100, 100, half=True)


def test_how_much_of_a_face_is_on_the_photo():
    assert share_inside(Quad.around(SQUARE * 20 + (40, 40)), 100, 100) > 1
    assert share_inside(Quad.around(SQUARE * 20 + (-5.5, 40)), 100, 100) == pytest.approx(0.5)
    assert share_inside(Quad.around(SQUARE * 20 + (40, 89.5)), 100, 100) == pytest.approx(0.0)
    assert share_inside(Quad.around(SQUARE * 20 + (40, 109.5)), 100, 100) < 0


@pytest.mark.parametrize(
    ("at", "words"),
    [((1, 1), "top left"), ((50, 50), "middle"), ((50, 99), "bottom"), ((99, 50), "right")],
)
def test_a_place_has_words(at, words):
    assert where(at, 100, 100) == words


def checks(side):
    board = 255 * (np.indices((side, side)).sum(axis=0) // 8 % 2)
    return np.repeat(board[..., None].astype(np.uint8), 3, axis=2)


def pip(blur=0):
    drawn = cv2.circle(np.full((64, 64, 3), 230, np.uint8), (32, 32), 9, (20, 20, 20), -1)
    return cv2.GaussianBlur(drawn, (0, 0), blur) if blur else drawn


# A square seen from e degrees above its plane is sin(e) as high as wide.
@pytest.mark.parametrize(
    ("photo", "crop", "size", "word"),
    [
        (checks(200), checks(64), (60, 60), ""),
        (checks(200), checks(64), (9, 9), "closer"),
        (checks(200), checks(64), (60, 60 * 0.44), ""),  # 26 degrees
        (checks(200), checks(64), (60, 60 * 0.4), "higher"),  # 24 degrees
        (checks(200), pip(), (60, 60), ""),
        (checks(200), pip(blur=6), (60, 60), "blurred"),
        (checks(200) // 5, None, (1, 1), "dark"),
        (checks(200), checks(64) // 5, (60, 60), "dark"),
        (checks(200) // 20, checks(64), (60, 60), ""),  # pieces in the light on a black cloth
    ],
)
def test_small_oblique_blurred_and_dark_pieces_are_told(photo, crop, size, word):
    crops = np.zeros((0, 64, 64, 3), np.uint8) if crop is None else crop[None]

    said = complaints(photo, crops, (SQUARE[None] * size)[: len(crops)])

    assert [word in sentence for sentence in said] == [True] * bool(word)
