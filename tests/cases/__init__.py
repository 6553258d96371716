"""Rule cases: one module a game, named like the game, with a function of the input for each kind.

It is named like its kind, with a _ behind a word of Python. It calls the public functions of the
rules and returns a dict; the runner compares the keys that the case expects (schema
"table-vectors/1").
"""

from collections.abc import Mapping
from typing import Any

from scorer import Illegal


def refused_as(reasons: Mapping[str, str], fault: Illegal) -> dict[str, Any]:
    """Return a refusal in the cases' neutral words, by what our sentence says."""
    word = next((word for said, word in reasons.items() if said in fault.reason), fault.reason)
    return {"legal": False, "reason": word}
