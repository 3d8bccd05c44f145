"""The rules for 总评: who sets them, what they are without anybody, and what the gradebook makes of them."""

from datetime import timedelta

import pytest

from app.records.accounts.values import Caller
from app.records.assignments import audit
from app.records.assignments.tables import MarkOverride
from app.records.classes import classrooms
from app.records.db.errors import NotFound, Refused
from app.records.grading import extra_columns
from app.records.grading.totals import gradebook_totals, total_rules
from app.records.grading.totals.weighted_marks import ColumnRule, TotalMark, TotalRules
from tests.records import gradebook_term as term
from tests.records.cast import NOW, Desk
from tests.records.grading.graded_class import DAY, LATER, TEACHER, Class


def set_rules(desk: Desk, three: Class, rules: TotalRules, **columns: ColumnRule) -> None:
    by_id = {int(name.removeprefix("a")): rule for name, rule in columns.items()}
    desk.write(total_rules.set_total_rules, TEACHER, three.id, rules, by_id, NOW)


def totals(three: Class) -> dict[str, float | None]:
    return {row.student.name: row.total_of_hundred for row in three.book().rows}


def test_without_rules_a_test_before_teaching_is_not_counted(desk: Desk, three: Class) -> None:
    tang, before, week = three.student("小糖"), three.assignment("前测", form="pre"), three.assignment()
    desk.write(term.worth, before, tang, 0.0, NOW)
    assert totals(three) == {"小糖": None}
    desk.write(term.worth, week, tang, 8.0, NOW)
    assert totals(three) == {"小糖": 80.0}
    set_rules(desk, three, TotalRules(), **{f"a{before}": ColumnRule(counted=True)})
    assert totals(three) == {"小糖": 40.0}


def test_an_assignment_that_was_taken_back_keeps_its_rule(desk: Desk, three: Class) -> None:
    """The form does not show it; a rule that the form has is another one."""
    week, draft = three.assignment(), three.assignment("第二周", published_at=None)
    heavy_rule, light_rule = ColumnRule(weight=3.0), ColumnRule(weight=0.5)
    set_rules(desk, three, TotalRules(), **{f"a{week}": heavy_rule, f"a{draft}": heavy_rule})
    set_rules(desk, three, TotalRules(), **{f"a{week}": light_rule})
    rule_by_assignment_id = desk.read(total_rules.load_rule_by_assignment_id, three.id)
    assert rule_by_assignment_id == {week: light_rule, draft: heavy_rule}


def test_a_rule_goes_back_to_the_usual_one(desk: Desk, three: Class) -> None:
    week, before = three.assignment(), three.assignment("前测", form="pre")
    heavy_rule, usual_rule = ColumnRule(weight=3.0), ColumnRule()
    set_rules(desk, three, TotalRules(), **{f"a{week}": heavy_rule, f"a{before}": usual_rule})
    set_rules(desk, three, TotalRules(), **{f"a{week}": usual_rule})
    assert desk.read(total_rules.load_rule_by_assignment_id, three.id) == {before: usual_rule}


def test_rules_of_somebody_else_are_not_replaced_unseen(desk: Desk, three: Class) -> None:
    """A second click changes nothing and leaves no line; an empty column is no other rule."""
    week, class_key = three.assignment(), (TEACHER, three.id)
    desk.write(extra_columns.add_column, *class_key, "期中", "100", NOW)
    [(column, _)] = desk.read(extra_columns.columns_with_marks, three.id)
    heavy_column = column._replace(weight=3.0)
    seen_digest = desk.read(total_rules.load_rules_digest, *class_key)
    desk.write(extra_columns.add_column, *class_key, "期末", "100", NOW)
    for weight, columns in ((2.0, []), (1.0, [heavy_column]), (2.0, [heavy_column])):
        rule_by_id = {week: ColumnRule(weight=weight)}
        verb = total_rules.set_total_rules
        for _ in range(2):
            desk.write(verb, *class_key, TotalRules(), rule_by_id, NOW, columns, seen_digest)
        with pytest.raises(Refused, match="总评的算法刚才有人改过"):
            desk.write(verb, *class_key, TotalRules("assignments"), {}, NOW, [], seen_digest)
        seen_digest = desk.read(total_rules.load_rules_digest, *class_key)
    assert desk.rows("SELECT count(*) FROM audit WHERE action = 'total'") == [(3,)]
    assert desk.rows("SELECT weight FROM extra_column WHERE id = ?", column.id) == [(3.0,)]


@pytest.mark.parametrize(
    ("missing", "total"),
    [
        ("left_out", {"交": 80.0, "没交": None, "开了头": None, "后来的": None, "改过": 60.0}),
        ("zero", {"交": 80.0, "没交": 0.0, "开了头": 0.0, "后来的": None, "改过": 60.0}),
    ],
)
def test_absence_is_what_the_class_says(
    desk: Desk, three: Class, missing: str, total: dict[str, float | None]
) -> None:
    """Whoever begins and never hands in is absent too; whoever came when it was over is not."""
    week = three.assignment()
    places = {name: three.student(name) for name in ("交", "没交", "开了头")}
    three.student("后来的", NOW + 5 * DAY)
    places["改过"] = three.student("改过")
    desk.write(term.worth, week, places["交"], 8.0, NOW)
    desk.write(term.begin, week, places["开了头"], NOW)
    override = {"assignment_id": week, "enrolment_id": places["改过"], "points": 6.0, "reason": ""}
    desk.write(term.add, MarkOverride, **override, created_at=NOW)
    set_rules(desk, three, TotalRules(missing=missing))  # type: ignore[arg-type]
    assert totals(three) == total


def test_the_total_adds_up_marks_as_they_are_shown(desk: Desk, three: Class) -> None:
    week, test = three.assignment(), three.assignment("期末", [("item", "content:dcg-at-3", 4.0)])
    desk.write(term.worth, week, three.student("小糖"), 7.25, NOW)
    rule = ColumnRule(counted=False, weight=2.0)
    set_rules(desk, three, TotalRules(missing="zero"), **{f"a{test}": rule})
    book = three.book()
    [row] = book.rows
    marks_of_row = gradebook_totals.total_marks(row.cells, book.columns)
    assert marks_of_row == [TotalMark(7.3, 10.0, ColumnRule()), TotalMark(None, 4.0, rule, is_absent=True)]
    assert row.total_of_hundred == 73.0
    with pytest.raises(ValueError, match="longer"):
        gradebook_totals.total_marks(row.cells[:1], book.columns)


def test_what_is_still_open_is_no_absence(desk: Desk, three: Class) -> None:
    week, tang = three.assignment(), three.student("小糖")
    set_rules(desk, three, TotalRules(missing="zero"))
    assert [row.total_of_hundred for row in three.book(NOW).rows] == [None]
    desk.write(term.begin, week, tang, NOW)
    assert [row.total_of_hundred for row in three.book(NOW).rows] == [None]
    assert [row.total_of_hundred for row in three.book(LATER).rows] == [0.0]


def test_rules_come_back_as_they_were_set_and_are_noted(desk: Desk, three: Class) -> None:
    week = three.assignment()
    rules = TotalRules("categories", "zero", {"平时": 40.0, "期末": 60.0})
    rule = ColumnRule(counted=False, weight=2.5, category="期末")
    set_rules(desk, three, rules, **{f"a{week}": rule})
    book = three.book()
    assert (book.total_rules, book.columns[0].rule) == (rules, rule)
    set_rules(desk, three, TotalRules("assignments"), **{f"a{week}": ColumnRule()})
    book = three.book()
    assert (book.total_rules, book.columns[0].rule) == (TotalRules("assignments"), ColumnRule())
    lines = desk.read(audit.load_audit, TEACHER, three.id).lines
    assert [line.action for line in lines] == ["total", "total"]


def test_the_largest_that_can_be_is_taken(desk: Desk, three: Class) -> None:
    """Eight categories, twelve characters, a weight of 1000, nine left out: and they come back so."""
    names = ["长" * 12, *"一二三四五六七"]
    rules = TotalRules("categories", "zero", dict.fromkeys(names, 1000.0), {"一": 9, "七": 1})
    week = three.assignment()
    rule = ColumnRule(weight=1000.0, category="七")
    set_rules(desk, three, rules, **{f"a{week}": rule})
    book = three.book()
    assert (book.total_rules, book.columns[0].rule) == (rules, rule)


def test_rules_are_copied_into_another_class(desk: Desk, three: Class) -> None:
    rules = TotalRules("categories", "zero", {"平时": 40.0, "期末": 60.0}, {"平时": 2})
    set_rules(desk, three, rules)
    other_id = desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    target_id = desk.write(classrooms.create_class, TEACHER, "高一5班", NOW)
    desk.write(total_rules.copy_total_rules, three.id, target_id)
    ids = (three.id, target_id, other_id)
    loaded_rules = [desk.read(total_rules.load_total_rules, classroom_id) for classroom_id in ids]
    assert loaded_rules == [rules, rules, TotalRules()]


@pytest.mark.parametrize(
    ("rules", "rule", "words"),
    [
        (TotalRules("categories"), ColumnRule(), "^按类别算，至少要有一个类别，占比大于0。$"),
        (
            TotalRules("categories", categories={"平时": 0.0}),
            ColumnRule(),
            "^按类别算，至少要有一个类别，占比大于0。$",
        ),
        (TotalRules(categories={"平时": -1.0}), ColumnRule(), "类别“平时”的权重写0到1000的数"),
        (TotalRules(categories={"平时": float("nan")}), ColumnRule(), "权重写0到1000"),
        (TotalRules(categories={"长" * 13: 1.0}), ColumnRule(), "1到12个字"),
        (TotalRules(categories={f"类{n}": 1.0 for n in range(9)}), ColumnRule(), "最多8个类别"),
        (TotalRules(categories={"": 1.0}), ColumnRule(), "1到12个字"),
        (TotalRules(categories={"平\u200b时": 1.0}), ColumnRule(), "不带看不见的符号"),
        (TotalRules(categories={"平时": 1.0, "期末": 1.0}, drops={"期末": 10}), ColumnRule(), "“期末”里去掉"),
        (TotalRules(categories={"平时": 1.0, "期末": 1.0}, drops={"期末": -1}), ColumnRule(), "写0到9"),
        (TotalRules(categories={"平时": float("inf")}), ColumnRule(), "权重写0到1000"),
        (TotalRules(), ColumnRule(weight=1001), "作业的权重写0到1000的数"),
        (TotalRules(), ColumnRule(weight=-0.5), "作业的权重写0到1000的数"),
        (TotalRules(), ColumnRule(category="期中"), "没有“期中”这个类别"),
    ],
)
def test_rules_that_cannot_be_are_refused_whole(
    desk: Desk, three: Class, rules: TotalRules, rule: ColumnRule, words: str
) -> None:
    week = three.assignment()
    set_rules(desk, three, TotalRules("assignments"))
    with pytest.raises(Refused, match=words):
        set_rules(desk, three, rules, **{f"a{week}": rule})
    assert three.book().total_rules == TotalRules("assignments")


def test_only_the_teacher_of_a_running_class_sets_them(desk: Desk, three: Class) -> None:
    with pytest.raises(NotFound):
        desk.write(total_rules.set_total_rules, Caller("else"), three.id, TotalRules(), {}, NOW)
    desk.write(classrooms.archive_class, TEACHER, three.id, NOW + timedelta(hours=1))
    with pytest.raises(Refused, match="归档"):
        set_rules(desk, three, TotalRules())


def test_the_assignment_of_another_class_is_passed_over(desk: Desk, three: Class) -> None:
    elsewhere = desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    foreign = desk.write(term.set_up, elsewhere, "别的", [("item", "content:dcg-at-3", 4.0)], NOW)
    set_rules(desk, three, TotalRules(), **{f"a{foreign}": ColumnRule(counted=False)})
    assert desk.count("total_column") == 0


def test_other_rules_leave_those_of_another_class(desk: Desk, three: Class) -> None:
    week, elsewhere = three.assignment(), desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    foreign = desk.write(term.set_up, elsewhere, "别的", [("item", "content:dcg-at-3", 4.0)], NOW)
    rules = TotalRules("categories", "zero", {"平时": 40.0, "期末": 60.0}, {"平时": 2})
    rule = ColumnRule(counted=False)
    desk.write(total_rules.set_total_rules, TEACHER, elsewhere, rules, {foreign: rule}, NOW)
    set_rules(desk, three, TotalRules("assignments"), **{f"a{week}": ColumnRule(weight=2.0)})
    assert desk.read(total_rules.load_total_rules, elsewhere) == rules
    rules_by_class = {
        class_id: desk.read(total_rules.load_rule_by_assignment_id, class_id)
        for class_id in (three.id, elsewhere)
    }
    assert rules_by_class == {three.id: {week: ColumnRule(weight=2.0)}, elsewhere: {foreign: rule}}
