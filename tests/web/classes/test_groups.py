"""小组 on its page, and the pages of a class for one group alone."""

import csv
import io

from tests.web.cast import Page, Reader, browser
from tests.web.graded import Term
from tests.web.grading.open_books import book, sheet_of, teacher, term
from tests.web.pages import filled
from tests.web.school import code_of, join_new, new_class

__all__ = ["teacher", "term"]


def test_groups_are_made_filled_and_looked_at_alone(teacher: Reader, term: Term) -> None:
    """What is refused stands in its form again."""
    term.assign("第一周")
    address = f"/classrooms/{term.classroom}"
    page = teacher.open(f"{address}/groups")
    page = teacher.submit(page.form(f"{address}/groups"), name="第一组")
    page = teacher.submit(page.form(f"{address}/groups/members"), names="没有这个人", status=422)
    assert "没有这个人。写全学号" in page.main.text
    assert page.by_id("group-names").text == "没有这个人"
    refused_paragraph = page.main.one("p", class_="error")
    members = list(page.form(f"{address}/groups/members").inside)
    assert members.index(refused_paragraph) > members.index(page.main.one("ul", class_="ticks")), (
        "in sight on a phone, below forty names"
    )
    page = teacher.submit(page.form(f"{address}/groups/members"), names="小糖\n小序")
    assert "小糖、小序" in page.main.text
    group_id = page.by_id("group-target").all("option")[0]["value"]
    for path in (
        f"{address}?group={group_id}",
        f"{book(term)}?group={group_id}",
        f"{address}/today?group={group_id}",
    ):
        links = [link.text for link in teacher.open(path).main.all("a")]
        assert any("小糖" in text for text in links), path
        assert not any("小方" in text for text in links), path
    live = teacher.page.by_id("today")["data-hx-get"]
    page = teacher.open(f"{address}/groups")
    teacher.submit(page.form(f"{address}/groups/members"), names="小糖", group="9x", status=404)
    assert "小糖、小序" in teacher.open(f"{address}/groups").main.text
    assert f"group={group_id}" in live
    lines = teacher.open(f"{address}/audit").main.text
    assert "把几位同学分进了“第一组”" in lines
    assert "加了小组“第一组”" in lines
    page = teacher.submit(
        teacher.open(f"{address}/groups").form(f"{address}/groups/splits"), count="2", status=422
    )
    assert "换掉现在的小组" in page.main.text
    page = teacher.submit(page.form(f"{address}/groups/splits"), count="99", replace="yes", status=422)
    assert ("replace", "yes") in filled(page.form(f"{address}/groups/splits"))


def test_a_group_that_is_gone_leaves_its_new_name_and_the_way_back(teacher: Reader, term: Term) -> None:
    """In another tab it was dissolved meanwhile."""
    address = f"/classrooms/{term.classroom}/groups"
    page = teacher.submit(teacher.open(address).form(address), name="第一组")
    name_form = page.form(f"{address}/1/names")
    teacher.submit(page.form(f"{address}/1/removals"))
    fields = filled(name_form, name="糖糖组")
    response = teacher.post(name_form["action"], fields, headers={"referer": f"https://testserver{address}"})
    trouble = Page(response).by_id("trouble")
    assert "刚刚解散了" in trouble.text
    assert "糖糖组" in trouble.text
    assert trouble.one("a", class_="primary")["href"] == address


def test_a_name_from_right_to_left_leaves_its_neighbours_in_their_places(teacher: Reader, term: Term) -> None:
    """Two of them beside each other would else change places, and a figure beside one would go before it."""
    classroom = new_class(teacher, "高一4班")
    for student_name in ("סוכר", "קנדי"):
        join_new(browser(teacher.client), code_of(teacher, classroom), student_name)
    address = f"/classrooms/{classroom}"
    page = teacher.submit(teacher.open(f"{address}/groups").form(f"{address}/groups"), name="第一组")
    teacher.submit(page.form(f"{address}/groups/members"), names="סוכר\nקנדי")
    for path in ("groups", "audit"):
        page_html = teacher.open(f"{address}/{path}").response.text
        assert "<bdi>סוכר</bdi>、<bdi>קנדי</bdi>" in page_html, path


def test_the_files_of_a_class_say_the_group_last(teacher: Reader, term: Term) -> None:
    week = term.assign("第一周")
    term.do("小糖", week, "rrr")
    address = f"/classrooms/{term.classroom}"
    files = (f"{book(term)}.csv", f"{address}/responses.csv", f"{address}/responses.csv?names=yes")
    assert not any("小组" in rows_of(teacher, path)[0] for path in files), "as before, without groups"
    teacher.submit(teacher.open(f"{address}/groups").form(f"{address}/groups"), name="第一组")
    teacher.submit(teacher.open(f"{address}/groups").form(f"{address}/groups/members"), names="小糖")
    for path in files:
        head, first_row, *_ = rows_of(teacher, path)
        assert (head[-1], first_row[-1], len(first_row)) == ("小组", "第一组", len(head))
    assert [row[-1] for row in rows_of(teacher, f"{book(term)}.csv")][1:] == ["第一组", "", "", "", ""]
    content = teacher.client.get(f"{book(term)}.xlsx").content
    assert [row[-1] for row in sheet_of(content)[:2]] == ["小组", "第一组"]


def rows_of(teacher: Reader, path: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(teacher.client.get(path).content.decode("utf-8-sig"))))


def test_a_class_nobody_is_in_yet_is_not_split(teacher: Reader, term: Term) -> None:
    address = f"/classrooms/{new_class(teacher, '高一5班')}/groups"
    page = teacher.open(address)
    assert "0位" not in page.main.text
    assert "班里还没有人" in page.main.text
    assert not page.main.all("form", action=f"{address}/splits")
    join_new(browser(teacher.client), code_of(teacher, int(address.split("/")[2])), "小序")
    page = teacher.open(address)
    assert "班里还没有人" not in page.main.text
    assert "把1位分成几组" in page.main.one("form", action=f"{address}/splits").text
