"""What a part of an assignment may be: what a choice in a form stands for, and whether it is there."""

from app.course.content.refs import prefix_of
from app.course.exercises.exercises import LEVEL_NAMES
from app.course.games.monster import SKILLS_BY_LEVEL as MONSTER_LEVELS
from app.course.text.typed import whole_number
from app.records.assignments.values import NewPart
from app.web.site.site import Courses

LEVELS_BY_GAME = {
    "duel": (0,),
    "monster": (0, *MONSTER_LEVELS),
    "judging": (0,),
    "interleaving": (0,),
    "pushing": (0,),
}
"""The games with the levels that can be asked for; 0: any."""


def refs_and_levels_of_choice(
    part_kind: str, choice: str, level: int, courses: Courses
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
    course = courses.get(prefix_of(choice))
    stage = None
    if course and part_kind == "section":
        stage = course.stage(course.bare(choice))
    if stage is None:
        return [(choice, 0)]
    return [(f"{choice}/{section.id}", 0) for section in stage.sections]


def part_exists(part: NewPart, courses: Courses) -> bool:
    """Whether what a part names is there."""
    if part.kind == "game":
        return part.level in LEVELS_BY_GAME.get(part.ref, ())
    course = courses.get(prefix_of(part.ref))
    if course is None:
        return False
    bare_ref = course.bare(part.ref)
    stage_id, _, section_id = bare_ref.partition("/")
    stage = course.stage(stage_id)
    match part.kind:
        case "item":
            return bare_ref in course.items and bare_ref not in course.probe_ids and "#" not in part.ref
        case "practice":
            return bare_ref in course.exercises and part.level in LEVEL_NAMES
        case "section":
            return stage is not None and stage.section(section_id) is not None
        case "cards":
            return stage is not None and bool(course.card_ids_by_stage_id.get(stage_id))
    return False
