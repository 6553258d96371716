"""The entry panel: what a game declares (`scorer.entry`), with the words and points of each move.

A key that makes a move by itself is a button that sends it. Of a pad with more groups a script
needs what each combination makes; without scripts the moves are a list, and so are those that no
pad makes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain, groupby
from typing import Any
from zlib import crc32

from scorer import dump_move
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
from scorer.game import kind_of
from scorer.messages import figure
from scorer.phases import fault
from scorer.sentence import Spoken, in_words, listable, listed_moves, step
from webui.languages import language, said
from webui.match.advice import agreed, coach_seat, seat_now, table_of_turn
from webui.match.allowed import playable
from webui.match.match import Match
from webui.match.seats import movers_at
from webui.match.summary import sentence
from webui.pages.match.entered import NumberField, number_fields


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

    groups: tuple[tuple[str, tuple[KeyView, ...], int], ...]
    at_once: bool
    data: list[Mapping[str, Any]] | None = None
    plain: tuple[PlainView, ...] = ()
    first: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PiecesPad:
    """A pad of pieces that are tapped in any order, or laid: `data` is for its script."""

    data: Mapping[str, Any]
    label: str = ""
    keys: tuple[PadKey, ...] = ()
    plain: tuple[PlainView, ...] = ()
    colours: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EntryView:
    """What can be entered at a table, at a `moment`: another step there makes it another one."""

    title: str
    pads: tuple[PadView, ...]
    buttons: tuple[TapsView, ...]
    dice: PiecesPad | None = None
    tiles: PiecesPad | None = None
    hands: PiecesPad | None = None
    numbers: tuple[NumberField, ...] = ()
    roll: PiecesPad | None = None
    sheet: PiecesPad | None = None
    typed: Mapping[str, Any] | None = None  # the roll whose dice are typed
    others: tuple[PlainView, ...] = ()  # moves that no pad makes
    moment: int = 0
    asks: str = ""
    movers: frozenset[int] = frozenset()  # the seats to move at the table
    barred: str = ""  # why this phone may make none of the moves


MANY = 60  # moves that one list may have
FEW = 12  # of those that no pad makes


def entries(match: Match, chosen: str = "") -> tuple[EntryView, ...]:
    """Return what can be entered now; of long lists the moves below the key *chosen*."""
    if not playable(match):
        return ()
    declared, shown = match.rules().entry(match.state), _Shown(match, chosen)
    views = tuple(map(shown.entry, declared)) or (EntryView("", (), (), numbers=shown.numbers()),)
    taps = chain.from_iterable((*(pad.taps for pad in one.pads), one.buttons) for one in declared)
    made = {one.move for one in chain.from_iterable(taps)}
    kinds = {kind_of(move) for one in declared for move in _pieces(one)}
    others = (move for move in shown.legal if move not in made and kind_of(move) not in kinds)
    return (*views[:-1], shown.with_others(views[-1], [*map(shown.spoken, others)]))


def _pieces(declared: TableEntry) -> list[Any]:
    """Return the moves that are not tapped on a pad of keys, or a pattern of each."""
    dice, sheet = declared.dice, declared.sheet
    moves = [dice.roll, *(keeping.move for keeping in dice.keeps)] if dice else []
    moves += [hand.move for hand in declared.hands.hands] if declared.hands else []
    moves += [declared.tiles.move] if declared.tiles else []
    moves += [declared.roll.roll] if declared.roll else []
    moves += [move for _name, made in sheet.halves for move in made] if sheet else []
    return moves


class _Shown:
    """A match as its entries are shown: its legal moves, its names, its score."""

    def __init__(self, match: Match, chosen: str) -> None:
        self._match, self._game, self._chosen = match, match.rules(), chosen
        self.legal = dict.fromkeys(listed_moves(self._game, match.state))

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
            () if declared.title else self.numbers(),
            self._roll(declared.roll) if declared.roll else None,
            self._sheet(declared.sheet) if declared.sheet else None,
            _typed(declared),
            moment=crc32(repr((declared.title, declared.state)).encode())
            if declared.title
            else self._match.seq,
            asks=sentence(self._say(declared.asks), "."),
            movers=self._movers(declared),
        )

    def _movers(self, declared: TableEntry) -> frozenset[int]:
        taps = chain(*(pad.taps for pad in declared.pads), declared.buttons)
        first = next(iter((*_pieces(declared), *(one.move for one in taps))), None)
        return frozenset(movers_at(self._game, self._match.state, first))

    def with_others(self, view: EntryView, others: Sequence[Spoken]) -> EntryView:
        """Return *view* with the *others*: lists by the first words that differ, or typed dice."""
        listed = listable(others)
        moves = {one.move for one in listed}
        if typed := next((one for one in others if one.move not in moves), None):
            view = replace(view, typed=dump_move(typed.move))
        if len(listed) > FEW:
            return replace(view, others=tuple(self._by_words(listed)))
        return replace(view, others=(PlainView("", "", self._listed(listed)),) if listed else ())

    def _by_words(self, listed: Sequence[Spoken]) -> Iterator[PlainView]:
        """Yield lists by the next word; of the chosen one the moves, or its own lists."""
        reached = step(listed, ())
        for word in reached.following:
            below = step(listed, (*reached.said, word))
            key = " ".join(below.said)
            chosen = f"{self._chosen} ".startswith(f"{key} ")
            if chosen and len(below.left) > MANY:
                yield from self._by_words(below.left)
            else:
                shown = below.left if chosen else ()
                yield PlainView(sentence(key), key, self._listed(shown))

    def spoken(self, move: Any) -> Spoken:
        """Return a move in words: some states have thousands, of which pads make all but few."""
        return in_words(self._game, self._match.state, move, self._match.names, language())

    def _listed(self, spoken: Iterable[Spoken]) -> tuple[TapsView, ...]:
        return tuple(TapsView((), one.text, move=dump_move(one.move)) for one in spoken)

    def _sheet(self, pad: SheetPad) -> PiecesPad:
        plain = []
        for name, moves in pad.halves:
            made = (self._taps(Taps(move), scored=False) for move in moves)
            said_name = sentence(self._say(name))
            plain.append(PlainView(said_name, said_name, tuple(made)))
        takes, steps = [*map(asdict, pad.takes)], [*map(dump_move, pad.steps)]
        data = {"takes": takes, "sums": pad.sums, "spot": pad.spot, "steps": steps}
        return PiecesPad(data, plain=self._few(plain))

    def _few(self, plain: Sequence[PlainView]) -> tuple[PlainView, ...]:
        """Return the lists; if they are long, the moves of the chosen key alone."""
        if sum(len(one.moves) for one in plain) <= MANY:
            return tuple(plain)
        return tuple(one if one.key == self._chosen else replace(one, moves=()) for one in plain)

    def numbers(self) -> tuple[NumberField, ...]:
        """Return the number fields."""
        return number_fields(self._game, self._match.state, self._match.names)

    def _roll(self, pad: RollPad) -> PiecesPad:
        data = {"colours": pad.colours, "roll": dump_move(pad.roll)}
        return PiecesPad(data, keys=die_keys(), colours=pad.colours)

    def _hands(self, pad: HandsPad) -> PiecesPad:
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
        data = {"hands": hands, "counting": pad.counting, "before": pad.before, "ends": ends}
        return PiecesPad(data)

    def _tiles(self, pad: TilePad) -> PiecesPad:
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
        return PiecesPad(data, sentence(self._say(pad.label)), keys, self._lays(keys, move))

    def _lays(self, keys: Sequence[PadKey], pattern: Mapping[str, Any]) -> tuple[PlainView, ...]:
        """Return the tiles of a hand, the chosen one with the moves that lay it."""
        anywhere = {"tile": None, "cells": None}
        found = [
            TapsView((), self.spoken(legal).text, move=move)
            for legal in self.legal
            if (move := dump_move(legal)) | anywhere == {**pattern} | anywhere
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

    def _dice(self, pad: DicePad) -> PiecesPad:
        state, row = self._match.state, self._match.row
        coach = seat_now(state, len(row.names), coach_seat(row.settings))
        due = table_of_turn(self._game, state, coach)
        coached = bool(pad.roll) and dump_move(pad.roll).get("table", 0) == due
        data = {
            "number": pad.number,
            "anew": pad.anew,
            "lying": pad.lying,
            "roll": pad.roll and dump_move(pad.roll),
            "worth": {"".join(map(str, dice)): points for dice, points in pad.worth.items()},
            "before": pad.before,
            "score": pad.score,
            "asks": agreed(self._match) and not coached,  # what is kept of a roll that is known
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
                for keeping in (() if coached else pad.keeps)
            ],
        }
        label = sentence(self._say(pad.label))
        plain = self._listed(map(self.spoken, self.legal)) if pad.lying else ()
        return PiecesPad(data, label, die_keys(), (PlainView("", "", plain),) if plain else ())

    def _say(self, text: str) -> str:
        return said(text, self._match.names)

    def _pad(self, pad: Pad) -> PadView:
        made = [self._taps(taps, scored=not pad.at_once) for taps in pad.taps]
        alone = {taps.keys[0]: taps for taps in made} if len(pad.groups) == 1 else {}
        groups = []
        for group in pad.groups:
            label = sentence(self._say(group.label))
            keys = tuple(self._key(key, label, alone.get(key.value)) for key in group.keys)
            groups.append((label, keys, group.across))
        data = None if alone and pad.at_once else [*map(_sent, made)]
        if data is None:
            return PadView(tuple(groups), pad.at_once)
        names = {
            key.drawn.value: label if alone else key.name
            for label, keys, _across in groups[:1]
            for key in keys
        }
        plain = self._few([*_listed(made, names)])
        return PadView(tuple(groups), pad.at_once, data, plain, pad.first)

    def _key(self, key: PadKey, label: str, taps: TapsView | None) -> KeyView:
        shown = self._say(key.text)
        of, pips = label.partition(" · ")[0], " ".join(map(str, key.pips))
        name = sentence(self._say(key.name)) or f"{of}: {shown or pips}"
        if taps is not None:
            name = _named(shown, taps.leads, sentence(taps.words))
        return KeyView(key, shown, name, taps)

    def _taps(self, taps: Taps, *, scored: bool) -> TapsView:
        state, move = self._match.state, taps.move
        refused = None if move in self.legal else fault(self._game.apply, state, move)
        if refused is not None:
            reason = sentence(self._say(refused.reason), ".")
            return TapsView(taps.keys, reason, rule=refused.rule)
        return self._legal(taps, self.spoken(move).text, scored)

    def _legal(self, taps: Taps, words: str, scored: bool) -> TapsView:
        leads, button = self._say(taps.leads), self._say(taps.button)
        score = self._score(taps.move) if scored else ""
        return TapsView(taps.keys, words, leads, button, score, dump_move(taps.move))

    def _score(self, move: Any) -> str:
        game, state = self._game, self._match.state
        seats = game.to_move(state)
        if len(seats) != 1:
            return ""
        before, after = (game.earned(s)[seats[0]] for s in (state, game.apply(state, move)))
        return "" if before == after else f"{figure(before)} → {figure(after)}"


def _named(shown: str, leads: str, words: str) -> str:
    """Return the name of a key: what stands on it, as it stands there, and what it does."""
    said_so = not leads and shown.casefold() in words.casefold()
    parts = (shown, leads, words) if shown and not said_so else (words, leads)
    return ": ".join(filter(None, parts))


def _typed(declared: TableEntry) -> dict[str, Any] | None:
    """Return the roll whose dice are typed where scripts are off."""
    pad = declared.roll or declared.dice
    return dump_move(pad.roll) if pad and pad.roll else None


def _sent(taps: TapsView) -> Mapping[str, Any]:
    if taps.move is None:
        return {"keys": taps.keys, "why": taps.words, "rule": taps.rule}
    words = {"leads": taps.leads, "button": taps.button, "score": taps.score}
    given = {name: text for name, text in words.items() if text}
    return {"keys": taps.keys, "words": taps.words, "move": taps.move, **given}


def _listed(made: Sequence[TapsView], names: Mapping[str, str]) -> Iterator[PlainView]:
    listed: list[str] = []
    for name, alike in groupby(made, key=lambda taps: names[taps.keys[0]]):
        moves = [taps for taps in alike if taps.move and taps.words not in listed]
        listed += [taps.words for taps in moves]
        if moves:
            yield PlainView(name, moves[0].keys[0], tuple(moves))
