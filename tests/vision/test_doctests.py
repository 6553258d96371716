"""The examples in docstrings of `vision` are right."""

import doctest
import importlib
from pathlib import Path

import pytest

VISION = Path(__file__).parents[2] / "vision"
WITH_EXAMPLES = [
    ".".join(path.relative_to(VISION.parent).with_suffix("").parts)
    for path in sorted(VISION.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_in_docstrings_are_right(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples():
    assert "vision.geometry" in WITH_EXAMPLES
