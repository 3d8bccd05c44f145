"""What a lesson is made of: steps, reveal sequences, figures, labs, exercises in Python."""
