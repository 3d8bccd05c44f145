"""Wrong models of the p of a test by coins: what pupils who work one out by hand really do.

coin_working  the way from the differences of the queries to a p, step by step
coin_models   the misconceptions, by the step that they break
"""
