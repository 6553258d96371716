"""Everything the networks come from: pictures with truth, training, and how well they read."""
