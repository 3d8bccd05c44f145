"""Who is in the demonstration: two teachers, three classes, thirty-six learners, nobody like another."""

from dataclasses import dataclass

PASSWORD = "tangxu-demo"  # noqa: S105  printed at every start
TEACHERS = ("王老师", "李老师")
CLASSES = (("王老师", "高一3班"), ("王老师", "高一5班"), ("李老师", "信息检索选修"))


@dataclass(frozen=True)
class DemoStudent:
    """A learner: how often they come, how often they are right, and the mistake they are fond of.

    diligence: chance to work on a school day, 0..1. skill: chance to be right at a first try, 0..1.
    habit: a misconception's id, made whenever a question lets it show; None: no such habit.
    since: the week of the term in which they came, from 0.
    """

    name: str
    classroom: str
    diligence: float
    skill: float
    habit: str | None = None
    since: int = 0


LOG, RANK, IDEAL = "natural_log", "log2_of_rank", "ideal_not_sorted"
GAIN, CUT, INVERTED = "linear_for_exponential", "ideal_from_first_k", "ratio_inverted"
THREE, FIVE, CHOICE = (name for _, name in CLASSES)

STUDENTS = (
    DemoStudent("陈一诺", THREE, 0.85, 0.93),
    DemoStudent("林子墨", THREE, 0.75, 0.88, CUT),
    DemoStudent("周雨桐", THREE, 0.70, 0.84, LOG),
    DemoStudent("赵梓涵", THREE, 0.60, 0.78, LOG),
    DemoStudent("孙浩然", THREE, 0.60, 0.72, IDEAL),
    DemoStudent("吴思远", THREE, 0.55, 0.70, LOG),
    DemoStudent("郑可欣", THREE, 0.55, 0.75, GAIN),
    DemoStudent("王小明", THREE, 0.50, 0.66, RANK),
    DemoStudent("欧阳娜娜", THREE, 0.50, 0.81),
    DemoStudent("刘子轩", THREE, 0.45, 0.62, LOG),
    DemoStudent("黄诗涵", THREE, 0.45, 0.69, IDEAL),
    DemoStudent("何俊杰", THREE, 0.40, 0.58, RANK),
    DemoStudent("徐静怡", THREE, 0.35, 0.73, GAIN),
    DemoStudent("马天宇", THREE, 0.25, 0.55, LOG),
    DemoStudent("高若曦", THREE, 0.20, 0.64, INVERTED),
    DemoStudent("罗一鸣", THREE, 0.08, 0.50, LOG),
    DemoStudent("梁嘉怡", THREE, 0.65, 0.83, None, 2),
    DemoStudent("宋子豪", THREE, 0.30, 0.60, IDEAL, 3),
    DemoStudent("唐雨欣", FIVE, 0.80, 0.90),
    DemoStudent("韩宇轩", FIVE, 0.65, 0.80, CUT),
    DemoStudent("冯雅婷", FIVE, 0.60, 0.76, IDEAL),
    DemoStudent("曹博文", FIVE, 0.50, 0.71, LOG),
    DemoStudent("彭佳琪", FIVE, 0.50, 0.67, RANK),
    DemoStudent("曾子航", FIVE, 0.40, 0.63, LOG),
    DemoStudent("萧雨薇", FIVE, 0.40, 0.74),
    DemoStudent("田浩宇", FIVE, 0.30, 0.57, GAIN),
    DemoStudent("董欣妍", FIVE, 0.20, 0.61, INVERTED),
    DemoStudent("潘俊熙", FIVE, 0.10, 0.52, LOG),
    DemoStudent("苏明哲", CHOICE, 0.90, 0.95),
    DemoStudent("叶知秋", CHOICE, 0.75, 0.87, CUT),
    DemoStudent("蒋文博", CHOICE, 0.70, 0.82, GAIN),
    DemoStudent("魏子衿", CHOICE, 0.60, 0.79, IDEAL),
    DemoStudent("余思齐", CHOICE, 0.55, 0.77),
    DemoStudent("杜若飞", CHOICE, 0.45, 0.70, CUT),
    DemoStudent("钟灵毓", CHOICE, 0.35, 0.72, LOG),
    DemoStudent("古力娜", CHOICE, 0.50, 0.80, None, 1),
)
