"""What answers of a class say of a question."""
