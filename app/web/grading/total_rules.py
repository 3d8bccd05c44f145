"""总评怎么算: the form in which a teacher says what counts, and how much."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from starlette.responses import Response

from app.course.text.typed import whole_number
from app.records.db.errors import Refused
from app.records.grading.marks import unrounded_text
from app.records.grading.totals import total_rules
from app.records.grading.totals.total_rules import MOST_CATEGORIES
from app.records.grading.totals.weighted_marks import ColumnRule, MissingRule, TotalRules, Weighing
from app.records.grading.values import ExtraColumnRow, Gradebook, GradebookColumn
from app.web.classes.classrooms import CLASSROOM_ADDRESS, ClassDep, ClassRequest
from app.web.grading import total_formulas
from app.web.grading.gradebook import load_gradebook
from app.web.site.posted_forms import PostedForm
from app.web.site.routing import LazyRouter

router = LazyRouter()
TOTAL_ADDRESS = CLASSROOM_ADDRESS + "/gradebook/total"
WORDS_BY_WEIGHING: dict[Weighing, str] = {
    "points": "按分数：分多的作业分量重",
    "assignments": "按每份的权重",
    "categories": "按类别的占比",
}


class ColumnFields(NamedTuple):
    """An assignment in the form, as texts."""

    column: GradebookColumn
    is_counted: bool
    weight_text: str
    category: str


class RuleFields(NamedTuple):
    """All of the form, as texts; `texts_of_categories`: name, weight, how many of the lowest are left out."""

    weighing: str
    missing_rule: str
    texts_of_categories: Sequence[tuple[str, str, str]]
    fields_of_columns: Sequence[ColumnFields]


def stored_fields(class_gradebook: Gradebook) -> RuleFields:
    """The form as the rules are."""
    texts_of_categories = []
    for category, weight in class_gradebook.total_rules.categories.items():
        drop_count = class_gradebook.total_rules.drops.get(category, 0)
        texts_of_categories.append((category, unrounded_text(weight), str(drop_count or "")))
    fields_of_columns = []
    for column in class_gradebook.columns:
        column_rule = column.rule
        column_fields = ColumnFields(
            column, column_rule.counted, unrounded_text(column_rule.weight), column_rule.category
        )
        fields_of_columns.append(column_fields)
    return RuleFields(
        class_gradebook.total_rules.weighing,
        class_gradebook.total_rules.missing,
        texts_of_categories,
        fields_of_columns,
    )


def typed_fields(class_gradebook: Gradebook, form: PostedForm) -> RuleFields:
    """The form as it was sent, to be put right."""
    texts_of_categories = [
        texts_of_category for texts_of_category in category_fields(form) if any(texts_of_category)
    ]
    counted_keys = form.texts("counted")
    fields_of_columns = []
    for column in class_gradebook.columns:
        column_key = column.key
        is_counted = column_key in counted_keys
        column_fields = ColumnFields(
            column, is_counted, form.text(f"weight-{column_key}"), form.text(f"category-{column_key}")
        )
        fields_of_columns.append(column_fields)
    return RuleFields(form.text("weighing"), form.text("missing"), texts_of_categories, fields_of_columns)


def category_fields(form: PostedForm) -> list[tuple[str, str, str]]:
    """Name, weight and number of the lowest of each category; a form of before has no such numbers."""
    texts_of_categories = zip_longest(
        form.texts("category"), form.texts("share"), form.texts("dropped"), fillvalue=""
    )
    return list(texts_of_categories)


@router.get(TOTAL_ADDRESS)
async def show(request: ClassDep) -> Response:
    """The rules as they are."""
    return await rules_page(request)


async def rules_page(request: ClassRequest, error_sentence: str = "") -> Response:
    """The form; `error_sentence`: why what was sent is refused, which stands in it then."""
    # First: of rules that are changed meanwhile the form shall not say that it shows them.
    rules_digest = await request.read(total_rules.load_rules_digest)
    class_gradebook = await load_gradebook(request)
    rule_fields = stored_fields(class_gradebook)
    if error_sentence:
        rule_fields = typed_fields(class_gradebook, request.form)
    spare_row_count = max(0, min(3, MOST_CATEGORIES - len(rule_fields.texts_of_categories)))
    return request.page(
        "grading/total",
        title=f"{class_gradebook.classroom.name}的总评",
        classroom=class_gradebook.classroom,
        fields=rule_fields,
        categories=[*rule_fields.texts_of_categories, *[("", "", "")] * spare_row_count],
        weighings=WORDS_BY_WEIGHING,
        absences=total_formulas.WORDS_BY_MISSING_RULE,
        formula=total_formulas.total_rule_words(class_gradebook.total_rules, class_gradebook.columns),
        rules_digest=rules_digest,
        error_sentence=error_sentence,
    )


@router.post(TOTAL_ADDRESS)
async def set_rules(request: ClassDep) -> Response:
    """Other rules, all of them at once."""
    class_gradebook = await load_gradebook(request)
    try:
        posted_total_rules = posted_rules(request.form)
        columns_in_form = posted_columns(request.form, class_gradebook)
        rule_by_assignment_id, extra_columns = assignment_rules_and_columns(columns_in_form)
        await request.write(
            total_rules.set_total_rules,
            posted_total_rules,
            rule_by_assignment_id,
            request.now,
            extra_columns,
            request.form.text("seen"),
        )
    except Refused as error:
        return await rules_page(request, str(error))
    return request.redirect_within("/gradebook")


def assignment_rules_and_columns(
    columns_in_form: Sequence[GradebookColumn],
) -> tuple[dict[int, ColumnRule], list[ExtraColumnRow]]:
    """The rules of assignments, by id; and the columns of one's own with theirs."""
    rule_by_assignment_id = {}
    extra_columns = []
    for column in columns_in_form:
        if isinstance(column.assignment_or_extra, ExtraColumnRow):
            extra_columns.append(column.assignment_or_extra._replace(**column.rule._asdict()))
        else:
            rule_by_assignment_id[column.assignment_or_extra.id] = column.rule
    return rule_by_assignment_id, extra_columns


def posted_rules(form: PostedForm) -> TotalRules:
    """The rules of the class in a form; Refused for what is no number."""
    weighing: Weighing = "points"
    for weighing_choice in WORDS_BY_WEIGHING:
        if form.text("weighing") == weighing_choice:
            weighing = weighing_choice
    missing_rule: MissingRule = "left_out"
    if form.text("missing") == "zero":
        missing_rule = "zero"
    weight_by_category, drop_count_by_category = weights_and_dropped_counts(form)
    return TotalRules(weighing, missing_rule, weight_by_category, drop_count_by_category)


def weights_and_dropped_counts(form: PostedForm) -> tuple[dict[str, float], dict[str, int]]:
    """The weight of each category, and how many of the lowest are left out of it. Refused for a row with
    figures and no name."""
    weight_by_category: dict[str, float] = {}
    drop_count_by_category: dict[str, int] = {}
    for name_text, share_text, drop_text in category_fields(form):
        category = name_text.strip()
        figure_text = share_text.strip() or drop_text.strip()
        if figure_text and not category:
            raise Refused(f"有一行写了“{figure_text[:20]}”，没写类别的名字。补上名字，或者把这一行清空。")
        if category in weight_by_category:
            raise Refused(f"类别“{category}”写了两遍。")
        if category:
            weight_by_category[category] = read_weight(share_text, f"类别“{category}”的占比")
        if category and drop_text.strip():
            drop_count = whole_number(drop_text)
            if drop_count is None:
                raise Refused(f"类别“{category}”去掉最低的几份，写一个整数。写的是“{drop_text[:20]}”。")
            drop_count_by_category[category] = drop_count
    return weight_by_category, drop_count_by_category


def posted_columns(form: PostedForm, class_gradebook: Gradebook) -> list[GradebookColumn]:
    """The columns that a form shows, with the rules in it; the others keep their own."""
    shown_keys = form.texts("shown")
    counted_keys = form.texts("counted")
    columns_in_form = []
    for column in class_gradebook.columns:
        if column.key not in shown_keys:
            continue
        is_counted = column.key in counted_keys
        typed_weight_text = form.text(f"weight-{column.key}", "1")
        weight = read_weight(typed_weight_text, f"《{column.title}》的权重")
        category = form.text(f"category-{column.key}").strip()
        columns_in_form.append(column._replace(rule=ColumnRule(is_counted, weight, category)))
    return columns_in_form


def read_weight(typed_weight_text: str, field_words: str) -> float:
    """A weight or a share that was typed; 0 for an empty field. `field_words`: what a refusal calls it.

    >>> read_weight(" 40% ", "占比"), read_weight("", "占比"), read_weight("1.5", "权重")
    (40.0, 0.0, 1.5)
    """
    weight_text = typed_weight_text.strip().rstrip("%％") or "0"
    try:
        return float(weight_text)
    except ValueError as error:
        raise Refused(f"{field_words}写一个数，比如40。写的是“{typed_weight_text[:20]}”。") from error
