"""Limit the memory for reading a photo, so that unforeseen cases end with a message."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MEMORY = 1_500_000_000  # bytes in addition to those in use; 60 megapixels of WebP need most of it


def limit_memory(most: int = MEMORY) -> Callable[[], None]:
    """Allow this process *most* more bytes; beyond that Python raises MemoryError.

    Only Linux can limit private memory (RLIMIT_DATA since 4.7). Elsewhere this does nothing.

    Returns:
        A function that removes the limit.
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
    """Return the bytes in use that count against the limit."""
    with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123  # no file on a disk
        sizes = {name: value for name, _, value in (line.partition(":") for line in status)}
    return int(sizes["VmData"].split()[0]) * 1024
