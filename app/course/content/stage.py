"""A stage of a course: its sections, its 小测, and the names of what it brings along."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from app.course.content.model import Lesson, Quiz, Section
from app.course.learning.steps import Ask, Recap


@dataclass(frozen=True)
class Stage:
    """A stage of the course; `lesson` is None while it is only announced. `cards`, `examples` are ids."""

    id: str
    number: int
    title: str
    summary: str
    lesson: Lesson | None
    quiz: Quiz | None = None
    cards: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()

    @property
    def lesson_sections(self) -> Sequence[Section]:
        """The sections of the lesson, without the 小测."""
        if self.lesson is None:
            return ()
        return self.lesson.sections

    @cached_property
    def sections(self) -> Sequence[Section]:
        """What a learner walks through: the sections of the lesson, and the 小测 as the last one."""
        if self.quiz is None:
            return self.lesson_sections
        return [*self.lesson_sections, self.quiz]

    @property
    def goals(self) -> Sequence[str]:
        if self.lesson is None:
            return ()
        return self.lesson.goals

    def section(self, section_id: str) -> Section | None:
        for section in self.sections:
            if section.id == section_id:
                return section
        return None

    def next_section(self, section_id: str) -> Section | None:
        """The section after this one in the same stage; None after the last. ValueError for an unknown id."""
        index = [section.id for section in self.sections].index(section_id)
        return next(iter(self.sections[index + 1 :]), None)

    @cached_property
    def asked_items(self) -> tuple[str, ...]:
        """Ids of the items of the lesson, probes aside: first its questions, then those of the recaps."""
        questions = []
        recaps = []
        for section in self.sections:
            for step in section.steps:
                if isinstance(step, Ask) and not step.probe:
                    questions.append(step.item)
                elif isinstance(step, Recap) and step.item:
                    recaps.append(step.item)
        return tuple(dict.fromkeys(questions + recaps))
