"""The container as its files describe it: built, started read-only and not as root, played in.

`make test-container`. Where an engine runs here (podman, docker) it builds and runs the container.
Where none does, the steps of the Containerfile are run in a folder: what is copied, each RUN, the
command with its environment, the question after its health. So the files cannot rot unnoticed, but
the image, its read-only root and its user are not tried then; what was done is printed.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from tests import ROOT
from tests.proof.networks import Household
from tests.proof.program import PORT, Elsewhere

FILE = ROOT / "packaging" / "Containerfile"
ENGINES = ("podman", "docker")
PLACES = ("/opt/pipsight", "/src", "/data")  # of the container, below the folder where none is


@dataclass(slots=True)
class Steps:
    """The lines of a Containerfile, as far as ours goes: one build stage and one to run."""

    run: list[str] = field(default_factory=list)
    env: dict[str, str] = field(default_factory=dict)
    entry: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)  # of who names no other
    health: list[str] = field(default_factory=list)


def steps_of(text: str) -> Steps:
    """Read a Containerfile."""
    steps = Steps()
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "RUN":
            steps.run.append(rest)
        elif word == "ENV":
            steps.env |= dict(re.findall(r"(\w+)=(\S+)", rest))
        elif word == "ENTRYPOINT":
            steps.entry = json.loads(rest)
        elif word == "CMD":
            steps.command = json.loads(rest)
        elif word == "HEALTHCHECK":
            steps.health = json.loads(rest.partition("CMD ")[2])
    return steps


def wanted() -> list[str]:
    """Return what is copied into the build: what .containerignore takes back from "*"."""
    lines = (ROOT / ".containerignore").read_text("utf-8").splitlines()
    return [line[1:] for line in lines if line.startswith("!")]


def engine() -> str | None:
    """Return the engine that runs here."""
    for name in filter(shutil.which, ENGINES):
        asked = subprocess.run([name, "info"], check=False, capture_output=True)
        if asked.returncode == 0:
            return name
    return None


def in_engine(name: str) -> None:
    """Build and run the container."""
    subprocess.run(
        [name, "build", "-t", "pipsight-test", "-f", str(FILE), "."], cwd=ROOT, check=True
    )
    safe = ["--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL"]
    run = [name, "run", "--rm", "--detach", "-p", f"{PORT}:8000", *safe, "pipsight-test"]
    box = subprocess.run(run, check=True, capture_output=True, text=True).stdout.strip()
    try:
        Elsewhere(f"http://127.0.0.1:{PORT}").played()
        who = subprocess.run([name, "exec", box, "id", "-u"], check=True, capture_output=True)
        assert who.stdout.strip() != b"0", "it runs as root"
    finally:
        subprocess.run([name, "rm", "--force", box], check=True, capture_output=True)


def placed(text: str, folder: Path) -> str:
    """Return a text of the Containerfile with the container's places below a *folder*."""
    for place in PLACES:
        text = re.sub(rf"(?<![\w.]){place}\b", str(folder) + place, text)
    return text.replace("-o 10001 -g 10001", "")  # who is not root cannot


def surroundings(steps: Steps, folder: Path) -> dict[str, str]:
    """Return the environment of what runs in the container."""
    path = {"PATH": os.environ["PATH"]}
    return {
        name: placed(value.replace("$PATH", path["PATH"]), folder)
        for name, value in (path | steps.env).items()
    }


def in_folder(folder: Path) -> None:
    """Run the steps of the Containerfile in a folder."""
    steps = steps_of(FILE.read_text("utf-8"))
    for pattern in wanted():
        for path in ROOT.glob(pattern):
            to = folder / "src" / path.relative_to(ROOT)
            to.parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if path.is_dir() else shutil.copy
            copy(path, to)

    for line in steps.run:
        print(f"RUN {line}", flush=True)
        subprocess.run(
            placed(line, folder),
            shell=True,
            cwd=folder / "src",
            check=True,
            stdout=subprocess.DEVNULL,
        )
    env = {**os.environ, **surroundings(steps, folder)}
    command = [*steps.entry, *steps.command, "--port", str(PORT)]
    with Household.made() as house:
        command = [*house.starts, *command]
        server = subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.DEVNULL)
        try:
            with house.phone():
                Elsewhere(f"http://{house.address}:{PORT}").played()
            health = [word.replace(":8000", f":{PORT}") for word in steps.health]
            subprocess.run([*house.starts, *health], env=env, check=True)
            print("it says that it is well")
        finally:
            server.terminate()
            assert server.wait(30) == 0, "it did not stop by itself"


def main() -> int:
    """Build, run and play; return the exit code."""
    name = engine()
    if name:
        print(f"in a container of {name}")
        in_engine(name)
        return 0
    print("no container engine runs here: the Containerfile's steps in a folder, without its image")
    with tempfile.TemporaryDirectory() as folder:
        in_folder(Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
