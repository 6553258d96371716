"""Output, questions and files of `pipsight follow`."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from scorer.games import GAMES
from scorer.messages import _, joined, raw
from scorer.recording import record
from scorer.words import player
from webui.errors import NotWritten, Refusal, already_there
from webui.eyes.photo import write_overlay
from webui.eyes.phrases import phrase
from webui.eyes.pictures import distinct_names
from webui.follow import answers
from webui.follow.ask import CANNOT_BE, LIKELY, Terminal
from webui.follow.follower import Ask, Followed, Follower, nobody
from webui.languages import counted, translate
from webui.languages import said as spoken
from webui.match.match import begun
from webui.match.player_names import with_unnamed
from webui.terminal import console, matches

NOTHING = _("nothing is counted")
OPEN, ASKED, LOOK_AGAIN, NOTE = _("open"), _("asked"), _("look again"), _("note")


def begin(
    game: str,
    settings: Mapping[str, object],
    players: int | None,
    answered: Path | None,
    photos: Sequence[Path],
) -> Follower:
    """Return a new match, for two players if the game allows two; raises Malformed.

    Names in the file of answers that none of the *photos* has are printed.
    """
    seats = GAMES[game].usual_seats if players is None else players
    started = matches.new(game, with_unnamed((), seats), settings)
    rules, *_rest = begun(game, started.names, settings)
    ask: Ask = Terminal(_say, _hear) if sys.stdin.isatty() else nobody
    if answered is not None:
        prepared = answers.load(answered, rules)
        given = {name for photo in photos for name in (str(photo), photo.name)}
        if names := ", ".join(sorted(prepared.names - given)):
            unused = _(
                "There are answers about photos that were not given: {names}", names=raw(names)
            )
            _say(spoken(unused))
        ask = answers.from_file(prepared, ask)
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
    if out is not None:
        if out.exists():
            raise Refusal(already_there(out))
        try:  # before all photos are read, and questions answered
            os.scandir(out.parent).close()
        except OSError as fault:
            raise NotWritten(out, fault) from fault
    for photo in photos:
        followed = match.take(photo)
        if followed.left:
            left.append(followed.file)
        if overlay:
            _draw(photo, followed, overlay / f"{names[photo]}.overlay.jpg")
        if as_json:
            console.print_json(followed.to_json())
        else:
            print("\n".join(_lines(followed)), flush=True)
    if not as_json:
        print("\n".join(_tally(match)))
    if left:
        _say(
            counted(
                "One photo is not counted: {photos}",
                "{n} photos are not counted: {photos}",
                len(left),
                photos=", ".join(left),
            )
        )
    if out is not None:
        _write(match, out)
    return int(bool(left))


def _draw(photo: Path, followed: Followed, picture: Path) -> None:
    """Draw the reading and impossible pieces on a photo; raises NotWritten."""
    if followed.sight is None:
        return
    said = (*followed.differences, *(() if followed.sure else followed.doubts))
    write_overlay(picture, photo, followed.sight, followed.wanted, followed.forbidden, said)


def _lines(followed: Followed) -> Iterator[str]:
    """Yield the result of a photo as lines for a person."""
    text = "; ".join(map(spoken, followed.text))
    yield f"{followed.file}: {text or spoken(NOTHING)}"
    how = OPEN if followed.left else ASKED if followed.answered else LOOK_AGAIN
    if followed.sure:
        how = NOTE
    for sentence in followed.differences:
        yield f"  {spoken(CANNOT_BE)}: {spoken(phrase(sentence))}"
    for sentence in followed.doubts:
        likely = f", {spoken(LIKELY)}" if sentence in followed.marked else ""
        yield f"  {spoken(how)}{likely}: {spoken(phrase(sentence))}"


def _tally(match: Follower) -> Iterator[str]:
    game, state = match.game, match.state
    earned = enumerate(game.earned(state))
    each = joined(", ", (_("{who} has {n}", who=player(seat), n=score) for seat, score in earned))
    yield translate("total: {each}", each=each)
    yield spoken(game.prompt(state))


def _write(match: Follower, out: Path) -> None:
    matches.write(out, record(match.game, match.seats, match.settings, match.moves))
    _say(
        translate(
            "The match is in {file}. Open it on the start page, or continue it with:", file=out
        )
    )
    _say(f"  pipsight play {match.game.name} --resume {shlex.quote(str(out))}")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _hear() -> str:
    """Read a typed line; questions go to standard error, as standard output may be piped."""
    print("> ", end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line
