"""Printable boards of a game, `/print/STEM.pdf`, or of a match with its house rules."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask import Blueprint, Response, jsonify, request

from scorer import NotAMove
from scorer.games import GAMES
from scorer.messages import _
from webui.errors import NotFound
from webui.eyes.look import look_for
from webui.eyes.printed_boards import NONE, PAPERS, board_named, boards_of, file_stem, names
from webui.http.roles import least
from webui.languages import said
from webui.match import match as matches
from webui.match.taught import used_board
from webui.services import services
from webui.store.tables.phones import Role

bp = Blueprint("print", __name__)


@bp.get("/print/<stem>.pdf")
@least(Role.ANYBODY)
def board_page(stem: str) -> Response:
    """Send a board with default settings; `paper` is a4 or letter."""
    return _sent(stem, {})


@bp.get("/m/<match_id>/print/<stem>.pdf")
@least(Role.WATCHER)
def match_board_page(match_id: str, stem: str) -> Response:
    """Send a board of a match with its house rules."""
    match = matches.load(services().store, match_id)
    return _sent(stem, match.row.settings, match.row.game)


@bp.get("/m/<match_id>/board.json")
@least(Role.WATCHER)
def match_board_geometry(match_id: str) -> Response:
    """Return the geometry of a match's current board, as --geometry does."""
    equipment = matches.equipment(matches.load(services().store, match_id))
    taught = used_board(services().store, match_id)
    if taught is not None:
        return jsonify(taught["geometry"])
    layout = look_for(equipment).layout if equipment.board else None
    if layout is None:
        raise NotFound(NONE)
    return jsonify(layout.to_json())


def _sent(stem: str, settings: Mapping[str, Any], game: str | None = None) -> Response:
    try:
        found = boards_of(GAMES[game], settings) if game in GAMES else map(board_named, names())
        board = next((one for one in found if file_stem(one) == stem), None)
    except NotAMove as fault:  # a track that fits on no page
        raise NotFound(*fault.args) from fault
    if board is None:
        raise NotFound(NONE)
    from webui.pages.drawings.board_pdf import board_pdf  # noqa: PLC0415  # a browser has no Pillow

    paper = request.args.get("paper", "a4")
    pdf = board_pdf(board, paper if paper in PAPERS else "a4", grey="grey" in request.args)
    answer = Response(pdf, mimetype="application/pdf")
    answer.headers["Content-Disposition"] = f'inline; filename="{stem}.pdf"'
    return answer


@bp.app_context_processor
def _for_templates() -> dict[str, Callable[..., Any]]:
    return {"boards_to_print": _listed}


def _listed(game: str, agreed: Sequence[Mapping[str, Any]] = ()) -> list[dict[str, str]]:
    """Return the boards of a game by file stem, with their titles; none if nothing prints."""
    if game not in GAMES or not services().settings.others:
        return []
    try:
        boards = boards_of(GAMES[game], {one["name"]: one["value"] for one in agreed})
    except NotAMove:  # a track that fits on no page
        return []
    words = {"grid": _("the grid"), "sheet": _("the score sheet"), "track": _("the track")}
    return [
        {
            "stem": file_stem(board),
            "says": said(words.get(board.name.partition(":")[0], _("a mat"))),
        }
        for board in boards
    ]
