"""The tables that are rendered: what lies on them and what is told of it, without the tracer."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from models.pieces.palette import COLOUR_PROBS
from models.render import blind, lay, stuff, tiles, toys
from models.render.camera import Camera, clockwise
from models.render.ground import PrintedGrid, TableGround
from models.render.lay import Laid
from models.render.scene import RenderedScene
from models.render.solid import Solid, pack
from models.render.tabletop import Tabletop, draw_sets, draw_tabletop
from models.render.tell import share_seen, tell
from models.render.view import hold
from models.textures.detail import COARSEST, Draw, paint, pores, refined, threads
from models.textures.texture import SIDE, Material

DOWN = np.array([[1.0, 0, 0], [0, -1.0, 0], [0, 0, -1.0]])  # right, down, forward
ABOVE = Camera(np.array([0.0, 0, 400]), DOWN, 400.0, 400, 300)  # 1 px a mm on the table
SEEDS = range(1, 11)


@pytest.fixture(scope="module", autouse=True)
def small_materials() -> Iterator[None]:
    """Draw materials 192 px wide, not 1,536: no test here looks at their finest px."""
    with pytest.MonkeyPatch.context() as patch:
        for name, module in list(sys.modules.items()):
            if name.startswith("models.") and getattr(module, "SIDE", None) == SIDE:
                patch.setattr(module, "SIDE", SIDE // 8)
        yield
        drawn_once.cache_clear()


@cache
def drawn_once(seed: int) -> Tabletop:
    return draw_tabletop(seed)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def die(value: int, at: tuple[float, float] = (0.0, 0.0), **more: object) -> Laid:
    make = replace(toys.draw_style(rng()), side=20.0, edge=0.2)
    toy = toys.draw_die(rng(), make, "red")
    side = next(face.side for face in toy.faces if face.value == value)
    return replace(Laid(toy, at, 0.0, 0.0, lay.side_up(side)), **more)


def tile(seed: int = 1, **more: object) -> Laid:
    toy = tiles.draw_tile(rng(seed), tiles.draw_tile_style(rng(seed)), "black")
    return replace(Laid(toy, (0.0, 0.0), 0.0, 0.3, np.eye(3)), **more)


def table(*pieces: Laid, grid: PrintedGrid | None = None, camera: Camera = ABOVE) -> Tabletop:
    scene = RenderedScene(1, (), (), 0.5, camera, dim=False)
    return Tabletop(scene, TableGround((), grid), pieces)


def all_seen(piece: Laid, number: int = 0) -> NDArray[np.int16]:
    """Return a view where only the upper side of one piece is seen, all over the picture."""
    pixels = np.full((300, 400, 2), -1, np.int16)
    rises = [
        piece.rotation()[2, face.side // 2] * (1 - 2 * (face.side % 2)) for face in faces(piece)
    ]
    pixels[..., 0], pixels[..., 1] = number, faces(piece)[int(np.argmax(rises))].side
    return pixels


def faces(piece: Laid) -> tuple[toys.ToyFace, ...]:
    return piece.toy.faces


@pytest.mark.parametrize("value", range(1, 7))
def test_the_side_that_is_up_is_told_with_its_value(value: int) -> None:
    piece = die(value, (30.0, 20.0))

    labels = tell(table(piece), all_seen(piece), "a.jpg")

    (labelled,) = labels["dice"]
    assert (labelled["value"], labelled["up"], labelled["color"], labelled["visible"]) == (
        value,
        True,
        "red",
        1.0,
    )
    flat = 10 - 0.293 * piece.toy.solid.edge
    scale = 400 / 380  # its face is 20 mm nearer to the camera than the table
    assert labelled["center"] == pytest.approx([199.5 + 30 * scale, 149.5 - 20 * scale], abs=0.01)
    width = labelled["quad"][1][0] - labelled["quad"][0][0]
    assert width == pytest.approx(2 * flat * scale, abs=0.02)


@pytest.mark.parametrize("mirrored", [True, False])
def test_opposite_sides_of_a_die_add_to_seven(mirrored: bool) -> None:
    make = replace(toys.draw_style(rng()), mirrored=mirrored)

    values = [face.value for face in toys.draw_die(rng(), make, "blue").faces]

    assert [values[k] + values[k + 1] for k in (0, 2, 4)] == [7, 7, 7]


@pytest.mark.parametrize("value", range(10))
def test_a_layout_has_as_many_pips_as_its_value(value: int) -> None:
    assert len(set(stuff.layout(value))) == value


@pytest.mark.parametrize("seed", [5, 8, 39, 42])
def test_a_set_of_dominoes_has_every_tile_once(seed: int) -> None:
    shown = [
        tuple(sorted(face.value for face in piece.toy.faces))
        for piece in drawn_once(seed).pieces
        if piece.toy.kind == toys.TILE
    ]

    assert len(shown) == len(set(shown)) >= 5


def test_a_die_on_its_edge_is_to_be_ignored() -> None:
    lean = np.deg2rad(40)
    c, s = np.cos(lean), np.sin(lean)
    flat = die(3)
    piece = replace(flat, turn=np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ flat.turn)

    labels = tell(table(piece), all_seen(piece), "a.jpg")

    assert labels["dice"] == []
    assert len(labels["ignore"]) == 1


def test_a_covered_die_is_told_by_how_much_of_it_is_seen() -> None:
    piece = die(5)
    pixels = all_seen(piece)
    pixels[:, :200, 0] = 1  # another piece before its left half

    (labelled,) = tell(table(piece), pixels, "a.jpg")["dice"]

    assert labelled["visible"] == pytest.approx(0.5, abs=0.06)


def test_a_die_out_of_sight_is_not_told() -> None:
    piece = die(5, (900.0, 0.0))

    labels = tell(table(piece), all_seen(piece), "a.jpg")

    assert labels["dice"] == labels["sides"] == []


def test_both_halves_of_a_domino_are_told_within_its_quad() -> None:
    piece = tile()

    (labelled,) = tell(table(piece), all_seen(piece), "a.jpg")["tiles"]

    assert labelled["halves"] == [face.value for face in faces(piece)]
    assert [face["value"] for face in labelled["faces"]] == labelled["halves"]
    quad = np.array(labelled["quad"])
    for face in labelled["faces"]:
        x, y = (quad - np.array(face["center"])).T
        turns = x * np.roll(y, -1) - y * np.roll(x, -1)
        assert (turns > 0).all()  # the middle of a half lies on the inner side of all four edges


def test_cells_are_told_and_the_board_with_its_name() -> None:
    grid = PrintedGrid(2, 4, 40.0)
    piece = die(2, grid.centre(0, 3), cell=(0, 3))

    labels = tell(table(piece, grid=grid), all_seen(piece), "a.jpg")

    assert labels["board"]["name"] == "grid:2x4"
    assert labels["dice"][0]["cell"] == [0, 3]
    left, top = labels["board"]["corners"][0]
    assert (left, top) == (199.5 - 80, 149.5 - 40)


def test_share_seen_counts_what_lies_in_the_picture_only() -> None:
    pixels = np.zeros((100, 100, 2), np.int16)
    quad = np.array([(-50.0, 20), (50, 20), (50, 60), (-50, 60)])

    assert share_seen(quad, 0, 0, pixels) == pytest.approx(0.5, abs=0.03)
    assert share_seen(quad, 0, 4, pixels) == 0


def test_clockwise_turns_with_the_clock_on_a_screen() -> None:
    anticlockwise = np.array([(10.0, 0), (0, 0), (0, 10), (10, 10)])

    assert clockwise(anticlockwise).tolist() == [[0, 0], [10, 0], [10, 10], [0, 10]]


def test_pieces_in_each_others_way_overlap_and_touching_ones_do_not() -> None:
    first = die(1)

    assert lay.overlap(first, die(1, (19.9, 0.0)), 0.0)
    assert not lay.overlap(first, die(1, (20.1, 0.0)), 0.0)
    assert not lay.overlap(first, die(1, (22.0, 22.0), yaw=np.pi / 4), 0.0)
    assert lay.overlap(first, die(1, (16.0, 16.0), yaw=np.pi / 4), 0.0)


def test_a_piece_rests_on_the_one_that_carries_its_middle() -> None:
    below = die(1)

    above = lay.settle(die(1, (3.0, -4.0)), [below], 0.0, stack=True)

    assert above is not None
    assert (above.floor, above.level) == (20.0, 1)
    assert lay.settle(die(1, (12.0, 0.0)), [below], 0.0, stack=True) is None  # it would tip


def test_a_block_of_no_pieces_is_an_empty_table() -> None:
    placed: list[Laid] = []
    lay.block(rng(), [], placed, 0.0)
    assert not placed


def test_the_same_seed_lays_the_same_table() -> None:
    first, two = (draw_tabletop(3) for _ in range(2))

    assert [piece.at for piece in first.pieces] == [piece.at for piece in two.pieces]
    for a, b in zip(pack(first.scene.solids)[0], pack(two.scene.solids)[0], strict=True):
        assert np.array_equal(a, b)


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_on_a_table_lies_in_anything_else(seed: int) -> None:
    pieces = [p for p in drawn_once(seed).pieces if p.toy.faces]

    for k, piece in enumerate(pieces):
        for other in pieces[:k]:
            apart = piece.floor >= other.top - 0.01 or other.floor >= piece.top - 0.01
            assert apart or not lay.overlap(piece, other, -0.6)


def test_sets_are_of_every_theme_and_colour() -> None:
    sets = [draw_sets(rng(seed)) for seed in range(200)]

    assert {one.theme for one in sets} == {"dice", "tiles", "both", "none"}
    assert {color for one in sets for color in one.colors} == set(COLOUR_PROBS)


def test_dominoes_and_what_is_neither_lie_about_too() -> None:
    kinds = {piece.toy.kind for seed in SEEDS for piece in drawn_once(seed).pieces}

    assert kinds == {toys.DIE, toys.TILE, toys.DECOY}


@pytest.mark.parametrize("face", [15.0, 60.0, 600.0])
def test_a_face_is_held_as_large_as_wished(face: float) -> None:
    camera = hold(rng(), 16.0, face, from_front=False)

    across = camera.axes[0] * 16.0 + camera.eye + camera.axes[2] * np.linalg.norm(camera.eye)
    middle = camera.eye + camera.axes[2] * np.linalg.norm(camera.eye)
    left, right = camera.project(np.array([middle, across]))
    assert right[0] - left[0] == pytest.approx(face, rel=0.15)


def test_a_blind_test_names_no_picture_and_counts_what_was_told_rightly(tmp_path: Path) -> None:
    photos, rendered, out = tmp_path / "photos", tmp_path / "rendered", tmp_path / "out"
    for k in range(3):
        for folder in (photos / "dice-one" / "images", rendered):
            folder.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(folder / f"{k}.jpg"), np.full((60, 80, 3), 80 * k, np.uint8))
        some = [{"value": 3}] if k else []  # the first has no piece, and no photo is without one
        (rendered / f"{k}.json").write_text(json.dumps({"dice": some, "tiles": []}))

    count = blind.mix(out, photos, rendered, each=5, of_a_set=2, seed=1)

    answer_key = json.loads((out / "key.json").read_text())
    assert count == len(answer_key) == 4
    assert sum(answer_key.values()) == 2
    greys = cv2.imread(str(out / "sheet0.png"))[150, 131::262, 0].tolist()  # the middles of a row
    drawn = {grey for grey, is_drawn in zip(greys, answer_key.values(), strict=True) if is_drawn}
    assert drawn == {80, 160}
    answers = out / "answers.json"
    answers.write_text(json.dumps(dict.fromkeys(answer_key, 0.9)))
    assert blind.judged(out, answers) == (2, 4)
    assert [path.name for path in sorted(out.glob("*.png"))] == ["sheet0.png"]


PLAIN = Material(np.full((4, 4, 3), 0.5, np.float32), 500.0, 0.7)


@pytest.mark.parametrize("draw", [pores, threads, paint])
def test_a_table_has_a_finer_grain_from_near(draw: Draw) -> None:
    near, farther = (refined(rng(), PLAIN, draw, px).fine for px in (0.01, 0.5 * COARSEST))
    assert near is not None
    assert farther is not None
    assert near.picture.mean() == pytest.approx(1, abs=0.1)
    assert 0 < farther.picture.std() < near.picture.std()
    assert refined(rng(), PLAIN, draw, 1.1 * COARSEST) is PLAIN


def test_a_grain_is_told_to_the_tracer_with_its_surface() -> None:
    wood = refined(rng(), PLAIN, pores, 0.1)
    slab = Solid(half=(100, 100, 1), roughness=0.7, top=wood, side=wood)
    _, skins = pack([slab, slab])
    assert wood.fine is not None
    assert skins.spans.tolist() == [[500, 1], [wood.fine.span, -1]]
    assert len(skins.pictures) == 2
