"""Rule cases: one module a game, named like the game, with KINDS: kind -> answer(input).

An answer calls the public functions of the rules and returns a dict; the runner compares the keys
that the case expects (schema "table-vectors/1").
"""
