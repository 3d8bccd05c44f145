"""What a teacher marks by hand: answers in words by a rubric, and a single question."""
