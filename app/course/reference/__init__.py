"""What is looked up: printed errata, and what bands of NDCG are said to mean."""
