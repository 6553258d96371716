"""The scripts of a page joined into one file, and its style sheets into another: two requests.

A browser learns of an import when it has read the file that imports; over a phone's radio each of
thirty small files costs more than its bytes. Comments that fill their lines are not sent: they are
a fifth of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from pathlib import Path

from flask import Flask, Response, url_for

from webui.errors import NotFound
from webui.http import policy
from webui.http.roles import least
from webui.store.tables.phones import Role

IMPORT = re.compile(
    r"""^import (?:(\{[^}]*\}|\* as \w+) from )?"\./([\w.-]+)\.js";\n""", re.MULTILINE
)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
EXPORTED = re.compile(r"^export \{ ([\w, ]+) \};\n", re.MULTILINE)  # by what others wrote
WORKER = "service_worker.js"
EYES = "eyes_worker.js"
COMMENT = re.compile(r"^[ \t]*(?:/\*\*.*?\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
BETWEEN = "+"  # in the address of several sheets
MOST_MADE = 32  # joined files that are kept; the pages ask for a dozen
FOREVER = "public, max-age=31536000, immutable"  # its address has a hash of the contents


def serve_joined(app: Flask, folder: Path) -> None:
    """Serve what is in *folder* joined, and give templates the addresses of it."""
    made = lru_cache(MOST_MADE)(partial(_join, folder))  # anybody may ask for any of its names

    @least(Role.ANYBODY)
    def joined(name: str) -> Response:
        kind = "text/css" if name.endswith(".css") else "text/javascript"
        heads = {"Cache-Control": FOREVER}
        if name == EYES:  # a thread of its own has a policy of its own
            heads[policy.NAME] = policy.policy(eyes=True)
        return Response(made(name), mimetype=kind, headers=heads)

    def address(names: Sequence[str]) -> str:
        return url_for("joined", name=BETWEEN.join(names))

    @least(Role.ANYBODY)
    def worker() -> Response:
        text = (folder / WORKER).read_text("utf-8")
        where = f'const STATIC = "{url_for("static", filename="")}";\n'
        return Response(where + text, mimetype="text/javascript")  # browsers ask for it anew

    app.add_url_rule(f"{app.static_url_path}/joined/<name>", "joined", joined)
    app.add_url_rule(f"/{WORKER}", "worker", worker)  # it serves what lies beside or below it
    app.jinja_env.globals["joined"] = address


def _join(folder: Path, name: str) -> str:
    """Return the sheets of a name, or its script with all that it imports; raises NotFound."""
    paths = [folder / part for part in name.split(BETWEEN)]
    are_here = all(path.parent == folder and path.is_file() for path in paths)
    alike = {path.suffix for path in paths} in ({".js"}, {".css"})
    if not (are_here and alike and len({*paths}) == len(paths)):
        raise NotFound("There is no such script or style sheet.")
    if paths[0].suffix == ".css":
        return "".join(path.read_text("utf-8") for path in paths)
    return join_modules(paths[0].stem, lambda stem: (folder / f"{stem}.js").read_text("utf-8"))


def join_modules(entry: str, read: Callable[[str], str]) -> str:
    r"""Return one module that does what *entry* does with all it imports, each in its own scope.

    Modules import by name or as a whole, `export` begins a line, and no exported name changes its
    value. What *entry* exports, the whole does. Raises RecursionError where modules import each
    other.

    >>> files = {"page": 'import { twice as x } from "./sum.js";\nshow(x(3));\n',
    ...          "sum": "export const twice = (it) => 2 * it;\n"}
    >>> print(join_modules("page", files.__getitem__))
    const $sum = (() => {
    const twice = (it) => 2 * it;
    return { twice };
    })();
    const $page = (() => {
    const { twice: x } = $sum;
    show(x(3));
    return {  };
    })();
    <BLANKLINE>
    """
    parts: dict[str, str] = {}

    def add(name: str) -> None:
        if name in parts:
            return
        text = read(name)
        for _, imported in IMPORT.findall(text):
            add(imported)
        parts[name] = _scoped(name, text)

    add(entry)
    names = _exported(read(entry))
    return "".join(parts.values()) + (f"export const {{ {names} }} = ${entry};\n" if names else "")


def _exported(text: str) -> str:
    return ", ".join(EXPORT.findall(text) + EXPORTED.findall(text))


def _scoped(name: str, text: str) -> str:
    body = COMMENT.sub("", EXPORTED.sub("", EXPORT.sub("", IMPORT.sub(_taken, text))))
    return f"const ${name} = (() => {{\n{body}return {{ {_exported(text)} }};\n}})();\n"


def _taken(found: re.Match[str]) -> str:
    """Return the line that takes what a module imports from the scope of another."""
    what, module = found.groups()
    if what is None:
        return ""
    if what.startswith("*"):
        return f"const {what.removeprefix('* as ')} = ${module};\n"
    return f"const {what.replace(' as ', ': ')} = ${module};\n"
