import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.values import PAGE, SchemaError, appended, dump, reader


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
    counts: Mapping[str, int] = field(default_factory=dict)
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
        ({"row": 1, "colour": "red"}, "colour: expected one of black, white, not 'red'"),
        ({"row": True, "colour": "black"}, "row: expected a whole number, not true"),
        ({"row": 3.0, "colour": "black"}, "row: expected a whole number, not 3.0"),
        ({"row": "3", "colour": "black"}, "row: expected a whole number, not '3'"),
        ({"row": 1, "colour": "black", "x": 1}, "x is not one of row, colour"),
        ({"row": 1, "colour": ["black"]}, "colour: expected one of black, white"),
        ([1, "black"], "expected an object"),
        (None, "expected an object, not null"),
    ],
)
def test_a_misfit_says_where_and_what_was_wanted(data, sentence):
    with pytest.raises(SchemaError, match=sentence):
        reader(Point)(data)


@pytest.mark.parametrize(
    ("wanted", "data", "sentence"),
    [
        (tuple[int, ...], "123", "expected a list"),
        (tuple[int, int], [1], "expected a list of 2, not of 1"),
        (int | None, "x", "expected a whole number or null, not 'x'"),
        (Mapping[str, int], [1], "expected an object"),
        (Mapping[str, int], {"a": "b"}, "expected a whole number"),
        (str, "x" * 100, None),
        (int, "x" * 100, r"not 'x{36}\.\.\."),
        (float, 3, None),
        (float, "3", "expected a number"),
        (bool, 1, "expected true or false"),
    ],
)
def test_types_are_strict(wanted, data, sentence):
    if sentence is None:
        assert reader(wanted)(data) == data
        return
    with pytest.raises(SchemaError, match=sentence):
        reader(wanted)(data)


def test_one_more_item_copies_the_last_page_alone():
    pages = ()
    for item in range(3 * PAGE + 1):
        before, pages = pages, appended(pages, item)

    assert sum(pages, ()) == tuple(range(3 * PAGE + 1))
    assert all(new is old for new, old in zip(pages, before[:3], strict=False))
    assert max(map(len, pages)) == PAGE
