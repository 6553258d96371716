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
from ipaddress import ip_address
from pathlib import Path

import cv2
import psutil

from vision.decode import decode
from vision.pipeline import read
from webui.commands.findings import Finding, HowItIs
from webui.eyes.budget import SMALL, budget, machine_memory
from webui.greeting import EVERYWHERE, PUBLISHED, is_pipsight, own_address
from webui.http.hosts import home_name, own_addresses
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
    return Finding("version", "good", f"Pipsight {version('pipsight')} on Python {python}")


def _network(port: int) -> Iterator[Finding]:
    near = [text for text in sorted(own_addresses()) if _phones_reach(text)]
    address = own_address(EVERYWHERE[0], port)
    if near and address:
        yield Finding("network", "good", f"phones reach {address} in the same network")
    elif near:
        yield Finding("network", "look", "this is a container", PUBLISHED)
    else:
        connect = "Connect it to the Wi-Fi that the phones are in."
        yield Finding("network", "bad", "this computer is in no network", connect)
    yield _name(port)
    if is_pipsight(port):
        yield Finding("port", "good", f"Pipsight serves at port {port}")
    elif _is_free(port):
        yield Finding("port", "good", f"port {port} is free")
    else:
        other = f"Stop it, or choose another port: pipsight serve --port {port + 1}"
        yield Finding("port", "bad", f"another program has port {port}", other)
    yield _firewall(port)


def _name(port: int) -> Finding:
    name = home_name()
    if name:
        return Finding("name", "good", f"phones also reach http://{name}:{port}/")
    do = "To have one: install avahi-daemon. Without, phones scan the code or type numbers."
    return Finding("name", "look", "this computer has no name in the network", do)


def _phones_reach(text: str) -> bool:
    address = ip_address(text)
    return address.version == 4 and not address.is_loopback and not address.is_link_local


def _is_free(port: int) -> bool:
    try:
        socket.create_server(("", port)).close()
    except OSError:
        return False
    return True


def _firewall(port: int) -> Finding:
    """Report the firewall; only a phone can test whether it is blocked."""
    hints = {
        "ufw": f"sudo ufw allow {port}/tcp",
        "firewall-cmd": f"sudo firewall-cmd --add-port={port}/tcp --permanent, then --reload",
    }
    found = [hint for program, hint in hints.items() if shutil.which(program)]
    if sys.platform == "win32":
        found = ["allow Pipsight in private networks when Windows asks"]
    elif sys.platform == "darwin":
        found = ["System Settings, Network, Firewall: allow incoming connections of Python"]
    if not found:
        return Finding("firewall", "good", "none that we know is installed")
    return Finding("firewall", "look", "if no phone reaches the page", f"Open it: {found[0]}")


def _secure(database: str | None) -> Iterator[Finding]:
    try:
        folder = photos_folder(database_url(database)).parent / "https"
    except CannotOpen:
        return  # reported for the database
    if folder.is_dir():
        yield Finding("phones' cameras", "good", f"there is a certificate in {folder}")
    else:
        do = "For a viewfinder on phones: pipsight serve --https. Without, phones send photos."
        yield Finding("phones' cameras", "look", "browsers allow them on secure pages alone", do)


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
        yield Finding("matches", "bad", str(fault))  # and what to do
        return
    if file is None:
        yield Finding("matches", "good", "they are kept in a database server, which answers")
        return
    there = "are kept" if file.exists() else "will be kept"
    yield _writable(file, f"matches {there} in {file}")
    yield _room(file)


def _writable(path: Path, found: str) -> Finding:
    near = _nearest(path.parent)
    rights = f"Give yourself the right to write there: {near}"
    if path.exists() and not os.access(path, os.W_OK):
        return Finding("matches", "bad", f"{path} cannot be written", rights)
    try:
        with tempfile.TemporaryFile(dir=near):
            return Finding("matches", "good", found)
    except OSError as fault:
        return Finding("matches", "bad", f"nothing can be written: {fault.strerror}", rights)


def _nearest(folder: Path) -> Path:
    """Return a folder, or its nearest existing parent."""
    return next(place for place in (folder, *folder.parents) if place.is_dir())


def _room(path: Path) -> Finding:
    free = shutil.disk_usage(_nearest(path.parent)).free
    found = f"{free / GB:,.1f} GB are free"
    do = "Make room, or delete old photos: pipsight photos --photo-days 90"
    level: HowItIs = "good" if free > LITTLE_ROOM else "look" if free > NO_ROOM else "bad"
    return Finding("disk", level, found, "" if level == "good" else do)


def _clock() -> Finding:
    said = time.strftime("%Y-%m-%d %H:%M %Z")
    if time.time() > SOONEST:
        return Finding("clock", "good", said)
    return Finding("clock", "bad", f"{said} is before this version", "Set the clock and time zone.")


def _memory() -> Finding:
    free = min(psutil.virtual_memory().available, machine_memory())
    small = budget() is SMALL
    found = f"{free / GB:.1f} GB are available" + (", so photos are read one by one" * small)
    if free > (LITTLE_MEMORY if small else MEMORY):
        return Finding("memory", "good", found)
    return Finding(
        "memory", "look", found, "Close other programs, or start with --small: one photo at a time."
    )


def _codecs() -> Finding:
    films = "FFMPEG:                      YES" in cv2.getBuildInformation()
    kinds = "JPEG, PNG, WebP and HEIC photos" + (", videos and cameras" if films else "")
    do = "" if films else "Install opencv-python-headless from PyPI to watch cameras and videos."
    return Finding("pictures", "good" if films else "look", f"reads {kinds}", do)


def _speed() -> Finding:
    photo = (SAMPLES / "purple_house.jpg").read_bytes()
    look: Callable[[], int] = lambda: len(read(decode(photo), "grid:3x3").dice)  # noqa: E731
    dice = look()  # loads the networks
    began = time.perf_counter()
    look()
    seconds = time.perf_counter() - began
    found = f"a photo of ten dice is read in {1000 * seconds:.0f} ms"
    if dice != 10:
        return Finding("eyes", "bad", f"{dice} of ten dice were read", "Install Pipsight again.")
    if seconds > SLOW:
        return Finding("eyes", "look", found, "Close other programs, or take a faster computer.")
    return Finding("eyes", "good", found)
