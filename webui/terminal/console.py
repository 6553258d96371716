"""Standard streams of a command: odd characters, closed pipes and full disks give no traceback.

File names need not be UTF-8, and a terminal need not know every letter. What a stream cannot show
is written as JSON escapes it, so that a line of JSON stays JSON.
"""

from __future__ import annotations

import codecs
import io
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

INTERRUPTED = 128 + 2  # what a shell gives for a program ended by SIGINT
NOBODY_READS = 128 + 13  # and by SIGPIPE
NARROWEST = 40  # columns of a terminal
ESCAPE = "pipsight.escape"


def prepare() -> None:
    """Let the standard streams take and give every name; a closed one leads nowhere."""
    codecs.register_error(ESCAPE, _escaped)
    # Python has None for a stream that the shell closed: `pipsight play pig <&-`.
    sys.stdin = sys.stdin or Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream, errors in (
        (sys.stdin, "surrogateescape"),  # as in file names: what is typed may be one
        (sys.stdout, ESCAPE),
        (sys.stderr, ESCAPE),
    ):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def width() -> int:
    """Return the columns to wrap sentences at; what is no terminal is not wrapped."""
    if not sys.stdout.isatty():
        return sys.maxsize
    return max(NARROWEST, shutil.get_terminal_size().columns)


def can_show(text: str) -> bool:
    """Return True if standard output has every letter of *text*."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def silence() -> None:
    """Let what is still to be written go nowhere: Python writes it at the end, and would fail."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # no stream of the system's
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115


def as_typed(*words: str) -> str:
    """Return a command as it is typed at a shell of this system."""
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def cannot(fault: OSError) -> str:
    """Return in a sentence what the system refused."""
    reason = fault.strerror or str(fault)
    if fault.filename is None:
        return f"The output cannot be written: {reason}."
    return f"{os.fsdecode(fault.filename)} cannot be used: {reason}."


def _escaped(fault: UnicodeError) -> tuple[str, int]:
    if not isinstance(fault, UnicodeEncodeError):
        raise fault
    return json.dumps(fault.object[fault.start : fault.end])[1:-1], fault.end
