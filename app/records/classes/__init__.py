"""Classes of a teacher: who is in them, rosters, and the log of changes."""
