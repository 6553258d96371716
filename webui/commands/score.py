"""`pipsight score`: photos in, the score of each by the rules of a game out.

Each photo stands alone: nothing is known of the moves before it, and none is made up.
"""

from __future__ import annotations

import json
import shlex
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from scorer import (
    Doubt,
    Equipment,
    Game,
    Malformed,
    NotScored,
    OnePhoto,
    PhotoScore,
    asked,
    dump_move,
    once,
    settle,
)
from scorer.games import GAMES
from scorer.messages import _, joined, ngettext, raw
from scorer.sentence import search, speak
from scorer.values import dump
from vision.boards.pose import NOT_THE_BOARD, TWO_BOARDS
from webui.errors import NotRead
from webui.eyes.photo import PhotoReading, see, write_overlay
from webui.eyes.pictures import NotWritten, distinct_names
from webui.terminal import console

WIDE = 64  # columns; in fewer, whose points they are stands right behind the sentence


def begin(
    game: str,
    said: Mapping[str, object],
    players: int | None = None,
    opening: str | None = None,
) -> tuple[Any, dict[str, Any]]:
    """Return the state before the photo and what was *said* beside it, house rules left out.

    The state is the start, of two if the game takes two, or after an *opening*. Raises Malformed,
    also where the words of the opening are not those of one move.
    """
    rules = GAMES[game]
    facts = rules.one_photo.facts if rules.one_photo else ()
    beside = {fact.name for fact in facts}
    usual = 2 if 2 in rules.seats else rules.seats[0]
    house = {name: value for name, value in said.items() if name not in beside}
    state = rules.start(usual if players is None else players, house)
    given = {name: value for name, value in said.items() if name in beside}
    settled = {name: value for name, value in settle(facts, given).items() if name in given}
    if opening is None:
        return state, settled
    found = search(speak(rules, state), opening)
    if len(found) != 1:
        could = "; ".join(sentence.text for sentence in found[:3])
        fits = f"more than one move: {could}" if could else "no move that can be made first"
        raise Malformed(f"--opening {shlex.quote(opening)} fits {fits}")
    return rules.apply(state, found[0].move), settled


def score_photos(
    game: str,
    state: Any,
    facts: Mapping[str, Any],
    photos: Sequence[Path],
    *,
    as_json: bool,
    overlay: Path | None = None,
) -> int:
    """Print what each photo tells, each by itself; return 1 if one tells nothing.

    Into the folder *overlay*, if there is one, goes a picture of each with what was read on it.
    """
    failed = False
    names = distinct_names(photos)
    for path in photos:
        picture = overlay / f"{names[path]}.overlay.jpg" if overlay else None
        try:
            sight, scored = _score(GAMES[game], state, facts, path, picture)
        except (NotRead, NotScored, NotWritten) as fault:
            failed = True
            _print_fault(path, str(fault), as_json=as_json)
            continue
        if as_json:
            answer = {"file": str(path), "game": game, **_to_json(sight, scored)}
            print(json.dumps(answer, ensure_ascii=False), flush=True)
        else:
            print("\n".join(_lines(path, sight, scored)), flush=True)
    return 1 if failed else 0


def _score(
    game: Game[Any, Any], state: Any, facts: Mapping[str, Any], path: Path, picture: Path | None
) -> tuple[PhotoReading, PhotoScore]:
    """Read a photo and ask the rules what it tells; draw that, if a *picture* of it is wanted.

    Raises NotRead, NotScored, or NotWritten for the picture.
    """
    one_photo = _asked_first(game, facts)  # before a second is spent on reading
    sight, equipment = _look(one_photo, state, path)

    def draw(pieces: Sequence[tuple[str, int]] = (), said: Sequence[str] = ()) -> None:
        if picture is not None:
            write_overlay(picture, path, sight, equipment, pieces, said)

    try:
        _check_places(sight, tiles=any(wanted.tiles for wanted in one_photo.looks(state)))
        scored = one_photo.tell(state, sight.table, facts)
    except NotScored as fault:
        draw(fault.pieces, [str(fault)])
        asks = ""
        if fault.asks:
            asks = f"Say it: --opening {shlex.quote(fault.asks[0])}"
            asks += "".join(f", or {shlex.quote(words)}" for words in fault.asks[1:]) + "."
        parts = (str(fault), asks, *sight.reading["warnings"])
        raise NotScored(raw(" ".join(filter(None, parts)))) from None
    draw()
    return sight, scored


def _asked_first(game: Game[Any, Any], facts: Mapping[str, Any]) -> OnePhoto[Any]:
    if game.one_photo is None:
        raise NotScored(
            _(
                "{game} cannot be scored from one photo. Keep the score as you play: pipsight "
                "serve, or pipsight play {name}.",
                game=raw(game.title),
                name=raw(game.name),
            )
        )
    for fact in game.one_photo.facts:
        if fact.name not in facts:
            meaning = raw(fact.meaning[0].lower() + fact.meaning[1:])
            example = raw(shlex.quote(f"{fact.name}={fact.example}"))
            text = _(
                "A photo does not show {fact}. Set it: --set {set}.", fact=meaning, set=example
            )
            raise NotScored(text)
    return game.one_photo


def _look(one_photo: OnePhoto[Any], state: Any, path: Path) -> tuple[PhotoReading, Equipment]:
    """Read the photo as each thing that it may show, until a board that is looked for is there.

    Returns also what it was read as. Raises NotScored where a board lies there as none can be read.
    """
    try:
        photo = path.read_bytes()
    except OSError as fault:
        raise NotRead(f"The file cannot be opened: {fault.strerror}.") from fault
    looks = one_photo.looks(state)
    sights = []
    for equipment in looks:
        sights.append(see(photo, equipment))
        if sights[-1].reading.get("board") or sights[-1].table.marks:
            return sights[-1], equipment
        for why in sights[-1].reading["warnings"]:
            if why in NOT_THE_BOARD:
                raise NotScored(raw(why))
    last = sights[-1]
    alone = last.table.dice or last.table.tiles
    # What a look missed is of interest only where no look found anything, but boards that lie there
    # are no less there for the dice beside them.
    kept = [
        warning
        for sight in sights
        for warning in sight.reading["warnings"]
        if sight is last or not alone or warning == TWO_BOARDS
    ]
    last.reading["warnings"] = list(dict.fromkeys(kept))
    return last, looks[-1]


def _check_places(sight: PhotoReading, *, tiles: bool) -> None:
    """Raise NotScored if a tile was read whose cells are not known: the rest is not the table."""
    placed, read = len(sight.table.tiles), len(sight.reading.get("tiles", ()))
    if tiles and placed < read:
        which = _("None of them") if not placed else _("Only {number} of them", number=placed)
        text = ngettext(
            "{n} tile was read. {which} could be given a place in the grid, and the groups depend"
            " on the places.",
            "{n} tiles were read. {which} could be given a place in the grid, and the groups depend"
            " on the places.",
            read,
            which=which,
        )
        raise NotScored(text)


def _doubts(sight: PhotoReading, scored: PhotoScore) -> tuple[str, ...]:
    """Return what to look at again: what the eyes ask, unless the rules ask it of that piece.

    Of marks the rules ask: what a whole row can be settles many of them.
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
    """Return what the eyes warn of, but of pieces that may be missed only where these count."""
    hint = sight.reading.get("hint") if "dice" in scored.left_out else None
    return [warning for warning in sight.reading["warnings"] if warning != hint]


# ---------------------------------------------------------------- told as JSON and in lines


def _to_json(sight: PhotoReading, scored: PhotoScore) -> dict[str, Any]:
    """Return the object of docs/develop/interfaces.md without its file and game."""
    return {
        "whose": list(scored.whose),
        "score": list(scored.score),
        "because": dump(scored.because),
        "means": list(scored.means),
        "moves": [{"text": text, "move": dump_move(move)} for move, text in scored.moves],
        "outcome": scored.outcome,
        "assumed": scored.assumed,
        "unknown": scored.unknown,
        "doubts": list(_doubts(sight, scored)),
        "warnings": _warnings(sight, scored),
        "reading": sight.reading,
    }


def _print_fault(path: Path, sentence: str, *, as_json: bool) -> None:
    if as_json:
        answer = {"file": str(path), "error": sentence}
        print(json.dumps(answer, ensure_ascii=False), flush=True)
    else:
        print(f"{path}: {sentence}", file=sys.stderr)


def _lines(path: Path, sight: PhotoReading, scored: PhotoScore) -> Iterator[str]:
    yield f"{path}:" + (f" {scored.assumed}" if scored.assumed else "")
    for part, entries in groupby(scored.because, key=lambda entry: entry.part):
        yield f"  {part}"
        for entry in entries:
            whose = "" if entry.seat is None else f"{scored.whose[entry.seat]}: {entry.points}"
            if console.width() > WIDE:
                yield f"    {entry.text:44} {whose}".rstrip()
            else:
                yield from _wrapped(f"{entry.text}; {whose}" if whose else entry.text, "    ")
    for sentence in scored.means:
        yield from _wrapped(sentence)
    if scored.moves:
        yield from _wrapped(f"may be taken: {'; '.join(text for _, text in scored.moves)}")
    if len(scored.score) == 1:
        yield f"  {scored.whose[0]}: {scored.score[0]}"
    elif scored.score:
        totals = zip(scored.whose, scored.score, strict=True)
        yield f"  total: {', '.join(f'{whose} has {points}' for whose, points in totals)}"
    if scored.outcome:
        yield from _wrapped(scored.outcome)
    for doubt in _doubts(sight, scored):
        yield from _wrapped(f"look again: {doubt}")
    for warning in _warnings(sight, scored):
        yield from _wrapped(f"warning: {warning}")
    if scored.unknown:
        yield from _wrapped(f"not shown by one photo: {scored.unknown}")


def _wrapped(sentence: str, indent: str = "  ") -> list[str]:
    width, hang = console.width(), f"{indent}  "
    return textwrap.wrap(sentence, width, initial_indent=indent, subsequent_indent=hang)
