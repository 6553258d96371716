"""The sample sheet: every component in every state, with made-up players. In development only."""

from typing import Any

from flask import Blueprint, abort, current_app, render_template, url_for

from scorer.games import GAMES
from webui.http.roles import least
from webui.pages.drawings.chart import chart
from webui.pages.drawings.pegs import pegs
from webui.pages.match.last_photo import LineSum, SeenPhoto
from webui.store.tables.phones import Role

bp = Blueprint("style", __name__)

PEOPLE = ("Mia", "Tom", "Ada", "Bartholomäus", "Cleo", "Friederike")
# Scores of a race to 50, and of longer ones with more players; gains of the last step.
TALLIES = (
    ((34, 22), (4, 4), 50),
    ((71, 100, 64), (7, 12, 0), 100),
    ((-12, 8, 31, 5), (-6, 0, 9, 0), None),
    ((10450, 8300, 950, 0, 4650, 7200), (450, 0, 0, 0, -50, 1000), 10000),
)
RACE = ((0, 0), (5, 3), (9, 7), (15, 9), (18, 14), (23, 17), (30, 18), (34, 22))
LINES = (
    (0, 1, "row 1: 5 + 2 + 3 = 10, even: white", [[0, 0], [0, 1], [0, 2]]),
    (1, 1, "column 2: 2 + 4 + 3 = 9, odd: black", [[0, 1], [1, 1], [2, 1]]),
    (0, 5, "a run of five pays five", [[0, 2], [1, 1], [2, 0]]),
)
# On the sample photo (static/samples/purple_house.jpg, 1600 x 1200): sure dice and a doubtful one.
DICE = (
    (5, "black", True, [[659, 187], [721, 136], [797, 175], [736, 228]]),
    (2, "white", False, [[865, 225], [955, 198], [1000, 261], [908, 290]]),
    (3, "black", True, [[1088, 271], [1190, 288], [1179, 362], [1073, 343]]),
)


@bp.get("/style")
@least(Role.ANYBODY)
def page() -> str:
    """Show the sample sheet; 404 except in development."""
    if not current_app.debug:
        abort(404)
    return render_template(
        "style.html",
        people=PEOPLE,
        games=list(GAMES.values()),
        tallies=[_tally(*sample) for sample in TALLIES],
        chart=chart(PEOPLE[:2], RACE, 50),
        part={"lines": [_line(*line) for line in LINES]},
        grid={"rows": 3, "columns": 3},
        photo=_photo(),
    )


def _tally(scores: tuple[int, ...], gains: tuple[int, ...], target: int | None) -> dict[str, Any]:
    drawn = pegs(PEOPLE[: len(scores)], scores, gains, target)
    longest = max(len(str(points)) for points in scores)
    return {"scores": scores, "gains": gains, "pegs": drawn, "digits": longest}


def _line(seat: int, points: int, text: str, cells: list[list[int]]) -> dict[str, Any]:
    facts = {"seat": seat, "name": PEOPLE[seat], "points": points}
    return {**facts, "text": text, "cells": cells}


def _photo() -> SeenPhoto:
    dice = [
        {"value": value, "color": colour, "sure": sure, "quad": quad, "cell": [0, at]}
        for at, (value, colour, sure, quad) in enumerate(DICE)
    ]
    tags = [
        {"box": [quad[0][0] - 20, quad[2][1] + 30, 60, 60], "to": quad[3], "text": text}
        for (_, _, _, quad), text in zip(DICE, ("5", "2?", "3"), strict=True)
    ]
    crops = ("668 121 120 120", "872 182 120 120", "1072 255 120 120")
    return SeenPhoto(
        seq=7,
        src=url_for("static", filename="samples/purple_house.jpg"),
        reading={
            "width": 1600,
            "height": 1200,
            "dice": dice,
            "tiles": [],
            "marks": [],
            "board": None,
        },
        views=[{"frame": [560, 60, 800, 420], "unit": 2.2, "dice": tags, "tiles": []}],
        cells={},
        sums=(LineSum(1285, 330, 10, 0),),
        crops=(crops,) * len(LINES),
    )
