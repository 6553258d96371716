"""The page of a match and its subpages: steps, players, phones, files."""
