"""`pipsight doctor`: check what an evening needs, and say what to do."""

from __future__ import annotations

import os
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import cv2
import psutil

from scorer.messages import Message, _, as_message, raw
from vision.photo import decode
from vision.pipeline import read
from webui.commands.findings import Finding, HowItIs
from webui.eyes.budget import SMALL, budget, machine_memory
from webui.greeting import EVERYWHERE, PUBLISHED, is_pipsight, own_address
from webui.http.hosts import home_name, phone_addresses
from webui.pages.match.demo import SAMPLES
from webui.store.database import sqlite_file
from webui.store.database_url import database_url, photos_folder, told_in_words
from webui.store.upgrade import CannotOpen, as_it_is, check_answers

GB = 1_000_000_000
LITTLE_ROOM, NO_ROOM = 2 * GB, GB // 10  # bytes free: some 5,000 photos, and nearly none
MEMORY = 1.2 * GB  # bytes for a server and two processes that read photos
LITTLE_MEMORY = 0.4 * GB  # for a server and the one process of a small machine
SLOW = 2.0  # seconds for a photo, above which phones should take turns
SOONEST = 1_790_000_000  # seconds since 1970, in 2026: an earlier clock is wrong


def examine(database: str | None, port: int) -> Iterator[Finding]:
    """Yield a finding for each check, the slow ones last."""
    yield _version()
    yield from _network(port)
    yield from _secure(database)
    yield from _store(database)
    yield _clock()
    yield _memory()
    yield _codecs()
    yield _speed()


def _version() -> Finding:
    python = ".".join(map(str, sys.version_info[:3]))
    return Finding(
        _("version"),
        "good",
        _(
            "Pipsight {version} on Python {python}",
            version=raw(version("pipsight")),
            python=raw(python),
        ),
    )


def _network(port: int) -> Iterator[Finding]:
    near = phone_addresses()
    address = own_address(EVERYWHERE[0], port)
    if near and address:
        yield Finding(
            _("network"),
            "good",
            _("phones reach {address} in the same network", address=raw(address)),
        )
    elif near:
        yield Finding(_("network"), "look", _("this is a container"), PUBLISHED)
    else:
        connect = _("Connect it to the Wi-Fi that the phones are in.")
        yield Finding(_("network"), "bad", _("this computer is in no network"), connect)
    yield _name(port)
    if is_pipsight(port):
        yield Finding(_("port"), "good", _("Pipsight serves at port {port}", port=port))
    elif _is_free(port):
        yield Finding(_("port"), "good", _("port {port} is free", port=port))
    else:
        other = _("Stop it, or choose another port: pipsight serve --port {port}", port=port + 1)
        yield Finding(_("port"), "bad", _("another program has port {port}", port=port), other)
    yield _firewall(port)


def _name(port: int) -> Finding:
    name = home_name()
    if name:
        return Finding(
            _("name"),
            "good",
            _("phones also reach {address}", address=raw(f"http://{name}:{port}/")),
        )
    do = _("To have one: install avahi-daemon. Without, phones scan the code or type numbers.")
    return Finding(_("name"), "look", _("this computer has no name in the network"), do)


def _is_free(port: int) -> bool:
    try:
        socket.create_server(("", port)).close()
    except OSError:
        return False
    return True


def _firewall(port: int) -> Finding:
    """Report the firewall; only a phone can test whether it is blocked."""
    hints = {
        "ufw": raw(f"sudo ufw allow {port}/tcp"),
        "firewall-cmd": _(
            "{command}, then --reload",
            command=raw(f"sudo firewall-cmd --add-port={port}/tcp --permanent"),
        ),
    }
    found = [hint for program, hint in hints.items() if shutil.which(program)]
    if sys.platform == "win32":
        found = [_("allow Pipsight in private networks when Windows asks")]
    elif sys.platform == "darwin":
        found = [_("System Settings, Network, Firewall: allow incoming connections of Python")]
    if not found:
        return Finding(_("firewall"), "good", _("none that we know is installed"))
    return Finding(
        _("firewall"), "look", _("if no phone reaches the page"), _("Open it: {how}", how=found[0])
    )


def _secure(database: str | None) -> Iterator[Finding]:
    try:
        folder = photos_folder(database_url(database)).parent / "https"
    except CannotOpen:
        return  # reported for the database
    if folder.is_dir():
        yield Finding(
            _("phones' cameras"),
            "good",
            _("there is a certificate in {folder}", folder=raw(folder)),
        )
    else:
        do = _("For a viewfinder on phones: pipsight serve --https. Without, phones send photos.")
        yield Finding(
            _("phones' cameras"), "look", _("browsers allow them on secure pages alone"), do
        )


def _store(database: str | None) -> Iterator[Finding]:
    try:
        with told_in_words():
            url = database_url(database)
            file = sqlite_file(url)
            if file is not None and file.exists():
                as_it_is(url)
            if file is None:
                check_answers(url)
    except CannotOpen as fault:
        yield Finding(_("matches"), "bad", as_message(fault.args[0]))  # and what to do
        return
    if file is None:
        yield Finding(_("matches"), "good", _("they are kept in a database server, which answers"))
        return
    where = {"file": raw(file)}
    kept, will_be = (
        _("matches are kept in {file}", **where),
        _("matches will be kept in {file}", **where),
    )
    yield _writable(file, kept if file.exists() else will_be)
    yield _room(file)


def _writable(path: Path, found: Message) -> Finding:
    near = _nearest(path.parent)
    rights = _("Give yourself the right to write there: {folder}", folder=raw(near))
    if path.exists() and not os.access(path, os.W_OK):
        return Finding(_("matches"), "bad", _("{file} cannot be written", file=raw(path)), rights)
    try:
        with tempfile.TemporaryFile(dir=near):
            return Finding(_("matches"), "good", found)
    except OSError as fault:
        return Finding(
            _("matches"), "bad", _("nothing can be written: {why}", why=raw(fault.strerror)), rights
        )


def _nearest(folder: Path) -> Path:
    """Return a folder, or its nearest existing parent."""
    return next(place for place in (folder, *folder.parents) if place.is_dir())


def _room(path: Path) -> Finding:
    free = shutil.disk_usage(_nearest(path.parent)).free
    found = _("{size:.1f} GB are free", size=free / GB)
    do = _("Make room, or delete old photos: pipsight photos --photo-days 90")
    level: HowItIs = "good" if free > LITTLE_ROOM else "look" if free > NO_ROOM else "bad"
    return Finding(_("disk"), level, found, raw("") if level == "good" else do)


def _clock() -> Finding:
    clock = raw(time.strftime("%Y-%m-%d %H:%M %Z"))
    if time.time() > SOONEST:
        return Finding(_("clock"), "good", clock)
    return Finding(
        _("clock"),
        "bad",
        _("{clock} is before this version", clock=clock),
        _("Set the clock and time zone."),
    )


def _memory() -> Finding:
    free = min(psutil.virtual_memory().available, machine_memory())
    small = budget() is SMALL
    size = {"size": free / GB}
    found = _("{size:.1f} GB are available", **size)
    if small:
        found = _("{size:.1f} GB are available, so photos are read one by one", **size)
    if free > (LITTLE_MEMORY if small else MEMORY):
        return Finding(_("memory"), "good", found)
    return Finding(
        _("memory"),
        "look",
        found,
        _("Close other programs, or start with --small: one photo at a time."),
    )


def _codecs() -> Finding:
    films = "FFMPEG:                      YES" in cv2.getBuildInformation()
    if films:
        every = _("reads JPEG, PNG, WebP and HEIC photos, videos and cameras")
        return Finding(_("pictures"), "good", every)
    do = _("Install opencv-python-headless from PyPI to watch cameras and videos.")
    return Finding(_("pictures"), "look", _("reads JPEG, PNG, WebP and HEIC photos"), do)


def _speed() -> Finding:
    photo = (SAMPLES / "purple_house.jpg").read_bytes()
    look: Callable[[], int] = lambda: len(read(decode(photo), "grid:3x3").dice)  # noqa: E731
    dice = look()  # loads the networks
    began = time.perf_counter()
    look()
    seconds = time.perf_counter() - began
    found = _("a photo of ten dice is read in {ms} ms", ms=round(1000 * seconds))
    if dice != 10:
        return Finding(
            _("eyes"), "bad", _("{n} of ten dice were read", n=dice), _("Install Pipsight again.")
        )
    if seconds > SLOW:
        return Finding(
            _("eyes"), "look", found, _("Close other programs, or take a faster computer.")
        )
    return Finding(_("eyes"), "good", found)
