"""The name of a machine in its network, and the files by which a Raspberry Pi is set up."""

import configparser
import shutil
import subprocess
from xml.etree import ElementTree

import pytest

from tests import ROOT
from webui.commands import doctor
from webui.http import hosts

PACKAGING = ROOT / "packaging"


@pytest.mark.parametrize(
    ("host", "system", "avahi", "name"),
    [
        ("RaspberryPi", "linux", True, "raspberrypi.local"),
        ("raspberrypi", "linux", False, None),
        ("mac.home", "darwin", False, "mac.local"),
        ("localhost", "darwin", False, None),
    ],
)
def test_a_machine_has_a_name_where_something_answers_to_it(
    monkeypatch, tmp_path, host, system, avahi, name
):
    socket = tmp_path / "socket"
    if avahi:
        socket.touch()
    monkeypatch.setattr(hosts, "AVAHI", socket)
    monkeypatch.setattr(hosts.socket, "gethostname", lambda: host)
    monkeypatch.setattr(hosts.sys, "platform", system)

    assert hosts.home_name() == name


@pytest.mark.parametrize(("name", "level"), [("pi.local", "good"), (None, "look")])
def test_the_doctor_says_the_name(monkeypatch, name, level):
    monkeypatch.setattr(doctor, "home_name", lambda: name)
    found = doctor._name(8000)

    assert found.level == level
    assert bool(found.do) == (name is None)
    assert name is None or "http://pi.local:8000/" in found.found


def test_the_kiosk_opens_the_screen_of_the_table():
    entry = configparser.RawConfigParser()
    entry.optionxform = str  # type: ignore[method-assign,assignment]
    entry.read(PACKAGING / "pipsight-kiosk.desktop")

    assert entry["Desktop Entry"]["Type"] == "Application"
    assert entry["Desktop Entry"]["Exec"].split()[-1] == "http://localhost:8000/screen"


def test_the_name_is_announced_as_a_web_page():
    group = ElementTree.parse(PACKAGING / "pipsight.avahi.service").getroot()

    assert group.findtext("service/type") == "_http._tcp"
    assert group.findtext("service/port") == "8000"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_the_unit_of_systemd_keeps_the_server_to_itself():
    """Its exposure is at most 2.0 of 10, as systemd counts it."""
    unit = str(PACKAGING / "pipsight.service")
    words = ["systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", unit]
    found = subprocess.run(words, capture_output=True, text=True, check=False)

    assert found.returncode == 0, found.stdout
