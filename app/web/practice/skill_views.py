"""Skills as practice shows them, stage by stage and as a map; and where the recommendation leads."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from markupsafe import Markup

from app.course import Course
from app.course.content.skills import direct_need_ids
from app.course.practice.recommending import Advice
from app.course.practice.skill_map import MapNode, draw_map
from app.course.practice.skill_states import NAME_BY_MASTERY, SkillState
from app.course.practice.skill_words import state_reason
from app.web.items.variants import Variant
from app.web.site.rendering import line_html, markup
from app.web.site.site import Site


class SkillGroup(NamedTuple):
    """Where somebody stands with the skills of a stage."""

    title: str
    skill_states: Sequence[SkillState]

    @property
    def is_held(self) -> bool:
        """Whether all of them are held: nothing is left to do here."""
        return all(skill_state.is_mastered for skill_state in self.skill_states)

    @property
    def state_counts_words(self) -> str:
        """How many are in each state, for the head of their fold."""
        skill_state_by_skill_id = {skill_state.skill.id: skill_state for skill_state in self.skill_states}
        count_clauses = [
            f"{state_word}{skill_count}"
            for state_word, skill_count in skill_count_by_state_word(skill_state_by_skill_id).items()
        ]
        return "，".join(count_clauses)


class AdviceView(NamedTuple):
    """What comes next, in words, and where it is."""

    reason: str
    url: str
    label: str


def advice_view(advice: Advice | None) -> AdviceView | None:
    """The recommendation as a page shows it."""
    if advice is None:
        return None
    button_label = "就练这道"
    if advice.stage_and_section_id:
        button_label = "去学这一节"
    return AdviceView(advice.reason, advice_url(advice), button_label)


def advice_url(advice: Advice) -> str:
    """Where a question that is advised stands."""
    if advice.exercise_id:
        return Variant(advice.exercise_id, advice.level, advice.seed).url
    if advice.item_id:
        return f"/items/{advice.item_id}?seed={advice.seed}"
    stage_id, section_id = advice.stage_and_section_id or ("", "")
    return f"/lessons/{stage_id}/{section_id}"


def skill_groups_of(course: Course, skill_state_by_skill_id: Mapping[str, SkillState]) -> list[SkillGroup]:
    """All skills, by the stage that teaches them; those that none teaches stand at the end."""
    skill_states_by_stage_id: dict[str, list[SkillState]] = {stage.id: [] for stage in course.stages}
    untaught_skill_states = []
    for skill_id, skill_state in skill_state_by_skill_id.items():
        if skill_id in course.section_by_skill_id:
            stage, _ = course.section_by_skill_id[skill_id]
            skill_states_by_stage_id[stage.id].append(skill_state)
        else:
            untaught_skill_states.append(skill_state)
    skill_groups = [SkillGroup(stage.title, skill_states_by_stage_id[stage.id]) for stage in course.stages]
    skill_groups.append(SkillGroup("别的", untaught_skill_states))
    return [skill_group for skill_group in skill_groups if skill_group.skill_states]


def exercise_row_html_by_skill_id(
    site: Site, skill_state_by_skill_id: Mapping[str, SkillState]
) -> Mapping[str, Markup]:
    """Each skill with its exercises, as practice lists it."""
    course = site.course
    make_line_html = partial(line_html, course)
    return _row_html_by_skill_id(
        site,
        "practice/_point.html",
        skill_state_by_skill_id,
        exercises=course.exercises,
        as_line=make_line_html,
    )


def map_row_html_by_skill_id(
    site: Site, skill_state_by_skill_id: Mapping[str, SkillState], used_up_skill_id: str | None = None
) -> Mapping[str, Markup]:
    """Each skill with what it needs, as the list beside the map has it. `used_up_skill_id`: of the one that
    has no question left today."""
    return _row_html_by_skill_id(
        site,
        "practice/_map_point.html",
        skill_state_by_skill_id,
        used_up_skill_id,
        skills=site.course.practised_skills,
    )


def _row_html_by_skill_id(
    site: Site,
    template: str,
    skill_state_by_skill_id: Mapping[str, SkillState],
    used_up_skill_id: str | None = None,
    **context: object,
) -> Mapping[str, Markup]:
    """A row for each skill, kept by what it says: learners who stand alike with a skill read the same row.

    To fill sixty of them anew was two thirds of the page (`python -m bench.year`).
    """
    section_by_skill_id = site.course.section_by_skill_id
    row_html_by_skill_id = {}
    for skill_id, skill_state in skill_state_by_skill_id.items():
        is_used_up = skill_id == used_up_skill_id
        render = partial(
            site.render,
            template,
            skill_state=skill_state,
            section_by_skill_id=section_by_skill_id,
            is_used_up=is_used_up,
            **context,
        )
        cache_key = (
            template,
            site.course.digest,
            skill_id,
            skill_state.mastery,
            skill_state.is_due,
            is_used_up,
            state_reason(skill_state),
        )
        row_html_by_skill_id[skill_id] = markup(site.cached_html(cache_key, render))
    return row_html_by_skill_id


def skill_count_by_state_word(skill_state_by_skill_id: Mapping[str, SkillState]) -> Mapping[str, int]:
    """How many skills are in each state, by the name of the state; what is held comes first."""
    skill_count_by_name = Counter(
        skill_state.mastery_name for skill_state in skill_state_by_skill_id.values()
    )
    return {
        state_word: skill_count_by_name[state_word]
        for state_word in reversed(tuple(NAME_BY_MASTERY.values()))
        if skill_count_by_name[state_word]
    }


def skill_map_svg(
    site: Site, skill_state_by_skill_id: Mapping[str, SkillState], skill_groups: Sequence[SkillGroup]
) -> Markup:
    """The map of skills; the list beside it says the same in words."""
    course = site.course
    groups_with_nodes = []
    for skill_group in skill_groups:
        map_nodes = [map_node(course, skill_state) for skill_state in skill_group.skill_states]
        groups_with_nodes.append((skill_group.title, tuple(map_nodes)))
    description = f"{count_sentence(skill_state_by_skill_id)}下面的清单逐个写着状态和先要会什么。"
    return markup(
        site.cached_html(
            (course.digest, tuple(groups_with_nodes)), lambda: draw_map(groups_with_nodes, description)
        )
    )


def map_node(course: Course, skill_state: SkillState) -> MapNode:
    skill = skill_state.skill
    return MapNode(
        skill.id,
        skill.name,
        direct_need_ids(course.practised_skills, skill),
        skill_state.mastery,
        skill_state.reached_share,
    )


def count_sentence(skill_state_by_skill_id: Mapping[str, SkillState]) -> str:
    """How many skills are in each state."""
    counts_words = "，".join(
        f"{state_word}{skill_count}个"
        for state_word, skill_count in skill_count_by_state_word(skill_state_by_skill_id).items()
    )
    return f"{len(skill_state_by_skill_id)}个知识点：{counts_words}。"
