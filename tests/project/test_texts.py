"""What the texts name is there: modules, targets of make, files, and names in the sources."""

import io
import re
import tokenize

from tests import ROOT

ROOMS = ("models", "pipsight", "scorer", "vision", "webui")
ELSEWHERE = {"hatchling", "http.server", "pip", "pytest", "venv"}  # modules that are not ours
SHIPPED = {"vision/_models", "scorer/_rules"}  # in the wheel only
WRITTEN = (".", "docs", "docs/develop", "models")  # folders of documents
DOCS = [page for folder in WRITTEN for page in ROOT.glob(f"{folder}/*.md")]
PAGES = [page for page in DOCS if page.name != "CHANGELOG.md"]
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
