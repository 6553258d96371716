"""Past matches as the JSON interface lists them."""

from __future__ import annotations

from typing import Any

from webui.api.answers import plain
from webui.api.answers.match import GameName
from webui.api.answers.server import PastMatch, PastMatches
from webui.match.past import Found, ListedMatch


def past_view(found: Found, root: str) -> dict[str, Any]:
    """Return a page of matches; *root* is the server's address, ending in "/"."""
    listed = [_view(match, root) for match in found.matches]
    return plain(PastMatches(listed, found.total, found.page, found.pages))


def _view(match: ListedMatch, root: str) -> PastMatch:
    return PastMatch(
        match.id,
        f"{root}m/{match.id}",
        GameName(match.game, match.title),
        list(match.names),
        list(match.score),
        match.created_at,
        match.over,
        list(match.winners),
    )
