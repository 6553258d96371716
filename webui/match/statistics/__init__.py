"""Players' statistics: what each match comes to, added up, and how fair the dice are."""
