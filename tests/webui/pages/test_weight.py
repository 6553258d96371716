"""A match's page is light, and what each step sends does not grow with the match."""

import re

from tests.grids import EVERY

PAGE = 72_000  # bytes of a first visit as they are sent, with what it needs
STEP = 6_000  # bytes that each phone fetches for a step
LATE = 120 if EVERY else 60  # steps
COMPRESSED = {"Accept-Encoding": "br"}


def size(client, path):
    """Return the bytes that are sent for an address."""
    return len(client.get(path, headers=COMPRESSED).data)


def test_a_first_visit_is_light(client, match):
    path = f"/m/{match['id']}"
    head = client.get(path).text.partition("</head>")[0]
    needed = re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', head)

    assert len(needed) == 2
    assert size(client, path) + sum(size(client, file) for file in needed) <= PAGE


def test_a_step_sends_as_little_late_in_a_match_as_early(client, new_match):
    sizes = []
    for game in ("pig", "purple_house"):
        made = new_match(game=game, opening=[])
        for step in range(1, LATE + 1):
            legal = client.get(f"/api/matches/{made['id']}/moves").json
            chosen = legal["moves"][step * 7 % len(legal["moves"])]["move"]
            sent = {"after": legal["seq"], "moves": [chosen]}
            client.post(f"/api/matches/{made['id']}/moves", json=sent)
            if step in (2 * LATE // 3, LATE):
                sizes.append(size(client, f"/m/{made['id']}/tally"))

    assert max(sizes) <= STEP
    for early, late in zip(sizes[::2], sizes[1::2], strict=True):
        assert late < 1.15 * early
