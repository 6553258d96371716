"""Things that are no dice: their solids, their pictures, and what a network learns of them."""

import json

import cv2
import numpy as np
import pytest

from models.dataset.folders import drawn_images
from models.pieces import SIDES, box, facets, laid_on, prism, regular_normals
from models.sketch.objects import KINDS, draw_objects, paint
from models.sketch.view import draw_view
from models.textures.skins import SKIN
from models.train.crops import truth_of
from vision.faces.classifier import NOTHING

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
