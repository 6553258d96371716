"""Tells systemd, where it runs the server, that the server is ready, stops, or is alive."""

from __future__ import annotations

import os
import socket
from contextlib import suppress


def notify(state: str) -> None:
    """Send *state* ("READY=1") to the service manager, if there is one that listens."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address or not hasattr(socket, "AF_UNIX"):
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to, suppress(OSError):
        to.connect(f"\0{address[1:]}" if address.startswith("@") else address)
        to.sendall(state.encode())
