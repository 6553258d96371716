"""Sketches of tables with truth: true perspective, some ten a second, to train on."""
