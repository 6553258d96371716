"""Pictures of a table with their truth: a path tracer that needs nothing but pip."""
