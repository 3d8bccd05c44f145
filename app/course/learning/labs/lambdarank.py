"""LambdaRank一步一步: the setting of the lab, read from an address and written into one."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, StringConstraints

from app.course.items import numbers
from app.course.items.examples import CLAUSE_BY_GAIN
from app.course.items.marks import Unreadable
from app.course.text.model_base import NAME_BY_GAIN, ContentPart, GainName
from app.course.text.typed import AddressFields

MOST_STEPS = 40
HIGHEST_GRADE, LARGEST_SCORE = 4, 10
SMALLEST_RATE, LARGEST_RATE = 0.01, 5.0
"""Between these lie sigma and the learning rate."""

DocumentName = Annotated[str, StringConstraints(min_length=1, max_length=4)]
Sweetness = Annotated[int, Field(ge=0, le=HIGHEST_GRADE)]
Score = Annotated[float, Field(ge=-LARGEST_SCORE, le=LARGEST_SCORE)]
StepRate = Annotated[float, Field(ge=SMALLEST_RATE, le=LARGEST_RATE)]
PairWeight = Literal["ndcg", "none"]
QuantityKeptEqual = Literal["force", "rate"]


class LabSetting(ContentPart):
    """Four documents and how they are pushed; in a lesson, the `start` of the step says where the lab begins.

    weight: `ndcg` is LambdaRank, `none` looks at pairs alone (RankNet). fair: what both have in common,
    the whole `force` of the first step or the learning `rate`.
    """

    names: list[DocumentName] = Field(default=["甲", "乙", "丙", "丁"], min_length=4, max_length=4)
    grades: list[Sweetness] = Field(default=[1, 2, 0, 3], min_length=4, max_length=4)
    scores: list[Score] = Field(default=[2.0, 1.5, 1.0, 0.5], min_length=4, max_length=4)
    sigma: StepRate = 1.0
    rate: StepRate = 0.5
    gain: GainName = "exponential"
    k: int | None = Field(default=None, ge=1, le=4)
    weight: PairWeight = "ndcg"
    fair: QuantityKeptEqual = "force"
    steps: int = Field(default=0, ge=0, le=MOST_STEPS)

    @property
    def convention_words(self) -> str:
        """The 约定 in one line."""
        cutoff_words = "不截断"
        if self.k:
            cutoff_words = f"截断k={self.k}"
        gain_words = CLAUSE_BY_GAIN[self.gain]
        return f"{gain_words}·折损1/log₂(名次+1)·{cutoff_words}·理想排序取自这四篇·同分的按原来的先后"


class LabReading(NamedTuple):
    """A setting as an address gives it; `fault_by_field` says, field by field, what could not be read."""

    setting: LabSetting
    fault_by_field: Mapping[str, str]


def read(sent_fields: AddressFields, start_setting: LabSetting) -> LabReading:
    """The setting of an address; a field that is missing or unreadable is that of `start_setting`.

    >>> read({"steps": ["3"], "sigma": ["２"]}, LabSetting()).setting.sigma
    2.0
    >>> read({"k": ["九"]}, LabSetting()).fault_by_field
    {'k': 'k要是1到4的整数，或者all（全部）；写的是“九”，先按全部来。'}
    """
    value_by_field: dict[str, Any] = {}
    fault_by_field: dict[str, str] = {}
    for field_name in FIELD_NAMES:
        if field_name in sent_fields:
            try:
                value_by_field[field_name] = _read_field(field_name, sent_fields[field_name])
            except Unreadable as error:
                quoted_words = _quoted_words(sent_fields[field_name])
                start_words = _start_words(field_name, start_setting)
                fault_by_field[field_name] = f"{error}；{quoted_words}，先按{start_words}来。"
    return LabReading(start_setting.model_copy(update=value_by_field), fault_by_field)


def fields_of_setting(lab_setting: LabSetting, start_setting: LabSetting) -> list[tuple[str, str]]:
    """What an address says of a setting: only what differs from where the lab starts.

    >>> fields_of_setting(LabSetting(steps=2, k=3), LabSetting())
    [('k', '3'), ('steps', '2')]
    """
    name_text_pairs = []
    for field_name in FIELD_NAMES:
        if getattr(lab_setting, field_name) != getattr(start_setting, field_name):
            name_text_pairs += [
                (field_name, value_text) for value_text in texts_of_field(lab_setting, field_name)
            ]
    return name_text_pairs


def texts_of_field(lab_setting: LabSetting, field_name: str) -> list[str]:
    """A field as it is written, one text for each of its values.

    >>> texts_of_field(LabSetting(), "scores"), texts_of_field(LabSetting(), "k")
    (['2', '1.5', '1', '0.5'], ['all'])
    """
    setting_value = getattr(lab_setting, field_name)
    if setting_value is None:
        return ["all"]
    if isinstance(setting_value, str):
        return [setting_value]
    if isinstance(setting_value, list):
        return [f"{listed_number:g}" for listed_number in setting_value]
    return [f"{setting_value:g}"]


def is_score(typed_score_text: str) -> bool:
    """Whether a score can be read.

    >>> is_score("－1.5"), is_score("甜"), is_score("11")
    (True, False, False)
    """
    try:
        _read_score(typed_score_text)
    except Unreadable:
        return False
    return True


FIELD_NAMES = ("weight", "gain", "k", "sigma", "rate", "fair", "grades", "scores", "steps")
WORDS_BY_WEIGHT: Mapping[str, str] = {"ndcg": "LambdaRank", "none": "只看成对"}
WORDS_BY_FAIRNESS: Mapping[str, str] = {"force": "第一步的总力气一样", "rate": "学习率一样"}
WORDS_BY_SETTING = {"all": "全部", **WORDS_BY_WEIGHT, **NAME_BY_GAIN, **WORDS_BY_FAIRNESS}
LABEL_AND_WORDS_BY_CHOICE_FIELD = {
    "weight": ("看哪一路（weight）", WORDS_BY_WEIGHT),
    "gain": ("增益（gain）", NAME_BY_GAIN),
    "fair": ("两路怎么比（fair）", WORDS_BY_FAIRNESS),
}
LABEL_BY_RATE_FIELD = {"sigma": "σ（sigma）", "rate": "学习率（rate）"}


def _read_field(field_name: str, typed_texts: Sequence[str]) -> object:
    """A field from its texts, of which the last counts. Raises `Unreadable`."""
    last_text = typed_texts[-1]
    if field_name in LABEL_AND_WORDS_BY_CHOICE_FIELD:
        return _read_choice(*LABEL_AND_WORDS_BY_CHOICE_FIELD[field_name], last_text)
    if field_name in LABEL_BY_RATE_FIELD:
        return _read_number(LABEL_BY_RATE_FIELD[field_name], SMALLEST_RATE, LARGEST_RATE, last_text)
    match field_name:
        case "grades":
            return [
                _read_whole_number("甜度", 0, HIGHEST_GRADE, typed_text)
                for typed_text in _checked_four_texts("甜度（grades）", typed_texts)
            ]
        case "scores":
            return [
                _read_score(typed_text) for typed_text in _checked_four_texts("模型分（scores）", typed_texts)
            ]
        case "steps":
            return _read_whole_number("步数（steps）", 0, MOST_STEPS, last_text)
    return _read_cutoff(last_text)


def _checked_four_texts(setting_label: str, typed_texts: Sequence[str]) -> Sequence[str]:
    if len(typed_texts) != 4:
        raise Unreadable(f"{setting_label}要写四个，一篇文档一个")
    return typed_texts


def _read_score(typed_text: str) -> float:
    return _read_number("模型分", -LARGEST_SCORE, LARGEST_SCORE, typed_text)


def _read_choice(setting_label: str, words_by_value: Mapping[str, str], typed_text: str) -> str:
    if typed_text not in words_by_value:
        allowed_words = "或者".join(
            f"{choice_name}（{meaning}）" for choice_name, meaning in words_by_value.items()
        )
        raise Unreadable(f"{setting_label}要是{allowed_words}")
    return typed_text


def _read_number(
    setting_label: str, lowest_number: float, highest_number: float, typed_text: str, number_noun: str = "数"
) -> float:
    refusal_words = f"{setting_label}要是{lowest_number:g}到{highest_number:g}的{number_noun}".replace(
        "-", "−"
    )
    try:
        number = numbers.read(typed_text).value
    except Unreadable:
        raise Unreadable(refusal_words) from None
    if not lowest_number <= number <= highest_number:
        raise Unreadable(refusal_words)
    return number


def _read_whole_number(setting_label: str, lowest_number: int, highest_number: int, typed_text: str) -> int:
    number = _read_number(setting_label, lowest_number, highest_number, typed_text, "整数")
    if number % 1:
        raise Unreadable(f"{setting_label}要是{lowest_number}到{highest_number}的整数")
    return int(number)


def _read_cutoff(typed_text: str) -> int | None:
    if typed_text == "all":
        return None
    try:
        return _read_whole_number("k", 1, 4, typed_text)
    except Unreadable:
        raise Unreadable("k要是1到4的整数，或者all（全部）") from None


def _start_words(field_name: str, start_setting: LabSetting) -> str:
    return "、".join(
        WORDS_BY_SETTING.get(start_text, start_text)
        for start_text in texts_of_field(start_setting, field_name)
    )


def _quoted_words(typed_texts: Sequence[str]) -> str:
    joined_text = "、".join(typed_texts)
    if not joined_text.strip("、 "):
        return "现在空着"
    if len(joined_text) > 20:
        joined_text = f"{joined_text[:20]}……"
    return f"写的是“{joined_text}”"
