"""From a photo or frame to a table the rules understand: the door to the eyes."""
