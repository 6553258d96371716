"""Answers to the Even at Odds cases: notation translated, everything else asked of the rules."""

from collections.abc import Mapping
from typing import Any

from scorer import settle
from scorer.dominoes import Lay, TopFace, TopView, surface, twice
from scorer.games import GAMES
from scorer.games.even_at_odds.board import (
    largest,
    lays,
    missing,
    places,
    refusal,
    solo_points,
    verdict,
)
from scorer.games.even_at_odds.match import game_score
from scorer.games.even_at_odds.moves import Agree
from scorer.games.even_at_odds.rules import after_turn, starter_of
from scorer.games.even_at_odds.settings import foundation
from scorer.games.even_at_odds.solo import may_exchange
from scorer.games.even_at_odds.state import DRAWN, FACE_DOWN
from scorer.match.play import plus, race_over
from scorer.seats import leaders

GAME = GAMES["even_at_odds"]

SEATS = {"duel": 2, "solo": 1}

# The cases' word for a refusal, by a phrase of its sentence.
REASONS = {
    "must lie on neighbouring cells": "bad_geometry",
    "half on a tile and half on the table": "not_flat",
    "doubles can only be stacked": "double_must_stack",
    "its own number": "no_match",
    "Turn it round": "no_match",
    "would lie at two heights": "two_heights",
    "would rest on one tile": "same_tile",
}


def house(asked: dict[str, Any]) -> Mapping[str, Any]:
    return settle(GAME.settings, asked.get("house", {}))


def lay(placed: dict[str, Any]) -> Lay:
    a, b = placed["t"]
    (r, c), (s, d) = placed["at"]
    return Lay((a, b), ((r, c), (s, d)))


def board(asked: dict[str, Any]) -> TopView:
    return surface([lay(placed) for placed in asked["board"]])


def view(asked: dict[str, Any]) -> TopView:
    """Return the view written as rows of digits, and rows of levels (all 1 if not given)."""
    levels = asked.get("levels") or [row.replace(".", "0") for row in asked["top"]]
    flat = "levels" not in asked or not asked["levels"]
    return {
        (r, c): TopFace(int(number), 1 if flat else int(levels[r][c]), 0)
        for r, row in enumerate(asked["top"])
        for c, number in enumerate(row)
        if number.isdigit()
    }


def move(asked: dict[str, Any]) -> dict[str, Any]:
    top, new = board(asked), lay(asked["move"])
    fault = refusal(top, new, house(asked), asked.get("solo", False))
    if fault is not None:
        word = next(word for phrase, word in REASONS.items() if phrase in fault.reason)
        return {"legal": False, "reason": word}
    level = top[new.cells[0]].level + 1 if new.cells[0] in top else 1
    return {"legal": True, "kind": "play" if level == 1 else "stack", "level": level}


def score(asked: dict[str, Any]) -> dict[str, Any]:
    evens, odds = largest(view(asked), house(asked)["group_levels"])
    return {"evens": evens, "odds": odds}


def winner(asked: dict[str, Any]) -> dict[str, Any]:
    team, by = verdict(asked["evens"], asked["odds"], asked["top_level_faces"])
    if team is None:
        return {"winner": None, "by": None, "next": "extra_turn"}
    return {"winner": team, "by": by, "next": None}


def winner_after_extra(asked: dict[str, Any]) -> dict[str, Any]:
    team, by = verdict(asked["evens"], asked["odds"], asked["top_level_faces"])
    return {"winner": team or "draw", "by": by}


def match_game_score(asked: dict[str, Any]) -> dict[str, Any]:
    tiebreak = house(asked)["tiebreak_game_score"]
    level = asked.get("tiebreak_winners") or [None] * len(asked["games"])
    games = []
    for (first, second), won in zip(asked["games"], level, strict=True):
        seat = won if first == second else int(second > first)
        games.append(game_score((first, second), seat, tiebreak))
    total = [sum(game[seat] for game in games) for seat in (0, 1)]
    best = None if total[0] == total[1] else total.index(max(total))
    return {"per_game": games, "total": total, "winner": best}


def match_best_of_three(asked: dict[str, Any]) -> dict[str, Any]:
    names = sorted(set(asked["winners"]) - {"draw", None})
    seats = {name: seat for seat, name in enumerate(names)}
    totals = (0,) * max(len(seats), 1)
    for games, name in enumerate(asked["winners"], start=1):
        totals = plus(totals, {seats[name]: 1} if name in seats else {})
        if race_over(totals, 2):
            return {"finished": True, "winner": names[leaders(totals)[0]], "games_needed": games}
    return {"finished": False, "winner": None, "games_needed": len(asked["winners"])}


def start_flip(asked: dict[str, Any]) -> dict[str, Any]:
    names = sorted(asked["flips"][0])
    seat = starter_of([(flip[names[0]], flip[names[1]]) for flip in asked["flips"]])
    if seat is None:
        return {"starter": None, "chooses_team": None, "next": "flip_again"}
    return {"starter": names[seat], "chooses_team": names[1 - seat]}


def supply(asked: dict[str, Any]) -> dict[str, Any]:
    solo = asked["mode"] == "solo"
    first = GAME.start(SEATS[asked["mode"]], {})
    pile = FACE_DOWN[SEATS[asked["mode"]]]
    if solo:
        return {
            "foundation": len(first.laid),
            "helper": 1,
            "draw_pile": first.stock,
            "turns": first.stock // DRAWN,
            "doubles_in_pile": sum(a == b for a, b in pile),
        }
    dealt = GAME.apply(first, Agree(0, 0))
    faces = [number for tile in pile for number in tile]
    return {
        "foundation": len(first.laid),
        "face_down": first.stock,
        "hand": dealt.held[0],
        "removed": first.stock - sum(dealt.held) - dealt.stock,
        "boneyard": dealt.stock,
        "tiles_played_each": (sum(dealt.held) + dealt.stock) // 2,
        "even_faces_in_play": sum(number > 0 and number % 2 == 0 for number in faces),
        "odd_faces_in_play": sum(number % 2 for number in faces),
        "blank_faces_in_play": faces.count(0),
    }


def hand_after_turn(asked: dict[str, Any]) -> dict[str, Any]:
    dealt = GAME.apply(GAME.start(2, {}), Agree(0, 0))
    held, stock = list(dealt.held), dealt.stock
    for turn in range(asked["turn"]):
        held[turn % 2], stock = after_turn(held[turn % 2], stock)
    return {"boneyard": stock, "hand_of_mover": held[(asked["turn"] - 1) % 2]}


def no_move(asked: dict[str, Any]) -> dict[str, Any]:
    rules, solo = house(asked), asked.get("solo", False)
    where = list(places(board(asked), rules))
    hand = [(min(tile), max(tile)) for tile in asked["hand"]]
    moves = sum(1 for tile in hand for _ in lays(where, tile, solo))
    return {"moves": moves, "action": "play" if moves else rules["no_move"]}


def deal_check(asked: dict[str, Any]) -> dict[str, Any]:
    base = [lay.tile for lay in foundation(2, settle(GAME.settings, {}))]
    tiles = [*asked["seen"], *(base if asked.get("foundation_doubles") else ())]
    if twice(tiles):
        return {"legal": False, "reason": "duplicate_tile"}
    return {"legal": True}


def solo_visible(asked: dict[str, Any]) -> dict[str, Any]:
    gone = missing(view(asked))
    return {"ok": not gone, "missing": gone}


def solo_score(asked: dict[str, Any]) -> dict[str, Any]:
    return {"score": solo_points(view(asked), house(asked))}


def solo_helper(asked: dict[str, Any]) -> dict[str, Any]:
    return {"allowed": may_exchange(asked["used"], asked["draw_pile"])}
