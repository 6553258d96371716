"""Dominoes: which two faces are one tile."""
