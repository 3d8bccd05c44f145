"""What can be put into an assignment: items by knowledge point, exercises, sections, cards, games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.course import Course
from app.course.assignments.question_sets import prefix_of
from app.course.exercises.exercises import practice_id
from app.course.games.monster import LEVELS as MONSTER_LEVELS
from app.course.items.kinds import Item
from app.records.assignments.values import NewPart, PartRow
from app.records.db.errors import NotFound, Refused
from app.web.assignments.part_views import KINDS, LEVELS, item_url, minutes, skill_of, stem
from app.web.site.requests import whole

GAMES = {"duel": (0,), "monster": (0, *MONSTER_LEVELS)}
"""The games with the levels that can be asked for; 0: any."""


@dataclass(frozen=True)
class Pickable:
    """An item that can be ticked; `taken`: it is in the assignment already."""

    ref: str
    url: str
    kind: str
    stem: Markup
    minutes: int
    taken: bool


@dataclass(frozen=True)
class SkillLink:
    """A knowledge point with how many items it has."""

    id: str
    name: str
    count: int


@dataclass(frozen=True)
class PickerView:
    """All knowledge points by stage, and the items of one."""

    groups: Sequence[tuple[str, Sequence[SkillLink]]]
    skill: str
    name: str
    items: Sequence[Pickable]


def picker_view(courses: Mapping[str, Course], parts: Sequence[PartRow], skill: str) -> PickerView:
    """The items of a knowledge point; without one, of the first."""
    found = by_skill(courses)
    chosen = skill or next(iter(found), "")
    if chosen not in found:
        raise NotFound("没有这个知识点，也许它换了名字。")
    taken = {part.ref for part in parts}
    return PickerView(
        groups=groups(courses, found),
        skill=chosen,
        name=name_of(courses, chosen),
        items=[pickable(course, item, taken) for course, item in found[chosen]],
    )


Found = Mapping[str, Sequence[tuple[Course, Item]]]


def by_skill(courses: Mapping[str, Course]) -> Found:
    """Every item that can be asked for points, by knowledge point, in the order of the courses."""
    found: dict[str, list[tuple[Course, Item]]] = {
        skill: [] for course in courses.values() for skill in course.skills
    }
    for course in courses.values():
        others = {*variants(course), *course.probes}
        for item in course.items.values():
            if item.id not in others:
                found.setdefault(skill_of(course, item), []).append((course, item))
    return {skill: items for skill, items in found.items() if items}


def variants(course: Course) -> list[str]:
    """The items that stand for an exercise at a level: they are drawn, not picked."""
    return [practice_id(exercise, level) for exercise in course.exercises for level in LEVELS]


def groups(courses: Mapping[str, Course], found: Found) -> list[tuple[str, list[SkillLink]]]:
    """The knowledge points under the stage in which they are at home."""
    by_stage: dict[str, list[SkillLink]] = {
        stage.title: [] for course in courses.values() for stage in course.stages
    }
    for skill, items in found.items():
        link = SkillLink(skill, name_of(courses, skill), len(items))
        by_stage.setdefault(home_of(courses, skill), []).append(link)
    return [(title, links) for title, links in by_stage.items() if links]


def home_of(courses: Mapping[str, Course], skill: str) -> str:
    homes = (course.homes[skill][0].title for course in courses.values() if skill in course.homes)
    return next(homes, "别处")


def name_of(courses: Mapping[str, Course], skill: str) -> str:
    names = (course.skills[skill].name for course in courses.values() if skill in course.skills)
    return next(names, skill)


def pickable(course: Course, item: Item, taken: set[str]) -> Pickable:
    ref = course.ref(item.id)
    return Pickable(
        ref, item_url(course, item), KINDS[item.kind], stem(course, item), minutes(course, item), ref in taken
    )


def another(courses: Mapping[str, Course], parts: Sequence[PartRow], old: PartRow) -> str:
    """The next item of the same knowledge point and not in the assignment; Refused where there is none."""
    course = courses.get(prefix_of(old.ref))
    item = course.items.get(course.bare(old.ref)) if course else None
    if old.kind != "item" or course is None or item is None:
        raise Refused("这一项没有同类可换；移走它，另挑一道。")
    alike = [one.ref(each.id) for one, each in by_skill(courses)[skill_of(course, item)]]
    at = alike.index(old.ref) + 1 if old.ref in alike else 0  # what may no longer be picked may stand there
    taken = {part.ref for part in parts}
    for ref in alike[at:] + alike[:at]:
        if ref not in taken:
            return ref
    raise Refused("这个知识点的题都已经在作业里了。")


def refs(kind: str, chosen: str, level: int, courses: Mapping[str, Course]) -> list[tuple[str, int]]:
    """What a choice in a form stands for, with its level: a whole stage is all its sections; of a game
    `monster/2` asks for level 2 or more."""
    if kind == "game":
        game, _, least = chosen.partition("/")
        asked = whole(least or "0")
        return [(chosen, 0)] if asked is None else [(game, asked)]
    course = courses.get(prefix_of(chosen))
    stage = course.stage(course.bare(chosen)) if course and kind == "section" else None
    if stage is None:
        return [(chosen, level if kind == "practice" else 0)]
    return [(f"{chosen}/{section.id}", 0) for section in stage.sections]


def exists(part: NewPart, courses: Mapping[str, Course]) -> bool:
    """Whether there is what a part names."""
    if part.kind == "game":
        return part.level in GAMES.get(part.ref, ())
    course = courses.get(prefix_of(part.ref))
    if course is None:
        return False
    bare = course.bare(part.ref)
    stage_id, _, section_id = bare.partition("/")
    stage = course.stage(stage_id)
    match part.kind:
        case "item":
            return bare in course.items and bare not in course.probes and "#" not in part.ref
        case "practice":
            return bare in course.exercises and part.level in LEVELS
        case "section":
            return stage is not None and stage.section(section_id) is not None
        case "cards":
            return stage is not None and bool(course.card_sets.get(stage_id))
    return False
