"""实验台: one pasted list, term by term, and what every library prints for it."""
