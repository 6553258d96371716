"""The JSON answered to each kind of order, on a server or by a worker elsewhere."""

from collections.abc import Callable, Mapping

from webui.api.answers.history import photo_path
from webui.api.answers.photos import SeenView, TaughtBoardView, TaughtView, WholeView, sighting_view
from webui.api.answers.proposals import proposal_view
from webui.jobs.order import Body, Order, OrderKind
from webui.match import match as matches
from webui.match.photo import Desk, Judged, complete, judge, judge_again
from webui.match.taught import board_says, dice_say
from webui.store.taught import TaughtTable


def perform(desk: Desk, order: Order, photo: bytes | None) -> Body:
    """Do an order with the services of a *desk*; return the body of its answer."""
    return WAYS[order.kind](desk, order, photo or b"")


def _read(desk: Desk, order: Order, photo: bytes) -> SeenView:
    part = order.data.get("part")
    given = {} if part is None else {"part": part}
    return _seen(desk, judge(desk, order, photo, **given))


def _read_again(desk: Desk, order: Order, _sent: bytes) -> SeenView:
    return _seen(desk, judge_again(desk, order))


def _seen(desk: Desk, judged: Judged) -> SeenView:
    store, doubts = desk.store, judged.sight.doubts
    view = proposal_view(store, judged.match, judged.table, judged.proposed, doubts=doubts)
    return {**sighting_view(store, judged.sighting), "proposal": view}


def _follow(desk: Desk, order: Order, photo: bytes) -> WholeView:
    return WholeView(photo=photo_path(order.match_id, complete(desk, order, photo).photo))


def _learn_dice(desk: Desk, order: Order, _sent: bytes) -> Body:
    store, match_id, lessons = desk.store, order.match_id, order.data["lessons"]
    equipment = matches.equipment(matches.load(store, match_id))
    names = [one["photo"] for one in lessons]
    photos = {photo: store.photo_files.read(photo) for photo in names}  # raises if one is damaged
    learned = desk.eyes.learn(lessons, photos, equipment)
    made = TaughtTable(store, "dice").keep(match_id, learned, order.id, lessons=lessons)
    return TaughtView(pieces=made.id, faces=made.faces, says=dice_say(made))


def _learn_board(desk: Desk, order: Order, _sent: bytes) -> Body:
    store, match_id, board = desk.store, order.match_id, order.data["board"]
    equipment = matches.equipment(matches.load(store, match_id))
    photo = store.photo_files.read(order.data["photo"])  # of a damaged photo nothing is learned
    learned = desk.eyes.learn_board(board, photo, equipment)
    made = TaughtTable(store, "board").keep(match_id, learned, order.id, name=equipment.board)
    return TaughtBoardView(board=made.id, cells=len(board["cells"]), says=board_says(made))


WAYS: Mapping[OrderKind, Callable[[Desk, Order, bytes], Body]] = {
    "photo": _read,
    "whole": _follow,
    "corners": _read_again,
    "dice": _learn_dice,
    "board": _learn_board,
}
