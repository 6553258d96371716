"""Players' statistics: totals of matches, and how fair the dice are."""
