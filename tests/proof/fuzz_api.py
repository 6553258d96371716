"""The part of `make fuzz` that calls every address: schemathesis sends what /api/openapi.json
allows and what it does not, and looks at each answer.

What it found stands in tests/webui/api/test_openapi.py.
"""

import os
import re
import tempfile
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import HealthCheck, settings

from scorer.games import GAMES
from tests.conftest import AGREE, FakeEyes
from webui.app import create_app
from webui.eyes.eyes import Eyes

EXAMPLES = int(os.environ.get("EXAMPLES", "100"))  # of each address
FOLDER = Path(tempfile.mkdtemp())
EYES = FakeEyes()
EYES.show()
APP = create_app(f"sqlite:///{FOLDER / 'log.db'}", FOLDER / "photos", Eyes(EYES))
CLIENT = APP.test_client()
GAME = GAMES["purple_house"]
MATCH = CLIENT.post(
    "/api/matches", json={"game": GAME.name, "names": ["Ada", "Ben"], "opening": [AGREE]}
).json


def document() -> dict[str, Any]:
    """Return the description of the interface, narrowed to the one match that is called."""
    description: dict[str, Any] = CLIENT.get("/api/openapi.json").json
    schemas, paths = description["components"]["schemas"], description["paths"]
    schemas["Move"] = schemas[f"Move_{GAME.name}"]
    for body in ("Play", "Undo", "Redo", "Note"):
        schemas[body]["properties"]["by"]["anyOf"][0]["maximum"] = len(MATCH["names"]) - 1
    kinds = paths["/api/matches/{match}/moves"]["get"]["parameters"][0]
    kinds["schema"] = {"enum": [kind.__name__ for kind in GAME.moves]}
    for setting in schemas[f"NewMatch_{GAME.name}"]["properties"]["settings"]["anyOf"][0][
        "properties"
    ].values():
        if "anyOf" in setting:  # other values are described in words alone
            kinds = setting.pop("anyOf")
            setting["enum"] = [value for one in kinds for value in one.get("enum", ())]
    schemas["NewMatch"] = schemas[f"NewMatch_{GAME.name}"]
    for path in [path for path in paths if path.endswith(("/live", "/events", "/test"))]:
        del paths[path]  # a stream has no end, and a webhook calls others
    return description


SCHEMA = schemathesis.openapi.from_dict(document())
SCHEMA.app = APP
# Each limit of each field, in turn: a large part of the cases, and left out where a few are enough.
SCHEMA.config.phases.coverage.enabled = EXAMPLES > 1
# Whether a move is legal no schema can tell, nor which letters can be seen, nor who plays, nor what
# players call a game.
UNSEEN = re.compile(
    "needs a name|The name of player|Two players are called|The coach cannot play|The note contains"
    "|There is no game"
)
ACCEPTED = SCHEMA.config.checks.positive_data_acceptance
ACCEPTED.expected_statuses = [*ACCEPTED.expected_statuses, "422"]


@SCHEMA.parametrize()
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_as_told(case: Any) -> None:
    if "match" in (case.path_parameters or {}):
        case.path_parameters["match"] = MATCH["id"]
    if isinstance(case.body, dict) and case.media_type == "application/json":
        case.body = without_fractions(case.body)
    answer = case.call(headers={"Accept-Encoding": "identity"})
    if not (answer.status_code == 400 and UNSEEN.search(answer.text)):
        case.validate_response(answer)


def without_fractions(body: Any) -> Any:
    """Return JSON with 3 for 3.0, which JSON Schema takes for the same."""
    if isinstance(body, float) and body.is_integer():
        return int(body)
    if isinstance(body, dict):
        return {key: without_fractions(item) for key, item in body.items()}
    return [without_fractions(item) for item in body] if isinstance(body, list) else body
