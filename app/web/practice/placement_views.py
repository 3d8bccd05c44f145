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


def recommendation(course: Course, answers: Mapping[str, bool]) -> Recommendation:
    """The stage of the first question that was not answered rightly, else the one after the last."""
    stuck_at = next((entry for entry in course.placement if not answers.get(entry.item)), None)
    if stuck_at is None:
        stage = learnable(course, beyond(course))
        because = (
            f"这{len(course.placement)}道都难不住你。前面几段可以当故事翻翻，从《{stage.title}》接着往上走。"
        )
    else:
        stage = learnable(course, stage_of(course, stuck_at))
        because = why_there(course, stuck_at, answers, stage)
    return Recommendation(
        stage=stage.title,
        url=section_url(stage, stage.sections[0]),
        because=because,
        right=sum(answers.values()),
        rows=[row(course, entry, answers) for entry in course.placement],
    )


def why_there(course: Course, stuck_at: PlacementEntry, answers: Mapping[str, bool], stage: Stage) -> str:
    """Why a stage is recommended, where a question was not answered rightly: two sentences."""
    taught_in = stage_of(course, stuck_at)
    outcome = "这一题差了一点" if stuck_at.item in answers else "这一题你跳过了"
    skill = skill_name(course, stuck_at)
    reason = f"第一处停下来的是“{skill}”：{outcome}，它在《{taught_in.title}》里从头讲。"
    if stage is not taught_in:
        return f"{reason}那一段还在熬糖，先从《{stage.title}》走起。"
    if stage.number > 1:
        return f"{reason}前面几题你都答对了，想复习随时可以回去。"
    if any(answers.values()):
        return f"{reason}后面有几题你也答对了，走到那里会快得多。"
    return f"{reason}从头走最省力，每一节只要几分钟。"


def row(course: Course, entry: PlacementEntry, answers: Mapping[str, bool]) -> PlacementRow:
    verdict = "new"
    if entry.item in answers:
        verdict = "right" if answers[entry.item] else "wrong"
    return PlacementRow(skill_name(course, entry), verdict, stage_of(course, entry).title)


def skill_name(course: Course, entry: PlacementEntry) -> str:
    return course.skills[course.items[entry.item].skill].name


def stage_of(course: Course, entry: PlacementEntry) -> Stage:
    return next(stage for stage in course.stages if stage.id == entry.stage)


def beyond(course: Course) -> Stage:
    """The stage after the last one that is asked about, or that one itself."""
    last = stage_of(course, course.placement[-1])
    return course.next_stage(last.id) or last


def learnable(course: Course, goal: Stage) -> Stage:
    """The stage itself, or the last one before it that can be learnt already."""
    stages = [stage for stage in course.stages if stage.sections]
    before = [stage for stage in stages if stage.number <= goal.number]
    return (before or stages)[-1]
