"""What is asked and answered: items, worked examples, marking, diagnosis, worked solutions."""
