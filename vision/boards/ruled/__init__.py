"""Grids ruled on any paper, or drawn by hand: found by their lines."""
