"""`pipsight score`: score photos by the rules of a game.

Each photo is independent: earlier moves are neither known nor invented.
"""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from scorer import Doubt, Game, NotScored, PhotoScore, asked, dump_move, once
from scorer.games import GAMES
from scorer.messages import Message, _, as_message, joined, raw
from scorer.values import dump
from scorer.words import either
from webui.errors import NotRead, NotWritten
from webui.eyes import one_photo
from webui.eyes.one_photo import NotSaid
from webui.eyes.photo import PhotoReading, write_overlay
from webui.eyes.phrases import notices_of, phrase
from webui.eyes.pictures import distinct_names
from webui.languages import said, translate
from webui.terminal import console

WIDE = 64  # columns; with fewer, the owner of points follows directly after the sentence


def score_photos(
    game: str,
    state: Any,
    facts: Mapping[str, Any],
    photos: Sequence[Path],
    *,
    as_json: bool,
    overlay: Path | None = None,
) -> int:
    """Print the score of each photo; return 1 if one cannot be scored.

    A picture of each with its reading is written to the folder *overlay*.
    """
    failed = False
    names = distinct_names(photos)
    for path in photos:
        picture = overlay / f"{names[path]}.overlay.jpg" if overlay else None
        try:
            sight, scored = _score(GAMES[game], state, facts, path, picture)
        except (NotRead, NotScored, NotWritten) as fault:
            failed = True
            console.report_photo(path, phrase(fault.args[0]), as_json=as_json)
            continue
        if as_json:
            answer = {"file": str(path), "game": game, **_to_json(path, sight, scored)}
            console.print_json(answer)
        else:
            print("\n".join(_lines(path, sight, scored)), flush=True)
    return 1 if failed else 0


def _score(
    game: Game[Any, Any], state: Any, facts: Mapping[str, Any], path: Path, picture: Path | None
) -> tuple[PhotoReading, PhotoScore]:
    """Read and score a photo; draw the reading to *picture* if given.

    Raises NotRead, NotScored, or NotWritten for the picture.
    """
    try:
        shown = one_photo.look(game, state, facts, path)
    except NotSaid as fault:
        example = shlex.quote(f"{fault.fact.name}={fault.fact.example}")
        why = as_message(fault.args[0])
        raise NotScored(_("{why} Set it: {how}.", why=why, how=raw(f"--set {example}"))) from None

    def draw(pieces: Sequence[tuple[str, int]] = (), said: Sequence[str] = ()) -> None:
        if picture is not None:
            write_overlay(picture, path, shown.sight, shown.equipment, pieces, said)

    try:
        scored = one_photo.score(state, facts, shown)
    except NotScored as fault:
        draw(fault.pieces, [str(fault)])
        warned = map(phrase, shown.sight.reading["warnings"])
        parts = (as_message(fault.args[0]), *_opening(fault.asks), *warned)
        raise NotScored(joined(" ", parts)) from None
    draw()
    return shown.sight, scored


def _opening(asks: Sequence[str]) -> Iterator[Message]:
    """Yield how to give facts that only an earlier move would show."""
    if asks:
        words = either(raw(shlex.quote(said(one))) for one in asks)
        yield _("Say it: --opening {words}.", words=words)


def _doubts(sight: PhotoReading, scored: PhotoScore) -> tuple[str, ...]:
    """Return the doubts of the reading, unless the rules ask about that piece.

    The rules ask about marks: the possible rows resolve many of them.
    """
    doubted = {doubt.piece for doubt in sight.doubts}
    reading: Mapping[str, Any] = sight.reading
    unsure = [
        Doubt(_("{tile} may be misread", tile=joined("-", piece["halves"])), ("tiles", i))
        for i, piece in enumerate(reading.get("tiles", ()))
        if not piece["sure"] and ("tiles", i) not in doubted
    ]
    counted = [
        doubt for doubt in sight.doubts if not doubt.piece or doubt.piece[0] not in scored.left_out
    ]
    return once(asked((*counted, *unsure), scored.doubts))


def _warnings(sight: PhotoReading, scored: PhotoScore) -> list[str]:
    """Return the warnings of the reading; those about missed pieces only if pieces count."""
    hint = sight.reading.get("hint") if "dice" in scored.left_out else None
    return [warning for warning in sight.reading["warnings"] if warning != hint]


# ---------------------------------------------------------------- output


def _to_json(path: Path, sight: PhotoReading, scored: PhotoScore) -> dict[str, Any]:
    """Return the object of docs/develop/interfaces.md without its file and game."""
    doubts = _doubts(sight, scored)
    summed = {"sum": sum(scored.score), "pieces": dump(scored.summed)} if scored.summed else {}
    return {
        **summed,
        "sure": not doubts,
        "whose": list(scored.whose),
        "score": list(scored.score),
        "because": [
            {k: v for k, v in line.items() if k != "name"} for line in dump(scored.because)
        ],
        "means": list(scored.means),
        "moves": [{"text": text, "move": dump_move(move)} for move, text in scored.moves],
        "outcome": scored.outcome,
        "assumed": scored.assumed,
        "unknown": scored.unknown,
        "doubts": list(doubts),
        "warnings": _warnings(sight, scored),
        "reading": {**sight.reading, "file": str(path)},
    }


def _lines(path: Path, sight: PhotoReading, scored: PhotoScore) -> Iterator[str]:
    yield f"{path}:" + (f" {said(scored.assumed)}" if scored.assumed else "")
    for part, entries in groupby(scored.because, key=lambda entry: entry.part):
        yield f"  {said(part)}"
        for entry in entries:
            whose = (
                "" if entry.seat is None else f"{said(scored.whose[entry.seat])}: {entry.points}"
            )
            if console.width() > WIDE:
                yield f"    {said(entry.text):44} {whose}".rstrip()
            else:
                text = said(entry.text)
                yield from _wrapped(f"{text}; {whose}" if whose else text, "    ")
    for sentence in scored.means:
        yield from _wrapped(said(sentence))
    if scored.moves:
        moves = joined("; ", (text for _move, text in scored.moves))
        yield from _wrapped(translate("may be taken: {moves}", moves=moves))
    if len(scored.score) == 1:
        yield f"  {said(scored.whose[0])}: {scored.score[0]}"
    elif scored.score:
        totals = zip(scored.whose, scored.score, strict=True)
        each = joined(", ", (_("{who} has {n}", who=who, n=points) for who, points in totals))
        yield "  " + translate("total: {each}", each=each)
    if scored.outcome:
        yield from _wrapped(said(scored.outcome))
    for doubt in _doubts(sight, scored):
        yield from _wrapped(translate("look again: {doubt}", doubt=as_message(doubt)))
    for warning in _warnings(sight, scored):
        yield from _wrapped(translate("warning: {warning}", warning=phrase(warning)))
    for notice in notices_of(sight.reading):
        yield from _wrapped(said(phrase(notice)))
    if scored.unknown:
        yield from _wrapped(translate("not shown by one photo: {what}", what=scored.unknown))


def _wrapped(sentence: str, indent: str = "  ") -> list[str]:
    width, hang = console.width(), f"{indent}  "
    return textwrap.wrap(sentence, width, initial_indent=indent, subsequent_indent=hang)
