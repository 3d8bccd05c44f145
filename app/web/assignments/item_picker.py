"""What can be put into an assignment: items by knowledge point, exercises, sections, cards, games."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from markupsafe import Markup

from app.course import Course
from app.course.content.refs import MAIN_PREFIX, own_content_id_of, prefix_of
from app.course.exercises.exercises import NAME_BY_LEVEL, offered_exercises, practice_item_id
from app.course.items.kinds import WORD_BY_ITEM_KIND, Item
from app.records.assignments.values import PartRow
from app.records.db.errors import NotFound, Refused
from app.web.assignments.item_search import (
    ALL_SKILLS,
    GENERATED_KIND,
    PAGE_LENGTH,
    WORDS_BY_TRIED_CHOICE,
    ExerciseAtLevel,
    ItemSearch,
    exercises_at_levels,
    fits_tried_choice,
    is_match,
)
from app.web.assignments.part_views import item_url, source_of, stem_html
from app.web.paging import list_page_of
from app.web.site.rendering import text_html
from app.web.site.site import CourseByPrefix

NOTHING_OFFERED_SENTENCE = "这道题考的知识点，课程里和你自己写的内容里都没有别的题可换。移走它，另挑一道。"
PUBLIC_WORD = "公开"
"""What is said of an item of the course: anybody finds it in a lesson, with its solution."""
ItemsBySkill = Mapping[str, Sequence[tuple[Course, Item]]]
GroupKey = tuple[str, str]
"""The prefix of a course, and the title of a stage of it."""


class PickableItem(NamedTuple):
    """A question that can be ticked: an item, or what an exercise draws at a level (`is_from_exercise`).

    `is_taken`: it is in the assignment already; `public_note`: where everybody can look at it with its
    solution, nothing for what is hidden; `tried_count`: how many in the class have met it; `is_in_course`:
    an item that stands in the lessons of the course, where its class can look at it.
    """

    form_value: str
    url: str
    kind_word: str
    stem_html: Markup
    minutes: int
    is_taken: bool
    public_note: str = ""
    tried_count: int = 0
    is_own: bool = False
    is_in_course: bool = False
    is_from_exercise: bool = False


class PickerData(NamedTuple):
    """What the picker draws from. `tried_count_by_item_ref`: how many of the class have met an item;
    `shared_prefixes`: prefixes of own contents that are open by a link; `ticked_values`: what is ticked."""

    course_by_prefix: CourseByPrefix
    parts: Sequence[PartRow]
    tried_count_by_item_ref: Mapping[str, int]
    shared_prefixes: Collection[str]
    ticked_values: Sequence[str]


class SkillExercise(NamedTuple):
    """An exercise of the same knowledge point: everybody gets numbers that stand nowhere else."""

    ref: str
    title: str
    minutes: int


class SkillLink(NamedTuple):
    """A knowledge point with how many items it has."""

    id: str
    name: str
    item_count: int


def picker_context(picker_data: PickerData, item_search: ItemSearch) -> Mapping[str, Any]:
    """All knowledge points by stage, and a page of what is looked for, in the one that is named or in all."""
    course_by_prefix = picker_data.course_by_prefix
    items_by_skill_ref = items_by_skill_ref_of(course_by_prefix)
    skill_ref = item_search.skill_ref or ALL_SKILLS
    if skill_ref != ALL_SKILLS and skill_ref not in items_by_skill_ref:
        raise NotFound("没有这个知识点，也许它换了名字。")
    item_search = item_search._replace(skill_ref=skill_ref)
    item_makers = [
        *matching_item_makers(picker_data, items_by_skill_ref, item_search),
        *exercise_choice_makers(picker_data, item_search),
    ]
    list_page = list_page_of(len(item_makers), item_search.page, PAGE_LENGTH)
    shown_items = [make_item() for make_item in item_makers[list_page.index_range]]
    shown_form_values = {pickable_item.form_value for pickable_item in shown_items}
    exercises_of_skill: Sequence[SkillExercise] = ()
    if not item_search.is_narrowed:
        exercises_of_skill = skill_exercises(course_by_prefix, skill_ref)
    return {
        "groups": skill_groups(course_by_prefix, items_by_skill_ref),
        "skill": skill_ref,
        "skill_name": "全部知识点" if skill_ref == ALL_SKILLS else skill_name(course_by_prefix, skill_ref),
        "items": shown_items,
        "further_ticked": [
            pickable_item
            for pickable_item in ticked_items(picker_data)
            if pickable_item.form_value not in shown_form_values
        ],
        "first_index": list_page.index_range.start,
        "item_count": len(item_makers),
        "page_number": list_page.number,
        "page_count": list_page.page_count,
        "search": item_search,
        "exercises": exercises_of_skill,
        "levels": NAME_BY_LEVEL,
        "kinds": WORD_BY_ITEM_KIND,
        "tried_words": WORDS_BY_TRIED_CHOICE,
    }


def matching_item_makers(
    picker_data: PickerData, items_by_skill_ref: ItemsBySkill, item_search: ItemSearch
) -> Iterator[Callable[[], PickableItem]]:
    """The items that are looked for, one's own before the course's; each is drawn where it is shown."""
    courses_and_items = items_by_skill_ref.get(item_search.skill_ref, ())
    if item_search.skill_ref == ALL_SKILLS:
        courses_and_items = [*chain.from_iterable(items_by_skill_ref.values())]
        courses_and_items.sort(
            key=lambda course_and_item: own_content_id_of(course_and_item[0].prefix) is None
        )
    for course, item in courses_and_items:
        tried_count = picker_data.tried_count_by_item_ref.get(course.ref(item.id), 0)
        if is_match(item, item_search, tried_count):
            yield partial(pickable_item, picker_data, course, item, tried_count)


def pickable_item(picker_data: PickerData, course: Course, item: Item, tried_count: int) -> PickableItem:
    item_ref = course.ref(item.id)
    is_own = own_content_id_of(course.prefix) is not None
    public_note = ""
    if not is_own:
        public_note = PUBLIC_WORD
    elif course.prefix in picker_data.shared_prefixes:
        public_note = "公开：有链接的人都能看到"
    return PickableItem(
        form_value=item_ref,
        url=item_url(course, item),
        kind_word=WORD_BY_ITEM_KIND[item.kind],
        stem_html=stem_html(course, item),
        minutes=source_of(course, item).minutes,
        is_taken=any(part.ref == item_ref for part in picker_data.parts),
        public_note=public_note,
        tried_count=tried_count,
        is_own=is_own,
        is_in_course=not is_own,
    )


def exercise_choice_makers(
    picker_data: PickerData, item_search: ItemSearch
) -> Iterator[Callable[[], PickableItem]]:
    """The exercises that are looked for; only in a search, else they stand below the items."""
    if not item_search.is_narrowed:
        return
    for exercise_at_level in offered_exercises_at_levels(picker_data, item_search):
        if fits_tried_choice(item_search, tried_count_of_exercise(picker_data, exercise_at_level)):
            yield partial(exercise_choice, picker_data, exercise_at_level)


def tried_count_of_exercise(picker_data: PickerData, exercise_at_level: ExerciseAtLevel) -> int:
    """How many of the class have met a question that an exercise draws at this level."""
    item_id = practice_item_id(exercise_at_level.exercise_id, exercise_at_level.level)
    return picker_data.tried_count_by_item_ref.get(exercise_at_level.course.ref(item_id), 0)


def offered_exercises_at_levels(
    picker_data: PickerData, item_search: ItemSearch
) -> Iterator[ExerciseAtLevel]:
    """The exercises of all courses that are looked for, level by level, each once."""
    for course in picker_data.course_by_prefix.values():
        if own_content_id_of(course.prefix) is None:  # the exercises of one's own are those of the course
            yield from exercises_at_levels(course, item_search.skill_ref, item_search)


def exercise_choice(picker_data: PickerData, exercise_at_level: ExerciseAtLevel) -> PickableItem:
    course = exercise_at_level.course
    exercise_ref = course.ref(exercise_at_level.exercise_id)
    taken_levels = {part.level for part in picker_data.parts if part.ref == exercise_ref}
    return PickableItem(
        form_value=exercise_at_level.form_value,
        url=f"/practice/{exercise_at_level.exercise_id}?level={exercise_at_level.level}",
        kind_word=f"{WORD_BY_ITEM_KIND[GENERATED_KIND]}，{NAME_BY_LEVEL[exercise_at_level.level]}",
        stem_html=text_html(
            course, f"**{exercise_at_level.exercise.title}**：{exercise_at_level.exercise.summary}"
        ),
        minutes=exercise_at_level.exercise.minutes,
        is_taken=exercise_at_level.level in taken_levels,
        tried_count=tried_count_of_exercise(picker_data, exercise_at_level),
        is_from_exercise=True,
    )


def ticked_items(picker_data: PickerData) -> Iterator[PickableItem]:
    """What is ticked, each once; what is not in any course is passed over."""
    if not picker_data.ticked_values:
        return
    all_exercises_at_levels = offered_exercises_at_levels(picker_data, ItemSearch(skill_ref=ALL_SKILLS))
    exercise_at_level_by_form_value = {
        exercise_at_level.form_value: exercise_at_level for exercise_at_level in all_exercises_at_levels
    }
    for form_value in dict.fromkeys(picker_data.ticked_values):
        if form_value in exercise_at_level_by_form_value:
            yield exercise_choice(picker_data, exercise_at_level_by_form_value[form_value])
            continue
        owning_course = picker_data.course_by_prefix.get(prefix_of(form_value))
        if owning_course and owning_course.bare_id(form_value) in owning_course.items:
            item = owning_course.item(form_value)
            yield pickable_item(
                picker_data, owning_course, item, picker_data.tried_count_by_item_ref.get(form_value, 0)
            )


def skill_exercises(course_by_prefix: CourseByPrefix, skill_ref: str) -> list[SkillExercise]:
    """The exercises that draw questions of a knowledge point."""
    exercises = []
    for course in course_by_prefix.values():
        if own_content_id_of(course.prefix) is not None:  # those of one's own are those of the course
            continue
        for exercise_id, exercise in offered_exercises(course.exercises).items():
            if exercise.skill != skill_ref:
                continue
            exercises.append(SkillExercise(course.ref(exercise_id), exercise.title, exercise.minutes))
    return exercises


def items_by_skill_ref_of(course_by_prefix: CourseByPrefix) -> ItemsBySkill:
    """Every item that can be put into an assignment, by knowledge point; of each, one's own come first."""
    items_by_skill_ref: dict[str, list[tuple[Course, Item]]] = {}
    for course in course_by_prefix.values():
        for skill_id in course.skills:
            items_by_skill_ref[ref_of_skill(course_by_prefix, course, skill_id)] = []
    for course in courses_own_first(course_by_prefix):
        drawn_item_ids = [
            practice_item_id(exercise_id, level)
            for exercise_id in course.exercises
            for level in NAME_BY_LEVEL
        ]
        unpickable_item_ids = {*drawn_item_ids, *course.probe_ids}
        for item in course.items.values():
            if item.id in unpickable_item_ids:
                continue
            skill_ref = ref_of_skill(course_by_prefix, course, source_of(course, item).skill)
            items_by_skill_ref.setdefault(skill_ref, []).append((course, item))
    return {
        skill_ref: courses_and_items
        for skill_ref, courses_and_items in items_by_skill_ref.items()
        if courses_and_items
    }


def courses_own_first(course_by_prefix: CourseByPrefix) -> list[Course]:
    """The courses, what the teacher wrote before that of the site."""
    return sorted(course_by_prefix.values(), key=lambda course: own_content_id_of(course.prefix) is None)


def skill_groups(
    course_by_prefix: CourseByPrefix, items_by_skill_ref: ItemsBySkill
) -> list[tuple[str, list[SkillLink]]]:
    """The knowledge points under the title of the stage that teaches them. Contents of one title stay
    apart."""
    links_by_group_key: dict[GroupKey, list[SkillLink]] = {}
    for course in courses_own_first(course_by_prefix):
        for stage in course.stages:
            links_by_group_key[course.prefix, stage.title] = []
    for skill_ref, courses_and_items in items_by_skill_ref.items():
        skill_link = SkillLink(skill_ref, skill_name(course_by_prefix, skill_ref), len(courses_and_items))
        links_by_group_key.setdefault(group_key(course_by_prefix, skill_ref), []).append(skill_link)
    return [
        (group_title, skill_links)
        for (_, group_title), skill_links in links_by_group_key.items()
        if skill_links
    ]


def group_key(course_by_prefix: CourseByPrefix, skill_ref: str) -> GroupKey:
    for course in course_by_prefix.values():
        if skill_ref in course.section_by_skill_id:
            return course.prefix, course.section_by_skill_id[skill_ref].stage.title
    owning_course = course_by_prefix.get(prefix_of(skill_ref))
    if owning_course:
        return owning_course.prefix, owning_course.title
    return "", "别处"


def ref_of_skill(course_by_prefix: CourseByPrefix, course: Course, skill_id: str) -> str:
    """A knowledge point as the picker names it: one that only own content has, with its prefix."""
    main_course = course_by_prefix.get(MAIN_PREFIX)
    if main_course and skill_id in main_course.skills:
        return skill_id
    return course.ref(skill_id)


def skill_name(course_by_prefix: CourseByPrefix, skill_ref: str) -> str:
    """What the picker calls a knowledge point, by its ref."""
    course = course_by_prefix.get(prefix_of(skill_ref), course_by_prefix.get(MAIN_PREFIX))
    if course and course.bare_id(skill_ref) in course.skills:
        return course.skills[course.bare_id(skill_ref)].name
    return skill_ref


def replacement_ref(
    course_by_prefix: CourseByPrefix,
    offered_course_by_prefix: CourseByPrefix,
    parts: Sequence[PartRow],
    part: PartRow,
) -> str:
    """The ref of the next item of the same knowledge point, of `offered_course_by_prefix`, that is not in the
    assignment; Refused where there is none. `course_by_prefix`: with what the part is from."""
    course = course_by_prefix.get(prefix_of(part.ref))
    item = None
    if course and part.kind == "item":
        item = course.items.get(course.bare_id(part.ref))
    if course is None or item is None:
        raise Refused("这一项没有同类可换；移走它，另挑一道。")
    skill_ref = ref_of_skill(course_by_prefix, course, source_of(course, item).skill)
    courses_and_similar_items = items_by_skill_ref_of(offered_course_by_prefix).get(skill_ref, ())
    if not courses_and_similar_items:
        raise Refused(NOTHING_OFFERED_SENTENCE)
    similar_refs = [
        owning_course.ref(similar_item.id) for owning_course, similar_item in courses_and_similar_items
    ]
    next_index = 0
    if part.ref in similar_refs:  # an item that may no longer be picked can still be in an assignment
        next_index = similar_refs.index(part.ref) + 1
    used_refs = {used_part.ref for used_part in parts}
    for similar_ref in similar_refs[next_index:] + similar_refs[:next_index]:
        if similar_ref not in used_refs:
            return similar_ref
    raise Refused("这个知识点的题都已经在作业里了。")
