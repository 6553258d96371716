"""Train the networks: `python -m models.train all`, or one step of it.

What a step needs is imported by the step: scoring needs no torch, sketching no onnxruntime.
"""

# ruff: noqa: PLC0415

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from models.train.course import Lesson

    Steps = argparse._SubParsersAction[argparse.ArgumentParser]

ROOT = Path(__file__).parents[2]
VAR = ROOT / "var"
NETWORKS = ("finder", "reader", "joiner")
PHOTOS = ROOT.parent / "shared" / "photos" / "train"


def main() -> int:
    """Run the command line."""
    args = _parser().parse_args()
    args.run(args)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m models.train", description=__doc__)
    _add_places(parser)
    steps = parser.add_subparsers(required=True)
    _add_drawing(steps)
    _add_training(steps)
    _add_networks(steps)
    whole = _step(steps, "all", _all, "everything, from nothing to networks and card")
    _ask(whole, count=9000, first=1, fresh=200, drawn=6000, batch=16)
    whole.add_argument("--steps", type=int, default=12000, help="of the finder; others take less")
    return parser


def _add_places(parser: argparse.ArgumentParser) -> None:
    """Add what every step goes by: where things lie, seed, processes."""
    parser.add_argument("--var", type=Path, default=VAR, help="working data and checkpoints")
    parser.add_argument("--photos", type=Path, default=PHOTOS, help="labelled photos to train on")
    parser.add_argument(
        *("--rendered",), type=Path, action="append", default=[], metavar="DIR",
        help="a folder of pictures with truth to learn from; may be given again",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, default=ROOT / "models", help="where the ONNX files go")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=0, help="of torch; 0 leaves it the choice")
    parser.add_argument("--workers", type=int, default=1, help="that draw samples")
    parser.add_argument(
        *("--again",), action="store_true",
        help="where there is no checkpoint, take up the network that lies in OUT",
    )  # fmt: skip


def _add_drawing(steps: Steps) -> None:
    for name, run, count, words in (
        ("sketch", _sketch, 9000, "draw sketches with truth into VAR/sketch"),
        ("prints", _prints, 4500, "draw tables of print, ruled sheets and sweets"),
        ("cards", _cards, 1500, "draw tables with playing cards into VAR/cards"),
        ("tiles", _tiles, 1500, "draw tables of dominoes, many of them blank"),
    ):
        _ask(_step(steps, name, run, words), count=count, first=1)


def _add_training(steps: Steps) -> None:
    _ask(_step(steps, "finder", _finder, "train the finder, or go on"), steps=12000, batch=16)
    quads = _step(steps, "quads", _quads, "let the networks give quads to photos that have boxes")
    quads.add_argument(
        "--drawn", type=int, default=6000, help="last pictures of a folder to find mistakes on"
    )
    _ask(_step(steps, "reader", _reader, "train the reader, or go on with it"), steps=6000)
    _ask(_step(steps, "joiner", _joiner, "train the joiner, or go on with it"), steps=3000)


def _add_networks(steps: Steps) -> None:
    _step(steps, "export", _export, "write the networks as ONNX files to OUT")
    between = _step(steps, "mix", _mix, "write networks between those of two folders to OUT")
    between.add_argument("before", type=Path, help="the networks that a training took up")
    between.add_argument("after", type=Path, help="those that came of it")
    between.add_argument("--share", type=float, default=0.5, help="of AFTER, from 0 to 1")
    between.add_argument("--only", choices=NETWORKS, help="mix this one, take the others as AFTER")
    card = _step(steps, "card", _card, "calibrate, measure, and write CARD.md")
    card.add_argument("--fresh", type=int, default=200, help="sketches to measure on")


def _step(
    steps: Steps, name: str, run: Callable[[argparse.Namespace], None], words: str
) -> argparse.ArgumentParser:
    step: argparse.ArgumentParser = steps.add_parser(name, help=words)
    step.set_defaults(run=run)
    return step


def _ask(step: argparse.ArgumentParser, **numbers: int) -> None:
    """Let a step take whole numbers, each with its default."""
    for name, default in numbers.items():
        step.add_argument(f"--{name}", type=int, default=default)


def _threads(args: argparse.Namespace) -> None:
    if args.threads:
        import torch

        torch.set_num_threads(args.threads)


def _sketch(args: argparse.Namespace) -> None:
    from models.sketch.sketch import write

    _draw(args, partial(write, args.var / "sketch"))


def _prints(args: argparse.Namespace) -> None:
    from models.sketch.sketch import write_decoys
    from models.sketch.tables import PRINTED

    _draw(args, partial(write_decoys, args.var / "prints", tables=PRINTED))


def _cards(args: argparse.Namespace) -> None:
    from models.sketch.sketch import write_decoys
    from models.sketch.tables import CARDS

    _draw(args, partial(write_decoys, args.var / "cards", tables=CARDS))


def _tiles(args: argparse.Namespace) -> None:
    from models.sketch.sketch import TILES, write

    _draw(args, partial(write, args.var / "tiles", order=TILES))


def _draw(args: argparse.Namespace, write: Callable[[int], None]) -> None:
    from concurrent.futures import ProcessPoolExecutor

    seeds = range(args.first, args.first + args.count)
    with ProcessPoolExecutor(max_workers=max(1, args.workers)) as pool:
        for done, _ in enumerate(pool.map(write, seeds, chunksize=20), 1):
            if done % 500 == 0:
                print(f"{done} of {args.count} sketches", flush=True)


def _train(args: argparse.Namespace, name: str, lesson: Lesson) -> None:
    from models.train.course import Course

    shipped = args.out / f"{name}.onnx" if args.again else None
    Course(args.var / name).train(lesson, seed=args.seed, steps=args.steps, shipped=shipped)


def _drawn(args: argparse.Namespace) -> tuple[Path, ...]:
    sketches = (args.var / name for name in ("sketch", "prints", "tiles", "cards"))
    return (*sketches, *args.rendered)


def _quad_folders(args: argparse.Namespace) -> tuple[Path, ...]:
    folder = args.var / "quads"
    return tuple(sorted(folder.glob("*/"))) if folder.exists() else ()


def _finder(args: argparse.Namespace) -> None:
    from models.train.finder import Sources, lesson

    _threads(args)
    sources = Sources(_drawn(args), args.photos if args.photos.exists() else None)
    told = {"seed": args.seed, "batch": args.batch, "workers": args.workers}
    _train(args, "finder", lesson(sources, **told, again=args.again))


def _reader(args: argparse.Namespace) -> None:
    from models.train.reader import Sources, lesson

    _threads(args)
    sources = Sources(_drawn(args), _quad_folders(args))
    _train(args, "reader", lesson(sources, seed=args.seed, workers=args.workers))


def _joiner(args: argparse.Namespace) -> None:
    from models.train.joiner import lesson
    from models.train.reader import Sources

    _threads(args)
    sources = Sources(_drawn(args), _quad_folders(args))
    _train(args, "joiner", lesson(sources, seed=args.seed, workers=args.workers))


def _quads(args: argparse.Namespace) -> None:
    from models.train.quads import write_mistakes, write_quads
    from vision.networks import load_plain, load_reader

    _export_to(args, args.var / "export")
    made = [args.var / "export" / f"{name}.onnx" for name in ("finder", "reader")]
    if args.again:  # those not trained yet this time are the shipped ones
        made = [path if path.exists() else args.out / path.name for path in made]
    finder, reader = load_plain(made[0]), load_reader(made[1])
    if args.photos.exists():
        print(write_quads(args.photos, finder, reader, args.var / "quads"))
    for folder in _drawn(args):
        print(write_mistakes(folder, finder, args.drawn, max(1, args.workers)))


def _export(args: argparse.Namespace) -> None:
    _export_to(args, args.out)
    _write_origins(args)


def _export_to(args: argparse.Namespace, folder: Path) -> None:
    from models.train.course import Course
    from models.train.export import export_finder, export_joiner, export_reader

    folder.mkdir(parents=True, exist_ok=True)
    nets = {"finder": export_finder, "reader": export_reader, "joiner": export_joiner}
    for name, write in nets.items():
        if not (args.var / name / "checkpoint.pt").exists():
            continue
        path = folder / f"{name}.onnx"
        steps = write(Course(args.var / name), path)
        print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB after {steps} steps")


def _mix(args: argparse.Namespace) -> None:
    from models.train.course import Course, Log
    from models.train.mix import mix

    args.out.mkdir(parents=True, exist_ok=True)
    for name in NETWORKS:
        before, after, out = (path / f"{name}.onnx" for path in (args.before, args.after, args.out))
        share = args.share if args.only in (None, name) else 1.0
        mix(before, after, out, share)
        if share < 1:
            Log(Course(args.var / name).log).mix(share)
        print(f"{out.name}: {share:.0%} of {after}")
    _write_origins(args)


def _write_origins(args: argparse.Namespace) -> None:
    from models.train.origin import write_origins

    write_origins(args.out, args.var, args.rendered)


def _card(args: argparse.Namespace) -> None:
    from models.sketch.sketch import BARE, BARE_PRINT, write
    from models.train.card import FRESH, write_card

    for seed in range(FRESH, FRESH + args.fresh):
        write(args.var / "fresh", seed)
        write(args.var / "bare", seed, BARE)
        write(args.var / "printed", seed, BARE_PRINT)
    print(write_card(args.out, args.photos, args.var, args.seed))


def _all(args: argparse.Namespace) -> None:
    steps = args.steps
    _sketch(args)
    args.count //= 2
    _prints(args)
    args.count //= 3
    _tiles(args)
    _cards(args)
    args.steps = steps // 4
    _reader(args)
    args.steps = steps
    _finder(args)
    _quads(args)
    args.steps = steps // 2
    _reader(args)
    args.steps = steps // 4
    _joiner(args)
    _export(args)
    _card(args)


if __name__ == "__main__":
    sys.exit(main())
