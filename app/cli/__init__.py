"""What the commands of `python -m app` need beside the four floors: words for operators, and serving."""
