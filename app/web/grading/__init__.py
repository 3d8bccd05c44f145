"""The gradebook, one cell of it, regrading, the log of changes."""
