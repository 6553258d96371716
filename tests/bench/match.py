"""What a very long match costs: `make bench-match`. Figures are processor time of one process."""

import io
import json
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from scorer.recording import MOST
from webui.app import create_app, warm_up

SEATS = 10
STEP = 575  # after so many steps a confirm is timed beside the first ones
TIMES = 20  # the median of so many confirms
ROLL, LOSE = {"move": "Roll", "pips": 2}, {"move": "Roll", "pips": 1}


def main(*, moves: int = MOST) -> None:
    """Open a recording, look at it and play on; then play a match step by step."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        database = f"sqlite:///{folder / 'bench.sqlite'}"
        app = create_app(database, folder / "photos")
        warm_up(app)
        client = app.test_client()
        print(f"A recording of Pig, {moves:,} moves")
        sent = {"recording": (io.BytesIO(recording(moves)), "long.jsonl")}
        opened = timed("import", lambda: client.post("/open", data=sent)).location
        look(client, opened)
        match = opened.replace("/m/", "/api/matches/")
        timed("confirm", lambda: play(client, match, moves))
        timed("undo", lambda: client.post(f"{match}/undo", json={"after": moves + 1}))
        app.extensions["pipsight"].store.close()

        again = create_app(database, folder / "photos")
        stack.callback(again.extensions["pipsight"].store.close)
        warm_up(again)  # a server does it in the background
        print("The same by a server that has just been started")
        timed("page", lambda: again.test_client().get(opened))
        confirms(again.test_client())


def recording(moves: int) -> bytes:
    """Return a match in which each player rolls a 2 and then a 1, so that nobody ever wins."""
    head = {"game": "pig", "version": 1, "seats": SEATS, "settings": {"target": 1000}}
    rolled = [{"move": LOSE if place % 2 else ROLL} for place in range(moves)]
    return "\n".join(map(json.dumps, [head, *rolled])).encode()


def look(client: FlaskClient, opened: str) -> None:
    """Print what it costs to look at the match."""
    timed("page", lambda: client.get(opened))
    timed("tally", lambda: client.get(f"{opened}/tally"))
    timed("JSON", lambda: client.get(opened.replace("/m/", "/api/matches/")))
    timed("older steps", lambda: client.get(f"{opened}/history?before=9000"))


def confirms(client: FlaskClient) -> None:
    """Print what a confirm costs at the beginning of a match and after many steps."""
    new = {"game": "pig", "names": [f"P{seat}" for seat in range(SEATS)]}
    match = f"/api/matches/{client.post('/api/matches', json=new).json['id']}"
    spent = []
    for seq in range(STEP):
        began = time.process_time()
        play(client, match, seq)
        spent.append(time.process_time() - began)
    first, last = sorted(spent[:TIMES])[TIMES // 2], sorted(spent[-TIMES:])[TIMES // 2]
    print(f"A match played step by step\n  confirm {1000 * first:.1f} ms at the beginning", end="")
    print(f", {1000 * last:.1f} ms at step {STEP}")


def play(client: FlaskClient, match: str, seq: int) -> Any:
    """Play the next move."""
    sent = {"after": seq, "moves": [LOSE if seq % 2 else ROLL]}
    return client.post(f"{match}/moves", json=sent)


def timed(what: str, act: Callable[[], Any]) -> Any:
    """Do it, and print how long it took and how large the answer is."""
    began = time.process_time()
    answer = act()
    spent = time.process_time() - began
    assert answer.status_code < 400, answer.text
    print(f"  {what:12} {1000 * spent:8.1f} ms {len(answer.data):10,} bytes")
    return answer
