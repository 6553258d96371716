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
from webui.services import services
from webui.store.boards import BoardStore, StoredBoard
from webui.store.log import Store

bp = Blueprint("boards_api", __name__)


def says(used: StoredBoard | None) -> str:
    """Return a sentence on the board that photos of a match are read on, if it was taught."""
    return "" if used is None else f"They are read on {named(used)}."


def named(one: StoredBoard) -> str:
    """Return the words for a taught board."""
    return f"our board, taught on {clock(one.at)}"


def used_by(store: Store, match_id: str) -> Mapping[str, Any] | None:
    """Return the board that a match uses as it was learned, None if it uses none."""
    used = BoardStore(store).used(match_id)
    return None if used is None else used.learned


@bp.post("/api/matches/<match_id>/board")
def remember(match_id: str) -> Answer:
    """Learn the board on a photo of it empty, and look for it from now on."""
    sent = body(TeachBoard)
    check_room(match_id)
    store, learn = services().store, services().learn_board
    equipment = matches.equipment(matches.load(store, match_id))
    board = equipment.board
    if board is None:
        raise NotRead(NO_BOARD)
    seen = store.sighting(match_id, sent.sighting)
    store.photo_files.path(seen.photo)  # of a damaged photo nothing is learned
    told: TaughtBoard = {
        "photo": seen.photo,
        "width": seen.reading["width"],
        "corners": sent.corners,
        "cells": sent.cells,
    }
    boards = BoardStore(store)

    def learned() -> Body:
        made = boards.keep(match_id, board, learn(told, store.photos, equipment))
        answer: Body = plain(TaughtBoardView(made.id, len(sent.cells), says(made)))
        return answer

    return queue(match_id, 0, learned)


@bp.app_context_processor
def _for_templates() -> dict[str, Callable[..., Any]]:
    return {
        "board_says": lambda match_id: says(BoardStore(services().store).used(match_id)),
        "board_named": named,
        "board_used": lambda match_id: BoardStore(services().store).used(match_id),
        "boards_taught": _taught,
    }


def _taught(match_id: str) -> list[StoredBoard]:
    board = matches.equipment(matches.load(services().store, match_id)).board
    return [] if board is None else BoardStore(services().store).all(board)


@bp.post("/m/<match_id>/board")
def choose(match_id: str) -> AnyResponse:
    """Look for the chosen board, or for the printed one."""
    row = services().store.match(match_id)
    BoardStore(services().store).use(row.id, request.form.get("board") or None)
    return redirect(url_for("teach.pieces_page", match_id=row.id), 303)


@bp.post("/m/<match_id>/board/forget")
def forget(match_id: str) -> AnyResponse:
    """Forget a board that this match taught, for every match of this server; raises NotYours."""
    row = services().store.match(match_id)
    BoardStore(services().store).forget(row.id, request.form.get("board", ""))
    return redirect(url_for("teach.pieces_page", match_id=row.id), 303)
