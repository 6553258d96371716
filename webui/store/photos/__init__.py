"""Photos on disk, or in a store that machines share: kept by their SHA-256, small ones beside."""
