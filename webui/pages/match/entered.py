"""The number fields of the entry panel, and the moves that its form sends."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scorer import Game, Malformed, dump_move
from scorer.messages import _
from scorer.sentence import with_dice
from webui.http.bodies import FormFields, load_json
from webui.languages import said


@dataclass(frozen=True, slots=True)
class NumberField:
    """A number to type: its label, its range, and the resulting move."""

    asks: str
    low: int
    high: int
    made: dict[str, Any]  # the `move` as JSON data, and the `field` for the number


def number_fields(
    game: Game[Any, Any], state: Any, names: Sequence[str]
) -> tuple[NumberField, ...]:
    """Return the number fields of *state*."""
    return tuple(
        NumberField(
            said(one.asks, names),
            *(one.numbers[0], one.numbers[-1]),
            {"move": dump_move(one.move), "field": one.field},
        )
        for one in game.typed(state)
    )


def entered(game: Game[Any, Any], form: FormFields) -> list[dict[str, Any]]:
    """Return the moves of a form: typed dice, or numbers before the buttons; raises Malformed."""
    if "roll" in form:
        return [dump_move(with_dice(game, _object(form["roll"]), form.get("dice", "")))]
    sent = form.getlist("move") if "number" in form else form.getlist("move") or [""]
    pressed = [_object(move) for move in sent]
    typed = not pressed or any(number.strip() for number in form.getlist("number"))
    return [*(_typed_moves(form) if typed else ()), *pressed]


def _object(sent: str) -> dict[str, Any]:
    try:
        return dict(load_json(sent))
    except (ValueError, TypeError):
        raise Malformed(_("Choose one of the moves on this page.")) from None


def _typed_moves(form: FormFields) -> list[dict[str, Any]]:
    moves = []
    for number, made in zip(form.getlist("number"), form.getlist("made"), strict=False):
        if number.strip():
            try:
                filled = dict(load_json(made))
                moves.append({**filled["move"], filled["field"]: int(number)})
            except (ValueError, TypeError, KeyError):
                raise Malformed(_("Type a whole number, like 12.")) from None
    if not moves:
        raise Malformed(_("Type a whole number, like 12."))
    return moves
