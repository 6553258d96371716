"""How fast the eyes read, and whether they read as before."""
