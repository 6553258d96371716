"""How the shipped networks are made from nothing: what is done, in which order and size."""

import argparse
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from models.train import steps

Run = Callable[[argparse.Namespace], None]


@dataclass(frozen=True, slots=True)
class RecipeStep:
    """A step by name, and its sizes, of which `--share` is taken."""

    name: str
    run: Run
    sizes: dict[str, int] = field(default_factory=dict)


def _draws(kind: str, count: int) -> tuple[RecipeStep]:
    return (RecipeStep(kind, partial(steps.run_drawing, kind), {"count": count}),)


def _learns(name: str, run: Run, steps_done: int) -> RecipeStep:
    return RecipeStep(name, run, {"steps": steps_done})


def _course(name: str, detector: int, face_classifier: int) -> tuple[RecipeStep, RecipeStep]:
    return (
        _learns(f"{name} detector", steps.run_detector, detector),
        _learns(f"{name} face classifier", steps.run_face_classifier, face_classifier),
    )


# Steps of one line are done at once, by a core each: a second one gains a training a fifth. The
# detector and the face classifier say which quads on photos agree with their labels, and what is
# taken for a face: once when they have begun to learn, once when they nearly have. Each course of a
# network begins at a high rate and ends at none (Loshchilov and Hutter, "SGDR", ICLR 2017).
RECIPE: tuple[tuple[RecipeStep, ...], ...] = (
    _draws("sketch", 9000),
    _draws("prints", 3000),
    _draws("tiles", 800),
    _draws("objects", 1500),
    _draws("on_photos", 3000),
    _draws("cards", 1500),
    _draws("dominoes", 1200),
    _draws("layouts", 200),
    _draws("double_nine", 900),
    (RecipeStep("stacks", steps.run_stacks, {"count": 160}),),
    (RecipeStep("rendered dominoes", steps.run_rendered_dominoes),),
    _course("first", 4000, 2500),
    (RecipeStep("first quads", steps.run_quads, {"drawn": 6000}),),
    _course("second", 10000, 9000),
    _course("third", 24000, 24000),
    _course("fourth", 42000, 42000),
    (RecipeStep("quads", steps.run_quads, {"drawn": 1500}),),
    _course("fifth", 66000, 60000),
    (
        _learns("sixth face classifier", steps.run_face_classifier, 70000),
        _learns("first marks", steps.run_mark_classifier, 10000),
    ),
    (
        RecipeStep("pairs", steps.run_pairs, {"tables": 900, "steps": 2500}),
        _learns("second marks", steps.run_mark_classifier, 15000),
    ),
    (
        _learns("mark classifier", steps.run_mark_classifier, 18000),
        _learns("edge classifier", steps.run_edge_classifier, 15000),
    ),
    (RecipeStep("export", steps.run_export),),
    (RecipeStep("card", steps.run_card, {"fresh": 120}),),
    (RecipeStep("half calibration", steps.run_half_calibration, {"tables": 126, "times": 24}),),
    (RecipeStep("larger sets", steps.run_larger_sets),),
    _draws("unread", 264),
    (RecipeStep("kinds", steps.run_kinds),),
    (RecipeStep("mark calibration", steps.run_mark_calibration, {"sheets": 150}),),
)


def run_all(args: argparse.Namespace) -> None:
    """Make the networks from nothing, by `RECIPE`, and the card; a stopped run continues."""
    if not args.photos.exists():
        sys.exit(f"There are no photos at {args.photos}. Name the folder of the sets by --photos.")
    began = time.monotonic()
    for at_once in RECIPE:
        done = DoneSteps(args.var / "recipe.jsonl").seconds
        wanted = [step for step in at_once if step.name not in done]
        if len(wanted) == 1:
            _do(args, wanted[0])
        elif wanted:
            _do_at_once(args, wanted)
    seconds = sum(DoneSteps(args.var / "recipe.jsonl").seconds.values())
    print(f"this run: {(time.monotonic() - began) / 3600:.2f} h on {os.cpu_count()} cores")
    print(f"all steps, one after the other: {seconds / 3600:.2f} h")


def _do(args: argparse.Namespace, step: RecipeStep) -> None:
    """Do a step and write down that it is done."""
    began = time.monotonic()
    sizes = {key: max(1, round(args.share * n)) for key, n in step.sizes.items()}
    step.run(argparse.Namespace(**vars(args) | sizes))
    seconds = time.monotonic() - began
    DoneSteps(args.var / "recipe.jsonl").add(step.name, seconds)
    print(f"{step.name}: {seconds / 60:.1f} min", flush=True)


def _do_at_once(args: argparse.Namespace, wanted: list[RecipeStep]) -> None:
    """Do steps in processes of their own, with a thread each."""
    alone = argparse.Namespace(**vars(args) | {"threads": 1})
    context = multiprocessing.get_context("spawn")
    running = [context.Process(target=_do, args=(alone, step), name=step.name) for step in wanted]
    for process in running:
        process.start()
    for process in running:
        process.join()
    if failed := [one.name for one in running if one.exitcode]:
        sys.exit(f"These steps failed: {', '.join(failed)}. Start again to go on with them.")


class DoneSteps:
    """The steps of a recipe that are done and how long they took, one JSON object a line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        lines = path.read_text().splitlines() if path.exists() else []
        self.seconds: dict[str, float] = {
            row["step"]: row["seconds"] for row in map(json.loads, lines)
        }

    def add(self, step: str, seconds: float) -> None:
        """Write down that a step is done."""
        self.seconds[step] = round(seconds, 1)
        with self.path.open("a") as file:
            file.write(json.dumps({"step": step, "seconds": self.seconds[step]}) + "\n")
