"""Score sheets: the marks of hands in their cells."""
