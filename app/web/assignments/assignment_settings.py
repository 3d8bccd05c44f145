"""What the settings of an assignment are called, on every page that names them."""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

WordsByValue: TypeAlias = Mapping[Any, str]
"""Values of a setting, each with its word."""


class SettingWords(NamedTuple):
    """A setting: before its field in the form, and in the log of changes."""

    label: str
    log_word: str


WORDS_BY_SETTING: Mapping[str, SettingWords] = {
    "title": SettingWords("名字", "标题"),
    "note": SettingWords("想对同学说的话", "说明"),
    "opens_at": SettingWords("开始", "开始时间"),
    "due_at": SettingWords("截止", "截止时间"),
    "late_until": SettingWords("迟交收到", "迟交收到"),
    "late_factor": SettingWords("得分按", "迟交的折扣"),
    "passes": SettingWords("能交", "能交几遍"),
    "tries": SettingWords("每题能试", "每题试几次"),
    "minutes": SettingWords("做题时间", "做题时间（分钟）"),
    "hints": SettingWords("提示", "提示"),
    "answers": SettingWords("结果和讲解", "什么时候看结果"),
    "counts": SettingWords("算数的是", "哪一遍算数"),
    "form": SettingWords("这是前测，以后会有一份后测来比", "种类"),
}


class OptionWords(NamedTuple):
    """What can be chosen of a setting: as a teacher sets it, as a student reads it, as the log says it."""

    choice: str
    rule_words: str
    log_word: str


OPTION_WORDS_BY_RESULT_TIME: Mapping[str, OptionWords] = {
    "handed_in": OptionWords("交了就看：交上去马上看到结果和讲解", "交了就能看结果和讲解", "交了就看"),
    "due": OptionWords(
        "截止以后看：各人自己的时间截止了才看到", "你的时间截止以后，看结果和讲解", "截止以后看"
    ),
    "at_once": OptionWords("每答一题就批改：像练习一样，错了当场讲", "每答一题就批改", "每答一题就批改"),
    "never": OptionWords("不给看：结果留着课上讲", "结果老师来讲", "不给看"),
}
"""When results are shown."""
OPTION_WORDS_BY_COUNTING_RULE: Mapping[str, OptionWords] = {
    "best": OptionWords("最好的一遍", "几遍里最好的一遍算数", "最好的一遍"),
    "last": OptionWords("最后交的一遍", "最后交的一遍算数", "最后一遍"),
    "first": OptionWords("第一遍", "第一遍算数", "第一遍"),
}
"""Which attempt counts."""
SHORT_WORDS_BY_COUNTING_RULE: Mapping[str, str] = {
    "best": "几遍里最好的一遍算数",
    "last": "最后一遍算数",
    "first": "第一遍算数",
}
"""Beside the mark in the gradebook."""
OPTION_WORDS_BY_HINTS: Mapping[bool, OptionWords] = {
    True: OptionWords("可以看", "可以看提示", "开"),
    False: OptionWords("不给看", "这次没有提示", "关"),
}
WORD_BY_TEST_FORM: WordsByValue = {"pre": "前测", "post": "后测", None: "都不是"}
ATTEMPT_LIMIT_CHOICES: WordsByValue = {1: "一遍", 2: "两遍", 3: "三遍", 5: "五遍", 0: "几遍都行"}
TRY_LIMIT_CHOICES: WordsByValue = {1: "一次", 2: "两次", 3: "三次", 5: "五次", 0: "几次都行"}
LATE_CHOICES: WordsByValue = {"no": "不收了", "yes": "还收迟交的"}
NO_LIMIT_WORDS: WordsByValue = {0: "不限"}


def _choice_words(words_by_value: Mapping[Any, OptionWords]) -> WordsByValue:
    return {value: words.choice for value, words in words_by_value.items()}


def _log_words(words_by_value: Mapping[Any, OptionWords]) -> WordsByValue:
    return {value: words.log_word for value, words in words_by_value.items()}


CHOICES_BY_SETTING: Mapping[str, WordsByValue] = {
    "answers": _choice_words(OPTION_WORDS_BY_RESULT_TIME),
    "counts": _choice_words(OPTION_WORDS_BY_COUNTING_RULE),
    "passes": ATTEMPT_LIMIT_CHOICES,
    "tries": TRY_LIMIT_CHOICES,
    "hints": {"yes": OPTION_WORDS_BY_HINTS[True].choice, "no": OPTION_WORDS_BY_HINTS[False].choice},
    "late": LATE_CHOICES,
}
"""What the form of the settings offers, by the name of the field."""
LOG_WORDS_BY_SETTING: Mapping[str, WordsByValue] = {
    "answers": _log_words(OPTION_WORDS_BY_RESULT_TIME),
    "counts": _log_words(OPTION_WORDS_BY_COUNTING_RULE),
    "hints": _log_words(OPTION_WORDS_BY_HINTS),
    "passes": NO_LIMIT_WORDS,
    "tries": NO_LIMIT_WORDS,
    "minutes": NO_LIMIT_WORDS,
    "form": WORD_BY_TEST_FORM,
}
"""The values of settings that are no figures, times or texts, as the log says them."""


def tries_rule(most_tries: int) -> str:
    """How often a question may be tried, as a student reads it; 0: without a limit."""
    if most_tries:
        return f"每题可以试{most_tries}次"
    return "每题试几次都行"


def minutes_rule(minutes: float) -> str:
    """How long an attempt may take, as a student reads it before beginning.

    >>> minutes_rule(45.0)
    '限时45分钟：点了“开始做”就开始算，中间关掉网页也不停，到时间自己交'
    """
    return f"限时{minutes:g}分钟：点了“开始做”就开始算，中间关掉网页也不停，到时间自己交"


def passes_rule(most_attempts: int, counting_rule: str) -> str:
    """How often it may be handed in, and which attempt counts; 0: without a limit.

    >>> passes_rule(1, "best"), passes_rule(3, "last")
    ('只交一遍', '最多交3遍，最后交的一遍算数')
    """
    if most_attempts == 1:
        return "只交一遍"
    limit_words = "交几遍都行"
    if most_attempts:
        limit_words = f"最多交{most_attempts}遍"
    return f"{limit_words}，{OPTION_WORDS_BY_COUNTING_RULE[counting_rule].rule_words}"
