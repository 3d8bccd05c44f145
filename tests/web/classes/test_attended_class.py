"""The page of a class as its student opens it, beside the list of all that they have to do."""

from typing import Any

from tests.web.assignments.drafting import NUMERIC
from tests.web.pages import Element
from tests.web.taught import Term


def listed(lines: list[Element]) -> list[tuple[str, str]]:
    """The title of each assignment, and how far its student is."""
    return [(line.one("a").text, line.one("span", class_="task-word").text) for line in lines]


def test_work_stands_in_the_same_order_in_the_class_and_in_the_list_of_all(term: Term) -> None:
    """What can be done, by when it is due; then what opens later, by when it opens: it may be due sooner."""
    rules_by_title: dict[str, dict[str, Any]] = {
        "不限时": {},
        "后开先交": {"opens": "2098-09-02T08:00", "due": "2098-09-03T08:00"},
        "先开后交": {"opens": "2098-09-01T08:00", "due": "2098-09-04T08:00"},
        "后截止": {"due": "2099-09-02T08:00"},
        "先截止": {"due": "2099-09-01T08:00"},
        "也先截止": {"due": "2099-09-01T08:00"},
    }
    path_by_title = {}
    for title, rules in rules_by_title.items():
        draft_path = term.draft(NUMERIC, title=title)
        term.set_up(draft_path, **rules)
        path_by_title[title] = term.publish(draft_path)
    term.begin(path_by_title["后截止"])
    lines_in_class = term.student.open(f"/classrooms/{term.classroom}").main.all("li", class_="task")
    assert listed(lines_in_class) == [
        ("先截止", "没开始"),
        ("也先截止", "没开始"),
        ("后截止", "做到一半"),
        ("不限时", "没开始"),
        ("先开后交", "还没开放"),
        ("后开先交", "还没开放"),
    ]
    lines_of_all = term.student.open("/assignments").main.all("li", class_="task")
    assert listed(lines_of_all) == listed(lines_in_class)
