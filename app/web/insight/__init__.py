"""What a teacher reads of a class."""
