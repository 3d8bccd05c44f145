"""What the teachers of the demonstration assign in the term."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from app.records.assignments.values import Answers, AssignmentRules, NewPart

DAY = timedelta(days=1)


def items(*names: str) -> tuple[NewPart, ...]:
    return tuple(NewPart("item", f"content:{name}", points=2) for name in names)


def practice(exercise: str, level: int, count: int) -> NewPart:
    return NewPart("practice", f"content:{exercise}", level, count, points=2)


@dataclass(frozen=True)
class Homework:
    """An assignment: the day of the term on which it was published, for how long, and how it is marked."""

    title: str
    day: int
    days: int
    parts: tuple[NewPart, ...]
    note: str = ""
    answers: Answers = "handed_in"
    hints: bool = True
    passes: int = 1
    tries: int = 1
    late_days: int = 0
    pre: bool = False

    def rules(self, published_at: datetime) -> AssignmentRules:
        due_at = published_at + self.days * DAY
        late_until = None
        late_factor = 1.0
        if self.late_days:
            late_until = due_at + self.late_days * DAY
            late_factor = 0.8
        return AssignmentRules(
            title=self.title,
            note=self.note,
            opens_at=None,
            due_at=due_at,
            late_until=late_until,
            late_factor=late_factor,
            passes=self.passes,
            tries=self.tries,
            hints=self.hints,
            answers=self.answers,
            counts="best",
        )


PRETEST = Homework(
    "DCG前测",
    7,
    2,
    (practice("term", 1, 2), practice("dcg", 1, 2)),
    "会多少写多少，不算平时分。",
    answers="never",
    hints=False,
    pre=True,
)
POSTTEST = replace(
    PRETEST, title="DCG后测", day=33, pre=False, answers="handed_in", note="和前测一样难，换了一组数。"
)
TERM = (
    Homework("先后和甜度", 4, 3, items("cg-chengdu", "lipstick-bags", "equal-bags"), "三道题，五分钟。"),
    PRETEST,
    Homework(
        "一项一项算DCG",
        14,
        4,
        (practice("term", 1, 2), practice("dcg", 1, 2), practice("dcg", 2, 1)),
        "每人的数都不一样：方法可以商量，答案抄不了。",
        passes=2,
        late_days=3,
    ),
    Homework(
        "理想排序与NDCG",
        22,
        4,
        (practice("idcg", 1, 2), practice("ndcg", 1, 2), practice("ideal-order", 1, 1)),
        answers="at_once",
        tries=3,
        late_days=2,
    ),
    Homework(
        "复习周",
        28,
        6,
        (NewPart("cards", "content:definitions", count=12, points=10), NewPart("game", "duel", points=5)),
        "翻12张闪卡，再玩一局《谁的推荐更懂我》。",
    ),
    Homework("截断k", 37, 6, (practice("ndcg-at-k", 1, 3), practice("idcg-cut", 1, 2)), passes=2),
)
IN_CLASS = Homework(
    "课堂练习：看懂截断",
    42,
    1,
    (practice("idcg-cut", 1, 2), practice("dcg", 2, 1), practice("ndcg-at-k", 2, 1)),
    "一起做，卡住了举手。",
    answers="at_once",
    tries=0,
)
