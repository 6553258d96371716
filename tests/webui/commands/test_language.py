"""Every command speaks the language that was typed, or else that of the system."""

import pytest

from scorer.messages import ENGLISH
from tests import ROOT
from webui import cli
from webui.commands import COMMANDS
from webui.commands.language import chosen
from webui.languages import language

GERMAN = ("--language", "de")
PHOTO = str(ROOT / "fixtures" / "boards" / "dim.jpg")


@pytest.mark.parametrize(
    ("argv", "environ", "spoken"),
    [
        ((), {}, "en"),
        ((), {"LANG": "C.UTF-8"}, "en"),
        ((), {"LANG": "de_DE.UTF-8"}, "de"),
        ((), {"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, "en"),
        ((), {"LC_ALL": "", "LC_MESSAGES": "de_AT"}, "de"),
        ((), {"LANG": "xx_XX"}, "en"),
        (("--language", "en"), {"LANG": "de_DE"}, "en"),
        (("--language=de",), {}, "de"),
        (("--json",), {"LANG": "de_DE"}, "en"),
        (("--json", "--language", "de"), {}, "de"),
    ],
)
def test_what_was_typed_comes_before_what_the_system_speaks(argv, environ, spoken):
    assert chosen(("rules", *argv), environ) == spoken


def test_rules_are_said_in_the_language(capsys, monkeypatch):
    assert cli.main(["rules", "PH-4", *GERMAN]) == 0
    assert capsys.readouterr().out.startswith("PH-4 Würfel legen. Abwechselnd legt jeder")
    assert cli.main(["rules", "nothing", *GERMAN]) == 1
    assert capsys.readouterr().err.startswith("Es gibt keine Regel und kein Spiel 'nothing'.")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert cli.main(["rules", "dice_wide_shut"]) == 0
    chapter = capsys.readouterr().out
    assert "**DW-2a Wer beginnt.**" in chapter
    assert "### Wo Tische sich unterscheiden" in chapter
    assert language() == ENGLISH


def test_a_photo_is_read_and_scored_in_the_language(capsys):
    assert cli.main(["read", PHOTO, *GERMAN]) == 0
    assert "9 Würfel, 0 Steine" in capsys.readouterr().out
    assert cli.main(["score", "purple_house", PHOTO, *GERMAN]) == 0
    said = capsys.readouterr().out
    assert "zusammen: Spieler 1 hat 4, Spieler 2 hat 4" in said
    assert "zeigt ein Foto allein nicht: wer welche Farbe hatte" in said
    assert cli.main(["score", "gords", PHOTO, *GERMAN]) == 1
    assert "So setzt du es: --set 'bid=4 sixes'." in capsys.readouterr().err


def test_statistics_are_said_in_the_language(capsys, tmp_path):
    where = ("--database", str(tmp_path / "matches.db"))
    cli.main(["stats", *where, *GERMAN])

    assert "sind keine Partien. Beginne eine: pipsight serve" in capsys.readouterr().err


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_each_command_is_said_in_the_language(name, capsys):
    own = COMMANDS[name].parser()
    taken = [one for one in own._actions if not one.dest.startswith("guest_")]
    texts = [own.description, own.epilog, *(one.help for one in taken)]
    english = [one for one in texts if one and " " in one.replace(", ", "") and "%" not in one]
    with pytest.raises(SystemExit):
        cli.main([name, "--help", *GERMAN])
    shown = " ".join(capsys.readouterr().out.split())

    assert shown.startswith("Aufruf: ")
    assert [text for text in english if " ".join(text.split()) in shown] == []


def test_the_list_of_commands_and_wrong_usage_are_said_in_the_language(capsys):
    with pytest.raises(SystemExit):
        cli.main(["--help", *GERMAN])
    assert all(command.help not in capsys.readouterr().out for command in COMMANDS.values())
    with pytest.raises(SystemExit):
        cli.main(["score", *GERMAN])
    assert "Fehler: diese Angaben fehlen: GAME, PHOTO" in capsys.readouterr().err
