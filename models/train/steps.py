"""The steps of training. What a step needs is imported by the step: sketching needs no torch."""

# ruff: noqa: PLC0415

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from models.train.trainer import Training

NETWORKS = ("detector", "face_classifier", "pair_classifier", "mark_classifier")


def _threads(args: argparse.Namespace) -> None:
    if args.threads:
        import torch

        torch.set_num_threads(args.threads)


def run_sketch(args: argparse.Namespace) -> None:
    """Draw sketches with truth."""
    from models.sketch.sketch import write

    _draw(args, partial(write, args.var / "sketch"))


def run_prints(args: argparse.Namespace) -> None:
    """Draw tables of print, ruled sheets and sweets."""
    from models.sketch.sketch import write_decoys
    from models.sketch.tables import PRINTED

    _draw(args, partial(write_decoys, args.var / "prints", tables=PRINTED))


def run_cards(args: argparse.Namespace) -> None:
    """Draw tables with playing cards."""
    from models.sketch.sketch import write_decoys
    from models.sketch.tables import CARDS

    _draw(args, partial(write_decoys, args.var / "cards", tables=CARDS))


def run_objects(args: argparse.Namespace) -> None:
    """Draw tables with things that are no dice."""
    from models.sketch.sketch import write_objects

    _draw(args, partial(write_objects, args.var / "objects"))


def run_tiles(args: argparse.Namespace) -> None:
    """Draw tables of dominoes, many of them blank."""
    from models.sketch.sketch import TILES, write

    _draw(args, partial(write, args.var / "tiles", options=TILES))


def run_layouts(args: argparse.Namespace) -> None:
    """Draw dominoes as they lie in play."""
    from models.sketch.sketch import write_layouts

    _draw(args, partial(write_layouts, args.var / "layouts"))


def run_domino_tables(args: argparse.Namespace) -> None:
    """Draw dominoes as strangers have them on their tables."""
    from models.sketch.domino_pictures import write

    _draw(args, partial(write, args.var / "dominoes"))


def run_stacks(args: argparse.Namespace) -> None:
    """Draw positions of Even at Odds, the tile that was laid last as the last of each."""
    _draw(args, partial(_write_stack, args.var / "stacks", args.high, args.rise))


def _write_stack(folder: Path, high: int, rise: int, seed: int) -> None:
    from models.dataset.positions import lying, turn_of
    from models.sketch.stacks import StackedTile, write

    if turn := turn_of(seed, high):
        spots = [StackedTile(tile.halves, tile.cells, tile.level) for tile in lying(turn.after)]
        write(folder, seed, spots, high, rise)


def _draw(args: argparse.Namespace, write: Callable[[int], None]) -> None:
    from concurrent.futures import ProcessPoolExecutor

    seeds = range(args.first, args.first + args.count)
    with ProcessPoolExecutor(max_workers=max(1, args.workers)) as pool:
        for done, _ in enumerate(pool.map(write, seeds, chunksize=20), 1):
            if done % 500 == 0:
                print(f"{done} of {args.count} sketches", flush=True)


def _train(args: argparse.Namespace, name: str, training: Training) -> None:
    from models.train.trainer import Trainer

    shipped_models = args.out / f"{name}.onnx" if args.again else None
    Trainer(args.var / name).train(
        training, seed=args.seed, steps=args.steps, shipped_models=shipped_models
    )


def _drawn(args: argparse.Namespace) -> tuple[Path, ...]:
    sketches = (args.var / name for name in ("sketch", "prints", "tiles", "cards"))
    return (*sketches, *args.rendered)


def _quad_folders(args: argparse.Namespace) -> tuple[Path, ...]:
    return _folders(args.var / "quads")


def _folders(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted(folder.glob("*/"))) if folder.exists() else ()


def run_detector(args: argparse.Namespace) -> None:
    """Train the detector."""
    from models.train.detector import Sources, training

    _threads(args)
    sources = Sources(_drawn(args), args.photos if args.photos.exists() else None)
    told = {"seed": args.seed, "batch": args.batch, "workers": args.workers}
    _train(args, "detector", training(sources, **told, again=args.again))


def run_face_classifier(args: argparse.Namespace) -> None:
    """Train the classifier."""
    from models.train.crop_batches import CropSources
    from models.train.face_classifier import training

    _threads(args)
    sources = CropSources(_drawn(args), _quad_folders(args))
    _train(args, "face_classifier", training(sources, seed=args.seed, workers=args.workers))


def run_pair_classifier(args: argparse.Namespace) -> None:
    """Train the pair classifier."""
    from models.train.crop_batches import CropSources
    from models.train.pair_classifier import training

    _threads(args)
    tables = (*_folders(args.var / "layouts"), *_folders(args.var / "dominoes"))
    stacks = args.var / "stacks"
    dominoes = (*tables, stacks) if stacks.exists() else tables
    photos = (*_quad_folders(args), *_folders(args.var / "tile_photos"))
    sources = CropSources((*_drawn(args), *dominoes), photos)
    _train(args, "pair_classifier", training(sources, seed=args.seed, workers=args.workers))


def run_pairs(args: argparse.Namespace) -> None:
    """Make the pair classifier from nothing but the other networks: draw, look at photos, train."""
    from models.train.quads import write_quads
    from vision.models import load_face_classifier, load_plain

    for draw, of in PAIRS_FROM:
        args.count = round(of * args.tables)
        draw(args)
    if args.photos.exists():
        _tile_photos(args)
        if not _quad_folders(args):
            detector = load_plain(args.out / "detector.onnx")
            face_classifier = load_face_classifier(args.out / "face_classifier.onnx")
            quads = args.var / "quads"
            print(write_quads(args.photos, detector, face_classifier, quads, PAIR_PHOTOS))
    run_pair_classifier(args)


def _tile_photos(args: argparse.Namespace) -> None:
    from models.train.tile_photos import write_tile_photos

    print(write_tile_photos(args.photos, args.var / "tile_photos"))


PAIR_PHOTOS = 60  # of each set of dice: neighbours that are none
# What the pair classifier is made from, a share of the number of tables of dominoes each.
PAIRS_FROM = (
    (run_domino_tables, 1.0),
    (run_layouts, 0.2),
    (run_sketch, 1 / 3),
    (run_tiles, 1 / 6),
    (run_prints, 1 / 12),
    (run_cards, 0.05),
    (run_stacks, 1 / 3),
)


def run_mark_classifier(args: argparse.Namespace) -> None:
    """Train the mark classifier."""
    from models.train.mark_classifier import training

    _threads(args)
    _train(args, "mark_classifier", training(seed=args.seed, workers=args.workers))


def run_quads(args: argparse.Namespace) -> None:
    """Let the networks give quads to photos, and tell where they are mistaken."""
    from models.train.quads import write_mistakes, write_quads
    from vision.models import load_face_classifier, load_plain

    _export_to(args, args.var / "export")
    made = [args.var / "export" / f"{name}.onnx" for name in ("detector", "face_classifier")]
    if args.again:  # those not trained yet this time are the shipped ones
        made = [path if path.exists() else args.out / path.name for path in made]
    detector, face_classifier = load_plain(made[0]), load_face_classifier(made[1])
    if args.photos.exists():
        print(write_quads(args.photos, detector, face_classifier, args.var / "quads"))
    for folder in _drawn(args):
        print(write_mistakes(folder, detector, args.drawn, max(1, args.workers)))


def run_export(args: argparse.Namespace) -> None:
    """Write the networks as ONNX files, with what they were made from, and tell the card."""
    from models.train.card import with_networks

    _export_to(args, args.out)
    _write_origins(args)
    card = args.out / "CARD.md"
    if card.exists():
        card.write_text(with_networks(card.read_text(), args.out, args.photos))


def _export_to(args: argparse.Namespace, folder: Path) -> None:
    from models.train.export import (
        export_detector,
        export_face_classifier,
        export_mark_classifier,
        export_pair_classifier,
    )
    from models.train.trainer import Trainer

    folder.mkdir(parents=True, exist_ok=True)
    nets = {
        "detector": export_detector,
        "face_classifier": export_face_classifier,
        "pair_classifier": export_pair_classifier,
        "mark_classifier": export_mark_classifier,
    }
    for name, write in nets.items():
        if not (args.var / name / "checkpoint.pt").exists():
            continue
        path = folder / f"{name}.onnx"
        steps = write(Trainer(args.var / name), path)
        print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB after {steps} steps")


def run_interpolate(args: argparse.Namespace) -> None:
    """Write networks between those of two folders."""
    from models.train.interpolate_weights import interpolate_weights
    from models.train.trainer import Log, Trainer

    args.out.mkdir(parents=True, exist_ok=True)
    for name in NETWORKS:
        before, after, out = (path / f"{name}.onnx" for path in (args.before, args.after, args.out))
        share = args.share if args.only in (None, name) else 1.0
        interpolate_weights(before, after, out, share)
        if share < 1:
            Log(Trainer(args.var / name).log).interpolated(share)
        print(f"{out.name}: {share:.0%} of {after}")
    _write_origins(args)


def _write_origins(args: argparse.Namespace) -> None:
    from models.train.origin import write_origins

    write_origins(args.out, args.var, args.rendered)


def run_card(args: argparse.Namespace) -> None:
    """Calibrate, measure, and write CARD.md."""
    from models.sketch.sketch import BARE, BARE_PRINT, write
    from models.train.card import FRESH, write_card

    for seed in range(FRESH, FRESH + args.fresh):
        write(args.var / "fresh", seed)
        write(args.var / "bare", seed, BARE)
        write(args.var / "printed", seed, BARE_PRINT)
    print(write_card(args.out, args.photos, args.var, args.seed, fit=not args.keep))


def run_mark_calibration(args: argparse.Namespace) -> None:
    """Calibrate the mark classifier, and tell the card."""
    from models.train.mark_calibration import calibrate_marks

    print("\n".join(calibrate_marks(args.out, args.photos, args.sheets)))


def run_tile_photos(args: argparse.Namespace) -> None:
    """Write the photos of dominoes, smaller, and each changed in a few ways, to measure on."""
    from models.train.tile_photos import write_changed, write_tile_photos

    photos, changed = args.var / "all_tile_photos", args.var / "changed_tile_photos"
    print(write_tile_photos(args.photos, photos, every=True))
    print(write_changed(photos, changed, args.times, args.seed))


def run_half_calibration(args: argparse.Namespace) -> None:
    """Calibrate halves of dominoes, and tell the card."""
    from models.sketch import domino_pictures
    from models.sketch.sketch import TILES, write, write_layouts
    from models.train.half_calibration import FIRST, calibrate_halves

    fresh, args.first = args.var / "fresh_dominoes", FIRST
    for draw, count in (
        (partial(domino_pictures.write, fresh / "dominoes"), args.tables),
        (partial(write_layouts, fresh / "layouts"), args.tables // 2),
        (partial(write, fresh / "tiles", options=TILES), args.tables // 2),
    ):
        args.count = count
        _draw(args, draw)
    run_tile_photos(args)
    drawn = (*_folders(fresh / "dominoes"), *_folders(fresh / "layouts"), fresh / "tiles")
    photos = (*_folders(args.var / "all_tile_photos"), args.var / "changed_tile_photos")
    print("\n".join(calibrate_halves(args.out, drawn, photos)))


def run_larger_sets(args: argparse.Namespace) -> None:
    """Fit how more than six pips are told, and tell the card."""
    from models.train.larger_sets import fit_larger_sets
    from models.train.tile_photos import write_tile_photos

    photos = args.var / "all_tile_photos"
    write_tile_photos(args.photos, photos, every=True)
    print("\n".join(fit_larger_sets(args.out, args.var / "dominoes", photos)))


def run_all(args: argparse.Namespace) -> None:
    """Do every step."""
    steps = args.steps
    run_sketch(args)
    args.count //= 2
    run_prints(args)
    args.count //= 3
    run_tiles(args)
    run_cards(args)
    run_domino_tables(args)
    run_layouts(args)
    args.steps = steps // 4
    run_face_classifier(args)
    args.steps = steps
    run_detector(args)
    run_quads(args)
    args.steps = steps // 2
    run_face_classifier(args)
    args.steps = steps // 4
    if args.photos.exists():
        _tile_photos(args)
    run_pair_classifier(args)
    args.steps = 5 * steps // 4
    run_mark_classifier(args)
    run_export(args)
    run_card(args)
    run_half_calibration(args)
    run_larger_sets(args)
    run_mark_calibration(args)
