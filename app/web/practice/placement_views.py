"""What six answers recommend: where to begin, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.course import Course, Stage
from app.course.content.model import PlacementEntry
from app.records.learning.values import ResponseRow
from app.web.learning.stage_views import section_url


@dataclass(frozen=True)
class PlacementRow:
    """A question that was asked: what it was about, how it went, and where that is taught."""

    skill: str
    verdict: str
    stage: str


@dataclass(frozen=True)
class Recommendation:
    """The stage to begin with, the reason, and every question."""

    stage: str
    url: str
    because: str
    right: int
    rows: Sequence[PlacementRow]


def answered(course: Course, responses: Sequence[ResponseRow]) -> Mapping[str, bool]:
    """Item → whether it was answered rightly; those that were not answered are not in it."""
    return {course.bare(row.item): row.verdict == "right" for row in responses}


def recommendation(course: Course, given: Mapping[str, bool]) -> Recommendation:
    """The stage of the first question that was not answered rightly, else the one after the last."""
    stuck = next((entry for entry in course.placement if not given.get(entry.item)), None)
    stage = ready(course, stage_of(course, stuck) if stuck else beyond(course))
    return Recommendation(
        stage=stage.title,
        url=section_url(stage, stage.sections[0]),
        because=because(course, stuck, given, stage),
        right=sum(given.values()),
        rows=[row(course, entry, given) for entry in course.placement],
    )


def because(course: Course, stuck: PlacementEntry | None, given: Mapping[str, bool], stage: Stage) -> str:
    """Why there: one or two sentences."""
    if stuck is None:
        return (
            f"这{len(course.placement)}道都难不住你。前面几段可以当故事翻翻，从《{stage.title}》接着往上走。"
        )
    about, wanted = course.skills[course.items[stuck.item].skill].name, stage_of(course, stuck)
    passed = "这一题你跳过了" if stuck.item not in given else "这一题差了一点"
    reason = f"第一处停下来的是“{about}”：{passed}，它在《{wanted.title}》里从头讲。"
    if stage is not wanted:
        return f"{reason}那一段还在熬糖，先从《{stage.title}》走起。"
    later = sum(right for item, right in given.items() if item != stuck.item)
    behind = stage.number > 1
    return reason + (
        "前面几题你都答对了，想复习随时可以回去。" if behind
        else "后面有几题你也答对了，走到那里会快得多。" if later
        else "从头走最省力，每一节只要几分钟。"
    )  # fmt: skip


def row(course: Course, entry: PlacementEntry, given: Mapping[str, bool]) -> PlacementRow:
    verdict = {True: "right", False: "wrong", None: "new"}[given.get(entry.item)]
    skill = course.skills[course.items[entry.item].skill].name
    return PlacementRow(skill, verdict, stage_of(course, entry).title)


def stage_of(course: Course, entry: PlacementEntry) -> Stage:
    return next(stage for stage in course.stages if stage.id == entry.stage)


def beyond(course: Course) -> Stage:
    """The stage after the last one that is asked about, or that one itself."""
    last = stage_of(course, course.placement[-1])
    return course.next_stage(last.id) or last


def ready(course: Course, wanted: Stage) -> Stage:
    """The stage itself, or the last one before it that can be learnt already."""
    there = [stage for stage in course.stages if stage.sections]
    return ([stage for stage in there if stage.number <= wanted.number] or there)[-1]
