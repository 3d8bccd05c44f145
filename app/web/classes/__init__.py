"""Classes: joining, rosters, students."""
