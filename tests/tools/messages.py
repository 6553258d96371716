"""`make messages`: every sentence into the template catalogue, and each language's file after it.

What is extracted is what stands in `_(…)`, `ngettext(…, …)`, `counted(…, …)`, `reason(…)`,
`over(…)` and `translate(…)` of Python, templates and scripts, in the help of commands, and in the
written rules. New
sentences are added to each `.po`, old ones dropped, and the `.mo` beside it is what gettext reads.
To begin a language: `make messages ARGS=fr`.
"""

import ast
import io
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment
from jinja2.ext import extract_from_ast

from scorer import rulebook
from scorer.messages import DOMAIN, LOCALE
from tests import ROOT
from webui.languages import in_script

ROOMS = ("scorer", "webui")
TEMPLATES = ("templates", "help")
KEYWORDS = {
    "_": None,
    "ngettext": (1, 2),
    "counted": (1, 2),
    "reason": None,
    "over": None,
    "translate": None,
}
HELPS = ("help", "description", "epilog")  # of argparse, in webui/commands
HEADER = "# Sentences of Pipsight; what has no translation is said in English."
SAME_DAY = datetime(2026, 1, 1, tzinfo=UTC)  # so that the same sentences are the same file
TEMPLATE = LOCALE / f"{DOMAIN}.pot"


@cache
def extracted() -> Catalog:
    """Return every sentence of the sources, with the files it stands in."""
    catalogue = Catalog()
    for path in sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.*")):
        for text in _sentences(path):
            catalogue.add(text, locations=[(path.relative_to(ROOT).as_posix(), None)])
    for text in rulebook.sentences():
        catalogue.add(text.template, locations=[("docs/rules/RULES.md", None)])
    return catalogue


def _sentences(path: Path) -> Iterator[str | tuple[str, ...]]:
    if path.suffix == ".py":
        source = io.BytesIO(path.read_bytes())
        yield from (text for _line, text, _, _ in extract("python", source, KEYWORDS))
        if "commands" in path.parts:
            yield from _helps(ast.parse(path.read_bytes()))
    elif path.suffix == ".js":
        yield from (pair if pair[1] else pair[0] for pair in sorted(in_script(path)))
    elif path.parts[-2] in TEMPLATES:
        tree = Environment().parse(path.read_text("utf-8"))
        for _line, _name, found in extract_from_ast(tree, KEYWORDS, babel_style=False):
            if texts := tuple(filter(None, found)):  # else it is said of a variable
                yield texts if len(texts) > 1 else texts[0]


def _helps(tree: ast.AST) -> Iterator[str]:
    """Yield the help of commands, which `webui.commands.language` translates."""
    for node in ast.walk(tree):
        match node:
            case ast.keyword(arg=name, value=ast.Constant(value=str(text))) | ast.Assign(
                [ast.Attribute(attr=name)], ast.Constant(value=str(text))
            ) if name in HELPS:
                yield text
            case ast.Call(ast.Name("Command"), [ast.Constant(value=str(text)), *_more]):
                yield text


def as_po(catalogue: Catalog) -> bytes:
    """Return a catalogue as a file has it: the same sentences are the same bytes."""
    catalogue.header_comment, catalogue.fuzzy = HEADER, False
    catalogue.last_translator = catalogue.language_team = catalogue.project = "Pipsight"
    catalogue.creation_date = catalogue.revision_date = SAME_DAY
    written = io.BytesIO()
    write_po(written, catalogue, sort_by_file=True, width=100, omit_header=catalogue.locale is None)
    return written.getvalue()


def translations() -> Iterator[Path]:
    """Yield the file of each language."""
    yield from sorted(LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def read(path: Path) -> Catalog:
    """Return the catalogue of a language; its name is the folder's."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3], domain=DOMAIN)


def updated(catalogue: Catalog, template: Catalog) -> Catalog:
    """Return a language's catalogue with the sentences of *template* and no others."""
    catalogue.update(template, no_fuzzy_matching=True, update_creation_date=False)
    catalogue.obsolete.clear()
    return catalogue


def compiled(catalogue: Catalog) -> bytes:
    """Return what gettext reads."""
    written = io.BytesIO()
    write_mo(written, catalogue)
    return written.getvalue()


def main(argv: list[str]) -> int:
    """Write the template and every language's files; begin the languages that are named."""
    template = extracted()
    LOCALE.mkdir(exist_ok=True)
    TEMPLATE.write_bytes(as_po(template))
    for language in argv:
        path = LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_bytes(as_po(Catalog(locale=language)))
    for path in translations():
        catalogue = updated(read(path), template)
        path.write_bytes(as_po(catalogue))
        path.with_suffix(".mo").write_bytes(compiled(catalogue))
        translated = sum(1 for one in catalogue if one.id and one.string and any(one.string))
        print(f"{path.parts[-3]}: {translated} of {len(template)} sentences")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
