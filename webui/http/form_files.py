"""Files of forms: werkzeug leaves that of a form that is cut off to the garbage collector."""

from __future__ import annotations

from contextlib import ExitStack
from functools import cached_property
from typing import IO

from flask import Request


class FormRequest(Request):
    """A request that closes every file of its form at its end, also one that came half."""

    @cached_property
    def _opened(self) -> ExitStack:
        return ExitStack()

    def _get_file_stream(
        self,
        total_content_length: int | None,
        content_type: str | None,
        filename: str | None = None,
        content_length: int | None = None,
    ) -> IO[bytes]:
        given = total_content_length, content_type, filename, content_length
        return self._opened.enter_context(super()._get_file_stream(*given))

    def close(self) -> None:
        """Close what the form has opened."""
        super().close()
        self._opened.close()
