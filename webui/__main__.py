"""The program `pipsight`: Ctrl-C ends it without a traceback, also while its modules load."""

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    try:
        from webui import cli  # noqa: PLC0415

        return cli.main(argv)
    except KeyboardInterrupt:
        return 130  # of a program ended by SIGINT


if __name__ == "__main__":
    sys.exit(main())
