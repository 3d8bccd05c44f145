"""What the settings of an assignment are called, on every page that names them."""

from collections.abc import Mapping
from typing import NamedTuple


class AnswersWords(NamedTuple):
    """When results are shown: as a teacher sets it, as a student reads it, as the log of changes says it."""

    choice: str
    rule: str
    log: str


ANSWERS: Mapping[str, AnswersWords] = {
    "handed_in": AnswersWords("交了就看：交上去马上看到结果和讲解", "交了就能看结果和讲解", "交了就看"),
    "due": AnswersWords(
        "截止以后看：各人自己的时间截止了才看到", "你的时间截止以后，看结果和讲解", "截止以后看"
    ),
    "at_once": AnswersWords("每答一题就批改：像练习一样，错了当场讲", "每答一题就批改", "每答一题就批改"),
    "never": AnswersWords("不给看：结果留着课上讲", "结果老师来讲", "不给看"),
}


class CountsWords(NamedTuple):
    """Which attempt counts; `mark`: beside the mark in the gradebook."""

    choice: str
    rule: str
    mark: str
    log: str


COUNTS: Mapping[str, CountsWords] = {
    "best": CountsWords("最好的一遍", "几遍里最好的一遍算数", "几遍里最好的一遍算数", "最好的一遍"),
    "last": CountsWords("最后交的一遍", "最后交的一遍算数", "最后一遍算数", "最后一遍"),
    "first": CountsWords("第一遍", "第一遍算数", "第一遍算数", "第一遍"),
}
