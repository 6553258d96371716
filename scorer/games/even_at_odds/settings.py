"""Even at Odds: its house rules."""

from __future__ import annotations

from scorer.dominoes import LaidTiles, Lay, TileCells, names, read_lays
from scorer.errors import NotAMove
from scorer.match.offer import tournament_settings
from scorer.messages import _
from scorer.settings import House, Setting, choice

TITLE = "Even at Odds"
SEATS = range(1, 3)  # of one game; more play a tournament
# By number of players: the foundation as printed, row by row, and the rest of the box.
FOUNDATION = {1: [(n, 0) for n in (1, 6, 2, 5, 3, 4)], 2: [(n, n) for n in (1, 6, 2, 5, 3, 4)]}
CELLS: list[TileCells] = [((row, left), (row, left + 1)) for row in range(3) for left in (0, 2)]
PRINTED = {seats: LaidTiles(map(Lay, FOUNDATION[seats], CELLS)) for seats in FOUNDATION}
SETTINGS = (
    Setting(
        "foundation",
        _("How the six foundation tiles are arranged"),
        "as_printed",
        {
            "as_printed": _(
                "Three rows of two, touching: 1-1 6-6, 2-2 5-5, 3-3 4-4 (solo 1-0 6-0 …)"
            )
        },
        "EO-A1",
        read=read_lays,
        example="[[[1, 1], [[0, 0], [0, 1]]], [[6, 6], [[0, 2], [0, 3]]], …]",
    ),
    choice(
        "stack_match",
        _("Which half must match when you stack"),
        "EO-A2",
        face_on_face=_("A half must lie on its own number"),
        any_face=_("It is enough that one of the two numbers is covered"),
    ),
    choice(
        "blank_matches_blank",
        _("Whether two blanks match"),
        "EO-A4",
        {True: _("A blank matches a blank"), False: _("Blanks match nothing")},
    ),
    choice(
        "group_levels",
        _("Whether groups cross levels"),
        "EO-A6",
        top_view=_("Faces connect whatever their height"),
        same_level=_("Only faces on the same level connect"),
    ),
    choice(
        "no_move",
        _("When no tile of your hand can be laid"),
        "EO-A8",
        {"pass": _("You pass and keep your tiles"), "discard": _("You set a tile aside and draw")},
    ),
    choice(
        "match",
        _("How long two players play"),
        "EO-9",
        single=_("One game"),
        best_of_three=_("Until somebody has won two games"),
        game_scores=_("An agreed number of games; a win scores the difference of the groups"),
    ),
    Setting(
        "match_games",
        _("Games in a match; if the totals are level, another is played"),
        3,
        range(1, 22),
        "EO-A10",
        only_if=("match", ("game_scores",)),
    ),
    choice(
        "tiebreak_game_score",
        _("Points for a game won on the tie-break"),
        "EO-A10",
        {0: _("None: the groups were level"), 1: _("One point")},
        only_if=("match", ("game_scores",)),
    ),
    choice(
        "solo_isolated",
        _("Solo: which groups cost a point"),
        "EO-A11",
        all_but_largest=_("Every group but the largest of its team"),
        every_group=_("Every group"),
    ),
    choice(
        "solo_fail",
        _("Solo: when a tile fits nowhere or a number is missing after a turn"),
        "EO-A14",
        lost=_("The game is lost"),
        score_anyway=_("The game continues and counts"),
    ),
    *tournament_settings(),
)


def foundation(seats: int, house: House) -> tuple[Lay, ...]:
    """Return the six tiles the game begins with (EO-2, EO-10); raises NotAMove for others."""
    if house["foundation"] == "as_printed":
        return PRINTED[seats]
    laid = tuple(Lay(*placed) for placed in house["foundation"])
    wanted = FOUNDATION[seats]
    if sorted(lay.tile for lay in laid) != sorted((min(tile), max(tile)) for tile in wanted):
        raise NotAMove(_("foundation: it is made of {tiles}, each once", tiles=names(wanted)))
    return laid
