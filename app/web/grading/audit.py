"""改动记录: what was done to marks, times, roster and notices in a class, in sentences for its teacher."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from starlette.responses import Response

from app.course.exercises.exercises import NAME_BY_LEVEL
from app.records.assignments import audit
from app.records.assignments.audit import AuditEntry, AuditPage
from app.records.classes.class_log import FIELDS_BY_ACTION
from app.records.db.row_ids import row_id
from app.records.grading.marks import percent_text, shown_points_text, unrounded_text
from app.web.assignments.assignment_settings import LOG_WORDS_BY_SETTING, WORDS_BY_SETTING
from app.web.classes.classrooms import CLASSROOM_ADDRESS, ClassDep
from app.web.grading.class_log_words import (
    CLASS_DESCRIBER_BY_ACTION,
    ClassLogWriter,
    WordsWithDetails,
)
from app.web.site.clock import moment_text
from app.web.site.rendering import people_html
from app.web.site.routing import LazyRouter

router = LazyRouter()
WORDS_BY_PART_FIELD: Mapping[str, tuple[str, Mapping[Any, str]]] = {
    "points": ("分值", {}),
    "count": ("个数", {}),
    "level": ("难度", NAME_BY_LEVEL),
    "same": ("数字", {True: "全班一样", False: "每人自己的"}),
}
"""What may change in a part: its word, and the words of its values that are no figures."""
FORGOTTEN_POINTS_WORDS = "注销了，分数不再留着"
PLAIN_WORDS_BY_ACTION = {
    "publish": "发布了{work}",
    "take-back": "收回了{work}，又是草稿",
    "close": "结束了{work}，不再收了",
    "reopen": "重新打开了{work}",
    "copy": "把{work}抄到了{class_name}",
    "series-left": "让{work}不再和别的班一起改",
    "total": "改了总评的算法",
    "override": "把{student}的{work}从{former_points}改成{points}{reason}",
    "override-back": "收回了给{student}的{work}改的分：{former_points} → {points}",
    "carried": "{student}换班，{work}的成绩跟了过来：{points}{reason}",
    "extra-carried": "{student}换班，“{column}”一栏的分数跟了过来：{mark}{reason}",
    "excuse": "让{student}免做{work}，不算进总评{reason}",
    "excuse-back": "收回了{student}在{work}上的免做，现在{points}",
    "question-mark": "把{student}的{work}{question}从{former_points}改成{points}{reason}",
    "question-mark-back": "收回了给{student}的{work}{question}改的分：{former_points} → {points}",
    "comment": "改了给{student}的{work}的评语",
}
"""Actions of which one sentence says all, with the words of `AuditWriter.value_by_placeholder`."""
WORDS_BY_REGRADE_WAY = {"up": "重新评分，只升不降", "full": "给全员满分", "back": "取消了全员给分"}


@router.get(CLASSROOM_ADDRESS + "/audit")
async def show(request: ClassDep, before: str = "") -> Response:
    """The latest first, some on a page; `?before=` has the older ones."""
    before_id = row_id(before)
    audit_page = await request.read(audit.load_audit, before_id)
    return request.page(
        "grading/audit",
        title=f"{audit_page.classroom.name}的改动记录",
        classroom=audit_page.classroom,
        next_before_id=audit_page.next_before_id,
        lines=audit_lines(audit_page, ZoneInfo(request.site.settings.time_zone)),
        before=before_id,
    )


class AuditLine(NamedTuple):
    """A line of the log."""

    entry: AuditEntry
    action_words: str
    detail_lines: Sequence[str]


def audit_lines(audit_page: AuditPage, zone: ZoneInfo) -> list[AuditLine]:
    """Every line as a sentence."""
    audit_lines = []
    for audit_entry in audit_page.lines:
        audit_writer = AuditWriter(audit_entry, audit_page.student_name_by_enrolment_id, zone)
        describe = DESCRIBER_BY_ACTION.get(audit_entry.action, AuditWriter.describe_unknown_action)
        if is_emptied(audit_entry):
            describe = AuditWriter.describe_emptied_entry
        audit_lines.append(AuditLine(audit_entry, *describe(audit_writer)))
    return audit_lines


def is_emptied(audit_entry: AuditEntry) -> bool:
    """Whether the words of a line went with its student: there were some."""
    if audit_entry.enrolment_id is None or audit_entry.detail:
        return False
    return bool(FIELDS_BY_ACTION.get(audit_entry.action))


class AuditWriter(ClassLogWriter):
    """An entry about an assignment or a mark on its way into words."""

    @property
    def reason(self) -> str:
        """Why, where a reason was given. A `note` that changed is a pair: the words of the assignment."""
        reason = self.detail.get("reason") or self.detail.get("note")
        if isinstance(reason, str) and reason:
            return f"：{reason}"
        return ""

    def time_words(self, iso_text: str | None) -> str:
        if not iso_text:
            return "“没有”"
        return moment_text("%m-%d %H:%M", self.zone, datetime.fromisoformat(iso_text))

    @property
    def value_by_placeholder(self) -> dict[str, Any]:
        former_points, new_points = self.detail.get("points", [None, None])
        return super().value_by_placeholder | {
            "work": self.work_title,
            "question": self.question_words,
            "column": self.detail.get("column", ""),
            "mark": self.detail.get("mark", ""),
            "former_points": points_words(former_points),
            "points": points_words(new_points),
            "reason": self.reason,
        }

    @property
    def question_words(self) -> str:
        return question_numbers_words([self.detail.get("question", 0)])

    def describe_plain_action(self) -> WordsWithDetails:
        return PLAIN_WORDS_BY_ACTION[self.entry.action].format_map(self.value_by_placeholder), []

    def describe_emptied_entry(self) -> WordsWithDetails:
        work_words = ""
        if self.entry.assignment_title:
            work_words = f"在{self.work_title}上"
        return f"给{self.student_name}{work_words}做过一处改动，内容随注销清掉了", []

    def describe_collection(self) -> WordsWithDetails:
        collect_words = f"收了{self.work_title}的卷"
        if collected_count := self.detail.get("papers"):
            collect_words += f"，{collected_count}份没交的按存下的收了"
        unchanged_work_lines = self.unchanged_work_lines("没有收，写的都还在")
        if unchanged_work_lines:
            collect_words += f"，{len(unchanged_work_lines)}份没收上来"
        return collect_words, unchanged_work_lines

    def unchanged_work_lines(self, outcome_words: str) -> list[str]:
        """Whose work could not be marked; `outcome_words`: what became of it."""
        return [
            f"{self.name_of(enrolment_id)}：批改时程序出了错，{outcome_words}"
            for enrolment_id in self.detail.get("left", [])
        ]

    def describe_assignees(self) -> WordsWithDetails:
        if self.detail.get("everyone"):
            return f"把{self.work_title}布置给全班", []
        joined_names_html = people_html(map(self.name_of, self.detail.get("students", [])))
        return f"把{self.work_title}只布置给几位同学", [joined_names_html]

    def describe_due_time(self) -> WordsWithDetails:
        value_pair_by_setting = {
            setting_name: value_pair
            for setting_name, value_pair in self.detail.items()
            if isinstance(value_pair, list)
        }
        if "due_at" not in value_pair_by_setting:
            return f"改了{self.work_title}的时间", self.lines_of_changes(value_pair_by_setting)
        former_due_at, new_due_at = value_pair_by_setting.pop("due_at")
        due_words = f"从{self.time_words(former_due_at)}改到{self.time_words(new_due_at)}"
        return f"把{self.work_title}的截止时间{due_words}{self.reason}", self.lines_of_changes(
            value_pair_by_setting
        )

    def describe_settings(self) -> WordsWithDetails:
        return f"改了{self.work_title}的设置", self.lines_of_changes(self.detail)

    def describe_pair(self) -> WordsWithDetails:
        value_pair_by_setting = {}
        if "form" in self.detail:
            value_pair_by_setting["form"] = self.detail["form"]
        return f"给{self.work_title}配了一份后测", self.lines_of_changes(value_pair_by_setting)

    def lines_of_changes(self, value_pair_by_setting: Mapping[str, Any]) -> list[str]:
        detail_lines = []
        for setting_name, (former_value, new_value) in value_pair_by_setting.items():
            former_words = self.value_words(setting_name, former_value)
            new_words = self.value_words(setting_name, new_value)
            setting_label = (
                WORDS_BY_SETTING[setting_name].log_word if setting_name in WORDS_BY_SETTING else setting_name
            )
            detail_lines.append(f"{setting_label}：{former_words} → {new_words}")
        return detail_lines

    def value_words(self, setting_name: str, setting_value: Any) -> str:
        if setting_name.endswith(("_at", "_until")):
            return self.time_words(setting_value)
        if setting_name == "late_factor":
            return percent_text(setting_value)
        if log_word := LOG_WORDS_BY_SETTING.get(setting_name, {}).get(setting_value):
            return log_word
        if setting_value in (None, ""):
            return "空着"
        return str(setting_value)

    def describe_parts(self) -> WordsWithDetails:
        """Each part is named by its position in the list."""
        detail_lines = [f"第{position}项：加上的" for position in self.detail.get("added", [])]
        detail_lines += [f"原来的第{position}项：移走了" for position in self.detail.get("removed", [])]
        for position, value_pair_by_field in self.detail.get("changed", []):
            detail_lines += [
                f"第{position}项{change_words}" for change_words in part_change_clauses(value_pair_by_field)
            ]
        if self.detail.get("moved"):
            detail_lines.append("换了顺序")
        return f"改了{self.work_title}的题目和分值", detail_lines

    def describe_extension(self) -> WordsWithDetails:
        former_due_at, new_due_at = self.detail.get("due_at", [None, None])
        if new_due_at is None:
            return f"收回了{self.student_name}在{self.work_title}上的延期{self.reason}", []
        extension_words = f"延期到{self.time_words(new_due_at)}（原来{self.time_words(former_due_at)}）"
        return f"给{self.student_name}的{self.work_title}{extension_words}{self.reason}", []

    def describe_regrade(self) -> WordsWithDetails:
        way_words = WORDS_BY_REGRADE_WAY.get(self.detail.get("way", ""), "重新评分")
        detail_lines = []
        for enrolment_id, former_points, new_points in self.detail.get("students", []):
            change_words = f"{points_words(former_points)} → {points_words(new_points)}"
            if new_points is None:
                change_words = FORGOTTEN_POINTS_WORDS
            detail_lines.append(f"{self.name_of(enrolment_id)}：{change_words}")
        effect_words = "没有人的分数变"
        if detail_lines:
            effect_words = f"{len(detail_lines)}份的分数变了"
        questions_words = question_numbers_words(self.detail.get("questions", []))
        detail_lines += self.unchanged_work_lines("维持原来的分")
        return f"{self.work_title}{questions_words}{way_words}，{effect_words}{self.reason}", detail_lines

    def describe_rubric(self) -> WordsWithDetails:
        former_points, new_points = self.detail.get("points", [None, None])
        effect_words = points_words(new_points)
        if former_points is not None:
            effect_words = f"{points_words(former_points)} → {effect_words}"
        return f"批了{self.student_name}的{self.work_title}{self.question_words}：{effect_words}", []

    def describe_time_factor(self) -> WordsWithDetails:
        _, time_factor = self.detail.get("factor", [1, 1])
        return f"{self.student_name}做限时作业的时间，改成别人的{time_factor:g}倍", []

    def describe_extra_column(self) -> WordsWithDetails:
        if "added" in self.detail:
            return f"成绩册加了一栏“{self.detail['added']}”", []
        if "removed" in self.detail:
            mark_count = self.detail.get("marks", 0)
            return f"删掉了成绩册里的“{self.detail['removed']}”一栏，连同{mark_count}个分数", []
        detail_lines = []
        for field_name, field_word, text_maker in (("title", "名字", str), ("total", "满分", unrounded_text)):
            former_value, new_value = self.detail.get(field_name, [None, None])
            if former_value != new_value:
                change_words = f"{text_maker(former_value)} → {text_maker(new_value)}"
                detail_lines.append(f"{field_word}：{change_words}")
        return f"改了“{self.detail.get('column', '')}”一栏", detail_lines

    def describe_extra_marks(self) -> WordsWithDetails:
        detail_lines = []
        for enrolment_id, former_text, new_text in self.detail.get("students", []):
            change_words = f"{former_text or '空着'} → {new_text or '空着'}"
            if new_text is None:
                change_words = FORGOTTEN_POINTS_WORDS
            detail_lines.append(f"{self.name_of(enrolment_id)}：{change_words}")
        return f"填了“{self.detail.get('column', '')}”一栏，{len(detail_lines)}位的变了", detail_lines

    def describe_unknown_action(self) -> WordsWithDetails:
        """An action that has no sentence yet: nothing is hidden."""
        return f"改动了{self.work_title}（{self.entry.action}）", [
            json.dumps(self.detail, ensure_ascii=False)
        ]


def part_change_clauses(value_pair_by_field: Mapping[str, Any]) -> list[str]:
    """What changed in a part.

    >>> part_change_clauses({"bank": [0, 1], "count": [1, 2], "points": [1.0, 2.5]})
    ['放进了题池1，每人抽2道', '的分值：1 → 2.5']
    """
    value_pair_by_field = dict(value_pair_by_field)
    change_clauses = []
    if value_pair_by_field.pop("ref", None):
        change_clauses.append("换了一道同类题")
    if "bank" in value_pair_by_field:
        _, bank_number = value_pair_by_field.pop("bank")
        _, asked_count = value_pair_by_field.pop("count", [None, None])
        change_clauses.append(bank_words(bank_number, asked_count))
    for field_name, (former_value, new_value) in value_pair_by_field.items():
        field_word, words_by_value = WORDS_BY_PART_FIELD[field_name]
        former_words = words_by_value.get(former_value) or shown_points_text(former_value)
        new_words = words_by_value.get(new_value) or shown_points_text(new_value)
        change_clauses.append(f"的{field_word}：{former_words} → {new_words}")
    return change_clauses


def bank_words(bank_number: int, asked_count: int | None) -> str:
    """Into a bank or out of it. `asked_count` is None where it stayed what it was."""
    if bank_number == 0:
        return "拿出了题池，每人都做"
    if asked_count is None:
        return f"放进了题池{bank_number}"
    return f"放进了题池{bank_number}，每人抽{asked_count}道"


def question_numbers_words(question_numbers: Sequence[int]) -> str:
    if not question_numbers:
        return "一道题"
    if len(question_numbers) == 1:
        return f"第{question_numbers[0]}题"
    return f"第{question_numbers[0]}–{question_numbers[-1]}题"


def points_words(points: float | None) -> str:
    """Points in a sentence.

    >>> points_words(7.25), points_words(None)
    ('7.3分', '没有分')
    """
    if points is None:
        return "没有分"
    return f"{shown_points_text(points)}分"


DESCRIBER_BY_ACTION: Mapping[str, Callable[[AuditWriter], WordsWithDetails]] = {
    **CLASS_DESCRIBER_BY_ACTION,
    **dict.fromkeys(PLAIN_WORDS_BY_ACTION, AuditWriter.describe_plain_action),
    "collect": AuditWriter.describe_collection,
    "assignees": AuditWriter.describe_assignees,
    "due": AuditWriter.describe_due_time,
    "settings": AuditWriter.describe_settings,
    "pair": AuditWriter.describe_pair,
    "parts": AuditWriter.describe_parts,
    "extension": AuditWriter.describe_extension,
    "regrade": AuditWriter.describe_regrade,
    "rubric": AuditWriter.describe_rubric,
    "time-factor": AuditWriter.describe_time_factor,
    "extra_column": AuditWriter.describe_extra_column,
    "extra_marks": AuditWriter.describe_extra_marks,
}
