"""How well marks on sheets are read."""
