"""The page of a match, and those that lead on from it: steps, players, phones, files."""
