"""改动记录 about a class as a whole: its roster, its groups, its notices, who teaches it, in sentences."""

from collections.abc import Callable, Mapping
from typing import Any
from zoneinfo import ZoneInfo

from app.records.assignments.audit import AuditEntry
from app.records.classes.rights import WORD_BY_ROLE
from app.web.site.rendering import people_html

PLAIN_CLASS_WORDS_BY_ACTION = {
    "staff-invited": "发了一个请{role}的链接",
    "staff-joined": "接受邀请，成了{role}",
    "staff-removed": "请走了一位{role}",
    "staff-left": "不再当{role}",
    "staff-carried": "一起教的{count}位从上学期的班跟了过来",
    "archive": "把班级归了档",
    "restore": "恢复了班级",
    "student-out": "把{student}移出了班",
    "student-back": "把{student}放回了班里",
    "student-moved": "把{student}换到了{class_name}",
    "password": "给{student}换了新密码",
    "group-added": "加了小组“{group}”",
    "group-removed": "解散了小组“{group}”",
    "groups-split": "把全班随机分成了{count}组",
}
"""Actions of which one sentence says all, with the words of `ClassLogWriter.value_by_placeholder`."""
DETAIL_WORDS = ("姓名", "学号", "座号")
WORD_BY_NUMBER_KIND = {"seat": "座号", "number": "学号"}
WordsWithDetails = tuple[str, list[str]]
"""What was done, and what belongs to it, one thing a line."""


class ClassLogWriter:
    """One entry on its way into words."""

    def __init__(
        self, audit_entry: AuditEntry, name_by_enrolment_id: Mapping[int, str], zone: ZoneInfo
    ) -> None:
        self.entry = audit_entry
        self.detail = audit_entry.detail
        self.name_by_enrolment_id = name_by_enrolment_id
        self.zone = zone
        self.work_title = "一份作业"
        if audit_entry.assignment_title:
            self.work_title = f"《{audit_entry.assignment_title}》"
        self.student_name = audit_entry.student_name or "一位同学"

    def name_of(self, enrolment_id: int) -> str:
        return self.name_by_enrolment_id.get(enrolment_id, "一位同学")

    @property
    def value_by_placeholder(self) -> dict[str, Any]:
        """What may stand in a plain sentence."""
        return {
            "student": self.student_name,
            "class_name": self.detail.get("class", "另一个班"),
            "group": self.detail.get("group", ""),
            "count": self.detail.get("count", 0),
            "role": WORD_BY_ROLE.get(self.detail.get("role", ""), "帮手"),
        }

    def describe_plain_class_action(self) -> WordsWithDetails:
        return PLAIN_CLASS_WORDS_BY_ACTION[self.entry.action].format_map(self.value_by_placeholder), []

    def describe_student_details(self) -> WordsWithDetails:
        former_details, new_details = self.detail.get("details", [[], []])
        detail_lines = []
        for detail_word, former_detail, new_detail in zip(
            DETAIL_WORDS, former_details, new_details, strict=False
        ):
            if former_detail != new_detail:
                detail_lines.append(f"{detail_word}：{former_detail or '空着'} → {new_detail or '空着'}")
        return f"改了{self.student_name}在班里的名字或者号码", detail_lines

    def describe_roster(self) -> WordsWithDetails:
        new_student_count, changed_student_count = self.detail.get("new", 0), self.detail.get("changed", 0)
        return f"导入了名单：新进班{new_student_count}位，改了{changed_student_count}位", []

    def describe_number_kind(self) -> WordsWithDetails:
        kind_word = WORD_BY_NUMBER_KIND.get(self.detail.get("kind", ""), "号码")
        return f"说了名单上的小数目是{kind_word}", []

    def describe_number_on_joining(self) -> WordsWithDetails:
        if self.detail.get("asks"):
            return "凭加入码进来，开始问学号", []
        return "凭加入码进来，不再问学号", []

    def describe_class_name(self) -> WordsWithDetails:
        former_name, new_name = self.detail.get("name", ["", ""])
        return f"给班级改了名：{former_name} → {new_name}", []

    def describe_notice(self) -> WordsWithDetails:
        former_text, new_text = self.detail.get("text", ["", ""])
        detail_lines = []
        if former_text:
            detail_lines.append(f"原来的：{former_text}")
        if new_text:
            return f"发了通知：{new_text}", detail_lines
        return "撤下了通知", detail_lines

    def describe_group_renaming(self) -> WordsWithDetails:
        former_name, new_name = self.detail.get("group", ["", ""])
        return f"给小组改了名：{former_name} → {new_name}", []

    def describe_group_placing(self) -> WordsWithDetails:
        joined_names_html = people_html(map(self.name_of, self.detail.get("students", [])))
        if group_name := self.detail.get("group"):
            return f"把几位同学分进了“{group_name}”", [joined_names_html]
        return "让几位同学不在任何小组里", [joined_names_html]


CLASS_DESCRIBER_BY_ACTION: Mapping[str, Callable[[ClassLogWriter], WordsWithDetails]] = {
    **dict.fromkeys(PLAIN_CLASS_WORDS_BY_ACTION, ClassLogWriter.describe_plain_class_action),
    "student-details": ClassLogWriter.describe_student_details,
    "roster": ClassLogWriter.describe_roster,
    "number-kind": ClassLogWriter.describe_number_kind,
    "number-at-door": ClassLogWriter.describe_number_on_joining,
    "class-name": ClassLogWriter.describe_class_name,
    "notice": ClassLogWriter.describe_notice,
    "group-renamed": ClassLogWriter.describe_group_renaming,
    "group-placed": ClassLogWriter.describe_group_placing,
}
