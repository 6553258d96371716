"""The other renderer's pieces, pages and phone: the geometry that its truth rests on."""

import numpy as np
import pytest

from models.foreign.mesh import SPOTS, Drilled, held, rounded_box, spots
from models.foreign.pieces import AROUND, PX, TOPS, draw_dice, draw_dominoes, draw_page

BODY, INK = np.full(3, 0.8), np.zeros(3)


def volume(mesh):
    a, b, c = (mesh.vertices[mesh.triangles[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def test_a_box_is_closed_its_normals_point_outward_and_its_edges_are_round():
    half = np.array([20.0, 10.0, 5.0])

    box = rounded_box(half, 2.0, {}, BODY, INK)

    assert 0.95 < volume(box) / (8 * half.prod()) < 1.0
    assert (np.einsum("ij,ij->i", box.vertices, box.normals) > 0).all()
    assert np.allclose(np.abs(box.vertices).max(axis=0), half)


def test_pips_are_drilled_and_painted():
    half = np.full(3, 8.0)
    plain = rounded_box(half, 1.0, {"top": Drilled(spots(0, 4.0), 1.5, 0.8)}, BODY, INK)

    six = rounded_box(half, 1.0, {"top": Drilled(spots(6, 4.0), 1.5, 0.8)}, BODY, INK)

    cap = np.pi * 0.8 * 1.5**2 / 2  # a paraboloid
    assert volume(plain) - volume(six) == pytest.approx(6 * cap, rel=0.1)
    dark = six.vertices[six.colours[:, 0] < 0.1]
    assert {tuple(np.sign(np.round(v[:2] / 4))) for v in dark} == {(x, y) for x, y in SPOTS[6]}


def test_opposite_faces_of_a_die_sum_to_seven():
    for top, (east, north, west, south) in AROUND.items():
        assert east + west == north + south == 7
        assert {top, east, north, west, south}.isdisjoint({7 - top})


def test_the_first_half_of_a_tile_lies_where_it_is_told():
    made = draw_dominoes(np.random.default_rng(2))

    piece = made.tile((6, 1), np.array([100.0, 50.0, 0.0]), np.pi / 2)

    first, second = (face.corners.mean(axis=0) for face in piece.faces)
    assert [face.value for face in piece.faces] == [6, 1]
    assert first[1] < 50 < second[1]
    assert first[0] == pytest.approx(100)
    assert first[2] == pytest.approx(made.thick)


@pytest.mark.parametrize("seed", range(6))
def test_a_phone_sees_all_that_lies_there_and_upright(seed):
    rng = np.random.default_rng(seed)
    die = draw_dice(rng).die(3, "black", np.array([30.0, -80.0, 0.0]), 1.0)
    corners = np.concatenate([die.faces[0].corners, [[-60.0, 90.0, 0.0]]])

    phone = held(rng, corners)

    places = phone.project(corners)
    assert ((places > 0) & (places < np.array(phone.size))).all()
    assert phone.axes[1][2] < 0.01  # down on the picture is down, or away where it looks down
    assert np.allclose(phone.axes @ phone.axes.T, np.eye(3), atol=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_row_0_of_a_grid_is_the_upper_one_on_the_picture(seed):
    rng = np.random.default_rng(seed)
    page = draw_page(rng)
    phone = held(rng, page.corners)

    upper = np.roll(phone.project(page.corners), -page.turns(phone), axis=0)

    assert upper[:2, 1].mean() < upper[2:, 1].mean()
    first = phone.project(np.array([*page.middle(0, 0), 0.15]))
    assert np.linalg.norm(first - phone.project(page.corners[0])) < np.linalg.norm(
        first - phone.project(page.corners[2])
    )


@pytest.mark.release
@pytest.mark.parametrize("seed", range(2))
def test_every_top_is_light_that_a_table_may_send_back(seed):
    for made in TOPS:
        top = made(np.random.default_rng(seed))

        assert top.shape == (PX, PX, 3)
        assert top.min() >= 0
        assert top.max() <= 1
