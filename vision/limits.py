"""How much memory reading a photo may take, so that what no check foresaw ends as a sentence."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MEMORY = 1_500_000_000  # bytes beyond what is held before; 60 megapixels of WebP take most of it


def limit_memory(most: int = MEMORY) -> Callable[[], None]:
    """Let this process take *most* more bytes, beyond which Python raises MemoryError.

    Only Linux counts what is mapped privately (RLIMIT_DATA since 4.7). Elsewhere nothing happens.

    Returns:
        What takes the limit away again.
    """
    if sys.platform != "linux":
        return lambda: None
    import resource  # noqa: PLC0415  # not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    allowed = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min(_held() + most, *allowed, sys.maxsize), hard))
    return lambda: resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


@contextmanager
def limited_memory(most: int = MEMORY) -> Iterator[None]:
    """Limit the memory of a program that reads one photo after another, within the block."""
    lift = limit_memory(most)
    try:
        yield
    finally:
        lift()


def _held() -> int:
    """Return what counts against the limit now, bytes."""
    with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123  # no file on a disk
        sizes = {name: value for name, _, value in (line.partition(":") for line in status)}
    return int(sizes["VmData"].split()[0]) * 1024
