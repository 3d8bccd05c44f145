"""Word files: their paragraphs, formulas and lists as plain text, read in a process of their own."""
