"""Work for the eyes that waits for its turn: what it is, and the queues that keep it."""
