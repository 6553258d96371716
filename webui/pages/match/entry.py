"""The entry panel: what a game declares (`scorer.entry`), with the words and points of each move.

A key that makes a move by itself is a button that sends it. Of a pad with more groups a script
needs what each combination makes; without scripts the moves are a list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import Any

from scorer import Game, dump_move
from scorer.entry import (
    DicePad,
    HandsPad,
    Pad,
    PadKey,
    RollPad,
    SheetPad,
    TableEntry,
    Taps,
    TilePad,
    die_keys,
    tile_keys,
)
from scorer.messages import figure
from scorer.phases import fault
from webui.languages import said
from webui.match.allowed import playable
from webui.match.match import Match
from webui.match.summary import sentence


@dataclass(frozen=True, slots=True)
class TapsView:
    """A move by taps: its keys, its words, what it leads to; or why it is illegal, and the rule."""

    keys: tuple[str, ...]
    words: str
    leads: str = ""
    button: str = ""
    score: str = ""  # of the player, before and after
    move: dict[str, Any] | None = None
    rule: str = ""


@dataclass(frozen=True, slots=True)
class KeyView:
    """A key with its name; of a pad of one group with its move."""

    drawn: PadKey
    text: str
    name: str
    taps: TapsView | None = None


@dataclass(frozen=True, slots=True)
class PlainView:
    """The moves of a key, listed where scripts are off; of many moves those of the chosen key."""

    name: str
    key: str
    moves: tuple[TapsView, ...]


@dataclass(frozen=True, slots=True)
class PadView:
    """The groups of a pad with their labels; `data` is for a script, `plain` a list of moves."""

    groups: tuple[tuple[str, tuple[KeyView, ...]], ...]
    at_once: bool
    data: list[Mapping[str, Any]] | None = None
    plain: tuple[PlainView, ...] = ()


@dataclass(frozen=True, slots=True)
class DicePadView:
    """A pad of dice: its label, `data` for a script, `plain` a list of moves."""

    label: str
    faces: tuple[PadKey, ...]
    data: Mapping[str, Any]
    plain: tuple[TapsView, ...] = ()


@dataclass(frozen=True, slots=True)
class TilePadView:
    """A hand of dominoes: its label and keys, `data` for a script, `plain` a list of moves."""

    label: str
    keys: tuple[PadKey, ...]
    data: Mapping[str, Any]
    plain: tuple[PlainView, ...]


@dataclass(frozen=True, slots=True)
class RollPadView:
    """A roll to tap in: its label, the colours with the number of their dice, `data`."""

    label: str
    colours: Mapping[str, int]
    faces: tuple[PadKey, ...]
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SheetPadView:
    """A sheet: `data` for a script, `plain` a list of moves."""

    data: Mapping[str, Any]
    plain: tuple[PlainView, ...]


@dataclass(frozen=True, slots=True)
class NumberField:
    """A number to type: its label, its range, and the resulting move."""

    asks: str
    low: int
    high: int
    made: dict[str, Any]  # the `move` as JSON data, and the `field` for the number


@dataclass(frozen=True, slots=True)
class EntryView:
    """What can be entered at a table."""

    title: str
    pads: tuple[PadView, ...]
    buttons: tuple[TapsView, ...]
    dice: DicePadView | None = None
    tiles: TilePadView | None = None
    hands: Mapping[str, Any] | None = None  # for a script
    numbers: tuple[NumberField, ...] = ()
    roll: RollPadView | None = None
    sheet: SheetPadView | None = None


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


MANY = 60  # moves that one list may have


def entries(match: Match, chosen: str = "") -> tuple[EntryView, ...]:
    """Return what can be entered now, () where moves are said in words; *chosen* is a plain key."""
    if not playable(match):
        return ()
    shown = _Shown(match, chosen)
    return tuple(map(shown.entry, match.rules().entry(match.state)))


class _Shown:
    """A match as its entries are shown: its legal moves in words, its names, its score."""

    def __init__(self, match: Match, chosen: str) -> None:
        self._match, self._game, self._chosen = match, match.rules(), chosen
        self._words = {spoken.move: spoken.text for spoken in match.spoken()}

    def entry(self, declared: TableEntry) -> EntryView:
        pads = tuple(map(self._pad, declared.pads))
        buttons = tuple(self._taps(taps, scored=True) for taps in declared.buttons)
        dice = self._dice(declared.dice) if declared.dice else None
        tiles = self._tiles(declared.tiles) if declared.tiles else None
        hands = self._hands(declared.hands) if declared.hands else None
        return EntryView(
            self._say(declared.title),
            pads,
            buttons,
            dice,
            tiles,
            hands,
            () if declared.title else self._numbers(),
            self._roll(declared.roll) if declared.roll else None,
            self._sheet(declared.sheet) if declared.sheet else None,
        )

    def _sheet(self, pad: SheetPad) -> SheetPadView:
        plain = []
        for name, moves in pad.halves:
            made = (self._taps(Taps(move), scored=False) for move in moves)
            said_name = sentence(self._say(name))
            plain.append(PlainView(said_name, said_name, tuple(made)))
        data = {"takes": [*map(asdict, pad.takes)], "sums": pad.sums}
        return SheetPadView(data, self._few(plain))

    def _few(self, plain: Sequence[PlainView]) -> tuple[PlainView, ...]:
        """Return the lists; if they are long, the moves of the chosen key alone."""
        if sum(len(one.moves) for one in plain) <= MANY:
            return tuple(plain)
        return tuple(one if one.key == self._chosen else replace(one, moves=()) for one in plain)

    def _numbers(self) -> tuple[NumberField, ...]:
        return number_fields(self._game, self._match.state, self._match.names)

    def _roll(self, pad: RollPad) -> RollPadView:
        data = {"colours": pad.colours, "roll": dump_move(pad.roll)}
        return RollPadView(sentence(self._say(pad.label)), pad.colours, die_keys(), data)

    def _hands(self, pad: HandsPad) -> Mapping[str, Any]:
        hands = [
            {
                "who": self._say(hand.who),
                "colour": hand.colour,
                "number": hand.number,
                "move": dump_move(hand.move),
            }
            for hand in pad.hands
        ]
        ends = [sentence(self._say(end)) for end in pad.ends]
        return {"hands": hands, "counting": pad.counting, "before": pad.before, "ends": ends}

    def _tiles(self, pad: TilePad) -> TilePadView:
        move, keys = dump_move(pad.move), tile_keys(pad.hand)
        data = {
            "hand": pad.hand,
            "lying": pad.lying,
            "move": move,
            "outcomes": [
                {
                    "says": sentence(self._say(placed.says), "."),
                    "rule": placed.rule,
                    "button": self._say(placed.button),
                    "score": self._say(placed.score),
                    "worth": placed.worth,
                }
                for placed in pad.outcomes
            ],
            "places": pad.places,
        }
        return TilePadView(sentence(self._say(pad.label)), keys, data, self._lays(keys, move))

    def _lays(self, keys: Sequence[PadKey], pattern: Mapping[str, Any]) -> tuple[PlainView, ...]:
        """Return the tiles of a hand, the chosen one with the moves that lay it."""
        fixed = pattern.keys() - {"tile", "cells"}
        found = [
            TapsView((), one.text, move=move)
            for one in self._match.spoken()
            if all((move := dump_move(one.move)).get(part) == pattern[part] for part in fixed)
        ]
        made: dict[str, list[TapsView]] = {key.value: [] for key in keys}
        for taps in found:
            assert taps.move
            made["-".join(map(str, taps.move["tile"]))].append(taps)
        return tuple(
            PlainView(key, key, tuple(taps) if key == self._chosen else ())
            for key, taps in made.items()
            if taps
        )

    def _dice(self, pad: DicePad) -> DicePadView:
        seat = self._game.to_move(self._match.state)[0]
        data = {
            "number": pad.number,
            "anew": pad.anew,
            "lying": pad.lying,
            "roll": pad.roll and dump_move(pad.roll),
            "worth": {"".join(map(str, dice)): points for dice, points in pad.worth.items()},
            "before": pad.before,
            "score": self._game.earned(self._match.state)[seat],
            "why": sentence(self._say(pad.why), "."),
            "rule": pad.rule,
            "keeps": [
                {
                    "move": dump_move(keeping.move),
                    "button": self._say(keeping.button),
                    "small": self._say(keeping.small),
                    "least": keeping.least,
                    "why": sentence(self._say(keeping.why), "."),
                    "rule": keeping.rule,
                }
                for keeping in pad.keeps
            ],
        }
        plain: tuple[TapsView, ...] = ()
        if pad.lying:
            spoken = self._match.spoken()
            plain = tuple(TapsView((), one.text, move=dump_move(one.move)) for one in spoken)
        return DicePadView(sentence(self._say(pad.label)), die_keys(), data, plain)

    def _say(self, text: str) -> str:
        return said(text, self._match.names)

    def _pad(self, pad: Pad) -> PadView:
        made = [self._taps(taps, scored=not pad.at_once) for taps in pad.taps]
        alone = {taps.keys[0]: taps for taps in made} if len(pad.groups) == 1 else {}
        groups = []
        for group in pad.groups:
            label = sentence(self._say(group.label))
            keys = tuple(self._key(key, label, alone.get(key.value)) for key in group.keys)
            groups.append((label, keys))
        data = None if alone and pad.at_once else [*map(_sent, made)]
        if data is None:
            return PadView(tuple(groups), pad.at_once)
        names = {
            key.drawn.value: label if alone else key.name
            for label, keys in groups[:1]
            for key in keys
        }
        plain = self._few([*_listed(made, names)])
        return PadView(tuple(groups), pad.at_once, data, plain)

    def _key(self, key: PadKey, label: str, taps: TapsView | None) -> KeyView:
        shown = self._say(key.text)
        name = f"{label}: {shown or ' '.join(map(str, key.pips))}"
        if taps is not None:
            name = ": ".join(filter(None, (sentence(taps.words), taps.leads)))
        return KeyView(key, shown, name, taps)

    def _taps(self, taps: Taps, *, scored: bool) -> TapsView:
        state, move = self._match.state, taps.move
        if move not in self._words:
            refused = fault(self._game.apply, state, move)
            if refused is None:  # legal, but not among those that are listed
                return self._legal(taps, self._say(self._game.describe(state, move)), scored)
            reason = sentence(self._say(refused.reason), ".")
            return TapsView(taps.keys, reason, rule=refused.rule)
        return self._legal(taps, self._words[move], scored)

    def _legal(self, taps: Taps, words: str, scored: bool) -> TapsView:
        leads, button = self._say(taps.leads), self._say(taps.button)
        score = self._score(taps.move) if scored else ""
        return TapsView(taps.keys, words, leads, button, score, dump_move(taps.move))

    def _score(self, move: Any) -> str:
        """Return the score of the player in turn before and after a move, "" if it stays."""
        game, state = self._game, self._match.state
        seats = game.to_move(state)
        if len(seats) != 1:
            return ""
        before, after = (game.earned(s)[seats[0]] for s in (state, game.apply(state, move)))
        return "" if before == after else f"{figure(before)} → {figure(after)}"


def _sent(taps: TapsView) -> Mapping[str, Any]:
    """Return what a script needs of a move by taps."""
    if taps.move is None:
        return {"keys": taps.keys, "why": taps.words, "rule": taps.rule}
    words = {"leads": taps.leads, "button": taps.button, "score": taps.score}
    given = {name: text for name, text in words.items() if text}
    return {"keys": taps.keys, "words": taps.words, "move": taps.move, **given}


def _listed(made: Sequence[TapsView], names: Mapping[str, str]) -> Iterator[PlainView]:
    """Yield the legal moves, each once, below the *names* of the first of their keys."""
    listed: list[str] = []
    for name, alike in groupby(made, key=lambda taps: names[taps.keys[0]]):
        moves = [taps for taps in alike if taps.move and taps.words not in listed]
        listed += [taps.words for taps in moves]
        if moves:
            yield PlainView(name, moves[0].keys[0], tuple(moves))
