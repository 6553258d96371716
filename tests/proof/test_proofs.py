"""The proofs of docs/trust.md run, and fail where they should.

Those that start servers run in tests/webui/store/test_lost_files.py, for a moment each.
"""

import json
import re
import subprocess
import sys

import pytest

from tests import ROOT
from tests.grids import EVERY, few
from tests.proof import audit, crash, fuzz, soak
from tests.proof.formats import FORMATS
from tests.proof.report import PAGE, Report, gaps, replaced
from tests.proof.taps import HEADS, play
from tests.tools import mutate

# ---------------------------------------------------------------- crash


def test_a_run_that_is_broken_off_has_its_table_and_is_taken_up(tmp_path, monkeypatch, capsys):
    killed = []

    class Table:
        def __init__(self, engine, _folder, _seed):
            self.engine = engine

        def kill(self):
            killed.append(self.engine.name)
            if len(killed) == 3:
                raise KeyboardInterrupt
            slow = "too slow" if len(killed) == 2 else ""
            return crash.Kill(self.engine.name, "server", 10, [409], 1, 0, 2, [], 60.0, slow)

        def close(self):
            """There is no server."""

    monkeypatch.setattr(crash, "RUNS", tmp_path)
    monkeypatch.setattr(crash, "CrashTable", Table)
    with pytest.raises(KeyboardInterrupt):
        crash.main(kills=4, engines=["SQLite"])
    broken_off = capsys.readouterr().out

    assert crash.main(kills=4, engines=["SQLite"]) == 0
    assert ", 2.0 minutes:" in broken_off
    assert "| SQLite | 2 server | 20 | 2 with 409 | 2 | 0 | 4 | 1 | 0 |" in broken_off
    whole = "| SQLite | 4 server | 40 | 4 with 409 | 4 | 0 | 8 | 1 | 0 |"
    assert whole in capsys.readouterr().out
    assert (len(killed), [*tmp_path.iterdir()]) == (5, [])


# ---------------------------------------------------------------- soak


def soaked(bytes_an_hour):
    """Return an hour whose memory goes up and down by a megabyte, and grows besides."""
    return [
        soak.SoakSample(
            at=second,
            memory=int(2e8 + 1e6 * (second * 7919 % 13) + bytes_an_hour * second / 3600),
            files=40 + second % 3,
            threads=260,
            database=1_000_000 + 500 * second,
            steps=second,
        )
        for second in range(0, 3600, 2)
    ]


@pytest.mark.parametrize(("grows", "verdict"), [(0, "flat"), (10e6, "flat"), (30e6, "grows")])
def test_memory_that_grows_is_told_from_memory_that_goes_up_and_down(grows, verdict):
    rows = {row[0]: row for row in soak.judged(soaked(grows), 1.0)}

    assert rows["memory, MB"][-1] == verdict
    assert rows["database, kB a step"][3].startswith("+0.50 ")
    assert {row[-1] for name, row in rows.items() if name != "memory, MB"} == {"flat"}


def test_a_line_is_fitted_by_least_squares():
    assert soak.slope([0, 1, 2, 3], [1, 3, 5, 7]) == (2.0, 0.0)
    assert soak.slope([0, 1, 2], [0, 1, 0]) == (0.0, pytest.approx((2 / 3 / 2) ** 0.5))


# ---------------------------------------------------------------- fuzz


@pytest.mark.parametrize("name", few(FORMATS, 3))
def test_the_seeds_of_each_format_are_read(name):
    feed = FORMATS[name].open()

    for content in FORMATS[name].seeds():
        feed(content)
        feed(content[: len(content) // 2])


@pytest.mark.release
@pytest.mark.skipif(sys.platform != "linux", reason="atheris is made for Linux")
def test_the_fuzzers_run_and_find_nothing():
    """A run in which nothing is sent, or an address left out, is red too."""
    addresses = [fuzz.ADDRESSES] if EVERY else []  # their cases have tests in test_openapi.py
    words = ["--only", "settings", *addresses, "--instrument", "scorer.settings"]
    limits = ["--runs", "100", "--seconds", "1", "--examples", "1"]

    run = subprocess.run(
        [sys.executable, "-m", "tests.proof.fuzz", *words, *limits],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 0, run.stderr[-4000:]
    assert re.search(r"^\| settings \| \d\d \| \d+ \| \d+ \| \d+ \| 0 \|$", run.stdout, re.M)
    for name in addresses:
        assert re.search(rf"^\| {name} \| [3-9]\d \|.* 0 \|$", run.stdout, re.M)


# ---------------------------------------------------------------- taps


@pytest.mark.release
@pytest.mark.browser
def test_two_phones_tap_at_random_and_nothing_gets_stuck(browser):
    row = dict(zip(HEADS, play(browser, "pig", 60, seed=1), strict=True))

    assert (row["game"], row["faults"]) == ("pig", 0), row
    assert min(row["taps"] / 20, row["photos"], row["steps stored"] / 5) >= 1, row


# ---------------------------------------------------------------- audit


def test_every_package_and_file_of_others_is_told_with_a_licence_that_is_free():
    text = audit.PAGE.read_text(encoding="utf-8")

    assert audit.old(text) == []
    assert audit.unknown(text) == []


@pytest.mark.parametrize("licence", ["", "AGPL-3.0", "MIT AND Proprietary"])
def test_a_licence_that_is_not_free_is_told(licence):
    assert len(audit.unknown(f"| package | licence |\n| --- | --- |\n| x | {licence} |\n")) == 1


def test_a_pin_that_the_project_does_not_allow_is_told():
    text = audit.LOCKED.read_text(encoding="utf-8")

    assert audit.outdated(text) == []
    (said,) = audit.outdated(re.sub(r"^flask==[\d.]+", "flask==1.0", text, flags=re.M))
    assert said.startswith("flask: 1.0 is locked and")


@pytest.mark.parametrize(
    ("package", "said", "is_bad"),
    [
        ({"version": "1", "vulns": [{"id": "CVE-1"}]}, "flask 1: CVE-1", True),
        ({"version": "1", "vulns": []}, "1 of 1 locked packages; known against them: 0.", False),
        ({"skip_reason": "not found"}, "Of 1 packages no advisories could be asked for.", False),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="the made-up pip-audit is a script")
def test_what_is_known_against_a_package_is_told_and_silence_is_no_praise(
    package, said, is_bad, tmp_path, monkeypatch
):
    answer = json.dumps({"dependencies": [{"name": "flask", **package}]})
    (tmp_path / "pip-audit").write_text(f"#!/bin/sh\necho '{answer}'\n")
    (tmp_path / "pip-audit").chmod(0o755)
    monkeypatch.setattr(audit, "TOOLS", tmp_path)

    text, bad = audit.faults()

    assert said in text
    assert bad == is_bad


# ---------------------------------------------------------------- mutants


def test_every_module_that_gets_faults_and_every_test_that_looks_for_them_is_there():
    assert [one for some in mutate.MODULES.values() for one in some if not [*ROOT.glob(one)]] == []
    named = [one for some in mutate.TESTS.values() for one in some]
    assert [one for one in named if not mutate.files_of([one])] == []


def test_a_table_of_mutants_counts_those_that_no_test_noticed():
    codes = {
        "a.b.f__mutmut_1": 1,
        "a.b.f__mutmut_2": 0,
        "a.b.g__mutmut_1": 33,
        "a.c.h__mutmut_1": 2,
    }

    _, first, second, last, *survivors = mutate.table(codes)

    assert first.split() == ["a.b", "3", "1", "2", "0", "33%"]
    assert second.split() == ["a.c", "1", "0", "0", "1", "-"]
    assert last.split() == ["all", "4", "1", "2", "1", "33%"]
    assert survivors == ["a.b.f__mutmut_2", "a.b.g__mutmut_1 (no test reaches it)"]


# ---------------------------------------------------------------- the page


@pytest.mark.parametrize("name", ["crash", "soak", "fuzz", "taps"])
def test_each_proof_has_a_table_and_its_command_on_the_page(name):
    page = PAGE.read_text(encoding="utf-8")

    changed = replaced(page, name, "new")

    assert f"<!-- {name} -->\nnew\n<!-- end of {name} -->" in changed
    assert re.search(rf"<!-- {name} -->\n`make {name} [A-Z]+=", page)


def test_no_table_of_the_page_has_a_gap():
    assert gaps(PAGE.read_text(encoding="utf-8")) == []
    assert gaps((ROOT / "docs" / "trust.md").read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("last", ["?", "1", "too short to say", "grows"])
def test_a_table_with_a_gap_does_not_replace_one_without(last, tmp_path, capsys):
    page, report = tmp_path / "page.md", Report("soak", "make soak HOURS=1")
    page.write_text("<!-- soak -->\nold\n<!-- end of soak -->\n")

    report.publish(report.text(("what", "findings"), [("all", last)]), write=True, page=page)
    assert "\nold\n" in page.read_text()
    assert f"page.md keeps its old table: | all | {last} |" in capsys.readouterr().err
    report.publish(report.text(("what", "findings"), [("all", 0)]), write=True, page=page)
    assert "| all | 0 |" in page.read_text()


def test_a_table_says_what_it_was_made_with():
    text = Report("crash", "make crash N=2").text(("engine", "faults"), [("SQLite", 0)], "So.")

    assert re.match(r"`make crash N=2`, \d+ \w+ \d{4}, \d+ cores, load [\d.]+ at its start", text)
    assert "| engine | faults |\n| --- | ---: |\n| SQLite | 0 |\n\nSo." in text
