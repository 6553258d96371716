"""Output, questions and files of `pipsight follow`."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from scorer.games import GAMES
from scorer.recording import record
from webui.eyes.photo import write_overlay
from webui.eyes.pictures import distinct_names
from webui.follow import answers
from webui.follow.ask import Terminal
from webui.follow.follower import Ask, Followed, Follower, nobody
from webui.terminal import matches


def begin(
    game: str, settings: Mapping[str, object], players: int | None, answered: Path | None
) -> Follower:
    """Return a new match, for two players if the game allows two; raises Malformed."""
    rules = GAMES[game]
    usual = 2 if 2 in rules.seats else rules.seats[0]
    seats = usual if players is None else players
    ask: Ask = Terminal(_say, _hear) if sys.stdin.isatty() else nobody
    if answered is not None:
        ask = answers.from_file(answers.load(answered, rules), ask)
    return Follower(rules, seats, settings, ask)


def follow_photos(
    match: Follower,
    photos: Sequence[Path],
    out: Path | None,
    *,
    as_json: bool,
    overlay: Path | None = None,
) -> int:
    """Print each photo's moves and the standing; return 1 if a photo is not counted.

    A picture of each, with its reading, questions and impossible pieces, is written to *overlay*.
    """
    left, names = [], distinct_names(photos)
    if out is not None and out.exists():
        print(f"{out} is there already; choose another name with --out.", file=sys.stderr)
        return 1
    for photo in photos:
        followed = match.take(photo)
        if followed.left:
            left.append(followed.file)
        if overlay and not _draw(photo, followed, overlay / f"{names[photo]}.overlay.jpg"):
            return 1
        if as_json:
            print(json.dumps(followed.to_json(), ensure_ascii=False), flush=True)
        else:
            print("\n".join(_lines(followed)), flush=True)
    if not as_json:
        print("\n".join(_tally(match)))
    if left:
        count = "One photo is" if len(left) == 1 else f"{len(left)} photos are"
        print(f"{count} not counted: {', '.join(left)}", file=sys.stderr)
    return max(int(bool(left)), _write(match, out))


def _draw(photo: Path, followed: Followed, picture: Path) -> bool:
    """Draw the reading and impossible pieces on a photo; return False if it cannot be written."""
    if followed.sight is None:
        return True
    said = (*followed.differences, *(() if followed.sure else followed.doubts))
    try:
        write_overlay(picture, photo, followed.sight, followed.wanted, followed.forbidden, said)
    except OSError as fault:
        _say(f"{picture} cannot be written: {fault.strerror}.")
        return False
    return True


def _lines(followed: Followed) -> Iterator[str]:
    """Yield the result of a photo as lines for a person."""
    text = "; ".join(followed.text)
    yield f"{followed.file}: {text or 'nothing is counted'}"
    how = "open" if followed.left else "asked" if followed.answered else "look again"
    if followed.sure:
        how = "note"
    for sentence in followed.differences:
        yield f"  cannot be: {sentence}"
    for sentence in followed.doubts:
        likely = ", likely as read" if sentence in followed.marked else ""
        yield f"  {how}{likely}: {sentence}"


def _tally(match: Follower) -> Iterator[str]:
    game, state = match.game, match.state
    points = (
        f"player {seat} has {score}" for seat, score in enumerate(game.earned(state), start=1)
    )
    yield f"total: {', '.join(points)}"
    yield game.prompt(state)


def _write(match: Follower, out: Path | None) -> int:
    if out is None:
        return 0
    try:
        matches.write(out, record(match.game, match.seats, match.settings, match.moves))
    except matches.NotKept as fault:
        print(str(fault), file=sys.stderr)
        return 1
    print(f"The match is in {out}. Open it on the start page, or go on with:", file=sys.stderr)
    print(f"  pipsight play {match.game.name} --resume {shlex.quote(str(out))}", file=sys.stderr)
    return 0


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _hear() -> str:
    """Read a typed line; questions go to standard error, as standard output may be piped."""
    print("> ", end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line
