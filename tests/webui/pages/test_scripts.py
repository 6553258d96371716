"""A page loads one bundle of scripts and one of style sheets, and stays light in a long match."""

import re

import pytest

from tests import ROOT
from tests.grids import EVERY

STATIC, TEMPLATES = ROOT / "webui" / "static", ROOT / "webui" / "templates"
# An address from the top of the host, in a script that does not say `at(…)`, a sheet or a template.
FROM_THE_TOP = re.compile(
    r"""(?<!at\()(["'`])/(?!\1|\W)|url\(["']?/|\b(?:href|src|action|formaction|data-[\w-]+)="/"""
)


def test_what_a_page_names_stays_with_a_browser(client):
    page = client.get("/").text
    joined = re.findall(r'"(/static/[^"]+/joined/[^"]+)"', page)

    assert len(joined) == 2
    for address in joined:
        answer = client.get(address)
        assert answer.headers["Cache-Control"].endswith("immutable")
        assert not re.search(r"^import[ {*]|@import", answer.text, re.MULTILINE)


@pytest.mark.parametrize("name", ["app.py", "..", "favicon.svg", "nowhere.js", "tokens.css"])
def test_nothing_else_is_joined(client, name):
    page = client.get("/").text
    folder = re.findall(r'"(/static/[^"]+/joined/)[^"]+\.js"', page)[0]

    assert client.get(folder + name).status_code == 404


OTHERS = {STATIC / "net" / "root.js", *STATIC.glob("joined/*"), *STATIC.glob("vendor/*")}


@pytest.mark.parametrize("path", ["return `/m/${id}`", "url(/a.svg)", '<a href="/">'])
def test_an_address_from_the_top_is_found(path):
    assert FROM_THE_TOP.search(path)


def test_pages_and_scripts_name_no_address_from_the_top_of_the_host():
    """They may be below a path; `at` of root.js and `url_for` know it."""
    files = {*STATIC.rglob("*.js"), *STATIC.rglob("*.css"), *TEMPLATES.iterdir()} - OTHERS
    found = [
        f"{path.name}:{number} {line.strip()}"
        for path in sorted(files)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if FROM_THE_TOP.search(line) and not line.lstrip().startswith(("//", "*", "/*"))
    ]

    assert found == []


PAGE = 80_000  # bytes of a first visit; a match page may have 100 kB with all it loads later
STEP = 6_000  # bytes that each phone fetches for a step
LATE = 120 if EVERY else 60  # steps
COMPRESSED = {"Accept-Encoding": "br"}


def size(client, path):
    """Return the bytes that are sent for an address."""
    return len(client.get(path, headers=COMPRESSED).data)


def test_a_first_visit_is_light(client, match):
    path = f"/m/{match['id']}"
    head = client.get(path).text.partition("</head>")[0]
    needed = re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', head)

    assert len(needed) == 2
    assert size(client, path) + sum(size(client, file) for file in needed) <= PAGE


def test_a_step_sends_as_little_late_in_a_match_as_early(client, new_match):
    sizes = []
    for game in ("pig", "purple_house"):
        made = new_match(game=game, opening=[])
        for step in range(1, LATE + 1):
            legal = client.get(f"/api/matches/{made['id']}/moves").json
            chosen = legal["moves"][step * 7 % len(legal["moves"])]["move"]
            sent = {"after": legal["seq"], "moves": [chosen]}
            client.post(f"/api/matches/{made['id']}/moves", json=sent)
            if step in (2 * LATE // 3, LATE):
                sizes.append(size(client, f"/m/{made['id']}/tally"))

    assert max(sizes) <= STEP
    for early, late in zip(sizes[::2], sizes[1::2], strict=True):
        assert late < 1.15 * early
