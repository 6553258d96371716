"""The recipe of the networks: done in order, at once where it says so, and continued."""

import argparse

import pytest

from models.train import recipe
from models.train.recipe import RECIPE, DoneSteps, RecipeStep, run_all


def note(args):
    """Write down a step's size and threads."""
    with (args.var / "done.txt").open("a") as file:
        file.write(f"{args.size} by {args.threads}\n")


def fail_once(args):
    """Fail where nothing was left by a run before."""
    if not (args.var / "failed").exists():
        (args.var / "failed").touch()
        raise OSError("The disk is full.")
    note(args)


def step(name, run, size):
    return RecipeStep(name, run, {"size": size})


def start(folder, share=1.0):
    run_all(argparse.Namespace(photos=folder, var=folder, share=share, threads=0))
    return sorted((folder / "done.txt").read_text().split("\n"))[1:]


def test_steps_of_one_line_have_a_thread_each_and_sizes_their_share(tmp_path, monkeypatch):
    lines = ((step("a", note, 100),), (step("b", note, 30), step("c", note, 1)))
    monkeypatch.setattr(recipe, "RECIPE", lines)

    assert start(tmp_path, share=0.1) == ["1 by 1", "10 by 0", "3 by 1"]
    assert start(tmp_path, share=0.1) == ["1 by 1", "10 by 0", "3 by 1"]


def test_a_run_that_failed_says_which_step_and_goes_on_with_it_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(recipe, "RECIPE", ((step("whole", note, 5), step("broken", fail_once, 7)),))

    with pytest.raises(SystemExit, match="broken"):
        start(tmp_path)
    assert list(DoneSteps(tmp_path / "recipe.jsonl").seconds) == ["whole"]
    assert start(tmp_path) == ["5 by 1", "7 by 0"]


def test_every_step_of_the_recipe_has_a_name_of_its_own():
    names = [step.name for line in RECIPE for step in line]

    assert len(set(names)) == len(names)
