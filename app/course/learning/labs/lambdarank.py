"""LambdaRank一步一步: the setting of the lab, read from an address and written into one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from app.course.items import numbers
from app.course.items.marks import Unreadable
from app.course.text.model_base import ContentPart, GainName

MOST_STEPS = 40
HIGHEST_GRADE, LARGEST_SCORE = 4, 10
SMALLEST_RATE, LARGEST_RATE = 0.01, 5.0
"""Between these lie sigma and the learning rate."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=4)]
Sweetness = Annotated[int, Field(ge=0, le=HIGHEST_GRADE)]
Score = Annotated[float, Field(ge=-LARGEST_SCORE, le=LARGEST_SCORE)]
Rate = Annotated[float, Field(ge=SMALLEST_RATE, le=LARGEST_RATE)]
Weight = Literal["ndcg", "none"]
Fair = Literal["force", "rate"]

Query = Mapping[str, Sequence[str]]
"""The fields of an address; a field may stand there several times."""
GAINS_IN_WORDS: Mapping[GainName, str] = {
    "linear": "线性增益（甜度就是增益）",
    "exponential": "指数增益（2的甜度次方减1）",
}


class LabSetting(ContentPart):
    """Four documents and how they are pushed; in a lesson, `start` says where the lab begins.

    weight: `ndcg` is LambdaRank, `none` looks at pairs alone (RankNet). fair: what both have in common,
    the whole `force` of the first step or the learning `rate`.
    """

    names: list[Name] = Field(default=["甲", "乙", "丙", "丁"], min_length=4, max_length=4)
    grades: list[Sweetness] = Field(default=[1, 2, 0, 3], min_length=4, max_length=4)
    scores: list[Score] = Field(default=[2.0, 1.5, 1.0, 0.5], min_length=4, max_length=4)
    sigma: Rate = 1.0
    rate: Rate = 0.5
    gain: GainName = "exponential"
    k: int | None = Field(default=None, ge=1, le=4)
    weight: Weight = "ndcg"
    fair: Fair = "force"
    steps: int = Field(default=0, ge=0, le=MOST_STEPS)

    @property
    def convention(self) -> str:
        """The 约定 in one line."""
        cutoff_words = "不截断"
        if self.k:
            cutoff_words = f"截断k={self.k}"
        gain_words = GAINS_IN_WORDS[self.gain]
        return f"{gain_words}·折损1/log₂(名次+1)·{cutoff_words}·理想排序取自这四篇·同分的按原来的先后"


@dataclass(frozen=True)
class LabReading:
    """A setting as an address gives it; `faults` says, field by field, what could not be read."""

    setting: LabSetting
    faults: Mapping[str, str] = field(default_factory=dict)


def read(query: Query, start_setting: LabSetting) -> LabReading:
    """The setting of an address; a field that is missing or unreadable is that of `start_setting`.

    >>> read({"steps": ["3"], "sigma": ["２"]}, LabSetting()).setting.sigma
    2.0
    >>> read({"k": ["九"]}, LabSetting()).faults
    {'k': 'k要是1到4的整数，或者all（全部）；写的是“九”，先按全部来。'}
    """
    fields: dict[str, Any] = {}
    faults: dict[str, str] = {}
    for field_name in FIELDS:
        if field_name in query:
            try:
                fields[field_name] = _read_field(field_name, query[field_name])
            except Unreadable as error:
                quoted_values = _quoted_values(query[field_name])
                start_words = _start_words(field_name, start_setting)
                faults[field_name] = f"{error}；{quoted_values}，先按{start_words}来。"
    return LabReading(start_setting.model_copy(update=fields), faults)


def address_fields(setting: LabSetting, start_setting: LabSetting) -> list[tuple[str, str]]:
    """What an address says of a setting: only what differs from where the lab starts.

    >>> address_fields(LabSetting(steps=2, k=3), LabSetting())
    [('k', '3'), ('steps', '2')]
    """
    fields = []
    for field_name in FIELDS:
        if getattr(setting, field_name) != getattr(start_setting, field_name):
            fields += [(field_name, setting_text) for setting_text in texts_of_field(setting, field_name)]
    return fields


def texts_of_field(setting: LabSetting, field: str) -> list[str]:
    """A field as it is written, one text for each of its values.

    >>> texts_of_field(LabSetting(), "scores"), texts_of_field(LabSetting(), "k")
    (['2', '1.5', '1', '0.5'], ['all'])
    """
    setting_value = getattr(setting, field)
    if setting_value is None:
        return ["all"]
    if isinstance(setting_value, str):
        return [setting_value]
    if isinstance(setting_value, list):
        return [f"{number:g}" for number in setting_value]
    return [f"{setting_value:g}"]


def is_score(text: str) -> bool:
    """Whether a score can be read.

    >>> is_score("－1.5"), is_score("甜"), is_score("11")
    (True, False, False)
    """
    try:
        _score(text)
    except Unreadable:
        return False
    return True


FIELDS = ("weight", "gain", "k", "sigma", "rate", "fair", "grades", "scores", "steps")
WEIGHT_WORDS: Mapping[str, str] = {"ndcg": "LambdaRank", "none": "只看成对"}
GAIN_WORDS: Mapping[str, str] = {"exponential": "指数增益", "linear": "线性增益"}
FAIR_WORDS: Mapping[str, str] = {"force": "第一步的总力气一样", "rate": "学习率一样"}
SETTING_WORDS = {"all": "全部", **WEIGHT_WORDS, **GAIN_WORDS, **FAIR_WORDS}
CHOICE_FIELDS = {
    "weight": ("看哪一路（weight）", WEIGHT_WORDS),
    "gain": ("增益（gain）", GAIN_WORDS),
    "fair": ("两路怎么比（fair）", FAIR_WORDS),
}
RATE_FIELDS = {"sigma": "σ（sigma）", "rate": "学习率（rate）"}


def _read_field(field: str, values: Sequence[str]) -> object:
    """A field from its texts, of which the last counts. Raises `Unreadable`."""
    last_text = values[-1]
    if field in CHOICE_FIELDS:
        return _choice(*CHOICE_FIELDS[field], last_text)
    if field in RATE_FIELDS:
        return _number(RATE_FIELDS[field], SMALLEST_RATE, LARGEST_RATE, last_text)
    match field:
        case "grades":
            return [
                _whole_number("甜度", 0, HIGHEST_GRADE, text)
                for text in _four_values("甜度（grades）", values)
            ]
        case "scores":
            return [_score(text) for text in _four_values("模型分（scores）", values)]
        case "steps":
            return _whole_number("步数（steps）", 0, MOST_STEPS, last_text)
    return _read_cutoff(last_text)


def _four_values(label: str, values: Sequence[str]) -> Sequence[str]:
    if len(values) != 4:
        raise Unreadable(f"{label}要写四个，一篇文档一个")
    return values


def _score(text: str) -> float:
    return _number("模型分", -LARGEST_SCORE, LARGEST_SCORE, text)


def _choice(label: str, allowed_values: Mapping[str, str], text: str) -> str:
    if text not in allowed_values:
        allowed_words = "或者".join(f"{value}（{meaning}）" for value, meaning in allowed_values.items())
        raise Unreadable(f"{label}要是{allowed_words}")
    return text


def _number(label: str, least: float, greatest: float, text: str, number_noun: str = "数") -> float:
    refusal = f"{label}要是{least:g}到{greatest:g}的{number_noun}".replace("-", "−")
    try:
        number = numbers.read(text).value
    except Unreadable:
        raise Unreadable(refusal) from None
    if not least <= number <= greatest:
        raise Unreadable(refusal)
    return number


def _whole_number(label: str, least: int, greatest: int, text: str) -> int:
    number = _number(label, least, greatest, text, "整数")
    if number % 1:
        raise Unreadable(f"{label}要是{least}到{greatest}的整数")
    return int(number)


def _read_cutoff(text: str) -> int | None:
    if text == "all":
        return None
    try:
        return _whole_number("k", 1, 4, text)
    except Unreadable:
        raise Unreadable("k要是1到4的整数，或者all（全部）") from None


def _start_words(field: str, start_setting: LabSetting) -> str:
    return "、".join(
        SETTING_WORDS.get(start_text, start_text) for start_text in texts_of_field(start_setting, field)
    )


def _quoted_values(values: Sequence[str]) -> str:
    quoted_values = "、".join(values)
    if not quoted_values.strip("、 "):
        return "现在空着"
    if len(quoted_values) > 20:
        quoted_values = f"{quoted_values[:20]}……"
    return f"写的是“{quoted_values}”"
