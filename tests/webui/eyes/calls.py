"""What tests let `Workers` do: a new process finds it by name."""

import os
import time

from webui.errors import NotRead


def nothing() -> None:
    pass


def pid() -> int:
    return os.getpid()


def double(number: int) -> int:
    return 2 * number


def refuse() -> None:
    raise NotRead("Take the photo again.")


def die() -> None:
    os._exit(3)


def grow() -> int:
    """Take memory until somebody ends it, 100 MB at a time; 4 GB if nobody does."""
    held = []
    for _ in range(40):
        held.append(b"x" * 100_000_000)
        time.sleep(0.02)
    return len(held)


def compute() -> None:
    while True:
        pass


def idle() -> None:
    time.sleep(3600)
