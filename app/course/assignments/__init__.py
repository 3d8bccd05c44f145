"""What an assignment asks: the question set of one attempt."""
