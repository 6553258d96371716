"""The coach at a terminal: it plays its seat, and advises if the players agreed to advice."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator, Sequence

from scorer import Advice, HandPiece, NoAdvice, named
from scorer.messages import ENGLISH, _, ngettext, raw, translated
from webui.match.advice import BY_HEART, at_table, complete, table_of_turn
from webui.match.coach import WrongHand, advise_now, ask, check_coached, read_hand
from webui.terminal import console
from webui.terminal.typed_match import TypedMatch

BEST = 3  # pieces of advice shown
SHOWN = 12  # those of `pipsight coach`; its JSON has all


def let_coach_play(match: TypedMatch, hand: Sequence[HandPiece] = ()) -> None:
    """Make the coach's moves until a person or its dice are needed.

    *hand* is its typed hand for the next move.
    """
    while _is_next(match) and _move_of_coach(match, hand):
        hand = ()


def _move_of_coach(match: TypedMatch, hand: Sequence[HandPiece]) -> bool:
    """Make one move of the coach; return True if it could."""
    assert match.coach is not None
    try:
        advice = ask(match.game, match.state, hand)
    except NoAdvice as fault:
        match.say(match.words(fault.sentence))
        return False
    advice = at_table(advice, table_of_turn(match.game, match.state, match.coach))
    if not advice:
        return False  # there is no choice, and the prompt has said what is due
    best, name = advice[0], raw(match.names[match.coach])
    thinks = match.words(_("{name} thinks.", name=name))
    match.say(f"\n{thinks} {match.words(best.why)}")
    move = complete(match.game, match.state, best)
    if move is None:
        match.say(_("Throw the dice for {name}, and type them.", name=name))
        return False
    return match.make([move])


def _is_next(match: TypedMatch) -> bool:
    return table_of_turn(match.game, match.state, match.coach) is not None


def not_agreed(match: TypedMatch) -> set[str]:
    """Return the commands disabled by the players' agreement."""
    asks = match.settings.get("advice", False) or _is_next(match)
    return set() if asks and match.game.coach is not None else {"best"}


def say_best(match: TypedMatch, typed: str) -> None:
    """Print advice for a typed hand; the coach plays it if it is its turn."""
    try:
        hand = read_hand(typed) if typed else ()
        if _is_next(match):
            let_coach_play(match, hand)
            return
        check_coached(match.game)
        if "best" in not_agreed(match):
            match.say(BY_HEART)
            match.say(f"  pipsight play {match.game.name} --set advice=on")
            return
        advice = advise_now(match.game, match.state, match.names, hand)
    except (NoAdvice, WrongHand) as fault:
        match.say(*fault.args)
        return
    for line in lines(advice, match.names, BEST, match.language):
        match.say(line)


def lines(
    advice: Sequence[Advice], names: Sequence[str], most: int = SHOWN, language: str = ENGLISH
) -> Iterator[str]:
    """Yield the best *most* choices as numbered lines."""
    width = max(console.NARROWEST, min(console.width(), shutil.get_terminal_size().columns))
    for place, choice in enumerate(advice[:most], start=1):
        why = translated(named(choice.why, names), language)
        yield textwrap.fill(
            why[:1].upper() + why[1:],
            width,
            initial_indent=f"{place:2}. ",
            subsequent_indent="    ",
        )
    if most == SHOWN < len(advice):
        more = ngettext("{n} more choice: --json", "{n} more choices: --json", len(advice) - SHOWN)
        yield f"    {translated(more, language)}"
