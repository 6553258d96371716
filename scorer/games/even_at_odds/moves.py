"""Even at Odds: what players do, beside laying a tile (`scorer.dominoes.Lay`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from scorer.dominoes import Domino, Lay
from scorer.messages import Message, _
from scorer.values import Unordered

Team = Literal["evens", "odds"]
TEAMS: tuple[Team, Team] = ("evens", "odds")
TEAM_NAMES: Mapping[Team, Message] = {"evens": _("evens"), "odds": _("odds")}


@dataclass(frozen=True, slots=True)
class Flip:
    """Player 1 and player 2 flip a tile each for the start; more pips start."""

    first: Domino
    second: Domino


@dataclass(frozen=True, slots=True)
class Choose:
    """The player who does not start chooses a team."""

    team: Team


@dataclass(frozen=True, slots=True)
class Agree:
    """The players agreed who starts and who has the evens (seats from 0)."""

    starter: int
    evens: int


@dataclass(frozen=True, slots=True)
class Show:
    """A tile is known to be in a player's hand. Optional, at any time after the deal."""

    seat: int
    tile: Domino


@dataclass(frozen=True, slots=True)
class Pass:
    """No tile of the hand can be laid: keep them (solo: the game is lost, or they go aside)."""


@dataclass(frozen=True, slots=True)
class Discard:
    """No tile of the hand can be laid: set one aside, face up (EO-A8)."""

    tile: Domino


@dataclass(frozen=True, slots=True)
class Draw(Unordered):
    """Solo: the three tiles of the turn."""

    tiles: tuple[Domino, ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """Solo, once a game: turn the helper over, shuffle a drawn tile back and take another."""

    back: Domino
    drawn: Domino


Move = Flip | Choose | Agree | Show | Lay | Pass | Discard | Draw | Exchange
