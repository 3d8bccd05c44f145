"""Misconceptions about questions of a table instead of a list: what pupils who work by hand really do.

coin_working      the way from the differences of the queries to a p, step by step
coin_models       what goes wrong in it
label_workings    the ways to a kappa and to an inverse propensity score
agreement_models  what goes wrong in a kappa
click_models      what goes wrong in inverse propensity scoring
pair_working      the ways to what a swap is worth, and to a lambda
pair_models       what goes wrong in them

The right way of each figure stands in `RIGHT_TABLE_WORKING_BY_QUANTITY`, with every step open to replacement.
"""

from collections.abc import Mapping
from types import MappingProxyType

from app.engine.misconceptions.tables.coin_working import RIGHT_COIN_WORKING_BY_QUANTITY
from app.engine.misconceptions.tables.label_workings import RIGHT_LABEL_WORKING_BY_QUANTITY
from app.engine.misconceptions.tables.pair_working import RIGHT_PAIR_WORKING_BY_QUANTITY
from app.engine.misconceptions.working import FigureWorking

RIGHT_TABLE_WORKING_BY_QUANTITY: Mapping[str, FigureWorking] = MappingProxyType(
    {**RIGHT_COIN_WORKING_BY_QUANTITY, **RIGHT_LABEL_WORKING_BY_QUANTITY, **RIGHT_PAIR_WORKING_BY_QUANTITY}
)
