"""The error for photos that cannot be read."""


class Unreadable(Exception):  # it names the fact, like Illegal and Stale
    """A photo that cannot be read; `str()` is a sentence that says what to change."""

    def __init__(self, stage: str, hint: str) -> None:
        super().__init__(hint)
        self.stage = stage
        self.hint = hint
