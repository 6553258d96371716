from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.values import SchemaError, dump, reader


@dataclass(frozen=True, slots=True)
class Point:
    row: int
    colour: Literal["black", "white"]


@dataclass(frozen=True, slots=True)
class Polygon:
    points: tuple[Point, ...]
    pair: tuple[int, str]
    name: str | None = None
    share: float = 0.5
    told: Mapping[str, int] = field(default_factory=dict)
    house: Mapping[str, Any] = field(default_factory=dict)
    closed: bool = False


points = st.builds(Point, st.integers(), st.sampled_from(["black", "white"]))
shapes = st.builds(
    Polygon,
    st.lists(points, max_size=3).map(tuple),
    st.tuples(st.integers(), st.text()),
    st.none() | st.text(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.dictionaries(st.text(), st.integers(), max_size=2),
    st.dictionaries(st.text(), st.booleans() | st.tuples(st.integers(), st.text()), max_size=2),
    st.booleans(),
)


@given(shapes)
def test_what_is_dumped_reads_back_equal(shape):
    assert reader(Polygon)(json.loads(json.dumps(dump(shape)))) == shape


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"row": 1}, "colour is missing"),
        ({"row": 1, "colour": "red"}, "colour: one of black, white is wanted, not 'red'"),
        ({"row": True, "colour": "black"}, "row: a whole number is wanted, not true"),
        ({"row": 3.0, "colour": "black"}, "row: a whole number is wanted, not 3.0"),
        ({"row": "3", "colour": "black"}, "row: a whole number is wanted, not '3'"),
        ({"row": 1, "colour": "black", "x": 1}, "x is not one of row, colour"),
        ({"row": 1, "colour": ["black"]}, "colour: one of black, white is wanted"),
        ([1, "black"], "an object is wanted"),
        (None, "an object is wanted, not null"),
    ],
)
def test_a_misfit_says_where_and_what_was_wanted(data, sentence):
    with pytest.raises(SchemaError, match=sentence):
        reader(Point)(data)


@pytest.mark.parametrize(
    ("wanted", "data", "sentence"),
    [
        (tuple[int, ...], "123", "a list is wanted"),
        (tuple[int, int], [1], "a list of 2 is wanted, not of 1"),
        (int | None, "x", "a whole number is wanted, not 'x' or null is wanted"),
        (Mapping[str, int], [1], "an object is wanted"),
        (Mapping[str, int], {"a": "b"}, "a whole number is wanted"),
        (str, "x" * 100, None),
        (int, "x" * 100, r"not 'x{36}\.\.\."),
        (float, 3, None),
        (float, "3", "a number is wanted"),
        (bool, 1, "true or false is wanted"),
    ],
)
def test_types_are_strict(wanted, data, sentence):
    if sentence is None:
        assert reader(wanted)(data) == data
        return
    with pytest.raises(SchemaError, match=sentence):
        reader(wanted)(data)
