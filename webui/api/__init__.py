"""The JSON interface: addresses, what they take and what they answer."""
