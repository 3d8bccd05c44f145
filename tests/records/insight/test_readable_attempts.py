"""小糖 is in two classes of 王, in the first of which 李 helps, and in one of 李: who reads what of it."""

from collections.abc import Mapping
from typing import NamedTuple

import pytest
from sqlalchemy import bindparam, select

from app.records.accounts.values import Caller
from app.records.classes import classrooms
from app.records.classes.classrooms import ENROLMENT
from app.records.db.statements import PreparedStatement
from app.records.insight import student_progress
from app.records.insight.readable_attempts import IS_OWN_WORK_FOR_CLASS
from app.records.learning.rows import ATTEMPT
from tests.records.assigned import COLLEAGUE, TEACHER, account
from tests.records.cast import NOW, Desk
from tests.records.term import Term, term

FIRST, SECOND, CLUB = "高一3班", "高一4班", "数学社"
COURSE_REF = "content:dcg"
OWN_WORK_OF_CLASS = PreparedStatement(
    select(ATTEMPT.ref).where(
        ENROLMENT.learner_id == ATTEMPT.learner_id,
        ENROLMENT.classroom_id == bindparam("classroom"),
        IS_OWN_WORK_FOR_CLASS,
    )
)
CONTENTS = {
    "王写的": ("王", None, True),
    "王给二班的": ("王", SECOND, True),
    "李给一班的": ("李", FIRST, True),
    "李给数学社的": ("李", CLUB, True),
    "李还没发布的": ("李", FIRST, False),
}
"""Own contents, each with its author, the class that it was given to, and whether that is published."""
OF_WANG = {"课文", "王写的", "王给二班的", "李给一班的"}
READABLE = [
    (TEACHER, FIRST, OF_WANG, {FIRST, SECOND}),
    (TEACHER, SECOND, OF_WANG, {FIRST, SECOND}),
    (COLLEAGUE, FIRST, {"课文", "李给一班的"}, {FIRST}),
    (COLLEAGUE, CLUB, {"课文", "李给一班的", "李给数学社的", "李还没发布的"}, {CLUB}),
]
"""Who asks in which class; what was done by oneself, and the classes whose assignments are read."""


class Taught(NamedTuple):
    """The classes and the place of 小糖 in each, by name; what was done, by the ref of its attempt."""

    class_id_by_name: Mapping[str, int]
    place_by_class_name: Mapping[str, int]
    name_by_ref: Mapping[str, str]


@pytest.fixture
def taught(desk: Desk) -> Taught:
    desk.is_summed = False
    for login, token in (("王", "teacher"), ("李", "colleague")):
        account(desk, login, token, teacher=True)
    classes = ((FIRST, TEACHER), (SECOND, TEACHER), (CLUB, COLLEAGUE))
    class_ids = {name: desk.write(classrooms.create_class, caller, name, NOW) for name, caller in classes}
    author_ids = dict(desk.rows("SELECT login, learner_id FROM account"))
    with term(desk.url, class_ids[FIRST], NOW) as write:
        role = {"classroom_id": class_ids[FIRST], "learner_id": author_ids["李"], "role": "co-teacher"}
        write.insert("class_role", **role, created_at=write.at(0))
        places = {FIRST: write.student("小糖")}
        for name in (SECOND, CLUB):
            other_class = Term(class_ids[name], NOW, write.connection)
            places[name] = other_class.enrol(write.learner(places[FIRST]), "小糖", 0)
        name_by_ref = {COURSE_REF: "课文"}
        for title, (author, class_name, is_published) in CONTENTS.items():
            times = dict.fromkeys(("created_at", "updated_at"), write.at(0))
            own = write.insert("own_course", learner_id=author_ids[author], title=title, text="", **times)
            ref = f"own-{own}:own/first"
            name_by_ref[ref] = title
            if class_name:
                published_at = write.at(0) if is_published else None
                own_class = Term(class_ids[class_name], NOW, write.connection)
                own_class.assignment([("item", f"own-{own}:q", 0, 1)], published_at=published_at)
        for ref in name_by_ref:
            write.answer(write.practise(places[FIRST], ref, 0), f"{ref.partition(':')[0]}:q", 1)
        for name, place in places.items():
            own_class = Term(class_ids[name], NOW, write.connection)
            assignment_id = own_class.assignment([])
            own_class.answer(own_class.begin(assignment_id, place, 0), "content:dcg-at-3", 1)
            name_by_ref[f"assignment-{assignment_id}"] = name
        write.connection.commit()
    return Taught(class_ids, places, name_by_ref)


@pytest.mark.parametrize(("caller", "class_name", "own_work", "assigned_classes"), READABLE)
def test_what_is_read_of_a_student_of_several_classes(
    desk: Desk,
    taught: Taught,
    caller: Caller,
    class_name: str,
    own_work: set[str],
    assigned_classes: set[str],
) -> None:
    cell = (taught.class_id_by_name[class_name], taught.place_by_class_name[class_name])
    student_data, _ = desk.read(student_progress.load_student_and_classes, caller, *cell, {}, ())
    names = {taught.name_by_ref[listed.ref] for listed in student_data.listed_attempts}
    assert names == own_work | assigned_classes


@pytest.mark.parametrize(("caller", "class_name", "own_work", "_assigned_classes"), READABLE)
def test_the_same_is_asked_of_many_classes_at_once(
    desk: Desk,
    taught: Taught,
    caller: Caller,
    class_name: str,
    own_work: set[str],
    _assigned_classes: set[str],
) -> None:
    classroom_id = taught.class_id_by_name[class_name]
    actor_id = desk.read(classrooms.taught_class, caller, classroom_id).actor_id
    parameters = {"classroom": classroom_id, "learner": actor_id}
    refs = desk.read(lambda session: session.all(OWN_WORK_OF_CLASS, **parameters))
    assert {taught.name_by_ref[ref] for (ref,) in refs} == own_work
