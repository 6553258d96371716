"""Storage of matches: the log, its database, photos, taught pieces and boards."""
