"""The wheel is whole: what it installs runs without the source tree."""

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests import ROOT
from tests.project.test_docs import local_links, pages


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


def run(site, *args):
    """Run the installed `pipsight` from an empty folder; the unpacked wheel comes first."""
    code = "import sys; from webui.cli import main; sys.exit(main())"
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


def test_the_rules_speak_another_language_from_the_wheel(site):
    code = "from scorer.messages import translated; from scorer.words import player;"
    code += "print(translated(player(0), 'de'))"

    said = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=site.parent,
        env=os.environ | {"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert said.stdout == "Spieler 1\n"


def test_the_installed_command_is_the_wheels(site):
    where = subprocess.run(
        [sys.executable, "-P", "-c", "import webui; print(webui.__file__)"],
        cwd=site.parent,
        env=os.environ | {"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert where.stdout.startswith(str(site))


@pytest.mark.release
def test_it_reads_a_photo(site):
    photo = ROOT / "webui" / "static" / "samples" / "purple_house.jpg"

    done = run(site, "read", "--json", "--look", "grid:3x3", str(photo))

    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["dice"]) >= 9


@pytest.mark.release
def test_it_scores_a_photo_and_explains_its_commands(site):
    assert run(site, "--help").returncode == 0
    assert "serve" in run(site, "--help").stdout
    assert run(site, "serve", "--help").returncode == 0


@pytest.mark.release
def test_it_tells_its_version_and_the_rules_it_cites(site):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

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
