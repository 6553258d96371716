"""What phones in the same network may type in the place of numbers: `raspberrypi.local`."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

AVAHI = Path("/run/avahi-daemon/socket")  # of what answers to such names on Linux
ANSWER = ("darwin", "win32")  # systems that do so themselves


def home_name() -> str | None:
    """Return this machine's name by multicast DNS, if something here answers to it."""
    name = socket.gethostname().partition(".")[0].lower()
    if not name or name == "localhost":
        return None
    return f"{name}.local" if sys.platform in ANSWER or AVAHI.exists() else None
