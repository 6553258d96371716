"""Filled sheets with truth: printed forms of many looks, simulated hands, and a phone's photo."""
