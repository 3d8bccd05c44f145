"""Learners whose past is written down day by day: what the mastery of a point is derived from."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from types import MappingProxyType

from app.course import Course
from app.course.exercises.exercises import practice_item_id
from app.course.practice.mastery import (
    WINDOW_LENGTH,
    skill_practice,
    skill_state_by_skill_id_of_practice,
)
from app.course.practice.recommending import Advice, LearnerRecord, advise_on_skill, recommend
from app.course.practice.skill_states import AnswerMoment, CountedAnswer, SkillState

MONDAY = date(2026, 9, 7)


def moment_of(number: int, day: date) -> AnswerMoment:
    """Of an answer of that day: the first one is numbered 1."""
    return AnswerMoment(f"{day}", number)


def skill_state_by_skill_id_of(
    course: Course,
    counted_answers: Iterable[CountedAnswer],
    first_day_by_item_id: Mapping[str, date],
    today: date,
    met_count_by_skill_id: Mapping[str, int] = MappingProxyType({}),
) -> Mapping[str, SkillState]:
    """The state of every skill, from answers and first days of any items. The counts: see the rule itself."""
    answers_by_skill_id = defaultdict[str, list[CountedAnswer]](list)
    first_days_by_skill_id = defaultdict[str, dict[str, date]](dict)
    skill_credit_by_item_id = course.skill_credit_by_item_id
    for answer in counted_answers:
        if answer.item_id in skill_credit_by_item_id:
            answers_by_skill_id[skill_credit_by_item_id[answer.item_id].skill_id].append(answer)
    for item_id, day in first_day_by_item_id.items():
        if item_id in skill_credit_by_item_id:
            first_days_by_skill_id[skill_credit_by_item_id[item_id].skill_id][item_id] = day
    practice_by_skill_id = {}
    for skill_id, skill in course.practised_skills.items():
        practice_by_skill_id[skill_id] = skill_practice(
            course, skill, answers_by_skill_id[skill_id], first_days_by_skill_id[skill_id], today
        )
    return skill_state_by_skill_id_of_practice(course, practice_by_skill_id, met_count_by_skill_id)


@dataclass
class Past:
    """What a learner has answered, in order; `day` is today."""

    course: Course
    day: date = MONDAY
    dones: list[CountedAnswer] = field(default_factory=list)
    seeds: dict[str, list[int]] = field(default_factory=dict)
    taught: set[str] = field(default_factory=set)
    last: CountedAnswer | None = None

    def answer(self, item: str, results: str, seed: int = 0) -> "Past":
        """`+` right at once, `-` not, `?` right with a hint: one letter an attempt."""
        for result in results:
            number = self.last.moment.response_id + 1 if self.last else 1
            done = CountedAnswer(moment_of(number, self.day), item, self.day, result == "+")
            if result != "?":
                self.dones.append(done)
            self.last = done._replace(is_right_at_once=result != "-")
            self.seeds.setdefault(item, []).append(seed)
        return self

    def practise(self, exercise: str, results: str, level: int = 2) -> "Past":
        return self.answer(practice_item_id(exercise, level), results)

    def sleep(self, days: int = 1) -> "Past":
        self.day += timedelta(days=days)
        return self

    def standings(self, window: int = WINDOW_LENGTH) -> Mapping[str, SkillState]:
        """From the last `window` answers to each item, as records bring them along."""
        by_item: dict[str, list[CountedAnswer]] = {}
        for done in self.dones:
            by_item.setdefault(done.item_id, []).append(done)
        recent = [done for responses in by_item.values() for done in sorted(responses)[-window:]]
        firsts = {
            item: next(done.day for done in responses if done.is_right_at_once)
            for item, responses in by_item.items()
            if any(done.is_right_at_once for done in responses)
        }
        return skill_state_by_skill_id_of(self.course, recent, firsts, self.day)

    def of(self, point: str) -> SkillState:
        return self.standings()[point]

    def learner_record(self) -> LearnerRecord:
        standings = self.standings()
        answered = {name for name, skill_state in standings.items() if skill_state.practice.tried_count}
        return LearnerRecord(
            self.course,
            standings,
            self.day,
            taught_skill_ids=frozenset(self.taught | answered),
            last_answer=self.last,
            find_used_seeds=lambda item: set(self.seeds.get(item, [])),
            salt=7,
        )

    def advice(self) -> Advice | None:
        return recommend(self.learner_record())

    def chosen(self, point: str) -> Advice | None:
        return advise_on_skill(self.learner_record(), point)
