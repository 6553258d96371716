"""Annotated pictures: what lies on them, read from their JSON, and which reading belongs to it."""
