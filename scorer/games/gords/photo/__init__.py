"""Gords: what the camera looks for, and what photos mean, in a match and alone."""
