"""`pipsight backup`, `restore`, `check`, `rescue` and `photos`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from scorer.messages import _, ngettext, raw
from webui.commands.arguments import add_database, add_photo_limits, add_photos, wishes
from webui.commands.language import CommandParser
from webui.languages import counted, said, translate

if TYPE_CHECKING:
    from webui.store.backups.backup import Contents
    from webui.store.copies import Progress
    from webui.store.photos.files import PhotoFiles

T = TypeVar("T")
STEP = 500  # photos between two lines of progress
PROGRESS = {
    "photos": _("photos"),
    "photos checked": _("photos checked"),
    "pages": _("pages"),
    "matches": _("matches"),
    "tables": _("tables"),
}


def backup(args: argparse.Namespace) -> int:
    """Run `pipsight backup`; return the exit code."""
    from webui.store.backups.backup import back_up  # noqa: PLC0415

    made = _into_new_file(args, back_up)
    print(f"{args.file}: {_held(made)}")
    if made.missing:
        print(
            counted(
                "{n} photo that matches name is not kept any more.",
                "{n} photos that matches name are not kept any more.",
                made.missing,
            )
        )
    return 0


def _into_new_file(
    args: argparse.Namespace, make: Callable[[str, PhotoFiles, Path, Progress], T]
) -> T:
    """Write `args.file`, which is not there yet, with *make*."""
    from webui.errors import already_there  # noqa: PLC0415
    from webui.store.backups.backup import CannotBackUp  # noqa: PLC0415
    from webui.store.database_url import database_url, photos_there, told_in_words  # noqa: PLC0415
    from webui.store.photos.files import PhotoFiles  # noqa: PLC0415
    from webui.store.photos.shelves import shelf_at  # noqa: PLC0415

    if args.file.exists():
        raise CannotBackUp(already_there(args.file))
    with told_in_words():
        url = database_url(args.database)
        photos = PhotoFiles(shelf_at(photos_there(url, args.photos), make=False))
        return make(url, photos, args.file, _show)


def backup_options(ask: CommandParser) -> None:
    """Describe `pipsight backup`."""
    ask.description = (
        "Write all matches and their photos to one file, also while a server is running."
    )
    ask.add_argument("file", type=Path, metavar="FILE", help="the new file, a zip")
    add_database(ask)
    add_photos(ask)


def restore(args: argparse.Namespace) -> int:
    """Run `pipsight restore`; return the exit code."""
    from webui.store.backups import restore as restoring  # noqa: PLC0415
    from webui.store.database_url import database_url, prepare_folder, told_in_words  # noqa: PLC0415
    from webui.store.photos.files import PhotoFiles  # noqa: PLC0415
    from webui.store.photos.shelves import shelf_at  # noqa: PLC0415

    if not args.file.is_file():
        raise restoring.CannotRestore(_("There is no file {file}.", file=raw(args.file)))
    with told_in_words():
        url = database_url(args.database)
        photos = PhotoFiles(shelf_at(prepare_folder(url, args.photos)))
        put = restoring.restore(url, photos, args.file, replace=args.replace, progress=_show)
    print(translate("Restored: {what}.", what=_held(put.contents)))
    if put.before:
        print(translate("What was there before: {file}", file=put.before))
    return 0


def restore_options(ask: CommandParser) -> None:
    """Describe `pipsight restore`."""
    ask.description = (
        "Put back what `pipsight backup` saved. The file is checked as a whole before anything is"
        " changed, and no server may be running."
    )
    ask.add_argument("file", type=Path, metavar="FILE", help="the backup")
    ask.add_argument(
        "--replace",
        action="store_true",
        help="in place of the matches that are there, which are kept in another backup",
    )
    add_database(ask)
    add_photos(ask)


def check(args: argparse.Namespace) -> int:
    """Run `pipsight check`; return the exit code."""
    from webui.commands.check import examine  # noqa: PLC0415
    from webui.commands.findings import show  # noqa: PLC0415

    return show(examine(args.database, args.photos, _show), as_json=args.json)


def check_options(ask: CommandParser) -> None:
    """Describe `pipsight check`."""
    ask.description = (
        "Say what is wrong with the stored matches and photos: the file of the database, every"
        " match, every photo. Nothing is changed, and a server may be running."
    )
    ask.add_argument("--json", action="store_true", help="print one JSON object per finding")
    add_database(ask)
    add_photos(ask)


def rescue(args: argparse.Namespace) -> int:
    """Run `pipsight rescue`; return the exit code."""
    from webui.store.backups import rescue as rescuing  # noqa: PLC0415

    saved = _into_new_file(args, rescuing.rescue)
    print(f"{args.file}: {_held(saved.contents)}")
    for sentence in saved.missing():
        print(said(sentence))
    print(
        translate(
            "To play on with these, stop the server, move {database} to another folder, and what "
            "begins with its name; then: pipsight restore {file}",
            database=saved.damaged,
            file=args.file,
        )
    )
    return 0


def rescue_options(ask: CommandParser) -> None:
    """Describe `pipsight rescue`."""
    ask.description = (
        "Save every match that can still be read from a damaged database in a new file, which"
        " `pipsight restore` puts back. The damaged file is not changed."
    )
    ask.add_argument("file", type=Path, metavar="FILE", help="the new file, a zip")
    add_database(ask)
    add_photos(ask)


def _held(contents: Contents) -> str:
    """Describe the contents of a backup."""
    matches = ngettext("{n} match", "{n} matches", contents.matches)
    photos = ngettext("{n} photo", "{n} photos", len(contents.photos))
    return translate("{matches} and {photos}", matches=matches, photos=photos)


def _show(what: str, done: int, total: int) -> None:
    """Print the progress of a long operation."""
    if done % STEP == 0 and total > STEP:
        progress = translate(
            "{done} of {total} {what}", done=done, total=total, what=PROGRESS[what]
        )
        print(progress, file=sys.stderr, flush=True)


def photos(args: argparse.Namespace) -> int:
    """Run `pipsight photos`; return the exit code."""
    from webui.commands.room import export_photos, show_photos  # noqa: PLC0415

    if args.export:
        return export_photos(args.database, args.photos, args.export, _show)
    return show_photos(args.database, args.photos, wishes(args))


def photos_options(ask: CommandParser) -> None:
    """Describe `pipsight photos`."""
    ask.description = (
        "Say how much room the stored photos take, month by month, and delete old ones if that is"
        " wished. What was read on them and all scores stay."
    )
    ask.add_argument(
        "--export",
        type=Path,
        metavar="OUT",
        help="write the counted photos to a new folder, labelled with what was counted",
    )
    add_photo_limits(ask)
    add_database(ask)
    add_photos(ask)
