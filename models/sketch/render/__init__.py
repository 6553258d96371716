"""Rays cast at bodies: where they meet, and the light that comes back."""
