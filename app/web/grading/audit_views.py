"""The log of a class in sentences."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from app.records.assignments.audit import AuditEntry, AuditPage
from app.records.grading.marks import percent, short
from app.web.assignments.part_views import LEVELS
from app.web.site.site import moment

SETTINGS = {
    "title": "标题",
    "note": "说明",
    "opens_at": "开始时间",
    "due_at": "截止时间",
    "late_until": "迟交收到",
    "late_factor": "迟交的折扣",
    "passes": "能交几遍",
    "tries": "每题试几次",
    "hints": "提示",
    "answers": "什么时候看结果",
    "counts": "哪一遍算数",
    "form": "种类",
}
WORDS: Mapping[str, Mapping[Any, str]] = {
    "answers": {"at_once": "每答一题就批改", "handed_in": "交了就看", "due": "截止以后看", "never": "不给看"},
    "counts": {"best": "最好的一遍", "last": "最后一遍", "first": "第一遍"},
    "hints": {True: "开", False: "关"},
    "passes": {0: "不限"},
    "tries": {0: "不限"},
    "form": {"pre": "前测", "post": "后测", None: "都不是"},
}

PARTS: Mapping[str, tuple[str, Mapping[Any, str]]] = {
    "points": ("分值", {}),
    "count": ("个数", {}),
    "level": ("难度", LEVELS),
    "same": ("数字", {True: "全班一样", False: "每人自己的"}),
}
"""What may change in a part: its word, and the words of its values that are no figures."""


@dataclass(frozen=True)
class AuditLine:
    """A line of the log. `more`: what belongs to it, one thing a line."""

    noted: AuditEntry
    text: str
    more: Sequence[str]


def lines(look: AuditPage, zone: ZoneInfo) -> list[AuditLine]:
    """Every line as a sentence."""
    return [AuditSentence(look, one, zone).line() for one in look.lines]


class AuditSentence:
    """One line on its way into words."""

    def __init__(self, look: AuditPage, noted: AuditEntry, zone: ZoneInfo) -> None:
        self.look, self.noted, self.zone = look, noted, zone
        self.detail = noted.detail

    def line(self) -> AuditLine:
        tell: Callable[[AuditSentence], tuple[str, list[str]]] = SENTENCES.get(
            self.noted.action, AuditSentence.anything
        )
        text, more = tell(self)
        return AuditLine(self.noted, text, more)

    @property
    def work(self) -> str:
        return f"《{self.noted.title}》" if self.noted.title else "一份作业"

    @property
    def student(self) -> str:
        return self.noted.student or "一位同学"

    @property
    def because(self) -> str:
        """Why, where something was said. A `note` that changed is a pair: the words of the assignment."""
        reason = self.detail.get("reason") or self.detail.get("note")
        return f"：{reason}" if isinstance(reason, str) and reason else ""

    def named(self, place: int) -> str:
        return self.look.names.get(place, "一位同学")

    def at(self, text: str | None) -> str:
        return moment("%m-%d %H:%M", self.zone, datetime.fromisoformat(text)) if text else "不限时"

    def publish(self) -> tuple[str, list[str]]:
        return f"发布了{self.work}", []

    def close(self) -> tuple[str, list[str]]:
        return f"结束了{self.work}，不再收了", []

    def reopen(self) -> tuple[str, list[str]]:
        return f"重新打开了{self.work}", []

    def collect(self) -> tuple[str, list[str]]:
        papers = self.detail.get("papers")
        return f"收了{self.work}的卷{f'，{papers}份没交的按存下的收了' if papers else ''}", []

    def copied(self) -> tuple[str, list[str]]:
        return f"把{self.work}抄到了{self.detail.get('class', '另一个班')}", []

    def paired(self) -> tuple[str, list[str]]:
        return f"给{self.work}配了一份后测", []

    def assignees(self) -> tuple[str, list[str]]:
        if self.detail.get("everyone"):
            return f"把{self.work}布置给全班", []
        return f"把{self.work}只布置给几位同学", ["、".join(map(self.named, self.detail.get("students", [])))]

    def due(self) -> tuple[str, list[str]]:
        was, becomes = self.detail.get("due_at", [None, None])
        rest = {
            name: pair for name, pair in self.detail.items() if isinstance(pair, list) and name != "due_at"
        }
        if "due_at" not in self.detail:
            return f"改了{self.work}的时间", self.changes(rest)
        text = f"把{self.work}的截止时间从{self.at(was)}改到{self.at(becomes)}{self.because}"
        return text, self.changes(rest)

    def settings(self) -> tuple[str, list[str]]:
        return f"改了{self.work}的设置", self.changes(self.detail)

    def changes(self, pairs: Mapping[str, Any]) -> list[str]:
        return [
            f"{SETTINGS.get(name, name)}：{self.value(name, pair[0])} → {self.value(name, pair[1])}"
            for name, pair in pairs.items()
        ]

    def value(self, name: str, found: Any) -> str:
        if name.endswith(("_at", "_until")):
            return self.at(found)
        if name == "late_factor":
            return percent(found)
        word = WORDS.get(name, {}).get(found)
        return word or (str(found) if found not in (None, "") else "空着")

    def parts(self) -> tuple[str, list[str]]:
        """Each part is named by its place in the list."""
        found = [f"第{place}项：加上的" for place in self.detail.get("added", [])]
        found += [f"原来的第{place}项：移走了" for place in self.detail.get("removed", [])]
        for place, pairs in self.detail.get("changed", []):
            found += [f"第{place}项{self.part_change(name, *pair)}" for name, pair in pairs.items()]
        found += ["换了顺序"] if self.detail.get("moved") else []
        return f"改了{self.work}的题目和分值", found

    def part_change(self, name: str, was: Any, becomes: Any) -> str:
        if name == "ref":
            return "换了一道同类题"
        word, values = PARTS[name]
        old, new = (values.get(one) or short(one) for one in (was, becomes))
        return f"的{word}：{old} → {new}"

    def extension(self) -> tuple[str, list[str]]:
        was, becomes = self.detail.get("due_at", [None, None])
        if becomes is None:
            return f"收回了{self.student}在{self.work}上的延期{self.because}", []
        return (
            f"给{self.student}的{self.work}延期到{self.at(becomes)}（原来{self.at(was)}）{self.because}",
            [],
        )

    def override(self) -> tuple[str, list[str]]:
        was, becomes = self.detail.get("points", [None, None])
        return f"把{self.student}的{self.work}从{scored(was)}改成{scored(becomes)}{self.because}", []

    def taken_back(self) -> tuple[str, list[str]]:
        was, becomes = self.detail.get("points", [None, None])
        return f"收回了给{self.student}的{self.work}改的分：{scored(was)} → {scored(becomes)}", []

    def regrade(self) -> tuple[str, list[str]]:
        asked = self.detail.get("questions", [])
        which = f"第{asked[0]}题" if len(asked) == 1 else f"第{asked[0]}–{asked[-1]}题" if asked else "一道题"
        way = {"full": "给全员满分", "back": "取消了全员给分"}.get(self.detail.get("way", ""), "重新评分")
        found = self.detail.get("students", [])
        told = f"，{len(found)}份的分数变了" if found else "，没有人的分数变"
        more = [f"{self.named(one)}：{scored(was)} → {scored(becomes)}" for one, was, becomes in found]
        return f"{self.work}{which}{way}{told}{self.because}", more

    def anything(self) -> tuple[str, list[str]]:
        """An action that has no sentence yet: nothing is hidden."""
        return f"改动了{self.work}（{self.noted.action}）", [json.dumps(self.detail, ensure_ascii=False)]


def scored(points: float | None) -> str:
    """Points in a sentence.

    >>> scored(7.25), scored(None)
    ('7.3分', '没有分')
    """
    return "没有分" if points is None else f"{short(points)}分"


SENTENCES: Mapping[str, Callable[[AuditSentence], tuple[str, list[str]]]] = {
    "publish": AuditSentence.publish,
    "close": AuditSentence.close,
    "reopen": AuditSentence.reopen,
    "collect": AuditSentence.collect,
    "copy": AuditSentence.copied,
    "pair": AuditSentence.paired,
    "assignees": AuditSentence.assignees,
    "due": AuditSentence.due,
    "settings": AuditSentence.settings,
    "parts": AuditSentence.parts,
    "extension": AuditSentence.extension,
    "override": AuditSentence.override,
    "override-back": AuditSentence.taken_back,
    "regrade": AuditSentence.regrade,
}
