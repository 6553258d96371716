"""`make fuzz`: bytes that nobody thought of, for everything that reads what strangers send.

Atheris (libFuzzer) changes the seeds of each format of `tests.proof.formats` and keeps what reaches
new lines of our code; schemathesis sends every address what /api/openapi.json allows and what it
does not. What either finds is fixed, and stays as a test of the room that it was found in.
"""

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import ROOT
from tests.proof.report import Report, Row

INSTRUMENTED = ["scorer", "vision", "webui"]
ONE_CASE_S = 20  # longer is a finding, and so is more memory than
MEMORY_MB = 3000
FINDINGS = ROOT / "var" / "fuzz"
DONE = re.compile(r"#(\d+)\s+DONE\s+cov: (\d+) ft: (\d+) corp: (\d+)")
ADDRESSES = "requests to every address"
HEADS = ("what is sent", "seeds", "cases", "lines and branches met", "cases kept", "findings")


def apart(act: Callable[[], None]) -> tuple[int, str]:
    """Do something in a process of its own, which has our code loaded; its status and words."""
    with tempfile.TemporaryFile("w+") as said:
        sys.stdout.flush()
        if (child := os.fork()) == 0:
            os.dup2(said.fileno(), 1)
            os.dup2(said.fileno(), 2)
            act()
            os._exit(1)  # what is done ends its process by itself
        _, status = os.waitpid(child, 0)
        said.seek(0)
        text = said.read()
    if status:
        print(text[-6000:], file=sys.stderr)
    return status, text


def fuzz(name: str, seconds: int, runs: int, seed: int) -> Row:
    """Fuzz one format; return its row of the table."""
    status, text = apart(lambda: _fuzz_here(name, seconds, runs, seed))
    done, seeds = DONE.search(text), re.findall(r"^seeds: (\d+)$", text, re.M)
    counted = (done[1], done[2], done[4]) if done else ("?",) * 3
    return name, seeds[-1] if seeds else "?", *counted, int(bool(status or not done))


def _fuzz_here(name: str, seconds: int, runs: int, seed: int) -> None:
    """Turn this process into the fuzzer of one format; it never returns."""
    import atheris

    from tests.proof.formats import FORMATS

    folder = Path(tempfile.mkdtemp())
    corpus, words = folder / "corpus", folder / "words"
    corpus.mkdir()
    FINDINGS.mkdir(parents=True, exist_ok=True)
    form = FORMATS[name]
    for number, content in enumerate(form.seeds()):
        (corpus / f"seed-{number:03}").write_bytes(content)
    print(f"seeds: {len([*corpus.iterdir()])}", flush=True)
    words.write_text("".join(f'word="{_escaped(word)}"\n' for word in form.words))
    options = {
        "max_total_time": seconds,
        "runs": runs,
        "seed": seed,
        "max_len": max(form.longest, *(path.stat().st_size for path in corpus.iterdir())),
        "timeout": ONE_CASE_S,
        "rss_limit_mb": MEMORY_MB,
        **({"dict": words} if form.words else {}),
        "artifact_prefix": FINDINGS / f"{name.replace(' ', '-')}-",
    }
    given = [f"-{option}={value}" for option, value in options.items()]
    atheris.Setup([sys.argv[0], str(corpus), *given], form.open())
    atheris.Fuzz()


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace('"', '\\"').replace("\\\\x", "\\x")


def fuzz_addresses(examples: int, seed: int) -> Row:
    """Let schemathesis send every address so many requests; return its row of the table."""
    file, quiet = (
        ROOT / "tests" / "proof" / "fuzz_api.py",
        ["-W", "ignore", "-p", "no:cacheprovider"],
    )
    given = ["--hypothesis-profile=random", f"--hypothesis-seed={seed}", "-o", "addopts=-q"]

    def run() -> None:
        os.environ["EXAMPLES"] = str(examples)
        code = pytest.main([str(file), *quiet, *given])
        sys.stdout.flush()
        os._exit(code)

    status, text = apart(run)
    passed, failed = (
        sum(map(int, re.findall(rf"(\d+) {word}", text))) for word in ("passed", "failed")
    )
    sent = f"about {examples * (passed + failed)}"
    return ADDRESSES, passed + failed, sent, "–", "–", failed or int(bool(status))


def main() -> int:
    """Print the table; return 1 where something was found."""
    ask = argparse.ArgumentParser("fuzz", description=__doc__)
    ask.add_argument("--seconds", type=int, default=60, help="for each format")
    ask.add_argument("--runs", type=int, default=-1, help="cases of each format at most")
    ask.add_argument("--examples", type=int, default=100, help="requests to each address")
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--only", nargs="+", help="formats, by their names in the table")
    ask.add_argument("--instrument", nargs="+", default=INSTRUMENTED, help="whose lines count")
    ask.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    args = ask.parse_args()
    report = Report("fuzz", f"make fuzz SECONDS={args.seconds} SEED={args.seed}")

    import atheris

    with atheris.instrument_imports(include=args.instrument):
        from tests.proof.formats import FORMATS

    rows = [
        fuzz_addresses(args.examples, args.seed)
        if name == ADDRESSES
        else fuzz(name, args.seconds, args.runs, args.seed)
        for name in args.only or (*FORMATS, ADDRESSES)
    ]
    report.publish(report.told(HEADS, rows), write=args.write)
    return int(any(row[-1] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
