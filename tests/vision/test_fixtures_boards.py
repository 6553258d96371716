"""The generated boards agree with themselves: pictures, truth and the scripted race."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

BOARDS = Path(__file__).parents[2] / "fixtures" / "boards"
RACE = json.loads((BOARDS / "race.json").read_text())
FULL = RACE["rounds"] + RACE["spare"]
TRUTHS = sorted(path for path in BOARDS.glob("*.json") if path.name != "race.json")
LINES = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
    *((0, 4, 8), (2, 4, 6)),
)
every_truth = pytest.mark.parametrize("path", TRUTHS, ids=lambda path: path.stem)
every_full_board = pytest.mark.parametrize("entry", FULL, ids=lambda entry: entry["file"])


def load(path: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(path.read_text())
    return told


def on_board(told: dict[str, Any]) -> list[dict[str, Any]]:
    return [die for die in told["dice"] if die["cell"] is not None]


def is_clockwise(corners: list[list[float]]) -> bool:
    """Say whether the corners turn clockwise on a screen, where y grows downwards."""
    x, y = np.array(corners).T
    return bool(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) > 0)


def cell_under(told: dict[str, Any], die: dict[str, Any]) -> list[int]:
    """Return the cell the die's centre seems to lie on, read from the corners alone."""
    unit = np.array([[0, 0], [3, 0], [3, 3], [0, 3]], np.float32)
    to_cells = cv2.getPerspectiveTransform(np.array(told["board"]["corners"], np.float32), unit)
    place = np.array([[die["center"]]], np.float32)
    column, row = cv2.perspectiveTransform(place, to_cells)[0, 0]
    return [int(np.floor(row)), int(np.floor(column))]


@every_truth
def test_the_truth_names_a_picture_of_its_size(path: Path) -> None:
    told = load(path)

    picture = cv2.imread(str(path.parent / told["file"]))

    assert picture is not None
    assert picture.shape == (told["height"], told["width"], 3)


@every_truth
def test_faces_are_clockwise_quads_inside_the_picture(path: Path) -> None:
    told = load(path)

    for die in told["dice"]:
        quad = np.array(die["quad"])
        assert (quad >= 0).all()
        assert (quad < [told["width"], told["height"]]).all()
        assert is_clockwise(die["quad"])
        assert cv2.pointPolygonTest(quad.astype(np.float32), die["center"], False) > 0
        assert die["value"] in range(1, 7)


@every_truth
def test_the_board_starts_at_the_pictures_upper_left(path: Path) -> None:
    corners = load(path)["board"]["corners"]

    nearest = min(range(4), key=lambda k: np.hypot(*corners[k]))

    assert is_clockwise(corners)
    assert nearest == 0


@pytest.mark.parametrize("entry", FULL[2:3] + FULL[6:7], ids=lambda entry: entry["file"])
def test_seen_from_above_each_die_lies_on_the_cell_it_is_told_to(entry: dict[str, Any]) -> None:
    """From lower down a die's upper face is seen over the cell behind, so two steep views do."""
    told = load((BOARDS / entry["file"]).with_suffix(".json"))

    assert [cell_under(told, die) for die in on_board(told)] == [
        die["cell"] for die in on_board(told)
    ]


@every_full_board
def test_a_full_board_shows_the_scripted_grid(entry: dict[str, Any]) -> None:
    told = load((BOARDS / entry["file"]).with_suffix(".json"))

    seen = {tuple(die["cell"]): (die["color"], die["value"]) for die in on_board(told)}

    names = {"B": "black", "W": "white"}
    assert seen == {
        (row, column): (names[token[0]], int(token[1]))
        for row, tokens in enumerate(entry["grid"])
        for column, token in enumerate(tokens)
    }


@every_full_board
def test_the_starter_has_five_dice_on_the_board(entry: dict[str, Any]) -> None:
    owners = Counter(token[0] for tokens in entry["grid"] for token in tokens)
    starter, other = ("B", "W") if entry["starter"] == "black" else ("W", "B")

    assert owners == {starter: 5, other: 4}
    assert entry["left_over"][0] == other


@every_full_board
def test_a_die_beside_the_board_is_the_one_left_over(entry: dict[str, Any]) -> None:
    told = load((BOARDS / entry["file"]).with_suffix(".json"))

    beside = [die for die in told["dice"] if die["cell"] is None]

    assert [f"{die['color'][0].upper()}{die['value']}" for die in beside] in (
        [],
        [entry["left_over"]],
    )


@every_full_board
def test_the_score_counts_odd_lines_for_black(entry: dict[str, Any]) -> None:
    values = [int(token[1]) for tokens in entry["grid"] for token in tokens]

    odd = sum(sum(values[k] for k in line) % 2 for line in LINES)

    assert entry["score"] == {"black": odd, "white": 8 - odd}


def test_the_race_ends_with_its_last_round_and_not_before() -> None:
    black = np.cumsum([entry["score"]["black"] for entry in RACE["rounds"]])
    white = np.cumsum([entry["score"]["white"] for entry in RACE["rounds"]])

    assert [entry["total"] for entry in RACE["rounds"]] == [
        {"black": b, "white": w} for b, w in zip(black, white, strict=True)
    ]
    assert max(black[-2], white[-2]) < RACE["target"] <= black[-1]


def test_the_start_alternates() -> None:
    starters = [entry["starter"] for entry in FULL]

    assert starters == [("black", "white")[k % 2] for k in range(len(FULL))]


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("partial-4", {"black": 2, "white": 2}),
        ("eight", {"black": 4, "white": 4}),
        ("ten", {"black": 5, "white": 5}),
        ("two-in-a-cell", {"black": 5, "white": 4}),
        ("foreign", {"black": 4, "white": 4, "red": 1}),
        ("empty", {}),
        ("dim", {"black": 5, "white": 4}),
        ("demo", {"black": 5, "white": 4}),
    ],
)
def test_an_odd_board_has_the_dice_its_name_says(name: str, counts: dict[str, int]) -> None:
    told = load(BOARDS / f"{name}.json")

    assert Counter(die["color"] for die in on_board(told)) == counts


@pytest.mark.parametrize(("name", "cells"), [("ten", 9), ("two-in-a-cell", 8), ("eight", 8)])
def test_two_dice_share_a_cell_where_they_should(name: str, cells: int) -> None:
    told = load(BOARDS / f"{name}.json")

    assert len({tuple(die["cell"]) for die in on_board(told)}) == cells


def test_the_pictures_stay_small_enough_to_be_cloned() -> None:
    sizes = [path.stat().st_size for path in BOARDS.glob("*.jpg")]

    assert max(sizes) <= 250_000
    assert sum(sizes) <= 5_000_000
