"""The house rules of Purple House: scoring, length, start."""

from __future__ import annotations

from scorer.messages import _
from scorer.settings import Setting, choice

TARGETS = {"base": 50, "harder": 50, "color_match": 25}
# What a round brings on average where the fewest points win: half of the eight lines, and of the
# one-colour lines of a full grid 168/126 in two shares (FACTS, "Colour-match"), rounded.
FAIR_BYES = {"harder": 4, "color_match": 1}
TITLE = "Purple House Even & Odd"
SOLO, TWO, MANY = range(1, 2), range(2, 3), range(3, 65)  # players: alone, a race, a tournament
SEATS = range(1, 65)


def _bye(value: object) -> int:
    if type(value) is not int or not 0 <= value <= 8:
        raise ValueError(_("sitting out brings 0 to 8 points, or usual"))
    return value


def _target(value: object) -> int:
    if type(value) is not int or not 1 <= value <= 1000:
        raise ValueError(_("the target is a whole number from 1 to 1000, or usual"))
    return value


SETTINGS = (
    choice(
        "variant",
        _("Which game you play"),
        "PH-5",
        base=_("Even & Odd: every line counts, the most points win"),
        harder=_("A harder game: every line counts, the fewest points win"),
        color_match=_("An even harder game: only lines of one colour count"),
    ),
    choice(
        "match",
        _("How long two players play"),
        "PH-6",
        seats=TWO,
        race=_("Rounds until somebody reaches the target"),
        single=_("One round"),
    ),
    Setting(
        "target",
        _("Points that end the race; the round is always finished"),
        "usual",
        {
            "usual": _("50, or 25 in the even harder game"),
            25: _("25 points"),
            50: _("50 points"),
            100: _("100 points"),
        },
        "PH-6",
        read=_target,
        only_if=("match", ("race",)),
        example="75",
        seats=TWO,
    ),
    choice(
        "race_tie",
        _("When a race ends level"),
        "PH-A3",
        only_if=("match", ("race",)),
        seats=TWO,
        extra_round=_("Play another round"),
        draw=_("It is a draw"),
    ),
    choice(
        "single_round_tie",
        _("When a single round ends level"),
        "PH-A2",
        only_if=("match", ("single",)),
        seats=TWO,
        draw=_("It is a draw"),
        replay=_("Play it again"),
    ),
    choice(
        "colours_between_rounds",
        _("Colours from round to round"),
        "PH-A4",
        seats=range(2, 65),
        keep=_("Everybody keeps the colour"),
        swap=_("Players swap colours after each round"),
        choose_again=_("Whoever does not start chooses again"),
    ),
    choice(
        "later_starts",
        _("Who starts the rounds after the first"),
        "PH-2",
        seats=range(2, 65),
        alternate=_("The players take turns starting"),
        free=_("Whoever puts the first die down"),
    ),
    choice(
        "color_match_owner",
        _("Even harder game: who gets a one-colour line"),
        "PH-A7",
        only_if=("variant", ("color_match",)),
        parity=_("Odd sums are black's, even sums white's, whatever the dice's colour"),
        own_colour_only=_("Only the player of that colour, and only with the right parity"),
    ),
    choice(
        "color_match_misere",
        _("Even harder game: reversed aim"),
        "PH-A8",
        {False: _("The most points win"), True: _("The fewest points win")},
        only_if=("variant", ("color_match",)),
    ),
    Setting(
        "tournament_rounds", _("Tournament: rounds to play"), 4, range(1, 51), "PH-7", seats=MANY
    ),
    choice(
        "tournament_tied_round",
        _("Tournament: when a round ends level"),
        "PH-A6",
        seats=MANY,
        replay=_("It counts, and a replay that does not count decides who moves on"),
        second_moves=_("It counts, and the player who did not start moves on"),
    ),
    Setting(
        "bye_points",
        _("Tournament: points for sitting out, with an odd number of players"),
        "usual",
        {
            "usual": _(
                "Nothing; if the fewest points win, what a round scores on average: 4, or 1 in "
                "the even harder game"
            ),
            0: _("Nothing"),
        },
        "PH-A6",
        read=_bye,
        example="4",
        seats=MANY,
    ),
    choice(
        "tournament_tie",
        _("Tournament: when the best totals are level"),
        "PH-A6",
        seats=MANY,
        shared=_("The place is shared"),
        extra_round=_("Everybody plays another round"),
    ),
    choice(
        "solo_start",
        _("Solo: which colour is placed first"),
        "PH-A9",
        seats=SOLO,
        free=_("Either"),
        named=_("The colour you named"),
        other=_("The colour you did not name"),
    ),
)
