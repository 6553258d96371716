"""Names that show nothing, or only differ in what cannot be seen."""

from __future__ import annotations

import pytest

from scorer import Malformed
from webui.names import check_names

INVISIBLE = [0x3164, 0x2800, 0x034F, 0x115F, 0x1160, 0xFFA0, 0x17B4, 0x180B, 0xFE0F, 0x1D159]


@pytest.mark.parametrize("code", [*INVISIBLE, 0xE0100], ids=lambda code: f"U+{code:04X}")
def test_a_name_holds_something_that_can_be_seen(code):
    with pytest.raises(Malformed, match=r"[Pp]layer 2"):
        check_names(["Ada", chr(code) * 3])


@pytest.mark.parametrize("code", [*INVISIBLE, 0x200C, 0x200D], ids=lambda code: f"U+{code:04X}")
def test_two_names_that_look_alike_are_told(code):
    with pytest.raises(Malformed, match="Two players are called"):
        check_names(["Ada", f"A{chr(code)}da"])


def test_blanks_at_the_end_of_a_name_do_not_tell_it_from_another():
    with pytest.raises(Malformed, match="Two players are called"):
        check_names(["Ada B", "Ada \u2800 B"])


@pytest.mark.parametrize("name", ["❤️", "한글", "⠓⠊", "ไทย", "अनु", "A\u034fe", "☀︎"])
def test_what_can_be_seen_is_a_name_whatever_stands_beside_it(name):
    assert check_names([name]) == (name,)


def test_very_many_names_are_compared_one_by_one():
    class Counted(str):
        asked = 0

        def __eq__(self, other):
            Counted.asked += 1
            return super().__eq__(other)

        __hash__ = str.__hash__

    names = [Counted(f"n{number}") for number in range(2_000)]

    assert len(check_names(names)) == 2_000
    assert Counted.asked < 4_000
