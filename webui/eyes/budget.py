"""The budget of processor and memory for reading photos, smaller on a Raspberry Pi."""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from vision.models import LITTLE_MEMORY

LITTLE = 1_500_000_000  # bytes of memory, below which a machine is small
GROUPS = (  # files in which Linux limits the memory of this process
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


@dataclass(frozen=True, slots=True)
class Budget:
    """Photos read at once, and bytes that each may use, and may keep afterwards."""

    eyes: int
    memory: int
    large: int
    environ: tuple[tuple[str, str], ...] = ()  # of the worker processes


USUAL = Budget(eyes=2, memory=2_000_000_000, large=700_000_000)
SMALL = Budget(
    eyes=1,
    memory=600_000_000,
    large=250_000_000,
    environ=(
        (LITTLE_MEMORY, "1"),
        # glibc gives large pieces back at once; a photo leaves 85 MB instead of 200.
        ("MALLOC_ARENA_MAX", "1"),
        ("MALLOC_MMAP_THRESHOLD_", "1000000"),
        ("MALLOC_TRIM_THRESHOLD_", "1000000"),
    ),
)


def machine_memory() -> int:
    """Return the memory of this process in bytes, limited in a container."""
    found = [int(psutil.virtual_memory().total)]
    for path in GROUPS:
        with suppress(OSError, ValueError):  # another system, or "max"
            found.append(int(path.read_text()))
    return min(found)


def budget(*, small: bool = False) -> Budget:
    """Return the budget of this machine, or the small one if requested."""
    return SMALL if small or machine_memory() < LITTLE else USUAL


def take(chosen: Budget) -> None:
    """Apply the budget to processes started from now on."""
    os.environ.update(chosen.environ)
