"""The written rules: what a refusal's id stands for, and a game's rules as a whole.

The text is docs/rules/RULES.md, inside the wheel scorer/_rules/RULES.md. A game that is not in it
tells its rules in its own module's docstring, a line an id: "PIG-1  A roll of 2 to 6 …".
"""

from __future__ import annotations

import importlib
import re
from functools import cache
from pathlib import Path
from typing import Any

from scorer.errors import Malformed
from scorer.game import Game
from scorer.games import GAMES

HERE = Path(__file__).parent
CHAPTER = re.compile(r"^# ([A-Z]+): .*$", re.MULTILINE)
ID = re.compile(r"[A-Z]+-A?\d+")
ENTRY = re.compile(rf"(?:\*\*({ID.pattern}) |\| ({ID.pattern}) \||({ID.pattern})  )")
MARKUP = re.compile(r"\*\*|`")


@cache
def _text() -> str:
    shipped = HERE / "_rules" / "RULES.md"
    source = shipped if shipped.exists() else HERE.parent / "docs" / "rules" / "RULES.md"
    return source.read_text(encoding="utf-8")


@cache
def _chapters() -> dict[str, str]:
    """Return each game's part of the text by the prefix of its ids."""
    starts = [*CHAPTER.finditer(_text())]
    ends = [*(start.start() for start in starts[1:]), len(_text())]
    return {
        start[1]: _text()[start.start() : end].strip().removesuffix("---").strip()
        for start, end in zip(starts, ends, strict=True)
    }


def chapter(game: Game[Any, Any]) -> str:
    """Return the written rules of *game*, in Markdown."""
    prefix = game.settings[0].rule.partition("-")[0] if game.settings else ""
    if prefix in _chapters():
        return _chapters()[prefix]
    module = importlib.import_module(f"scorer.games.{game.name}")
    return f"# {game.title}\n\n{(module.__doc__ or '').strip()}"


def rule(name: str) -> str:
    """Return the text of the rule with an id, "PH-4", without markup.

    Raises:
        Malformed: no game has such a rule.
    """
    wanted = name.strip().upper()
    for text in (
        *map(chapter, GAMES.values()),
        *_chapters().values(),
    ):  # also those of no one game: MT
        found: list[str] = []
        for line in text.splitlines():
            entry = ENTRY.match(line)
            if entry and wanted in entry.groups():
                found = [line]
            elif found and (entry or not line.strip() or line.startswith("#")):
                break
            elif found:
                found.append(line)
        if found:
            return _plain(found)
    raise Malformed(f"there is no rule {name}; rules are named like PH-4 or DW-A2")


def _plain(lines: list[str]) -> str:
    """Return lines of Markdown without markup; the cells of a table's row become sentences."""
    if lines[0].startswith("|"):
        cells = [cell.strip() for cell in lines[0].strip("| ").split(" | ")]
        lines = [" · ".join(cell for cell in cells if cell)]
    return MARKUP.sub("", "\n".join(lines))
