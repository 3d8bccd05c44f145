"""The course as a whole: its files read, checked, cached, and asked by everybody else."""
