"""Boards that a game declares: printed, photographed (synthetic views), found, and their cells."""

from __future__ import annotations

import json
import re
from functools import cache

import cv2
import numpy as np
import pypdfium2
import pytest

from models.measure.boards.board_scenes import places_of
from models.measure.boards.printed import PrintedView, cover, photographed
from scorer import Equipment, NotAMove, settle
from scorer.board import LARGEST_MM, MARKERS
from scorer.games import GAMES
from scorer.games.gords import places
from vision.boards import pose as posing
from vision.boards.marker_detector import detected
from vision.boards.pose import (
    ANOTHER,
    MIRRORED,
    NO_CAMERA,
    NOT_FLAT,
    TOO_LITTLE,
    TWO_BOARDS,
    find_board,
    locate_printed,
)
from vision.boards.printed_board import UNSEEN, in_layout, locate_board
from vision.decode import Photo
from vision.geometry import Quad
from vision.layout import Layout
from vision.pipeline import read
from vision.reading import Face, Look, Reading
from webui import cli
from webui.eyes.look import layout_of, look_for, with_layout
from webui.eyes.printed_boards import PAPERS, board_named, boards_of, family, names
from webui.eyes.table import table_from
from webui.pages.board_pdf import board_pdf

PX_PER_MM = 4.0
CELL_MM = 20.0  # of our sheet
STEEP = PrintedView(elevation=60, azimuth=30, turn=5)
ASIDE = PrintedView(elevation=60, azimuth=10, turn=0, shift=(1.0, 0.0))
every_board = pytest.mark.parametrize("name", names())


def rendered(name, paper="a4"):
    with pypdfium2.PdfDocument(board_pdf(board_named(name), paper)) as pdf:
        return pdf[0].render(scale=PX_PER_MM * 25.4 / 72).to_numpy()[..., :3].copy()


page = cache(rendered)


def shot(picture, view=STEEP, seed=1):
    """Return a grey photo of a page, and its mm-to-px map."""
    bgr, plane = photographed(np.random.default_rng(seed), picture, PX_PER_MM, view)
    return cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), plane


def farthest_off(pose, layout, plane):
    """Return how far, in mm, the worst corner of the board was found from where it is."""
    flat = np.column_stack([layout.outline, np.ones(4)]) @ plane.T
    found = pose.homography.inverse().apply(flat[:, :2] / flat[:, 2:])
    return np.linalg.norm(found - layout.outline, axis=1).max()


# ---------------------------------------------------------------- what is printed


def test_no_two_boards_share_a_fiducial():
    boards = {board.first_marker: board for name in names() for board in family(name)}
    own = board_named("track:gords", {"track": "1, 1*, 2"})
    ids = [marker.id for board in (*boards.values(), own) for marker in layout_of(board).fiducials]

    assert len(boards) == 6
    assert len(ids) == len(set(ids))
    assert all(len(layout_of(board).fiducials) <= MARKERS for board in boards.values())


@every_board
@pytest.mark.parametrize("paper", PAPERS)
def test_everything_lies_on_the_paper_with_room_for_a_printers_margins(name, paper):
    board = board_named(name)
    layout = layout_of(board, paper)
    points = np.array(
        [one.corners for one in layout.fiducials] + [one.polygon for one in layout.cells]
    ).reshape(-1, 2)

    assert points.min() >= 6
    assert (np.array(layout.paper_mm) - points.max(axis=0)).min() >= 6
    assert board.size_mm[0] <= LARGEST_MM[0]
    assert board.size_mm[1] <= LARGEST_MM[1]


@every_board
def test_the_geometry_reads_back_from_its_file(name, tmp_path, capsys):
    pdf, geometry = tmp_path / "a.pdf", tmp_path / "a.json"

    assert cli.main(["print", name, "--out", str(pdf), "--geometry", str(geometry)]) == 0

    assert pdf.read_bytes().startswith(b"%PDF")
    assert "100 %" in capsys.readouterr().out
    assert Layout.from_json(json.loads(geometry.read_text())) == layout_of(board_named(name))


@every_board
@pytest.mark.parametrize("grey", [False, True])
def test_the_page_is_true_to_scale_and_its_fiducials_are_where_the_geometry_says(name, grey):
    layout = layout_of(board_named(name))
    with pypdfium2.PdfDocument(board_pdf(board_named(name), grey=grey)) as pdf:
        picture = pdf[0].render(scale=PX_PER_MM * 25.4 / 72).to_numpy()[..., :3]
        assert np.allclose(np.array(pdf[0].get_size()) * 25.4 / 72, layout.paper_mm, atol=0.01)

    pose = find_board(np.ascontiguousarray(picture[..., 0]), layout)

    truth = np.array([[PX_PER_MM, 0, -0.5], [0, PX_PER_MM, -0.5], [0, 0, 1]])
    assert pose.seen == len(layout.fiducials)
    assert farthest_off(pose, layout, truth) < 1 / PX_PER_MM
    if grey:
        assert np.ptp(picture.astype(int), axis=2).max() == 0


def test_cells_are_large_enough_for_real_dice():
    def side(name):
        return min(Quad(cell.polygon).side for cell in layout_of(board_named(name)).cells)

    assert side("grid:3x3") >= 25
    assert side("track:gords") >= 20
    assert side("sheet:dice-wide-shut") >= 20


@pytest.mark.parametrize("order", ["half_before", "half_after", ("1", "2", "1*", "9")])
def test_a_track_shows_its_places_in_their_order(order):
    board = board_named("track:gords", {"track": order})

    assert [cell.name for cell in board.cells] == [("place", n) for n in range(len(board.cells))]
    assert tuple(cell.label for cell in board.cells) == places(order)


def test_the_sheet_has_the_numbers_of_the_rules():
    labels = {cell.name: cell.label for cell in board_named("sheet:dice-wide-shut").cells}

    assert len(labels) == 60
    assert [labels["red", 4, column] for column in range(6)] == ["1", "2", "3", "4", "5", "6"]
    assert [labels["blue", 2, column] for column in range(6)] == ["3"] * 5 + ["6"]


def test_the_grid_is_the_one_that_the_game_looks_for():
    game = GAMES["purple_house"]
    (board,) = boards_of(game, {})

    assert board.name == game.equipment(game.start(2, {})).board
    assert {cell.name for cell in board.cells} == {(r, c) for r in range(3) for c in range(3)}


@every_board
def test_the_eyes_are_given_the_layout_of_a_board_by_its_name(name):
    look = name if name.startswith(("grid", "sheet")) else f"board:{name.replace(':', '-')}"

    assert with_layout(Look.parse(look)).layout == layout_of(board_named(name))
    assert with_layout(Look.parse("dice")).layout is None


def test_the_track_that_is_looked_for_is_the_one_that_is_played():
    game = GAMES["gords"]
    for order in ("half_after", ("1", "1*", "2")):
        wanted = game.equipment(game.start(2, {"track": order}))
        layout = with_layout(Look.parse(wanted.board), wanted.places).layout

        assert layout == layout_of(board_named("track:gords", {"track": order}))


def test_a_board_beside_loose_dice_is_found_if_it_is_there_and_nothing_is_said_if_not():
    look = look_for(Equipment(beside="board:gords", places=places("half_before")))
    there, bare = (
        np.ascontiguousarray(np.repeat(grey[..., None], 3, axis=2))
        for grey in (shot(page("track:gords"))[0], np.full((480, 640), 150, np.uint8))
    )

    found, none = (locate_board(Photo(bgr, *bgr.shape[1::-1]), look) for bgr in (there, bare))

    assert look.kind == "dice"
    assert found.pose is not None
    assert found.pose.sure
    assert none.pose is None
    assert none.said == ()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["print", "nothing"], "There is no board 'nothing'. There are"),
        (["print", "grid:3x3", "--set", "colour=red"], "there is no setting colour"),
    ],
)
def test_what_cannot_be_printed_is_told(words, sentence, capsys):
    with pytest.raises(SystemExit) as left:
        cli.main(words)

    assert left.value.code == 2
    assert sentence in capsys.readouterr().err


def test_a_track_that_no_page_has_room_for_is_refused():
    game = GAMES["gords"]
    settle(game.settings, {"track": tuple(map(str, range(1, 99)))})

    with pytest.raises(NotAMove, match="do not fit on a page"):
        board_named("track:gords", {"track": tuple(map(str, range(1, 99)))})


def test_a_file_that_cannot_be_written_is_told(tmp_path, capsys):
    assert cli.main(["print", "grid:3x3", "--out", str(tmp_path)]) == 1
    assert "cannot be written" in capsys.readouterr().err


# ---------------------------------------------------------------- what is found


@every_board
@pytest.mark.parametrize(
    "view",
    [
        STEEP,
        PrintedView(elevation=25, azimuth=200, turn=-10),
        PrintedView(elevation=80, azimuth=290, turn=10, gain=0.22, noise=3.0),
        PrintedView(elevation=50, azimuth=110, turn=0, blur=1.6),
    ],
    ids=["plain", "from 25 degrees", "dark", "blurred"],
)
def test_a_board_is_found_with_half_of_its_fiducials_covered(name, view):
    layout = layout_of(board_named(name))
    rng = np.random.default_rng(7)
    hidden = rng.choice(len(layout.fiducials), len(layout.fiducials) // 2, replace=False)
    squares = np.array([layout.fiducials[i].corners for i in hidden])

    grey, plane = shot(cover(rng, page(name), PX_PER_MM, squares), view)
    pose = find_board(grey, layout)

    assert pose is not None
    assert farthest_off(pose, layout, plane) < 1.5
    assert pose.sure


def test_a_board_printed_on_letter_is_found_by_the_geometry_of_a4():
    layout = layout_of(board_named("grid:3x3"))
    grey, _ = shot(page("grid:3x3", "letter"))

    assert find_board(grey, layout).sure


@pytest.mark.parametrize(
    ("name", "picture", "sentence"),
    [
        ("grid:3x3", lambda: shot(page("grid:3x3"))[0][:, ::-1], MIRRORED),
        ("grid:3x3", lambda: shot(page("track:gords"))[0], ANOTHER),
        ("grid:3x3", lambda: shot(np.hstack([page("grid:3x3")] * 2))[0], TWO_BOARDS),
        ("grid:3x3", lambda: shot(page("grid:3x3"), ASIDE)[0], "of the board are cut off"),
    ],
    ids=["mirrored", "another board", "two boards", "half a board"],
)
def test_a_photo_that_shows_something_else_is_told(name, picture, sentence):
    located = locate_printed(np.ascontiguousarray(picture()), layout_of(board_named(name)))

    assert sentence in " ".join(located.said)


def test_a_board_is_not_sure_by_two_fiducials_beside_each_other():
    layout = layout_of(board_named("sheet:dice-wide-shut"))
    squares = np.array([one.corners for one in layout.fiducials[2:]])
    covered = cover(np.random.default_rng(1), page("sheet:dice-wide-shut"), PX_PER_MM, squares)

    located = locate_printed(shot(covered)[0], layout)

    assert located.pose is None or (not located.pose.sure and TOO_LITTLE in located.said)


def rolled(picture, by=0.07):
    """Return a page that is not flat: its middle is seen higher than both ends."""
    height, width = picture.shape[:2]
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    lifted = y + by * height * np.sin(np.pi * x / width)
    return cv2.remap(picture, x, lifted, cv2.INTER_LINEAR, borderValue=(255, 255, 255))


def test_on_a_page_that_curves_slightly_the_cells_are_found_where_they_lie():
    """By a plane alone they were up to 3 mm off, and asked about."""
    layout = layout_of(board_named("sheet:dice-wide-shut"))
    grey, plane = shot(rolled(page("sheet:dice-wide-shut"), by=0.03))

    located = locate_printed(grey, layout)

    x, y = places_of(layout).T
    width, height = layout.paper_mm
    risen = np.column_stack([x, y - 0.03 * height * np.sin(np.pi * x / width), np.ones(len(x))])
    projected = risen @ plane.T
    found = located.pose.homography.inverse().apply(projected[:, :2] / projected[:, 2:])
    assert np.linalg.norm(found - places_of(located.print_of(layout)), axis=1).max() < 1.5
    assert located.pose.sure
    assert located.said == ()


def test_a_flat_page_is_not_taken_for_a_curved_one():
    layout = layout_of(board_named("sheet:dice-wide-shut"))

    located = locate_printed(shot(page("sheet:dice-wide-shut"))[0], layout)

    assert located.pose.bend is None
    assert located.print_of(layout) is layout


def test_one_marker_that_is_told_leads_to_those_next_to_it():
    """Blur leaves few whose modules are told from each other; the others still look like theirs."""
    layout = layout_of(board_named("mat:dice"))
    view = PrintedView(elevation=60, azimuth=20, turn=0, fills=0.9, blur=4.6)
    grey, plane = shot(page("mat:dice"), view)
    markers = detected(grey, layout.fiducials[0].dictionary, max(grey.shape), thorough=True)

    located = locate_printed(grey, layout)

    assert len(markers.ids) < 6
    assert located.pose.seen > 12
    assert farthest_off(located.pose, layout, plane) < 1.5


@pytest.mark.parametrize(
    ("picture", "sentence"),
    [
        (lambda: shot(rolled(page("sheet:dice-wide-shut")))[0], NOT_FLAT),
        (lambda: cv2.resize(shot(page("grid:3x3"))[0], None, fx=0.5, fy=1.0), NO_CAMERA),
    ],
    ids=["bent", "distorted"],
)
def test_a_board_that_no_camera_sees_so_is_found_but_not_sure(picture, sentence):
    name = "sheet:dice-wide-shut" if sentence == NOT_FLAT else "grid:3x3"

    located = locate_printed(picture(), layout_of(board_named(name)))

    assert located.said == (sentence,)
    assert not located.pose.sure


def waved(picture, height_mm):
    """Return a page that lies in waves four cells long, seen from the side."""
    height, width = picture.shape[:2]
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    lifted = y + height_mm * PX_PER_MM * np.sin(2 * np.pi * x / (4 * CELL_MM * PX_PER_MM))
    return cv2.remap(picture, x, lifted, cv2.INTER_LINEAR, borderValue=(255, 255, 255))


def test_a_crumpled_page_is_not_taken_for_two():
    """Its markers lie off the plane of some, but none is there twice."""
    picture = shot(waved(page("sheet:dice-wide-shut"), 0.5 * CELL_MM))[0]

    located = locate_printed(picture, layout_of(board_named("sheet:dice-wide-shut")))

    assert located.said == (NOT_FLAT,)
    assert not located.pose.sure


@pytest.mark.parametrize(("share", "asks"), [(0.08, False), (0.15, True)])
def test_a_sheet_that_lies_in_slight_waves_is_read_as_the_network_learned_it(share, asks):
    """Flatter pages never: those of its lessons curve by up to 0.09 of a cell."""
    bgr, _ = photographed(
        np.random.default_rng(1), waved(page("sheet:dice-wide-shut"), share * CELL_MM), PX_PER_MM,
        PrintedView(elevation=70, azimuth=10, turn=0),
    )  # fmt: skip
    look = with_layout(Look.parse("sheet:dice-wide-shut"))
    photo = Photo(bgr, bgr.shape[1], bgr.shape[0])

    assert NOT_FLAT in locate_board(photo, look).said
    reading = read(photo, look)
    assert (NOT_FLAT in reading.warnings) is asks
    assert any(mark.sure for mark in reading.marks) is not asks


def test_a_sheet_that_is_not_there_is_asked_for_and_a_grid_may_be_ones_own():
    plain = Photo(np.full((1200, 900, 3), 150, np.uint8), 900, 1200)

    def said(look):
        return locate_board(plain, with_layout(Look.parse(look))).said

    assert said("sheet:dice-wide-shut") == (UNSEEN,)
    assert said("grid:3x3") == ()


def test_a_photo_without_anything_like_a_marker_is_looked_at_once(monkeypatch):
    """A second pass on the whole picture takes ten times as long as the first."""
    passes = []
    detect = posing.detected

    def counted(*args, **kwargs):
        passes.append(args)
        return detect(*args, **kwargs)

    monkeypatch.setattr(posing, "detected", counted)
    blank = np.full((*page("grid:3x3").shape[:2], 3), 255, np.uint8)

    assert locate_printed(shot(blank)[0], layout_of(board_named("mat:dice"))).pose is None
    assert len(passes) == 1


# ---------------------------------------------------------------- what lies on it


def die(quad):
    return Face(quad, (0, 0, 0, 1.0, 0, 0, 0), (("white", 1.0),), 0.99, sure=True)


def face_at(plane, x, y, half=8.0):
    """Return a die whose face is printed at mm: from straight above it has no height."""
    corners = np.array([(x - half, y - half, 1), (x + half, y - half, 1),
                        (x + half, y + half, 1), (x - half, y + half, 1)]) @ plane.T  # fmt: skip
    return die(Quad.around(corners[:, :2] / corners[:, 2:]))


def test_dice_get_the_places_of_a_track_and_one_on_an_edge_is_asked_about():
    layout = layout_of(board_named("track:gords"))
    grey, plane = shot(page("track:gords"), PrintedView(elevation=90, azimuth=0, turn=3))
    pose = find_board(grey, layout)
    (left, top), (right, _), (_, bottom), _ = layout.cells[7].polygon
    middle, height = (left + right) / 2, (top + bottom) / 2
    inside, on_edge, beside = (
        face_at(plane, x, y) for x, y in ((middle, height), (left + 0.5, height), (middle, 5.0))
    )

    dice, said = in_layout([beside, on_edge, inside], pose, layout)

    by_quad = {one.quad: (one.cell, one.sure) for one in dice}
    assert by_quad[inside.quad] == (("place", 7), True)
    assert by_quad[on_edge.quad][1] is False
    assert by_quad[beside.quad] == (None, True)
    assert len(said) == 1


def test_dice_in_the_box_for_lost_dice_lie_there_however_many_they_are():
    layout = layout_of(board_named("track:gords", {"track": "half_before"}))
    grey, plane = shot(page("track:gords"), PrintedView(elevation=90, azimuth=0, turn=3))
    pose = find_board(grey, layout)
    (left, top), (right, _), (_, bottom), _ = layout.areas[0].polygon
    inside = [
        face_at(plane, left + share * (right - left), (top + bottom) / 2) for share in (0.3, 0.7)
    ]
    on_edge, below = (face_at(plane, (left + right) / 2, y) for y in (bottom - 0.5, bottom + 12))

    dice, said = in_layout([below, on_edge, *inside], pose, layout)
    table = table_from(Reading(1000, 1000, dice=tuple(dice)))

    by_quad = {one.quad: (one.cell, one.sure) for one in dice}
    assert [by_quad[one.quad] for one in inside] == [(("lost", 0), True)] * 2
    assert by_quad[on_edge.quad] == (("lost", 0), False)
    assert by_quad[below.quad] == (None, True)
    assert said == ["A die lies on the edge of its place (lost dice). Push it into one place."]
    assert [die.cell for die in table.dice] == [(1, 0), (1, 0), (1, 0), None]


def read_on(picture, look):
    bgr, _ = photographed(np.random.default_rng(1), picture, PX_PER_MM, STEEP)
    photo = Photo(bgr, bgr.shape[1], bgr.shape[0])
    reading = read(photo, with_layout(Look.parse(look)))
    return reading.dice, reading.missed_candidates


@pytest.mark.parametrize("look", ["dice", "grid:3x3"])
def test_markers_of_a_page_that_nobody_looked_for_are_no_dice(look):
    assert read_on(page("mat:dice"), look) == ((), ())


def test_markers_of_a_page_beside_the_board_are_no_dice():
    beside = np.vstack([page("track:gords"), page("mat:dice")[:400]])

    assert read_on(beside, "board:gords") == ((), ())


# ---------------------------------------------------------------- the pages


def links(text):
    return re.findall(r'href="([^"]*/print/[^"]+[.]pdf)"', text)


@pytest.mark.parametrize("game", GAMES)
def test_the_start_page_and_the_match_link_to_the_games_boards(client, game):
    players = ["A", "B"][: GAMES[game].seats[-1]]
    started = client.post("/start", data={"game": game, "name": players}).location

    for text in (client.get(f"/?game={game}").text, client.get(started).text):
        assert len(links(text)) == len(boards_of(GAMES[game], {}))
        for link in links(text):
            answer = client.get(link)
            assert answer.status_code == 200
            assert answer.mimetype == "application/pdf"
            assert answer.data.startswith(b"%PDF")


def test_a_match_prints_the_track_of_its_own_house_rules(client):
    sent = {"game": "gords", "name": ["A", "B"], "set.track": '"half_after"'}
    started = client.post("/start", data=sent).location
    (link,) = links(client.get(started).text)

    own, usual = client.get(link).data, client.get("/print/track-gords.pdf").data

    assert own == board_pdf(board_named("track:gords", {"track": "half_after"}))
    assert own != usual
    layout = layout_of(board_named("track:gords", {"track": "half_after"}))
    assert client.get(f"{started}/board.json").json == layout.to_json()


def test_a_board_that_there_is_not_is_told_on_a_page(client):
    answer = client.get("/print/chess.pdf")

    assert answer.status_code == 404
    assert "There is no such board here." in answer.text
