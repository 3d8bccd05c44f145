"""Search: found by name, by mention, in any width and case; and what is asked is never found."""

from dataclasses import replace

from app.course import Course
from app.course.search.searching import search_course, search_entries_of, search_targets
from tests.published import published
from tests.tables import each
from tests.web.cast import Ledger, Reader

COURSE = published()


@each(
    ("text", "kind", "id"),
    [
        ("折损", "term", "discount"),
        ("ndcg", "term", "ndcg"),
        ("ＮＤＣＧ", "term", "ndcg"),
        ("NORMALISED", "term", "ndcg"),
        ("两个系统", "section", "concepts/which-is-better"),
        ("成都美食", "example", "chengdu-food"),
        ("zs", "term", "discount"),
        ("ＺＳ", "term", "discount"),
        ("lgxt", "section", "concepts/which-is-better"),
    ],
)
def test_what_is_called_so_comes_first(text: str, kind: str, id: str) -> None:  # noqa: A002
    first = next(target for target in search_course(COURSE, text) if target.kind == kind)
    assert first.id == id


@each(
    "text",
    [
        "sklearn LightGBM ndcg 不一样",
        "sklearn ndcg_score",
        "ndcg_score",
        "为什么NDCG对不上",
        "两个库 算出来不一样",
        "对账",
    ],
)
def test_who_asks_why_two_libraries_differ_finds_the_workbench(text: str) -> None:
    assert "tool" in {target.kind for target in search_course(COURSE, text)}


def test_the_workbench_is_not_called_ndcg(guest: Reader) -> None:
    assert search_course(COURSE, "NDCG")[0].kind != "tool"
    page = guest.open("/search?q=没有这样的词")
    assert "两个NDCG对不上？" in page.text
    assert "/workbench" in {link["href"] for link in page.main.all("a")}


@each("text", ["", "   ", "没有这样的词", "\u0000", "折损 没有这样的词", "zsx", "折s"])
def test_what_is_not_there_is_not_found(text: str) -> None:
    assert list(search_course(COURSE, text)) == []


def test_texts_are_folded_once_and_letters_made_for_who_types_letters() -> None:
    course = replace(COURSE, digest="searched for the first time")
    search_course(course, "折损")
    search_course(course, "没有这样的词")
    entries = search_entries_of(course)
    assert len(entries) > 200
    assert not any("title_initials" in vars(entry) for entry in entries)
    search_course(course, "zs")
    assert sum("title_initials" in vars(entry) for entry in entries) > 200
    assert search_entries_of(course) is entries
    assert search_entries_of(COURSE) is not entries, "another course has other places"


def test_every_word_must_occur() -> None:
    both = search_course(COURSE, "理想 排序")
    assert both
    for target in both:
        whole = target.title + target.other_words
        assert "理想" in whole
        assert "排序" in whole


def test_what_mentions_it_comes_after_what_is_called_so() -> None:
    titles = ["增益" in target.title for target in search_course(COURSE, "增益")]
    assert titles == sorted(titles, reverse=True)


def test_no_item_is_a_place() -> None:
    """Nor do the words of an item lead anywhere: it may be asked in a running assignment."""
    kinds = {target.kind for target in search_targets(COURSE)}
    assert kinds == {"term", "section", "skill", "exercise", "example", "case", "tool"}
    stems = [item.stem for item in COURSE.items.values()]
    assert not any(target.other_words and target.other_words in stems for target in search_targets(COURSE))


def test_every_place_is_there(guest: Reader) -> None:
    """Each kind once; what an address names after # stands on its page."""
    for text in ("折损", "两个系统", "成都", "NDCG"):
        page = guest.open(f"/search?q={text}")
        for group in page.main.all("section", class_="found"):
            link = group.all("a")[0]["href"]
            path, _, fragment = link.partition("#")
            target = guest.open(path)
            if fragment:
                assert target.by_id(fragment)


def test_the_page_says_what_it_found_and_keeps_nothing(guest: Reader, ledger: Ledger) -> None:
    page = guest.open("/search")
    assert page.main.one("form", class_="search")["action"] == "/search"
    page = guest.open("/search?q=折损")
    assert page.main.one("input", id="q")["value"] == "折损"
    assert "处。" in page.text
    page = guest.open("/search?q=" + "<b>" * 200)
    assert "没找到“<b>" in page.text
    assert ledger.count("learner") == 0


def test_a_term_alone_is_a_note_for_scripts_and_a_place_in_the_glossary_for_others(
    guest: Reader, course: Course
) -> None:
    entry = course.glossary[0]
    assert (
        guest.client.get(f"/glossary/{entry.id}", follow_redirects=False)
        .headers["location"]
        .endswith(f"/glossary#{entry.id}")
    )
    note = guest.client.get(f"/glossary/{entry.id}", headers={"HX-Request": "true"}).text
    assert entry.zh in note
    assert "<html" not in note
    guest.open("/glossary/nothing", status=404)
