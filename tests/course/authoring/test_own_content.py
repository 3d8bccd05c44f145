"""What a teacher writes: little is asked for, every fault has its line, nothing hostile gets in."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.course import Course, Faults
from app.course.authoring.own_content import parse_own, pickable_items, taken_skill_faults
from app.course.items.kinds import Item, Numeric
from app.course.learning.steps import ToyStep, WorkbenchLab
from app.course.text.untrusted import LARGEST_FILE, own_content_text
from app.course.text.yaml_reader import LONGEST_TEXT
from app.settings import root
from tests.published import published
from tests.tables import each

PUBLISHED = published()
TEMPLATES = sorted((root() / "templates" / "authoring" / "yaml").glob("*.yaml"))
SMALL = """\
title: 小练习
skill: dcg
items:
  q1:
    stem: 第3位打几折？
    options:
      - 3.50
      - {text: 五折, right: true}
"""
SECTION = SMALL + "sections:\n  a: {title: 甲, steps: "
QUICK = 1.0
"""Seconds of the processor, of ours and of the processes that read for us: a busy machine adds none."""


def processor_seconds() -> float:
    """What this process and the ended ones that it began have used so far."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def own(text: str) -> Course:
    own_course = parse_own(text, 42, PUBLISHED)
    assert isinstance(own_course, Course), own_course
    return own_course


def fault_lines(text: str) -> list[str]:
    own_course = parse_own(text, 42, PUBLISHED)
    assert isinstance(own_course, Faults)
    return own_course.lines()


def item(text: str, name: str = "q") -> Item:
    return own(f"title: 一份\nskill: dcg\nitems:\n  {name}:\n    stem: 问\n{text}").items[name]


@each("path", TEMPLATES)
def test_every_template_is_sound(path: Path) -> None:
    assert own(path.read_text("utf-8"))


def test_no_template_draws_grades_that_its_form_does_not_show() -> None:
    """Whoever changed the grades of the question in the form left the old ones drawn beside it."""
    for path in TEMPLATES:
        for question in pickable_items(own(path.read_text("utf-8"))):
            assert not (isinstance(question, Numeric) and question.ranking), path.name


def test_a_text_that_draws_other_grades_than_it_asks_about_stays_readable() -> None:
    """It was kept before the check of the course looked for this, and a class may be working with it."""
    drawn_text = "    ranking: {query: 茶, documents: [{title: 甲, grade: 3}, {title: 乙, grade: 1}]}\n"
    drawn_item = item(
        "    question: {quantity: dcg, grades: [3, 2, 1]}\n    hints: [一项一项加。]\n" + drawn_text
    )
    assert isinstance(drawn_item, Numeric)
    assert drawn_item.ranking is not None


def test_there_is_a_template_for_every_kind_a_section_and_cards() -> None:
    templates = [own(path.read_text("utf-8")) for path in TEMPLATES]
    kinds = {item.kind for course in templates for item in pickable_items(course)}
    assert kinds == {
        "single", "multiple", "true_false", "numeric", "steps", "order", "spot", "fill", "short", "generated",
    }  # fmt: skip
    assert any(course.cards for course in templates)
    assert any(len(course.steps) > 3 for course in templates)


def test_ids_are_of_its_own_and_a_lesson_is_made_of_items_without_sections() -> None:
    course = own(SMALL)
    assert course.ref("q1") == "own-42:q1"
    [stage] = course.stages
    assert [(section.id, [step.id for step in section.steps]) for section in stage.sections] == [
        ("part-1", ["step-1"])
    ]
    assert course.mark("own-42:q1", 1, [course.items["q1"].options[1].id]).verdict == "right"  # type: ignore[attr-defined]


def test_what_is_left_out_is_put_in() -> None:
    options = item("    options: [3.50, true, {text: 对, right: true}]\n").options  # type: ignore[attr-defined]
    assert [option.text for option in options] == ["3.50", "true", "对"]
    assert [option.feedback for option in options] == ["不是这一项。", "不是这一项。", "对。"]
    assert len({option.id for option in options}) == 3
    several = "    options: [{text: 甲, right: true}, {text: 乙, right: true}, 丙]\n"
    assert item(several).kind == "multiple"
    assert item("    answer: false\n").feedback.wrong == "这句话其实不对。"  # type: ignore[attr-defined]
    assert item("    documents: [甲: 0, 乙: 2, 丙: 1]\n").kind == "order"
    assert item("    question: {quantity: dcg, grades: [3, 2]}\n").kind == "numeric"
    blanks = item("    blanks: [0.50, [甲, 1], {accept: 2.0, tolerance: 1}]\n").blanks  # type: ignore[attr-defined]
    assert [blank.accept for blank in blanks] == [["0.50"], ["甲", "1"], ["2.0"]]


@each(
    ("fields", "solution"),
    [
        ("options: [甲, {text: 乙, right: true}]", ["答案是：乙"]),
        ("options: [甲, {text: 乙, right: true, feedback: 乙在前。}]", ["答案是：乙", "乙在前。"]),
        ("answer: false", ["这句话不对。"]),
        ("lines: [甲, {text: 乙, wrong: true}, 丙]\n    correction: 丁", ["写错的是第2行。"]),
    ],
)
def test_a_solution_without_a_reason_names_the_answer_alone(fields: str, solution: list[str]) -> None:
    """It does not go on to tell who reads it that they were right."""
    assert item(f"    {fields}\n").solution() == solution


def test_the_id_of_an_option_stays_with_its_text() -> None:
    first = item("    options: [甲, {text: 乙, right: true}, 丙]\n").options  # type: ignore[attr-defined]
    later = item("    options: [丙, 丁, {text: 乙, right: true}]\n").options  # type: ignore[attr-defined]
    assert first[1].id == later[2].id
    assert first[2].id == later[0].id


def test_terms_examples_and_exercises_of_the_course_may_be_named() -> None:
    example = next(iter(PUBLISHED.examples))
    text = f"""\
title: 借来的
skill: dcg
items:
  drill: {{exercise: dcg, level: 1}}
  sum: {{stem: "[[dcg]]是多少？", question: {{quantity: dcg, example: {example}}}}}
sections:
  one:
    title: 看一看
    steps:
      - "总分是{{{{ {example}.dcg | 2 }}}}。"
      - example: {example}
      - ask: drill
"""
    course = own(text)
    assert course.variant("drill", 3).kind == "numeric"
    assert course.stages[0].example_ids == ()
    assert "term-link" in course.html(course.items["sum"].stem)
    assert set(course.items) == {"drill", "sum", "sum-turn", f"{example}-example-turn"}


def test_a_list_on_the_workbench_can_stand_in_own_content() -> None:
    step = 'id: bench, kind: lab, lab: workbench, start: {list: "3 0 2", k: 2}'
    [_, bench] = own(f"{SECTION}[ask: q1, {{{step}}}]}}\n").stages[0].sections[0].steps
    assert isinstance(bench, WorkbenchLab)
    assert bench.start.state_reading.state.k == 2
    unreadable = f"{SECTION}[ask: q1, {{{step.replace('3 0 2', '很甜')}}}]}}\n"
    assert any("先贴一列甜度" in line for line in fault_lines(unreadable)), fault_lines(unreadable)


TOY = """\
      - play: {row: [0, 3, 1]}
        handles: [order]
        guess: {ask: 几步？, options: [一步, 两步], right: 2}
        task: {kind: reach, words: 排到1。}
        told: 一共{{ half | 2 }}。
"""
TOYS = SMALL + "values:\n  half: {quantity: discount, grades: [1, 1, 1], rank: 3}\nsections:\n"


def toys(*counts: int) -> str:
    """Sections with so many movable rows each."""
    text = TOYS
    for number, count in enumerate(counts):
        text += f"  s{number}:\n    title: 动\n    steps:\n{TOY * count}"
    return text


def test_a_movable_row_can_stand_in_own_content() -> None:
    course = own(toys(1))
    [step] = course.steps
    assert isinstance(step, ToyStep)
    assert step.start.row == [0, 3, 1]
    assert "0.50" in course.html(step.told)
    assert own(toys(1).replace("- play: {", "- kind: play\n        start: {")).steps == course.steps
    [fault] = fault_lines(toys(1).replace("[0, 3, 1]", "[3, 1, 0]"))
    assert fault.startswith(":15: sections.s0.steps.0.play")
    assert "任务一开始就完成了" in fault
    assert fault_lines(toys(1).replace("right: 2", "right: 9")) == [
        ":17: sections.s0.steps.0.guess.right: 不能大于4"
    ]


def test_no_text_has_more_movable_rows_than_a_look_takes() -> None:
    """Each is tried out before it is taken."""
    assert len(list(own(toys(6, 2)).steps)) == 8
    [fault] = fault_lines(toys(6, 6).replace("[0, 3, 1]", "[3, 1, 0]"))
    assert fault == ":58: sections.s1.steps.2: 一份内容里最多8排能动的糖：分成几份来写"


def test_figures_are_in_what_is_frozen() -> None:
    """A body that is kept with an answer can be read without the content that it came from."""
    text = (
        SMALL
        + "  q2: {stem: '{{ half | 2 }}', answer: true}\nvalues:\n  half: "
        + ("{quantity: discount, grades: [1, 1, 1], rank: 3}\n")
    )
    course = own(text)
    assert course.items["q2"].stem == "0.50"
    assert course.variant("q2", 1).stem == "0.50"
    assert '"stem": "0.50"' in course.version_hash_and_body("own-42:q2")[1]


def test_numbers_may_be_typed_and_twins_left_out() -> None:
    """What the course asks of its own authors is not asked of a teacher."""
    assert own("title: 一份\nskill: dcg\nitems:\n  q: {stem: 大约是0.63吗？, answer: true}\n")


def test_a_skill_said_once_for_all_is_one_fault() -> None:
    text = SMALL.replace("skill: dcg", "skill: dgc") + "  q2: {stem: 又来, answer: true}\n"
    assert fault_lines(text) == [":2: skill: 没有知识点“dgc”，是不是dcg？"]


@each(
    ("text", "expected"),
    [
        ("", "1: title: 缺少这一项"),
        ("- 一\n", "1: 第一行写“title: 标题”，下面写items、cards或者sections"),
        ("title: 一份\n", "里面还没有内容：写几道题（items）、几张卡片（cards）或者一节小课（sections）"),
        ("title：一份\nitems:\n", "1: 这里的冒号是中文的“：”，换成英文的“: ”，后面空一格"),
        (SMALL + "foo: 1\n", "9: foo: 没有这个字段；最外层可以写"),
        (SMALL.replace("skill: dcg\n", ""), "3: items.q1.skill: 还没说考哪个知识点"),
        (SMALL.replace("skill: dcg", "skill: dgc"), "2: skill: 没有知识点“dgc”，是不是dcg？"),
        (SMALL.replace("stem:", "skill: dgc\n    stem:"), "5: items.q1.skill: 没有知识点“dgc”，是不是dcg？"),
        (SMALL.replace("right: true", "right: yes"), "8: items.q1.options.1.right: 这里要写true或false"),
        (SMALL.replace("right: true", "right: false"), "4: items.q1: 单选题要有正好一个right: true的选项"),
        (SMALL.replace("options", "option"), "4: items.q1: 看不出这是哪一种，也许有个词拼错了"),
        (SMALL.replace("stem:", "stm:"), "5: items.q1.stm: 没有这个字段，可能拼错了"),
        (SMALL.replace("第3位", "看[[nope]]"), "5: items.q1.stem: [[nope]]：术语表里没有“nope”"),
        (SMALL.replace("第3位", "[[dcg]]"), "5: 以[[或者{{开头的文字，要用引号把整句括起来"),
        (SMALL.replace("第3位打几折？", "{{ x.dcg | 2 }}"), "5: 以[[或者{{开头的文字，要用引号把整句括起来"),
        (SMALL.replace("第3位", "$\\fra{1}$"), "5: items.q1.stem: 公式 $\\fra{1}$ 读不懂"),
        (SMALL.replace("第3位", "'名'"), "5: YAML读不懂：缩进没有对齐"),
        (SMALL.replace("  q1:", "  Q 1:"), "4: items.Q 1: 只能用小写字母、数字和连字符"),
        (SMALL + "  q1: {stem: 又来, answer: true}\n", "9: YAML读不懂：重复的键'q1'（第4行已经有了）"),
        (SECTION + "[ask: q9]}\n", "10: sections.a.steps.0.item: 没有叫“q9”"),
        (SECTION + "[foo: q1]}\n", "10: sections.a.steps.0: 看不出这是哪一种"),
        (SMALL + "sections:\n  a:\n    title: 甲\n    steps:\n      - {kind: game, game: duel}\n",
         "13: sections.a.steps.0.kind: 自己的小课里放不了game"),
        (SMALL + "examples:\n  chengdu-food: {title: 我的, documents: [甲: 1]}\n",
         "10: examples.chengdu-food: 课程里已经有叫“chengdu-food”的例题了"),
        (SMALL + "  q2: {stem: 数, question: {quantity: term, grades: [1, 2], rank: 7}}\n",
         "9: items.q2.question: “rank = 7”不行"),
    ],
)  # fmt: skip
def test_a_fault_names_line_path_and_what_was_expected(text: str, expected: str) -> None:
    faults = fault_lines(text)
    assert any(line.lstrip(":").lstrip().startswith(expected) for line in faults), faults


@pytest.mark.parametrize(
    ("item_id", "named_example"),
    [
        ("hotpot-example", "examples:\n  hotpot: {title: 我的, documents: [甲: 1, 乙: 3]}\n"),
        ("chengdu-food-example", "sections:\n  a: {title: 甲, steps: [example: chengdu-food]}\n"),
    ],
    ids=["an example of its own", "an example of the course"],
)
def test_an_item_whose_turn_is_called_like_that_of_an_example_is_a_fault(
    item_id: str, named_example: str
) -> None:
    text = f"title: 一份\nskill: ndcg\nitems:\n  {item_id}:\n    stem: 数\n"
    text += f"    question: {{quantity: ndcg, grades: [3, 2, 1, 3]}}\n{named_example}"
    (line,) = fault_lines(text)
    assert f"4: items.{item_id}: 这个id要留给自动生成的“换你”" in line


def test_an_item_of_an_unknown_exercise_is_one_fault() -> None:
    (line,) = fault_lines(SMALL + "  q2: {exercise: nope, level: 1}\n")
    assert "9: items.q2.exercise: 没有叫“nope”的练习" in line


def test_a_slip_of_the_program_is_no_fault_of_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    text = SMALL + "  q2: {stem: 数, question: {quantity: dcg, grades: [1, 2]}}\n"
    monkeypatch.setattr(Numeric, "solution", lambda _: {"a": []}["grades"])
    with pytest.raises(KeyError):
        parse_own(text, 42, PUBLISHED)


def test_all_faults_of_the_items_are_told_at_once() -> None:
    text = SMALL.replace("stem:", "stm:") + "  q2: {stem: 好, answer: 5}\n"
    assert len(fault_lines(text)) == 3


BILLION = "a: &a [x, x]\n" + "".join(
    f"{new}: &{new} [*{old}, *{old}, *{old}]\n" for old, new in zip("abcdefghi", "bcdefghij", strict=True)
)
HOSTILE = {
    "an alias": (SMALL + "x: &a 1\n", "不能用“&”起名"),
    "billion laughs": (BILLION, "不能用“&”起名"),
    "a tag": ("title: !!python/object/apply:os.system [ls]\n", "不能用“!”开头的标签"),
    "an own tag": ("title: !foo 一份\n", "不能用“!”开头的标签"),
    "a merge": ("title: 甲\nitems:\n  <<: {q: 1}\n", "只能用小写字母"),
    "brackets without end": ("title: " + "[" * 50_000, "太长了"),
    "brackets in lines": ("title: \n" + " [\n" * 30_000, "套得太深了"),
    "mappings without end": ("\n".join(" " * n + "a:" for n in range(300)), "套得太深了"),
    "a megabyte in one line": ("title: " + "甜" * 1_000_000, "太大了"),
    "a long line": ("title: 甲 # " + "a" * LONGEST_TEXT, "这一行太长了"),
    "a long text": ("title: 甲\nx: |\n" + "  甜甜甜甜甜甜甜甜甜\n" * 500, "这一段太长了"),
    "a huge number": ("title: 甲\nskill: dcg\nx: " + "9" * 3000, "这个数太大"),
    "infinity": ("title: 甲\nskill: 1e999\n", "这个数太大"),
    "ten thousand keys": ("".join(f"k{n}: 1\n" for n in range(10_000)), "太多了"),
    "a control sign": ("title: 甲\x07\n", "看不见的字符"),
    "two documents": ("title: 甲\n---\ntitle: 乙\n", "只写一份"),
    "a formula without end": (SMALL.replace("第3位", "$" + r"\sqrt{" * 400 + "x" + "}" * 400 + "$"), "太深"),
    "a figure that never closes": (SMALL.replace("第3位", "'{{ a" + " " * 3900 + "'"), "读不懂"),
}  # fmt: skip


@each("name", HOSTILE)
def test_a_hostile_text_is_refused_quickly_with_a_sentence(name: str) -> None:
    text, sentence = HOSTILE[name]
    begun = processor_seconds()
    assert any(sentence in line for line in fault_lines(text)), fault_lines(text)[:3]
    assert processor_seconds() - begun < QUICK


BOMBS = (
    "{{ a" + " " * 3800 + "b | 2 }}",
    "{{" * 1900,
    "[" * 3900,
    "[[a|" * 900,
    "*a_ " * 900,
    "1" * 3900,
    "![a](" * 700,
    "<" * 3900,
    "> " * 1900,
    "`" * 3900,
    "$a$" * 1300,
)


@each("bomb", BOMBS)
def test_no_text_keeps_the_reader_busy(bomb: str) -> None:
    text = f"title: 甲\nskill: dcg\nitems:\n  q:\n    answer: true\n    stem: |\n      {bomb}\n"
    begun = processor_seconds()
    parse_own(text, 1, PUBLISHED)
    assert processor_seconds() - begun < QUICK


def test_html_is_text() -> None:
    course = own(SMALL.replace("第3位", "<script>alert(1)</script><img src=x onerror=y>"))
    html = course.html(course.items["q1"].stem)
    assert "<script" not in html
    assert "<img" not in html


@each(
    ("data", "text"),
    [
        (b"\xef\xbb\xbf" + "title: 甜".encode(), "title: 甜"),
        ("title: 甜".encode("gb18030"), "title: 甜"),
        ("\ufefftitle: 甜".encode("utf-16-le"), "title: 甜"),
    ],
)
def test_files_of_every_editor_are_read(data: bytes, text: str) -> None:
    assert own_content_text(data).removeprefix("\ufeff") == text


@each("data", [b"\xff\xff\xff\xff\x80", b"x" * (LARGEST_FILE + 1)])
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(Faults):
        own_content_text(data)


WORDS = st.sampled_from([
    "title", "items", "skill", "stem", "options", "answer", "true", "dcg", "steps", "ask", "q1",
    "sections", "say", "documents", "question", "grades", "quantity", "ndcg", "cards", "front",
    "back", "examples", "kind", "numeric", "lines", "wrong", "text", "right", "values", "recap",
    "literal", "pool", "k", "1", "-1", "0.5", "null", "甜", "$x$", "$\\frac{1}$", "{{ a | 2 }}",
    "[[dcg]]", "minutes", "id", "twin", "given", "level", "exercise", "rank", "ranking", "query",
    "hints", "feedback", "figure", "contributions", "example", "chengdu-food", "decimals",
])  # fmt: skip
THINGS = st.recursive(
    WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=5),
    max_leaves=25,
)


def flow(thing: object) -> str:
    if isinstance(thing, list):
        return "[" + ", ".join(map(flow, thing)) + "]"
    if isinstance(thing, dict):
        return "{" + ", ".join(f"{flow(key)}: {flow(value)}" for key, value in thing.items()) + "}"
    text = str(thing)
    return f"'{text}'" if set(text) & set("${[") else text


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(WORDS, THINGS, max_size=5))
def test_whatever_is_written_is_read_or_refused(thing: dict[str, object]) -> None:
    body = "".join(f"{flow(key)}: {flow(value)}\n" for key, value in thing.items())
    own_course = parse_own(f"{body}", 1, PUBLISHED)
    assert isinstance(own_course, Course | Faults)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([path.read_text("utf-8") for path in TEMPLATES]), st.data())
def test_a_broken_template_is_read_or_refused(text: str, data: st.DataObject) -> None:
    """One word of a sound text becomes another."""
    place = data.draw(st.integers(0, len(text) - 1))
    length, new = data.draw(st.integers(0, 12)), data.draw(WORDS | st.text(max_size=6))
    own_course = parse_own(text[:place] + new + text[place + length :], 1, PUBLISHED)
    assert isinstance(own_course, Course | Faults)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_noise_is_read_or_refused(text: str) -> None:
    assert isinstance(parse_own(text, 1, PUBLISHED), Course | Faults)


OWN_SKILLS = """\
title: 检索模型
skill: bm25
skills:
  inverted-index: 倒排索引
  bm25:
    name: BM25
    needs: [inverted-index, dcg]
items:
  q1:
    stem: k1管的是词频的饱和。
    answer: true
"""


def test_knowledge_points_of_ones_own_stand_beside_those_of_the_course() -> None:
    course = own(OWN_SKILLS)
    assert course.items["q1"].skill == "bm25"
    assert course.skills["bm25"].name == "BM25"
    assert course.skills["bm25"].needs == ["inverted-index", "dcg"]
    assert course.skills["inverted-index"].name == "倒排索引"
    assert set(course.skills) - set(PUBLISHED.skills) == {"bm25", "inverted-index"}
    assert "bm25" not in PUBLISHED.skills


@each(
    ("wrong", "sentence"),
    [
        ("[inverted-index, dgc]", ":7: skills.bm25.needs.1: 没有叫“dgc”的知识点"),
        ("[bm25]", ":7: skills.bm25.needs: 绕了一圈又需要它自己"),
        ("[1]", ":7: skills.bm25.needs.0: 这里要写文字"),
    ],
)
def test_what_a_knowledge_point_needs_must_be_there(wrong: str, sentence: str) -> None:
    assert fault_lines(OWN_SKILLS.replace("[inverted-index, dcg]", wrong)) == [sentence]


def test_a_knowledge_point_of_the_course_keeps_its_name() -> None:
    """It is a fault while somebody writes; a text from before the course had it is read as it is."""
    text = OWN_SKILLS.replace("inverted-index: 倒排索引", "dcg: 我的DCG").replace("inverted-index, ", "")
    course = own(text)
    assert course.skills["dcg"] == PUBLISHED.skills["dcg"]
    assert course.items["q1"].skill == "bm25"
    assert Faults(taken_skill_faults(text, PUBLISHED)).lines() == [
        ":4: skills.dcg: 课程里已经有知识点“dcg”：直接用它，或者给你的换个名字"
    ]
    assert taken_skill_faults(OWN_SKILLS, PUBLISHED) == []
    assert taken_skill_faults(SMALL, PUBLISHED) == []


def test_the_only_knowledge_point_of_ones_own_may_become_one_of_the_course() -> None:
    course = own(OWN_SKILLS.replace("  inverted-index: 倒排索引\n", "").replace("bm25", "dcg"))
    assert course.items["q1"].skill == "dcg"
    assert course.skills == PUBLISHED.skills


FIRST_STEPS = """\
# 说明
title: 一道单选题
skill: discount

items:
  third-place:
    stem: 排在第3位，这一项要打几折？
    options:
      - text: 打五折
        right: true
      - text: 打三三折
        feedback: 你拿1除以了名次3。
      - 不打折
      - 打七折
    hints:
      - 名次先加1。
"""


@each(
    ("sound", "slip", "words"),
    [
        ("stem: 排", "stem:排", "冒号后面要空一格：写成“stem: …”"),
        ("feedback: 你", "feedback:你", "写成“feedback: …”"),
        ("right: true", "right:true", "写成“right: …”"),
        ("title: 一", "title:一", "写成“title: …”"),
        ("- 不打折", "-不打折", "“-”后面要空一格"),
        ("- text: 打三", "-text: 打三", "“-”后面要空一格"),
        ("- 名次", "-名次", "“-”后面要空一格"),
        ("    stem: 排", "　　stem: 排", "全角空格"),
        ("        feedback", "　　　　feedback", "全角空格"),
        ("items:", "items", "后面少了冒号：写成“items:”"),
        ("stem: 排", "stem：排", "中文的“：”"),
        ("skill: discount", "skill: 折损", "折损写成discount"),
        ("skill: discount", "skill: 召回", "先在skills里给“召回”起一个"),
        ("third-place:", "第三名:", "“第三名”是代号"),
    ],
)
def test_a_first_slip_is_told_in_its_own_line(sound: str, slip: str, words: str) -> None:
    text = FIRST_STEPS.replace(sound, slip, 1)
    pairs = zip(FIRST_STEPS.split("\n"), text.split("\n"), strict=True)
    line = next(number for number, (before, after) in enumerate(pairs, 1) if before != after)
    [sentence, *_] = fault_lines(text)
    assert sentence.startswith(f":{line}: "), sentence
    assert words in sentence


@each("value", ["[q2]", "{a: 1}", "", "3", "true", "[[1], {b: 2}]"])
def test_a_value_of_another_type_is_a_fault_and_no_crash(value: str) -> None:
    """In every field in turn: a list, a map, nothing, a number or a yes, where something else is expected."""
    lines = [*FIRST_STEPS.split("\n"), "    twin: q2", "  q2: {stem: 问, answer: true}"]
    for number, line in enumerate(lines):
        name, colon, _ = line.partition(": ")
        if colon:
            changed = "\n".join([*lines[:number], f"{name}: {value}", *lines[number + 1 :]])
            assert parse_own(changed, 42, PUBLISHED) is not None
