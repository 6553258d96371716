"""Backup of all matches to one file, and restore; a backup can be made during play."""
