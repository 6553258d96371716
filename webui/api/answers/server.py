"""The server, and its matches as lists have them."""

from typing import Annotated, TypedDict

from webui.api.answers import SeatNumbers, Time
from webui.api.answers.games import GameName
from webui.match.past import Found, ListedMatch


class Health(TypedDict):
    """Whether the server can do its work."""

    ok: bool


class FoundView(TypedDict):
    """The match with a join code."""

    id: str
    url: str


class PastMatch(TypedDict):
    """A match as lists have it."""

    id: str
    url: str
    game: GameName
    names: list[str]
    score: SeatNumbers
    created_at: Time
    over: Annotated[bool | None, "null: its rules are not here"]
    winners: Annotated[list[int], "of a match that is over; [] of a draw, or where nobody has won"]


class PastMatches(TypedDict):
    """A page of the matches that fit, the newest first."""

    matches: list[PastMatch]
    total: Annotated[int, "of all pages"]
    page: Annotated[int, "counted from 1; the last, where there are fewer than was asked for"]
    pages: int


class DeletedMatch(TypedDict):
    """What was deleted with a match: photos that no other match names."""

    photos: int


def past_view(found: Found, root: str) -> PastMatches:
    """Return a page of matches; *root* is the server's address, ending in "/"."""
    matches = [_listed(match, root) for match in found.matches]
    return PastMatches(matches=matches, total=found.total, page=found.page, pages=found.pages)


def _listed(match: ListedMatch, root: str) -> PastMatch:
    return PastMatch(
        id=match.id,
        url=f"{root}m/{match.id}",
        game=GameName(name=match.game, title=match.title),
        names=list(match.names),
        score=list(match.score),
        created_at=match.created_at,
        over=match.over,
        winners=list(match.winners),
    )
