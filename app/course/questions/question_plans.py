"""What would come of questions that somebody sent: own content of those that are sound, and what is left."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from app.course.authoring.own_content import parse_own
from app.course.authoring.own_skills import ChosenSkill, chosen_skill
from app.course.content.course import Course
from app.course.questions.draft_questions import DraftQuestion, QuestionList, UnreadQuestion
from app.course.questions.question_yaml import USUAL_TITLE, FilledText, new_text
from app.course.text.faults import Fault, Faults
from app.course.text.sandbox import ProgramStopped
from app.course.text.untrusted import READING_STOPPED_WORDS

PREVIEW_ID = 0
"""The id of own content that is only looked at."""


class QuestionPlan(NamedTuple):
    """The questions that are taken and those that are not, each with its reason.

    `filled_content`: own content of those that are taken, `course`: the same, read. `error_sentence`: why
    none can be, though they are sound.
    """

    title: str
    skill: ChosenSkill
    questions: Sequence[DraftQuestion]
    unread_questions: Sequence[UnreadQuestion]
    filled_content: FilledText
    course: Course | None = None
    error_sentence: str = ""

    @property
    def remaining_text(self) -> str:
        """What stays behind, as it came."""
        return "\n\n".join(unread_question.source_text for unread_question in self.unread_questions)


def question_plan_of(
    question_list: QuestionList, title: str, skill_name: str, main_course: Course, own_text: str = ""
) -> QuestionPlan:
    """What would come of questions. Without a name for what they are about they are about their title;
    `own_text`: the own content into which they go, whose knowledge points may be named."""
    title = title.strip() or question_list.title or USUAL_TITLE
    skill = chosen_skill(skill_name.strip() or title, main_course, own_text)
    question_plan = make_plan(
        title, skill, question_list.questions, question_list.unread_questions, main_course
    )
    if question_plan.course or question_plan.error_sentence or not question_plan.questions:
        return question_plan
    return make_plan(title, skill, question_plan.questions, question_plan.unread_questions, main_course)


def make_plan(
    title: str,
    chosen_skill: ChosenSkill,
    draft_questions: Sequence[DraftQuestion],
    unread_questions: Sequence[UnreadQuestion],
    main_course: Course,
) -> QuestionPlan:
    """A plan for these questions. Those in which a fault is found are put among the unread; the course comes
    with another look."""
    declared_skill = chosen_skill
    if not chosen_skill.name and chosen_skill.id not in main_course.skills:
        declared_skill = ChosenSkill(chosen_skill.id, chosen_skill.id)
    filled_content = new_text(title, declared_skill, draft_questions)
    question_plan = QuestionPlan(title, chosen_skill, draft_questions, unread_questions, filled_content)
    if not draft_questions:
        return question_plan
    try:
        course = parse_own(filled_content.text, PREVIEW_ID, main_course)
    except ProgramStopped:
        return question_plan._replace(error_sentence=f"{READING_STOPPED_WORDS}。")
    if isinstance(course, Course):
        return question_plan._replace(course=course)
    return without_faulty_questions(question_plan, course)


def without_faulty_questions(question_plan: QuestionPlan, faults: Faults) -> QuestionPlan:
    """The plan with the faulty questions among the unread, or with the fault that is nobody's."""
    fault_by_item_id = first_fault_by_item_id(faults.faults)
    sound_questions = []
    unread_questions = list(question_plan.unread_questions)
    for item_id, draft_question in zip(
        question_plan.filled_content.item_ids, question_plan.questions, strict=True
    ):
        fault = fault_by_item_id.get(item_id)
        if fault:
            unread_questions.append(
                UnreadQuestion(draft_question.line_number, fault.message, draft_question.source_text)
            )
        else:
            sound_questions.append(draft_question)
    if len(sound_questions) == len(question_plan.questions):
        return question_plan._replace(error_sentence=f"{faults.faults[0].message}。")
    unread_questions.sort(key=lambda unread_question: unread_question.line_number)
    return question_plan._replace(questions=sound_questions, unread_questions=unread_questions)


def first_fault_by_item_id(faults: Sequence[Fault]) -> Mapping[str, Fault]:
    """The first fault of each item, by its id."""
    fault_by_item_id: dict[str, Fault] = {}
    for fault in faults:
        outer_field, _, inner_path = fault.path.partition(".")
        if outer_field == "items":
            fault_by_item_id.setdefault(inner_path.partition(".")[0], fault)
    return fault_by_item_id
