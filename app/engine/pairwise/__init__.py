"""Two documents of a list: what their swap is worth, and how hard they are pushed apart.

swapping    the swaps of a list that are worth most
lambdarank  the forces of RankNet and LambdaRank on each pair, and on each document
descent     a list that follows its forces, step by step
"""
