"""The add-on for Home Assistant: its settings are right, and what it runs plays in the sidebar."""

import json
import os
import re
import sys
import tomllib
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
import yaml

from tests import ROOT
from tests.webui.proxy import proxy
from tests.webui.serving import serving
from webui import cli

ADDON = ROOT / "packaging" / "homeassistant"
CONFIG = yaml.safe_load((ADDON / "config.yaml").read_text("utf-8"))
INGRESS = "/api/hassio_ingress/Zk3-_9"
# Of Home Assistant's page "Add-on configuration": what must be there, and values that are taken.
NEEDED = {"name", "version", "slug", "description", "arch"}
TAKEN = {
    "arch": {"aarch64", "amd64"},
    "startup": {"initialize", "system", "services", "application", "once"},
    "boot": {"auto", "manual", "manual_only"},
    "backup": {"hot", "cold"},
}
MAY_BE = {"init", "host_network", "ingress", "ingress_port", "ingress_stream", "panel_icon"}
MAY_BE |= {"panel_admin", "watchdog", "map", "options", "schema"}
TYPES = re.compile(r"(bool|str|url|password|int(\(\d*,\d*\))?|list\([\w|]+\))\??")


def test_the_settings_are_those_that_home_assistant_takes():
    assert set(CONFIG) >= NEEDED
    assert set(CONFIG) <= NEEDED | set(TAKEN) | MAY_BE
    for name, values in TAKEN.items():
        given = CONFIG[name]
        assert set(given if isinstance(given, list) else [given]) <= values, name
    assert CONFIG["ingress"] is True
    assert all(place["type"] == "data" for place in CONFIG["map"])
    assert all(TYPES.fullmatch(kind) for kind in CONFIG["schema"].values())


def test_each_option_is_explained_and_handed_on_and_one_that_is_needed_has_a_value():
    explained = set(re.findall(r"^\| `(\w+)`", (ADDON / "DOCS.md").read_text("utf-8"), re.M))
    handed_on = set(re.findall(r"\(option (\w+)\)", (ADDON / "run.sh").read_text("utf-8")))
    needed = {name for name, kind in CONFIG["schema"].items() if not kind.endswith("?")}

    assert set(CONFIG["schema"]) == explained == handed_on
    assert set(CONFIG["options"]) == needed


def test_the_version_is_that_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    assert CONFIG["version"] == project["version"]


@pytest.mark.release
def test_a_match_is_played_in_the_sidebar(tmp_path):
    options = CONFIG["options"] | {"small": True, "photo_days": 30}
    (tmp_path / "options.json").write_text(json.dumps(options))
    command = tmp_path / "bin" / "pipsight"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m {cli.__name__} "$@"\n')
    command.chmod(0o755)
    env = {"DATA": str(tmp_path), "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}"}
    run = ("sh", str(ADDON / "run.sh"))
    with serving(tmp_path, "--trust-proxy", "127.0.0.1", command=run, **env) as server:
        port = int(re.findall(r":(\d+)/", server.address)[0])
        with proxy(port, INGRESS, {"X-Ingress-Path": INGRESS}) as sidebar:
            browser = build_opener(HTTPCookieProcessor())
            sent = urlencode({"game": "pig", "name": "Ana"}) + "&name=Ben"
            with browser.open(f"{sidebar.address}start", sent.encode()) as page:
                match, text = page.url, page.read().decode()
            move = re.findall(
                r'action="([^"]+/move)".*?name="after" value="(\d+)"', text, re.DOTALL
            )
            rolls = urlencode({"after": move[0][1], "move": '{"move": "Roll", "pips": 3}'})
            host = sidebar.address.removesuffix(f"{INGRESS}/")
            with browser.open(host + move[0][0], rolls.encode()) as page:
                shown = page.read().decode()

    assert match.startswith(f"{sidebar.address}m/")
    assert "Ana rolls 3" in shown
    assert sidebar.strays == []
