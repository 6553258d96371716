"""Writes the lists of docs/develop/addresses.md from what the views declare: `make addresses`."""

import inspect
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from flask import Flask

from tests import ROOT
from webui.app import create_app
from webui.http.roles import declared_least
from webui.store.tables.phones import Role

PAGE = ROOT / "docs" / "develop" / "addresses.md"
BEGIN, END = "<!-- begin: made by `make addresses` -->\n", "<!-- end -->\n"
METHODS = {"GET", "POST", "DELETE"}
JSON = ("/api/", "/healthz", "/metrics")
FILES = ("static", "joined")  # that pages name


def short(rule: str) -> str:
    """Return a route without the types of its parts.

    >>> short("/m/<match_id>/step/<int:seq>"), short("/m/<m>/<any(pieces, board):what>/forget")
    ('/m/<match>/step/<seq>', '/m/<m>/<pieces|board>/forget')
    """
    rule = re.sub(r"<any\(([^)]*)\):\w+>", lambda found: f"<{found[1].replace(', ', '|')}>", rule)
    return re.sub(r"<(?:\w+:)?(\w+?)(?:_id)?>", r"<\1>", rule)


def lines(app: Flask, role: Role, *, is_json: bool) -> Iterator[str]:
    """Yield a line for each route whose least role to read or write is *role*."""
    for rule in sorted(app.url_map.iter_rules(), key=lambda one: one.rule):
        if rule.endpoint in FILES or rule.rule.startswith(JSON) != is_json:
            continue
        view = app.view_functions[rule.endpoint]
        least = declared_least(view)
        methods = sorted(METHODS & (rule.methods or set()))
        named = [
            name for name in methods if role == (least.reads if name == "GET" else least.writes)
        ]
        if named:
            says = (inspect.getdoc(view) or "").partition("\n\n")[0]
            where = f"{' '.join(named)} {short(rule.rule)}"
            yield f"- `{where}`: {says}\n" if is_json else f"{where}\n"


def made(app: Flask) -> str:
    """Return the lists of all addresses by the least role that they need."""
    parts = []
    for heading, is_json in (("JSON interface", True), ("Pages", False)):
        parts.append(f"\n## {heading}\n")
        for role in Role:
            if found := [*lines(app, role, is_json=is_json)]:
                text = "".join(found) if is_json else f"```\n{''.join(found)}```\n"
                parts.append(f"\n### {heading}: {role.name.lower()}\n\n{text}")
    return "".join(parts)


def renewed(page: Path, begin: str, part: str) -> str:
    """Return a page with the part between *begin* and END replaced."""
    head, rest = page.read_text(encoding="utf-8").split(begin)
    return f"{head}{begin}{part}{END}{rest.split(END)[1]}"


def written(app: Flask) -> str:
    """Return the page with its lists made anew."""
    return renewed(PAGE, BEGIN, f"{made(app)}\n")


def main() -> None:
    """Write the page."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(f"sqlite:///{folder}/matches.db", Path(folder) / "photos")
        PAGE.write_text(written(app), encoding="utf-8")
        app.extensions["pipsight"].store.close()


if __name__ == "__main__":
    main()
