"""Matches as photos: random legal play, a picture a step on the table, and what is true."""
