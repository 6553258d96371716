"""The one view of a match: what the JSON interface answers and what the pages are made from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from scorer import (
    Because,
    Difference,
    Doubt,
    Equipment,
    Game,
    Proposal,
    Setting,
    Table,
    Tournament,
    asked,
    dump_move,
    named,
    settle,
)
from scorer.sentence import MOST, Spoken, step
from scorer.values import dump
from webui.amend import Overtaken, Question
from webui.answers import (
    BecauseView,
    DifferenceView,
    DoubtView,
    EquipmentView,
    GameName,
    GameView,
    History,
    HouseRule,
    Identity,
    KnownMark,
    KnownTile,
    LineView,
    MeetingView,
    MoveView,
    OvertakenView,
    PartView,
    PieceView,
    PreviewView,
    ProposalView,
    QuestionView,
    RankView,
    ResultView,
    Sentence,
    SettingChoice,
    SettingView,
    SpokenView,
    Standing,
    StepView,
    Surface,
    Time,
    TournamentView,
    plain,
)
from webui.match import LoggedStep, Match, Preview, start_score
from webui.replay import NEWEST
from webui.told import gains, summary

NO_EQUIPMENT = Equipment()
MORE = 100  # older steps, or older parts of the tally, at a time


def match_view(match: Match, root: str) -> dict[str, Any]:
    """Return everything a phone shows of *match*; *root* is the server's address, ending in "/"."""
    names = match.row.names
    game = match.game
    identity = Identity(
        id=match.row.id,
        code=match.row.code,
        url=f"{root}m/{match.row.id}",
        join=f"{root}j/{match.row.code}",
        game=GameName(match.row.game, game.title if game else match.row.game),
        names=list(names),
        seats=len(names),
        created_at=match.row.created_at,
        settings=_settings(game, match) if game else [],
        seq=match.seq,
        version_ok=match.closed is None,
        can_undo=match.closed is None and match.last is not None,
    )
    because = () if match.closed is not None or game is None else match.because()
    return {
        **plain(identity),
        **plain(_standing(match)),
        **parts_view(match, because),
        **steps_view(match, match.steps),
    }


def _standing(match: Match) -> Standing:
    """Return how the match stands; without rules to ask, as the phones were told last."""
    game, state, names = match.game, match.state, match.row.names
    if match.closed is not None or game is None:
        last = match.last.score if match.last else ()
        return Standing(
            over=False,
            prompt=match.closed or "",
            to_move=[],
            score=list(last) or [0] * len(names),
            notes=[],
            colours=[],
            target=None,
            result=None,
            turn_total=None,
            equipment=equipment_view(NO_EQUIPMENT, names),
            board=[],
            tournament=None,
        )
    result, equipment = game.result(state), game.equipment(state)
    return Standing(
        over=game.is_over(state),
        prompt=named(game.prompt(state), names),
        to_move=list(game.to_move(state)),
        score=list(game.score(state)),
        notes=[named(note, names) for note in game.notes(state)],
        colours=list(game.colours(state)),
        target=game.target(state),
        result=None
        if result is None
        else ResultView(list(result.winners), named(result.why, names), result.draw),
        turn_total=game.turn_total(state),
        equipment=equipment_view(equipment, names),
        board=_pieces(equipment.spots[0].known) if equipment.spots else [],
        tournament=_tournament(game.tournament(state)),
    )


def _tournament(told: Tournament | None) -> TournamentView | None:
    if told is None:
        return None
    return TournamentView(
        noun=told.noun,
        round=told.number,
        rounds=told.rounds,
        meetings=[
            MeetingView(
                one.number,
                list(one.seats),
                None if one.points is None else list(one.points),
                one.counts,
            )
            for one in told.meetings
        ],
        sat_out=list(told.sat_out),
        standings=[RankView(**dump(one)) for one in told.standings],
    )


def steps_view(match: Match, steps: Sequence[LoggedStep], most: int = NEWEST) -> dict[str, Any]:
    """Return the newest *most* of the steps, and the address of those before them.

    A step before these, if there is one, tells what the first of them changed of the score.
    """
    shown = steps[-most:]
    before = shown[0].event.seq if shown else 1
    scores = [step.event.score for step in steps[-most - 1 : -1]]
    if len(scores) < len(shown):
        scores.insert(0, start_score(match) or shown[0].event.score)
    address = f"/api/matches/{match.row.id}/history?before={before}"
    history = [_step(match, *pair) for pair in zip(shown, scores, strict=True)]
    told: dict[str, Any] = plain(History(history, address if before > 1 else None))
    return told


def parts_view(
    match: Match, entries: Sequence[Because], before: int | None = None
) -> dict[str, Any]:
    """Return the newest parts of a tally, or those *before* one, and the address of older ones."""
    parts = by_part(entries)
    first, last = span(len(parts), before)
    older = f"/api/matches/{match.row.id}/because?before={first}" if first else None
    told: dict[str, Any] = plain(BecauseView(_parts(parts[first:last], match.row.names), older))
    return told


def span(count: int, before: int | None) -> tuple[int, int]:
    """Return which of *count* things are shown: the newest, or so many *before* one, from 0."""
    if before is None:
        return max(count - NEWEST, 0), count
    last = min(max(before, 0), count)
    return max(last - MORE, 0), last


def _step(match: Match, step: LoggedStep, score_before: Sequence[int]) -> StepView:
    event, photo = step.event, step.event.photo
    several = match.game.several if match.game else {}
    return StepView(
        seq=event.seq,
        at=Time(event.at),
        by=event.by,
        text=list(event.text),
        summary=summary(event.text, event.moves or (), several, seen=photo is not None),
        gains=gains(score_before, event.score),
        standing=step.standing,
        undo_of=step.undo_of,
        sighting=event.sighting,
        photo=photo and photo_path(match.row.id, photo),
        thumbnail=photo and f"/api/matches/{match.row.id}/photos/{photo}/small.jpg",
        score=list(event.score),
    )


def photo_path(match: str, photo: str) -> str:
    """Return where a photo of a match is served."""
    return f"/api/matches/{match}/photos/{photo}.jpg"


def by_part(entries: Sequence[Because]) -> list[tuple[str, list[Because]]]:
    """Return the entries of the tally under their headings, the oldest heading first."""
    parts: dict[str, list[Because]] = {}
    for entry in entries:
        parts.setdefault(entry.part, []).append(entry)
    return list(parts.items())


def _parts(parts: Sequence[tuple[str, Sequence[Because]]], names: Sequence[str]) -> list[PartView]:
    """Return parts of the tally in words, the newest first."""
    return [
        PartView(named(part, names), [_line(entry, names) for entry in entries])
        for part, entries in reversed(parts)
    ]


def _line(entry: Because, names: Sequence[str]) -> LineView:
    text = named(entry.text, names)
    return LineView(entry.seat, entry.points, text, entry.rule, dump(entry.cells))


def equipment_view(equipment: Equipment, names: Sequence[str]) -> EquipmentView:
    """Return what is to be photographed, surface by surface."""
    return EquipmentView(
        board=equipment.board,
        dice=equipment.dice,
        colours=dict(equipment.colours),
        tiles=equipment.tiles,
        places=list(equipment.places),
        spots=[
            Surface(
                title=named(spot.title, names),
                board=_pieces(spot.known),
                tiles=[
                    KnownTile(dump(tile.halves), dump(tile.cells), tile.level)
                    for tile in spot.known.tiles
                ],
                marks=[KnownMark(list(one.cell), one.mark) for one in spot.known.marks],
            )
            for spot in equipment.spots
        ],
    )


def _pieces(table: Table) -> list[PieceView]:
    return [PieceView(dump(die.cell), die.value, die.colour) for die in table.dice]


def proposal_view(
    proposal: Proposal,
    preview: Preview | None,
    names: Sequence[str],
    doubts: Sequence[Doubt] = (),
    questions: Sequence[Question] = (),
    overtaken: Overtaken | None = None,
) -> dict[str, Any]:
    """Return what a table would mean; *doubts* of the eyes come before those of the rules.

    A person is asked *questions* about steps before, and told what another phone was first with.
    """
    told: dict[str, Any] = plain(
        ProposalView(
            moves=[MoveView(dump_move(move)) for move in proposal.moves],
            doubts=[
                DoubtView(*_remark(doubt, names), doubt.taken and list(doubt.taken))
                for doubt in asked(doubts, proposal.doubts)
            ],
            differences=[
                DifferenceView(*_remark(one, names), one.rule) for one in proposal.differences
            ],
            preview=None
            if preview is None
            else PreviewView(
                list(preview.text), list(preview.score), _parts(by_part(preview.because), names)
            ),
            questions=[
                QuestionView(one.text, one.step, MoveView(dict(one.move))) for one in questions
            ],
            overtaken=None
            if overtaken is None
            else OvertakenView(overtaken.step, list(overtaken.text)),
        )
    )
    return told


def _remark(remark: Doubt | Difference, names: Sequence[str]) -> tuple[str, list[Any] | None]:
    piece = None if remark.piece is None else list(remark.piece)
    return named(remark.sentence, names), piece


# ---------------------------------------------------------------- games and their settings


def game_view(game: Game[Any, Any]) -> dict[str, Any]:
    """Return a game as the start page offers it."""
    settings = [_offer(setting) for setting in game.settings]
    seats = [game.seats[0], game.seats[-1]]
    told: dict[str, Any] = plain(GameView(game.name, game.title, seats, settings))
    return told


def _offer(setting: Setting) -> SettingView:
    return SettingView(
        name=setting.name,
        meaning=setting.meaning,
        default=dump(setting.default),
        choices=[]
        if isinstance(setting.values, range)
        else [SettingChoice(dump(value), says) for value, says in setting.values.items()],
        range=[setting.values[0], setting.values[-1]]
        if isinstance(setting.values, range)
        else None,
        open=setting.read is not None,
        example=setting.example,
        rule=setting.rule,
        only_if=dump(setting.only_if),
        per_seat=list(setting.per_seat),
        seats=None if setting.seats is None else [setting.seats[0], setting.seats[-1]],
    )


def _settings(game: Game[Any, Any], match: Match) -> list[HouseRule]:
    """Return the settings of a match that matter under the others."""
    if match.closed is not None:  # perhaps for a setting that is not known here
        known = {setting.name: setting for setting in game.settings}
        return [
            HouseRule(
                name=name,
                value=value,
                meaning=known[name].meaning if name in known else name,
                says=_says_stored(known.get(name), value),
            )
            for name, value in match.row.settings.items()
        ]
    house = settle(game.settings, match.row.settings)
    return [
        HouseRule(
            name=setting.name,
            value=dump(house[setting.name]),
            meaning=setting.meaning,
            says=_says(setting, house[setting.name]),
        )
        for setting in game.settings
        if setting.matters(house, len(match.row.names))
    ]


def _says_stored(setting: Setting | None, value: Any) -> str:
    """Return a value in words where it is known here, else as it was stored."""
    choices = () if setting is None or isinstance(setting.values, range) else setting.values.items()
    return next((says for choice, says in choices if dump(choice) == value), str(value))


def _says(setting: Setting, value: Any) -> str:
    if isinstance(setting.values, range):
        return str(value)
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return setting.values.get(value, str(value))


# ---------------------------------------------------------------- moves in words


def sentence_view(match: Match, words: Sequence[str]) -> dict[str, Any]:
    """Return what may follow the *words* that were said."""
    spoken = match.spoken()
    reached = step(spoken, words)
    told: dict[str, Any] = plain(
        Sentence(
            seq=match.seq,
            all=len(spoken) < MOST,
            said=list(reached.said),
            following=list(reached.following),
            left=len(reached.left),
            move=None if reached.move is None else MoveView(dump_move(reached.move)),
            moves=_spoken(reached.few),
        )
    )
    return told


def _spoken(moves: Sequence[Spoken]) -> list[SpokenView]:
    return [SpokenView(one.text, MoveView(dump_move(one.move))) for one in moves]


def moves_json(match: Match) -> tuple[str, ...]:
    """Return each legal move with its sentence as JSON, written once for all phones that ask."""
    if "json" not in match.memo:
        match.memo["json"] = tuple(
            json.dumps(one, separators=(",", ":")) for one in plain(_spoken(match.spoken()))
        )
    return match.memo["json"]
