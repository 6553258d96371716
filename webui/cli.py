"""The command `pipsight`: find the subcommand, run it, and report common errors."""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import version

from scorer import Malformed
from scorer.messages import _
from webui.commands import COMMANDS
from webui.commands.language import CommandParser, speaking
from webui.errors import Refusal
from webui.languages import translate
from webui.terminal import console

DESCRIPTION = _("Play with real dice; let a phone keep the score.")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0, 1 if something failed, 2 for wrong usage.

    It handles errors common to all commands: a refusal, Ctrl-C, a closed pipe, a full disk.
    """
    console.prepare()
    words = list(sys.argv[1:] if argv is None else argv)
    with speaking(words):
        try:
            try:
                return _run(words)
            finally:
                sys.stdout.flush()
        except KeyboardInterrupt:
            return console.INTERRUPTED
        except BrokenPipeError:  # `pipsight read … | head` has seen enough
            console.silence()
            return console.NOBODY_READS
        except OSError as fault:
            console.silence()
            with suppress(OSError):  # the same disk may hold standard error
                print(console.cannot(fault), file=sys.stderr)
            return 1


def _run(argv: list[str]) -> int:
    if argv and argv[0] in COMMANDS:
        command = COMMANDS[argv[0]]
        ask = command.parser(argv[0])
        # argparse loses a "--" among intermixed arguments
        parse = ask.parse_args if "--" in argv else ask.parse_intermixed_args
        try:
            return command.run(parse(argv[1:]))
        except Malformed as fault:  # a wrong setting, date or answer
            ask.refuse(fault)
        except Refusal as fault:
            console.report(fault)
            return 1
    ask = CommandParser("pipsight", description=DESCRIPTION)
    ask.add_argument("--version", action="version", version=f"pipsight {version('pipsight')}")
    commands = ask.add_subparsers(required=True, metavar="COMMAND", parser_class=ArgumentParser)
    for name, command in COMMANDS.items():
        commands.add_parser(name, help=translate(command.help))
    ask.parse_args(argv)  # prints the usage and exits
    raise AssertionError("every command has its own arguments")


if __name__ == "__main__":
    sys.exit(main())
