"""A browser's own eyes, opened and asked from Python."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

OPEN = """async () => {
  const files = JSON.parse(document.querySelector("main").dataset.eyes);
  const { openEyes } = await import(files.runtime.replace(/vendor.*/, "eyes/eyes.js"));
  window.eyes = await openEyes(files);
}"""
READ = """async ([photo, options]) => {
  const bytes = Uint8Array.from(atob(photo), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes]), { imageOrientation: "from-image" });
  const { width, height } = bitmap;
  return { width, height, ...(await window.eyes.read(bitmap, options)) };
}"""


@dataclass(frozen=True)
class BrowserEyes:
    """The eyes on the page of a match."""

    page: Page

    @classmethod
    def on(cls, page: Page) -> BrowserEyes:
        """Open them."""
        page.evaluate(OPEN)
        return cls(page)

    def read(self, photo: Path, *, halves: bool = False, twice: bool = False) -> dict[str, Any]:
        """Return what they see on a photo: its size, px, `faces`, and the `ms` it took."""
        options = {"halves": halves, "twice": twice}
        sent = base64.b64encode(photo.read_bytes()).decode()
        answer: dict[str, Any] = self.page.evaluate(READ, [sent, options])
        return answer

    def close(self) -> None:
        """Close them."""
        self.page.evaluate("window.eyes.close()")
