"""What each network learned from, kept beside it: the card can be written where that is gone."""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

FILE = "origin.json"
DRAWN = {
    "sketch": "sketches",
    "prints": "sketches of print and sweets",
    "objects": "sketches of polyhedra, keys, coins and other things",
    "on_photos": "sketches on photographed grounds",
    "tiles": "sketches of dominoes",
    "cards": "sketches of playing cards",
    "layouts": "sketches of dominoes in play",
    "dominoes": "sketches of strangers' tables of dominoes",
    "rendered_dominoes": "pictures of dominoes by another renderer",
    "stacks": "sketches of tiles in stacks",
    "tile_photos": "photos of dominoes",
    "quads": "photos with quads that the detector gave",
}
# The tables that shipped networks learned from were drawn by `models/render` of that commit.
RENDERED = "pictures rendered by the path tracer of commit 803d529"
PAIRS = "pairs"  # the folder of VAR with what the pair classifier learns from
AS_IT_WENT = {"mark_classifier": "sheets"}  # networks that draw what they learn from, one a step


@dataclass(frozen=True, slots=True)
class Origin:
    """How one network was made."""

    sha256: str  # of its file
    seed: int
    steps: int
    hours: float
    before: str  # sha256 of the network it began with, or "nothing"
    share: float  # of what was trained, in the mean with that one
    pictures: dict[str, int]  # how many of each kind of `DRAWN` it learned from

    def line(self) -> str:
        """Return the pictures in words."""
        kinds = DRAWN | {"rendered": RENDERED, "sheets": "filled sheets, drawn as it went"}
        counts = (f"{count} {kinds[kind]}" for kind, count in self.pictures.items())
        return f"{', '.join(counts)}; training seed {self.seed}"


def write_origins(out: Path, var: Path) -> None:
    """Write down what the networks in *out* were made from; those not trained in *var* keep it.

    Args:
        out: where the networks are.
        var: the checkpoints' folder, with their logs and pictures.
    """
    origins = read_origins(out)
    for network in sorted(out.glob("*.onnx")):
        log = var / network.stem / "log.jsonl"
        if log.exists():
            effort = _effort(log)
            origins[network.stem] = Origin(
                sha256=sha256_of(network),
                pictures=_pictures(network.stem, var, effort["steps"]),
                **effort,
            )
    rows = {name: asdict(origin) for name, origin in sorted(origins.items())}
    (out / FILE).write_text(json.dumps(rows, indent=1) + "\n")


def sha256_of(file: Path) -> str:
    """Return the SHA-256 that identifies a network's file, in hexadecimal digits."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def read_origins(out: Path) -> dict[str, Origin]:
    """Return what `write_origins` wrote, by network; nothing if it never did."""
    path = out / FILE
    rows = json.loads(path.read_text()) if path.exists() else {}
    return {name: Origin(**origin) for name, origin in rows.items()}


def _pictures(network: str, var: Path, steps: int) -> dict[str, int]:
    """Return what a network learned from, of the pictures that there are."""
    if network in AS_IT_WENT:
        return {AS_IT_WENT[network]: steps}
    of_pairs = network == "pair_classifier"
    folder = var / PAIRS if of_pairs else var
    counts = {kind: sum(1 for _ in (folder / kind).glob("**/*.json")) for kind in DRAWN}
    if network == "detector":
        counts["quads"] = 0  # it learns from boxes
    return {kind: count for kind, count in counts.items() if count}


def _effort(log: Path) -> dict[str, Any]:
    """Return what a log tells of an `Origin`."""
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    taken = {row["step"]: row["seconds"] for row in rows if "step" in row}  # repeated ones once
    logged = {name: value for row in rows for name, value in row.items()}
    return {
        "seed": logged["seed"],
        "steps": max(taken),
        "hours": round(sum(taken.values()) / 3600, 2),
        "before": logged.get("from", "nothing"),
        "share": logged.get("mixed", 1.0),
    }
