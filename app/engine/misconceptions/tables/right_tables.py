"""The right way of working out each figure of a table, with every step open to replacement."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from app.engine.misconceptions.tables.coin_working import RIGHT_COINS, CoinWorking
from app.engine.misconceptions.tables.label_workings import RIGHT_LABELS, LabelWorking
from app.engine.misconceptions.tables.pair_working import RIGHT_PAIRS, PairWorking

TableWorking: TypeAlias = CoinWorking | LabelWorking | PairWorking
RIGHT_TABLES: Mapping[str, TableWorking] = MappingProxyType({**RIGHT_COINS, **RIGHT_LABELS, **RIGHT_PAIRS})
