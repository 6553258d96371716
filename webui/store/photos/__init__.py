"""Photos by their SHA-256, on disk or in a shared store, with thumbnails."""
