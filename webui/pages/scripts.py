"""The modules that a page's script imports, so that the page can preload all of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

IMPORT = re.compile(r"""^(?:import|export)\b[^;]*?["']\./([\w.-]+\.js)["']""", re.MULTILINE)


def modules_in(folder: Path) -> Callable[[str], tuple[str, ...]]:
    """Return what finds the modules in *folder* that a script of it imports, by others too.

    A browser learns of an import when it has read the file that imports: one round trip for each
    level of them, unless the page names all (`modulepreload`, HTML Living Standard, 4.6.7.15).
    """
    imported = {path.name: IMPORT.findall(path.read_text("utf-8")) for path in folder.glob("*.js")}

    def modules(script: str) -> tuple[str, ...]:
        found = [script]
        for name in found:  # grows
            found += [module for module in imported[name] if module not in found]
        return tuple(found[1:])

    return modules
