"""How well labelled photos are read."""
