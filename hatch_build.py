"""What a package index shows: where the project lives, and a README that needs no tree around it.

`PIPSIGHT_URL=https://example.org/pipsight python -m hatchling build` is how a release is built for
the repository at that address: the project's URLs follow from it, and the README's pictures and
links lead there. Built without it, as an install from the tree is, the README has neither.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

# A picture or a link in Markdown that leads to a file of the tree.
LOCAL = re.compile(r"(?P<picture>!?)\[(?P<text>[^\]]*)\]\((?!https?:|#)(?P<path>[^)]+)\)")
PAGES = {
    "Source": "",
    "Documentation": "/blob/HEAD/docs/README.md",
    "Changelog": "/blob/HEAD/CHANGELOG.md",
    "Issues": "/issues",
}


class IndexMetadata(MetadataHookInterface):
    """Fills in `readme` and `urls`, which pyproject.toml calls dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add both to the metadata of the project."""
        home = os.environ.get("PIPSIGHT_URL", "").rstrip("/")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": standing_alone(text, home)}
        metadata["urls"] = {name: home + page for name, page in PAGES.items()} if home else {}


def standing_alone(readme: str, home: str) -> str:
    """Let what leads to files of the tree lead to the repository; where none is known, nowhere."""

    def absolute(found: re.Match[str]) -> str:
        kind = "raw" if found["picture"] else "blob"
        return f"{found['picture']}[{found['text']}]({home}/{kind}/HEAD/{found['path']})"

    def alone(found: re.Match[str]) -> str:
        return "" if found["picture"] else found["text"]

    return LOCAL.sub(absolute if home else alone, readme)
