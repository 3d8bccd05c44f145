"""Practice: exercises, the skill map, the notebook of mistakes, the placement test."""
