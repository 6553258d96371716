"""Ruled grids as they are printed and drawn, on pages that are photographed: with truth, seeded."""
