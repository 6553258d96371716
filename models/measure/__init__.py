"""How well and how fast the eyes read: `make accuracy`, `make bench`."""
