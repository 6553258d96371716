"""Tables of the database that have their own questions: phones, viewers, webhooks, sums."""
