"""Train the networks: `python -m models.train all`, or one step of it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from models.train import steps
from models.train.recipe import run_all

ROOT = Path(__file__).parents[2]
VAR = ROOT / "var"
PHOTOS = ROOT.parent / "shared" / "photos" / "train"

COUNT = {"count": 100, "first": 1}
HIGH = {"high": 0, "rise": 0}  # levels, degrees; 0: as they come
# Beside drawing: what each step runs, and the whole numbers that it takes with their defaults.
STEPS: dict[str, tuple[Callable[[argparse.Namespace], None], Mapping[str, int]]] = {
    "rendered_dominoes": (steps.run_rendered_dominoes, {}),
    "stacks": (steps.run_stacks, COUNT | HIGH),
    "detector": (steps.run_detector, {"steps": 12000, "batch": 16}),
    "quads": (steps.run_quads, {"drawn": 6000}),
    "face_classifier": (steps.run_face_classifier, {"steps": 6000}),
    "pair_classifier": (steps.run_pair_classifier, {"steps": 3000}),
    "pairs": (steps.run_pairs, {"steps": 3000, "tables": 1200, "first": 1} | HIGH),
    "mark_classifier": (steps.run_mark_classifier, {"steps": 3000}),
    "edge_classifier": (steps.run_edge_classifier, {"steps": 3000}),
    "export": (steps.run_export, {}),
    "interpolate": (steps.run_interpolate, {}),
    "card": (steps.run_card, {"fresh": 120}),
    "tile_photos": (steps.run_tile_photos, {"times": 8}),
    "half_calibration": (steps.run_half_calibration, {"tables": 126, "times": 24}),
    "larger_sets": (steps.run_larger_sets, {}),
    "kinds": (steps.run_kinds, {}),
    "mark_calibration": (steps.run_mark_calibration, {"sheets": 150}),
    "all": (run_all, {}),
}


def main() -> int:
    """Run the command line."""
    args = _parser().parse_args()
    args.run(args)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m models.train", description=__doc__)
    parser.add_argument("--var", type=Path, default=VAR, help="working data and checkpoints")
    parser.add_argument("--photos", type=Path, default=PHOTOS, help="labelled photos to train on")
    parser.add_argument("--out", type=Path, default=ROOT / "models", help="where the ONNX files go")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=0, help="of torch; 0 leaves it the choice")
    parser.add_argument("--workers", type=int, default=1, help="that draw samples")
    words = "where there is no checkpoint, take up the network that lies in OUT"
    parser.add_argument("--again", action="store_true", help=words)
    parsers = parser.add_subparsers(required=True)
    made: dict[str, argparse.ArgumentParser] = {}
    for kind, words in steps.DRAWINGS.items():
        step = parsers.add_parser(kind, help=f"draw {words} into VAR/{kind}")
        _give(step, partial(steps.run_drawing, kind), COUNT)
    for name, (run, numbers) in STEPS.items():
        made[name] = parsers.add_parser(name, help=str(run.__doc__).partition("\n")[0])
        _give(made[name], run, numbers)
    made["card"].add_argument("--keep", action="store_true", help="the calibration that is there")
    between = made["interpolate"]
    between.add_argument("before", type=Path, help="the networks that a training took up")
    between.add_argument("after", type=Path, help="those that came of it")
    between.add_argument("--share", type=float, default=0.5, help="of AFTER, from 0 to 1")
    words = "of this one alone, take the others as AFTER"
    between.add_argument("--only", choices=steps.NETWORKS, help=words)
    words = "of every size in the recipe, for a trial"
    made["all"].add_argument("--share", type=float, default=1.0, help=words)
    made["all"].set_defaults(first=1, batch=16, high=0, rise=0, keep=False)
    return parser


def _give(
    step: argparse.ArgumentParser,
    run: Callable[[argparse.Namespace], None],
    numbers: Mapping[str, int],
) -> None:
    step.set_defaults(run=run)
    for option, default in numbers.items():
        step.add_argument(f"--{option}", type=int, default=default)


if __name__ == "__main__":
    sys.exit(main())
