"""Queues of photos to be read."""
