"""Text: Markdown, formulas and YAML of the content, and limits for the text of strangers."""
