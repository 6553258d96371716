"""A match played in the terminal, line by line."""
