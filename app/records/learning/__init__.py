"""What learners do in lessons and examples: attempts, responses, places, reveals, progress."""
