"""Photos of whole matches with what is true: `python -m models.series GAME --help`.

Each match is a folder of its own: photo-001.jpg, photo-002.jpg …, a photo after each step on the
table, match.json with the game, and answers.json, which `pipsight follow --answers` takes: by photo
the table that lies there and the moves since the one before. With --still-camera it is a film by
one camera instead, as `models.series.film` tells.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2

from models.series.evening import Evening, NotDrawn
from models.series.film import write_film
from models.series.pictures import Photographer
from models.series.shown import answer, shots
from scorer.games import GAMES


def main() -> int:
    """Write the matches; return the exit code."""
    ask = argparse.ArgumentParser("python -m models.series", description=__doc__)
    ask.formatter_class = argparse.RawDescriptionHelpFormatter
    ask.add_argument("game", choices=list(GAMES))
    ask.add_argument("--count", type=int, default=1, help="matches")
    ask.add_argument("--seed", type=int, default=1, help="of the first; the next are +1")
    ask.add_argument("--players", type=int, default=2)
    ask.add_argument("--most", type=int, default=60, help="photos of a match, at most")
    ask.add_argument("--finer", type=int, default=1, help="times as large: dice off a page of ours")
    ask.add_argument("--quality", type=int, default=92, help="of the JPEGs")
    ask.add_argument("--out", type=Path, default=Path("var/series"))
    ask.add_argument("--still-camera", action="store_true", help="a film by one camera")
    ask.add_argument("--width", type=int, default=960, help="px of the longer side of a film")
    ask.add_argument("--set", action="append", default=[], metavar="NAME=JSON", help="a house rule")
    args = ask.parse_args()
    settings = {name: json.loads(value) for name, _, value in (s.partition("=") for s in args.set)}
    for seed in range(args.seed, args.seed + args.count):
        folder = args.out / f"{args.game}-{seed}"
        try:
            if args.still_camera:
                written = write_film(
                    folder, GAMES[args.game], args.players, seed, args.most, args.quality,
                    width=args.width, settings=settings,
                )  # fmt: skip
            else:
                written = write(
                    *(folder, args.game, args.players, seed, args.most, args.quality),
                    *(settings, args.finer),
                )
        except NotDrawn as fault:
            print(f"{GAMES[args.game].title}: {fault}.", file=sys.stderr)
            return 1
        print(f"{folder}: {written} photos", flush=True)
    return 0


def write(
    folder: Path,
    game: str,
    players: int,
    seed: int,
    most: int,
    quality: int,
    settings: Mapping[str, Any],
    finer: int,
) -> int:
    """Write the photos of one match and its truth; return how many. Raises NotDrawn."""
    rules = GAMES[game]
    taken = shots(rules, players, seed, most, settings)
    answers, photographer = {}, Photographer(Evening(seed), finer)
    for number, shot in enumerate(taken, start=1):
        photo, labels = photographer.photo(number, shot, rules.equipment(shot.before))
        folder.mkdir(parents=True, exist_ok=True)
        name = f"photo-{number:03d}"
        cv2.imwrite(str(folder / f"{name}.jpg"), photo, [cv2.IMWRITE_JPEG_QUALITY, quality])
        (folder / f"{name}.json").write_text(json.dumps(labels | {"file": f"{name}.jpg"}))
        answers[f"{name}.jpg"] = answer(shot)
    match = {"game": game, "players": players, "settings": settings, "seed": seed}
    match["score"] = rules.score(taken[-1].after)
    (folder / "match.json").write_text(json.dumps(match, indent=1))
    (folder / "answers.json").write_text(json.dumps(answers, indent=1))
    return len(taken)


if __name__ == "__main__":
    sys.exit(main())
