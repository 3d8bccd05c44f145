"""What a part of an assignment may be: what forms offer, what a choice stands for, whether it is there."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from app.course import Course
from app.course.content.refs import own_id_of, prefix_of
from app.course.exercises.exercises import NAME_BY_LEVEL, offered_exercises
from app.course.games.monster import SKILLS_BY_LEVEL as MONSTER_LEVELS
from app.course.text.typed import whole_number
from app.records.assignments.values import NewPart
from app.web.site.posted_forms import PostedForm
from app.web.site.site import CourseByPrefix

LONGEST_COUNT = 10
"""Characters of a count that an address carries."""
LEVELS_BY_GAME = {
    "duel": (0,),
    "monster": (0, *MONSTER_LEVELS),
    "judging": (0,),
    "interleaving": (0,),
    "pushing": (0,),
}
"""The games with the levels that can be asked for; 0: any."""


def option_lists(course_by_prefix: CourseByPrefix) -> Mapping[str, Any]:
    """What the forms offer beside items: exercises, sections, stages with cards, games."""
    options_by_form: dict[str, Any] = {
        "exercises": [],
        "levels": NAME_BY_LEVEL,
        "stages": [],
        "cards": [],
        "games": [],
    }
    for course in course_by_prefix.values():
        if own_id_of(course.prefix) is None:
            options_by_form["exercises"] += exercise_options(course)
        if course.prefix == "content":
            options_by_form["games"] += game_options(course)
        for stage in course.stages:
            stage_ref = course.ref(stage.id)
            if stage.sections:
                sections = [(f"{stage_ref}/{section.id}", section.title) for section in stage.sections]
                options_by_form["stages"].append((stage_ref, stage.title, sections))
            if cards := course.card_ids_by_stage_id.get(stage.id):
                options_by_form["cards"].append((stage_ref, stage.title, len(cards)))
    return options_by_form


def exercise_options(course: Course) -> list[tuple[str, list[tuple[str, str]]]]:
    """The exercises with their titles, by the name of their knowledge point."""
    skills_with_exercises = []
    for skill_id, skill in course.skills.items():
        exercises = []
        for exercise_id, exercise in offered_exercises(course.exercises).items():
            if exercise.skill == skill_id:
                exercises.append((course.ref(exercise_id), exercise.title))
        if exercises:
            skills_with_exercises.append((skill.name, exercises))
    return skills_with_exercises


def game_options(course: Course) -> list[tuple[str, str]]:
    """The games by their names; the one with levels also from each level on."""
    if course.games is None:
        return []
    duel = course.games.duel
    monster = course.games.monster
    options_of_games = [("duel", duel.title), ("monster", f"{monster.title}，哪一关都行")]
    for level_number, level in enumerate(monster.levels, 1):
        options_of_games.append(
            (f"monster/{level_number}", f"{monster.title}，第{level_number}关以上：{level.name}")
        )
    options_of_games += [
        (game_name, course.games.words_of(game_name).title)
        for game_name in ("judging", "interleaving", "pushing")
    ]
    return options_of_games


def refs_and_levels_of_choice(
    part_kind: str, choice: str, level: int, course_by_prefix: CourseByPrefix
) -> list[tuple[str, int]]:
    """What a choice in a form stands for, with its level: a whole stage is all its sections; of a game
    `monster/2` asks for level 2 or more."""
    if part_kind == "game":
        game_name, _, least_level_text = choice.partition("/")
        least_level = whole_number(least_level_text or "0")
        if least_level is None:
            return [(choice, 0)]
        return [(game_name, least_level)]
    if part_kind == "practice":
        return [(choice, level)]
    course = course_by_prefix.get(prefix_of(choice))
    stage = None
    if course and part_kind == "section":
        stage = course.stage(course.bare(choice))
    if stage is None:
        return [(choice, 0)]
    return [(f"{choice}/{section.id}", 0) for section in stage.sections]


def part_exists(part: NewPart, course_by_prefix: CourseByPrefix) -> bool:
    """Whether what a part names is there."""
    if part.kind == "game":
        return part.level in LEVELS_BY_GAME.get(part.ref, ())
    course = course_by_prefix.get(prefix_of(part.ref))
    if course is None:
        return False
    bare_ref = course.bare(part.ref)
    stage_id, _, section_id = bare_ref.partition("/")
    stage = course.stage(stage_id)
    match part.kind:
        case "item":
            return bare_ref in course.items and bare_ref not in course.probe_ids and "#" not in part.ref
        case "practice":
            return bare_ref in course.exercises and part.level in NAME_BY_LEVEL
        case "section":
            return stage is not None and stage.section(section_id) is not None
        case "cards":
            return stage is not None and bool(course.card_ids_by_stage_id.get(stage_id))
    return False


def bank_query(form: PostedForm) -> str:
    """What is ticked and typed for a bank that is not made, for an address; empty where nothing is.

    >>> bank_query(PostedForm({"member": ["1", "3"], "asked": [""]})), bank_query(PostedForm({"asked": [""]}))
    ('?member=1&member=3', '')
    """
    fields = [("member", str(part_id)) for part_id in form.ids("member")]
    if asked_text := form.text("asked")[:LONGEST_COUNT]:
        fields.append(("asked", asked_text))
    return f"?{urlencode(fields)}" if fields else ""
