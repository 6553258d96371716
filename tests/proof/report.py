"""What a proof says: a table with its command, day and machine, kept in RESULTS.md beside it."""

import os
import re
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

PAGE = Path(__file__).with_name("RESULTS.md")
GAPS = ("?", "too short to say", "grows")  # cells that prove nothing, or the contrary
FOUND = ("findings", "faults")  # columns of which each cell is 0
Row = Sequence[object]
Write = Annotated[bool, "put the table into RESULTS.md"]


@dataclass
class Report:
    """A run of one proof, from the moment when it is made."""

    name: str
    command: str
    began: float = field(default_factory=time.monotonic)
    load: float = field(default_factory=lambda: os.getloadavg()[0])

    def text(self, heads: Row, rows: Iterable[Row], *lines: str) -> str:
        """Return the table as Markdown, under the command that gives it."""
        took = time.monotonic() - self.began
        day = datetime.now(UTC).strftime("%-d %B %Y")
        head = (
            f"`{self.command}`, {day}, {os.cpu_count()} cores, load {self.load:.1f} at its start, "
            f"{took / 60:.1f} minutes:"
        )
        ruler = ["---", *("---:" for _ in heads[1:])]
        table = ["| " + " | ".join(map(str, row)) + " |" for row in (heads, ruler, *rows)]
        return "\n\n".join([head, "\n".join(table), *lines])

    def publish(self, text: str, *, write: bool, page: Path = PAGE) -> None:
        """Print it, and put it in the place of what the page had under its name.

        A table with gaps does not replace one without.
        """
        print(text, flush=True)
        if write and (found := gaps(text)):
            print(f"{page.name} keeps its old table: {', '.join(found)}", file=sys.stderr)
        elif write:
            whole = page.read_text(encoding="utf-8")
            page.write_text(replaced(whole, self.name, text), encoding="utf-8")


def replaced(page: str, name: str, text: str) -> str:
    """Return the page with *text* between the marks of that *name*."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    found = re.search(re.escape(begin) + ".*?" + re.escape(end), page, re.S)
    assert found, f"{PAGE.name} has no place for {name}"
    return page[: found.start()] + begin + text + "\n" + end + page[found.end() :]


def gaps(text: str) -> list[str]:
    """Return the rows of tables in Markdown that do not prove what they should."""
    found, heads = list[str](), list[str]()
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line[:1] == "|" else []
        if cells and heads:
            pairs = zip(heads, cells, strict=True)
            bad = any(cell in GAPS or (head in FOUND and cell != "0") for head, cell in pairs)
            found += [line] if bad and set(line) - set("|-: ") else []
        heads = (heads or cells) if cells else []
    return found
