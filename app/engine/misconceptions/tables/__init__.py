"""Misconceptions about questions of a table instead of a list: what pupils who work by hand really do.

coin_working      the way from the differences of the queries to a p, step by step
coin_models       what goes wrong in it
label_workings    the ways to a kappa and to an inverse propensity score
agreement_models  what goes wrong in a kappa
click_models      what goes wrong in inverse propensity scoring
pair_working      the ways to what a swap is worth, and to a lambda
pair_models       what goes wrong in them
right_tables      the right way of each
"""
