"""What tests let `Workers` do: a new process finds it by name."""

import os
import time

from webui.errors import NotRead


def nothing():
    pass


def pid():
    return os.getpid()


def double(number):
    return 2 * number


def refuse():
    raise NotRead("Take the photo again.")


def die():
    os._exit(3)


def grow():
    """Take memory until somebody ends it, 100 MB at a time; 4 GB if nobody does."""
    held = []
    for _ in range(40):
        held.append(b"x" * 100_000_000)
        time.sleep(0.02)
    return len(held)


def compute():
    while True:
        pass


def idle():
    time.sleep(3600)
