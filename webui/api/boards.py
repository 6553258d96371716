"""A match's own board in the JSON interface and on its page: taught from a photo of it empty."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from webui.api.answers import plain
from webui.api.answers.photos import TaughtBoardView
from webui.api.queue import Answer, check_room, queue
from webui.api.requests import TeachBoard, body
from webui.errors import NotRead
from webui.eyes.lessons import TaughtBoard
from webui.eyes.look import NO_BOARD
from webui.http.jobs import Body
from webui.match import match as matches
from webui.match.summary import clock
from webui.services import parts
from webui.store.boards import BoardStore, StoredBoard
from webui.store.log import Store

bp = Blueprint("boards_api", __name__)


def says(used: StoredBoard | None) -> str:
    """Return a sentence on the board that photos of a match are read on, if it was taught."""
    return "" if used is None else f"They are read on {named(used)}."


def named(one: StoredBoard) -> str:
    """Return the words for a taught board."""
    return f"our board, taught on {clock(one.at)}"


def used_by(store: Store, match: str) -> Mapping[str, Any] | None:
    """Return the board that a match uses as it was learned, None if it uses none."""
    used = BoardStore(store).used(match)
    return None if used is None else used.learned


@bp.post("/api/matches/<match>/board")
def remember(match: str) -> Answer:
    """Learn the board on a photo of it empty, and look for it from now on."""
    sent = body(TeachBoard)
    check_room(match)
    here = parts()
    equipment = matches.equipment(matches.load(here.store, match))
    board = equipment.board
    if board is None:
        raise NotRead(NO_BOARD)
    seen = here.store.sighting(match, sent.sighting)
    here.store.photo_files.path(seen.photo)  # of a damaged photo nothing is learned
    told: TaughtBoard = {
        "photo": seen.photo,
        "width": seen.reading["width"],
        "corners": sent.corners,
        "cells": sent.cells,
    }
    boards = BoardStore(here.store)

    def learned() -> Body:
        made = boards.keep(match, board, here.learn_board(told, here.store.photos, equipment))
        answer: Body = plain(TaughtBoardView(made.id, len(sent.cells), says(made)))
        return answer

    return queue(match, 0, learned)


@bp.app_context_processor
def _for_templates() -> dict[str, Callable[..., Any]]:
    return {
        "board_says": lambda match: says(BoardStore(parts().store).used(match)),
        "board_named": named,
        "board_used": lambda match: BoardStore(parts().store).used(match),
        "boards_taught": _taught,
    }


def _taught(match: str) -> list[StoredBoard]:
    here = parts()
    board = matches.equipment(matches.load(here.store, match)).board
    return [] if board is None else BoardStore(here.store).all(board)


@bp.post("/m/<match_id>/board")
def choose(match_id: str) -> AnyResponse:
    """Look for the chosen board, or for the printed one."""
    row = parts().store.match(match_id)
    BoardStore(parts().store).use(row.id, request.form.get("board") or None)
    return redirect(url_for("teach.pieces_page", match_id=row.id), 303)


@bp.post("/m/<match_id>/board/forget")
def forget(match_id: str) -> AnyResponse:
    """Forget a board that this match taught, for every match of this server; raises NotYours."""
    row = parts().store.match(match_id)
    BoardStore(parts().store).forget(row.id, request.form.get("board", ""))
    return redirect(url_for("teach.pieces_page", match_id=row.id), 303)
