"""Misconceptions of agreement and of clicks: questions about a table instead of a list.

workings          the right ways, with every step open to replacement
agreement_models  what goes wrong in a kappa
click_models      what goes wrong in inverse propensity scoring
"""
