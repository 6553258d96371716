"""A family's own pieces: fitted, kept, used."""
