"""What the site does by itself, and what the programs of an operator ask: figures, log lines, slow pages."""
