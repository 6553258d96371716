"""What is published is whole: the wheel, the one-file program, the container, the add-on."""

import importlib
import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
import yaml

from tests import ROOT
from tests.project.test_docs import local_links, pages
from tests.proof.container import FILE, steps_of, wanted
from tests.webui.proxy import proxy
from tests.webui.serving import serving
from webui import cli


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder with the wheel unpacked as pip would, away from the source tree."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    site = folder / "site"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(site)
    return site


MAIN = "import sys; from webui.cli import main; sys.exit(main())"


def run(site, *args, code=MAIN):
    """Run the installed `pipsight` from an empty folder; the unpacked wheel comes first."""
    return subprocess.run(
        [sys.executable, "-P", "-c", code, *args],
        cwd=site.parent,
        env=os.environ | {"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_everything_the_pages_need_is_inside(site):
    shipped = {str(path.relative_to(ROOT)) for path in (ROOT / "webui").rglob("*.*")}
    shipped = {path for path in shipped if "__pycache__" not in path}

    missing = {path for path in shipped if not (site / path).exists()}

    assert not missing
    assert not (site / "tests").exists()


def test_the_wheel_is_what_runs_and_its_rules_speak_another_language(site):
    code = "from scorer.messages import translated; from scorer.words import player;"
    code += "import webui; print(translated(player(0), 'de'), webui.__file__)"

    assert run(site, code=code).stdout.startswith(f"Spieler 1 {site}")


@pytest.mark.release
def test_it_reads_a_photo(site):
    photo = ROOT / "webui" / "static" / "samples" / "purple_house.jpg"

    done = run(site, "read", "--json", "--look", "grid:3x3", str(photo))

    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["dice"]) >= 9


@pytest.mark.release
def test_it_explains_its_commands_and_tells_its_version_and_the_rules_it_cites(site):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    assert "serve" in run(site, "--help").stdout
    assert run(site, "serve", "--help").returncode == 0
    assert run(site, "--version").stdout == f"pipsight {project['version']}\n"
    assert run(site, "rules", "PH-4").stdout.startswith("PH-4")


@pytest.mark.release
def test_the_source_archive_holds_what_its_documents_show(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        inside = {name.partition("/")[2] for name in packed.getnames()}
    inside |= {str(folder) for name in inside for folder in Path(name).parents}

    linked = {link.relative_to(ROOT).as_posix() for page in pages() for link in local_links(page)}

    assert linked - inside == set()


@pytest.mark.release
def test_the_installed_coach_has_its_solved_tables(site):
    for game in ("pig", "beat_the_odds"):
        lines = (ROOT / "fixtures" / "games" / f"{game}.jsonl").read_text("utf-8").splitlines()[:8]
        path = site.parent / f"{game}.jsonl"
        path.write_text("\n".join(lines), "utf-8")

        answer = run(site, "coach", game, "--state", str(path), "--json")

        assert answer.returncode == 0, answer.stderr
        assert json.loads(answer.stdout)[0]["value"] > 0


def metadata_of(folder, **env):
    """Build a wheel and return what it says of itself."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, env=os.environ | env)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        (name,) = [one for one in packed.namelist() if one.endswith(".dist-info/METADATA")]
        return packed.read(name).decode()


@pytest.mark.release
@pytest.mark.parametrize("url", ["https://example.org/pipsight", ""])
def test_the_readme_of_a_package_index_has_no_dead_picture_and_no_dead_link(url, tmp_path):
    metadata = metadata_of(tmp_path, PIPSIGHT_URL=url)

    assert "**Play with real dice" in metadata
    assert re.findall(r"\]\((?!http|#)", metadata) == []
    assert (f"]({url}/raw/HEAD/docs/pictures/phones.webp)" in metadata) == bool(url)
    assert (f"Project-URL: Changelog, {url}/blob/HEAD/CHANGELOG.md" in metadata) == bool(url)


sys.path.insert(0, str(ROOT / "packaging"))
unpack = importlib.import_module("unpack")
sys.path.remove(str(ROOT / "packaging"))

BEFORE, AFTER = b"what starts", b"what unpacks"


@pytest.fixture
def file(tmp_path):
    """A program of two files, packed in the middle of one, as `make program` makes it."""
    whole = tmp_path / "whole"
    (whole / "inside").mkdir(parents=True)
    (whole / "pipsight").write_text("run")
    (whole / "inside" / "page.html").write_text("<p>")
    file = tmp_path / "file"
    file.write_bytes(BEFORE)
    with file.open("ab") as end:
        with unpack.zstd.open(end, "wb") as packed, tarfile.open(fileobj=packed, mode="w|") as tar:
            for path in sorted(whole.rglob("*")):
                tar.add(path, path.relative_to(whole), recursive=False)
        end.write(AFTER + unpack.END.pack(len(BEFORE), unpack.size_of(whole), b"digest--"))
    return file


def test_a_program_is_unpacked_once_and_again_where_a_part_is_gone(file, tmp_path):
    folder = unpack.unpack(file, tmp_path / "cache")
    (folder / "pipsight").write_text("RUN")  # as large: not unpacked again

    assert unpack.unpack(file, tmp_path / "cache") == folder
    assert (folder / "pipsight").read_text() == "RUN"

    (folder / "inside" / "page.html").unlink()

    assert unpack.unpack(file, tmp_path / "cache") == folder
    assert (folder / "inside" / "page.html").read_text() == "<p>"
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [folder.name]


def test_a_program_that_was_not_started_for_long_is_forgotten(file, tmp_path):
    folder = unpack.unpack(file, tmp_path / "cache")
    old = tmp_path / "cache" / "old"
    old.mkdir()
    os.utime(old, (0, 0))

    unpack.forget(tmp_path / "cache")

    assert [*(tmp_path / "cache").iterdir()] == [folder]


def test_a_program_whose_cache_is_refused_is_unpacked_for_this_run(file, tmp_path, monkeypatch):
    (tmp_path / "no folder").touch()
    monkeypatch.setattr(unpack, "cache", lambda: tmp_path / "no folder")
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / "run"), raising=False)

    assert (unpack.unpacked(file) / "pipsight").read_text() == "run"


def test_a_program_starts_another_without_what_its_unpacking_has_set(monkeypatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", "unpacking:mine")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "mine")

    assert unpack.environment()["LD_LIBRARY_PATH"] == "mine"

    monkeypatch.delenv("LD_LIBRARY_PATH_ORIG")

    assert "LD_LIBRARY_PATH" not in unpack.environment()


TABLES = sorted((ROOT / "packaging").glob("compose*.yaml"))


def test_all_that_the_wheel_needs_is_copied_and_nothing_that_is_not_there():
    taken = {path for pattern in wanted() for path in ROOT.glob(pattern)}
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    forced = re.findall(r'^"([\w/.]+)" = "(?:vision|scorer)/_', project, re.M)

    assert len(forced) > 5
    for name in forced:
        assert any((ROOT / name).is_relative_to(path) for path in taken), name
    assert all(any(ROOT.glob(pattern)) for pattern in wanted())


def test_the_program_of_one_file_takes_every_kind_of_network_that_the_wheel_has():
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    ends = set(re.findall(r'^"models/\w+(\.\w+)" = "vision/_models', project, re.M))
    program = (ROOT / "packaging" / "pipsight.spec").read_text("utf-8")

    (named,) = re.findall(r"^NETWORKS = \((.*)\)$", program, re.M)

    assert ends <= set(re.findall(r'"([^"]+)"', named))


def test_it_serves_and_is_asked_after_its_health():
    steps = steps_of(FILE.read_text("utf-8"))

    assert (steps.entry, steps.command[0]) == (["pipsight"], "serve")
    assert "/healthz" in steps.health[-1]
    assert re.search(r"^USER [1-9]", FILE.read_text("utf-8"), re.M)


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)
def test_what_is_composed_runs_read_only_and_without_powers(path):
    services = yaml.safe_load(path.read_text("utf-8"))["services"]
    ours = [service for service in services.values() if service["image"] == "pipsight"]

    assert ours
    for service in ours:
        assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
        assert (ROOT / "packaging" / service["build"]["context"]).resolve() == ROOT
    assert all("PASSWORD:-" not in str(service) for service in services.values())


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
