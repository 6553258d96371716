"""Matches as tests need them: by the rules alone and by chance, or step by step over HTTP."""

import json
import random
import re
from html import unescape
from itertools import islice
from urllib.parse import parse_qs, urlsplit

from scorer import dump_move

TWELVE = [{"move": "Roll", "pips": 6}, {"move": "Roll", "pips": 6}, {"move": "Hold"}]  # of Pig
# A roll of Dice Wide Shut, and the moves that lead from the start to what is tapped in a game.
POOL = [["red", 1], ["red", 2], ["red", 4], ["blue", 1], ["blue", 1], ["blue", 2], ["purple", 3]]
AGREED = [{"move": "Agree", "starter": 0}]
BEGUN = {
    "beat_the_odds": AGREED,
    "gords": AGREED,
    "dice_wide_shut": [{"move": "Starter", "seat": 0}, {"move": "Roll", "dice": POOL}],
    "even_at_odds": [{**AGREED[0], "evens": 0}],
    "purple_house": [{**AGREED[0], "black": 0}],
}
CALLED = [*AGREED, {"move": "Bid", "space": "4", "face": 3}, {"move": "Call", "seat": 1}]  # Gords


def by_chance(game, chance, seats=2, most=60, listed=300, **house):
    """Yield each state of a match played by chance, and the move that is made there."""
    chance = chance if isinstance(chance, random.Random) else random.Random(chance)
    state = game.start(seats, house)
    for _ in range(most):
        legal = list(islice(game.legal_moves(state), listed))
        if not legal:
            return
        move = chance.choice(legal)
        yield state, move
        state = game.apply(state, move)


def moves_by_chance(game, chance, *args, **house):
    """Return the moves of such a match as they are sent."""
    return [dump_move(move) for _, move in by_chance(game, chance, *args, **house)]


def plain(page):
    """Return the words of a page."""
    return " ".join(unescape(re.sub("<[^>]*>", " ", page)).split())


def play(client, match_id, *moves):
    """Play each move as a step of its own; return the match as it stands then."""
    path = f"/api/matches/{match_id}"
    view = client.get(path).json
    for move in moves:
        answer = client.post(f"{path}/moves", json={"after": view["seq"], "moves": [move]})
        assert answer.status_code == 201, answer.json
        view = answer.json
    return view


def play_of_bg_stats(client, page):
    """Return the address of BG Stats on the page to share of a match, and the play in it."""
    shared = client.get(f"{page}/share").text
    address = unescape(re.search(r'href="(https://app\.bgstatsapp\.com[^"]+)"', shared)[1])
    return address, json.loads(parse_qs(urlsplit(address).query)["data"][0])


def ended(client, match_id):
    """End a match by agreement; return the address of its rematch, to post to."""
    path = f"/api/matches/{match_id}"
    sent = {"after": client.get(path).json["seq"], "moves": [{"move": "EndMatch"}]}
    assert client.post(f"{path}/moves", json=sent).status_code == 201
    return f"/m/{match_id}/again"
