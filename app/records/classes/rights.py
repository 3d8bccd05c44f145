"""Who teaches a class besides its teacher, and what each of them may do: the one table of it."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Literal

Role = Literal["teacher", "co-teacher", "assistant", "reader"]


class Right(IntEnum):
    """What somebody may do in a class; whoever has one has those before it.

    >>> Right.MARK < Right.TEACH
    True
    """

    READ = 1
    """See the class as its teacher does."""
    MARK = 2
    """Change marks, excuse, comment, type the columns of one's own."""
    TEACH = 3
    """Assignments, questions, times, students, settings."""
    OWN = 4
    """Roles, passwords, moves between classes, the end of the class."""


RIGHT_BY_ROLE: Mapping[str, Right] = {
    "teacher": Right.OWN,
    "co-teacher": Right.TEACH,
    "assistant": Right.MARK,
    "reader": Right.READ,
}
INVITED_ROLES: tuple[Role, ...] = ("co-teacher", "assistant", "reader")
"""The roles that a teacher gives to others."""
WORD_BY_ROLE: Mapping[str, str] = {
    "teacher": "老师",
    "co-teacher": "合作老师",
    "assistant": "助教",
    "reader": "只看的人",
}
DESCRIPTION_BY_ROLE: Mapping[str, str] = {
    "co-teacher": "一样布置作业、改分、管名单；不能请人、换密码、把同学挪到别的班，不能归档和删掉这个班。",
    "assistant": "看得到全部，能改分、免做、写评语、填自己加的栏；不能布置作业，也不能改题目、时间和名单。",
    "reader": "看得到全部，什么也不能改。",
}
"""What a role may do, as its teacher reads it."""
HOLDER_WORDS_BY_RIGHT: Mapping[Right, str] = {
    Right.MARK: "老师、合作老师或者助教",
    Right.TEACH: "老师或者合作老师",
    Right.OWN: "老师本人",
}
"""Who has a right that not everybody who sees a class has, in words."""


def refusal_sentence(role: str, right: Right, teacher_login: str) -> str:
    """Why somebody with a role may not do what needs a right, and whom to ask.

    >>> refusal_sentence("reader", Right.MARK, "王")
    '你在这个班是只看的人，这件事要老师、合作老师或者助教来做。请找王。'
    """
    return (
        f"你在这个班是{WORD_BY_ROLE[role]}，这件事要{HOLDER_WORDS_BY_RIGHT[right]}来做。请找{teacher_login}。"
    )
