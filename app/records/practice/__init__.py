"""What practice looks back at: the overview, the notebook of mistakes, warm-ups."""
