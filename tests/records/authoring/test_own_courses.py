"""我的内容 in the records: whose it is, who else reaches it, and that nothing written is lost."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy import insert, update
from sqlmodel import SQLModel

from app.records.accounts import accounts
from app.records.accounts.values import Caller
from app.records.assignments.tables import Assignment, AssignmentPart, Extension
from app.records.assignments.values import AssignmentKey, NewPart
from app.records.authoring import content_uses, own_access, own_courses
from app.records.classes import class_members, classrooms, joining
from app.records.classes.tables import ClassRole
from app.records.db.codes import fingerprint
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.grading import collecting, student_assignments, submissions
from app.records.insight import class_progress
from app.records.people import my_data
from tests.records.cast import NOW, Desk, newcomer
from tests.records.long_histories import counted

HASH = "$argon2id$not-a-real-one"
WANG, LI, XIAOTANG, STRANGER = (
    Caller("token-of-wang"),
    Caller("token-of-li"),
    Caller("token-of-xiaotang"),
    Caller(),
)
TEXT = "title: 甜\n"
LATER = NOW + timedelta(hours=1)


def has_all(_part: NewPart) -> bool:
    return True


@pytest.fixture
def own(desk: Desk) -> int:
    """What 王 wrote; 李 is another teacher, 小糖 a student in the class of 王."""
    for login, caller, teaches in (("王", WANG, True), ("李", LI, True), ("小糖", XIAOTANG, False)):
        assert caller.token
        desk.write(accounts.create_account, Caller(), *newcomer(login, caller.token, HASH), NOW, teaches)
    return desk.write(own_courses.create_content, WANG, " 甜 ", TEXT, NOW)


def test_the_owner_finds_lists_and_changes_it(desk: Desk, own: int) -> None:
    [row] = desk.read(own_courses.load_own_contents, WANG)
    assert (row.id, row.title, row.text, row.share_token) == (own, "甜", TEXT, None)
    desk.write(own_courses.save_content, WANG, own, "酸", "title: 酸\n", fingerprint(TEXT), has_all, LATER)
    row = desk.read(own_courses.load_own_content, WANG, own)
    assert (row.title, row.text, row.updated_at) == ("酸", "title: 酸\n", LATER)


@pytest.mark.both_databases
def test_the_number_of_the_last_question_is_kept_when_it_is_deleted(desk: Desk) -> None:
    assert WANG.token
    desk.write(accounts.create_account, Caller(), *newcomer("王", WANG.token, HASH), NOW, True)
    first_text = "title: 甜\nitems:\n  q3:\n    stem: 对吗？\n    answer: true\n"
    own_content_id = desk.write(own_courses.create_content, WANG, "甜", first_text, NOW)
    last_numbers = [desk.read(own_courses.load_own_content, WANG, own_content_id).last_item_number]
    for content_text in (first_text.replace("q3:", "q8:"), TEXT, first_text):
        desk.write(own_courses.save_content, WANG, own_content_id, "甜", content_text, "", has_all, LATER)
        last_numbers.append(desk.read(own_courses.load_own_content, WANG, own_content_id).last_item_number)
    assert last_numbers == [3, 8, 8, 8]
    copy_id = desk.write(own_courses.copy_content, WANG, own_content_id, "", LATER)
    assert desk.read(own_courses.load_own_content, WANG, copy_id).last_item_number == 3


def test_who_asks_is_looked_up_once(desk: Desk, own: int) -> None:
    with counted() as reads:
        [row] = desk.read(own_courses.load_contents_if_teacher, WANG)
        assert desk.read(own_courses.load_contents_if_teacher, XIAOTANG) == ()
    assert row.id == own
    assert reads.statements == 3, "two visitors, and what one of them wrote"


@pytest.mark.parametrize("caller", [LI, XIAOTANG, STRANGER])
def test_nobody_else_reaches_it(desk: Desk, own: int, caller: Caller) -> None:
    before = desk.rows("SELECT * FROM own_course")
    for verb, *arguments in (
        (own_courses.load_own_content, own),
        (own_courses.load_content_and_is_own, own),
        (own_courses.load_content_and_is_own, own, "wrong"),
        (own_access.load_opened_content, own, "", NOW),
        (own_courses.save_content, own, "我的", "x", "", has_all, NOW),
        (own_courses.share_content, own),
        (own_courses.copy_content, own, "", NOW),
        (own_courses.delete_content, own, NOW),
    ):
        with pytest.raises(NotFound):
            desk.write(verb, caller, *arguments)
    assert desk.rows("SELECT * FROM own_course") == before


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize("caller", [XIAOTANG, STRANGER])
def test_only_teachers_write(desk: Desk, caller: Caller) -> None:
    for verb, *arguments in (
        (own_courses.load_own_contents,),
        (own_courses.create_content, "我的", "x", NOW),
    ):
        with pytest.raises(NotFound):
            desk.write(verb, caller, *arguments)  # type: ignore[arg-type]


def test_a_link_lets_colleagues_read_and_copy_until_it_is_taken_back(desk: Desk, own: int) -> None:
    desk.write(own_courses.share_content, WANG, own)
    token = desk.read(own_courses.load_own_content, WANG, own).share_token
    assert token
    desk.write(own_courses.share_content, WANG, own)
    shared_content = desk.read(own_courses.load_own_content, WANG, own)
    assert shared_content.share_token == token, "the link that is out stays"
    row, is_author = desk.read(own_courses.load_content_and_is_own, LI, own, token)
    assert (is_author, row.author_login, row.text) == (False, "王", TEXT)
    with pytest.raises(NotFound):
        desk.write(own_courses.save_content, LI, own, "我的", "x", "", has_all, NOW)
    with pytest.raises(NotFound):
        desk.read(own_courses.load_content_and_is_own, XIAOTANG, own, token)
    assert desk.read(own_access.load_opened_content, XIAOTANG, own, token, NOW).content.id == own
    copied = desk.write(own_courses.copy_content, LI, own, token, LATER)
    desk.write(own_courses.share_content, WANG, own, True)
    with pytest.raises(NotFound):
        desk.read(own_courses.load_content_and_is_own, LI, own, token)
    desk.write(own_courses.delete_content, WANG, own, LATER)
    assert desk.read(own_courses.load_own_content, LI, copied).text == TEXT
    desk.write(own_courses.share_content, LI, copied)
    assert desk.read(own_courses.load_own_content, LI, copied).share_token != token


def test_a_text_that_changed_elsewhere_is_not_overwritten(desk: Desk, own: int) -> None:
    begun = fingerprint(TEXT)
    desk.write(own_courses.save_content, WANG, own, "甲", "title: 甲\n", begun, has_all, NOW)
    with pytest.raises(Refused, match="别处改过"):
        desk.write(own_courses.save_content, WANG, own, "乙", "title: 乙\n", begun, has_all, NOW)
    desk.write(
        own_courses.save_content, WANG, own, "甲", "title: 甲\n", begun, has_all, LATER
    )  # a double click
    assert desk.read(own_courses.load_own_content, WANG, own).text == "title: 甲\n"


def test_a_deleted_one_is_gone_but_its_number_never_comes_again(desk: Desk, own: int) -> None:
    desk.write(own_courses.delete_content, WANG, own, NOW)
    assert desk.read(own_courses.load_own_contents, WANG) == ()
    assert desk.read(own_courses.load_text_by_own_content_id, [own]) == {}
    with pytest.raises(NotFound):
        desk.read(own_courses.load_own_content, WANG, own)
    assert desk.write(own_courses.create_content, WANG, "又", TEXT, NOW) > own


@pytest.mark.usefixtures("own")
def test_there_is_a_limit(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_courses, "MOST_OWN_CONTENTS", 1)
    with pytest.raises(Refused, match="最多"):
        desk.write(own_courses.create_content, WANG, "又", TEXT, NOW)


def add(desk: Desk, row: SQLModel) -> int:
    """A row, as another part of the program makes it."""
    values = row.model_dump(exclude={"id"})

    def verb(session: VerbSession) -> int:
        key = session.execute(insert(table(type(row))).values(values)).inserted_primary_key
        return int(key[0]) if key else 0

    return desk.write(verb)


def change(desk: Desk, assignment: int, **values: object) -> None:
    statement = update(table(Assignment)).where(table(Assignment).c.id == assignment).values(**values)
    desk.write(lambda session: session.execute(statement) and None)


def test_students_reach_what_was_assigned_to_them(desk: Desk, own: int) -> None:
    """And only those, and only from the hour at which it opens."""
    classroom = desk.write(classrooms.create_class, WANG, "高一3班", NOW)
    code = desk.read(classrooms.taught_class, WANG, classroom).code
    desk.write(joining.join_class, XIAOTANG, code, "小糖", "here", NOW)

    def reached() -> bool:
        try:
            return bool(desk.read(own_access.load_opened_content, XIAOTANG, own, "", NOW))
        except NotFound:
            return False

    draft = add(desk, Assignment(classroom_id=classroom, title="作业", seed=1, created_at=NOW))
    ref = f"own-{own}:own/part-1"
    add(desk, AssignmentPart(assignment_id=draft, position=1, kind="section", ref=ref))
    assert not reached(), "a draft"
    change(desk, draft, published_at=NOW, opens_at=LATER)
    assert not reached(), "not yet open"
    change(desk, draft, opens_at=NOW)
    assert reached()
    change(desk, draft, everyone=False)
    assert not reached(), "for others"
    change(desk, draft, everyone=True)
    desk.write(classrooms.archive_class, WANG, classroom, NOW)
    assert reached(), "what was learnt stays open"
    change(desk, draft, everyone=False)
    with pytest.raises(NotFound):
        desk.read(own_access.load_opened_content, LI, own, "", NOW)
    with pytest.raises(NotFound):
        desk.read(own_access.load_opened_content, XIAOTANG, own + 1, "", NOW)


def test_what_a_running_assignment_uses_is_not_deleted(desk: Desk, own: int) -> None:
    classroom = desk.write(classrooms.create_class, WANG, "高一3班", NOW)
    draft = add(desk, Assignment(classroom_id=classroom, title="第一周", seed=1, created_at=NOW))
    add(desk, AssignmentPart(assignment_id=draft, position=1, kind="item", ref=f"own-{own}:first"))
    change(desk, draft, published_at=NOW, due_at=NOW)
    with pytest.raises(Refused, match="高一3班的作业“第一周”还在用"):
        desk.write(own_courses.delete_content, WANG, own, LATER)
    assert desk.read(own_courses.load_own_content, WANG, own)
    change(desk, draft, closed_at=LATER)
    desk.write(own_courses.delete_content, WANG, own, LATER)
    assert desk.read(own_courses.load_own_contents, WANG) == ()


def class_of(desk: Desk, teacher: Caller) -> int:
    """A class with 小糖 in it."""
    classroom = desk.write(classrooms.create_class, teacher, "高一4班", NOW)
    code = desk.read(classrooms.taught_class, teacher, classroom).code
    desk.write(joining.join_class, XIAOTANG, code, "小糖", "here", NOW)
    return classroom


def assign(desk: Desk, classroom: int, own: int) -> int:
    """An assignment that asks an item and a section of own content."""
    assignment = add(desk, Assignment(classroom_id=classroom, title="第一周", seed=1, created_at=NOW))
    for position, (kind, ref) in enumerate((("item", "first"), ("section", "own/part-1")), 1):
        part = AssignmentPart(assignment_id=assignment, position=position, kind=kind, ref=f"own-{own}:{ref}")
        add(desk, part)
    change(desk, assignment, published_at=NOW)
    return assignment


@pytest.mark.parametrize("role", ["none", "assistant", "co-teacher"])
def test_what_a_colleague_assigned_keeps_no_author_from_deleting(desk: Desk, own: int, role: str) -> None:
    """李 copied an assignment of 王 into a class of her own. It runs on; a new one finds nothing."""
    classroom = class_of(desk, LI)
    if role != "none":
        add(desk, ClassRole(classroom_id=classroom, learner_id=1, role=role, created_at=NOW))
    running = assign(desk, classroom, own)
    desk.write(own_courses.share_content, WANG, own)
    if role == "co-teacher":
        with pytest.raises(Refused, match="等那份作业结束"):  # who may end it ends it first
            desk.write(own_courses.delete_content, WANG, own, LATER)
        return
    desk.write(own_courses.delete_content, WANG, own, LATER)
    assert desk.read(own_courses.load_own_contents, WANG) == ()
    for caller in (WANG, LI, STRANGER):
        with pytest.raises(NotFound):
            desk.read(own_access.load_opened_content, caller, own, "", LATER)
    assert desk.read(own_courses.load_text_by_own_content_id, (own, own + 1)) == {own: TEXT}
    opened = desk.read(own_access.load_opened_content, XIAOTANG, own, "", LATER)
    assert (opened.content.text, opened.access.section_ids) == (TEXT, frozenset({"part-1"}))
    change(desk, running, closed_at=LATER)
    assert desk.read(own_courses.load_text_by_own_content_id, (own,)) == {}
    with pytest.raises(NotFound):
        desk.read(own_access.load_opened_content, XIAOTANG, own, "", LATER)


@pytest.mark.parametrize("is_closed", [False, True])
def test_the_link_shows_no_answer_while_one_student_has_more_time(
    desk: Desk, own: int, is_closed: bool
) -> None:
    classroom = class_of(desk, WANG)
    assignment = assign(desk, classroom, own)
    [student] = desk.read(class_progress.load_class, WANG, classroom).students
    two_hours_later = LATER + timedelta(hours=1)
    extension = Extension(
        assignment_id=assignment, enrolment_id=student.id, due_at=two_hours_later, note="", created_at=NOW
    )
    add(desk, extension)
    desk.write(own_courses.share_content, WANG, own)
    token = desk.read(own_courses.load_own_content, WANG, own).share_token
    assert token

    def sealed_item_ids(hours: int) -> frozenset[str]:
        now = NOW + timedelta(hours=hours)
        opened = desk.read(own_access.load_opened_content, STRANGER, own, token, now)
        return opened.access.sealed_item_ids

    assert sealed_item_ids(0) == {"first"}
    change(desk, assignment, **({"closed_at": NOW} if is_closed else {"due_at": NOW}))
    assert sealed_item_ids(1) == {"first"}
    assert sealed_item_ids(3) == frozenset()


@pytest.mark.both_databases
@pytest.mark.parametrize("what_ended_it", ["taken back", "shortened", "left the class", "was moved"])
def test_the_link_shows_the_answers_once_nobody_has_more_time(
    desk: Desk, own: int, what_ended_it: str
) -> None:
    classroom = class_of(desk, WANG)
    assignment = assign(desk, classroom, own)
    [student] = desk.read(class_progress.load_class, WANG, classroom).students
    due_times: list[datetime | None] = [LATER + timedelta(days=1)]
    if what_ended_it in ("taken back", "shortened"):
        due_times.append(None if what_ended_it == "taken back" else NOW)
    for due_at in due_times:
        extension = Extension(
            assignment_id=assignment, enrolment_id=student.id, due_at=due_at, note="", created_at=NOW
        )
        add(desk, extension)
    if what_ended_it == "left the class":
        desk.write(class_members.remove_student, WANG, classroom, student.id, NOW)
    elif what_ended_it == "was moved":
        other_classroom = desk.write(classrooms.create_class, WANG, "高一4班", NOW)
        desk.write(class_members.move_student, WANG, classroom, student.id, other_classroom, NOW)
    change(desk, assignment, due_at=NOW)
    desk.write(own_courses.share_content, WANG, own)
    token = desk.read(own_courses.load_own_content, WANG, own).share_token
    assert token
    opened = desk.read(own_access.load_opened_content, STRANGER, own, token, LATER)
    assert opened.access.sealed_item_ids == frozenset()


@pytest.mark.parametrize("to", ["out", "another class"])
def test_an_open_attempt_holds_what_it_asks_until_it_is_collected(desk: Desk, own: int, to: str) -> None:
    """Also of a student who has left the class."""
    classroom = desk.write(classrooms.create_class, WANG, "高一3班", NOW)
    other_class = desk.write(classrooms.create_class, WANG, "高一4班", NOW)
    code = desk.read(classrooms.taught_class, WANG, classroom).code
    desk.write(joining.join_class, XIAOTANG, code, "小糖", "here", NOW)
    draft = add(desk, Assignment(classroom_id=classroom, title="第一周", seed=1, created_at=NOW))
    add(desk, AssignmentPart(assignment_id=draft, position=1, kind="item", ref=f"own-{own}:first"))
    change(desk, draft, published_at=NOW)
    begun = desk.write(submissions.begin_or_resume_attempt, XIAOTANG, draft, {}, NOW)
    change(desk, draft, closed_at=LATER)
    with pytest.raises(Refused, match="收了卷"):
        desk.write(own_courses.delete_content, WANG, own, LATER)
    [student] = desk.read(class_progress.load_class, WANG, classroom).students
    if to == "out":
        desk.write(class_members.remove_student, WANG, classroom, student.id, LATER)
    else:
        desk.write(class_members.move_student, WANG, classroom, student.id, other_class, LATER)
    with pytest.raises(Refused, match="收了卷"):
        desk.write(own_courses.delete_content, WANG, own, LATER)
    assert desk.write(collecting.collect_work, WANG, AssignmentKey(classroom, draft), {}, LATER) == 1
    desk.write(own_courses.save_content, WANG, own, "", "half", "", None, LATER)
    desk.write(own_courses.delete_content, WANG, own, LATER)
    assert desk.read(student_assignments.load_own_assignment, XIAOTANG, draft).attempt_with_number(begun)


@pytest.mark.usefixtures("own")
def test_an_account_takes_what_it_wrote_with_it(desk: Desk) -> None:
    rows_before = desk.read(my_data.load_my_data, WANG, NOW)
    assert [row["text"] for row in rows_before["own_course"]] == [TEXT]
    desk.write(my_data.delete_me, WANG, HASH, NOW)
    assert desk.count("own_course") == 0


def test_a_number_that_went_with_an_account_never_comes_again(desk: Desk, own: int) -> None:
    """What students had answered there would have been said of what the next teacher wrote."""
    desk.write(my_data.delete_me, WANG, HASH, NOW)
    assert desk.count("own_course") == 0
    assert desk.write(own_courses.create_content, LI, "酸", TEXT, NOW) > own


@pytest.mark.parametrize("is_in_class", [False, True])
def test_what_a_colleague_assigned_stays_with_the_colleague(desk: Desk, own: int, is_in_class: bool) -> None:
    """李 asks what 王 wrote, who deletes the account, and leaves a row without a name where in a class."""
    classroom = class_of(desk, LI)
    if is_in_class:
        code = desk.read(classrooms.taught_class, LI, classroom).code
        desk.write(joining.join_class, WANG, code, "王", "here", NOW)
    running = assign(desk, classroom, own)
    taught_class = class_of(desk, WANG)
    unasked = desk.write(own_courses.create_content, WANG, "只有自己用", "title: 酸\n", NOW)
    assign(desk, taught_class, unasked)
    desk.write(own_courses.share_content, WANG, own)
    desk.write(classrooms.archive_class, WANG, taught_class, NOW)
    desk.write(my_data.delete_me, WANG, HASH, LATER)
    assert desk.rows("SELECT id, text, share_token FROM own_course") == [(own, TEXT, None)]
    assert desk.read(own_courses.load_text_by_own_content_id, (own,)) == {own: TEXT}
    opened = desk.read(own_access.load_opened_content, XIAOTANG, own, "", LATER)
    assert opened.access.section_ids == {"part-1"}
    assert desk.read(own_courses.load_own_contents, LI) == (), "it runs on, and nobody changes it"
    assert [line["text"] for line in desk.read(my_data.load_my_data, LI, LATER)["own_course"]] == [TEXT]
    change(desk, running, closed_at=LATER)
    assert desk.read(own_courses.load_text_by_own_content_id, (own,)) == {}
    assert desk.write(own_courses.create_content, LI, "又", TEXT, LATER) > own, "its number never comes again"


def test_what_two_colleagues_assigned_goes_from_hand_to_hand(desk: Desk, own: int) -> None:
    zhao = Caller("token-of-zhao")
    desk.write(accounts.create_account, Caller(), *newcomer("赵", "token-of-zhao", HASH), NOW, True)
    first_class = class_of(desk, LI)
    for classroom in (first_class, class_of(desk, zhao)):
        assign(desk, classroom, own)
    desk.write(my_data.delete_me, WANG, HASH, LATER)
    desk.write(classrooms.archive_class, LI, first_class, LATER)
    desk.write(my_data.delete_me, LI, HASH, LATER)
    assert desk.read(own_courses.load_text_by_own_content_id, (own,)) == {own: TEXT}
    assert [line["id"] for line in desk.read(my_data.load_my_data, zhao, LATER)["own_course"]] == [own]


def test_its_teacher_is_told_where_it_stands(desk: Desk, own: int) -> None:
    classroom = desk.write(classrooms.create_class, WANG, "高一3班", NOW)
    code = desk.read(classrooms.taught_class, WANG, classroom).code
    desk.write(joining.join_class, XIAOTANG, code, "小糖", "here", NOW)
    work = add(desk, Assignment(classroom_id=classroom, title="第一周", seed=1, created_at=NOW))
    for position, ref in enumerate(("content:dcg-at-3", f"own-{own}:first", f"own-{own}0:first"), 1):
        add(desk, AssignmentPart(assignment_id=work, position=position, kind="item", ref=ref))
    assert desk.read(content_uses.load_content_uses, WANG, own) == [], "a draft is no use"
    change(desk, work, published_at=NOW)
    [use] = desk.read(content_uses.load_content_uses, WANG, own)
    assert (use.classroom.name, use.title, use.submission_count) == ("高一3班", "第一周", 0)
    assert [(used_question.number, used_question.item_id) for used_question in use.questions] == [
        (2, "first")
    ]
    sitting = desk.write(submissions.begin_or_resume_attempt, XIAOTANG, work, {}, NOW)
    assert desk.read(content_uses.load_content_uses, WANG, own)[0].submission_count == 0
    desk.write(submissions.hand_in_attempt, XIAOTANG, work, sitting, {}, NOW)
    assert desk.read(content_uses.load_content_uses, WANG, own)[0].submission_count == 1
    assert desk.read(content_uses.load_content_uses, LI, own) == [], "a class of somebody else"
    desk.write(classrooms.archive_class, WANG, classroom, NOW)
    assert desk.read(content_uses.load_content_uses, WANG, own) == [], "nothing is marked anew there"


@pytest.mark.both_databases
@pytest.mark.parametrize("is_begun", [False, True])
def test_a_class_put_away_holds_the_text_only_for_papers_that_wait(
    desk: Desk, own: int, is_begun: bool
) -> None:
    """These are marked by it when the class is back and they are collected."""
    classroom = class_of(desk, WANG)
    assignment = assign(desk, classroom, own)
    if is_begun:
        desk.write(submissions.begin_or_resume_attempt, XIAOTANG, assignment, {}, NOW)
    desk.write(classrooms.archive_class, WANG, classroom, LATER)
    arguments = (WANG, own, "", "half", "", None, LATER)
    if is_begun:
        with pytest.raises(Refused, match="那个班归档了，还有没收的卷子"):
            desk.write(own_courses.save_content, *arguments)
    else:
        desk.write(own_courses.save_content, *arguments)


@pytest.mark.both_databases
def test_the_drafts_of_others_keep_no_author_from_deleting(desk: Desk, own: int) -> None:
    """Nobody but their teacher could change them; they are not published with what is gone."""
    own_class = desk.write(classrooms.create_class, WANG, "高一3班", NOW)
    other_class = desk.write(classrooms.create_class, LI, "高一4班", NOW)
    for classroom in (other_class, own_class):
        draft = add(desk, Assignment(classroom_id=classroom, title="第一周", seed=1, created_at=NOW))
        add(desk, AssignmentPart(assignment_id=draft, position=1, kind="item", ref=f"own-{own}:first"))
    with pytest.raises(Refused, match="草稿“第一周”（高一3班）"):
        desk.write(own_courses.delete_content, WANG, own, LATER)
    change(desk, draft, classroom_id=other_class)
    desk.write(own_courses.delete_content, WANG, own, LATER)
