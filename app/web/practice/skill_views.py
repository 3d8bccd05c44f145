"""Knowledge points as practice shows them: their state, why, and where to go from there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.course import Course, Stage
from app.course.content.skills import nearest
from app.course.exercises.exercises import LEVEL_NAMES
from app.course.practice.mastery import STATE_NAMES, SkillState
from app.course.practice.recommending import Advice
from app.course.practice.skill_map import MapNode, draw
from app.records.practice.values import PracticeData
from app.web.items.variants import Variant, kind_url, next_url
from app.web.learning.stage_views import section_url
from app.web.site.responses import markup
from app.web.site.site import Site


@dataclass(frozen=True)
class PointView:
    """A knowledge point in a list. `blocked`: what it needs does not bear yet. `url`: its next question."""

    id: str
    name: str
    state: str
    word: str
    reason: str
    blocked: bool
    url: str
    needs: Sequence[tuple[str, str]]
    lesson: tuple[str, str] | None
    exercises: Sequence[Mapping[str, object]]


@dataclass(frozen=True)
class SkillGroup:
    """The knowledge points of a stage."""

    number: int
    title: str
    points: Sequence[PointView]


@dataclass(frozen=True)
class AdviceView:
    """What comes next, in words, and where it is."""

    why: str
    url: str
    label: str


def advice_view(advice: Advice | None) -> AdviceView | None:
    """The recommendation as a page shows it."""
    if advice is None:
        return None
    if advice.section:
        return AdviceView(advice.why, advice_url(advice), "去学这一节")
    return AdviceView(advice.why, advice_url(advice), "就练这道")


def advice_url(advice: Advice) -> str:
    """Where a question that is advised stands."""
    if advice.exercise:
        return Variant(advice.exercise, advice.level, advice.seed).url
    if advice.item:
        return f"/items/{advice.item}?seed={advice.seed}"
    return "/lessons/{}/{}".format(*(advice.section or ("", "")))


def groups(course: Course, standings: Mapping[str, SkillState]) -> list[SkillGroup]:
    """All points, by the stage that teaches them; those that none teaches stand at the end."""
    found = [group_of(course, stage, standings) for stage in course.stages]
    homeless = [view(course, one) for one in standings.values() if one.point.id not in course.homes]
    return [group for group in [*found, SkillGroup(len(found) + 1, "别的", homeless)] if group.points]


def group_of(course: Course, stage: Stage, standings: Mapping[str, SkillState]) -> SkillGroup:
    here = [name for name in standings if name in course.homes and course.homes[name][0] is stage]
    return SkillGroup(stage.number, stage.title, [view(course, standings[name]) for name in here])


def view(course: Course, standing: SkillState) -> PointView:
    """One point with everything that a page says about it."""
    point = standing.point
    home = course.homes.get(point.id)
    return PointView(
        id=point.id,
        name=point.name,
        state=standing.state,
        word=STATE_NAMES[standing.state],
        reason=standing.reason,
        blocked=bool(standing.missing) and standing.state == "new",
        url=next_url(point.id),
        needs=[(one, course.points[one].name) for one in point.needs],
        lesson=(section_url(*home), home[1].title) if home else None,
        exercises=[card(course, exercise) for exercise in point.exercises],
    )


def card(course: Course, exercise_id: str) -> Mapping[str, object]:
    """An exercise with its three levels."""
    exercise = course.exercises[exercise_id]
    return {
        "title": exercise.title,
        "summary": markup(course.line(exercise.summary)),
        "minutes": exercise.minutes,
        "levels": [
            {"name": name, "url": kind_url(exercise_id, level)} for level, name in LEVEL_NAMES.items()
        ],
    }


def counts(standings: Mapping[str, SkillState]) -> Mapping[str, int]:
    """How many points are in each state, by the name of the state; what is held comes first."""
    states = [STATE_NAMES[one.state] for one in standings.values()]
    return {name: states.count(name) for name in reversed(list(STATE_NAMES.values())) if name in states}


def map_svg(site: Site, look: PracticeData) -> Markup:
    """The map of knowledge points; the list beside it says the same in words."""
    course, found = site.course, look.standings
    bands = tuple(
        (group.title, tuple(shown(course, found[one.id]) for one in group.points))
        for group in groups(course, found)
    )
    description = f"{told(found)}下面的清单逐个写着状态和先要会什么。"
    return markup(site.cached((course.digest, bands), lambda: draw(bands, description)))


def told(standings: Mapping[str, SkillState]) -> str:
    """How many points are in each state, in one sentence."""
    listed = "，".join(f"{name}{count}个" for name, count in counts(standings).items())
    return f"{len(standings)}个知识点：{listed}。"


def shown(course: Course, standing: SkillState) -> MapNode:
    point = standing.point
    return MapNode(point.id, point.name, nearest(course.points, point), standing.state, standing.share)
