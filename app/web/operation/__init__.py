"""What the programs of an operator ask: figures, log lines, slow pages."""
