"""Practice as a whole: what is recommended and why, the map, the notebook of mistakes, what I can do now."""

import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from app.course import Course
from app.course.exercises.exercises import offered_exercises
from app.course.items.kinds import Numeric, SingleChoice
from app.records.practice.notebook import MOST_KINDS
from tests.web.cast import Ledger, Page, Reader, right_answer, wrong_answer
from tests.web.learning.nights import sleep
from tests.web.learning.walking import walk
from tests.web.pages import Element, filled
from tests.web.practice.answering_variants import answer_variant

DCG = "practice-dcg-2"


def seed_of(page: Page) -> int:
    return int(parse_qs(urlsplit(page.path).query)["seed"][0])


def row_of(page: Page, name: str) -> Element:
    """The row of a knowledge point."""
    [row] = [entry for entry in page.main.all("li", class_="point-row") if entry.all("h3")[0].text == name]
    return row


def test_a_newcomer_is_told_where_to_begin(guest: Reader) -> None:
    page = guest.open("/practice")
    [start] = page.main.all("a", class_="primary")
    assert start["href"] == "/lessons/concepts/which-is-better"
    assert "下一个知识点是“先后有别”" in page.text
    assert guest.open("/practice/next").path == "/lessons/concepts/which-is-better"


def test_every_point_stands_there_with_its_state_and_the_way_to_practise_it(
    guest: Reader, course: Course
) -> None:
    page = guest.open("/practice")
    rows = page.main.all("li", class_="point-row")
    assert len(rows) == len(course.practised_skills)
    for row in rows:
        assert row.all("span", class_="point-state")[0].text == "没学过"
        assert row.all("p", class_="note")[0].text.endswith("。")
    page = guest.open(row_of(page, "排序没有坡").all("a", class_="quiet")[0]["href"])
    assert page.path.startswith(f"/items/{course.practised_skills['no-gradient'].item_ids[0]}?seed=")


def test_after_a_mistake_the_recommendation_says_so_and_asks_the_same_kind(
    guest: Reader, course: Course
) -> None:
    for seed in range(1, 6):
        answer_variant(guest, course, "ndcg", 2, seed, right=True)
    answer_variant(guest, course, "dcg-sum", 2, 50, right=False)
    page = guest.open("/practice")
    assert "上一道“折损累计增益DCG”走岔了：换一道同类，再来。" in page.text
    page = guest.open("/practice/next")
    assert page.path.startswith("/practice/dcg-sum?level=2&seed=")
    assert seed_of(page) != 50


def test_who_begins_too_high_is_shown_the_ground(guest: Reader, course: Course) -> None:
    page = answer_variant(guest, course, "cg", 2, 50, right=False)
    assert "换一道同类" in page.text
    assert "“甜度”要用到“先后有别”：先学《两个系统，谁更好》，再来练。" in guest.open("/practice").text
    page = guest.open("/practice/next?point=cg")
    assert page.path.startswith("/practice/cg?level=2&seed=")


def test_the_state_and_the_score_change_with_each_answer(guest: Reader, course: Course) -> None:
    for seed in range(1, 6):
        page = answer_variant(guest, course, "cg", 2, seed, right=True)
    ahead = page.by_id("ahead").text
    assert "今天答了5道" in ahead
    assert "连对5道" in ahead
    assert "攒了15颗糖" in ahead
    assert "累计增益CG 会了" in ahead
    assert "会了" in row_of(guest.open("/practice/map"), "累计增益CG").text


def test_the_fragment_brings_what_is_ahead_along(guest: Reader, course: Course) -> None:
    guest.open("/practice/cg?level=2&seed=3")
    item = "practice-cg-2"
    fragment = guest.answer(item, *right_answer(course.variant(item, 3)), htmx=True)
    [ahead] = [section for section in fragment.root.all("section") if section["id"] == "ahead"]
    assert ahead["data-hx-swap-oob"] == "true"
    page = guest.open("/practice/cg?level=2&seed=3")
    whole = page.by_id("ahead").html
    assert ahead.html.replace(' data-hx-swap-oob="true"', "") == whole
    assert fragment.item(item).html == page.item(item).html


def test_another_question_is_offered_once_whether_answered_or_not(guest: Reader, course: Course) -> None:
    page = guest.open("/practice/cg?level=2&seed=3")
    [swap] = other_ways(page)
    assert swap.text == "换一道"
    assert "智能推荐" not in page.by_id("ahead").text
    page = guest.answer("practice-cg-2", *wrong_answer(course.variant("practice-cg-2", 3)))
    [swap] = other_ways(page)
    assert swap.text == "换一道同类"
    assert "智能推荐下一道" in page.by_id("ahead").text


def other_ways(page: Page) -> list[Element]:
    """The links to another one of the same kind and level."""
    ways = [link for link in page.main.all("a") if link.text.startswith("换一道")]
    assert {link["href"] for link in ways} <= {"/practice/cg?level=2"}
    return ways


def test_after_a_right_answer_the_first_way_on_adapts(guest: Reader, course: Course) -> None:
    for seed in (1, 2):
        page = answer_variant(guest, course, "cg", 1, seed, right=True)
    [first] = page.main.all("a", class_="primary")
    assert (first.text, first["href"]) == ("再来一道", "/practice/next?point=cg")
    assert "level=2" in guest.open(first["href"]).path
    assert guest.open("/attempts/1").main.all("a", class_="primary")[0]["href"] == first["href"]


def test_an_item_that_was_right_leads_on_like_a_variant(guest: Reader, course: Course) -> None:
    item = course.practised_skills["no-gradient"].item_ids[0]
    guest.open(f"/items/{item}?seed=7")
    page = guest.answer(item, *right_answer(course.variant(item, 7)))
    [first] = page.main.all("a", class_="primary")
    assert (first.text, first["href"]) == ("再来一道", "/practice/next?point=no-gradient")


def test_another_of_the_same_kind_was_never_answered(
    guest: Reader, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.practice.practice.secrets.randbelow", lambda _most: 0)
    for seed in (1000, 1001):
        page = answer_variant(guest, course, "cg", 2, seed, right=False)
    [again] = other_ways(page)
    assert guest.open(again["href"]).path == "/practice/cg?level=2&seed=1002"


def test_lessons_carry_nothing_of_it(guest: Reader, course: Course) -> None:
    page = guest.open("/lessons/concepts/which-is-better?step=6")
    form = page.main.all("form", class_="answer")[0]
    item = form.one("input", name="item")["value"]
    fragment = guest.answer(item, *right_answer(course.variant(item, 0)), htmx=True)
    assert "ahead" not in fragment.html


def test_an_item_can_be_asked_once_more_as_an_attempt_of_its_own(
    guest: Reader, course: Course, ledger: Ledger
) -> None:
    item = course.practised_skills["no-gradient"].item_ids[0]
    for seed in (1234, 1235):
        page = guest.open(f"/items/{item}?seed={seed}")
        assert page.main.one("form", class_="answer")
        page = guest.answer(item, *wrong_answer(course.variant(item, seed)))
        assert page.path == f"/items/{item}?seed={seed}"
    assert ledger.rows("SELECT source, ref, seed FROM attempt ORDER BY id") == [
        ("practice", f"content:item-{item}.{seed}", seed) for seed in (1234, 1235)
    ]
    assert "看那道题" in guest.open("/mistakes").text
    assert guest.open("/attempts/1").status == 200


@pytest.mark.parametrize(
    "path",
    [
        "/items/nothing?seed=7", "/items/noodle-order?seed=0", "/items/noodle-order?seed=x",
        "/practice/next?point=nothing", "/mistakes?kind=nothing",
    ],
)  # fmt: skip
def test_what_is_not_there_is_not_found(guest: Reader, path: str) -> None:
    guest.open(path, status=404)


def test_the_map_says_in_words_what_it_draws(guest: Reader, course: Course) -> None:
    page = guest.open("/practice/map")
    assert page.main.one("svg")["role"] == "group"  # its boxes are links
    assert (
        f"{len(course.practised_skills)}个知识点：没学过{len(course.practised_skills)}个"
        in page.main.one("desc").text
    )
    for name, point in course.practised_skills.items():
        row = page.by_id(f"point-{name}")
        needs = (
            [link["href"] for link in row.all("p", class_="needs")[0].all("a")]
            if point.needed_skill_ids
            else []
        )
        assert needs == [f"#point-{need}" for need in point.needed_skill_ids]


def test_after_three_guesses_the_question_waits_and_stays_open(
    guest: Reader, course: Course, ledger: Ledger
) -> None:
    item = course.variant(DCG, 5)
    assert isinstance(item, Numeric)
    right = f"{item.answer:.3f}"
    guest.open("/practice/dcg?level=2&seed=5")
    for number in ("91", "92", "93"):
        page = guest.answer(DCG, number)
    assert "先停一停" in page.text
    assert not page.main.all("ol", class_="worked"), "nothing is given away"
    page = guest.answer(DCG, right)
    assert ledger.count("response") == 3, "too early"
    assert page.main.one("input", name="answer")["value"] == right, "what was typed stays"
    assert re.search(r"这次没有判， 还要等[12]?[0-9]秒", page.text)
    [bubble] = page.main.one("form", class_="answer").all("div", class_="bubble")
    assert "这次没有判" in bubble.text, "no verdict stands over a number that it was not given for"
    wait_a_minute(ledger)
    kept_url = f"/practice/dcg?level=2&seed=5&item={DCG}&typed={right}&kept=2"
    assert "这次没有判， 现在可以答了" in guest.open(kept_url).text
    page = guest.answer(DCG, right)
    assert ledger.count("response") == 4
    assert "先停一停" not in page.text


@pytest.mark.parametrize("htmx", [False, True])
@pytest.mark.parametrize("is_over", [False, True])
def test_a_hint_in_a_pause_is_no_answer_that_was_not_judged(
    guest: Reader, ledger: Ledger, is_over: bool, htmx: bool
) -> None:
    guest.open("/practice/dcg?level=2&seed=5")
    for number in ("91", "92", "93"):
        page = guest.answer(DCG, number)
    verdict = page.by_id(f"item-{DCG}-say-1").text
    if is_over:
        wait_a_minute(ledger)
        page = guest.open("/practice/dcg?level=2&seed=5")
    page = guest.submit(page.answering(DCG), "提示", htmx=htmx, answer="93")
    assert ("现在可以答了" if is_over else "还要等") in page.text
    assert "先停一停" in page.text
    assert "这次没有判" not in page.text, "nothing was sent"
    assert page.by_id(f"item-{DCG}-hint-1")
    assert page.by_id(f"item-{DCG}-say-1").text == verdict, "this number was judged"
    page = guest.submit(guest.open("/practice/dcg?level=2&seed=5").answering(DCG), "提示", answer="94")
    assert "这次没有判" not in page.text
    assert verdict not in page.text, "no verdict stands over a number that it was not given for"


def test_a_judged_answer_that_is_sent_again_in_the_pause_keeps_what_was_said_to_it(guest: Reader) -> None:
    guest.open("/practice/dcg?level=2&seed=5")
    for number in ("91", "92", "93"):
        page = guest.answer(DCG, number)
    verdict = page.by_id(f"item-{DCG}-say-1").text
    page = guest.answer(DCG, "93")
    assert "这次没有判" in page.text
    assert page.by_id(f"item-{DCG}-say-1").text == verdict


def test_a_candy_that_is_moved_in_the_pause_is_no_answer(guest: Reader, course: Course) -> None:
    page = guest.open("/items/noodle-order?seed=7")
    for _ in range(3):
        page = guest.answer("noodle-order", *wrong_answer(course.variant("noodle-order", 7)))
    form = page.answering("noodle-order")
    up = form.all("button", name="move")[-2]
    page = Page(guest.post(up["formaction"], filled(form, up)))
    assert "先停一停" in page.text
    assert "这次没有判" not in page.text, "nothing was sent"


def test_whoever_guessed_may_look_at_the_solution_at_once(guest: Reader) -> None:
    guest.open("/practice/dcg?level=2&seed=5")
    for number in ("91", "92", "93"):
        page = guest.answer(DCG, number)
    page = guest.submit(page.answering(DCG), "算给我看")
    assert page.main.all("ol", class_="worked")


def test_three_guesses_bring_a_pause_before_the_next_question(guest: Reader, ledger: Ledger) -> None:
    guest.open("/practice/dcg?level=2&seed=5")
    for number in ("91", "92", "93"):
        guest.answer(DCG, number)
    page = guest.open("/practice/dcg?level=2&seed=6")
    assert "先歇一口气" in page.text
    assert page.main.all("ol", class_="worked")
    assert not page.main.all("form", class_="answer")
    [back] = [link for link in page.main.all("a") if link.text == "回去看那一道"]
    assert back["href"] == "/attempts/1#item-practice-dcg-2"
    wait_a_minute(ledger)
    page = guest.open("/practice/dcg?level=2&seed=6")
    assert page.main.one("form", class_="answer")
    assert "先停一停" in guest.open("/practice/dcg?level=2&seed=5").text


def test_whoever_has_read_the_calculation_goes_on_at_once(guest: Reader) -> None:
    guest.open("/practice/dcg?level=2&seed=5")
    for number in ("91", "92", "93"):
        guest.answer(DCG, number)
    page = guest.open("/practice/dcg?level=2&seed=6")
    page = guest.open(page.main.all("a", class_="primary")[0]["href"])
    assert page.main.one("form", class_="answer")
    page = guest.submit(page.answering(DCG), "提示")
    assert page.main.one("form", class_="answer"), "a hint does not bring the pause back"
    page = guest.answer(DCG, "不知道")
    assert page.main.one("form", class_="answer"), "nor does what cannot be read"


def test_guesses_at_an_item_on_its_own_page_are_stopped_too(guest: Reader, course: Course) -> None:
    item = course.items["beijing-zero"]
    assert isinstance(item, SingleChoice)
    page = guest.open("/items/beijing-zero?seed=7")
    for option in [choice for choice in item.options if not choice.right]:
        page = guest.answer("beijing-zero", option.id)
    assert "先停一停" in page.text
    assert page.main.one("form", class_="answer"), "it stays open"
    page = guest.open("/items/beijing-zero?seed=8")
    assert "先歇一口气" in page.text
    page = guest.open(page.main.all("a", class_="primary")[0]["href"])
    assert page.main.one("form", class_="answer")
    assert "先停一停" in guest.open("/attempts/1").text


def wait_a_minute(ledger: Ledger) -> None:
    ledger.move_back("response", "created_at", timedelta(minutes=1))


def test_a_thoughtful_learner_is_never_stopped(guest: Reader, ledger: Ledger) -> None:
    guest.open("/practice/dcg?level=2&seed=5")
    for number in ("91", "92", "93", "94"):
        page = guest.answer(DCG, number)
        wait_a_minute(ledger)
    assert page.main.all("form", class_="answer")


def test_the_notebook_shows_answer_diagnosis_and_the_way_to_clear_it(guest: Reader, course: Course) -> None:
    assert "一道也没有" in guest.open("/mistakes").text
    item = course.variant(DCG, 4821)
    assert isinstance(item, Numeric)
    for seed in (4821, 4822):
        item = course.variant(DCG, seed)
        assert isinstance(item, Numeric)
        guest.open(f"/practice/dcg?level=2&seed={seed}")
        guest.answer(DCG, f"{item.answer / 0.6931471805599453:.3f}")
    page = guest.open("/mistakes")
    assert "算DCG 再对3道就清掉" in page.text
    assert "你用的是自然对数ln" in page.text
    assert f"你答的：{item.answer / 0.6931471805599453:.3f}" in page.text
    assert re.search("“折损”这一步，2次，最近是20[0-9]+年[0-9]+月[0-9]+日", page.text)
    assert len(re.findall("20[0-9]+年[0-9]+月[0-9]+日 ·", page.text)) == 2
    steps = page.main.one("ol", class_="formula-steps").all("li")
    assert [step.text for step in steps][:3] == ["增益 0 次", "折损 2 次", "求和 0 次"]
    [again] = [link for link in page.main.all("a") if link.text.startswith("再来一道同类")]
    assert again["href"] == "/practice/dcg?level=2"
    for seed in (1, 2, 3):
        answer_variant(guest, course, "dcg", 2, seed, right=True)
    page = guest.open("/mistakes")
    assert "错题都清掉了" in page.text
    page = guest.open("/mistakes?kind=dcg")
    assert "清掉了" in page.text
    assert page.text.count("你答的") == 2


def test_what_was_typed_is_shown_as_it_was_typed(guest: Reader) -> None:
    guest.open("/practice/dcg?level=2&seed=5")
    guest.answer(DCG, "3*2*90")
    assert "你答的：3*2*90" in guest.open("/mistakes").text


def test_every_kind_of_answer_can_be_looked_back_at(guest: Reader, course: Course, ledger: Ledger) -> None:
    """One mistake of each kind of question."""
    by_kind = {
        course.items[item].kind: item for point in course.practised_skills.values() for item in point.item_ids
    }
    for item in by_kind.values():
        guest.open(f"/items/{item}?seed=2000")
        guest.answer(item, *wrong_answer(course.variant(item, 2000)))
        wait_a_minute(ledger)
    answer_variant(guest, course, "steps-dcg", 1, 9, right=False)
    answer_variant(guest, course, "ideal-order", 1, 9, right=False)
    page = guest.open("/mistakes")
    assert len(page.main.all("li", class_="mistake")) >= len(by_kind)
    assert "走岔在第1项" in page.text.replace(" ", "")


def test_many_open_kinds_wait_behind_their_titles(guest: Reader, course: Course, ledger: Ledger) -> None:
    exercises = list(offered_exercises(course.exercises))[: MOST_KINDS + 2]
    for name in exercises:
        answer_variant(guest, course, name, 1, 9, right=False)
        wait_a_minute(ledger)
    page = guest.open("/mistakes")
    assert len(page.main.all("li", class_="mistake")) == MOST_KINDS
    assert "还有2类没清" in page.text
    oldest = course.exercises[exercises[0]].title
    [link] = [link for link in page.main.all("a") if link.text == f"{oldest} ，再对3道"]
    assert "你答的" in guest.open(link["href"]).text


def test_progress_says_what_i_can_do_and_what_comes_next(
    guest: Reader, course: Course, ledger: Ledger
) -> None:
    for seed in range(1, 6):
        answer_variant(guest, course, "cg", 2, seed, right=True)
    page = guest.open("/progress")
    assert "会了 累计增益CG" in page.by_id("able-title").parent.text  # type: ignore[union-attr]
    assert "接下来" in page.text
    sleep(ledger)
    page = guest.open("/progress")
    assert "会了 累计增益CG" in page.text
    counted = f"{len(course.practised_skills)}个知识点：会了1个，没学过{len(course.practised_skills) - 1}个。"
    assert counted in page.text
    assert counted in guest.open("/practice/map").main.one("desc").text
    answer_variant(guest, course, "cg", 2, 6, right=True)
    assert "还记得 累计增益CG" in guest.open("/progress").text


def test_a_streak_of_days_is_counted_only_if_wished(guest: Reader, course: Course) -> None:
    answer_variant(guest, course, "cg", 2, 1, right=True)
    assert "连续学的天数" not in guest.open("/progress").text
    form = guest.page.form("/preferences")
    page = guest.submit(form, "就这样", streak="on")
    assert "连续学的天数 1" in page.text


def test_looking_records_nothing(guest: Reader, course: Course, ledger: Ledger) -> None:
    answer_variant(guest, course, "cg", 2, 1, right=False)
    before = ledger.everything()
    for path in ("/practice", "/practice/map", "/practice/next", "/practice/next?point=dcg", "/mistakes"):
        guest.open(path)
    guest.open("/progress")
    assert ledger.everything() == before


def test_a_session_by_recommendation_never_repeats_a_question(guest: Reader, course: Course) -> None:
    """Twenty in a row, one in four wrong; who is sent to a lesson goes through it."""
    seen_urls = set()
    for number in range(20):
        page = guest.open("/practice/next")
        while page.path.startswith("/lessons/"):
            _, _, stage_id, section_id = page.path.split("/")
            section = course.section_of(course.ref(stage_id), section_id)
            assert section
            guest.go_on()
            walk(guest, stage_id, section_id, len(section.steps))
            page = guest.open("/practice/next")
        forms = page.main.all("form", class_="answer")
        assert forms, page.path
        item = forms[0].one("input", name="item")["value"]
        assert page.path not in seen_urls
        seen_urls.add(page.path)
        variant = course.variant(item, seed_of(page))
        guest.answer(item, *(right_answer if number % 4 else wrong_answer)(variant))
    assert len(seen_urls) == 20
