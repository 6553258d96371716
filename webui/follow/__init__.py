"""A whole match followed from its photos."""
