"""Gords: its house rules."""

from __future__ import annotations

import re
from collections import Counter

from scorer.messages import _, raw
from scorer.settings import Setting, choice
from scorer.values import shown
from scorer.words import colour as colour_word

TITLE = "Gords"
SEATS = range(2, 7)
HAND = 5  # dice of each player
NUMBERS = range(1, 21)  # number places of the two documented boards
COLOURS = ("red", "blue", "green", "yellow", "orange", "purple")
MARKER = "white"  # the colour of the die that shows the bid
PALETTE = (*COLOURS, "pink", "black", "grey", "brown", "clear")  # what players' dice may be


def _listed(value: object) -> tuple[str, ...]:
    """Return a list of words, sent as a list or typed with commas or blanks between them."""
    words = re.findall(r"[^\s,]+", value) if isinstance(value, str) else value
    if not isinstance(words, (list, tuple)) or not all(isinstance(word, str) for word in words):
        raise ValueError(_("expected a list of words, not {value}", value=raw(shown(value))))
    if not words:
        raise ValueError(_("expected at least one word"))
    for word, count in Counter(words).items():
        if count > 1:
            raise ValueError(_("{word} stands there {count} times", word=raw(word), count=count))
    return tuple(words)


def _track(value: object) -> tuple[str, ...]:
    track = _listed(value)
    for place in track:
        if not re.fullmatch(r"[1-9][0-9]?\*?", place):
            raise ValueError(
                _(
                    "a place is a number or a star, like 4 or 2*, not {place}",
                    place=raw(repr(place)),
                )
            )
    return track


def _colours(value: object) -> tuple[str, ...]:
    colours = _listed(value)
    if MARKER in colours:
        raise ValueError(_("the white die shows the bid, so no player has white dice"))
    return colours


def _apart(value: object) -> tuple[str, ...]:
    given = Counter(value) if isinstance(value, (list, tuple)) else Counter[object]()
    for colour, count in given.items():
        if count > 1:
            raise ValueError(
                _(
                    "{count} players cannot all have {colour} dice; change some of them",
                    count=count,
                    colour=colour_word(str(colour)),
                )
            )
    return _colours(value)


SETTINGS = (
    Setting(
        "track",
        _("The order of numbers and stars on your board"),
        "half_before",
        {
            "half_before": _("1 1* 2 3 2* 4 5 3* 6 …: each star before the number twice as high"),
            "half_after": _("1 2 1* 3 4 2* 5 6 3* …: each star after the number twice as high"),
        },
        "GD-A1",
        read=_track,
        example="1, 2, 1*, 3, 4, 2*, 5, 6, 3*",
    ),
    choice(
        "ones_on_number_space",
        _("Bidding ones on a number place"),
        "GD-A2",
        {False: _("Not allowed: ones have the stars"), True: _("Allowed: then only ones count")},
    ),
    choice(
        "call_by",
        _("Who may call a bid"),
        "GD-A3",
        next=_("Only the next player"),
        anyone=_("Everybody but the bidder"),
    ),
    choice(
        "cap_at_dice_in_play",
        _("Bidding more dice than are in play"),
        "GD-A6",
        {False: _("Allowed: it can only be a bluff"), True: _("Not allowed")},
    ),
    choice(
        "exact",
        _("When a called bid is exactly right"),
        "GD-A7",
        none=_("The caller loses a die"),
        all_others_lose=_("Everybody but the bidder loses one"),
    ),
    choice(
        "loss",
        _("How many dice a call costs"),
        "GD-A15",
        one=_("One die"),
        difference=_("As many as the bid was off, at least one"),
    ),
    Setting(
        "colours",
        _("The colours of the dice, first player first"),
        COLOURS,
        rule="GD-1",
        read=_apart,
        example="red, blue, green",
        per_seat=PALETTE,
    ),
)
