"""Where matches are stored: the log, its database, photos, taught pieces and boards."""
