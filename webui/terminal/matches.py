"""Matches of the terminal: in the server's store, and in files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scorer import Game, Malformed, recording
from scorer.games import GAMES, title_of
from scorer.messages import _, raw
from scorer.recording import Recording
from webui.errors import NotFound, Refusal
from webui.languages import reason
from webui.match import match as matches
from webui.match.match import Match, find
from webui.match.past import named_games
from webui.match.player_names import unnamed, with_unnamed
from webui.store.database_url import database_url, prepare_folder, told_in_words
from webui.store.durable_files import data_folder, write_named
from webui.store.log import Store
from webui.store.tables.search import Wanted
from webui.store.upgrade import check_there

COACH = "Coach"  # default name of the coach's player
LAST = ""  # `--resume` without a match
SHOWN = 5  # matches of a title that several have
SEARCHED = 50  # recent matches searched for an unfinished one
KEPT_BEFORE = "played"  # folder of older versions, one file for each match


@dataclass(frozen=True, slots=True)
class New:
    """A new match, which is stored with its first move."""

    game: str
    names: tuple[str, ...]
    settings: Mapping[str, object]


def open_store(database: str | None, resume: str | None = None) -> Store:
    """Open the server's database, which is created unless a match of it is to *resume*.

    Raises CannotOpen.
    """
    url = database_url(database)
    if resume and url != database_url(None) and not _is_there(Path(resume)):
        check_there(url)
    with told_in_words():
        store = Store(url, prepare_folder(url))
    if url == database_url(None):
        take_over(store, data_folder() / KEPT_BEFORE)
    return store


def take_over(store: Store, folder: Path) -> None:
    """Import matches that older versions stored as files, and rename each file after its match.

    Files without a match are left unchanged.
    """
    with suppress(OSError):
        for path in sorted(folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime):
            with suppress(Malformed):
                made = matches.restore(store, read(path))
                path.rename(path.with_name(f"{path.name}.{made.row.code}"))


def new(game: str, names: Sequence[str], settings: Mapping[str, object]) -> New:
    """Return a new match; raises Malformed."""
    rules = GAMES[game]
    called = names or _usual_names(rules.usual_seats, settings)
    _rules, people, _house, state = matches.begun(game, called, settings)
    if rules.tournament(state) is not None and not _wants_tournament(rules, settings):
        raise Malformed(
            _(
                "{n} players of {game} play a tournament, two at a table; if you want that, "
                "say how many rounds: --set tournament_rounds=4",
                n=len(people),
                game=raw(rules.title),
            )
        )
    return New(game, people, settings)


def _usual_names(players: int, settings: Mapping[str, object]) -> list[str]:
    """Return the default names of players."""
    coach = settings.get("coach_plays")
    return [COACH if seat == coach else unnamed(seat) for seat in range(1, players + 1)]


def _wants_tournament(rules: Game[Any, Any], settings: Mapping[str, object]) -> bool:
    """Return True if a setting of tournaments was given."""
    only = {one.name for one in rules.settings if one.seats is not None and one.seats[0] > 2}
    return settings.get("match") == "tournament" or bool(only & set(settings))


def resumed(store: Store, said: str, game: str | None, names: Sequence[str] = ()) -> Match:
    """Return the match to resume, given by id, code, file, title or its beginning, or LAST.

    *game* is its required game, None: any; *names* are for a file without names. Raises Malformed
    or NotFound.
    """
    if said in GAMES and game in (None, said):  # `--resume pig` is the last match of Pig
        said, game = LAST, said
    if said == LAST:
        return _last(store, game)
    try:
        match = matches.load(store, find(store, said))
    except NotFound:
        titled = None if _is_there(Path(said)) else _titled(store, said)
        if titled is None:
            return _of_file(store, Path(said), game, names)
        match = titled
    _check_game(said, match.row.game, game)
    match.rules()
    return match


def _titled(store: Store, text: str) -> Match | None:
    """Return the match with a title that players gave it; raises Malformed if there are several."""
    begins = text.casefold()
    names = [
        found for found in named_games(store, None) if found[1][0].casefold().startswith(begins)
    ]
    names = [found for found in names if found[1][0].casefold() == begins] or names
    rows = [
        row
        for game, titles in names
        for row in store.newest(
            SHOWN + 1, Wanted(game=game, setting=GAMES[game].named_by, values=titles)
        )
    ]
    if len(rows) < 2:
        return matches.load(store, rows[0].id) if rows else None
    called = [f"{title_of(row.game, row.settings)} {row.code}" for row in rows[:SHOWN]]
    more = ["…"] if len(rows) > SHOWN else []
    raise Malformed(
        _(
            "several matches are called {title}; name one by its code: {matches}",
            title=raw(repr(text)),
            matches=raw(", ".join(called + more)),
        )
    )


def _last(store: Store, game: str | None) -> Match:
    for row in store.played_last(SEARCHED):
        if game in (None, row.game):
            match = matches.load(store, row.id)
            if match.closed is None and match.game and not match.game.is_over(match.state):
                return match
    if game:
        title = raw(GAMES[game].title)
        raise Malformed(
            _("no match of {game} can be continued; pipsight matches lists them all", game=title)
        )
    raise Malformed(_("no match can be continued; pipsight matches lists them all"))


def _of_file(store: Store, path: Path, game: str | None, names: Sequence[str]) -> Match:
    """Return the match of a recording; import it unless it was imported before."""
    if not _is_there(path):
        with suppress(OSError, ValueError):
            for there in path.parent.glob(f"{path.name}.??????"):  # imported earlier
                return matches.load(store, find(store, there.suffix[1:]))
        raise Malformed(
            _(
                "there is no match and no file {file}; pipsight matches lists the matches",
                file=raw(repr(str(path))),
            )
        )
    recorded = read(path)
    _check_game(str(path), recorded.game, game)
    if names and not recorded.names:
        called = with_unnamed(names, recorded.seats)[: recorded.seats]
        recorded = recording.record(
            GAMES[recorded.game], recorded.seats, recorded.settings, recorded.moves, called
        )
    return matches.restore(store, recorded)


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # too long for a name, for example
        return False


def _check_game(said: str, there: str, wanted: str | None) -> None:
    if wanted not in (None, there):
        raise Malformed(_("{file} holds a match of {game}", file=raw(said), game=raw(there)))


# ---------------------------------------------------------------- files


def read(path: Path) -> Recording:
    """Read the match in a file; raises Malformed, which explains the fault."""
    try:
        return recording.read(recording.decoded(path.read_bytes()).splitlines(), GAMES)
    except OSError as fault:
        raise Malformed(
            _("{file} cannot be opened: {why}", file=raw(path), why=reason(fault))
        ) from fault
    except ValueError as fault:
        if isinstance(fault, Malformed):
            raise
        raise Malformed(_("{file} holds no saved match", file=raw(path))) from fault


def write(path: Path, recorded: Recording) -> None:
    """Write a recording atomically; raises NotWritten."""
    text = "".join(f"{line}\n" for line in recording.write(recorded))
    try:
        write_named(path, text.encode())
    except ValueError as fault:  # a character not allowed in names
        raise Refusal(_("{name} is not a name for a file.", name=raw(repr(str(path))))) from fault


def save(how: str, name: str, recorded: Recording) -> str:
    """Write a match to the file *name*; return the reason of a failure, or "".

    *how*: "save" overwrites only a file with this match, "replace" any file.
    """
    if not name:
        return _("Name a file: save match.jsonl")
    path = Path(name).expanduser()
    try:
        if how == "save" and path.exists() and not is_earlier(path, recorded):
            return _(
                "{file} has other content, so it was not changed."
                " Save under another name, or type: replace {file}",
                file=raw(name),
            )
        write(path, recorded)
    except (OSError, ValueError) as fault:
        return _("{file} cannot be written: {why}.", file=raw(name), why=raw(fault))
    except Refusal as fault:
        reason: str = fault.args[0]
        return reason
    return ""


def is_earlier(path: Path, recorded: Recording) -> bool:
    """Return True if a file has this match or an earlier state of it: overwriting loses nothing."""
    try:
        there = read(path)
    except Malformed:
        return False
    same = [
        (one.game, one.seats, dict(one.settings), one.moves[: len(there.moves)])
        for one in (there, recorded)
    ]
    return same[0] == same[1]
