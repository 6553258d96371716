"""Train the networks: `python -m models.train all`, or one step of it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from models.train import steps
from models.train.recipe import run_all

if TYPE_CHECKING:
    Parsers = argparse._SubParsersAction[argparse.ArgumentParser]

ROOT = Path(__file__).parents[2]
VAR = ROOT / "var"
PHOTOS = ROOT.parent / "shared" / "photos" / "train"


def main() -> int:
    """Run the command line."""
    args = _parser().parse_args()
    args.run(args)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m models.train", description=__doc__)
    _add_places(parser)
    parsers = parser.add_subparsers(required=True)
    _add_drawing(parsers)
    _add_training(parsers)
    _add_networks(parsers)
    whole = _step(parsers, "all", run_all, "everything, from nothing to networks and card")
    whole.add_argument(
        "--share", type=float, default=1.0, help="of every size in the recipe, for a trial"
    )
    whole.set_defaults(first=1, batch=16, high=0, rise=0, keep=False)
    return parser


def _add_places(parser: argparse.ArgumentParser) -> None:
    """Add what every step goes by: where things lie, seed, processes."""
    parser.add_argument("--var", type=Path, default=VAR, help="working data and checkpoints")
    parser.add_argument("--photos", type=Path, default=PHOTOS, help="labelled photos to train on")
    parser.add_argument("--out", type=Path, default=ROOT / "models", help="where the ONNX files go")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=0, help="of torch; 0 leaves it the choice")
    parser.add_argument("--workers", type=int, default=1, help="that draw samples")
    parser.add_argument(
        *("--again",), action="store_true",
        help="where there is no checkpoint, take up the network that lies in OUT",
    )  # fmt: skip


def _add_drawing(parsers: Parsers) -> None:
    for kind, words in steps.DRAWINGS.items():
        run = partial(steps.run_drawing, kind)
        _ask(_step(parsers, kind, run, f"draw {words} into VAR/{kind}"), count=100, first=1)
    words = "take up the dominoes that another renderer drew, beside the photos"
    _step(parsers, "rendered_dominoes", steps.run_rendered_dominoes, words)
    stacks = _step(parsers, "stacks", steps.run_stacks, "draw positions of Even at Odds, stacked")
    _ask(stacks, count=100, first=1, high=0, rise=0)  # levels, degrees; 0: as they come


def _add_training(parsers: Parsers) -> None:
    detector = _step(parsers, "detector", steps.run_detector, "train the detector, or go on")
    _ask(detector, steps=12000, batch=16)
    words = "let the networks give quads to photos that have boxes"
    quads = _step(parsers, "quads", steps.run_quads, words)
    quads.add_argument(
        "--drawn", type=int, default=6000, help="last pictures of a folder to find mistakes on"
    )
    words = "train the face classifier, or go on with it"
    _ask(_step(parsers, "face_classifier", steps.run_face_classifier, words), steps=6000)
    words = "train the pair classifier on what `pairs` gathered, or go on with it"
    _ask(_step(parsers, "pair_classifier", steps.run_pair_classifier, words), steps=3000)
    words = "gather what the pair classifier learns from, and train it"
    pairs = _step(parsers, "pairs", steps.run_pairs, words)
    _ask(pairs, steps=3000, tables=1200, first=1, high=0, rise=0)
    words = "train the mark classifier on sheets drawn as it goes, or go on with it"
    _ask(_step(parsers, "mark_classifier", steps.run_mark_classifier, words), steps=3000)
    words = "train the edge classifier, or go on with it"
    _ask(_step(parsers, "edge_classifier", steps.run_edge_classifier, words), steps=3000)


def _add_networks(parsers: Parsers) -> None:
    _step(parsers, "export", steps.run_export, "write the networks as ONNX files to OUT")
    words = "write networks between those of two folders to OUT"
    between = _step(parsers, "interpolate", steps.run_interpolate, words)
    between.add_argument("before", type=Path, help="the networks that a training took up")
    between.add_argument("after", type=Path, help="those that came of it")
    between.add_argument("--share", type=float, default=0.5, help="of AFTER, from 0 to 1")
    between.add_argument(
        "--only", choices=steps.NETWORKS, help="of this one alone, take the others as AFTER"
    )
    card = _step(parsers, "card", steps.run_card, "calibrate, measure, and write CARD.md")
    card.add_argument("--fresh", type=int, default=120, help="sketches to measure on")
    card.add_argument("--keep", action="store_true", help="the calibration that is there")
    words = "write the photos of dominoes, each changed in a few ways too, to measure on"
    _ask(_step(parsers, "tile_photos", steps.run_tile_photos, words), times=8)
    words = "fit how far halves of dominoes are believed to fresh tables, and tell CARD.md"
    _ask(
        _step(parsers, "half_calibration", steps.run_half_calibration, words), tables=126, times=24
    )
    words = "fit the threshold for more than six pips, and write it to CARD.md"
    _step(parsers, "larger_sets", steps.run_larger_sets, words)
    words = "fit what tells pieces with a value from all else"
    _step(parsers, "kinds", steps.run_kinds, words)
    words = "calibrate the mark classifier on fresh hands, and tell CARD.md"
    _ask(_step(parsers, "mark_calibration", steps.run_mark_calibration, words), sheets=150)


def _step(
    parsers: Parsers, name: str, run: Callable[[argparse.Namespace], None], words: str
) -> argparse.ArgumentParser:
    step: argparse.ArgumentParser = parsers.add_parser(name, help=words)
    step.set_defaults(run=run)
    return step


def _ask(step: argparse.ArgumentParser, **numbers: int) -> None:
    """Let a step take whole numbers, each with its default."""
    for name, default in numbers.items():
        step.add_argument(f"--{name}", type=int, default=default)


if __name__ == "__main__":
    sys.exit(main())
