"""Odds and advice, computed from the rules."""
