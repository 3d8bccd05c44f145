"""Practice: a variant by its address, diagnosed, and the next one; sheets to print; tables that follow."""

import re
from dataclasses import replace

import pytest
from fastapi import FastAPI

from app.course import Course
from app.course.exercises.exercises import offered_exercises
from app.course.items.kinds import AskedQuantity, Numeric, ShortAnswer, SingleChoice, Steps
from app.web.items.variants import Variant
from app.web.practice import practice
from app.web.practice.sheet_views import sheet_of
from app.web.site.site import MOST_SHEETS, Site
from tests.web.cast import Ledger, Reader, right_answer, wrong_answer

DCG = "/practice/dcg?level=2&seed=4821"
TABLE = "/practice/steps-ndcg?level=2&seed=7"


@pytest.mark.parametrize(("exercise", "example"), [("cg", "比如3+2。"), ("dcg", "比如3+2/1.585。")])
def test_the_example_of_a_sum_fits_the_number_that_is_asked_for(
    guest: Reader, exercise: str, example: str
) -> None:
    assert example in guest.open(f"/practice/{exercise}?level=2&seed=7").text


def test_an_exercise_without_a_number_gets_one(guest: Reader, ledger: Ledger) -> None:
    page = guest.open("/practice/dcg?level=3")
    assert page.path.startswith("/practice/dcg?level=3&seed=")
    assert ledger.count("learner") == 0


def test_the_same_address_is_the_same_question(guest: Reader, other_guest: Reader) -> None:
    page, other_page = guest.open(DCG), other_guest.open(DCG)
    assert page.by_id("item-practice-dcg-2").text == other_page.by_id("item-practice-dcg-2").text


def test_a_walk_through_seeds_pushes_out_nothing_that_serves_many(
    guest: Reader, course: Course, app: FastAPI
) -> None:
    site: Site = app.state.site
    guest.open(DCG)
    kept_keys = set(site._fragments)
    for seed in (4822, 4823):
        guest.open(f"/practice/dcg?level=2&seed={seed}")
        guest.answer("practice-dcg-2", *wrong_answer(course.variant("practice-dcg-2", seed)))
    assert set(site._fragments) == kept_keys


def test_every_exercise_is_listed_with_three_levels(guest: Reader, course: Course) -> None:
    page = guest.open("/practice")
    links = {link["href"] for link in page.main.all("a")}
    for exercise in offered_exercises(course.exercises):
        assert links >= {f"/practice/{exercise}?level={level}" for level in (1, 2, 3)}
    assert "/practice/gain?level=1" not in links


def test_an_address_with_a_seed_keeps_its_question_and_one_without_gets_the_newer(guest: Reader) -> None:
    page = guest.open("/practice/gain?level=1&seed=20261121")
    assert page.by_id("item-practice-gain-1")
    assert guest.open("/practice/gain/print?level=1&n=2&seed=20261121").status == 200
    assert guest.open("/practice/gain?level=1").path.startswith("/practice/gain-v2?level=1&seed=")
    assert guest.open("/practice/gain/print?level=1&n=2").path.startswith("/practice/gain-v2/print?")


def test_ln_is_named_and_the_next_variant_succeeds(guest: Reader, course: Course, ledger: Ledger) -> None:
    item = course.variant("practice-dcg-2", 4821)
    assert isinstance(item, Numeric)
    guest.open(DCG)
    page = guest.answer("practice-dcg-2", f"{item.answer * 0.6931471805599453**-1:.3f}")
    assert page.path == DCG
    assert "你用的是自然对数ln" in page.text
    assert ledger.rows("SELECT verdict, misconception FROM response") == [("wrong", "natural_log")]
    [link] = [element for element in page.main.all("a") if element.text == "换一道同类"]
    seed = int(guest.open(link["href"]).path.rpartition("=")[2])
    page = guest.answer("practice-dcg-2", *right_answer(course.variant("practice-dcg-2", seed)))
    assert "一次就对" in page.text
    assert [element.text for element in page.main.all("a", class_="primary")] == ["再来一道"]
    assert ledger.rows("SELECT source, ref, seed FROM attempt ORDER BY id") == [
        ("practice", "content:practice-dcg-2-4821", 4821),
        ("practice", f"content:practice-dcg-2-{seed}", seed),
    ]


def test_a_variant_is_frozen_as_it_was_seen(guest: Reader, ledger: Ledger) -> None:
    guest.open(DCG)
    guest.answer("practice-dcg-2", "1")
    [(body,)] = ledger.rows("SELECT body FROM item_version")
    assert '"ranking"' in body
    assert '"kind": "numeric"' in body


def test_hints_and_solution_are_there(guest: Reader) -> None:
    page = guest.open(DCG)
    page = guest.submit(page.answering("practice-dcg-2"), "提示")
    assert "一位一位来" in page.text
    page = guest.submit(page.answering("practice-dcg-2"), "算给我看")
    assert "看过算法" in page.text
    assert "换一道同类" in page.text


def test_old_practice_is_found_from_its_attempt(guest: Reader) -> None:
    guest.open(DCG)
    guest.answer("practice-dcg-2", "1")
    page = guest.open("/attempts/1")
    assert [link["href"] for link in page.main.all("a") if link.text == "算DCG"] == [DCG]


@pytest.mark.parametrize(
    "path",
    [
        "/practice/dgc", "/practice/dcg?level=4&seed=1", "/practice/dcg?level=2&seed=0",
        "/practice/dcg?level=2&seed=abc", "/practice/dcg?level=2&seed=9999999999",
        "/practice/dcg/print?n=41&seed=1", "/practice/dcg/print?n=0&seed=1", "/practice/dgc/print",
    ],
)  # fmt: skip
def test_an_address_that_names_nothing_says_what_it_may_be(guest: Reader, path: str) -> None:
    page = guest.open(path, status=404)
    sentences = (
        "没有这个练习",
        "难度level不对：要写1到3",
        "题号seed不对：要写1到999999999",
        "张数n不对：要写1到40",
    )
    assert any(sentence in page.text for sentence in sentences)


@pytest.mark.parametrize("name", ["dcg-4-1", "dcg-1-0", "dcg", "dgc-1-1", "dcg-1-9999999999"])
def test_answers_to_no_variant_go_nowhere(guest: Reader, ledger: Ledger, name: str) -> None:
    fields = [("item", "practice-dcg-1"), ("try", "1"), ("answer", "3"), ("guest", "x" * 43)]
    assert guest.post(f"/practice/{name}/responses", fields).status_code == 404
    assert ledger.count("learner") == 0


def table(course: Course) -> Steps:
    variant = course.variant("practice-steps-ndcg-2", 7)
    assert isinstance(variant, Steps)
    return variant


def test_a_table_with_one_slip_loses_one_step(guest: Reader, course: Course, ledger: Ledger) -> None:
    item = table(course)
    names, right = [cell.name for cell in item.blanks], list(right_answer(item))
    raw = dict(zip(names, right, strict=True)) | {"term-1": "9"}
    raw["dcg"] = f"{float(raw['dcg']) - float(right[0]) + 9:.3f}"
    raw["ndcg"] = f"{float(raw['dcg']) / float(raw['idcg']):.3f}"
    guest.open(TABLE)
    page = guest.answer("practice-steps-ndcg-2", *raw.values())
    verdicts = [element.text for element in page.main.all(class_="cell-verdict")]
    assert (verdicts.count("再看看"), verdicts.count("照你的数，对")) == (1, 2)
    assert "DCG、NDCG照你自己的数来看，算得没错，不重复扣分" in page.text
    [(verdict, score)] = ledger.rows("SELECT verdict, score FROM response")
    assert (verdict, score) == ("wrong", pytest.approx(5 / 6))
    [slip] = page.main.all("input", type="text")
    assert slip["value"] == "9"


def test_once_the_slip_is_mended_what_followed_it_follows_again(guest: Reader, course: Course) -> None:
    item = table(course)
    names, right = [cell.name for cell in item.blanks], list(right_answer(item))
    raw = dict(zip(names, right, strict=True)) | {"term-1": "9"}
    raw["dcg"] = f"{float(raw['dcg']) - float(right[0]) + 9:.3f}"
    guest.open(TABLE)
    page = guest.answer("practice-steps-ndcg-2", *raw.values())
    fields = [
        element.get("value")
        for element in page.answering("practice-steps-ndcg-2").all("input", name="answer")
    ]
    assert fields == [*(raw | {"dcg": "~"}).values()]
    page = guest.answer("practice-steps-ndcg-2", right[0], *fields[1:])
    assert "改对了" in page.text
    assert f"{item.table.true_value_by_cell_name()['dcg']:.3f}" in [
        element.text for element in page.main.all("output")
    ]


def test_a_cell_follows_on_over_every_try_until_the_slips_are_mended(guest: Reader, course: Course) -> None:
    item = table(course)
    names, right = [cell.name for cell in item.blanks], list(right_answer(item))
    raw = dict(zip(names, right, strict=True)) | {"term-1": "9", "idcg": "99"}
    raw["dcg"] = f"{float(raw['dcg']) - float(right[0]) + 9:.3f}"
    raw["ndcg"] = f"{float(raw['dcg']) / 99:.3f}"
    guest.open(TABLE)
    guest.answer("practice-steps-ndcg-2", *raw.values())
    for mended, follow in (("term-1", {"dcg", "ndcg"}), ("idcg", {"dcg", "ndcg"})):
        form = guest.page.answering("practice-steps-ndcg-2")
        fields = dict(
            zip(names, [element.get("value") for element in form.all("input", name="answer")], strict=True)
        )
        assert {name for name, text in fields.items() if text == "~"} == follow
        fields[mended] = right[names.index(mended)]
        guest.answer("practice-steps-ndcg-2", *fields.values())
    assert "改对了" in guest.page.text


def test_at_the_first_try_no_cell_has_been_right_before(
    guest: Reader, course: Course, ledger: Ledger
) -> None:
    guest.open(TABLE)
    page = guest.answer("practice-steps-ndcg-2", *["~"] * len(table(course).blanks))
    assert "还空着" in page.text
    assert ledger.count("response") == 0


def test_a_cell_that_was_wrong_or_left_to_the_tutor_carries_nothing_over(
    guest: Reader, course: Course, ledger: Ledger
) -> None:
    names, right = [cell.name for cell in table(course).blanks], list(right_answer(table(course)))
    first = dict(zip(names, right, strict=True)) | {"term-1": "9", "idcg": "="}
    guest.open(TABLE)
    guest.answer("practice-steps-ndcg-2", *first.values())
    for name, message in (("term-1", "第1项还空着"), ("idcg", "IDCG还空着")):
        fields = dict(zip(names, right, strict=True)) | {name: "~"}
        assert message in guest.answer("practice-steps-ndcg-2", *fields.values()).text
    assert ledger.count("response") == 1


def test_another_cell_that_cannot_be_read_is_named_beside_one_that_follows(
    guest: Reader, course: Course
) -> None:
    names, right = [cell.name for cell in table(course).blanks], list(right_answer(table(course)))
    raw = dict(zip(names, right, strict=True)) | {"term-1": "9"}
    raw["dcg"] = f"{float(raw['dcg']) - float(right[0]) + 9:.3f}"
    guest.open(TABLE)
    guest.answer("practice-steps-ndcg-2", *raw.values())
    page = guest.answer("practice-steps-ndcg-2", *(raw | {"term-1": "2+x", "dcg": "~"}).values())
    assert "第1项：" in page.text
    assert "DCG还空着" not in page.text


def test_an_empty_cell_is_no_mistake(guest: Reader, course: Course, ledger: Ledger) -> None:
    right = list(right_answer(table(course)))
    guest.open(TABLE)
    page = guest.answer("practice-steps-ndcg-2", *right[:-1], "")
    assert "NDCG还空着" in page.text
    assert ledger.count("response") == 0
    form = page.answering("practice-steps-ndcg-2")
    assert [element.get("value") for element in form.all("input", name="answer")] == [*right[:-1], ""]
    page = guest.submit(form, "空着的你来算", answer=[*right[:-1], ""])
    assert "NDCG是我替你填的" in page.text
    assert page.main.one(class_="end").text == "一起算完了"
    assert "一次就对" not in page.item("practice-steps-ndcg-2").text


def test_a_table_can_be_shown_whole(guest: Reader, course: Course) -> None:
    page = guest.open(TABLE)
    page = guest.submit(page.answering("practice-steps-ndcg-2"), "提示")
    page = guest.submit(page.answering("practice-steps-ndcg-2"), "算给我看")
    outputs = [element.text for element in page.main.all("output")]
    truth = table(course).table.true_value_by_cell_name()
    assert f"{truth['ndcg']:.3f}" in outputs
    assert not page.main.all("input", type="text")


def test_the_pool_stands_beside_its_table(guest: Reader) -> None:
    page = guest.open("/practice/steps-ndcg-pool?level=1&seed=3")
    assert "评判池里还有，系统没端上来" in page.text


def test_a_sheet_has_its_key_and_a_map_of_wrong_numbers(guest: Reader, course: Course) -> None:
    page = guest.open("/practice/dcg/print?level=1&n=3&seed=50")
    items = [course.variant("practice-dcg-1", seed) for seed in (50, 51, 52)]
    key = page.main.one(class_="key-list").text
    for item in items:
        assert isinstance(item, Numeric)
        assert f"{item.answer:.3f}" in key
        low, high = item.accepted_interval_words.split("到")
        assert f"{low}到{high}都算对" in key
    rows = page.main.one(class_="sheet-map").all("tr")
    assert "用了自然对数" in rows[0].text
    assert len(rows) == 4
    assert f"{items[0].answer / 0.6931471805599453:.3f}" in rows[1].text  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "exercise", ["steps-ndcg-pool", "ideal-order", "gain", "ndcg-exponential", "ndcg-pool"]
)
def test_every_kind_can_be_printed(guest: Reader, exercise: str) -> None:
    page = guest.open(f"/practice/{exercise}/print?level=3&n=2&seed=9")
    assert len(page.main.one(class_="sheet-questions").children) == 2


@pytest.mark.parametrize("exercise", ["gain", "gain-exponential", "cg", "cg-at-k", "dcg"])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_numbers_of_a_row_differ_from_each_other_and_from_the_answer(
    course: Course, exercise: str, level: int
) -> None:
    drawn_sheet = sheet_of(course, Variant(exercise, level, 1), 12)
    for sheet_question in drawn_sheet.questions:
        numbers = [
            drawn_sheet.wrong_number_text(sheet_question, name)
            for name, _ in drawn_sheet.misconception_ids_and_names
        ]
        right = float(re.split("[=≈]", sheet_question.answer_html)[-1])
        assert len({*numbers, f"{right:.{drawn_sheet.decimal_count}f}"}) == len(numbers) + 1


def test_the_numbers_of_a_map_have_equal_decimals(guest: Reader, course: Course) -> None:
    page = guest.open("/practice/dcg/print?level=2&n=12&seed=1")
    cells = [cell.text for cell in page.main.one(class_="sheet-map").all("td")]
    assert {len(text.partition(".")[2]) for text in cells if text != "—"} == {3}
    assert len(page.main.all("p", class_="sheet-room")) == 12, "room to work in, on paper"
    drawn_sheet = sheet_of(course, Variant("gain", 1, 1), 3)
    assert drawn_sheet.decimal_count == 3
    [sheet_question, *_] = drawn_sheet.questions
    name = next(
        name
        for name, value in sheet_question.predicted_value_by_misconception_id.items()
        if value.is_integer()
    )
    whole = replace(drawn_sheet, questions=[sheet_question], misconception_ids_and_names=[(name, "")])
    assert whole.wrong_number_text(sheet_question, name).isdecimal(), "no decimals where all are whole"
    assert whole.wrong_number_text(whole.questions[0], "no_such_mistake") == "—"


def test_a_discounted_gain_keeps_its_decimals_on_the_sheet(guest: Reader) -> None:
    page = guest.open("/practice/cg/print?level=1&n=12&seed=1")
    assert re.search(r"\d\.\d{2,3}\b", page.main.one(class_="sheet-map").text)


def test_a_whole_answer_has_no_room_around_it(guest: Reader, course: Course) -> None:
    assert "都算对" not in guest.open("/practice/cg/print?level=1&n=4&seed=1").text
    guest.open("/practice/cg?level=1&seed=1")
    page = guest.answer("practice-cg-1", *right_answer(course.variant("practice-cg-1", 1)))
    assert "都算对" not in page.text


def test_each_question_of_a_sheet_has_its_own_cut(guest: Reader, course: Course) -> None:
    page = guest.open("/practice/ndcg-at-k/print?level=2&n=4&seed=1234")
    above, *own = page.main.one(class_="sheet").all("p", class_="convention")
    assert "截断" not in above.text
    for seed, convention in zip(range(1234, 1238), own, strict=True):
        item = course.variant("practice-ndcg-at-k-2", seed)
        assert isinstance(item, Numeric)
        assert isinstance(item.question, AskedQuantity)
        assert convention.text == f"约定：截断k={item.question.k}。"


@pytest.mark.parametrize(
    ("exercise", "message", "unsaid"),
    [
        ("gain", "线性增益", "折损1"),
        ("cg-at-k", "截断k=", "折损1"),
        ("dcg", "折损1/log₂(名次+1)·k=4，整列", "理想排序取自"),
        ("ndcg-pool", "理想排序取自整个评判池", "不截断"),
    ],
)
def test_a_question_states_the_convention_that_it_uses(
    guest: Reader, exercise: str, message: str, unsaid: str
) -> None:
    [convention] = guest.open(f"/practice/{exercise}?level=1&seed=3").main.all("p", class_="convention")
    assert message in convention.text
    assert unsaid not in convention.text


@pytest.mark.parametrize("exercise", ["discount", "discount-far"])
def test_a_table_beside_a_question_for_a_weight_has_only_logs(
    guest: Reader, course: Course, exercise: str
) -> None:
    item = course.variant(f"practice-{exercise}-1", 3)
    assert isinstance(item, Numeric)
    page = guest.open(f"/practice/{exercise}?level=1&seed=3")
    sheet_page = guest.open(f"/practice/{exercise}/print?level=1&n=1&seed=3")
    for text in page.item(item.id).text, sheet_page.main.one(class_="sheet").text:
        assert f"{1 / item.answer:.3f}" in text
        assert f"{item.answer:.3f}" not in text


def test_who_is_stuck_is_offered_a_simpler_question_and_the_way_back(guest: Reader, course: Course) -> None:
    stuck = next(
        item
        for item in course.items.values()
        if isinstance(item, Numeric) and item.easier and item.id in course.section_by_item_id
    )
    stage, section = course.section_by_item_id[stuck.id]
    step = next(n for n, element in enumerate(section.steps, 1) if element.asked_item_id == stuck.id)
    page = guest.open(f"/lessons/{stage.id}/{section.id}?step={step}")
    for _ in range(2):
        assert "先做道简单的" not in page.text
        page = guest.answer(stuck.id, "123456")
    for _ in stuck.hints:
        assert "先做道简单的" not in page.text
        page = guest.submit(page.answering(stuck.id), "提示")
    [link] = [element for element in page.main.all("a") if element.text == "先做道简单的，再回来"]
    page = guest.open(link["href"])
    page = guest.answer(stuck.easier or "", *right_answer(course.variant(stuck.easier or "", 0)))
    assert page.path == link["href"]
    [back] = [element for element in page.main.all("a") if element.text.startswith("回到")]
    assert back["href"] == f"/lessons/{stage.id}/{section.id}#item-{stuck.id}"


def test_a_sheet_has_twenty_questions_at_most_and_is_drawn_once(
    guest: Reader, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An address of old that asks for more goes on working."""
    drawn: list[int] = []
    draw = practice.render_sheet

    def counted(site: Site, first: Variant, count: int) -> str:
        drawn.append(count)
        return draw(site, first, count)

    monkeypatch.setattr(practice, "render_sheet", counted)
    app.state.site.sheets.clear()
    for _ in range(2):
        page = guest.open("/practice/dcg/print?level=1&n=40&seed=7")
        assert len(page.main.one("ol", class_="key-list").children) >= 20
        assert "共20题" in page.text
    guest.open("/practice/dcg/print?level=1&n=20&seed=7")
    assert drawn == [20]
    for seed in range(1, 40):
        guest.open(f"/practice/cg/print?level=1&n=1&seed={seed}")
    assert len(app.state.site.sheets) == MOST_SHEETS


def test_the_same_mistake_gets_another_help_each_time(guest: Reader, course: Course) -> None:
    """First its name, then the row that differs, then the way out: an easier question, or the calculation."""
    stage, section = course.section_by_item_id["dcg-by-hand"]
    step = next(n for n, element in enumerate(section.steps, 1) if element.asked_item_id == "dcg-by-hand")
    guest.open(f"/lessons/{stage.id}/{section.id}?step={step}")
    page = guest.answer("dcg-by-hand", "6.337")
    assert "第二次了" not in page.text
    page = guest.answer("dcg-by-hand", "6.337")
    assert "只看第1项：它该是2，你那样算是2.885" in page.text.replace(" ", "")
    assert "先做道简单的" not in page.text
    page = guest.answer("dcg-by-hand", "6.337")
    assert "第三次走到同一个路口" in page.text
    [link] = [element for element in page.main.all("a") if element.text == "先做道简单的，再回来"]
    assert link["href"] == "/items/dcg-guided?for=dcg-by-hand"


@pytest.mark.parametrize("query", ["", "?for=dcg-by-hand", "?seed=5"])
def test_a_question_on_its_own_leads_back_to_practice(guest: Reader, query: str) -> None:
    assert (
        guest.open(f"/items/dcg-guided{query}").main.one("p", class_="crumb").one("a")["href"] == "/practice"
    )


def test_words_of_one_s_own_are_held_against_checkpoints_and_not_praised(
    guest: Reader, course: Course
) -> None:
    item = next(item for item in course.items.values() if isinstance(item, ShortAnswer))
    guest.open(f"/items/{item.id}")
    page = guest.answer(item.id, "不知道，随便写的。")
    asked_item = page.item(item.id)
    assert len(asked_item.one("ul", class_="checkpoints").all("li")) == len(item.checkpoints)
    assert "一种参考回答" in asked_item.text
    assert not asked_item.all("div", class_="pleased")
    assert "不敢乱夸" in asked_item.text


ADDRESS = "/practice/which-convention?level=1&seed=7"


def test_whose_figure_it_is_can_be_chosen_and_the_list_opened_on_the_workbench(
    guest: Reader, course: Course
) -> None:
    item = course.variant("practice-which-convention-1", 7)
    page = guest.open(ADDRESS)
    assert len(page.item(item.id).all("tr")) == 5
    assert "NDCG@4 = 0.510" in page.item(item.id).text
    assert "/workbench?" not in [link["href"][:11] for link in page.main.all("a")]
    page = guest.answer(item.id, *wrong_answer(item))
    assert "换成" in page.text
    page = guest.answer(item.id, *right_answer(item))
    assert "trec_eval印的就是0.510" in page.text
    [link] = [link for link in page.main.all("a") if link["href"].startswith("/workbench?")]
    assert guest.open(link["href"]).main.one(id="result-title").text == "NDCG@4＝ 0.510"


def test_a_sheet_of_choices_prints_lists_options_and_a_key_of_letters(guest: Reader, course: Course) -> None:
    page = guest.open("/practice/which-convention/print?level=1&n=2&seed=7")
    questions = page.main.one(class_="sheet")
    assert len(questions.all("table")) == 2
    assert len(questions.all("ol", class_="sheet-options")) == 2
    item = course.variant("practice-which-convention-1", 7)
    assert isinstance(item, SingleChoice)
    letter = "ABCD"[item.options.index(item.right_options[0])]
    assert page.main.one("ol", class_="key-list").all("b")[0].text == letter
    assert not page.main.all(id="map")


def test_a_sheet_says_how_to_round_where_no_documents_are_listed_too(guest: Reader) -> None:
    for exercise, words in (("kappa-v2", "四舍五入到3位小数。"), ("dcg", "用折损表上的数来算也可以。")):
        sheet = guest.open(f"/practice/{exercise}/print?level=1&n=2&seed=1").main.one(class_="sheet")
        assert sheet.all("p", class_="convention")[0].text.endswith(words)
    choices = guest.open("/practice/which-convention/print?level=1&n=2&seed=7").main.one(class_="sheet")
    assert not choices.all("p", class_="convention"), "nothing is rounded where one chooses"
