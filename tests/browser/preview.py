"""A browser's own eyes, opened and asked from Python."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page

from vision.faces.classifier import as_input
from vision.faces.detector import Detections
from vision.photo import Pixels

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
KINDS = """async ([photo, faces]) => {
  const files = JSON.parse(document.querySelector("main").dataset.eyes);
  const from = (name) => import(files.runtime.replace(/vendor.*/, `eyes/${name}.js`));
  const [{ openNetworks }, { headOf, kindProbs }, { Picture }, { sideOf }] =
    await Promise.all(["networks", "kinds", "picture", "shapes"].map(from));
  const absolute = ([name, address]) => [name, new URL(address, location).href];
  window.opened ??= openNetworks(Object.fromEntries(Object.entries(files).map(absolute)));
  const { networks, constants } = await window.opened;
  const bytes = Uint8Array.from(atob(photo), (letter) => letter.charCodeAt(0));
  const picture = new Picture(await createImageBitmap(new Blob([bytes])), constants);
  const sized = faces.map((face) => ({ ...face, size: sideOf(face.quad) }));
  const head = headOf(await networks.head(), constants);
  return kindProbs(picture, sized, networks.trunk, head, constants);
}"""
MARKS = """async (crops) => {
  const files = JSON.parse(document.querySelector("main").dataset.eyes);
  const pips = await import(files.runtime.replace(/vendor.*/, "eyes/pips.js"));
  const constants = await (await fetch(files.constants)).json();
  const bytes = (crop) => Uint8Array.from(atob(crop), (letter) => letter.charCodeAt(0));
  const of = (crop) => [pips.sizeOfMark, pips.spreadOfMark, pips.hasRoundMark]
    .map((number) => number(new Float32Array(bytes(crop).buffer), constants));
  return crops.map(of);
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

    def kinds(self, photo: Path, found: Detections) -> list[list[float]]:
        """Return the probabilities of the kinds of what was found on a photo."""
        rows = zip(found.quads, found.probs, found.agreed, found.half, found.values, strict=True)
        names = ("quad", "prob", "agreed", "half", "values")
        faces = [
            dict(zip(names, (np.asarray(each).tolist() for each in row), strict=True))
            for row in rows
        ]
        sent = base64.b64encode(photo.read_bytes()).decode()
        answer: list[list[float]] = self.page.evaluate(KINDS, [sent, faces])
        return answer

    def marks(self, crops: Pixels) -> list[tuple[float, float, bool]]:
        """Return of each crop how large and how long its middle mark is, and if one is round."""
        sent = [base64.b64encode(crop.tobytes()).decode() for crop in as_input(crops)]
        answer: list[tuple[float, float, bool]] = self.page.evaluate(MARKS, sent)
        return answer

    def close(self) -> None:
        """Close them."""
        self.page.evaluate("window.eyes.close()")
