"""The score of a single photo by the rules of a game, without earlier moves."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scorer import Equipment, Game, Malformed, NotScored, OnePhoto, PhotoScore, Setting, settle
from scorer.messages import _, as_message, joined, ngettext, raw
from scorer.photo.one_photo import equipment_alone
from scorer.sentence import search, speak
from vision.boards.pose import NOT_THE_BOARD, TWO_BOARDS
from webui.eyes.photo import PhotoReading, content, see
from webui.languages import language


class NotSaid(NotScored):
    """A *fact* that no photo shows is missing."""

    def __init__(self, fact: Setting) -> None:
        super().__init__(_("A photo does not show this: “{fact}”.", fact=fact.meaning))
        self.fact = fact


@dataclass(frozen=True, slots=True)
class GameSight:
    """A photo read for a game, with the look used."""

    sight: PhotoReading
    equipment: Equipment
    one_photo: OnePhoto[Any]


def begin(
    rules: Game[Any, Any],
    said: Mapping[str, object],
    players: int | None = None,
    opening: str | None = None,
) -> tuple[Any, dict[str, Any]]:
    """Return the state before the photo, and the facts among *said* without the house rules.

    The state is the start, for two players if the game allows two, or after an *opening*, in the
    chosen language or English. Raises Malformed, also if its words do not match a single move.
    """
    facts = rules.one_photo.facts if rules.one_photo else ()
    beside = {fact.name for fact in facts}
    house = {name: value for name, value in said.items() if name not in beside}
    state = rules.start(rules.usual_seats if players is None else players, house)
    given = {name: value for name, value in said.items() if name in beside}
    settled = {name: value for name, value in settle(facts, given).items() if name in given}
    if opening is None:
        return state, settled
    spoken = speak(rules, state, language=language()), speak(rules, state)
    found = next(filter(None, (search(moves, opening) for moves in spoken)), [])
    if len(found) != 1:
        words = raw(shlex.quote(opening))
        if not found:
            none = _("the opening {words} fits no move that can be made first", words=words)
            raise Malformed(none)
        could = joined("; ", (as_message(sentence.text) for sentence in found[:3]))
        raise Malformed(
            _("the opening {words} fits more than one move: {moves}", words=words, moves=could)
        )
    return rules.apply(state, found[0].move), settled


def look(
    game: Game[Any, Any], state: Any, facts: Mapping[str, Any], photo: Path | bytes
) -> GameSight:
    """Read the photo with each possible look, until a board is found.

    Raises NotRead; NotScored if the game scores no photos, a fact is missing, or a board is there
    but unreadable.
    """
    one_photo = _asked_first(game, facts)  # before the slow reading
    taken = photo if isinstance(photo, bytes) else content(photo)
    looks = equipment_alone(game, state)
    sights = []
    for equipment in looks:
        sights.append(see(taken, equipment))
        if sights[-1].reading.get("board") or sights[-1].table.marks:
            return GameSight(sights[-1], equipment, one_photo)
        for why in sights[-1].reading["warnings"]:
            if why in NOT_THE_BOARD:
                raise NotScored(raw(why))
    last = sights[-1]
    if (other := one_photo.otherwise(state, last.table)) is not None:
        wanted = game.equipment(other)
        return GameSight(see(taken, wanted), wanted, one_photo)
    alone = last.table.dice or last.table.tiles
    # Failures of a look matter only if no look found anything, except for boards: these may have
    # dice beside them.
    kept = [
        warning
        for sight in sights
        for warning in sight.reading["warnings"]
        if sight is last or not alone or warning == TWO_BOARDS
    ]
    last.reading["warnings"] = list(dict.fromkeys(kept))
    return GameSight(last, looks[-1], one_photo)


def score(state: Any, facts: Mapping[str, Any], shown: GameSight) -> PhotoScore:
    """Score a photo by the rules; raises NotScored."""
    if shown.equipment.tiles:
        _check_places(shown.sight)
    return shown.one_photo.tell(state, shown.sight.table, facts)


def _asked_first(game: Game[Any, Any], facts: Mapping[str, Any]) -> OnePhoto[Any]:
    if game.one_photo is None:
        raise NotScored(
            _(
                "{game} cannot be scored from one photo. Keep the score as you play: pipsight "
                "serve, or pipsight play {name}.",
                game=raw(game.title),
                name=raw(game.name),
            )
        )
    for fact in game.one_photo.facts:
        if fact.name not in facts:
            raise NotSaid(fact)
    return game.one_photo


def _check_places(sight: PhotoReading) -> None:
    """Raise NotScored if the cells of a tile are unknown: the table is incomplete."""
    placed, read = len(sight.table.tiles), len(sight.reading.get("tiles", ()))
    if placed < read:
        which = _("None of them") if not placed else _("Only {number} of them", number=placed)
        text = ngettext(
            "{n} tile was read. {which} could be given a place in the grid, and the groups depend"
            " on the places.",
            "{n} tiles were read. {which} could be given a place in the grid, and the groups depend"
            " on the places.",
            read,
            which=which,
        )
        raise NotScored(text)
