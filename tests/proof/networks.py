"""Machines in a network of their own: namespaces of Linux, joined by cables of its kernel.

What a machine reaches there, and by which address, is as real as between two computers. It takes
root and `ip` (iproute2).
"""

import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from ipaddress import ip_interface
from pathlib import Path
from typing import Self

CLONE_NEWNET = 0x40000000
SPACES = Path("/run/netns")
MACHINE, PHONE = "192.168.1.20", "192.168.1.30"
CLEAR = """
read -r _
for name; do
    ip netns pids "$name" | xargs -r kill
    ip netns delete "$name"
done 2> /dev/null
"""  # once its input ends: the test has ended, or was killed


def why_not() -> str:
    """Return why no machines can be made here; "" where they can."""
    if not shutil.which("ip") or os.geteuid() != 0:
        return "machines of a test's own need root and ip (iproute2)"
    try:
        with machines("one", "other") as (first, other):
            bridge(first, "lan0", f"{MACHINE}/24")
            plug(other, first, "lan0", f"{PHONE}/24")
    except subprocess.CalledProcessError as fault:
        return f"this system makes no network namespaces: {fault.stderr.strip()}"
    return ""


@contextmanager
def machines(*names: str) -> Iterator[list[str]]:
    """Make machines without a network; yield what `ip` calls them.

    They end with this process, even if it is killed.
    """
    made = [f"pipsight-{os.getpid()}-{name}" for name in names]
    clear = ["sh", "-c", CLEAR, "sh", *made]
    with subprocess.Popen(clear, stdin=subprocess.PIPE, start_new_session=True):
        for name in made:
            _ip("netns", "add", name)
            _ip("-n", name, "link", "set", "lo", "up")
        yield made


def bridge(machine: str, card: str, address: str) -> None:
    """Give a machine a network that others can be plugged into, and its *address* there."""
    _ip("-n", machine, "link", "add", card, "type", "bridge")
    _connect(machine, card, address)


def plug(machine: str, into: str, card: str, address: str) -> None:
    """Plug a machine into the network *card* of another, with an *address* there."""
    cable = f"to-{machine.rpartition('-')[2]}"
    _ip("-n", into, *("link add", cable, "type veth peer name eth0 netns", machine))
    _ip("-n", into, "link", "set", cable, "master", card, "up")
    _connect(machine, "eth0", address)


def _connect(machine: str, card: str, address: str) -> None:
    """Turn a card on; what is elsewhere is behind the first address of its network."""
    _ip("-n", machine, "address", "add", address, "dev", card)
    _ip("-n", machine, "link", "set", card, "up")
    gateway = str(ip_interface(address).network[1])
    if gateway != address.partition("/")[0]:
        _ip("-n", machine, "route", "add", "default", "via", gateway)


def _ip(*words: str) -> None:
    plain = [word for some in words for word in some.split()]
    subprocess.run(["ip", *plain], check=True, capture_output=True, text=True)


@contextmanager
def inside(machine: str) -> Iterator[None]:
    """Let what this thread opens and starts, and threads that it starts, be of a *machine*."""
    libc = ctypes.CDLL(None, use_errno=True)
    with Path("/proc/thread-self/ns/net").open() as own, (SPACES / machine).open() as space:
        if libc.setns(space.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f"{machine} cannot be entered")
        try:
            yield
        finally:
            libc.setns(own.fileno(), CLONE_NEWNET)


class Household:
    """A machine and a phone in one network, or this machine alone where none can be made."""

    def __init__(self, address: str = "127.0.0.1", machine: str = "", phone: str = "") -> None:
        self.address, self._machine, self._phone = address, machine, phone

    @classmethod
    @contextmanager
    def made(cls) -> Iterator[Self]:
        """Make both; print whether they are two."""
        if reason := why_not():
            print(f"the phone is this machine: {reason}")
            yield cls()
            return
        with machines("machine", "phone") as (machine, phone):
            bridge(machine, "lan0", f"{MACHINE}/24")
            plug(phone, machine, "lan0", f"{PHONE}/24")
            print(f"the phone is another machine: it opens {MACHINE}")
            yield cls(MACHINE, machine, phone)

    @property
    def starts(self) -> list[str]:
        """The words before a command that runs on the machine, with its devices in /sys."""
        return [f"{shutil.which('ip')}", "netns", "exec", self._machine] if self._machine else []

    def phone(self) -> AbstractContextManager[None]:
        """Let what is opened be opened by the phone."""
        return inside(self._phone) if self._phone else nullcontext()
