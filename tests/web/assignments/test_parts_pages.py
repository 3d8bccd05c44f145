"""The list of parts of a draft: picked, moved, swapped, given points, taken out."""

from typing import Any

import pytest

from app.course import Course
from tests.web.assignments.drafting import NUMERIC, in_rows, press
from tests.web.pages import filled, refused_fields
from tests.web.taught import Term


def test_picking_moving_swapping_removing(term: Term, course: Course) -> None:
    draft_path = term.draft()
    skill = course.items[NUMERIC].skill
    page = term.teacher.open(f"{draft_path}/items?skill={skill}")
    refs = [element["value"] for element in page.main.all("input", name="ref")][:3]
    term.teacher.submit(page.form(f"{draft_path}/parts", "加进"), ref=refs, points="0.5")
    page = term.teacher.page
    assert [element["id"] for element in page.main.all("li", class_="part")] == ["part-1", "part-2", "part-3"]
    press(term, page, f"{draft_path}/parts/1/moves", "↓")
    page = term.teacher.page
    assert [element["id"] for element in page.main.all("li", class_="part")] == ["part-2", "part-1", "part-3"]
    fragment = press(term, page, f"{draft_path}/parts/2/swaps", htmx=True)
    assert fragment.root.children[0].get("id") == "parts"  # type: ignore[union-attr]
    [(other_row,)] = term.ledger.rows("SELECT ref FROM assignment_part WHERE id = 2")
    assert other_row not in refs
    assert course.items[course.bare_id(other_row)].skill == skill
    press(term, page, f"{draft_path}/parts/3/removals")
    assert "2题，满分1分" in term.teacher.page.by_id("parts-title").text


def points_of_parts(term: Term) -> list[float]:
    return [row for (row,) in term.ledger.rows("SELECT points FROM assignment_part ORDER BY position")]


def test_nothing_typed_in_another_row_is_lost(term: Term) -> None:
    draft_path = term.draft(NUMERIC, NUMERIC, NUMERIC)
    form = term.teacher.open(draft_path).form(f"{draft_path}/parts/settings", "改好")
    term.teacher.submit(form, **in_rows(points_1="３", points_2="4"))
    assert points_of_parts(term) == [3, 4, 2]
    press(term, term.teacher.page, f"{draft_path}/parts/1/moves", "↓", points_2="5", points_3="0.5")
    assert points_of_parts(term) == [5, 3, 0.5]
    press(term, term.teacher.page, f"{draft_path}/parts/3/removals", points_1="1。5")
    assert points_of_parts(term) == [5, 1.5]
    press(term, term.teacher.page, f"{draft_path}/parts/2/swaps", points_1="6")
    assert points_of_parts(term) == [5, 6]


def test_an_older_page_takes_nothing_back_that_it_did_not_touch(term: Term) -> None:
    draft_path = term.draft(NUMERIC, NUMERIC)
    older_page = term.teacher.open(draft_path)
    form = older_page.form(f"{draft_path}/parts/settings", "改好")
    term.teacher.submit(form, **in_rows(points_1="5"))
    press(term, older_page, f"{draft_path}/parts/2/moves", "↑", points_2="3")
    assert points_of_parts(term) == [3, 5]
    refused_page = term.teacher.submit(form, status=422, **in_rows(points_2="一分"))
    refused_form = refused_page.by_id("parts").one("form")
    term.teacher.submit(refused_form, **in_rows(points_2="4"))
    assert points_of_parts(term) == [4, 5]


def test_a_change_of_parts_that_is_refused_comes_back_as_the_list(term: Term) -> None:
    draft_path = term.draft(NUMERIC, NUMERIC)
    page = term.teacher.open(draft_path)
    form = page.form(f"{draft_path}/parts/settings", "改好")
    wrong: dict[str, Any] = {"points-1": "一分", "points-2": "7"}
    whole = term.teacher.submit(form, status=422, **wrong)
    part = term.teacher.submit(form, status=422, htmx=True, **wrong)
    for answer_page in (whole, part):
        assert "分值写一个数" in answer_page.by_id("parts-error").text
        assert refused_fields(answer_page.by_id("parts")) == ["points-1"]
        assert [answer_page.by_id(name)["value"] for name in wrong] == list(wrong.values())
    assert [element.get("id") for element in part.root.children if not isinstance(element, str)] == ["parts"]
    page = press(term, page, f"{draft_path}/parts/1/moves", "↓", 422, htmx=True, points_2="0.25")
    assert "最多一位小数" in page.by_id("parts-error").text
    assert points_of_parts(term) == [2, 2]


@pytest.mark.parametrize(
    ("kind", "field", "typed", "message"),
    [
        ("practice", "count", "两题", "写一个整数"),
        ("practice", "count", "", "写一个整数"),
        ("cards", "count", "三十", "写一个整数"),
        ("game", "count", "两局", "写一个整数"),
        ("game", "points", "0.25", "最多一位小数"),
        ("section", "points", "五分", "分值写一个数"),
    ],
)
def test_what_is_no_number_is_said_and_kept(
    term: Term, kind: str, field: str, typed: str, message: str
) -> None:
    draft_path = term.draft()
    panel = term.teacher.open(draft_path).by_id(f"add-{kind}")
    ref = panel.one("select", name="ref").all("option")[-1]["value"]
    fields: dict[str, Any] = {"ref": ref, field: typed}
    page = term.teacher.submit(panel.one("form"), status=422, **fields)
    panel = page.by_id(f"add-{kind}")
    assert "open" in panel.attributes
    assert message in panel.one("p", class_="error").text
    assert panel.one("input", name=field)["value"] == typed
    assert [
        element["value"]
        for element in panel.one("select", name="ref").all("option")
        if "selected" in element.attributes
    ] == [ref]
    assert term.ledger.count("assignment_part") == 0


@pytest.mark.parametrize(("field", "typed"), [("count", "许多"), ("points", "101")])
def test_what_is_wrong_of_practice_is_marked_in_its_field(term: Term, field: str, typed: str) -> None:
    draft_path = term.draft(NUMERIC)
    panel = term.teacher.open(draft_path).by_id("add-practice").one("form")
    wrong: dict[str, Any] = {field: typed}
    page = term.teacher.submit(panel, status=422, **wrong)
    assert refused_fields(page.main) == [field]
    assert page.by_id("add-practice-error").parent is page.by_id("add-practice").one("form")
    term.teacher.submit(panel)
    wrong = {f"{field}-2": typed}
    page = term.teacher.submit(term.teacher.page.by_id("parts").one("form"), status=422, **wrong)
    assert refused_fields(page.main) == [f"{field}-2"]


def test_full_width_digits_are_digits(term: Term) -> None:
    draft_path = term.draft()
    form = term.teacher.open(draft_path).by_id("add-practice").one("form")
    term.teacher.submit(form, count="５", points="０．５")
    assert term.ledger.rows("SELECT count, points FROM assignment_part") == [(5, 0.5)]


def test_what_counts_for_nothing_is_not_picked_for_points(term: Term, course: Course) -> None:
    assignment_url, probe = term.draft(), "two-systems-probe"
    assert probe in course.probe_ids
    page = term.teacher.open(f"{assignment_url}/items?skill={course.items[probe].skill}")
    assert f"content:{probe}" not in [element["value"] for element in page.main.all("input", name="ref")]
    response = term.teacher.post(f"{assignment_url}/parts", [("kind", "item"), ("ref", f"content:{probe}")])
    assert response.status_code == 422


def test_what_was_ticked_stays_ticked(term: Term, course: Course) -> None:
    draft_path = term.draft()
    page = term.teacher.open(f"{draft_path}/items?skill={course.items[NUMERIC].skill}")
    form = page.form(f"{draft_path}/parts", "加进")
    page = term.teacher.submit(form, ref=f"content:{NUMERIC}", points="一分", status=422)
    assert "分值写一个数" in page.by_id("pick-error").text
    assert refused_fields(page.main) == ["points"]
    ticked = [
        element["value"] for element in page.main.all("input", name="ref") if "checked" in element.attributes
    ]
    assert ticked == [f"content:{NUMERIC}"]
    assert page.main.one("input", name="points")["value"] == "一分"


def test_a_second_click_puts_nothing_in(term: Term, course: Course) -> None:
    draft_path = term.draft()
    panel = term.teacher.open(draft_path).by_id("add-practice")
    pick = term.teacher.open(f"{draft_path}/items?skill={course.items[NUMERIC].skill}").form(
        f"{draft_path}/parts", "加进"
    )
    wishes: tuple[dict[str, Any], ...] = ({}, {"ref": f"content:{NUMERIC}"})
    for form, wish in zip((panel.one("form"), pick), wishes, strict=True):
        term.teacher.submit(form, **wish)
        assert not term.teacher.page.by_id("parts").all("p", class_="done")
        parts = term.ledger.count("assignment_part")
        page = term.teacher.submit(form, **wish)
        assert "没有再加一遍" in page.by_id("parts").one("p", class_="done").text
        assert term.ledger.count("assignment_part") == parts
    term.teacher.submit(panel.one("form"), count="5")
    assert not term.teacher.page.by_id("parts").all("p", class_="done"), "another wish is another part"
    term.teacher.submit(term.teacher.page.by_id("add-practice").one("form"))
    older = [field for field in filled(panel.one("form")) if field[0] != "seen"]
    assert term.teacher.post(f"{draft_path}/parts", older).status_code == 200
    rows = term.ledger.rows("SELECT kind, count FROM assignment_part ORDER BY position")
    assert rows == [("practice", 3), ("item", 1), ("practice", 5), ("practice", 3), ("practice", 3)]


def test_a_list_that_changed_in_its_place_tells_the_forms_beside_it(term: Term) -> None:
    draft_path = term.draft(NUMERIC, NUMERIC)
    page = term.teacher.open(draft_path)
    assert {field["value"] for field in page.main.all("input", name="seen")} == {"2"}
    fragment = press(term, page, f"{draft_path}/parts/2/removals", htmx=True)
    seen_fields = [field for field in page.main.all("input", name="seen") if field.get("id")]
    fields = fragment.by_id("parts").all("input", name="seen", data_hx_swap_oob="true")
    assert {field["id"] for field in fields} == {field["id"] for field in seen_fields}
    assert {field["value"] for field in fields} == {"1"}


def test_once_somebody_has_begun_its_content_stays(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    page = term.teacher.open(draft_path)
    path = term.publish(draft_path)
    term.begin(path)
    page = press(term, page, f"{draft_path}/parts/1/removals", status=422)
    assert "已经有人开始做了" in page.by_id("parts").text
    assert not page.main.all("form", action=f"{draft_path}/parts/settings")


def test_once_work_on_paper_was_marked_its_content_stays(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    term.publish(draft_path)
    page = term.teacher.open(f"{draft_path}/paper-marks")
    page = term.teacher.submit(page.form(f"{draft_path}/paper-marks/lists"), text="小糖 1.5")
    term.teacher.submit(page.form(f"{draft_path}/paper-marks"))
    page = term.teacher.open(draft_path)
    assert "已经给过分，题目和分值不再动" in page.by_id("parts").text
    assert not page.main.all("form", action=f"{draft_path}/parts/settings")
