"""前测与后测: two matched forms, drafted as a pair, and what each student of a class reached in them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam, case, delete, func, select

from app.course.insight.learning_gain import LearningGain, learning_gain
from app.records.accounts.values import Caller
from app.records.assignments import assigned, audit, drafts, lookup, parts, rows
from app.records.assignments.assigned import AssignedTask
from app.records.assignments.checked_settings import LONGEST_TITLE, checked_title
from app.records.assignments.rows import ASSIGNMENT, IS_ASSIGNMENT, IS_ASSIGNMENT_OF_CLASS, PART, SUBMISSION
from app.records.assignments.tables import Assignment
from app.records.assignments.values import AssignmentKey, AssignmentRow, NewPart, TaughtAssignment
from app.records.classes import classrooms
from app.records.classes.values import ClassRow, Student
from app.records.db.errors import Refused
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement
from app.records.grading.marks import whole_percent
from app.records.grading.regraded_marks import PART_GRANT
from app.records.grading.totals import total_rules
from app.records.grading.totals.weighted_marks import ColumnRule


class PrePostResult(NamedTuple):
    """The shares of the full marks, 0 to 1, that a student reached; None where a test was not done, or waits
    for its teacher to mark words. is_before_too_late: the 前测 was ended after the 后测."""

    student: Student
    share_before: float | None
    share_after: float | None
    waits_before: bool
    waits_after: bool
    is_before_too_late: bool

    @property
    def share_before_and_after(self) -> tuple[float, float] | None:
        """Before and after; None where one of them is missing, or measures something else."""
        if self.share_before is None or self.share_after is None or self.is_before_too_late:
            return None
        return self.share_before, self.share_after

    @property
    def gained_percentage_points(self) -> int | None:
        """Between the two as they are shown, in whole per cent: whoever subtracts them gets it too."""
        if self.share_before_and_after is None:
            return None
        share_before, share_after = self.share_before_and_after
        return whole_percent(share_after) - whole_percent(share_before)


class PrePostPair(NamedTuple):
    """A 前测 with its 后测, and the results of everybody who did one of them. `granted_titles`: of those of
    the two in which a question counts in full for everybody."""

    pre_test: AssignedTask
    post_test: AssignedTask | None
    results: Sequence[PrePostResult]
    granted_titles: Sequence[str]

    @property
    def is_matched(self) -> bool:
        """Whether both ask the same of everybody: the same parts, so that only the numbers differ."""
        if self.post_test is None:
            return True
        return asked_contents_of(self.pre_test) == asked_contents_of(self.post_test)

    @property
    def learning_gain(self) -> LearningGain | None:
        """Of those who did both."""
        return learning_gain(list(filter(None, self._share_pairs)))

    @property
    def uncounted_student_count(self) -> int:
        """How many handed one of them in and are not in the gain."""
        return self._share_pairs.count(None)

    @property
    def _share_pairs(self) -> list[tuple[float, float] | None]:
        return [pre_post_result.share_before_and_after for pre_post_result in self.results]


def asked_contents_of(task: AssignedTask) -> list[tuple[str, str, int, int]]:
    """What a form asks, whatever the order."""
    asked_contents = [(part.kind, part.ref, part.level, part.count) for part in task.parts]
    return sorted(asked_contents)


def load_class_and_pre_post(
    session: VerbSession, caller: Caller, classroom_id: int
) -> tuple[ClassRow, Sequence[PrePostPair]]:
    """All pairs of a class, the newest first; a 前测 with several 后测 is in as many.

    The first attempt counts, without what lateness costs: it is a measurement.
    """
    classroom = classrooms.taught_class(session, caller, classroom_id)
    scores_by_test_id = load_scores_by_test_id(session, classroom.id)
    granted_test_ids = load_granted_test_ids(session, classroom.id)
    tasks = assigned.tasks_of_class(session, classroom.id)
    students = classrooms.load_present_students(session, classroom.id)
    post_tests_by_pre_test_id = defaultdict[int | None, list[AssignedTask]](list)
    for task in tasks:
        if task.assignment.form == "post":
            post_tests_by_pre_test_id[task.assignment.pair].append(task)
    pre_post_pairs = []
    for pre_test in tasks:
        if pre_test.assignment.form == "pre":
            post_tests: Sequence[AssignedTask | None] = post_tests_by_pre_test_id[pre_test.id]
            for post_test in post_tests or [None]:
                pre_post_results = pre_post_results_of(students, pre_test, post_test, scores_by_test_id)
                granted_titles = [
                    test_task.title
                    for test_task in (pre_test, post_test)
                    if test_task and test_task.id in granted_test_ids
                ]
                pre_post_pairs.append(PrePostPair(pre_test, post_test, pre_post_results, granted_titles))
    return classroom, pre_post_pairs


class FirstScore(NamedTuple):
    """What a first attempt reached. share: of the full marks, None while words in it are to be marked;
    ended_at: when it was handed in or, where its teacher collected it, last worked at."""

    share: float | None
    ended_at: datetime


ScoresByTestId = Mapping[int, Mapping[int, FirstScore]]
"""By assignment and enrolment."""
TESTS_OF_CLASS = select(ASSIGNMENT.id).where(IS_ASSIGNMENT_OF_CLASS, ASSIGNMENT.form.is_not(None))
LAST_COLLECTED_WORK_AT = case((SUBMISSION.is_collected, SUBMISSION.last_work_at))
SCORES_IN_TESTS = PreparedStatement(
    select(
        SUBMISSION.assignment_id,
        SUBMISSION.enrolment_id,
        SUBMISSION.points,
        SUBMISSION.full_marks,
        SUBMISSION.waiting_count,
        func.coalesce(LAST_COLLECTED_WORK_AT, SUBMISSION.handed_in_at, type_=SUBMISSION.handed_in_at.type),
    )
    .where(
        SUBMISSION.handed_in_at.is_not(None),
        SUBMISSION.full_marks > 0,
        SUBMISSION.assignment_id.in_(TESTS_OF_CLASS),
    )
    .order_by(SUBMISSION.number)
)


def load_scores_by_test_id(session: VerbSession, classroom_id: int) -> ScoresByTestId:
    scores_by_test_id = defaultdict[int, dict[int, FirstScore]](dict)
    score_rows = session.all(SCORES_IN_TESTS, classroom=classroom_id)
    for assignment_id, enrolment_id, points, full_marks, waiting_count, ended_at in score_rows:
        score_share = None if waiting_count else points / full_marks
        scores_by_test_id[assignment_id].setdefault(enrolment_id, FirstScore(score_share, ended_at))
    return scores_by_test_id


GRANTS_IN_TESTS = PreparedStatement(
    select(PART.assignment_id, PART_GRANT.part_id, PART_GRANT.granted)
    .where(PART_GRANT.part_id == PART.id, PART.assignment_id.in_(TESTS_OF_CLASS))
    .order_by(PART_GRANT.id)
)


def load_granted_test_ids(session: VerbSession, classroom_id: int) -> set[int]:
    """The tests in which a part counts in full for everybody, as things stand: points that nobody reached."""
    is_granted_by_test_and_part = {}
    for assignment_id, part_id, is_granted in session.all(GRANTS_IN_TESTS, classroom=classroom_id):
        is_granted_by_test_and_part[assignment_id, part_id] = is_granted  # what was said last counts
    return {
        assignment_id for (assignment_id, _), is_granted in is_granted_by_test_and_part.items() if is_granted
    }


def pre_post_results_of(
    students: Sequence[Student],
    pre_test: AssignedTask,
    post_test: AssignedTask | None,
    scores_by_test_id: ScoresByTestId,
) -> list[PrePostResult]:
    """The results of those who did at least one of the two."""
    score_before_by_enrolment_id = scores_by_test_id.get(pre_test.id, {})
    score_after_by_enrolment_id: Mapping[int, FirstScore] = {}
    if post_test:
        score_after_by_enrolment_id = scores_by_test_id.get(post_test.id, {})
    pre_post_results = []
    for student in students:
        score_before = score_before_by_enrolment_id.get(student.id)
        score_after = score_after_by_enrolment_id.get(student.id)
        if score_before is None and score_after is None:
            continue
        is_before_too_late = False
        if score_before and score_after:
            is_before_too_late = score_before.ended_at > score_after.ended_at
        pre_post_result = PrePostResult(
            student,
            score_before and score_before.share,
            score_after and score_after.share,
            waits_before=score_before is not None and score_before.share is None,
            waits_after=score_after is not None and score_after.share is None,
            is_before_too_late=is_before_too_late,
        )
        pre_post_results.append(pre_post_result)
    return pre_post_results


def create_pair_drafts(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    title: str,
    exercises: Sequence[tuple[str, int, int]],
    now: datetime,
) -> int:
    """Drafts of a 前测 and a 后测: the same exercises with other numbers, one form for the whole class.

    `exercises`: ref, level and how many variants of each. Returns the 前测.
    """
    classroom = classrooms.editable_class(session, caller, classroom_id)
    if not exercises:
        raise Refused("先挑一段有练习的课：前测和后测的题由出题器出。")
    recent_drafts = drafts.drafts_just_made(session, classroom.id, f"前测：{title}", now)
    if recent_drafts:
        return recent_drafts[0].id
    new_parts = [
        NewPart("practice", exercise_ref, level, variant_count, same=True)
        for exercise_ref, level, variant_count in exercises
    ]
    pre_test_draft = AssignmentRow(title=f"前测：{title}", hints=False, form="pre", answers="never")
    pre_test_id = drafts.add_draft(session, classroom.id, pre_test_draft, now)
    parts.put_parts(session, pre_test_id, new_parts)
    session.run(rows.SET_PAIR, assignment=pre_test_id, form="pre", pair=pre_test_id)
    post_test_draft = AssignmentRow(title=f"后测：{title}", hints=False, form="post", pair=pre_test_id)
    post_test_id = drafts.add_draft(session, classroom.id, post_test_draft, now)
    parts.put_parts(session, post_test_id, new_parts)
    return pre_test_id


UNPUBLISHED_POST_TESTS = PreparedStatement(
    select(ASSIGNMENT.id)
    .where(ASSIGNMENT.pair == bindparam("pair"), ASSIGNMENT.form == "post", drafts.IS_DRAFT)
    .order_by(ASSIGNMENT.id)
)


def create_post_test_draft(
    session: VerbSession, caller: Caller, assignment_key: AssignmentKey, now: datetime
) -> int:
    """A 后测 for a 前测: the same parts with other numbers, side by side with it from then on. While one is
    not published yet, it is found again. What becomes a 前测 by it counts in 总评 as before."""
    taught_assignment = lookup.editable_assignment(session, caller, assignment_key)
    pre_test_assignment = taught_assignment.assignment
    if pre_test_assignment.form == "post":
        raise Refused("这份已经是后测了。")
    draft_row = session.first(UNPUBLISHED_POST_TESTS, pair=pre_test_assignment.id)
    if draft_row:
        return int(draft_row[0])
    log_detail: dict[str, Any] = {}
    if pre_test_assignment.form is None:
        session.run(rows.SET_PAIR, assignment=pre_test_assignment.id, form="pre", pair=pre_test_assignment.id)
        keep_in_total(session, pre_test_assignment)
        log_detail["form"] = [None, "pre"]
    topic = pre_test_assignment.title.replace("前测", "")
    title = checked_title(f"{topic[: LONGEST_TITLE - 3]}后测")
    source_assignment = drafts.without_class_settings(pre_test_assignment)
    post_test_draft = source_assignment._replace(title=title, form="post", pair=pre_test_assignment.id)
    next_seed = pre_test_assignment.seed % drafts.LAST_ASSIGNMENT_SEED + 1
    post_test_id = drafts.add_draft(session, taught_assignment.classroom.id, post_test_draft, now, next_seed)
    part_contents = parts.part_contents_of(session, pre_test_assignment.id)
    parts.put_parts(session, post_test_id, part_contents)
    log_detail["assignment"] = post_test_id
    audit.add_line(session, taught_assignment, "pair", log_detail, now)
    return post_test_id


def keep_in_total(session: VerbSession, assignment: AssignmentRow) -> None:
    """Let a published assignment that has no rule of its own stay in 总评, where a 前测 would not be."""
    rule_by_assignment_id = total_rules.load_rule_by_assignment_id(session, assignment.classroom_id)
    if assignment.published_at and assignment.id not in rule_by_assignment_id:
        session.run(total_rules.ADD_COLUMN, assignment_id=assignment.id, **ColumnRule()._asdict())


REMOVE_ASSIGNMENT = PreparedStatement(delete(table(Assignment)).where(IS_ASSIGNMENT))
ANY_ASSIGNMENT = PreparedStatement(select(ASSIGNMENT.id).where(IS_ASSIGNMENT))


def remove_draft(session: VerbSession, caller: Caller, assignment_key: AssignmentKey, now: datetime) -> None:
    """Throw any draft away; a second click finds none. What was made a 前测 only for this 后测 is
    none again."""
    classrooms.editable_class(session, caller, assignment_key.classroom_id)
    if session.first(ANY_ASSIGNMENT, assignment=assignment_key.assignment_id) is None:
        return
    taught_assignment = lookup.editable_assignment(session, caller, assignment_key)
    if taught_assignment.assignment.published_at:
        raise Refused("发布过的作业不能删，做过的都记在里面；不想再收，就结束它。")
    session.run(REMOVE_ASSIGNMENT, assignment=assignment_key.assignment_id)
    if taught_assignment.assignment.form == "post":
        undo_pre_test(session, taught_assignment, now)


def undo_pre_test(session: VerbSession, removed_post_test: TaughtAssignment, now: datetime) -> None:
    """Take back that an assignment became a 前测 when its 后测 was drafted, unless it has another one; and
    what kept it counted. A 前测 that its teacher ticked stays one."""
    pre_test_id = removed_post_test.assignment.pair
    if pre_test_id is None or lookup.paired_tests(session, pre_test_id, pre_test_id):
        return
    if audit.became_pre_test_by_pair_at(session, pre_test_id) is None:
        return
    classroom = removed_post_test.classroom
    pre_test_assignment = lookup.assignment_of_class(session, AssignmentKey(classroom.id, pre_test_id))
    session.run(rows.SET_PAIR, assignment=pre_test_id, form=None, pair=None)
    rule_by_assignment_id = total_rules.load_rule_by_assignment_id(session, classroom.id)
    if rule_by_assignment_id.get(pre_test_id) == total_rules.usual_rule(None):
        # That of `keep_in_total`: it would count a 前测 that its teacher ticks later.
        session.run(total_rules.REMOVE_COLUMN, assignment=pre_test_id)
    log_detail = {"form": [pre_test_assignment.form, None]}
    audit.add_line(session, TaughtAssignment(classroom, pre_test_assignment), "settings", log_detail, now)
