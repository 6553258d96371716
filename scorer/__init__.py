"""The rules: pure functions over frozen states. Imports nothing but the standard library."""

from scorer.errors import Illegal, Malformed, NoAdvice, NotAMove, NotScored
from scorer.game import (
    Advice,
    At,
    Because,
    Equipment,
    Game,
    HandPiece,
    Instead,
    OnePhoto,
    PhotoScore,
    Result,
    Spot,
    dump_move,
    load_move,
    replay,
)
from scorer.proposal import Difference, Doubt, Proposal, asked, once
from scorer.settings import House, Setting, check_seats, settle
from scorer.table import Cell, Die, MarkedCell, Table, Tile
from scorer.tournament import Meeting, Rank, Tournament
from scorer.words import named

__all__ = [
    "Advice",
    "At",
    "Because",
    "Cell",
    "Die",
    "Difference",
    "Doubt",
    "Equipment",
    "Game",
    "HandPiece",
    "House",
    "Illegal",
    "Instead",
    "Malformed",
    "MarkedCell",
    "Meeting",
    "NoAdvice",
    "NotAMove",
    "NotScored",
    "OnePhoto",
    "PhotoScore",
    "Proposal",
    "Rank",
    "Result",
    "Setting",
    "Spot",
    "Table",
    "Tile",
    "Tournament",
    "asked",
    "check_seats",
    "dump_move",
    "load_move",
    "named",
    "once",
    "replay",
    "settle",
]
