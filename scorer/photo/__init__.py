"""Interpretation of a photographed table by a game: moves, doubts, differences."""
