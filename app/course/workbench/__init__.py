"""The workbench: one pasted list, its NDCG term by term, and why other libraries print another number."""
