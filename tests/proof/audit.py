"""`make audit`: what Pipsight is made of, under which licences, and what is known against it.

The licences are in packaging/third-party.md, which `--write` makes again; a package without a
known licence, or with one that is not on the list, fails, and so does a pin that pyproject.toml
does not allow. The inventory is CycloneDX's, the faults are pip-audit's: where no source of
advisories can be reached it says so.
"""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from typing import Annotated

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from models.harness import run
from tests import ROOT

PAGE = ROOT / "packaging" / "third-party.md"
LOCKED = ROOT / "requirements" / "run.txt"
ALL_LOCKED = ROOT / "requirements" / "dev.txt"  # with what pipsight[scale] needs
STATIC = ROOT / "webui" / "static"
TOOLS = ROOT / ".venv-audit" / "bin"
INVENTORY = ROOT / "var" / "sbom.cdx.json"
OPTIONS = ["--require-hashes", "--disable-pip", "--format", "json", "--progress-spinner", "off"]
# Licences under which their users may pass Pipsight on under its own. The Mozilla and the Lesser
# General Public License ask that their files stay free, which packages from PyPI are.
FREE = re.compile(
    r"MIT|BSD|Apache|PSF|Python Software Foundation|ISC|Zlib|CC0|0BSD|HPND|Unlicense"
    r"|MPL|Mozilla|Zope|ZPL|LGPL|Lesser General Public",
    re.IGNORECASE,
)
HEAD = """# What others wrote

Pipsight is under the [Apache License 2.0](../LICENSE). It needs these packages of others, which are
installed beside it and not passed on with it; `make audit` makes this page from what they say of
themselves, and fails where a licence is new or not known.

| package | licence |
| --- | --- |
"""
VENDORED = """
For more than one server or machine (`pipsight[scale]`) these too:

| package | licence |
| --- | --- |
{scale}
These files of others are passed on with Pipsight, each as it was released, with its licence; what
onnxruntime is made of is named in `webui/static/vendor/onnxruntime/ThirdPartyNotices.txt.gz`:

| file | licence |
| --- | --- |
{files}
A site without a server (`make site`) has these too, from the npm registry, as they were released:

| package | licence |
| --- | --- |
| pyodide | MPL-2.0 |
| cpython | PSF-2.0 |
"""


def pins(text: str) -> dict[str, str]:
    """Return the version of each package that a lock file holds, on every system."""
    return dict(re.findall(r"^([a-z0-9][a-z0-9._-]*)==([^\s;]+)", text, re.M))


def locked() -> list[str]:
    """Return the packages that are locked for running Pipsight."""
    return sorted(pins(LOCKED.read_text(encoding="utf-8")))


def outdated(text: str) -> list[str]:
    """Return the pins of a lock file that are none of the versions pyproject.toml asks for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = map(Requirement, project["dependencies"])
    there = [(one, pins(text).get(canonicalize_name(one.name), "0")) for one in wanted]
    return [
        f"{one.name}: {version} is locked and {one.specifier} needed"
        for one, version in there
        if not one.specifier.contains(version)
    ]


def needed(extra: str) -> list[str]:
    """Return what an extra of Pipsight needs besides, all the way down, as it is installed here."""
    found: set[str] = set()
    waiting = [Requirement(f"pipsight[{extra}]")]
    while waiting:
        asked = waiting.pop()
        for text in metadata.requires(asked.name) or []:
            requirement = Requirement(text)
            name = canonicalize_name(requirement.name)
            extras = asked.extras or {""}
            fits = not requirement.marker or any(
                requirement.marker.evaluate({"extra": of}) for of in extras
            )
            if fits and name not in found and _is_installed(name):
                found.add(name)
                waiting.append(requirement)
    return sorted(found - set(locked()))


def _is_installed(name: str) -> bool:
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def licence(name: str) -> str:
    """Return the licence that a package names, in the way that it does; "" where it names none."""
    said = metadata.metadata(name)
    classifiers = [
        line.rpartition(" :: ")[2]
        for line in said.get_all("Classifier", [])
        if line.startswith("License :: ") and line.count("::") > 1
    ]
    short = said.get("License", "").strip()
    return said.get("License-Expression") or ", ".join(classifiers) or short.partition("\n")[0]


def files() -> Iterator[tuple[str, str]]:
    """Yield each licence that lies beside what others wrote, with the first line of it."""
    for path in sorted(STATIC.rglob("*LICENSE*")):
        title = next(line for line in path.read_text(encoding="utf-8").splitlines() if line)
        yield path.relative_to(ROOT).as_posix(), title.strip()


def rows(text: str) -> dict[str, str]:
    """Return the licences that the page names, by what is under them."""
    return dict(re.findall(r"^\| (?!package|file|---)(\S+) \| (.*) \|$", text, re.M))


def page(before: str) -> str:
    """Return the page; what is not installed on this system keeps the line it had *before*."""
    kept = rows(before)

    def row(name: str) -> str:
        return f"| {name} | {licence(name) if _is_installed(name) else kept.get(name, '')} |\n"

    scale = "".join(map(row, needed("scale")))
    beside = "".join(f"| {path} | {title} |\n" for path, title in files())
    return HEAD + "".join(map(row, locked())) + VENDORED.format(scale=scale, files=beside)


def old(text: str) -> list[str]:
    """Return what the page lacks, or tells otherwise than what is installed here does."""
    there = rows(text)
    licences = {
        name: licence(name) for name in (*locked(), *needed("scale")) if _is_installed(name)
    }
    licences |= dict(files())
    lacking = [name for name in (*locked(), *licences) if name not in there]
    return lacking + [name for name in licences if name in there and there[name] != licences[name]]


def unknown(text: str) -> list[str]:
    """Return the lines of the page whose licence is not one of FREE; all of "A AND B" must be."""
    return [
        f"{name}: {licences or 'no licence is named'}"
        for name, licences in rows(text).items()
        if not all(FREE.search(part) for part in licences.split(" AND "))
    ]


def inventory() -> str:
    """Write the CycloneDX inventory with the licences in it; return what it holds."""
    run = [TOOLS / "cyclonedx-py", "requirements", LOCKED, "--pyproject", ROOT / "pyproject.toml"]
    run += ["--output-reproducible"]
    INVENTORY.parent.mkdir(exist_ok=True)
    subprocess.run([*map(str, run), "--output-file", str(INVENTORY)], check=True)
    listed = json.loads(INVENTORY.read_text(encoding="utf-8"))
    for component in listed["components"]:
        if _is_installed(component["name"]):
            component["licenses"] = [{"license": {"name": licence(component["name"])}}]
    INVENTORY.write_text(json.dumps(listed, indent=1), encoding="utf-8")
    return f"{INVENTORY.relative_to(ROOT)} lists {len(listed['components'])} components."


def faults() -> tuple[str, bool]:
    """Return what is known against the locked packages, and whether that is something."""
    run = subprocess.run(
        [str(TOOLS / "pip-audit"), "-r", str(ALL_LOCKED), *OPTIONS],
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        answered = json.loads(run.stdout)["dependencies"]
    except ValueError:
        why = run.stderr.strip().splitlines()[-1:] or ["no answer"]
        return f"No advisories could be asked for, so nothing is known: {why[0]}", False
    ours = {*locked(), *needed("scale")}
    of_ours = [one for one in answered if one["name"] in ours]
    asked = [one for one in of_ours if "vulns" in one]
    bad = [
        f"{one['name']} {one['version']}: {', '.join(fault['id'] for fault in one['vulns'])}"
        for one in asked
        if one["vulns"]
    ]
    if not asked:
        return f"Of {len(of_ours)} packages no advisories could be asked for.", False
    answer = f"Advisories could be asked for {len(asked)} of {len(of_ours)} locked packages"
    return "\n".join([f"{answer}; known against them: {len(bad)}.", *bad]), bool(bad)


def main(*, write: Annotated[bool, "write packaging/third-party.md anew"] = False) -> int:
    """Check the licences, write the inventory, ask for what is known; 1 where something is bad."""
    text = PAGE.read_text(encoding="utf-8")
    if write:
        text = page(text)
        PAGE.write_text(text, encoding="utf-8")
    strange = [
        *unknown(text),
        *outdated(LOCKED.read_text(encoding="utf-8")),
        *(f"{name}: tell it by make audit ARGS=--write" for name in old(text)),
    ]
    answer, is_bad = faults()
    print(inventory(), *strange, answer, sep="\n")
    return int(bool(strange) or is_bad)


if __name__ == "__main__":
    sys.exit(run(main))
