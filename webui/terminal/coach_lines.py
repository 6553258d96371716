"""Advice as numbered lines, the best first."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator, Sequence

from scorer import Advice, named
from scorer.messages import ENGLISH, ngettext, translated
from webui.terminal import console

SHOWN = 12  # choices in the table; the JSON has all


def lines(
    advice: Sequence[Advice], names: Sequence[str], most: int = SHOWN, language: str = ENGLISH
) -> Iterator[str]:
    """Yield the best *most* choices as numbered lines."""
    width = max(console.NARROWEST, min(console.width(), shutil.get_terminal_size().columns))
    for place, choice in enumerate(advice[:most], start=1):
        why = translated(named(choice.why, names), language)
        yield textwrap.fill(
            why[:1].upper() + why[1:],
            width,
            initial_indent=f"{place:2}. ",
            subsequent_indent="    ",
        )
    if most == SHOWN < len(advice):
        more = ngettext("{n} more choice: --json", "{n} more choices: --json", len(advice) - SHOWN)
        yield f"    {translated(more, language)}"
