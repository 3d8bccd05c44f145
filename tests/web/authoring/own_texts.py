"""Own content as its author types it."""

from tests.web.cast import Page, Reader

SMALL = """\
title: 小练习
skill: dcg
items:
  q1:
    stem: 越甜越靠前，对吗？
    answer: true
    hints: [想想糖。]
"""


BROKEN = SMALL.replace("answer: true", "answer: 5")


def write(teacher: Reader, text: str = SMALL) -> str:
    """Keep a text; its address."""
    teacher.open("/own/new")
    page = teacher.submit(teacher.page.form("/own", "存"), text=text)
    return page.path.partition("?")[0]


def typed_text(page: Page) -> str:
    [child] = page.by_id("own-text").children
    assert isinstance(child, str)
    return child.removeprefix("\n")
