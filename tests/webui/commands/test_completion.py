"""`pipsight completion`: what a shell offers after it has read the script."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from scorer.games import GAMES
from webui import cli
from webui.commands.reference import SHELLS


def script(shell, capsys):
    assert cli.main(["completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_knows_every_command(shell, capsys):
    completions = script(shell, capsys)

    assert all(name in completions for name in cli.COMMANDS)
    assert "log-level" in completions


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_that_is_here_understands_its_script(shell, capsys, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    (tmp_path / "script").write_text(script(shell, capsys))

    subprocess.run([shell, "-n", tmp_path / "script"], check=True)


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("se", {"serve"}),
        ("play ", set(GAMES)),
        ("serve --log-level ", {"debug", "info", "warning", "error"}),
        ("read --ov", {"--overlay"}),
        ("teach --look dom", {"dominoes"}),
        ("score pig bo", {"board.jpg"}),
    ],
)
def test_bash_offers_what_may_come_next(typed, offered, capsys, tmp_path):
    (tmp_path / "board.jpg").touch()
    words = ["pipsight", *typed.split(" ")]
    asked = f"""{script("bash", capsys)}
COMP_WORDS=({" ".join(f"'{word}'" for word in words)}) COMP_CWORD={len(words) - 1}
_shtab_pipsight
printf '%s\\n' "${{COMPREPLY[@]}}"
"""

    ran = subprocess.run(
        ["bash", "--norc"], input=asked, cwd=tmp_path, capture_output=True, text=True, check=True
    )

    assert {word.strip() for word in ran.stdout.splitlines()} - {"--help", "-h"} >= offered
