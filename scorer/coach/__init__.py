"""Odds and advice, computed from the rules of a game; `scorer.advice.coach_of` finds them."""
