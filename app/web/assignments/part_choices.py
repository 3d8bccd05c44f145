"""What a part of an assignment may be: what forms offer, what a choice stands for, how a form is read."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

from app.course import Course, Unreadable
from app.course.content.refs import MAIN_PREFIX, own_content_id_of, prefix_of
from app.course.exercises.exercises import NAME_BY_LEVEL, offered_exercises
from app.course.games.monster import SKILLS_BY_LEVEL as MONSTER_LEVELS
from app.course.items.numbers import read
from app.course.text.typed import whole_number
from app.records.assignments.values import NewPart, PartRow
from app.records.cards.values import USUAL_SETTINGS
from app.records.db.errors import Refused, naming_field
from app.web.site.posted_forms import PostedForm
from app.web.site.site import CourseByPrefix

LONGEST_COUNT_TEXT = 10
"""Characters of a count that an address carries."""
LEVELS_BY_GAME = {
    "duel": (0,),
    "monster": (0, *MONSTER_LEVELS),
    "judging": (0,),
    "interleaving": (0,),
    "pushing": (0,),
}
"""The games with the levels that can be asked for; 0: any."""


def options_by_form(course_by_prefix: CourseByPrefix) -> Mapping[str, Any]:
    """What the forms offer beside items: exercises, sections, stages with cards, games."""
    options_by_form: dict[str, Any] = {
        "exercises": [],
        "levels": NAME_BY_LEVEL,
        "stages": [],
        "cards": [],
        "new_cards_a_day": USUAL_SETTINGS.new_cards_a_day,
        "games": [],
    }
    for course in course_by_prefix.values():
        if own_content_id_of(course.prefix) is None:
            options_by_form["exercises"] += exercise_options(course)
        if course.prefix == MAIN_PREFIX:
            options_by_form["games"] += game_options(course)
        for stage in course.stages:
            stage_ref = course.ref(stage.id)
            if stage.sections:
                section_options = [(f"{stage_ref}/{section.id}", section.title) for section in stage.sections]
                options_by_form["stages"].append((stage_ref, stage.title, section_options))
            if card_count := countable_card_count(course, stage.id):
                options_by_form["cards"].append((stage_ref, stage.title, card_count))
    return options_by_form


def countable_card_count(course: Course, stage_id: str) -> int:
    """The cards of a stage whose reviews can be counted; whoever takes a card of own content has a card of
    their own, which is counted nowhere."""
    if own_content_id_of(course.prefix) is not None:
        return 0
    return len(course.card_ids_by_stage_id.get(stage_id, ()))


def exercise_options(course: Course) -> list[tuple[str, list[tuple[str, str]]]]:
    """The exercises with their titles, by the name of their knowledge point."""
    options_by_skill_id: dict[str, list[tuple[str, str]]] = {skill_id: [] for skill_id in course.skills}
    for exercise_id, exercise in offered_exercises(course.exercises).items():
        options_by_skill_id[exercise.skill].append((course.ref(exercise_id), exercise.title))
    return [
        (course.skills[skill_id].name, options_of_skill)
        for skill_id, options_of_skill in options_by_skill_id.items()
        if options_of_skill
    ]


def game_options(course: Course) -> list[tuple[str, str]]:
    """The games by their names; the one with levels also from each level on."""
    if course.games is None:
        return []
    duel_words = course.games.duel
    monster_words = course.games.monster
    options_of_games = [("duel", duel_words.title), ("monster", f"{monster_words.title}，哪一关都行")]
    for level_number, level_words in enumerate(monster_words.levels, 1):
        options_of_games.append(
            (f"monster/{level_number}", f"{monster_words.title}，第{level_number}关以上：{level_words.name}")
        )
    options_of_games += [
        (game_name, course.games.words_of(game_name).title)
        for game_name in ("judging", "interleaving", "pushing")
    ]
    return options_of_games


def refs_and_levels_of(
    part_kind: str, form_value: str, level: int, course_by_prefix: CourseByPrefix
) -> list[tuple[str, int]]:
    """What a choice in a form stands for, with its level: a whole stage is all its sections; of a game
    `monster/2` asks for level 2 or more."""
    if part_kind == "game":
        game_name, _, least_level_text = form_value.partition("/")
        least_level = whole_number(least_level_text or "0")
        if least_level is None:
            return [(form_value, 0)]
        return [(game_name, least_level)]
    if part_kind == "practice":
        return [(form_value, level)]
    course = course_by_prefix.get(prefix_of(form_value))
    stage = None
    if course and part_kind == "section":
        stage = course.stage(course.bare_id(form_value))
    if stage is None:
        return [(form_value, 0)]
    return [(f"{form_value}/{section.id}", 0) for section in stage.sections]


def part_existence_test(course: Course) -> Callable[[NewPart], bool]:
    """Whether what a part names is in own content: for those who keep it while it is assigned."""
    return partial(part_exists, course_by_prefix={course.prefix: course})


def part_exists(new_part: NewPart, course_by_prefix: CourseByPrefix) -> bool:
    """Whether what a part names is there."""
    if new_part.kind == "game":
        return new_part.level in LEVELS_BY_GAME.get(new_part.ref, ())
    course = course_by_prefix.get(prefix_of(new_part.ref))
    if course is None:
        return False
    bare_ref = course.bare_id(new_part.ref)
    stage_id, _, section_id = bare_ref.partition("/")
    stage = course.stage(stage_id)
    match new_part.kind:
        case "item":
            return bare_ref in course.items and bare_ref not in course.probe_ids and "#" not in new_part.ref
        case "practice":
            is_of_site = own_content_id_of(course.prefix) is None
            return is_of_site and bare_ref in course.exercises and new_part.level in NAME_BY_LEVEL
        case "section":
            return stage is not None and stage.section(section_id) is not None
        case "cards":
            return stage is not None and countable_card_count(course, stage_id) > 0
    return False


# What stands in the forms.


def new_parts(form: PostedForm, course_by_prefix: CourseByPrefix) -> list[NewPart]:
    """What a form asks for; Refused for what is not in any course."""
    part_kind = form.text("kind")
    has_same_numbers = form.text("same") == "yes"
    parts_of_form = []
    for form_value in form.texts("ref"):
        chosen_level = form.number("level", 1)
        refs_and_levels = refs_and_levels_of(part_kind, form_value, chosen_level, course_by_prefix)
        for part_ref, level in refs_and_levels:
            question_count = read_count(form.text("count", "1"))
            part_points = read_points(form.text("points", "1"))
            parts_of_form.append(
                NewPart(
                    part_kind,
                    part_ref,
                    level=level,
                    count=question_count,
                    same=has_same_numbers,
                    points=part_points,
                )
            )
    for form_value in form.texts("drawn"):
        part_ref, _, level_text = form_value.rpartition("/")
        part_points = read_points(form.text("points", "1"))
        parts_of_form.append(
            NewPart("practice", part_ref, level=whole_number(level_text) or 0, points=part_points)
        )
    if not all(part_exists(new_part, course_by_prefix) for new_part in parts_of_form):
        raise Refused("有一项课程里没有，也许刚刚换过。刷新一下再挑。")
    return parts_of_form


def read_points(typed_points_text: str) -> float:
    """Points as they were typed; Refused for what is no number."""
    try:
        return read(typed_points_text).value
    except Unreadable:
        raise Refused("分值写一个数，比如2或0.5。", "points") from None


def read_count(typed_count_text: str) -> int:
    """A count as it was typed; Refused for what is no whole number."""
    question_count = whole_number(typed_count_text)
    if question_count is None:
        raise Refused("题数、次数、局数写一个整数，比如3。", "count")
    return question_count


def read_level(typed_level_text: str) -> int:
    """One of the levels of an exercise."""
    if typed_level_text not in map(str, NAME_BY_LEVEL):
        raise Refused("难度从易、中、难里选一个。")
    return int(typed_level_text)


FIELD_READER_BY_SETTING: Mapping[str, Callable[[str], Any]] = {
    "level": read_level,
    "count": read_count,
    "same": lambda text: text == "yes",
    "points": read_points,
}
"""What may be set in the row of a part, and how it is read."""


def typed_settings_by_part_id(form: PostedForm, skipped_part_id: int = 0) -> dict[int, dict[str, Any]]:
    """What was changed in the rows of parts, by part id: `points-7` are the points of part 7, `seen_points-7`
    those with which the form was opened. That of `skipped_part_id` is passed over."""
    settings_by_part_id: dict[int, dict[str, Any]] = {}
    for field_name in form.texts_by_field:
        name_match = re.fullmatch("([a-z]+)-([0-9]{1,15})", field_name)
        if name_match is None:
            continue
        setting_name = name_match[1]
        part_id = int(name_match[2])
        if form.texts_by_field.get(f"seen_{field_name}") == form.texts_by_field[field_name]:
            continue
        if setting_name in FIELD_READER_BY_SETTING and part_id != skipped_part_id:
            value_by_setting = settings_by_part_id.setdefault(part_id, {})
            with naming_field(field_name):
                value_by_setting[setting_name] = FIELD_READER_BY_SETTING[setting_name](form.text(field_name))
    return settings_by_part_id


def are_rows_changed(form: PostedForm, parts: Sequence[PartRow]) -> bool:
    """Whether a row says something else than its part does; Refused where it cannot be read."""
    settings_by_part_id = typed_settings_by_part_id(form)
    for part in parts:
        for setting_name, typed_value in settings_by_part_id.get(part.id, {}).items():
            if getattr(part, setting_name) != typed_value:
                return True
    return False


def bank_query(form: PostedForm) -> str:
    """What is ticked and typed for a bank that is not made, for an address; empty where nothing is.

    >>> bank_query(PostedForm({"member": ["1", "3"], "asked": [""]})), bank_query(PostedForm({"asked": [""]}))
    ('?member=1&member=3', '')
    """
    bank_fields = [("member", str(part_id)) for part_id in form.ids("member")]
    if asked_text := form.text("asked")[:LONGEST_COUNT_TEXT]:
        bank_fields.append(("asked", asked_text))
    return f"?{urlencode(bank_fields)}" if bank_fields else ""
