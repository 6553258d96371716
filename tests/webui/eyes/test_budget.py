"""A machine with little memory reads one photo at a time, and keeps less of each."""

from __future__ import annotations

from collections import namedtuple
from pathlib import Path

import psutil
import pytest

from tests.webui.serving import serving
from webui.eyes import budget
from webui.eyes.budget import LITTLE, SMALL, USUAL

Memory = namedtuple("Memory", "total")


@pytest.mark.parametrize(
    ("total", "group", "expected"),
    [(8 * LITTLE, "max\n", USUAL), (8 * LITTLE, "1073741824\n", SMALL), (10**9, "max", SMALL)],
)
def test_the_budget_is_chosen_by_the_memory_that_may_be_used(
    monkeypatch, tmp_path: Path, total: int, group: str, expected: budget.Budget
) -> None:
    limit = tmp_path / "memory.max"
    limit.write_text(group)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: Memory(total))
    monkeypatch.setattr(budget, "GROUPS", (tmp_path / "of another version", limit))

    assert budget.budget() is expected
    assert budget.budget(small=True) is SMALL


def test_a_small_server_has_one_process_that_reads(tmp_path: Path) -> None:
    with serving(tmp_path, "--small") as server:
        others = psutil.Process(server.process.pid).children()
        eyes = [other for other in others if "spawn_main" in " ".join(other.cmdline())]

        assert len(eyes) == SMALL.eyes == 1
        if hasattr(eyes[0], "environ"):
            assert SMALL.environ[0] in eyes[0].environ().items()
