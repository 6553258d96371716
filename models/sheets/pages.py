"""Our own boards as they come out of the printer: `pipsight print`, as a picture with its truth."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from models.augment import Pixels

ROOT = Path(__file__).parents[2]
PX_PER_MM = 6.0  # of the picture


def printed_page(board: str) -> tuple[Pixels, dict[str, Any]]:
    """Return a board's page on A4, (h, w, 3) BGR with PX_PER_MM, and its geometry in mm."""
    import pypdfium2  # noqa: PLC0415  # of the environments that draw and test

    with tempfile.TemporaryDirectory() as folder:
        pdf, geometry = Path(folder) / "board.pdf", Path(folder) / "board.json"
        command = [sys.executable, "-m", "webui.cli", "print", board, "--out", str(pdf)]
        command += ["--geometry", str(geometry)]
        subprocess.run(command, check=True, capture_output=True, cwd=ROOT)  # noqa: S603  # ours
        with pypdfium2.PdfDocument(pdf) as pages:
            picture = pages[0].render(scale=PX_PER_MM * 25.4 / 72).to_numpy()[..., :3].copy()
        return picture, json.loads(geometry.read_text(encoding="utf-8"))
