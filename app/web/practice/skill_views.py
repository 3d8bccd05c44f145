"""Knowledge points as practice shows them: their state, why, and where to go from there."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.course import Course
from app.course.content.skills import nearest
from app.course.exercises.exercises import LEVEL_NAMES
from app.course.practice.mastery import STATE_NAMES, SkillState
from app.course.practice.recommending import Advice
from app.course.practice.skill_map import MapNode, draw
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
    label = "去学这一节" if advice.section else "就练这道"
    return AdviceView(advice.why, advice_url(advice), label)


def advice_url(advice: Advice) -> str:
    """Where a question that is advised stands."""
    if advice.exercise:
        return Variant(advice.exercise, advice.level, advice.seed).url
    if advice.item:
        return f"/items/{advice.item}?seed={advice.seed}"
    stage, section = advice.section or ("", "")
    return f"/lessons/{stage}/{section}"


def groups(course: Course, states: Mapping[str, SkillState]) -> list[SkillGroup]:
    """All skills, by the stage that teaches them; those that none teaches stand at the end."""
    points: dict[str, list[PointView]] = {stage.id: [] for stage in course.stages}
    homeless = []
    for name, state in states.items():
        if name in course.homes:
            points[course.homes[name][0].id].append(view(course, state))
        else:
            homeless.append(view(course, state))
    skill_groups = [SkillGroup(stage.number, stage.title, points[stage.id]) for stage in course.stages]
    skill_groups.append(SkillGroup(len(skill_groups) + 1, "别的", homeless))
    return [group for group in skill_groups if group.points]


def view(course: Course, state: SkillState) -> PointView:
    """One skill with everything that a page says about it."""
    skill = state.point
    home = course.homes.get(skill.id)
    return PointView(
        id=skill.id,
        name=skill.name,
        state=state.state,
        word=STATE_NAMES[state.state],
        reason=state.reason,
        blocked=bool(state.missing) and state.state == "new",
        url=next_url(skill.id),
        needs=[(need, course.points[need].name) for need in skill.needs],
        lesson=(section_url(*home), home[1].title) if home else None,
        exercises=[exercise_card(course, exercise) for exercise in skill.exercises],
    )


def exercise_card(course: Course, exercise_id: str) -> Mapping[str, object]:
    """An exercise with its levels."""
    exercise = course.exercises[exercise_id]
    levels = [{"name": name, "url": kind_url(exercise_id, level)} for level, name in LEVEL_NAMES.items()]
    return {
        "title": exercise.title,
        "summary": markup(course.line(exercise.summary)),
        "minutes": exercise.minutes,
        "levels": levels,
    }


def counts(states: Mapping[str, SkillState]) -> Mapping[str, int]:
    """How many skills are in each state, by the name of the state; what is held comes first."""
    counted = Counter(STATE_NAMES[state.state] for state in states.values())
    return {name: counted[name] for name in reversed(list(STATE_NAMES.values())) if counted[name]}


def map_svg(site: Site, states: Mapping[str, SkillState], skill_groups: Sequence[SkillGroup]) -> Markup:
    """The map of skills; the list beside it says the same in words."""
    course = site.course
    bands = tuple(
        (group.title, tuple(map_node(course, states[point.id]) for point in group.points))
        for group in skill_groups
    )
    description = f"{told(states)}下面的清单逐个写着状态和先要会什么。"
    return markup(site.cached((course.digest, bands), lambda: draw(bands, description)))


def map_node(course: Course, state: SkillState) -> MapNode:
    return MapNode(
        id=state.point.id,
        name=state.point.name,
        needs=nearest(course.points, state.point),
        state=state.state,
        share=state.share,
    )


def told(states: Mapping[str, SkillState]) -> str:
    """How many skills are in each state, in one sentence."""
    listed = "，".join(f"{name}{count}个" for name, count in counts(states).items())
    return f"{len(states)}个知识点：{listed}。"
