"""From a photo or frame to a table for the rules: the only room that joins vision and scorer."""
