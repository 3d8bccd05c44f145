"""The knowledge point that somebody names: one of the course, one of their own, or a new one."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from app.course.authoring.yaml_edits import with_entry
from app.course.content.course import Course
from app.course.text import untrusted
from app.course.text.faults import Faults

LONGEST_SKILL_NAME = 60
"""Characters of a title, and of the name of a knowledge point."""


class ChosenSkill(NamedTuple):
    """A knowledge point; `name` only where it is new in own content."""

    id: str
    name: str = ""


def with_skill(content_text: str, content_data: Mapping[str, Any], chosen_skill: ChosenSkill) -> str:
    """The text with a knowledge point of one's own, where it has none of that id."""
    if not chosen_skill.name or chosen_skill.id in (content_data.get("skills") or {}):
        return content_text
    return with_entry(content_text, "skills", {chosen_skill.id: chosen_skill.name})


def chosen_skill(typed_name: str, main_course: Course, content_text: str = "") -> ChosenSkill:
    """The knowledge point that somebody names, by name or id: one of the course or the text, or a new one."""
    skill_name = " ".join(typed_name.split())[:LONGEST_SKILL_NAME]
    for skill_id, skill in main_course.skills.items():
        if skill_name in (skill_id, skill.name):
            return ChosenSkill(skill_id)
    own_name_by_skill_id = dict(_own_ids_with_names(content_text))
    for skill_id, own_name in own_name_by_skill_id.items():
        if skill_name in (skill_id, own_name):
            return ChosenSkill(skill_id)
    skill_id = skill_slug(skill_name)
    if skill_id in main_course.skills:
        skill_id = f"own-{skill_id}"
    if skill_id in own_name_by_skill_id:  # of another name: C# beside C++
        skill_id = f"{skill_id}-{_digest(skill_name)}"
    return ChosenSkill(skill_id, skill_name)


def _own_ids_with_names(content_text: str) -> Iterator[tuple[str, str]]:
    """The knowledge points that a text has of its own: id and name."""
    if not content_text:
        return
    try:
        content_data = untrusted.read(content_text).data
    except Faults:
        return
    skill_by_id = content_data.get("skills") if isinstance(content_data, dict) else None
    if not isinstance(skill_by_id, dict):
        return
    for skill_id, written_skill in skill_by_id.items():
        skill_name = written_skill.get("name") if isinstance(written_skill, dict) else written_skill
        yield str(skill_id), str(skill_name)


def skill_slug(skill_name: str) -> str:
    """An id for a name.

    >>> skill_slug("BM25"), skill_slug("Query expansion"), skill_slug("倒排索引")[:6]
    ('bm25', 'query-expansion', 'point-')
    """
    latin_tokens = re.findall("[a-z0-9]+", skill_name.lower())
    slug = "-".join(latin_tokens)[:40].strip("-")
    is_ascii = re.fullmatch(r"[\x20-\x7e]+", skill_name) is not None
    if slug and slug[0].isalpha() and is_ascii:
        return slug
    return f"point-{_digest(skill_name)}"


def _digest(skill_name: str) -> str:
    return hashlib.sha256(skill_name.encode()).hexdigest()[:6]
