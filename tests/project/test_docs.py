"""The documents are complete and right: commands, options, settings, addresses, targets, files."""

import doctest
import io
import re
import tokenize
import tomllib
from pathlib import Path

import pytest

import pipsight
from scorer.games import GAMES
from tests import ROOT
from tests.tools import addresses, limits
from webui import cli
from webui.commands import COMMANDS

DOCS = ROOT / "docs"
SHARED = "All games"  # the section about settings of several games


def sections(page):
    """Return the text under each second heading of a page, by the heading."""
    parts = re.split(r"^## (.*)$", page.read_text(encoding="utf-8"), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def options(arguments, capsys):
    with pytest.raises(SystemExit):
        cli.main([*arguments, "--help"])
    own = re.findall(r"^ +(--[a-z-]+)", capsys.readouterr().out, re.M)
    return [option for option in own if option != "--language"]  # which each command takes


def documented(command):
    """Return the row of the table of commands about a command."""
    lines = (DOCS / "commands.md").read_text(encoding="utf-8").splitlines()
    (row,) = [line for line in lines if re.match(rf"\| `pipsight {command}\b", line)]
    return row


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented_with_all_its_options_and_no_other(command, capsys):
    named = re.findall(r"`(--[a-z-]+)", documented(command))

    assert sorted(named) == sorted(options([command], capsys))


def test_the_options_of_the_command_itself_are_documented(capsys):
    text = (DOCS / "commands.md").read_text(encoding="utf-8")

    assert [f"pipsight {option}" in text for option in options([], capsys)] == [True]


def typed(value):
    """Return a value as `--set` takes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def row(setting):
    """Return what the line of a setting must say: meaning, rule, example, values and default."""
    if isinstance(setting.values, range):
        values = [f"{setting.values[0]} to {setting.values[-1]}"]
    else:
        values = [f"`{typed(value)}`" for value in setting.values]
    default = [f"`{typed(setting.default)}`"] if setting.default else []
    return [str(setting.meaning), setting.rule, setting.example, *values, *default]


def documented_settings(title):
    text = sections(DOCS / "house-rules.md")[title]
    return {line.split("`")[1]: line for line in text.splitlines() if line.startswith("- `")}


def is_shared(setting):
    return setting.rule.startswith("MT-")


@pytest.mark.parametrize("name", GAMES)
def test_every_setting_of_a_game_is_documented_with_its_values_and_no_other(name):
    game = GAMES[name]
    facts = game.one_photo.facts if game.one_photo else ()
    own = documented_settings(game.title)
    shared = documented_settings(SHARED)

    for setting in (*game.settings, *facts):
        found = (shared if is_shared(setting) else own)[setting.name]
        assert [part for part in row(setting) if part not in found] == []
    assert set(own) == {each.name for each in (*game.settings, *facts) if not is_shared(each)}


def test_the_settings_that_games_share_are_documented_and_no_other():
    shared = {each.name for game in GAMES.values() for each in game.settings if is_shared(each)}

    assert set(documented_settings(SHARED)) == shared


def test_the_page_of_addresses_is_as_the_views_declare_them(app):
    assert addresses.PAGE.read_text(encoding="utf-8") == addresses.written(app)  # make addresses


def test_the_table_of_limits_is_as_the_code_declares_them():
    assert limits.PAGE.read_text(encoding="utf-8") == limits.written()  # make limits


def test_every_make_target_that_help_lists_is_documented_and_no_other():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z-]+):.*  ## ", makefile, re.M)
    named = re.findall(
        r"`make ([a-z][a-z-]*)", (DOCS / "develop" / "make.md").read_text(encoding="utf-8")
    )

    assert len(targets) > 20
    assert set(named) == set(targets)


def pages():
    return [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]


def local_links(page):
    """Return the files of the tree that a document links to."""
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    return [(page.parent / link).resolve() for link in links]


def anchors(page):
    """Return the anchors that a forge and the site give to the headings of a page."""
    headings = re.findall(r"^#+ +(.*)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_local_link_of_the_documents_leads_somewhere_and_to_a_heading():
    lost = [
        f"{page.name}: {link}#{anchor}"
        for page in pages()
        for link, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text(encoding="utf-8"))
        if anchor not in anchors(page.parent / link if link else page)
    ]

    assert [link for page in pages() for link in local_links(page) if not link.exists()] == []
    assert lost == []


def test_the_site_names_every_document_in_its_contents():
    contents = (ROOT / "packaging" / "site" / "index.md").read_text(encoding="utf-8")
    linked = (link for page in pages() for link in local_links(page) if link.suffix == ".md")
    documents = {page.relative_to(ROOT).with_suffix("").as_posix() for page in (*pages(), *linked)}

    assert documents - set(re.findall(r"<([\w/-]+)>$", contents, re.M)) == set()


def test_the_reference_has_every_name_of_the_library():
    reference = (ROOT / "packaging" / "site" / "api.md").read_text(encoding="utf-8")

    assert set(re.findall(r"auto\w+:: (\w+)", reference)) == set(pipsight.__all__)


def test_every_document_is_reached_from_the_readme():
    reached: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page not in reached:
            reached.add(page)
            waiting.extend(link for link in local_links(page) if link.suffix == ".md")

    assert set(pages()) - reached == set()


def test_nobody_is_sent_to_an_index_for_a_package_that_is_not_there():
    """Whoever registered the name there would be installed; what is installed is a wheel's file."""
    texts = [*DOCS.rglob("*.md"), *(ROOT / "packaging").rglob("*.*"), *ROOT.glob("*.md")]
    texts = [path for path in texts if path.is_file() and "node_modules" not in path.parts]
    texts += [
        path for room in ("webui", "vision", "scorer") for path in (ROOT / room).rglob("*.py")
    ]
    plain = re.compile(
        r"(?:pip|pipx|tool) install [^\n`]*?\bpipsight(?![-/])[\w\[]*", re.IGNORECASE
    )
    found = {
        f"{path.relative_to(ROOT)}: {named}"
        for path in texts
        if path.name != "CHANGELOG.md"
        for named in plain.findall(path.read_text("utf-8", errors="replace"))
    }

    assert found == set()


INSTALL = ROOT / "docs" / "install.md"


def test_the_readmes_session_is_true():
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)

    assert result.attempted >= 7
    assert result.failed == 0


def test_the_gate_calls_the_readmes_test_command():
    assert "make test" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").strip().endswith("make test")


def test_the_readme_installs_before_it_shows_examples_and_calls_no_python():
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())

    # Debian has no `python`, and the system's `python3` has none of our packages.
    assert re.findall(r"(?<![\w./\\])python3? -m\b.*", text) == []
    assert text.index("make run") < text.index("pipsight read") < text.index(">>> from")
    for fact in ("PORT=", "~/.local/share/pipsight", "400 MB", "in your network"):
        assert text.index(fact) < text.index(">>> from")


def test_one_oldest_python_is_told_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (oldest,) = re.findall(r"^OLDEST := (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.M)

    assert project["requires-python"] == f">={oldest}"
    assert f"Python {oldest} to" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_installation_promises_no_machine_without_wheels():
    text = " ".join(INSTALL.read_text(encoding="utf-8").split())

    for machine in ("Windows on ARM", "musl", "32-bit"):
        assert re.search(rf"On [^.]*{machine}[^.]* cannot be installed", text), machine


def test_the_installation_tells_what_an_intel_mac_gets_and_the_classifiers_every_python():
    """Of what is locked some has no wheel there; of what pyproject.toml allows all has one."""
    text = " ".join(INSTALL.read_text(encoding="utf-8").split())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (newest,) = re.findall(r"\*\*Python\*\* 3\.11 to (3\.\d+)", text)

    assert re.search(r"Intel Macs with macOS 14.*?none of what `make run` locks", text)
    minors = range(11, int(newest.partition(".")[2]) + 1)
    classifiers = {f"Programming Language :: Python :: 3.{minor}" for minor in minors}
    assert classifiers <= set(project["classifiers"])


ROOMS = ("models", "pipsight", "scorer", "vision", "webui")
ELSEWHERE = {"hatchling", "http.server", "pip", "pytest", "venv"}  # modules that are not ours
SHIPPED = {"vision/_models", "scorer/_rules"}  # in the wheel only
WRITTEN = (".", "docs", "docs/develop", "models")  # folders of documents
TEXTS = [page for folder in WRITTEN for page in ROOT.glob(f"{folder}/*.md")]
PAGES = [page for page in TEXTS if page.name != "CHANGELOG.md"]
SOURCES = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]


def tokens(path):
    return tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline)


def is_module(name):
    path = ROOT / name.replace(".", "/")
    return path.with_suffix(".py").exists() or (path / "__main__.py").exists()


def test_every_module_that_is_to_be_run_is_there():
    missing = {
        (path.name, name)
        for path in (*PAGES, *SOURCES)
        for name in re.findall(r"python3? -m ([a-z_.0-9]*[a-z_0-9])", path.read_text("utf-8"))
        if name not in ELSEWHERE and not is_module(name)
    }

    assert not missing


def test_every_target_of_make_that_is_named_is_there():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    named = {
        (path.name, name)
        for path in (*PAGES, *SOURCES)
        for name in re.findall(r"`make ([a-z][a-z-]+)", path.read_text("utf-8"))
    }

    assert not {one for one in named if one[1] not in targets}


def test_every_file_that_is_named_is_there():
    rooms = "|".join((*ROOMS, "tests", "fixtures", "docs", "requirements"))
    named = {
        (page.name, path)
        for page in PAGES
        for path in re.findall(rf"`((?:{rooms})/[\w./-]+)`(?! of commit)", page.read_text("utf-8"))
    }

    missing = {path for _, path in named if not (ROOT / path).exists()}
    assert {path for path in missing if "yourgame" not in path} <= SHIPPED


def test_every_constant_that_a_text_of_the_sources_names_is_there():
    """Words of capitals with a bar or a plural are names; shorter ones may be of the field."""
    texts = {path: path.read_text("utf-8") for path in SOURCES}
    naming = re.compile(r"(?:`|\(n, |len\()([A-Z][A-Z_]{3,})[`)]")
    named = {
        word
        for path, text in texts.items()
        if naming.search(text)
        for token in tokens(path)
        if token.type == tokenize.COMMENT or token.string.startswith('"""')
        for word in naming.findall(token.string)
    }
    bare = re.compile(rf"(?<!`)\b({'|'.join(named)})\b(?!`)")
    for path, text in texts.items():
        if named & {*bare.findall(text)}:
            named -= {token.string for token in tokens(path) if token.type == tokenize.NAME}

    assert not named
