"""The rules of a game on one page, and single rules for a dialog on the match's page."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, render_template
from markupsafe import Markup, escape

from scorer import Game, Setting
from scorer.games import GAMES
from scorer.messages import _
from scorer.rulebook import Rule, common, rules_of
from webui.api.answers.games import value_says
from webui.api.answers.match import match_view
from webui.errors import NotFound
from webui.http.roles import least
from webui.languages import said
from webui.match import match as matches
from webui.pages.rules.rule_pictures import PICTURES, RulePicture, Worked, bounds, worked
from webui.services import services
from webui.store.tables.phones import Role

bp = Blueprint("rules", __name__)

TAG = re.compile(r"\(([A-Z]+-A?\d+[a-z]?)\)")


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule for a page: its picture with score, and its settings with the chosen ones marked."""

    rule: Rule
    picture: RulePicture | None
    worked: Worked | None
    settings: tuple[tuple[str, tuple[tuple[str, bool], ...]], ...]


@bp.get("/rules/<name>")
@least(Role.ANYBODY)
def page(name: str) -> str:
    """Show all rules of a game."""
    return _page(_game(name))


@bp.get("/rules/<name>/<rule>")
@least(Role.ANYBODY)
def part(name: str, rule: str) -> str:
    """Return one rule as a part of a page."""
    return _part(_game(name), rule)


@bp.get("/m/<match_id>/rules")
@least(Role.WATCHER)
def match_page(match_id: str) -> str:
    """Show all rules of a match's game, with the house rules of the match."""
    match = matches.load(services().store, match_id)
    return _page(_game(match.row.game), match_view(match, services().root), match_id)


@bp.get("/m/<match_id>/rules/<rule>")
@least(Role.WATCHER)
def match_part(match_id: str, rule: str) -> str:
    """Return one of them as a part of the match's page."""
    match = matches.load(services().store, match_id)
    return _part(_game(match.row.game), rule, match_view(match, services().root))


def ruled(sentence: str, page: str) -> Markup:
    """Return a sentence in which an id in brackets, "(PH-4)", links to the rule on its *page*."""
    link = Markup('<a class="rule" href="{0}#{1}" target="_blank"><span>{1}</span></a>')
    parts = TAG.split(sentence)
    tagged = [link.format(page, part) if at % 2 else escape(part) for at, part in enumerate(parts)]
    return Markup("").join(tagged)


def _game(name: str) -> Game[Any, Any]:
    if name not in GAMES:
        raise NotFound(_("There is no such game. Go to the start page."))
    return GAMES[name]


def _page(
    game: Game[Any, Any], view: Mapping[str, Any] | None = None, match_id: str | None = None
) -> str:
    entries = _entries(game, (*rules_of(game), *common()), view)
    own = [entry for entry in entries if entry.rule in rules_of(game)]
    return render_template(
        "rules.html",
        game=game,
        match_id=match_id,
        agreed=view is not None,
        bounds=bounds,
        chapters={
            "rules": [entry for entry in own if not entry.rule.open],
            "open": [entry for entry in own if entry.rule.open],
            "match": entries[len(own) :],
        },
    )


def _part(game: Game[Any, Any], name: str, view: Mapping[str, Any] | None = None) -> str:
    found = [rule for rule in (*rules_of(game), *common()) if rule.name.upper() == name.upper()]
    if not found:
        raise NotFound(_("There is no such rule."))
    (entry,) = _entries(game, found, view)
    return render_template("_rule_part.html", shown=entry, agreed=view is not None, bounds=bounds)


def _entries(
    game: Game[Any, Any], rules: Sequence[Rule], view: Mapping[str, Any] | None
) -> list[Entry]:
    chosen = {one["name"]: one["says"] for one in view["settings"]} if view else {}
    entries = []
    for rule in rules:
        picture = PICTURES.get(rule.name)
        shown = [
            (said(setting.meaning), _choices(setting, chosen))
            for setting in game.settings
            if setting.rule == rule.name and (not view or setting.name in chosen)
        ]
        points = worked(game, picture) if picture and picture.worked else None
        entries.append(Entry(rule, picture, points, tuple(shown)))
    return entries


def _choices(setting: Setting, chosen: Mapping[str, str]) -> tuple[tuple[str, bool], ...]:
    if setting.name in chosen:
        return ((chosen[setting.name], True),)
    stands = value_says(setting, setting.default)
    if isinstance(setting.values, range):
        return ((f"{setting.values[0]} … {setting.values[-1]}", False), (stands, True))
    choices = [(said(says), value == setting.default) for value, says in setting.values.items()]
    return (*choices, *([] if any(sets for _, sets in choices) else [(stands, True)]))
