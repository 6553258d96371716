"""Learning a family's own pieces and boards."""
