"""The rules of a class for 总评: read with the gradebook, set by its teacher."""

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, select

from app.records.accounts.values import Caller
from app.records.assignments.rows import ASSIGNMENT
from app.records.assignments.values import AssignmentRow
from app.records.classes import class_log, classrooms
from app.records.db.codes import fingerprint
from app.records.db.errors import Refused
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, prepared_insert
from app.records.grading import extra_columns
from app.records.grading.tables import TotalCategory, TotalColumn, TotalScheme
from app.records.grading.totals.weighted_marks import ColumnRule, TotalRules
from app.records.grading.values import ExtraColumnRow

SCHEME, CATEGORY, COLUMN = table(TotalScheme).c, table(TotalCategory).c, table(TotalColumn).c
CLASS_ID: Any = bindparam("classroom")
LARGEST_WEIGHT, LONGEST_CATEGORY, MOST_CATEGORIES, MOST_DROPPED_MARKS = 1000, 12, 8, 9

SCHEMES_WITH_CATEGORIES = table(TotalScheme).outerjoin(
    table(TotalCategory), CATEGORY.classroom_id == SCHEME.classroom_id
)
SCHEMES_QUERY = select(SCHEME.weighing, SCHEME.missing, CATEGORY.name, CATEGORY.weight, CATEGORY.dropped)
SCHEME_ROWS_OF_CLASS = SCHEMES_QUERY.select_from(SCHEMES_WITH_CATEGORIES).where(
    SCHEME.classroom_id == CLASS_ID
)
SCHEME_OF_CLASS = PreparedStatement(SCHEME_ROWS_OF_CLASS.order_by(CATEGORY.id))
IS_COLUMN_OF_CLASS = COLUMN.assignment_id == ASSIGNMENT.id, ASSIGNMENT.classroom_id == CLASS_ID
COLUMN_RULES_QUERY = select(COLUMN.assignment_id, COLUMN.counted, COLUMN.weight, COLUMN.category)
COLUMNS_OF_CLASS = PreparedStatement(COLUMN_RULES_QUERY.where(*IS_COLUMN_OF_CLASS))


def load_total_rules(session: VerbSession, classroom_id: int) -> TotalRules:
    """The rules of a class: by full marks, without what is missing, until its teacher says else."""
    total_rules = TotalRules()
    weight_by_category: dict[str, float] = {}
    drop_count_by_category: dict[str, int] = {}
    for weighing, missing_rule, category, weight, drop_count in session.all(
        SCHEME_OF_CLASS, classroom=classroom_id
    ):
        total_rules = TotalRules(weighing, missing_rule, weight_by_category, drop_count_by_category)
        if category is not None:
            weight_by_category[category] = weight
        if drop_count:
            drop_count_by_category[category] = drop_count
    return total_rules


def load_rule_by_assignment_id(session: VerbSession, classroom_id: int) -> Mapping[int, ColumnRule]:
    """What was set for assignments of a class, by assignment."""
    rule_by_assignment_id = {}
    for assignment_id, is_counted, weight, category in session.all(COLUMNS_OF_CLASS, classroom=classroom_id):
        rule_by_assignment_id[assignment_id] = ColumnRule(bool(is_counted), weight, category)
    return rule_by_assignment_id


def load_rules_digest(session: VerbSession, caller: Caller, classroom_id: int) -> str:
    """What changes with every rule of a class, for whoever may read these."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    return rules_digest_of(session, classroom.id)


def rules_digest_of(session: VerbSession, classroom_id: int) -> str:
    """What changes with every rule of a class, and not with a new column: that has the usual one."""
    rule_by_assignment_id = load_rule_by_assignment_id(session, classroom_id)
    extra_column_rows = session.all(extra_columns.COLUMNS_OF_CLASS, classroom=classroom_id)
    ids_with_unusual_rules = [
        (extra_column_row.id, extra_column_row.rule)
        for extra_column_row in extra_column_rows
        if extra_column_row.rule != ColumnRule()
    ]
    class_rules = load_total_rules(session, classroom_id)
    return fingerprint(repr((class_rules, sorted(rule_by_assignment_id.items()), ids_with_unusual_rules)))


def default_rule(assignment_or_extra: AssignmentRow | ExtraColumnRow) -> ColumnRule:
    """That of an assignment without one. A column of the teacher's own has its rule with it."""
    if isinstance(assignment_or_extra, ExtraColumnRow):
        return assignment_or_extra.rule
    return usual_rule(assignment_or_extra.form)


def usual_rule(test_form: str | None) -> ColumnRule:
    """A 前测 is not counted: it comes before teaching."""
    return ColumnRule(counted=test_form != "pre")


REMOVE_SCHEME = PreparedStatement(delete(table(TotalScheme)).where(SCHEME.classroom_id == CLASS_ID))
REMOVE_CATEGORIES = PreparedStatement(delete(table(TotalCategory)).where(CATEGORY.classroom_id == CLASS_ID))
REMOVE_COLUMN = PreparedStatement(
    delete(table(TotalColumn)).where(COLUMN.assignment_id == bindparam("assignment"))
)
FORM_BY_ASSIGNMENT = PreparedStatement(
    select(ASSIGNMENT.id, ASSIGNMENT.form).where(ASSIGNMENT.classroom_id == CLASS_ID)
)
ADD_SCHEME, ADD_CATEGORY, ADD_COLUMN = (
    prepared_insert(TotalScheme),
    prepared_insert(TotalCategory),
    prepared_insert(TotalColumn),
)


def set_total_rules(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    total_rules: TotalRules,
    rule_by_assignment_id: Mapping[int, ColumnRule],
    now: datetime,
    extra_columns_with_rules: Sequence[ExtraColumnRow] = (),
    seen_digest: str = "",
) -> None:
    """Other rules for the total of a class, noted in its log. Assignments of other classes are passed over;
    one that is not named, since it was taken back, keeps its own rule.

    `extra_columns_with_rules`: columns of the teacher's own with the rules that they shall have;
    `seen_digest`: of the rules from which the form was made, empty where nobody knows.

    Refused: what is wrong with them, or that somebody else has changed the rules since; nothing is changed.
    """
    classroom = classrooms.editable_class(session, caller, classroom_id)
    expect_valid_rules(
        total_rules,
        [
            *rule_by_assignment_id.values(),
            *[extra_column_row.rule for extra_column_row in extra_columns_with_rules],
        ],
    )
    former_digest = rules_digest_of(session, classroom.id)
    session.run(REMOVE_SCHEME, classroom=classroom.id)
    session.run(REMOVE_CATEGORIES, classroom=classroom.id)
    add_total_rules(session, classroom.id, total_rules)
    for assignment_id, test_form in session.all(FORM_BY_ASSIGNMENT, classroom=classroom.id):
        if assignment_id not in rule_by_assignment_id:
            continue
        session.run(REMOVE_COLUMN, assignment=assignment_id)
        column_rule = rule_by_assignment_id[assignment_id]
        if column_rule != usual_rule(test_form):
            session.run(ADD_COLUMN, assignment_id=assignment_id, **column_rule._asdict())
    for extra_column_row in extra_columns_with_rules:
        extra_columns.set_column_rule(session, classroom.id, extra_column_row)
    if rules_digest_of(session, classroom.id) == former_digest:
        return  # a second click
    if seen_digest not in ("", former_digest):
        raise Refused("总评的算法刚才有人改过，现在照上面写的算。你填的还在下面；要照你的，再存一次。")
    class_log.add_line(session, classroom, "total", {}, now)


def add_total_rules(session: VerbSession, classroom_id: int, total_rules: TotalRules) -> None:
    """The rules of a class that has none."""
    session.run(
        ADD_SCHEME, classroom_id=classroom_id, weighing=total_rules.weighing, missing=total_rules.missing
    )
    for category, weight in total_rules.categories.items():
        drop_count = total_rules.drops.get(category, 0)
        session.run(ADD_CATEGORY, classroom_id=classroom_id, name=category, weight=weight, dropped=drop_count)


def copy_total_rules(session: VerbSession, source_class_id: int, target_class_id: int) -> None:
    """The rules of a class into one that has none; how single columns enter it is for its own work."""
    add_total_rules(session, target_class_id, load_total_rules(session, source_class_id))


def expect_valid_rules(total_rules: TotalRules, column_rules: Iterable[ColumnRule]) -> None:
    """Refused where a weight or a category cannot be."""
    if len(total_rules.categories) > MOST_CATEGORIES:
        raise Refused(f"最多{MOST_CATEGORIES}个类别。")
    for category, weight in total_rules.categories.items():
        if not category or len(category) > LONGEST_CATEGORY or not category.isprintable():
            raise Refused(f"类别名写1到{LONGEST_CATEGORY}个字，不带看不见的符号。")
        expect_valid_weight(weight, f"类别“{category}”")
        if not 0 <= total_rules.drops.get(category, 0) <= MOST_DROPPED_MARKS:
            raise Refused(f"类别“{category}”里去掉最低的几份，写0到{MOST_DROPPED_MARKS}。")
    if total_rules.weighing == "categories" and not any(total_rules.categories.values()):
        raise Refused("按类别算，至少要有一个类别，占比大于0。")
    for column_rule in column_rules:
        expect_valid_weight(column_rule.weight, "作业")
        if column_rule.category and column_rule.category not in total_rules.categories:
            raise Refused(f"没有“{column_rule.category}”这个类别，先把它写在上面。")


def expect_valid_weight(weight: float, subject_words: str) -> None:
    if not math.isfinite(weight) or not 0 <= weight <= LARGEST_WEIGHT:
        raise Refused(f"{subject_words}的权重写0到{LARGEST_WEIGHT}的数。")
