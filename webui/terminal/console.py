"""Standard streams of a command: no tracebacks on odd characters, closed pipes and full disks.

File names need not be UTF-8, and a terminal may lack characters. Unencodable characters are written
as JSON escapes, so that a line of JSON stays JSON.
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
from collections.abc import Mapping
from pathlib import Path

from webui.eyes.phrases import phrase, sentence_of
from webui.languages import reason, said, translate

INTERRUPTED = 128 + 2  # exit code of a program ended by SIGINT
NOBODY_READS = 128 + 13  # by SIGPIPE
NARROWEST = 40  # minimum columns of a terminal
ESCAPE = "pipsight.escape"


def prepare() -> None:
    """Make the standard streams accept every file name; replace closed ones by null."""
    codecs.register_error(ESCAPE, _escaped)
    # Python sets a stream closed by the shell to None: `pipsight play pig <&-`.
    sys.stdin = sys.stdin or Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream, errors in (
        (sys.stdin, "surrogateescape"),  # as for file names, which may be typed
        (sys.stdout, ESCAPE),
        (sys.stderr, ESCAPE),
    ):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def width() -> int:
    """Return the columns at which sentences are wrapped; output to a file is not wrapped."""
    if not sys.stdout.isatty():
        return sys.maxsize
    return max(NARROWEST, shutil.get_terminal_size().columns)


def can_show(text: str) -> bool:
    """Return True if standard output can encode *text*."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def silence() -> None:
    """Redirect standard output to null, so that the flush at exit cannot fail."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # not a system stream
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115


def as_typed(*words: str) -> str:
    """Return a command quoted for the shell of this system."""
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def report(fault: Exception) -> None:
    """Print the sentence of an error to standard error, in the chosen language."""
    print(sentence_of(fault), file=sys.stderr, flush=True)


def print_json(value: object) -> None:
    """Print a line of JSON, its sentences in the chosen language."""
    print(json.dumps(_spoken(value), ensure_ascii=False), flush=True)


def _spoken(value: object) -> object:
    match value:
        case str():
            return said(phrase(value))
        case Mapping():
            return {key: _spoken(part) for key, part in value.items()}
        case list() | tuple():
            return [_spoken(part) for part in value]
    return value


def report_photo(path: Path, why: str, *, as_json: bool) -> None:
    """Print why a photo was refused, to standard output for programs."""
    if as_json:
        print_json({"file": str(path), "error": why})
    else:
        print(f"{path}: {said(why)}", file=sys.stderr)


def cannot(fault: OSError) -> str:
    """Return a sentence about an operation refused by the system."""
    why = reason(fault)
    if fault.filename is None:
        return translate("The output cannot be written: {reason}.", reason=why)
    file = os.fsdecode(fault.filename)
    return translate("{file} cannot be used: {reason}.", file=file, reason=why)


def _escaped(fault: UnicodeError) -> tuple[str, int]:
    if not isinstance(fault, UnicodeEncodeError):
        raise fault
    return json.dumps(fault.object[fault.start : fault.end])[1:-1], fault.end
