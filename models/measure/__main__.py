"""All measures as one program: `python -m models.measure NAME --help`, or without NAME a list."""

import sys
from importlib import import_module

from models.harness import run

# The module of each measure, whose `main` declares the options.
MEASURES = {
    "accuracy": "models.measure.photos.report",
    "risk": "models.measure.photos.risk",
    "cut": "models.measure.photos.cut",
    "sent": "models.measure.photos.sent",
    "unread": "models.measure.photos.unread",
    "boards": "models.measure.boards.boards",
    "grids": "models.measure.boards.grids",
    "taught": "models.measure.boards.taught",
    "lattice": "models.measure.boards.lattice",
    "marks": "models.measure.marks.marks",
    "sheets": "models.measure.marks.things",
    "next-sheets": "models.measure.marks.next_photo",
    "watch": "models.measure.watch.watch",
    "filmed-photos": "models.measure.watch.filmed_photos",
    "speed": "models.measure.speed.bench",
    "same": "models.measure.speed.same",
    "preview": "tests.bench.preview",
    "finder": "tests.bench.finder",
    "follow": "tests.bench.follow",
    "opinion": "tests.bench.opinion",
    "stacks": "tests.bench.stacks",
    "observe": "tests.bench.observe",
    "watch-games": "tests.bench.watched_games",
    "coach": "tests.bench.coach",
    "years": "tests.bench.years",
    "page": "tests.bench.page",
    "lite": "tests.bench.lite",
    "web": "tests.bench.web",
    "small": "tests.bench.small",
    "scale": "tests.bench.scale",
    "hall": "tests.bench.hall",
}


def main(words: list[str]) -> int:
    """Run the measure that is named; return its exit code, or 2 if there is none of that name."""
    name, *options = words or [""]
    if name not in MEASURES:
        print("usage: python -m models.measure NAME [OPTIONS]", *MEASURES, sep="\n  ")
        return 2
    return run(import_module(MEASURES[name]).main, options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
