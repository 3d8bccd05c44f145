"""A class of more than anybody reads at once: pages, folded columns, names in a line; ways to the rest."""

import pytest

from app.settings import Settings
from app.web.site import clock
from tests.records.term import Term, term
from tests.web.cast import Reader
from tests.web.school import new_class

STUDENTS, ASSIGNMENTS = 150, 40
ITEM = "content:practice-dcg-2"


@pytest.fixture
def class_url(teacher: Reader, settings: Settings) -> str:
    """Everybody has answered one question wrongly, the first student ten of them."""
    classroom = new_class(teacher, "全年级")
    with term(settings.database_url, classroom, clock.now()) as write:
        fill(write)
    return f"/classrooms/{classroom}"


def fill(write: Term) -> None:
    for number in range(ASSIGNMENTS):
        write.assignment([("practice", "content:dcg", 2, 1)], title=f"第{number}份")
    for number in range(STUDENTS):
        place = write.student(f"同学{number:03}")
        attempt = write.practise(place, f"{ITEM}-{number}", -60)
        write.answer(attempt, ITEM, -50, misconception="natural_log")


def names(teacher: Reader, path: str) -> list[str]:
    rows = teacher.open(path).main.one("table", class_="heat-table").one("tbody").all("tr")
    return [row.one("a").text for row in rows]


def test_students_come_page_by_page_and_the_sums_are_of_all(teacher: Reader, class_url: str) -> None:
    first = names(teacher, class_url)
    assert (len(first), first[0]) == (60, "同学000")
    pages = [names(teacher, f"{class_url}?page={number}") for number in (1, 2, 3)]
    assert [name for page in pages for name in page] == [f"同学{number:03}" for number in range(STUDENTS)]
    for text in ("99", "1000000000"):
        assert names(teacher, f"{class_url}?page={text}") == pages[-1], "no page beyond the last"
    for text in ("0", "-1", "x", ""):
        assert names(teacher, f"{class_url}?page={text}") == pages[0]
    page = teacher.open(f"{class_url}?page=2").main
    links = [link["href"] for link in page.one("nav", **{"aria-label": "翻页"}).all("a")]
    assert links == ["?page=1", "?page=3"]
    assert "0/150" in page.one("tfoot").text


def test_a_large_gradebook_folds_what_is_long_past(teacher: Reader, class_url: str) -> None:
    page = teacher.open(f"{class_url}/gradebook").main
    heads = page.one("thead").all("th", class_="work")
    assert len(heads) == 16
    assert "第39份" in heads[-1].text
    assert [len(row.all("td")) for row in page.one("tbody").all("tr")] == [2 + 16] * STUDENTS
    assert "得分率照全部40份算" in page.text
    [link] = [link["href"] for link in page.all("a") if "更早的24份" in link.text]
    whole = teacher.open(f"{class_url}/gradebook{link}").main
    assert len(whole.one("thead").all("th", class_="work")) == ASSIGNMENTS
    first_link = whole.one("thead").all("a")[0]
    assert first_link["href"] == "?sort=name&columns=all#sorted", "stays open while one sorts"


def test_a_gradebook_that_is_sorted_by_what_is_folded_shows_it(teacher: Reader, class_url: str) -> None:
    whole = teacher.open(f"{class_url}/gradebook?columns=all").main
    oldest = whole.one("thead").all("th", class_="work")[0].one("a")["href"]
    page = teacher.open(f"{class_url}/gradebook{oldest.removesuffix('&columns=all')}").main
    assert len(page.one("thead").all("th", class_="work")) == ASSIGNMENTS


def test_of_a_mistake_that_all_make_the_first_names_lead_on(teacher: Reader, class_url: str) -> None:
    chips = (
        teacher.open(f"{class_url}/mistakes")
        .main.one("article", class_="mistake")
        .one("div", class_="mistake-more")
    )
    assert len(chips.all("li")) == 40
    assert "还有110位：同学040、同学041" in chips.text


def test_a_page_of_a_large_class_is_no_forest(teacher: Reader, class_url: str) -> None:
    for suffix, most in (("", 8000), ("/gradebook", 8000), ("/mistakes", 1500), ("/items", 1500)):
        html = teacher.client.get(f"{class_url}{suffix}").text
        assert html.count("<") - html.count("</") < most, suffix
