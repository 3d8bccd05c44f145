"""勘误馆 as its visitors meet it: find the slip first, then the truth; kept once, and counted nowhere."""

from typing import Any

import pytest

from app.course import Course
from app.course.reference.errata import case_item_id
from tests.web.cast import Ledger, Page, Reader, right_answer, wrong_answer
from tests.web.pages import parsed

SPOT, NUMBER, CHOICE = "log-of-rank", "zero-is-far", "always-100"
EACH_CASE = pytest.mark.parametrize("case", [SPOT, NUMBER, CHOICE])


def item(course: Course, case: str) -> Any:
    return course.items[case_item_id(case)]


def truth_is_told(page: Page) -> bool:
    """Whether the truth of a case stands on the page."""
    return bool(page.by_id("errata-truth").all("li"))


def states(page: Page) -> dict[str, str]:
    """Address → how far the case has come."""
    return {
        entry.one("a")["href"]: entry.get("class").split()[1] for entry in page.root.all("li", class_="case")
    }


def test_every_case_hangs_in_its_hall_and_can_be_opened(
    guest: Reader, course: Course, ledger: Ledger
) -> None:
    before = ledger.everything()
    page = guest.open("/errata")
    assert list(states(page)) == [f"/errata/{case}" for case in course.errata]
    assert set(states(page).values()) == {"new"}
    for case in course.errata:
        page = guest.open(f"/errata/{case}")
        assert page.root.one("h1").text == parsed(course.errata[case].title).text
        assert course.errata[case].source in page.text
        assert [link.text for link in page.root.all("a", rel="external noopener noreferrer")] == list(
            course.errata[case].links
        ), "an address can be read and copied, where it cannot be opened"
        assert not truth_is_told(page), "the learner finds it first"
    assert ledger.everything() == before, "looking records nothing"


def test_a_hall_whose_cases_have_no_thread_says_so(guest: Reader, course: Course) -> None:
    without_thread = {case.hall for case in course.errata.values() if not case.links}
    page = guest.open("/errata")
    assert without_thread == {"print"}
    assert "这一厅没有原帖" in page.by_id("hall-print").text


@EACH_CASE
def test_the_right_answer_brings_the_truth(guest: Reader, course: Course, ledger: Ledger, case: str) -> None:
    guest.open(f"/errata/{case}")
    page = guest.answer(case_item_id(case), *right_answer(item(course, case)))
    assert page.path == f"/errata/{case}"
    assert "一次就对" in page.item(case_item_id(case)).text
    lines = page.by_id("errata-truth").all("li")
    assert [line.text for line in lines] == [
        parsed(course.html(line)).text for line in course.errata[case].truth
    ]
    assert parsed(course.html(course.errata[case].keep)).text in page.by_id("errata-truth").text
    assert ledger.rows("SELECT source, ref FROM attempt") == [("practice", f"content:{case_item_id(case)}")]
    assert states(guest.open("/errata"))[f"/errata/{case}"] == "done"


def test_what_followed_is_told_with_the_truth(guest: Reader, course: Course) -> None:
    followed = parsed(course.html(course.errata[CHOICE].followed or "")).text
    assert followed
    assert followed not in guest.open(f"/errata/{CHOICE}").text
    page = guest.answer(case_item_id(CHOICE), *right_answer(item(course, CHOICE)))
    assert followed in page.by_id("errata-truth").text


def test_a_case_that_a_lesson_tells_is_folded_away_and_says_so(guest: Reader, course: Course) -> None:
    folded = guest.open("/errata").root.one("details", class_="told-cases")
    names = [name for name, case in course.errata.items() if case.told_in]
    assert [link["href"] for link in folded.all("a")] == [f"/errata/{name}" for name in names]
    assert f"{len(names)}案" in folded.one("summary").text
    assert "课里也讲过：第6阶段“成都旅游攻略：分母藏在哪”。" in guest.open("/errata/guide-a-and-b").text
    assert "课里也讲过" not in guest.open(f"/errata/{CHOICE}").text


@EACH_CASE
def test_a_wrong_answer_leaves_the_case_open(guest: Reader, course: Course, case: str) -> None:
    guest.open(f"/errata/{case}")
    page = guest.answer(case_item_id(case), *wrong_answer(item(course, case)))
    assert page.item(case_item_id(case)).all("div", class_="puzzled")
    assert not truth_is_told(page)
    assert states(guest.open("/errata"))[f"/errata/{case}"] == "begun"
    guest.open(f"/errata/{case}")
    page = guest.answer(case_item_id(case), *right_answer(item(course, case)))
    assert "改对了" in page.item(case_item_id(case)).text
    assert truth_is_told(page)


@EACH_CASE
def test_the_fragment_brings_the_same_truth_as_the_page(guest: Reader, course: Course, case: str) -> None:
    guest.open(f"/errata/{case}")
    form = guest.page.answering(case_item_id(case))
    fragment = guest.submit(form, htmx=True, answer=list(right_answer(item(course, case))))
    truth = fragment.by_id("errata-truth")
    assert truth["data-hx-swap-oob"] == "true"
    del truth.attributes["data-hx-swap-oob"]
    page = guest.open(f"/errata/{case}")
    assert page.by_id("errata-truth").html == truth.html
    assert page.item(case_item_id(case)).html == fragment.item(case_item_id(case)).html


def test_the_answer_shown_tells_all(guest: Reader) -> None:
    guest.open(f"/errata/{SPOT}")
    page = guest.submit(guest.page.answering(case_item_id(SPOT)), "提示")
    page = guest.submit(page.answering(case_item_id(SPOT)), "看答案")
    assert page.item(case_item_id(SPOT)).one("li", class_="slip")
    assert truth_is_told(page)


def test_hints_stay_on_the_case(guest: Reader, course: Course) -> None:
    guest.open(f"/errata/{SPOT}")
    page = guest.submit(guest.page.answering(case_item_id(SPOT)), "提示")
    assert page.path.startswith(f"/errata/{SPOT}")
    assert parsed(course.html(item(course, SPOT).hints[0])).text in page.item(case_item_id(SPOT)).text
    assert not truth_is_told(page)


def test_what_cannot_be_read_costs_nothing(guest: Reader, ledger: Ledger) -> None:
    guest.open(f"/errata/{NUMBER}")
    fragment = guest.submit(
        guest.page.answering(case_item_id(NUMBER)), htmx=True, status=422, answer="不知道"
    )
    page = guest.submit(guest.page.answering(case_item_id(NUMBER)), answer="不知道")
    for response in (fragment, page):
        assert response.by_id(f"item-{case_item_id(NUMBER)}-error").text
        assert not truth_is_told(response)
    assert ledger.count("learner") == 0


def test_a_case_counts_for_nothing_in_the_lessons(guest: Reader, course: Course) -> None:
    guest.open(f"/errata/{CHOICE}")
    guest.answer(case_item_id(CHOICE), *wrong_answer(item(course, CHOICE)))
    assert not guest.open("/progress").root.all("p", class_="tally")


def test_one_s_answers_lead_back_to_the_case(guest: Reader, course: Course, ledger: Ledger) -> None:
    guest.open(f"/errata/{CHOICE}")
    guest.answer(case_item_id(CHOICE), *wrong_answer(item(course, CHOICE)))
    [(attempt,)] = ledger.rows("SELECT id FROM attempt")
    page = guest.open(f"/attempts/{attempt}")
    assert page.root.one("p", class_="crumb").one("a")["href"] == f"/errata/{CHOICE}"
    page = guest.answer(case_item_id(CHOICE), *right_answer(item(course, CHOICE)), htmx=True)
    assert not page.has("errata-truth"), "there is no place for it on that page"


def test_a_stranger_sees_nothing_of_it(guest: Reader, other_guest: Reader, course: Course) -> None:
    guest.open(f"/errata/{SPOT}")
    guest.answer(case_item_id(SPOT), *right_answer(item(course, SPOT)))
    assert not truth_is_told(other_guest.open(f"/errata/{SPOT}"))
    assert set(states(other_guest.open("/errata")).values()) == {"new"}


def test_the_cases_stand_in_a_row(guest: Reader, course: Course) -> None:
    first, second, *_ = course.errata
    page = guest.open(f"/errata/{first}")
    assert [link["href"] for link in page.root.one("nav", class_="case-nav").all("a")] == [
        "/errata",
        f"/errata/{second}",
    ]


@pytest.mark.parametrize("path", ["/errata/no-such-case", "/errata/no-such-case/x"])
def test_a_case_that_is_not_there(guest: Reader, path: str) -> None:
    assert guest.client.get(path).status_code == 404
    answer = guest.post("/errata/no-such-case/responses", [("item", case_item_id(SPOT)), ("answer", "x")])
    assert answer.status_code == 404


@pytest.mark.parametrize("path", ["/course", "/examples"])
def test_the_way_there(guest: Reader, path: str) -> None:
    assert guest.open(path).root.one("main").one("a", href="/errata")


def test_the_five_sources_lead_to_every_case_that_was_printed(guest: Reader, course: Course) -> None:
    """Each with what it tells well; none of their cases is left out, and one source has none."""
    page = guest.open("/sources")
    sections = {section.one("h2").text: section for section in page.main.all("section", class_="told-source")}
    assert len(sections) == 5
    for case_id, case in course.errata.items():
        if case.hall == "print":
            assert sections[case.source].all("a", href=f"/errata/{case_id}")
    assert [name for name, section in sections.items() if not section.all("a")] == ["口红博文"]
    assert all("讲得好的" in section.text for section in sections.values())
    assert guest.open("/errata").main.all("a", href="/sources")


def test_the_papers_of_the_lessons_are_listed_with_what_was_read(guest: Reader) -> None:
    papers = guest.open("/sources").by_id("papers").all("li")
    [paper] = [paper for paper in papers if "Krichene、Rendle 2020，KDD" in paper.text]
    assert "读的是摘要和引言" in paper.text
    assert "读的是摘要和引言" in guest.open(paper.one("a")["href"]).text
