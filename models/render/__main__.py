"""Render pictures with truth: `python -m models.render --help`."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import cv2

from models.render import blind, fixtures
from models.render.image import load
from models.render.order import Order
from models.render.picture import take, take_table
from models.render.race import script
from models.render.sheet import contact_sheet
from models.render.truth import draw_truth
from models.render.view import LOW, STEEP

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

ROOT = Path(__file__).parents[2]
SAMPLES = 6  # paths a pixel of any table: the denoiser and a phone's own noise hide the rest


def main() -> int:
    """Run the command line."""
    args = _parser().parse_args()
    args.run(args)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m models.render", description=__doc__)
    commands = parser.add_subparsers(required=True)
    _add_tables(commands)
    _add_boards(commands)
    _add_looks(commands)
    _add_judges(commands)
    return parser


def _command(
    commands: Commands, name: str, run: Callable[[argparse.Namespace], None], words: str
) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(name, help=words)
    command.set_defaults(run=run)
    return command


def _add_seeds(command: argparse.ArgumentParser, samples: int) -> None:
    command.add_argument("--count", type=int, default=10)
    command.add_argument("--seed", type=int, default=1, help="of the first; the next are +1")
    command.add_argument("--out", type=Path, required=True)
    command.add_argument("--samples", type=int, default=samples, help="paths a pixel")


def _add_tables(commands: Commands) -> None:
    tables = _command(commands, "tables", _tables, "render any tables, chosen by their seeds")
    _add_seeds(tables, SAMPLES)
    tables.add_argument("--low", action="store_true", help="seen from 10 to 40 degrees above")


def _add_boards(commands: Commands) -> None:
    boards = _command(
        commands, "pictures", _pictures, "render boards of 3 x 3 cells by their seeds"
    )
    _add_seeds(boards, 8)
    boards.add_argument("--size", type=_size, default=(1600, 1200), help="such as 640x480")
    boards.add_argument("--tokens", type=_tokens, help='nine cells: "B3 W6 -- B1+W2 ..."')
    kept = _command(commands, "fixtures", _fixtures, "render what fixtures keeps")
    kept.add_argument("--samples", type=int, default=fixtures.SAMPLES)


def _add_looks(commands: Commands) -> None:
    sheet = _command(commands, "sheet", _sheet, "put pictures on one sheet")
    check = _command(commands, "check", _check, "draw the truth on pictures, to be looked at")
    for command in (sheet, check):
        command.add_argument("out", type=Path)
        command.add_argument("pictures", type=Path, nargs="+")
    sheet.add_argument("--columns", type=int, choices=(4, 10), default=4)


def _add_judges(commands: Commands) -> None:
    mixed = _command(commands, "blind", _blind, "mix photos and rendered tables for a judge")
    mixed.add_argument("out", type=Path)
    mixed.add_argument("--photos", type=Path, required=True, help="folder of sets of photos")
    mixed.add_argument("--rendered", type=Path, required=True)
    mixed.add_argument("--each", type=int, default=48, help="photos, and rendered tables")
    mixed.add_argument("--of-a-set", type=int, default=4, help="photos of one set at most")
    mixed.add_argument("--seed", type=int, default=1)
    told = _command(commands, "judged", _judged, "say how many of them a judge told rightly")
    told.add_argument("out", type=Path)
    told.add_argument(
        "answers", type=Path, help="JSON: number to the probability of being rendered"
    )


def _size(text: str) -> tuple[int, int]:
    width, height = text.split("x")
    return int(width), int(height)


def _tokens(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _tables(args: argparse.Namespace) -> None:
    seeds = range(args.seed, args.seed + args.count)
    steep = LOW if args.low else STEEP
    jobs: dict[Path, Callable[[Path], None]] = {
        args.out / f"table-{seed:06d}.jpg": partial(
            take_table, seed, samples=args.samples, steep=steep
        )
        for seed in seeds
    }
    _take_all(jobs)


def _pictures(args: argparse.Namespace) -> None:
    seeds = range(args.seed, args.seed + args.count)
    jobs: dict[Path, Callable[[Path], None]] = {
        args.out / f"board-{seed:06d}.jpg": partial(
            take, Order(seed, args.size, args.tokens), samples=args.samples
        )
        for seed in seeds
    }
    _take_all(jobs)


def _fixtures(args: argparse.Namespace) -> None:
    boards = ROOT / "fixtures" / "boards"
    boards.mkdir(parents=True, exist_ok=True)
    (boards / "race.json").write_text(json.dumps(script(), indent=1) + "\n")
    named = fixtures.race_orders() | fixtures.odd_orders()
    _take_all(
        {
            boards / name: partial(take, order, samples=args.samples, largest=fixtures.LARGEST)
            for name, order in named.items()
        }
    )
    _take_kept_tables()
    demo = ROOT / "webui" / "static" / "demo-board.jpg"
    if not demo.exists():
        order, told = fixtures.demo_order(), boards / "demo.json"
        take(order, demo, samples=fixtures.DEMO_SAMPLES, largest=fixtures.LARGEST, told=told)


def _take_kept_tables() -> None:
    kept = ROOT / "fixtures" / "rendered"
    _take_all(
        {
            kept / f"table-{seed:06d}.jpg": partial(take_table, seed, samples=SAMPLES)
            for seed in fixtures.TABLES
        }
    )


def _take_all(jobs: dict[Path, Callable[[Path], None]]) -> None:
    """Take the pictures that do not exist yet and say how it goes."""
    missing = {path: job for path, job in jobs.items() if not path.exists()}
    print(f"{len(jobs) - len(missing)} of {len(jobs)} pictures are there already", flush=True)
    started, worked = time.perf_counter(), time.process_time()
    for done, (path, job) in enumerate(missing.items(), 1):
        job(path)
        pace = (time.perf_counter() - started) / done
        left = pace * (len(missing) - done) / 60
        work = (time.process_time() - worked) / done
        print(
            f"{path.name}: {path.stat().st_size // 1000} kB, {done} of {len(missing)}, "
            f"{pace:.1f} s a picture ({work:.1f} s of processor time), {left:.1f} min left",
            flush=True,
        )


def _sheet(args: argparse.Namespace) -> None:
    args.out.write_bytes(contact_sheet(args.pictures, args.columns))


def _check(args: argparse.Namespace) -> None:
    args.out.mkdir(parents=True, exist_ok=True)
    for path in args.pictures:
        told = json.loads(path.with_suffix(".json").read_text())
        cv2.imwrite(str(args.out / path.name), draw_truth(load(path), told))


def _blind(args: argparse.Namespace) -> None:
    count = blind.mix(args.out, args.photos, args.rendered, args.each, args.of_a_set, args.seed)
    print(f"{count} pictures on the sheets of {args.out}")


def _judged(args: argparse.Namespace) -> None:
    right, count = blind.judged(args.out, args.answers)
    print(f"{right} of {count} told rightly")


if __name__ == "__main__":
    sys.exit(main())
