"""What practice looks back at: where somebody stands with every knowledge point, and what comes next.

The past comes from sums by item; the other statements look at what is newest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import partial
from itertools import islice
from typing import NamedTuple

from sqlalchemy import and_, bindparam, case, func, select

from app.course import Course
from app.course.exercises.exercises import is_endless
from app.course.items.marks import RUSH, is_on_pause, is_practice
from app.course.practice.mastery import CountedAnswer, SkillState, skill_states
from app.course.practice.recommending import Advice, Situation, practise, recommend
from app.course.practice.sugar import Score, points, streak
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db.days import DayOf, calendar
from app.records.db.portable import StoredMoment
from app.records.db.session import Prepared, RowQuery, VerbSession, time_of
from app.records.learning import lesson_progress
from app.records.learning.lesson_progress import LessonPlaces
from app.records.learning.mastery import IS_CLEAN, IS_PRACTICE
from app.records.learning.rows import ATTEMPT, RESPONSE
from app.records.learning.values import LessonPlaceRow
from app.records.practice.standings import Earned, load_standings

LOOKED_BACK = 60
"""How many attempts the streak and the count of today look at."""
ANY_SEED = "9" * 10
"""No seed comes after it."""


class RecentAnswer(NamedTuple):
    """An answer in practice. Its time is left as it is stored: of the sixty that are read, few are asked."""

    number: int
    item: str
    seed: int
    attempt: str
    attempt_id: int
    try_number: int
    verdict: str
    clean: int
    hints: int
    answered_at: str

    @property
    def created_at(self) -> datetime:
        return time_of(self.answered_at)

    @property
    def result(self) -> bool | None:
        """Right at once, or not; None with help."""
        if self.clean:
            return True
        if self.verdict == "right" or self.hints:
            return None
        return False


@dataclass(frozen=True, slots=True)
class PracticeData:
    """Where a learner stands with every knowledge point, what comes next, what practice has earned.

    `guessed`: the last question, where it was merely guessed at a moment ago. `places`: where they have been
    in lessons.
    """

    today: date
    standings: Mapping[str, SkillState]
    advice: Advice | None
    learner_id: int | None = None
    score: Score = field(default_factory=Score)
    guessed: RecentAnswer | None = None
    places: LessonPlaces = ()


MY_PRACTICE = and_(ATTEMPT.learner_id == bindparam("learner"), IS_PRACTICE)
RECENT_ATTEMPTS = (
    select(ATTEMPT.id, ATTEMPT.ref, ATTEMPT.seed)
    .where(MY_PRACTICE)
    .order_by(ATTEMPT.id.desc())
    .limit(LOOKED_BACK)
    .subquery()
    .c
)
RECENT_ANSWERS = RowQuery(
    RecentAnswer,
    select(
        RESPONSE.id.label("number"),
        RESPONSE.item,
        RECENT_ATTEMPTS.seed,
        RECENT_ATTEMPTS.ref.label("attempt"),
        RECENT_ATTEMPTS.id.label("attempt_id"),
        RESPONSE.try_number,
        RESPONSE.verdict,
        case((IS_CLEAN, 1), else_=0).label("clean"),
        RESPONSE.hints,
        StoredMoment(RESPONSE.created_at).label("answered_at"),
    )
    .where(RESPONSE.attempt_id == RECENT_ATTEMPTS.id)
    .order_by(RESPONSE.id),
)


def load_practice(
    session: VerbSession, caller: Caller, course: Course, now: datetime, skill_id: str | None = None
) -> PracticeData:
    """Everything a page of practice shows. With a skill that was chosen, the advice is for that one."""
    return practice_of(session, learners.find_learner_id(session, caller), course, now, skill_id)


def practice_of(
    session: VerbSession, learner_id: int | None, course: Course, now: datetime, skill_id: str | None = None
) -> PracticeData:
    """The same of a learner, or of somebody who is none yet."""
    if learner_id is None:
        today = now.date()
        states = skill_states(course, [], {}, today)
        situation = Situation(course, states, today)
        return PracticeData(today, states, advice_for(situation, skill_id))
    day_of = calendar(learners.time_zone_of(session, learner_id))
    today = day_of(now)
    recent_answers = session.all(RECENT_ANSWERS, learner=learner_id)
    places = lesson_progress.all_places(session, learner_id)
    read_places = [place for place in places if place.done]
    skills_read = skills_of_sections(course, read_places)
    standings = load_standings(session, learner_id, course, now, day_of, skills_read)
    states = standings.states
    situation = Situation(
        course,
        states,
        today,
        taught=taught_skills(course, places, states),
        last=last_first_answer(course, recent_answers, day_of),
        used=partial(met_variants, session, learner_id, course),
        salt=learner_id,
        answered_items=standings.answered_items,
    )
    advice = advice_for(situation, skill_id)
    practice_score = score_of(course, standings.earned, recent_answers, today, day_of)
    guessed_answer = last_guess(course, recent_answers, now)
    return PracticeData(today, states, advice, learner_id, practice_score, guessed_answer, places)


def last_guess(course: Course, recent: Sequence[RecentAnswer], now: datetime) -> RecentAnswer | None:
    """The last question, where it and those before it were merely guessed at."""
    newest_answers = (answer for answer in reversed(recent) if is_practice(answer.attempt))
    last_answers = [*islice(newest_answers, RUSH)]
    last_answers.reverse()
    if not is_on_pause(last_answers, now):
        return None
    last_answer = last_answers[-1]
    bare_item = course.bare(last_answer.item)
    return last_answer._replace(item=bare_item)


def advice_for(situation: Situation, skill_id: str | None) -> Advice | None:
    """What to practise next: of the skill that was chosen, or of any."""
    if skill_id:
        return practise(situation, skill_id)
    return recommend(situation)


def taught_skills(
    course: Course, opened_places: Sequence[LessonPlaceRow], states: Mapping[str, SkillState]
) -> frozenset[str]:
    """The skills whose section was opened, and those that were answered."""
    met_skills = {skill_id for skill_id, state in states.items() if state.practice.tried or state.met}
    return skills_of_sections(course, opened_places) | met_skills


def skills_of_sections(course: Course, places: Sequence[LessonPlaceRow]) -> frozenset[str]:
    """The skills that some sections teach."""
    opened_sections = {(course.bare(place.stage), place.section) for place in places}
    skill_ids = set()
    for skill_id, (stage, section) in course.taught_in.items():
        if (stage.id, section.id) in opened_sections:
            skill_ids.add(skill_id)
    return frozenset(skill_ids)


def last_first_answer(course: Course, recent: Sequence[RecentAnswer], day_of: DayOf) -> CountedAnswer | None:
    """The last first answer; with hints it counts as right here, for what comes next."""
    for answer in reversed(recent):
        item_id = course.bare(answer.item)
        if answer.try_number == 1 and item_id in course.counted:
            day = day_of(answer.answered_at)
            is_right = answer.verdict == "right"
            return CountedAnswer(answer.number, item_id, day, is_right)
    return None


COUNT_VARIANTS = Prepared(
    select(func.count(ATTEMPT.ref.distinct())).where(
        MY_PRACTICE, ATTEMPT.ref.between(bindparam("before"), bindparam("after"))
    )
)
VARIANT_MET = Prepared(select(ATTEMPT.id).where(MY_PRACTICE, ATTEMPT.ref == bindparam("variant")).limit(1))


@dataclass(frozen=True, slots=True)
class MetVariants:
    """The seeds with which a learner has met an item. `before`: the ref of its attempts up to the seed."""

    session: VerbSession
    learner_id: int
    before: str

    def __len__(self) -> int:
        prefix_end = self.before + ANY_SEED
        scope = {"before": self.before, "after": prefix_end}
        [(count,)] = self.session.all(COUNT_VARIANTS, learner=self.learner_id, **scope)
        return int(count)

    def __contains__(self, seed: object) -> bool:
        variant = f"{self.before}{seed}"
        attempt_met = self.session.first(VARIANT_MET, learner=self.learner_id, variant=variant)
        return attempt_met is not None


def met_variants(session: VerbSession, learner_id: int, course: Course, item_id: str) -> MetVariants:
    """The seeds with which this learner has met an item."""
    ref_prefix = f"{item_id}-" if is_endless(item_id) else f"item-{item_id}."
    full_prefix = course.ref(ref_prefix)
    return MetVariants(session, learner_id, full_prefix)


def unused_seed(session: VerbSession, caller: Caller, course: Course, item_id: str, seed: int) -> int:
    """This seed, or the first one after it with which the learner has not met the item."""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        return seed
    used_seeds = met_variants(session, learner_id, course, item_id)
    while seed in used_seeds:
        seed += 1
    return seed


def score_of(
    course: Course, earned: Earned, recent: Sequence[RecentAnswer], today: date, day_of: DayOf
) -> Score:
    """What practice has earned; a twin that was right is a 改正."""
    recent_rights = [answer for answer in recent if answer.verdict == "right"]
    has_earlier = earned.clean + earned.later > len(recent_rights)
    first_tries = [answer for answer in reversed(recent) if answer.try_number == 1]
    counted_tries = [answer for answer in first_tries if answer.item not in course.ref_of_twin]
    results = [answer.result for answer in counted_tries]
    days = [day_of(answer.answered_at) for answer in counted_tries]
    later_count = earned.later + earned.of_twins
    return Score(
        points(earned.clean - earned.of_twins, later_count),
        streak(results),
        streak_or_more=has_earlier and False not in results,
        today=days.count(today),
        today_or_more=has_earlier and set(days) == {today},
    )
