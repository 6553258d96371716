"""`make fuzz`: bytes that nobody thought of, for everything that reads what strangers send.

Atheris (libFuzzer) changes the seeds of each format of `tests.proof.formats` and keeps what reaches
new lines of our code; schemathesis sends every address what /api/openapi.json allows and what it
does not. What either finds is fixed, and stays as a test of the room that it was found in.

One format runs on each core. What is done is written down at once, and a run that was broken off is
taken up after it.
"""

import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any

import pytest

from models.harness import run
from tests import ROOT
from tests.proof.report import Report, Row, Write

INSTRUMENTED = ["scorer", "vision", "webui"]
ONE_CASE_S = 20  # longer is a finding, and so is more memory than
MEMORY_MB = 3000
FINDINGS = ROOT / "var" / "fuzz"
DONE = re.compile(r"#(\d+)\s+DONE\s+cov: (\d+) ft: (\d+) corp: (\d+)")
ADDRESSES = "requests to every address"
HEADS = ("what is sent", "samples", "cases", "lines and branches met", "cases kept", "findings")


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
    done, files = DONE.search(text), re.findall(r"^seeds: (\d+)$", text, re.M)
    counted = map(int, (done[1], done[2], done[4])) if done else ("?",) * 3
    return name, files[-1] if files else "?", *counted, int(bool(status or not done))


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
    """Let schemathesis send every address *examples* requests; return its row of the table."""
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
    sent = examples * (passed + failed)
    return ADDRESSES, passed + failed, sent, "–", "–", failed or int(bool(status))


def together(rows: Iterable[Row]) -> Row:
    """Return one row of a format's rows with all seeds; met and kept are those of the best."""
    names, files, cases, met, kept, found = (
        list[Any](column) for column in zip(*rows, strict=True)
    )
    if "?" in cases:
        return names[0], files[0], "?", "?", "?", sum(found)
    sent = f"about {sum(cases)}" if names[0] == ADDRESSES else sum(cases)
    return names[0], files[0], sent, max(met), max(kept), sum(found)


def done(
    jobs: Mapping[tuple[str, int], Callable[[], Row]], file: Path
) -> dict[tuple[str, int], Row]:
    """Do each job on a core of its own and write down its row; return all rows of the file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    lines = map(json.loads, file.read_text("utf-8").splitlines())
    rows: dict[tuple[str, int], Row] = {(row[0], seed): row for seed, row in lines}
    with (
        file.open("a", encoding="utf-8") as kept,
        ProcessPoolExecutor(os.cpu_count(), get_context("fork")) as cores,
    ):
        coming = {cores.submit(job): key for key, job in jobs.items() if key not in rows}
        for future in as_completed(coming):
            (_, seed), row = coming[future], future.result()
            rows[coming[future]] = row
            print(json.dumps([seed, row], ensure_ascii=False), file=kept, flush=True)
            print(f"seed {seed}: {', '.join(map(str, row))}", file=sys.stderr, flush=True)
    return rows


def main(
    *,
    seconds: Annotated[int, "for each format"] = 60,
    runs: Annotated[int, "cases of each format at most"] = -1,
    examples: Annotated[int, "requests to each address"] = 100,
    seed: int = 1,
    seeds: Annotated[int, "how many, from that one on"] = 1,
    only: Annotated[Sequence[str], "formats, by their names in the table"] = (),
    instrument: Annotated[Sequence[str], "whose lines count"] = INSTRUMENTED,
    write: Write = False,
) -> int:
    """Print the table; return 1 where something was found."""
    given = f"make fuzz SECONDS={seconds} SEED={seed}" + f" SEEDS={seeds}" * (seeds > 1)
    report = Report("fuzz", given)

    import atheris

    with atheris.instrument_imports(include=[*instrument]):
        from tests.proof.formats import FORMATS

    names = only or (*FORMATS, ADDRESSES)
    jobs = {
        (name, one): partial(fuzz_addresses, examples, one)
        if name == ADDRESSES
        else partial(fuzz, name, seconds, runs, one)
        for one in range(seed, seed + seeds)
        for name in names
    }
    file = FINDINGS / f"{seconds}-{seed}-{seeds}-{runs}-{examples}.jsonl"
    every = done(jobs, file)
    rows = [together(every[key] for key in jobs if key[0] == name) for name in names]
    file.unlink()
    report.publish(report.text(HEADS, rows), write=write)
    return int(any(row[-1] for row in rows))


if __name__ == "__main__":
    sys.exit(run(main))
