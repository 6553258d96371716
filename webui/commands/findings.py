"""Findings of `pipsight doctor` and `pipsight check`: a line each, and what to do below."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from scorer.messages import Message, _, raw
from webui.languages import said, translate

NOTHING = raw("")
SIGNS = {"good": _("ok"), "look": _("look"), "bad": _("NO")}

HowItIs = Literal["good", "look", "bad"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A checked item, its result, and what to do about it."""

    about: Message
    level: HowItIs
    found: Message
    do: Message = NOTHING

    def to_json(self) -> dict[str, str]:
        """Return the JSON object, in the chosen language."""
        about, found, do = map(said, (self.about, self.found, self.do))
        return {"about": about, "level": self.level, "found": found, "do": do}


def show(findings: Iterable[Finding], *, as_json: bool) -> int:
    """Print the findings as they come; return 1 if something is bad."""
    worst = 0
    for finding in findings:
        worst |= finding.level == "bad"
        if as_json:
            print(json.dumps(finding.to_json(), ensure_ascii=False), flush=True)
            continue
        sign = translate(SIGNS[finding.level])
        print(f"{sign:4} {said(finding.about)}: {said(finding.found)}", flush=True)
        if finding.do:
            print(f"     {said(finding.do)}", flush=True)
    return worst
