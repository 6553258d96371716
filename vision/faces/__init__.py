"""Faces: detect, classify, look again, calibrate."""
