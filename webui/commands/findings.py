"""Findings of `pipsight doctor` and `pipsight check`: a line each, and what to do below."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal

SIGNS = {"good": "ok  ", "look": "look", "bad": "NO  "}

HowItIs = Literal["good", "look", "bad"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A checked item, its result, and what to do about it."""

    about: str
    level: HowItIs
    found: str
    do: str = ""


def show(findings: Iterable[Finding], *, as_json: bool) -> int:
    """Print the findings as they come; return 1 if something is bad."""
    worst = 0
    for finding in findings:
        worst |= finding.level == "bad"
        if as_json:
            print(json.dumps(asdict(finding), ensure_ascii=False), flush=True)
            continue
        print(f"{SIGNS[finding.level]} {finding.about}: {finding.found}", flush=True)
        if finding.do:
            print(f"     {finding.do}", flush=True)
    return worst
