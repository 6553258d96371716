"""Others who are told what happens."""

from tests.webui.outside.receiver import receiver

__all__ = ["receiver"]
