"""Line input: with editing, history and completion at a terminal, plain elsewhere."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Complete = Callable[[str], Sequence[str]]  # returns the completions of typed text
PROMPT = "> "


def line_reader(complete: Complete) -> Callable[[str], str]:
    """Return a function that reads a line; it raises EOFError and KeyboardInterrupt."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or _is_dumb():
        return input
    from prompt_toolkit import PromptSession  # noqa: PLC0415  # 0.2 s; a pipe needs none of it
    from prompt_toolkit.history import InMemoryHistory  # noqa: PLC0415

    session: PromptSession[str] = PromptSession(
        history=InMemoryHistory(),
        completer=completer(complete),
        complete_while_typing=False,
        reserve_space_for_menu=6,
    )
    return session.prompt


def _is_dumb() -> bool:
    """Return True if the terminal cannot move its cursor."""
    return os.name == "posix" and os.environ.get("TERM", "") in ("", "dumb", "unknown")


def completer(complete: Complete) -> Any:
    """Return a completer that replaces the typed text by a whole line."""
    from prompt_toolkit.completion import Completer, Completion  # noqa: PLC0415
    from prompt_toolkit.document import Document  # noqa: PLC0415

    class Lines(Completer):
        def get_completions(self, document: Document, _event: object) -> Iterator[Completion]:
            typed = document.text_before_cursor
            for line in complete(typed):
                yield Completion(line, start_position=-len(typed))

    return Lines()
