"""Own content stays its writer's: whoever helps in a class picks from the course and from what they wrote."""

import pytest

from tests.web.assignments.drafting import press
from tests.web.assignments.own_models import MODELS, NAMESAKE
from tests.web.authoring.own_texts import write
from tests.web.cast import Page
from tests.web.taught import Term, new_helper

SECTION = """\
sections:
  unready:
    title: 还没讲的一节
    steps:
      - {kind: say, text: 先别给人看。}
"""


def draft_of_own(term: Term) -> str:
    """A draft with one of the two items that 王 wrote."""
    write(term.teacher, MODELS)
    assignment_url = term.draft()
    fields = [("kind", "item"), ("ref", "own-1:saturation"), ("points", "2")]
    assert term.teacher.post(f"{assignment_url}/parts", fields).status_code == 200
    return assignment_url


def refs_of_parts(term: Term) -> list[str]:
    return [ref for (ref,) in term.ledger.rows("SELECT ref FROM assignment_part ORDER BY position")]


@pytest.mark.parametrize("role", ["reader", "assistant"])
def test_whoever_may_not_teach_sees_the_questions_and_picks_none(term: Term, role: str) -> None:
    assignment_url = draft_of_own(term)
    helper = new_helper(term, role)
    assert "k1管的是什么" in helper.open(assignment_url).by_id("parts").text
    for address in (f"{assignment_url}/items", f"{assignment_url}/items?skill=own-1:bm25"):
        page = helper.open(address, status=403)
        assert "词频越高" not in page.main.text


def test_a_co_teacher_is_offered_the_course_and_what_they_wrote(term: Term) -> None:
    assignment_url = draft_of_own(term)
    helper = new_helper(term, "co-teacher")
    write(helper, NAMESAKE)
    links = helper.open(f"{assignment_url}/items").by_id("skill")
    titles = [group["label"] for group in links.all("optgroup")]
    assert "另一份" in titles
    assert "检索模型" not in titles
    helper.open(f"{assignment_url}/items?skill=own-2:bm25")
    helper.open(f"{assignment_url}/items?skill=own-1:bm25", status=404)
    assert "k1管的是什么" in helper.open(f"{assignment_url}/preview").main.text


def test_exercises_of_a_skill_stand_there_once(term: Term) -> None:
    """What one wrote knows the exercises of the course; they are no exercises of its own."""
    assignment_url = draft_of_own(term)
    page = term.teacher.open(f"{assignment_url}/items?skill=dcg")
    exercise_refs = [option["value"] for option in page.by_id("twin-ref").all("option")]
    assert "content:dcg" in exercise_refs
    assert not [ref for ref in exercise_refs if ref.startswith("own-")]
    fields = [("kind", "practice"), ("ref", "own-1:dcg"), ("level", "1"), ("points", "2")]
    assert term.teacher.post(f"{assignment_url}/parts", fields).status_code == 422
    assert refs_of_parts(term) == ["own-1:saturation"]


def test_a_co_teacher_is_offered_no_sections_of_others(term: Term) -> None:
    write(term.teacher, MODELS + SECTION)
    assignment_url = term.draft()
    fields = [("kind", "item"), ("ref", "own-1:saturation"), ("points", "2")]
    term.teacher.post(f"{assignment_url}/parts", fields)
    assert "还没讲的一节" in term.teacher.open(assignment_url).by_id("section-ref").text
    assert "还没讲的一节" not in new_helper(term, "co-teacher").open(assignment_url).by_id("section-ref").text


def test_a_co_teacher_swaps_in_nothing_that_another_wrote(term: Term) -> None:
    assignment_url = draft_of_own(term)
    helper = new_helper(term, "co-teacher")
    answer = helper.post(f"{assignment_url}/parts/1/swaps", [])
    assert answer.status_code == 422
    assert "你自己写的内容里都没有别的题" in Page(answer).by_id("parts").text
    assert refs_of_parts(term) == ["own-1:saturation"]
    press(term, term.teacher.open(assignment_url), f"{assignment_url}/parts/1/swaps")
    assert refs_of_parts(term) == ["own-1:weight"]


def test_of_a_point_of_the_course_a_co_teacher_swaps_in_an_item_of_the_course(term: Term) -> None:
    write(term.teacher, MODELS.replace("skill: bm25\n", "skill: dcg\n"))
    assignment_url = term.draft()
    fields = [("kind", "item"), ("ref", "own-1:weight"), ("points", "2")]
    term.teacher.post(f"{assignment_url}/parts", fields)
    assert new_helper(term, "co-teacher").post(f"{assignment_url}/parts/1/swaps", []).status_code == 200
    [ref] = refs_of_parts(term)
    assert ref.startswith("content:")


@pytest.mark.parametrize("role", ["co-teacher", "reader"])
def test_whoever_did_not_write_it_looks_at_it_in_the_assignment(term: Term, role: str) -> None:
    write(term.teacher, MODELS + SECTION)
    assignment_url = term.draft()
    for kind, name in (("item", "saturation"), ("section", "own/unready")):
        fields = [("kind", kind), ("ref", f"own-1:{name}"), ("points", "2"), ("count", "1")]
        assert term.teacher.post(f"{assignment_url}/parts", fields).status_code == 200
    helper = new_helper(term, role)
    links = helper.open(assignment_url).by_id("parts").all("a")
    look_urls = [link["href"] for link in links if link.text == "打开看看"]
    assert look_urls == [f"{assignment_url}/preview?question=1"]
    assert "k1管的是什么" in helper.open(look_urls[0]).main.text
    author_links = term.teacher.open(assignment_url).by_id("parts").all("a")
    for link in author_links:
        if link.text == "打开看看":
            term.teacher.open(link["href"])
    assert [link.text for link in author_links].count("打开看看") == 2
