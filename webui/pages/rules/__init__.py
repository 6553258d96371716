"""The pages of a game's rules, with pictures."""
