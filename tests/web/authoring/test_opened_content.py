"""Own content as those walk through it who were given a part: cards alone, examples, twins that are asked."""

from tests.web.assignments.drafting import FUTURE, draft_of_own_cards
from tests.web.authoring.own_texts import write
from tests.web.cast import HTMX, Reader, browser
from tests.web.taught import Term

WITH_CARDS = """\
title: 有卡片的课
skill: dcg
examples:
  e1:
    title: 早饭
    query: 早饭
    documents:
      - {title: 包子, grade: 3}
      - {title: 豆浆, grade: 1}
  e2:
    title: 晚饭
    query: 晚饭
    documents:
      - {title: 火锅, grade: 3}
      - {title: 米饭, grade: 1}
cards:
  c1: {front: 糖, back: 甜}
items:
  s1: {stem: 越甜越靠前，对吗？, answer: true}
sections:
  first:
    title: 先学
    steps:
      - say: 早饭的DCG是{{ e1.dcg | 2 }}。
      - example: e2
      - ask: s1
      - cards: [c1]
  second:
    title: 再学
    steps:
      - example: e1
"""
TWINS = """\
title: 小测
skill: dcg
items:
  s1: {stem: 越甜越靠前，对吗？, answer: true}
  s3: {stem: 考试的题，对吗？, answer: false}
sections:
  first:
    title: 先学
    steps:
      - say: 看。
      - ask: s1
"""
REVEALS_OF_STEP = "examples/e2/reveals?step=own.first.step-2"


def given(term: Term, text: str, kind: str, name: str) -> str:
    """The address of own content of which 小糖 was given this part."""
    own = write(term.teacher, text)
    add_part(term, term.draft(), own, kind, name)
    term.publish(term.teacher.page.path)
    return own


def add_part(term: Term, assignment_url: str, own: str, kind: str, name: str) -> None:
    ref = f"own-{own.rpartition('/')[2]}:{name}"
    fields = [("kind", kind), ("ref", ref), ("points", "1"), ("count", "1")]
    assert term.teacher.post(f"{assignment_url}/parts", fields).status_code == 200


def opening_status(reader: Reader, url: str, position: str) -> int:
    return reader.client.post(url, data={"position": position}, headers=HTMX).status_code


def test_cards_open_their_section_with_its_example_and_without_its_questions(term: Term) -> None:
    own = write(term.teacher, WITH_CARDS)
    term.publish(draft_of_own_cards(term))
    page = term.student.open(f"{own}/lessons/first?step=4")
    assert "这道题没有布置给你" in page.text
    assert "正在一份作业里考" not in page.text, "no assignment asks it"
    assert "越甜越靠前，对吗" not in page.text
    http_response = term.student.client.post(
        f"{own}/{REVEALS_OF_STEP}", data={"position": "all"}, headers=HTMX
    )
    assert http_response.status_code == 200
    assert "换你" in http_response.text
    assert "换你" in term.student.open(f"{own}/lessons/first?step=4").text


def test_an_example_opens_where_a_section_that_is_open_shows_it(term: Term) -> None:
    own = given(term, WITH_CARDS, "section", "own/first")
    for position in ("1", "all"):
        assert opening_status(term.student, f"{own}/{REVEALS_OF_STEP}", position) == 200
        assert opening_status(term.student, f"{own}/examples/e1/reveals", position) == 404
    assert opening_status(term.student, f"{own}/examples/e1/rounds", "") == 404
    assert "3.63" in term.student.open(f"{own}/lessons/first").text, "its figure in a text that is open"
    assert opening_status(term.teacher, f"{own}/examples/e1/reveals", "1") == 200


def test_what_a_test_asks_stays_closed_when_it_becomes_a_twin(term: Term) -> None:
    own = given(term, TWINS, "section", "own/first")
    assignment_url = term.draft(title="考试")
    add_part(term, assignment_url, own, "item", "s3")
    term.set_up(assignment_url, answers="never", due=FUTURE)
    term.publish(assignment_url)
    assert "越甜越靠前，对吗" in term.student.open(f"{own}/lessons/first?step=2").text
    with_twin = TWINS.replace("answer: true}", "answer: true, twin: s3}")
    term.teacher.submit(term.teacher.open(own).form(own, "存"), text=with_twin)
    term.student.open(f"{own}/items/s3", status=404)
    for item_id in ("s1", "s3"):
        for move in ("responses", "solutions"):
            fields = [("item", item_id), ("try", "1"), ("answer", "false")]
            assert term.student.post(f"{own}/{move}", fields).status_code == 404
    page = term.student.open(f"{own}/lessons/first?step=2")
    assert "正在一份作业里考" in page.text
    assert "考试的题" not in page.text


def test_a_section_without_what_a_test_closes_can_be_finished(term: Term) -> None:
    """Also where the test asks the twin of its question, which is closed with it."""
    own = write(term.teacher, TWINS.replace("answer: true}", "answer: true, twin: s3}"))
    test_url = term.draft(title="考试")
    add_part(term, test_url, own, "item", "s3")
    term.set_up(test_url, answers="never", due=FUTURE)
    term.publish(test_url)
    lesson_url = term.draft(title="学")
    add_part(term, lesson_url, own, "section", "own/first")
    path = term.publish(lesson_url)
    for step in ("", "?step=2"):
        term.student.open(f"{own}/lessons/first{step}")
        term.student.go_on()
    page = term.student.open(path)
    assert "完成了" in page.main.text
    assert "还没做" not in page.main.text


def test_a_guest_whose_link_was_taken_back_is_not_sent_to_sign_in(term: Term) -> None:
    own = write(term.teacher, WITH_CARDS)
    page = term.teacher.submit(term.teacher.open(own).form(f"{own}/shares", "开"))
    link = page.main.one("p", class_="own-link").one("a")["href"]
    guest = browser(term.client)
    guest.open(f"{link}/lessons/first")
    term.teacher.submit(term.teacher.open(own).form(f"{own}/shares", "收回"))
    page = guest.open(f"{link}/lessons/first", status=404)
    assert "没有这一课" in page.main.text
    assert "没认出你是谁" not in page.main.text
    assert "没认出你是谁" in guest.open(f"{own}/lessons/first", status=404).main.text


def test_answers_in_own_content_are_not_said_to_be_none(term: Term) -> None:
    own = given(term, TWINS, "section", "own/first")
    term.student.open(f"{own}/lessons/first")
    term.student.go_on()
    attempt_address = "/attempts/1"
    term.student.open(f"{own}/lessons/first?step=2")
    term.student.answer("s1", "true")
    assert "题目下面就是你的回答" in term.student.open(attempt_address).main.text
