"""The pages: start, match, step, undo, printing, trust."""
