"""Forged posts and pages beside: no way to points, and none to the answer, around the assignment itself."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.course import Course
from tests.web.assignments.drafting import FUTURE, NUMERIC, learn
from tests.web.authoring.own_texts import write
from tests.web.cast import browser, right_answer, wrong_answer
from tests.web.taught import Term

Fields = list[tuple[str, str]]
TESTED = """\
title: 小测
skill: dcg
items:
  s1:
    stem: 越甜越靠前，对吗？
    answer: true
  s2:
    stem: 第一名打折，对吗？
    answer: false
sections:
  first:
    title: 先学
    steps:
      - say: 先看一眼。
      - ask: s1
      - say: 看完了。
  second:
    title: 再学
    steps:
      - ask: s2
"""


def own_test(term: Term, *parts: tuple[str, str], **wishes: Any) -> tuple[str, str, str]:
    """The paths of own content, of an assignment of parts of it, and of a student to that."""
    own = write(term.teacher, TESTED)
    prefix = f"own-{own.rpartition('/')[2]}"
    assignment_url = term.draft()
    for kind, name in parts:
        fields = [("kind", kind), ("ref", f"{prefix}:{name}"), ("points", "2"), ("count", "1")]
        assert term.teacher.post(f"{assignment_url}/parts", fields).status_code == 200
    if wishes:
        term.set_up(assignment_url, **wishes)
    return own, assignment_url, term.publish(assignment_url)


@pytest.mark.parametrize("answers", ["handed_in", "due", "never", "at_once"])
def test_a_question_of_own_content_opens_nowhere_else_before_its_results(term: Term, answers: str) -> None:
    own, assignment_url, path = own_test(term, ("item", "s1"), answers=answers, due=FUTURE)
    for page in ("", "/items/s1", "/items/s2", "/lessons/first", "/lessons/second"):
        term.student.open(f"{own}{page}", status=404)
    for item in ("s1", "s2"):
        for move in ("responses", "hints", "solutions", "orderings"):
            fields = [("item", item), ("try", "1"), ("hint", "1"), ("answer", "true")]
            assert term.student.post(f"{own}/{move}", fields).status_code == 404
    term.begin(path)
    term.answer(path, 1, ["true"])
    term.hand_in(path)
    out = answers in ("handed_in", "at_once")
    term.student.open(f"{own}/items/s1", status=200 if out else 404)
    term.student.open(f"{own}/items/s2", status=404)
    term.teacher.open(assignment_url)
    term.teacher.submit(term.teacher.page.form(f"{assignment_url}/collections"))
    term.student.open(f"{own}/items/s1", status=404 if answers == "never" else 200)


def test_an_assigned_section_opens_without_what_a_test_asks(term: Term) -> None:
    own, _here, _path = own_test(term, ("section", "own/first"), ("item", "s1"), answers="never", due=FUTURE)
    page = term.student.open(f"{own}/lessons/first?step=3")
    assert "正在一份作业里考" in page.text
    assert "越甜越靠前，对吗" not in page.text
    assert "看完了" in page.text
    assert "再学" not in term.student.open(own).text
    term.student.open(f"{own}/lessons/second", status=404)
    term.student.open(f"{own}/items/s1", status=404)
    assert term.teacher.open(f"{own}/lessons/first?step=3").text.count("越甜越靠前，对吗"), "for its teacher"


def test_the_link_opens_all_but_what_a_test_asks(term: Term, client: TestClient) -> None:
    own, assignment_url, _path = own_test(term, ("item", "s1"), answers="never")
    page = term.teacher.submit(term.teacher.open(own).form(f"{own}/shares", "开"))
    link = page.main.one("p", class_="own-link").one("a")["href"]
    stranger = browser(client)
    for reader in (term.student, stranger):
        reader.open(f"{link}/items/s1", status=404)
        reader.open(f"{link}/items/s2")
        assert "越甜越靠前，对吗" not in reader.open(f"{link}/lessons/first?step=3").text
    term.teacher.open(assignment_url)
    term.teacher.submit(term.teacher.page.form(f"{assignment_url}/collections"))
    stranger.open(f"{link}/items/s1")
    term.student.open(f"{link}/items/s1", status=404)


def test_the_picker_says_what_is_public_and_offers_a_drawn_twin(term: Term, course: Course) -> None:
    """Own content is not public; a knowledge point without an exercise has no twin."""
    write(term.teacher, TESTED)
    assignment_url = term.draft()
    page = term.teacher.open(f"{assignment_url}/items?skill=dcg")
    notes = [paragraph.text for paragraph in page.main.all("p", class_="section-note")]
    public = [note for note in notes if "公开" in note]
    assert 0 < len(public) == len(notes) - 2
    assert page.main.text.count("同学在课文里能看到，连同解法") == 1, "what that means, for all of them"
    name, exercise = next(pair for pair in course.exercises.items() if pair[1].skill == "dcg")
    page = term.teacher.submit(page.form(f"{assignment_url}/parts", "加出题器"), count="2")
    assert exercise.title in page.by_id("parts").text
    assert term.ledger.rows("SELECT kind, ref, count FROM assignment_part") == [
        ("practice", course.ref(name), 2)
    ]
    drawn = {paragraph.skill for paragraph in course.exercises.values()}
    bare = next(item.skill for item in course.items.values() if item.skill not in drawn)
    assert not term.teacher.open(f"{assignment_url}/items?skill={bare}").has("twins-title")


# What is done in the questions.


def try_again(term: Term, path: str, right: Fields) -> None:
    """The same try once more, the next one, and one far ahead."""
    for number in ("1", "2", "9", "-1"):
        term.student.post(f"{path}/questions/1/responses", [("sitting", "1"), ("try", number), *right])


def save_it(term: Term, path: str, right: Fields) -> None:
    """As a draft, where answers are marked at once."""
    term.student.post(f"{path}/questions/1/drafts", [("sitting", "1"), *right])


def go_around(term: Term, path: str, right: Fields) -> None:
    """By the pages that mark what is practised."""
    [(attempt,)] = term.ledger.rows("SELECT id FROM attempt WHERE source = 'assignment'")
    item = f"content:{NUMERIC}#1"
    for name in (NUMERIC, item):
        for move in ("responses", "solutions", "hints"):
            fields = [("item", name), ("try", "2"), ("hint", "1"), ("seed", "1"), *right]
            term.student.post(f"/attempts/{attempt}/{move}", fields)


def use_another_sitting(term: Term, path: str, right: Fields) -> None:
    """An attempt that was never begun."""
    for sitting in ("0", "2", "99"):
        fields = [("sitting", sitting), ("try", "1"), *right]
        term.student.post(f"{path}/questions/1/responses", fields)
        term.student.post(f"{path}/hand-ins", [("sitting", sitting)])


def say_the_points(term: Term, path: str, right: Fields) -> None:
    """With the mark in the form."""
    marks = [("points", "99"), ("score", "1"), ("verdict", "right"), ("factor", "9"), ("parts", '{"1": 99}')]
    fields = [("sitting", "1"), ("try", "2"), *marks, *right]
    term.student.post(f"{path}/questions/1/responses", fields)
    term.student.post(f"{path}/hand-ins", [("sitting", "1"), *marks])


def answer_after_it(term: Term, path: str, right: Fields) -> None:
    """When it is handed in."""
    term.student.post(f"{path}/hand-ins", [("sitting", "1")])
    try_again(term, path, right)
    save_it(term, path, right)


@pytest.mark.parametrize("answers", ["at_once", "handed_in"])
@pytest.mark.parametrize(
    "forged", [try_again, save_it, go_around, use_another_sitting, say_the_points, answer_after_it]
)
def test_a_wrong_answer_stays_one_whatever_is_posted(
    term: Term, course: Course, forged: Callable[[Term, str, Fields], None], answers: str
) -> None:
    """Where answers are saved until the hand-in, another one may take its place before it, and only so."""
    assignment_url = term.draft(NUMERIC)
    term.set_up(assignment_url, answers=answers, tries="1")
    path = term.publish(assignment_url)
    term.begin(path)
    term.answer(path, 1, wrong_answer(course.items[NUMERIC]))
    right = [("answer", text) for text in right_answer(course.items[NUMERIC])]
    forged(term, path, right)
    term.student.post(f"{path}/hand-ins", [("sitting", "1")])
    may_replace = answers == "handed_in" and forged in (try_again, save_it, say_the_points)
    assert term.ledger.rows("SELECT points, total FROM submission") == [(2.0 if may_replace else 0.0, 2.0)]


# What is done outside of the questions.


def outside(term: Term, course: Course) -> tuple[str, str, str]:
    """An assignment of a section with questions, of cards and of a game, 5 points each: its path, the path of
    the section, and the id of the stage."""
    stage, section = next(
        (stage, section)
        for stage in course.stages
        for section in stage.lesson_sections
        if course.refs_asked_in_section(stage.id, section.id)
    )
    assignment_url = term.draft()
    for kind, ref, count in (
        ("section", f"content:{stage.id}/{section.id}", 1),
        ("cards", f"content:{stage.id}", 3),
        ("game", "duel", 1),
    ):
        fields = [("kind", kind), ("ref", ref), ("points", "5"), ("count", str(count))]
        assert term.teacher.post(f"{assignment_url}/parts", fields).status_code == 200
    path = term.publish(assignment_url)
    term.begin(path)
    return path, f"/lessons/{stage.id}/{section.id}", stage.id


Forger = Callable[[Term, str, str, Course], None]


def points_of(term: Term, path: str) -> dict[str, float]:
    """What each kind of part earned, once it is handed in."""
    term.hand_in(path)
    [(points,)] = term.ledger.rows("SELECT parts FROM submission")
    kinds = dict(term.ledger.rows("SELECT id, kind FROM assignment_part"))
    return {kinds[int(part_id)]: earned for part_id, earned in json.loads(points).items()}


def jump(term: Term, section: str, _stage: str, _course: Course) -> None:
    """One post beyond the last step, or anywhere."""
    for step in ("9999", "999999999999", "-1", "一"):
        term.student.post(f"{section}/places", [("step", step)])


def walk(term: Term, section: str, _stage: str, _course: Course) -> None:
    """Every step in order, and no question answered."""
    for step in range(2, 12):
        term.student.post(f"{section}/places", [("step", str(step))])


def rate_one_card(term: Term, _section: str, stage: str, course: Course) -> None:
    """The same card ten times in a moment."""
    card = course.card_ids_by_stage_id[stage][0]
    term.student.post("/cards/collected", [("card", card)])
    for number in range(1, 11):
        term.student.post(f"/cards/{card}/reviews", [("number", str(number)), ("rating", "4")])


def end_a_game(term: Term, _section: str, _stage: str, _course: Course) -> None:
    """Say of a play that it is over."""
    for position in ("1", "2", "99"):
        for move in ("done", "won", "on", "all", "open"):
            fields = [("position", position), ("move", move), ("outcome", "done"), ("score", "99")]
            term.student.post("/games/duel/7/moves", fields)


@pytest.mark.parametrize(
    ("forged", "most"),
    [
        (jump, {"section": 0.0, "cards": 0.0, "game": 0.0}),
        (walk, {"section": 0.0, "cards": 0.0, "game": 0.0}),
        (rate_one_card, {"section": 0.0, "cards": 1.6667, "game": 0.0}),
        (end_a_game, {"section": 0.0, "cards": 0.0, "game": 0.0}),
    ],
)
def test_forged_posts_earn_nothing_that_was_not_done(
    term: Term, course: Course, forged: Forger, most: dict[str, float]
) -> None:
    path, section, stage = outside(term, course)
    forged(term, section, stage, course)
    assert points_of(term, path) == most


def test_an_assignment_from_before_takes_the_pages_at_their_word(term: Term, course: Course) -> None:
    path, section, stage = outside(term, course)
    with term.ledger.other_program() as connection:
        connection.execute("UPDATE assignment SET version = 1")
    walk(term, section, stage, course)
    rate_one_card(term, section, stage, course)
    assert points_of(term, path) == {"section": 5.0, "cards": 5.0, "game": 0.0}


def test_a_section_counts_when_its_questions_were_answered(term: Term, course: Course) -> None:
    path, section, stage = outside(term, course)
    walk(term, section, stage, course)
    assert "里面的题也都要答" in term.student.open(f"{path}/hand-in").main.text
    section_of_page = next(
        section_of_stage
        for section_of_stage in course.stages[0].sections
        if section_of_stage.id == section.rpartition("/")[2]
    )
    learn(term, course, section_of_page)
    assert points_of(term, path) == {"section": 5.0, "cards": 0.0, "game": 0.0}


def test_three_new_cards_are_three_reviews(term: Term, course: Course) -> None:
    path, _section, stage = outside(term, course)
    for card in course.card_ids_by_stage_id[stage][:3]:
        term.student.post("/cards/collected", [("card", card)])
        term.student.post(f"/cards/{card}/reviews", [("number", "1"), ("rating", "1")])
    assert points_of(term, path) == {"section": 0.0, "cards": 5.0, "game": 0.0}
