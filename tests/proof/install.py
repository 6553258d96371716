"""What a release would publish: built twice alike, checked, and installed as strangers install it.

`make test-install`. Builds wheel and source archive twice, compares them byte by byte, lets twine
check them, and installs the wheel in fresh places: by pip on every Python of 3.11 to 3.14 that is
at hand (on the PATH, of pyenv, of uv), by `pipx run` and by `uvx` where uv is at hand. Each reads a
photo; on a server of pip's a match is played by photo. For a Python that is not at hand uv is asked
whether all that it needs has wheels. Prints what was done; the exit code is 1 where something did
not go as it should.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests import ROOT
from tests.proof.networks import Household
from tests.proof.program import PORT, SAMPLE, SERVE, Elsewhere, started

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
TWINE = ROOT / ".venv-audit" / "bin" / "twine"
READ = ("read", "--json", "--look", "grid:3x3", str(SAMPLE))


def run(words: Sequence[str | Path], **env: str) -> str:
    """Run a program to its end and return what it says; what it says of an error is shown."""
    done = subprocess.run(
        list(map(str, words)), check=False, capture_output=True, text=True, env=os.environ | env
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


def built(folder: Path) -> dict[str, str]:
    """Build wheel and source archive into *folder*; return the SHA-256 of each by its name."""
    run([sys.executable, "-m", "hatchling", "build", "-d", folder], PYTHONDONTWRITEBYTECODE="1")
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def places(version: str) -> Iterator[str]:
    """Yield where a Python of that version may be: on the PATH, of pyenv, of uv."""
    if found := shutil.which(f"python{version}"):
        yield found
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from map(str, sorted(pyenv.glob(f"versions/{version}.*/bin/python"), reverse=True))
    if shutil.which("uv"):
        asked = ["uv", "python", "list", "--only-installed", "--output-format", "json", version]
        listed = subprocess.run(asked, check=False, capture_output=True, text=True)
        yield from (python["path"] for python in json.loads(listed.stdout or "[]"))


def runs(python: str, version: str) -> bool:
    """Whether it does run, and is of that version: a name on the PATH may lead to neither."""
    done = subprocess.run([python, "-V"], check=False, capture_output=True, text=True)
    return done.returncode == 0 and done.stdout.startswith(f"Python {version}.")


def has_wheels(version: str) -> str:
    """Say that all that Pipsight needs has a wheel for a Python; uv refuses where one has none."""
    if not shutil.which("uv"):
        return "no uv that asks whether its packages have wheels"
    asked = ["uv", "pip", "compile", "--quiet", "--no-header", "--no-annotate"]
    project = ROOT / "pyproject.toml"
    named = run([*asked, "--python-version", version, "--only-binary", ":all:", project])
    return f"all of {len(named.splitlines())} packages have a wheel for it"


def pythons() -> Iterator[tuple[str, str]]:
    """Yield each version of Python that is at hand, with its program."""
    for version in VERSIONS:
        found = next((python for python in places(version) if runs(python, version)), None)
        if found:
            yield version, found
        else:
            print(f"Python {version}: not at hand; {has_wheels(version)}")


def reads(words: Sequence[str | Path], home: Path) -> None:
    """Read a photo by an installed command, from an empty home."""
    line = json.loads(run([*words, *READ], HOME=str(home)))
    values = sorted(die["value"] for die in line["dice"])
    assert values == [1, 2, 2, 3, 3, 4, 5, 5, 6, 6], line


def by_pip(version: str, python: str, wheel: Path, folder: Path, house: Household) -> None:
    """Install in a fresh environment of a Python."""
    began = time.monotonic()
    run([python, "-m", "venv", folder])
    run([folder / "bin" / "pip", "install", "--quiet", wheel])
    reads([folder / "bin" / "pipsight"], folder)
    print(f"pip, Python {version}: reads a photo, {time.monotonic() - began:.0f} s")
    command = [*house.starts, str(folder / "bin" / "pipsight"), *SERVE]
    with started(command, folder), house.phone():
        Elsewhere(f"http://{house.address}:{PORT}").played()


def main() -> int:
    """Build, check, install; return the exit code."""
    with tempfile.TemporaryDirectory() as place, Household.made() as house:
        folder = Path(place)
        first, second = built(folder / "first"), built(folder / "second")
        assert first == second, (first, second)
        for name, digest in first.items():
            print(f"{name}: built twice alike, {digest[:12]}…")
        files = sorted((folder / "first").iterdir())
        print(run([TWINE, "check", "--strict", *files]).strip())
        (wheel,) = (path for path in files if path.suffix == ".whl")
        for version, python in pythons():
            by_pip(version, python, wheel, folder / version, house)
        if shutil.which("uv"):
            tools = {"uvx": ["uvx", "--from", wheel, "pipsight"]}
            tools["pipx"] = ["uvx", "pipx", "run", "--spec", wheel, "pipsight"]
            for name, words in tools.items():
                reads(words, folder / name)
                print(f"{name}: reads a photo")
        else:
            print("uvx and pipx: no uv at hand that runs them")
    return 0


if __name__ == "__main__":
    sys.exit(main())
