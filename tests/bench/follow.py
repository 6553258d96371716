"""How well matches are followed from their photos: `make bench-follow`.

Each folder, or each folder in it, holds the photos of one match, `match.json` and `answers.json`,
as `make series` writes them. It is played twice as `pipsight follow` does: with the answers, and
with nobody to ask. A third row is of eyes that never err: what it asks, no photo tells. Printed for
each and for all of them:

positions right   photos after which the match stands as it truly does, of all
silent errors     photos that were sure, after which it stands otherwise than before and than truly
asked             photos about which a person was asked, of all
question          the same, but those where a person need only look at pieces marked on the photo
matches followed  that stand as they truly do after every photo, the answers being given

`--kinds` prints what was asked, numbers and places in it left out, the most frequent first: in how
many photos, and in how many of these nothing else was asked.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from models.harness import AddedCounts, NothingToMeasure, PrintedRows
from scorer import Equipment, Illegal, load_move
from scorer.games import GAMES
from webui.eyes.photo import PhotoReading, See, see
from webui.eyes.photo_tables import looked_for
from webui.follow import answers as follow_answers
from webui.follow.follower import Ask, Follower, nobody

Matches = Annotated[list[Path], "of a match, or of folders of matches"]


@dataclass(frozen=True, slots=True)
class FollowCounts(AddedCounts):
    """What became of the photos of some matches."""

    photos: int = 0
    right: int = 0
    silent: int = 0
    asked: int = 0
    questions: int = 0
    matches: int = 0
    followed: int = 0

    def cells(self) -> tuple[object, ...]:
        """Return the cells below HEADS but the first."""
        share = "{:.1%}".format
        right, asked, question = (
            share(n / max(self.photos, 1)) for n in (self.right, self.asked, self.questions)
        )
        followed = f"{self.followed} of {self.matches}"
        return self.photos, right, self.silent, asked, question, followed


def main(
    folders: Matches,
    *,
    kinds: Annotated[bool, "print what was asked, by kind"] = False,
) -> None:
    """Measure and print."""
    found = matches_below(folders)
    table = PrintedRows(*HEADS, first=30)
    answered, alone, untold = FollowCounts(), FollowCounts(), FollowCounts()
    answers: list[dict[str, Any]] = []
    for folder in found:
        look = remembering(see)
        followed = measured(folder, look, answers=True)
        answered += followed.counts
        alone += measured(folder, look, answers=False).counts
        untold += measured(folder, flawless(folder), answers=True).counts
        answers += followed.answers
        table.row(folder.name, *followed.counts.cells())
    table.row("all, asked questions answered", *answered.cells())
    table.row("all, nobody to ask", *alone.cells())
    table.row("all, by eyes that never err", *untold.cells())
    if kinds:
        print("\n".join(kinds_asked(answers)))


HEADS = ("", "photos", "right", "silent", "asked", "question", "matches followed")


def matches_below(folders: Sequence[Path]) -> list[Path]:
    """Return the folders of all matches; raises NothingToMeasure."""
    found = [match for folder in folders for match in matches_in(folder)]
    if not found:
        raise NothingToMeasure(f"There is no match.json in {', '.join(map(str, folders))}.")
    return found


def matches_in(folder: Path) -> Iterator[Path]:
    """Yield the folders of matches: this one, or those in it."""
    if (folder / "match.json").exists():
        yield folder
    elif folder.is_dir():
        yield from (path.parent for path in sorted(folder.glob("*/match.json")))


@dataclass(frozen=True, slots=True)
class FollowedMatch:
    """What became of the photos of one match."""

    counts: FollowCounts
    answers: Sequence[dict[str, Any]]  # what `pipsight follow` said of each photo


def measured(folder: Path, look: See, *, answers: bool) -> FollowedMatch:
    """Follow the match of a folder."""
    match = json.loads((folder / "match.json").read_text())
    return counted(folder, follow(folder, match, photos_of(folder), look, answers=answers))


def photos_of(folder: Path) -> list[str]:
    """Return the names of a match's photos, in order."""
    return list(json.loads((folder / "answers.json").read_text()))


def counted(folder: Path, answers: Sequence[dict[str, Any]]) -> FollowedMatch:
    """Count what was read on each photo of a match."""
    match = json.loads((folder / "match.json").read_text())
    truth = json.loads((folder / "answers.json").read_text())
    game = GAMES[match["game"]]
    start = game.start(match["players"], match.get("settings", {}))
    true = state = start
    right = silent = 0
    for name, answer in zip(truth, answers, strict=True):
        true, before = _played(game, true, truth[name]["moves"]), state
        state = _played(game, state, answer["moves"])
        right += state == true
        silent += answer["sure"] and state not in (true, before)
    asked = sum(not one["sure"] for one in answers)
    questions = sum(one["asks"] for one in answers)
    whole = int(right == len(answers))
    counts = FollowCounts(len(answers), right, silent, asked, questions, 1, whole)
    return FollowedMatch(counts, answers)


def kinds_asked(answers: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the kinds of questions, how many photos asked them, and how many nothing else."""
    plain = {kind for one in answers if one["sure"] for kind in _kinds_of(one)}
    asked = [_kinds_of(one) - plain for one in answers if not one["sure"]]
    alone = Counter(kind for one in asked if len(one) == 1 for kind in one)
    yield "asked  alone"
    for kind, count in Counter(kind for one in asked for kind in one).most_common():
        yield f"{count:5}  {alone[kind]:5}  {kind}"


def _kinds_of(answer: dict[str, Any]) -> set[str]:
    """Return what was said of a photo without what differs from photo to photo."""
    said = {PARTICULAR.sub("…", sentence) for sentence in answer["doubts"]}
    return said | {f"cannot be: {PARTICULAR.sub('…', text)}" for text in answer["differences"]}


# Numbers, colours and places of a sentence.
PARTICULAR = re.compile(
    r"\([^)]*\)|\d+(?:-\d+)*|\b(?:white|black|grey|red|orange|yellow|green|blue|purple|pink|brown|clear)\b"
    r"|\bphoto-\S+"
)


def follow(
    folder: Path, match: dict[str, Any], photos: Sequence[str], look: See, *, answers: bool
) -> list[dict[str, Any]]:
    """Return what `pipsight follow` says of each photo, as *look* sees it."""
    game = GAMES[match["game"]]
    ask: Ask = nobody
    if answers:
        ask = follow_answers.from_file(follow_answers.load(folder / "answers.json", game))
    follower = Follower(game, match["players"], match.get("settings", {}), ask, look)
    taken = (follower.take(folder / name) for name in photos)
    return [one.to_json() | {"asks": one.asks} for one in taken]


def remembering(look: See) -> See:
    """Return *look* so that it reads a photo once for each thing that is looked for."""
    readings: dict[tuple[bytes, str], PhotoReading] = {}

    def see_once(photo: bytes, wanted: Equipment) -> PhotoReading:
        key = photo, repr(looked_for(wanted))
        if key not in readings:
            readings[key] = look(photo, wanted)
        return readings[key]

    return see_once


def flawless(folder: Path) -> See:
    """Return eyes that see all that lies on the photos of a match as it is."""
    match = json.loads((folder / "match.json").read_text())
    answers = follow_answers.load(folder / "answers.json", GAMES[match["game"]])
    readings = {}
    for name in photos_of(folder):
        answer = answers.of(folder / name)
        assert answer is not None
        assert answer.table is not None
        labels = json.loads((folder / name).with_suffix(".json").read_text())
        drawn, size = labels.get("dice", []), {key: labels[key] for key in ("width", "height")}
        dice = [die | {"cell": own.cell} for die, own in zip(drawn, answer.table.dice, strict=True)]
        reading: Any = size | {"dice": dice, "warnings": [], "board": None}  # what `Follower` takes
        readings[(folder / name).read_bytes()] = PhotoReading(reading, answer.table, (), b"")
    return lambda photo, _wanted: readings[photo]


def _played(game: Any, state: Any, moves: Sequence[Any]) -> Any:
    """Return the state after *moves*; the one before where one of them cannot be made."""
    after = state
    try:
        for move in moves:
            after = game.apply(after, load_move(game, move))
    except Illegal:
        return state
    return after
