"""The written rules: of a game, or by the id in a refusal.

The text is docs/rules/RULES.md, in the wheel scorer/_rules/RULES.md. A game that is not in it has
its rules in its module's docstring, a line for each id: "TW-1  The highest tower …".
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from scorer.errors import Malformed
from scorer.game import Game
from scorer.games import GAMES
from scorer.messages import ENGLISH, Message, _, raw, translated

HERE = Path(__file__).parent
CHAPTER = re.compile(r"^#(# ([A-Z]+): .*)$", re.MULTILINE)
ID = r"([A-Z]+-A?\d+[a-z]?)"
LINE = re.compile(r"(# [A-Z]+: |### |- |)(.+)")  # of a chapter: what stays, what is translated
PROSE = re.compile(r"^(?:### )?([A-Z].+)$", re.MULTILINE)  # headings and introductions
ENTRY = re.compile(rf"\*\*{ID} (.+?)\.\*\* (.+)")
OWN_ENTRY = re.compile(rf"^{ID}  (.+(?:\n +.+)*)", re.MULTILINE)  # of a docstring
COMMON = "MT"  # the chapter about matches, common to all games
OPEN = re.compile(r"-A\d")  # left open by the games' own texts


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its id, "PH-4", its title, "" in a docstring, its text and its list."""

    name: str
    title: Message
    text: Message
    items: tuple[Message, ...] = ()

    @property
    def open(self) -> bool:
        """Return True if the game's own text leaves it open."""
        return bool(OPEN.search(self.name))

    def said(self, language: str) -> str:
        """Return the rule as text for a terminal, in a language."""
        title = f"{translated(self.title, language)}. " if self.title else ""
        items = (f"- {translated(item, language)}" for item in self.items)
        return "\n".join([f"{self.name} {title}{translated(self.text, language)}", *items])


@cache
def _text() -> str:
    shipped = HERE / "_rules" / "RULES.md"
    source = shipped if shipped.exists() else HERE.parent / "docs" / "rules" / "RULES.md"
    return source.read_text(encoding="utf-8")


@cache
def _chapters() -> dict[str, str]:
    starts = [*CHAPTER.finditer(_text())]
    ends = [*(start.start() for start in starts[1:]), len(_text())]
    return {
        start[2]: _text()[start.start(1) : end].strip().removesuffix("---").strip()
        for start, end in zip(starts, ends, strict=True)
    }


def _own(game: Game[Any, Any]) -> str:
    return (importlib.import_module(f"scorer.games.{game.name}").__doc__ or "").strip()


def _prefix(game: Game[Any, Any]) -> str:
    return game.settings[0].rule.partition("-")[0] if game.settings else ""


def chapter(game: Game[Any, Any], language: str = ENGLISH) -> str:
    """Return the written rules of *game*, in Markdown and in a language."""
    text = _chapters().get(_prefix(game)) or f"# {game.title}\n\n{_own(game)}"
    return "\n".join(_line_in(language, line) for line in text.splitlines())


def _line_in(language: str, line: str) -> str:
    if entry := ENTRY.fullmatch(line):
        title, text = (translated(Message(part, {}), language) for part in entry.groups()[1:])
        return f"**{entry[1]} {title}.** {text}"
    parts = LINE.fullmatch(line)
    return parts[1] + translated(Message(parts[2], {}), language) if parts else ""


def rules_of(game: Game[Any, Any]) -> tuple[Rule, ...]:
    """Return the rules of *game* in order."""
    if _prefix(game) in _chapters():
        return _read(_prefix(game))
    return tuple(
        Rule(name, raw(""), raw(re.sub(r"\s+", " ", text)))
        for name, text in OWN_ENTRY.findall(_own(game))
    )


def common() -> tuple[Rule, ...]:
    """Return the common rules of matches."""
    return _read(COMMON)


@cache
def _read(prefix: str) -> tuple[Rule, ...]:
    rules: list[Rule] = []
    for line in _chapters()[prefix].splitlines():
        if entry := ENTRY.fullmatch(line):
            name, title, text = entry.groups()
            rules.append(Rule(name, Message(title, {}), Message(text, {})))
        elif line.startswith("- "):
            last = rules.pop()
            items = (*last.items, Message(line.removeprefix("- "), {}))
            rules.append(Rule(last.name, last.title, last.text, items))
    return tuple(rules)


def sentences() -> Iterator[Message]:
    """Yield every sentence of the text, for the catalogues."""
    for prefix, text in _chapters().items():
        yield from (Message(line, {}) for line in PROSE.findall(text))
        for rule_read in _read(prefix):
            yield from (rule_read.title, rule_read.text, *rule_read.items)


def rule(name: str) -> Rule:
    """Return the rule with an id, "PH-4".

    Raises:
        Malformed: no game has such a rule.
    """
    wanted = name.strip().upper()
    for rules in (*map(rules_of, GAMES.values()), common()):
        for each in rules:
            if each.name.upper() == wanted:
                return each
    raise Malformed(
        _("there is no rule {name}; rules are named like PH-4 or DW-A2", name=raw(name))
    )
