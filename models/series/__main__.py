"""Photos of whole matches with what is true: `python -m models.series GAME --help`.

Each match is a folder of its own: photo-001.jpg, photo-002.jpg …, a photo after each step on the
table, match.json with the game, and answers.json, which `pipsight follow --answers` takes: by photo
the table that lies there and the moves since the one before. With --still-camera it is a film by
one camera instead, as `models.series.film` tells.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from models import drawn
from models.harness import run
from models.series.evening import Evening, NotDrawn
from models.series.film import write_film
from models.series.pictures import Photographer
from models.series.shown import answer, shots
from scorer.games import GAMES


def main(
    game: Annotated[str, "of the match", (*GAMES,)],
    *,
    count: Annotated[int, "matches"] = 1,
    seed: Annotated[int, "of the first; the next are +1"] = 1,
    players: int = 2,
    most: Annotated[int, "photos of a match, at most"] = 60,
    finer: Annotated[int, "times as large: dice off a page of ours"] = 1,
    quality: Annotated[int, "of the JPEGs"] = 92,
    out: Path = Path("var/series"),
    still_camera: Annotated[bool, "a film by one camera"] = False,
    width: Annotated[int, "px of the longer side of a film"] = 960,
    set: Annotated[Sequence[str], "house rules, NAME=JSON"] = (),
) -> int:
    """Write the matches; return the exit code."""
    rules = {name: json.loads(value) for name, _, value in (one.partition("=") for one in set)}
    for number in range(seed, seed + count):
        folder = out / f"{game}-{number}"
        try:
            if still_camera:
                written = write_film(
                    folder, GAMES[game], players, number, most, quality,
                    width=width, settings=rules,
                )  # fmt: skip
            else:
                written = write(folder, game, players, number, most, quality, rules, finer)
        except NotDrawn as fault:
            print(f"{GAMES[game].title}: {fault}.", file=sys.stderr)
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
        path = folder / f"photo-{number:03d}.jpg"
        drawn.write(path, photo, labels, quality)
        answers[path.name] = answer(shot)
    match = {"game": game, "players": players, "settings": settings, "seed": seed}
    match["score"] = rules.score(taken[-1].after)
    (folder / "match.json").write_text(json.dumps(match, indent=1))
    (folder / "answers.json").write_text(json.dumps(answers, indent=1))
    return len(taken)


if __name__ == "__main__":
    sys.exit(run(main))
