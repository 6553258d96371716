"""How well a camera follows what happens on a table."""
