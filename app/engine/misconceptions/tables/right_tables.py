"""The right way of working out each figure of a table, with every step open to replacement."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from app.engine.misconceptions.tables.coin_working import RIGHT_COINS, CoinWorking
from app.engine.misconceptions.tables.label_workings import RIGHT_LABELS, LabelWorking

TableWorking: TypeAlias = CoinWorking | LabelWorking
RIGHT_TABLES: Mapping[str, TableWorking] = MappingProxyType({**RIGHT_COINS, **RIGHT_LABELS})
