"""`pipsight games` and `pipsight rules`: the games and their rules."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

from scorer import Game, Malformed, Setting
from scorer.games import GAMES
from scorer.messages import Message, _, joined, raw, translated
from scorer.rulebook import chapter, rule
from webui.api.answers.games import game_view
from webui.languages import counted, said, translate

NARROWEST = 40  # minimum columns of a terminal


def show_games(name: str | None, *, as_json: bool = False) -> int:
    """Print the games, or all settings of one; return the exit code."""
    games = [GAMES[name]] if name else list(GAMES.values())
    if as_json:
        print(json.dumps([game_view(game) for game in games], ensure_ascii=False))
    elif name:
        print("\n".join(_game(games[0])))
    else:
        print("\n".join(_list(games)))
    return 0


def show_rules(name: str | None, language: str) -> int:
    """Print the written rules of a game, or the rule with an id; return the exit code."""
    try:
        if name in GAMES:
            print(chapter(GAMES[name], language))
        else:
            print(rule(name).said(language) if name else translated(_how(), language))
    except Malformed:
        unknown = _(
            "There is no rule and no game {name}. Games: {games}; rules are named like {id}.",
            name=raw(repr(name)),
            games=raw(", ".join(GAMES)),
            id=raw("PH-4"),
        )
        print(translated(unknown, language), file=sys.stderr)
        return 1
    return 0


def _how() -> Message:
    lines = [raw(f"  pipsight rules {game.name:16} {game.title}") for game in GAMES.values()]
    row = raw(f"  {'pipsight rules PH-4':31} ")
    return joined("\n", [*lines, joined("", [row, _("one rule, as a refusal names it")])])


def _list(games: list[Game[Any, Any]]) -> Iterator[str]:
    for game in games:
        yield f"{game.name:16} {said(game.title):27} {_seats(game)}"
    yield translate("Settings of one: pipsight games GAME")


def _seats(game: Game[Any, Any]) -> str:
    first, last = game.seats[0], game.seats[-1]
    if last > first:
        return translate("{first} to {last} players", first=first, last=last)
    return counted("{n} player", "{n} players", first)


def _game(game: Game[Any, Any]) -> Iterator[str]:
    width = max(NARROWEST, shutil.get_terminal_size().columns)
    yield f"{said(game.title)}, {_seats(game)}"
    facts = game.one_photo.facts if game.one_photo else ()
    for setting in (*game.settings, *facts):
        yield ""
        yield from textwrap.wrap(
            f"{setting.name}: {said(setting.meaning)} ({setting.rule})",
            width,
            subsequent_indent="  ",
        )
        for choice in _choices(setting):
            yield from textwrap.wrap(
                choice, width, initial_indent="    ", subsequent_indent="      "
            )
    yield ""
    first = next((one for one in game.settings if _typed(one.default)), game.settings[0])
    usual = _typed(first.default) or first.example
    yield translate(
        "Set one: pipsight play {game} --set {value}", game=game.name, value=f"{first.name}={usual}"
    )
    for fact in facts:
        yield translate(
            "{fact} is set to score a photo: pipsight score {game} --set {value} PHOTO",
            fact=fact.name,
            game=game.name,
            value=shlex.quote(f"{fact.name}={fact.example}"),
        )


def _choices(setting: Setting) -> Iterator[str]:
    if isinstance(setting.values, range):
        low, high = setting.values[0], setting.values[-1]
        numbers = translate("a whole number from {low} to {high}", low=low, high=high)
        yield f"{numbers} {_default(setting)}"
        return
    default = translate("default")
    for value, says in setting.values.items():
        usual = f" ({default})" if value == setting.default else ""
        yield f"{_typed(value)}: {said(says)}{usual}"
    if not setting.example:
        return
    if not setting.values and setting.default:
        yield _default(setting)
    yield translate("your own, like: {example}", example=setting.example)


def _default(setting: Setting) -> str:
    return translate("(default: {value})", value=_typed(setting.default))


def _typed(value: object) -> str:
    """Return a value in the syntax of `--set`."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
