"""The setting of a movable row of candies, read from an address and written into one.

The grammar: `row=3-2-0-1&k=3&gain=exponential&beside=0-3-2-1&pool=3-3-2-1`. Only `row` must be there; without
`k` all candies count. A button that moves a candy sends the row that it leads to as `to`, beside the `row`
of its form. A row has at most eight candies, so that nobody's address costs more than a glance.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field

from app import engine
from app.course.text.model_base import NAME_BY_GAIN, ContentPart, GainName
from app.course.text.typed import AddressFields

HIGHEST_GRADE, FEWEST_CANDIES, MOST_CANDIES, MOST_CANDIES_IN_POOL = 5, 2, 8, 12
Sweetness = Annotated[int, Field(ge=0, le=HIGHEST_GRADE)]
Row = Annotated[list[Sweetness], Field(min_length=FEWEST_CANDIES, max_length=MOST_CANDIES)]
Pool = Annotated[list[Sweetness], Field(min_length=FEWEST_CANDIES, max_length=MOST_CANDIES_IN_POOL)]
FIELD_NAMES = ("row", "k", "gain", "beside", "pool")
ROW_PATTERN = re.compile(f"[0-{HIGHEST_GRADE}](?:-[0-{HIGHEST_GRADE}]){{1,{MOST_CANDIES_IN_POOL - 1}}}")


class ToySetting(ContentPart):
    """Candies in their order, how they are counted, and a second row `beside` them that stands still."""

    row: Row
    k: int | None = Field(default=None, ge=1, le=MOST_CANDIES)
    gain: GainName = "linear"
    beside: Row | None = None
    pool: Pool | None = None

    @property
    def trace(self) -> engine.Trace:
        """The row, term by term."""
        return engine.trace(self.row, self.k, self.gain, pool=self.pool)

    @property
    def trace_beside(self) -> engine.Trace:
        """The row beside it, term by term; that of a single 0 without one."""
        return engine.trace(self.beside or [0], self.k, self.gain, pool=self.pool)

    @property
    def range(self) -> engine.NdcgRange:
        """The worst order of these candies, the mean of all orders, and the best."""
        return engine.ndcg_range(self.row, self.k, self.gain, pool=self.pool)

    def with_move(self, candy_index: int, offset: int) -> "ToySetting":
        """With one candy moved; at an end it stays where it is.

        >>> ToySetting(row=[3, 2, 0]).with_move(2, -1).row, ToySetting(row=[3, 2]).with_move(0, -1).row
        ([3, 0, 2], [3, 2])
        """
        candy_row = list(self.row)
        candy_grade = candy_row.pop(candy_index)
        candy_row.insert(min(max(0, candy_index + offset), len(candy_row)), candy_grade)
        return self.model_copy(update={"row": candy_row})

    def with_swap(self, first_index: int, second_index: int) -> "ToySetting":
        """With two candies in each other's place."""
        candy_row = list(self.row)
        candy_row[first_index], candy_row[second_index] = candy_row[second_index], candy_row[first_index]
        return self.model_copy(update={"row": candy_row})

    def with_sweeter_candy(self, candy_index: int) -> "ToySetting":
        """With one candy a grade sweeter; after the sweetest comes 0.

        >>> ToySetting(row=[5, 2]).with_sweeter_candy(0).row
        [0, 2]
        """
        candy_row = list(self.row)
        candy_row[candy_index] = (candy_row[candy_index] + 1) % (HIGHEST_GRADE + 1)
        return self.with_row(candy_row)

    def with_row(self, candy_row: list[int]) -> "ToySetting":
        """With other grades in the row. Where the row is a part of the pool, its candies are those of the
        pool, and what the pool holds beside them stays; a pool that is another one stays as it is.

        >>> ToySetting(row=[3, 2], pool=[3, 2, 1]).with_row([4, 2]).pool
        [4, 2, 1]
        >>> ToySetting(row=[3, 2], pool=[3, 3]).with_row([4, 2]).pool
        [3, 3]
        """
        pool = self.pool
        if pool is not None and sorted(candy_row) != sorted(self.row):
            grades_beside_row = Counter(pool)
            grades_beside_row.subtract(self.row)
            if min(grades_beside_row.values()) >= 0:
                pool = sorted([*candy_row, *grades_beside_row.elements()], reverse=True)
        return self.model_copy(update={"row": candy_row, "pool": pool})


@dataclass(frozen=True)
class ToyReading:
    """A setting as an address gives it; `fault_by_field` says, field by field, what could not be read."""

    setting: ToySetting
    fault_by_field: Mapping[str, str] = field(default_factory=dict)


def read(sent_fields: AddressFields, start_setting: ToySetting) -> ToyReading:
    """The setting of an address; a field that is missing or unreadable is that of `start_setting`, but for
    the pool, which goes along with the row.

    >>> start = ToySetting(row=[3, 2])
    >>> read({"row": ["3-0-2"], "k": ["2"]}, start).setting.row
    [3, 0, 2]
    >>> read({"row": ["3，2"]}, start).fault_by_field
    {'row': '一排糖写成3-2-0-1这样：2到8颗，甜度0到5。'}
    >>> read({"row": ["3-2"], "pool": ["3-2-1"], "to": ["4-2"]}, start).setting.pool
    [4, 2, 1]
    """
    field_value_by_name: dict[str, Any] = {}
    fault_by_field: dict[str, str] = {}
    for field_name in FIELD_NAMES:
        if field_name not in sent_fields:
            continue
        try:
            field_value_by_name[field_name] = field_value_of(field_name, sent_fields[field_name][-1])
        except ValueError as error:
            fault_by_field[field_name] = str(error)
    toy_setting = start_setting.with_row(field_value_by_name.get("row", start_setting.row))
    toy_setting = toy_setting.model_copy(update=field_value_by_name)
    if "to" in sent_fields:
        try:
            candy_row = field_value_of("row", sent_fields["to"][-1])
        except ValueError as error:
            fault_by_field["row"] = str(error)
        else:
            setting_of_pool = toy_setting if "pool" in field_value_by_name else start_setting
            pool = setting_of_pool.with_row(candy_row).pool
            toy_setting = toy_setting.model_copy(update={"row": candy_row, "pool": pool})
    return ToyReading(toy_setting, fault_by_field)


FAULT_SENTENCE_BY_FIELD = {
    "row": f"一排糖写成3-2-0-1这样：{FEWEST_CANDIES}到{MOST_CANDIES}颗，甜度0到{HIGHEST_GRADE}。",
    "beside": f"对面那排写成3-2-0-1这样：{FEWEST_CANDIES}到{MOST_CANDIES}颗，甜度0到{HIGHEST_GRADE}。",
    "pool": f"评判池写成3-2-0-1这样：{FEWEST_CANDIES}到{MOST_CANDIES_IN_POOL}颗，甜度0到{HIGHEST_GRADE}。",
    "k": f"k是1到{MOST_CANDIES}的整数，或者all（全部）。",
    "gain": "增益（gain）写linear（线性）或者exponential（指数）。",
}


def field_value_of(field_name: str, typed_text: str) -> Any:
    """The value of a field as it is written. Raises ValueError, which says how it is to be written.

    >>> field_value_of("row", "3-2"), field_value_of("k", "3"), field_value_of("k", "all")
    ([3, 2], 3, None)
    >>> field_value_of("k", "九")
    Traceback (most recent call last):
    ...
    ValueError: k是1到8的整数，或者all（全部）。
    """
    match field_name:
        case "gain" if typed_text in NAME_BY_GAIN:
            return typed_text
        case "k" if typed_text == "all":
            return None
        case "k" if re.fullmatch(f"[1-{MOST_CANDIES}]", typed_text):
            return int(typed_text)
        case "row" | "beside" | "pool" if ROW_PATTERN.fullmatch(typed_text):
            grades = [int(grade) for grade in typed_text.split("-")]
            if field_name == "pool" or len(grades) <= MOST_CANDIES:
                return grades
    raise ValueError(FAULT_SENTENCE_BY_FIELD[field_name])


def fields_of_setting(
    toy_setting: ToySetting, start_setting: ToySetting | None = None
) -> list[tuple[str, str]]:
    """What an address says of a setting; with a `start_setting`, the row and what differs from there, and
    from the pool that goes along with the row.

    >>> fields_of_setting(ToySetting(row=[3, 2], k=1, gain="exponential"))
    [('row', '3-2'), ('k', '1'), ('gain', 'exponential')]
    """
    default_setting = (start_setting or ToySetting(row=[0, 0])).with_row(toy_setting.row)
    name_text_pairs = []
    for field_name in FIELD_NAMES:
        setting_value = getattr(toy_setting, field_name)
        if field_name == "row" or setting_value != getattr(default_setting, field_name):
            name_text_pairs.append((field_name, field_text_of(setting_value)))
    return name_text_pairs


def field_text_of(setting_value: object) -> str:
    """A field as it is written.

    >>> field_text_of([3, 2]), field_text_of(None), field_text_of("linear")
    ('3-2', 'all', 'linear')
    """
    if isinstance(setting_value, list):
        return "-".join(map(str, setting_value))
    if setting_value is None:
        return "all"
    return str(setting_value)
