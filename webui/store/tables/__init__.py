"""Tables with their own queries: phones, viewers, webhooks, sums."""
