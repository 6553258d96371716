"""Cases to try: the gate tries each value once or more, or few of one kind; `make test-all` all."""

import os
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, TypeVar

import pytest

Case = TypeVar("Case")
EVERY = "EVERY_TEST" in os.environ  # set by `make test-all`


def every_value(**axes: Sequence[Any]) -> pytest.MarkDecorator:
    """Return the mark of a test that is given one value of each of *axes*."""
    return pytest.mark.parametrize(tuple(axes), combined(*axes.values()))


def few(cases: Iterable[Case], number: int = 1) -> list[Case]:
    """Return *cases*, of which the gate tries the first *number*: the others show nothing new."""
    return [*cases] if EVERY else [*cases][:number]


def without(cases: Iterable[Case], *slow: Case) -> list[Case]:
    """Return *cases*, in the gate without those that take long: the others try the same code."""
    return [case for case in cases if EVERY or case not in slow]


def combined(*axes: Sequence[Any], every: bool = EVERY) -> list[tuple[Any, ...]]:
    """Return every combination, or as many as the longest axis has values, with each value in one.

    >>> combined("ab", (1, 2, 3), every=False)
    [('a', 1), ('b', 2), ('a', 3)]
    """
    if every:
        return list(product(*axes))
    return [tuple(axis[place % len(axis)] for axis in axes) for place in range(max(map(len, axes)))]


def tries(number: int) -> int:
    """Return how many random examples are tried: a quarter of *number* in the gate."""
    return number if EVERY else max(3, number // 4)
