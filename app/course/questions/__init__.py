"""Questions as other programs write them: plain text, Word, tables, GIFT; into own content and out again."""
