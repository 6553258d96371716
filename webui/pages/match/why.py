"""The explanation of a score: lines of the tally with their pieces cut from the photo."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from flask import Blueprint, render_template

from webui.api.answers.history import PartView, by_part, in_words
from webui.api.answers.match import match_view
from webui.http.roles import least
from webui.match import match as matches
from webui.match.match import Match
from webui.pages.match import context
from webui.pages.match.last_photo import on_screen, seen_photo
from webui.services import services
from webui.store.tables.phones import Role

bp = Blueprint("why", __name__)


@bp.get("/m/<match_id>/why/<int:seat>")
@least(Role.WATCHER)
def part(match_id: str, seat: int) -> str:
    """Return the explanation of a seat's score, with photos, as a part of the match's page."""
    match = matches.load(services().store, match_id)
    matches.check_seat(match, seat)
    view = context.newest_parts(match_view(match, services().root, earned=True))
    parts = context.why(view, seat)
    return render_template(
        "_why.html",
        view=view,
        parts=parts,
        crops=_crops(match, view),
        earlier=context.earlier(view, seat, parts),
    )


def made(match: Match, seq: int) -> list[PartView]:
    """Return the parts of the tally that a step made; nothing if its rules are not installed."""
    game = match.game
    if match.closed is not None or game is None:
        return []
    store, below = services().store, match.tree.below(seq)
    before, after = (matches.state_after(store, match, at) for at in (below, seq))
    entries, there = [], Counter(game.explain(before))
    for entry in game.explain(after):
        there[entry] -= 1
        if there[entry] < 0 and not entry.if_ended:
            entries.append(entry)
    return in_words(by_part(entries), match.names)


def _crops(match: Match, view: Mapping[str, Any]) -> dict[Any, Any]:
    """Return the photo and the crops of each shown line, by its part and text."""
    return {
        (part["part"], line["text"], line["seat"]): (photo, boxes)
        for part, photo in _photos(match, view)
        for line, boxes in zip(part["lines"], photo.crops, strict=bool(photo.crops))
    }


def _photos(match: Match, view: Mapping[str, Any]) -> Iterator[tuple[PartView, Any]]:
    """Yield the shown parts made by a photo, each with that photo."""
    wanted = {part["part"] for part in view["because"]}
    for step in reversed(view["history"]):
        if not (wanted and step["standing"] and step["photo"]):
            continue
        parts = made(match, step["seq"])[:1]  # the newest is on the photo
        photo = parts and seen_photo(services().store, match, step, parts[0]["lines"])
        if photo and parts[0]["part"] in wanted:
            wanted.remove(parts[0]["part"])
            yield parts[0], on_screen(photo)
