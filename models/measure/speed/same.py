"""Do the eyes answer as they did? `make same BEFORE=commit`.

Reads all pictures with the tree as it was at a commit and with the working tree, and compares what
`pipsight read --json` prints, byte for byte but for the time it took. What the commit answered is
kept below var/same, so that the next comparison with it reads only once.
"""

import io
import json
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from models.harness import NothingToMeasure, progress

ROOT = Path(__file__).parents[3]
KEPT = ROOT / "var" / "same"
PICTURES = {".jpg", ".jpeg", ".png", ".webp", ".heic"}
GRID = "grid:3x3"  # asked for where a folder's pictures show one, beside `auto`
BOARDS = ROOT / "fixtures" / "boards"
PHOTOS = (ROOT / "fixtures", ROOT.parent / "shared" / "photos")
SHOWN = 10  # differing pictures that are named


def main(
    before: Annotated[str, "the commit to compare with"],
    photos: Annotated[Sequence[Path], "folders of pictures"] = PHOTOS,
) -> int:
    """Compare; return 0 where nothing differs, 1 where something does."""
    commit = _commit(before)
    if not commit:
        raise NothingToMeasure(f"There is no commit {before}.")
    folders = [folder.resolve() for folder in photos if folder.exists()]
    jobs = [("auto", list(_pictures(folders))), (GRID, list(_pictures([BOARDS])))]
    was, is_now = (
        {key: line for look, paths in jobs for key, line in answers(look, paths).items()}
        for answers in (_Tree(commit).answers, _Tree(None).answers)
    )
    differing = [key for key in was if was[key] != is_now.get(key)]
    for look, path in differing[:SHOWN]:
        print(f"differs with --look {look}: {path}")
    print(f"{len(was)} readings of {commit[:7]} compared, {len(differing)} differ")
    return 1 if differing or was.keys() != is_now.keys() else 0


def _pictures(folders: list[Path]) -> Iterator[Path]:
    for folder in folders:
        yield from sorted(p for p in folder.rglob("*") if p.suffix.lower() in PICTURES)


class _Tree:
    """The working tree, or the tree of a commit, with what it answered so far."""

    def __init__(self, commit: str | None) -> None:
        self._root = ROOT
        self._kept: Path | None = None
        if commit:
            self._root, self._kept = KEPT / commit, KEPT / f"{commit}.jsonl"
            if not self._root.exists():
                with tarfile.open(fileobj=io.BytesIO(_archive(commit))) as tree:
                    tree.extractall(self._root, filter="data")

    def answers(self, look: str, paths: list[Path]) -> dict[tuple[str, str], str]:
        """Return what is printed of each picture, by look and path."""
        stored = self._known()
        missing = [path for path in paths if (look, str(path)) not in stored]
        if missing:
            fresh = {
                (look, str(json.loads(line)["file"])): line for line in self._read(look, missing)
            }
            stored |= fresh
            if self._kept:
                with self._kept.open("a") as file:
                    file.writelines(f"{json.dumps([*key, line])}\n" for key, line in fresh.items())
        return {key: stored.get(key, "nothing") for path in paths if (key := (look, str(path)))}

    def _known(self) -> dict[tuple[str, str], str]:
        if self._kept is None or not self._kept.exists():
            return {}
        rows = map(json.loads, self._kept.read_text().splitlines())
        return {(look, path): line for look, path, line in rows}

    def _read(self, look: str, paths: list[Path]) -> Iterator[str]:
        program = [sys.executable, "-m", "webui.cli", "read", "--json", "--look", look]
        command = [*program, *map(str, paths)]
        running = subprocess.Popen(  # noqa: S603  # the classifier of a tree of ours
            command, cwd=self._root, stdout=subprocess.PIPE, text=True
        )
        assert running.stdout is not None
        for _, line in zip(
            progress(f"{self._root.name[:12]}, {look}", paths), running.stdout, strict=False
        ):
            answer = json.loads(line)
            answer.pop("ms", None)
            yield json.dumps(answer, ensure_ascii=False)
        running.wait()


def _commit(name: str) -> str:
    command = ["git", "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    return ran.stdout.strip()


def _archive(commit: str) -> bytes:
    command = ["git", "archive", commit]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout  # noqa: S603
