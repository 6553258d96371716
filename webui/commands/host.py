"""`pipsight host`: a new host for a match whose host's phone was lost."""

from __future__ import annotations

import sys
from contextlib import closing

from webui.commands.room import opened
from webui.greeting import PUBLISHED, own_address, printable
from webui.http import qr
from webui.languages import translate
from webui.match.match import find


def show_key(database: str | None, name: str, address: str | None, port: int) -> int:
    """Print a one-time address that makes a phone the host of a match; return the exit code."""
    root = address or own_address("", port)
    if not root:
        print(translate(PUBLISHED).replace("serve", "host"), file=sys.stderr)
        return 1
    with closing(opened(database)) as store:
        match_id = find(store, name)
        key = store.phones.new_key(match_id)
    where = f"{root.rstrip('/')}/m/{match_id}/phones?key={key}"
    how = translate("Open this address on the phone that is to be the host; it works once:")
    print(f"{how}\n{where}")
    print(printable(qr.terminal(where)))
    return 0
