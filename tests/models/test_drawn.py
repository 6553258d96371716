"""What is drawn: exposure, tables of dominoes, things that are no dice, strokes of real people."""

import inspect
import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.dataset.folders import drawn_images, parse_drawn
from models.measure.marks import marks
from models.measure.marks import things as measure
from models.measure.marks.real_hand import (
    FILL,
    SIDE,
    fill_with_real_ink,
    straightened,
    trace_of,
    traced,
    turned,
)
from models.pieces import SIDES, box, facets, laid_on, prism, regular_normals
from models.sheets import things
from models.sheets.strokes import BLACKENED, BLANK, CHECKED, STRUCK, Form
from models.sketch import bodies
from models.sketch.domino_tables import FLAT, LOW, TABLES, lay
from models.sketch.objects import KINDS, draw_objects, paint
from models.sketch.truth import mark_illegible
from models.sketch.view import developed, draw_view, exposure
from models.textures.skins import SKIN
from models.train.crops import truth_of
from models.train.quads import halves_of_outline
from scorer.games.dice_wide_shut.photo.marks import printed
from scorer.games.dice_wide_shut.state import Sheet
from tests.grids import few
from vision.faces.classifier import NOTHING
from vision.reading import MarkReading, Reading


def test_a_die_in_which_a_lamp_is_mirrored_keeps_its_pips_on_a_dark_table():
    light = np.full((540, 720, 3), 0.02, np.float32)
    light[200:236, 300:336] = 0.55  # the upper face, with the lamp in it
    light[214:221, 314:321] = 1.05  # its pip is as white as the lamp makes it

    frame = developed(light * np.float32(exposure(light)))

    assert frame[217, 317].min() - frame[205, 305].max() > 40


def test_a_glint_that_is_smaller_than_a_pip_does_not_darken_the_picture():
    light = np.full((540, 720, 3), 0.4, np.float32)
    light[200:204, 300:304] = 30.0

    frame = developed(light * np.float32(exposure(light)))

    assert np.median(frame) > 180


QUADS = [[[20, 20], [60, 20], [60, 60], [20, 60]], [[60, 20], [100, 20], [100, 60], [60, 60]]]


def a_tile(pips, values):
    """Return the truth of a white tile whose pips have the grey level *pips*, and its faces."""
    picture = np.full((80, 120, 3), 250, np.uint8)
    picture[36:44, 36:44] = picture[36:44, 76:84] = pips
    faces = [
        {"quad": quad, "center": [0, 0], "value": value}
        for quad, value in zip(QUADS, values, strict=True)
    ]
    labels = {"dice": [], "tiles": [{"halves": values, "faces": faces}]}
    mark_illegible(picture, labels)
    return parse_drawn(Path("tile.jpg"), labels), faces


@pytest.mark.parametrize(("pips", "learned"), [(220, 2), (248, 0)])
def test_a_face_whose_pips_nobody_can_see_is_neither_taught_nor_measured(pips, learned):
    image, faces = a_tile(pips, (1, 1))

    assert len(image.faces) == learned
    assert [tile.counts for tile in image.tiles or ()] == [bool(learned)]
    assert [face.get("ignore", False) for face in faces] == [not learned] * 2


def test_a_blank_is_taught_though_nothing_is_seen_on_it():
    image, _ = a_tile(250, (0, 0))

    assert [face.value for face in image.faces] == [0, 0]


SEEDS = range(12)


def tables(name):
    return [lay(np.random.default_rng(seed), name).pieces for seed in SEEDS]


def middles(piece):
    """Return (2, 3), the middles of a tile's halves."""
    along = piece.body[bodies.TURN : bodies.TURN + 9].reshape(3, 3)[:, 0]
    reach = piece.body[bodies.HALF] / 2
    return piece.body[bodies.AT : bodies.AT + 3] + np.outer((-reach, reach), along)


@pytest.mark.parametrize("name", TABLES)
def test_a_seed_gives_a_table_again(name):
    once, again, other = (lay(np.random.default_rng(seed), name).pieces for seed in (3, 3, 4))

    assert [p.values for p in once] == [p.values for p in again]
    np.testing.assert_array_equal([p.body for p in once], [p.body for p in again])
    assert [p.body.tolist() for p in once] != [p.body.tolist() for p in other]


@pytest.mark.parametrize("name", ["chain", "row", "apart", "two_sets", "larger_set"])
def test_no_two_tiles_that_lie_flat_share_a_place(name):
    for pieces in tables(name):
        lying = [piece for piece in pieces if piece.body[bodies.AT + 2] < 0.3]
        ends = np.concatenate([middles(piece) for piece in lying])
        apart = np.linalg.norm(ends[:, None] - ends, axis=2)
        np.fill_diagonal(apart, np.inf)

        width = 2 * lying[0].body[bodies.HALF + 1]
        assert apart.min() > 0.6 * width


def test_tiles_of_a_heap_lie_upon_others():
    levels = [
        round(float(piece.body[bodies.AT + 2] / piece.body[bodies.HALF + 2]))
        for pieces in tables("heap")
        for piece in pieces
    ]

    assert set(levels) == {1, 3, 5}


def test_a_rack_is_seen_from_before_and_its_tiles_stand():
    for seed in SEEDS:
        table = lay(np.random.default_rng(seed), "rack")
        for piece in (p for p in table.pieces if p.values):
            low, high = sorted(middles(piece)[:, 2])
            assert high - low > 0.8 * piece.body[bodies.HALF]
            normal = piece.body[bodies.TURN : bodies.TURN + 9].reshape(3, 3)[:2, 2]
            assert table.facing is not None
            assert normal @ (np.cos(table.facing), np.sin(table.facing)) > 0.8


def test_chains_are_seen_from_fifteen_degrees_and_mostly_match():
    joints = 0
    for seed in SEEDS:
        table = lay(np.random.default_rng(seed), "chain")
        assert table.lowest == LOW < FLAT
        numbers = [piece.values for piece in table.pieces]
        joints += all(a[1] == b[0] for a, b in pairwise(numbers))

    assert len(SEEDS) / 3 < joints < len(SEEDS)


def test_a_larger_set_has_up_to_nine_pips_and_other_sets_have_not():
    most = {name: max(max(p.values) for ps in tables(name) for p in ps) for name in ("laid", "row")}

    assert max(n for pieces in tables("larger_set") for piece in pieces for n in piece.values) == 9
    assert max(most.values()) == 6


def test_the_pips_of_a_nine_lie_apart():
    nine = next(p for ps in tables("larger_set") for p in ps if p.values[0] == 9)
    spots = np.array([(row[bodies.PU], row[bodies.PV]) for row in nine.pips])
    left = spots[spots[:, 0] < -0.1]  # without the pin in the middle

    assert len(left) == 9
    apart = np.linalg.norm(left[:, None] - left, axis=2)[np.triu_indices(9, 1)]
    assert apart.min() > 1.2 * nine.pips[0][bodies.RADIUS]


def test_two_sets_look_unlike():
    looks = [
        {tuple(piece.body[bodies.COLOUR : bodies.COLOUR + 3].round(6)) for piece in pieces}
        for pieces in tables("two_sets")
    ]

    assert max(map(len, looks)) == 2


def test_a_labelled_outline_is_cut_into_the_halves_it_tells():
    outline = np.array([(0.0, 0), (40, 0), (40, 20), (0, 20)])
    right, left = halves_of_outline(outline, np.array([(30.0, 10), (10, 10)]))

    assert right.mean(axis=0) == pytest.approx((30, 10))
    assert left.mean(axis=0) == pytest.approx((10, 10))
    assert np.ptp(left, axis=0) == pytest.approx((20, 20))


LIGHTS = np.array([[0.3, 0.2, 0.93, 0.6, 0.6, 0.6, 0.2]])
CORNERS_OF_A_FACET = {4: 3, 6: 4, 8: 3, 10: 4, 12: 5, 20: 3}


@pytest.mark.parametrize("sides", SIDES)
def test_a_polyhedron_has_its_facets_with_their_corners(sides):
    planes = np.column_stack([regular_normals(sides), np.full(sides, 2.0)])

    made = facets(planes)

    assert [len(corners) for corners in made] == [CORNERS_OF_A_FACET[sides]] * sides
    for corners, plane in zip(made, planes, strict=True):
        assert corners @ plane[:3] == pytest.approx(2.0)
        around = np.cross(corners[1] - corners[0], corners[2] - corners[1])
        assert around @ plane[:3] > 0  # counter-clockwise seen from outside


def test_corners_of_euler():
    """Corners - edges + facets = 2, of boxes, prisms and frustums alike."""
    for planes in (box(1, 2, 3), prism(7, 1, 0.5), prism(24, 1, 0.2, 0.3)):
        made = [corners for corners in facets(planes) if len(corners)]
        edges = sum(map(len, made)) / 2
        corners = len(np.unique(np.vstack(made).round(5), axis=0))
        assert corners - edges + len(made) == 2


def test_a_frustum_is_narrower_on_top():
    *walls, top, foot = facets(prism(4, 1.0, 0.5, 0.2))
    assert len(walls) == 4
    assert np.ptp(top[:, 0]) == pytest.approx(2 * (1 - 0.5 * 0.2))
    assert np.ptp(foot[:, 0]) == pytest.approx(2 * (1 + 0.5 * 0.2))


def test_a_solid_is_laid_on_the_facet_that_is_chosen():
    for normal in regular_normals(20):
        turn = laid_on(normal)
        assert turn @ normal == pytest.approx((0, 0, -1))
        assert np.linalg.det(turn) == pytest.approx(1)


@pytest.mark.parametrize(("make", "share"), KINDS, ids=lambda one: getattr(one, "__name__", None))
def test_a_thing_stands_on_the_table_and_its_skins_are_skins(make, share):
    assert share > 0
    for seed in range(6):
        for part in make(np.random.default_rng(seed)):
            corners = np.vstack([own for own in part.corners() if len(own)])
            assert corners[:, 2].min() > -1e-6
            for number, picture in part.skins.items():
                assert number < len(part.planes)
                assert picture.shape == (SKIN, SKIN, 4)
                assert np.isfinite(picture).all()
                assert picture[..., 3].min() >= 0
                assert picture[..., 3].max() <= 1


def test_things_lie_apart_from_what_lies_there():
    rng = np.random.default_rng(3)
    taken = (np.zeros(2), 1.5)
    laid = draw_objects(rng, draw_view(rng, 40.0), [taken])
    assert laid
    for part in laid:
        near = np.vstack([own for own in part.corners() if len(own)])[:, :2]
        assert np.hypot(*near.T).min() > 1.0


def test_what_is_painted_is_told_and_a_network_learns_to_refuse_it(tmp_path):
    rng = np.random.default_rng(5)
    view = draw_view(rng, 40.0)
    table = np.full((view.height, view.width, 3), 0.5, np.float32)
    quads = paint(rng, table, view, draw_objects(rng, view, []), LIGHTS, np.full(3, 0.4))
    labels = {"file": "a.png", "dice": [], "sides": [], "objects": [q.tolist() for q in quads]}
    cv2.imwrite(str(tmp_path / "a.png"), (255 * table.clip(0, 1)).astype(np.uint8))
    (tmp_path / "a.json").write_text(json.dumps(labels))

    (image,) = drawn_images(tmp_path)

    assert len(image.objects) == len(quads) > 0
    quads_in_view = [q for q in quads if (q > 0).all() and (q < (view.width, view.height)).all()]
    for quad in quads_in_view:
        x, y = quad.mean(axis=0).astype(int)
        assert np.abs(table[y - 2 : y + 3, x - 2 : x + 3] - 0.5).max() > 0.02
    assert {truth_of(quad, image) for quad in image.objects} == {NOTHING}


def bar(angle=90.0, thick=3):
    """A digit's picture with one straight stroke of 18 px."""
    picture = np.zeros((SIDE, SIDE), np.uint8)
    way = 9 * np.array([np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))])
    ends = (np.array([13.5, 13.5]) + np.array([-way, way])).round().astype(int).tolist()
    cv2.line(picture, *ends, 255, thick)
    return picture.reshape(-1).astype(np.float32) / 255


def test_a_trace_is_the_spine_of_a_stroke():
    trace = trace_of(bar())

    assert np.ptp(trace.points[:, 1]) == pytest.approx(1.0)
    assert np.ptp(trace.points[:, 0]) < 0.1
    assert np.median(trace.pressure) == pytest.approx(1.0)


def test_a_disc_leaves_a_trace_too():
    picture = np.zeros((9, 9), np.uint8)
    picture[4:6, 4:6] = 255

    assert len(traced(picture).points)


def test_a_stroke_at_any_angle_is_laid_straight():
    straight = straightened(turned(trace_of(bar(60)), 0.4))

    assert straight.points[0, 0] == -0.5
    assert straight.points[-1, 0] == 0.5
    assert np.abs(straight.points[:, 1]).max() < 0.06


@pytest.mark.parametrize("seed", few(range(6), 2))
def test_every_state_but_blank_gets_ink(tmp_path, seed):
    for digit in range(10):
        some = np.concatenate([bar(90 + turn) for turn in range(-12, 13)]).tolist()
        (tmp_path / f"{digit}.json").write_text(json.dumps({"data": some}))
    wanted = np.array([STRUCK, STRUCK, BLANK, CHECKED, BLACKENED])
    corners = np.array([(0, 0), (150, 0), (150, 120), (0, 120)], np.float64)
    places = np.array([(20, 30), (170, 30), (420, 30), (570, 30), (820, 30)])
    polygons = corners + places[:, None]
    form = Form(6.0, polygons, np.array([0, 0, 1, 1, 1]), wanted == BLACKENED, strikes=True)
    page = np.ones((180, 1000, 3), np.float32)

    truth, habits = fill_with_real_ink(
        np.random.default_rng(seed), form, page, wanted, tmp_path, None
    )

    inked = [(page[30:150, int(x) : int(x) + 150] < 0.8).any() for x in polygons[:, 0, 0]]
    assert truth.tolist() == wanted.tolist()
    assert inked == [True, True, False, True, True]
    checked, spent = ((page[60:120, x : x + 60] < 0.8).mean() for x in (615, 865))
    assert spent > (0.5 if habits[-1] == f"{FILL}filled" else checked)


PAPER = (210.0, 297.0)
CLEAR = ("nothing", "shadow", "crease", "ring", "rain", "hair")


@pytest.mark.parametrize("kind", few([*things.CHOSEN, *things.HELD_BACK], 2))
def test_a_thing_hides_what_is_below_it_and_only_that(kind):
    thing = things.draw_thing(np.random.default_rng(5), kind, PAPER)

    assert (thing.hides.max() > 0.9) == (kind not in (*CLEAR, "glass"))
    assert thing.through[thing.hides > 0.9].max(initial=0) < 0.11
    assert (thing.through.min() < 1) == (kind != "nothing")


def read_as(monkeypatch, *, cells=1, **changed):
    """Count an empty sheet of which some cells are read as *changed* instead."""
    truth = printed(Sheet())
    read = [MarkReading(one.cell, "blank", 0.999, True) for one in truth]
    read[:cells] = [replace(one, **changed) for one in read[:cells]]
    reading = Reading(1500, 2000, marks=tuple(read))
    monkeypatch.setattr(measure, "read_sheet", lambda _content: reading)
    return measure.counted(measure.SheetCase(b"", truth))


def test_a_sheet_counts_as_right_asked_or_silently_wrong(monkeypatch):
    assert read_as(monkeypatch) == measure.SheetCount(1, right=1)
    assert read_as(monkeypatch, mark="checked") == measure.SheetCount(1, wrong=1, silent=1, sure=1)
    doubtful = {"confidence": 0.6, "sure": False, "alternatives": (("checked", 0.4),)}
    assert read_as(monkeypatch, **doubtful) == measure.SheetCount(1, asked=1, questions=1)
    unseen = {"confidence": 0.5, "sure": False, "alternatives": (("checked", 0.5),)}
    assert read_as(monkeypatch, **unseen) == measure.SheetCount(1, again=1)
    assert read_as(monkeypatch, cells=60, **doubtful) == measure.SheetCount(1, again=1)
    answered = doubtful | {"mark": "checked", "alternatives": (("blank", 0.4),)}
    assert read_as(monkeypatch, **answered) == measure.SheetCount(1, asked=1, questions=1)


def test_the_photos_to_test_on_are_read_only_if_they_are_named():
    assert inspect.signature(marks.main).parameters["photos"].default is None
