"""The one file as it is started: it unpacks Pipsight into the user's cache once, and runs that.

PyInstaller's own way unpacks all of it at each start, which is most of the time until the first
page. What it runs is inside the file, packed, and the `END` of the file says where.
"""

from __future__ import annotations

import os
import shutil
import signal
import struct
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

try:
    from compression import zstd
except ImportError:
    from backports import zstd

END = struct.Struct("<QQ8s")  # where the packed program begins, bytes of its files, its digest
NAME = "pipsight"
KEPT_S = 30 * 24 * 3600  # s that a version which nobody starts is kept


def cache() -> Path:
    """Return the folder in which unpacked programs are kept."""
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / f"{NAME}-program"


def size_of(folder: Path) -> int:
    """Return the bytes of all files below a folder, 0 where there is none."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def unpack(file: Path, folder: Path) -> Path:
    """Return the folder of the unpacked program, unpacked below *folder* if it is not there."""
    with file.open("rb") as packed:
        packed.seek(-END.size, os.SEEK_END)
        begin, size, digest = END.unpack(packed.read())
        whole = folder / digest.hex()
        if size_of(whole) != size:  # what cleans up caches may have taken a part
            folder.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(whole, ignore_errors=True)
            part = Path(tempfile.mkdtemp(dir=folder))
            packed.seek(begin)
            with zstd.open(packed) as plain, tarfile.open(fileobj=plain, mode="r|") as files:
                files.extractall(part, filter="tar")
            put(part, whole)
    os.utime(whole)
    return whole


def put(part: Path, whole: Path) -> None:
    """Give an unpacked program its name, unless another start has just done so."""
    try:
        part.rename(whole)
    except OSError:
        if not whole.is_dir():
            raise
        shutil.rmtree(part, ignore_errors=True)


def forget(folder: Path) -> None:
    """Delete what has not been started for long, and what was left half unpacked."""
    for old in folder.iterdir():
        if old.stat().st_mtime < time.time() - KEPT_S:
            shutil.rmtree(old, ignore_errors=True)


def unpacked(file: Path) -> Path:
    """Return the folder of the unpacked program: in the cache, or else for this run alone."""
    try:
        folder = unpack(file, cache())
        forget(cache())
    except OSError:
        return unpack(file, Path(sys._MEIPASS))
    return folder


def environment() -> dict[str, str]:
    """Return the environment without what PyInstaller has set for this file alone."""
    env = {**os.environ, "PYINSTALLER_RESET_ENVIRONMENT": "1"}
    env.pop("LD_LIBRARY_PATH", None)
    if before := env.pop("LD_LIBRARY_PATH_ORIG", ""):
        env["LD_LIBRARY_PATH"] = before
    return env


def main() -> int:
    """Run the unpacked program with what this file was given; return its exit code."""
    program = unpacked(Path(sys.executable)) / NAME
    if sys.platform != "win32":
        os.execve(program, sys.argv, environment())  # noqa: S606  # our own
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the program itself is stopped by it
    return subprocess.call([program, *sys.argv[1:]], env=environment())  # noqa: S603


if __name__ == "__main__":
    sys.exit(main())
