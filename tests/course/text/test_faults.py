"""What `check` says: file, line, path and what was expected, for everything at once."""

import re
from pathlib import Path
from typing import get_args

import pytest

from app.course import Course, Faults, load_course, parse_course
from app.course.items.kinds import AnyItem
from tests.course.small import FILES, changed, course, faults
from tests.tables import each

LESSON, ITEMS, EXAMPLES = "01-first/lesson.yaml", "01-first/items.yaml", "01-first/examples.yaml"
SECOND_STAGE = "  - {id: later, title: 以后, summary: 还没写。, folder: 02-later}"
ALL_KINDS = get_args(get_args(AnyItem)[0])
SECOND_LESSON = """\
goals: [再来。]
sections:
  - id: three
    title: 第三节
    minutes: 1
    steps:
      - {id: walk, kind: example, example: tea}
"""


def test_the_small_course_has_no_faults() -> None:
    assert isinstance(course(), Course)


@each(
    ("file", "old", "new", "expected"),
    [
        pytest.param(
            ITEMS, "  stem: 哪个好？\n", "", f"{ITEMS}:1: which.stem: 缺少这一项", id="missing field"
        ),
        pytest.param(
            ITEMS,
            "  hints: [先写三项。]",
            "  hint: [先写三项。]",
            f"{ITEMS}:36: sum.hint: 没有这个字段，可能拼错了",
            id="misspelt field",
        ),
        pytest.param(
            ITEMS,
            "{id: a, text: 甲, right: true, feedback: 对，甜的在前。}",
            "{id: a, text: 甲, right: true}",
            f"{ITEMS}:6: which.options.0.feedback: 缺少这一项",
            id="an option without feedback",
        ),
        pytest.param(
            EXAMPLES, "grade: 2", 'grade: "2"', f"{EXAMPLES}:4: tea.documents.0.grade: 这里要写数", id="text"
        ),
        pytest.param(
            EXAMPLES, "grade: 3", "grade: true", f"{EXAMPLES}:5: tea.documents.1.grade: 这里要写数", id="true"
        ),
        pytest.param(
            EXAMPLES, "k: 3", "k: 2.5", f"{EXAMPLES}:7: tea.k: 这里要写整数", id="a broken whole number"
        ),
        pytest.param(EXAMPLES, "k: 3", "k: 0", f"{EXAMPLES}:7: tea.k: 不能小于1", id="too small"),
        pytest.param(
            EXAMPLES,
            "k: 3",
            "pool: []",
            f"{EXAMPLES}:7: tea.pool: 至少要有1个，这里只有0个",
            id="an empty pool",
        ),
        pytest.param(
            EXAMPLES,
            "  k: 3",
            "  pool: [3, 1]",
            f"{EXAMPLES}:1: tea: pool（评判池）里少了甜度2、0：它要包含这一列里打过甜度的每一篇",
            id="a pool without the list",
        ),
        pytest.param(
            EXAMPLES,
            "  k: 3",
            '  published: {ndcg: "0.9"}',
            f"{EXAMPLES}:1: tea: 有published（发表的数字）就要有source（出处）",
            id="published without a source",
        ),
        pytest.param(
            ITEMS,
            "kind: order",
            "kind: riddle",
            f"{ITEMS}:42: sort: 没有“riddle”这一种；kind只能是",
            id="unknown kind",
        ),
        pytest.param(
            LESSON,
            "item: which, probe",
            "item: witch, probe",
            f"{LESSON}:9: sections.0.steps.0.item: 没有叫“witch”的题目",
            id="unknown item",
        ),
        pytest.param(
            LESSON,
            "kind: example, example: tea",
            "kind: example, example: coffee",
            f"{LESSON}:16: sections.0.steps.3.example: 没有叫“coffee”的例题",
            id="unknown example",
        ),
        pytest.param(
            LESSON,
            "figure: candy_row, example: tea, ",
            "figure: candy_row, ",
            f"{LESSON}:15: sections.0.steps.2.example: 图candy_row要写example（画哪个例题）",
            id="a figure of nothing",
        ),
        pytest.param(
            ITEMS,
            "example: tea",
            "example: coffee",
            f"{ITEMS}:41: of-tea.question.example: 没有叫“coffee”的例题",
            id="a numeric item of an unknown example",
        ),
        pytest.param(
            ITEMS,
            "{quantity: ndcg, example: tea}",
            "{quantity: term, example: tea, rank: 9}",
            f"{ITEMS}:41: of-tea.question.example: 这个例题算不出来：",
            id="a numeric item beyond its example",
        ),
        pytest.param(
            ITEMS,
            "  hints: [先写三项。]",
            "  ranking: {query: 茶, documents: [{title: 甲, grade: 3}, {title: 乙, grade: 1}]}",
            f"{ITEMS}:36: sum.ranking: 画出来的甜度是3、1，question问的却是3、2、1：两处要一样",
            id="other documents than it asks about",
        ),
        pytest.param(
            ITEMS,
            "  question: {quantity: ndcg, example: tea}",
            "  question: {quantity: ndcg, example: tea}\n"
            "  ranking: {query: 茶, documents: [{title: 甲, grade: 3}, {title: 乙, grade: null}]}",
            f"{ITEMS}:42: of-tea.ranking: 画出来的甜度是3、未标注，question问的却是2、3、0：两处要一样",
            id="other documents than those of its example",
        ),
        pytest.param(
            ITEMS,
            "  question: {quantity: ndcg, grades: [2, 3, 0], k: 3}",
            "  question: {quantity: ndcg, grades: [2, 3], k: 3, pool: [2, 3]}\n"
            "  ranking: {query: 茶, documents: [{title: 甲, grade: 2}, {title: 乙, grade: 3}],"
            " unseen: [{title: 丙, grade: 1}]}",
            f"{ITEMS}:81: table.ranking: 画出来的评判池是3、2、1，question的pool却是3、2：两处要一样",
            id="an unseen document that the pool lacks",
        ),
        pytest.param(
            ITEMS,
            "kind: order\n  skill: order",
            "kind: order\n  skill: ordering",
            f"{ITEMS}:44: sort.skill: skills.yaml里没有知识点“ordering”",
            id="unknown skill",
        ),
        pytest.param(
            ITEMS,
            "twin: holds-again",
            "twin: gone",
            f"{ITEMS}:16: holds.twin: 没有叫“gone”的题目",
            id="unknown twin",
        ),
        pytest.param(
            ITEMS,
            "  twin: holds-again\n",
            "",
            f"{ITEMS}:10: holds.twin: 判断题、三个选项以内的单选题、三行的找错题要有twin（换个样子再问）",
            id="true_false without a twin",
        ),
        pytest.param(
            ITEMS,
            "twin: holds-again",
            "twin: holds",
            f"{ITEMS}:16: holds.twin: twin写成了这道题自己",
            id="own twin",
        ),
        pytest.param(
            ITEMS,
            "feedback: {right: 是的。, wrong: 想想最后一位。}",
            "feedback: {right: 是的。, wrong: 想想最后一位。}\n  twin: which",
            f"{ITEMS}:16: holds.twin: “holds-again”自己又有twin：twin的twin不会被问到",
            id="a twin with a twin",
        ),
        pytest.param(
            ITEMS,
            "twin: holds-again",
            "twin: which",
            f"{ITEMS}:16: holds.twin: “which”在别处也用了：一道twin只陪一道题",
            id="a twin that is asked elsewhere",
        ),
        pytest.param(
            ITEMS,
            "feedback: 先看头一颗。}",
            "feedback: 先看头一颗。, right: true}",
            f"{ITEMS}:1: which: 单选题要有正好一个right: true的选项，这里有2个",
            id="two right options",
        ),
        pytest.param(
            ITEMS,
            "text: 甲, right: true, feedback: 对，",
            "text: 甲, feedback: 对，",
            f"{ITEMS}:1: which: 单选题要有正好一个right: true的选项，这里有0个",
            id="single without a right option",
        ),
        pytest.param(
            ITEMS,
            "{id: d, text: 丁",
            "{id: c, text: 丁",
            f"{ITEMS}:1: which: 选项的id有重复：['a', 'b', 'c', 'c']",
            id="an option twice",
        ),
        pytest.param(
            ITEMS,
            "{id: z, text: 也甜",
            "{id: y, text: 也甜",
            f"{ITEMS}:42: sort: documents的id有重复：['x', 'y', 'y']",
            id="a document twice",
        ),
        pytest.param(
            ITEMS,
            "{id: x, text: 淡, grade: 0}",
            "{id: x, text: 淡, grade: 3}",
            f"{ITEMS}:42: sort: documents一开始就已经是理想排序了，换一个起始顺序",
            id="sorted from the start",
        ),
        pytest.param(
            ITEMS,
            "stem: 先后很要紧。",
            "stem: $\\frac{1}$",
            f"{ITEMS}:13: holds.stem: 公式 $\\frac{{1}}$ 读不懂：",
            id="bad formula",
        ),
        pytest.param(
            ITEMS,
            "stem: 先后很要紧。",
            "stem: 涨了$5%+1$。",
            f"{ITEMS}:13: holds.stem: 公式 $5%+1$ 里的 % 会让后面的全部消失",
            id="a percent sign in a formula",
        ),
        pytest.param(
            "glossary.yaml",
            "formula: i",
            "formula: \\frac{i",
            "glossary.yaml:4: 0.formula: 公式 $\\frac{i$ 读不懂：",
            id="bad formula of a term",
        ),
        pytest.param(
            LESSON,
            "{{ tea.dcg | 3 }}",
            "{{ milk.dcg | 3 }}",
            f"{LESSON}:12: sections.0.steps.1.text: {{{{ milk.dcg }}}}：没有叫“milk”的例题，",
            id="unknown figure",
        ),
        pytest.param(
            LESSON,
            "{{ tea.dcg | 3 }}",
            "{{ tea.dgc | 3 }}",
            f"{LESSON}:12: sections.0.steps.1.text: {{{{ tea.dgc }}}}：例题有这些数：cg dcg",
            id="a figure that examples do not have",
        ),
        pytest.param(
            LESSON,
            "{{ tea.dcg | 3 }}",
            "{{ tea.dcg }}",
            f"{LESSON}:12: sections.0.steps.1.text: {{{{ tea.dcg }}}}写得不对：",
            id="a figure without decimals",
        ),
        pytest.param(
            LESSON,
            "第3位打",
            "约0.63，第3位打",
            f"{LESSON}:12: sections.0.steps.1.text: “0.63”是手写的数字：",
            id="typed decimal",
        ),
        pytest.param(
            ITEMS,
            "feedback: 该选。}\n    - {id: b",
            "feedback: 约9成，90%。}\n    - {id: b",
            f"{ITEMS}:28: all-of-them.options.0.feedback: “90%”是手写的数字：",
            id="typed percent",
        ),
        pytest.param(
            LESSON,
            "{id: walk, kind: example, example: tea, guess: compare}",
            "{id: walk, kind: say, text: 又说一句。}",
            f"{LESSON}:16: sections.0.steps.3: 连着三步没有学习者的动作了：插一道题或一个例题",
            id="three passive steps",
        ),
        pytest.param(
            LESSON,
            "{id: walk, kind: example, example: tea, guess: compare}",
            "{id: walk, kind: recap, points: [记住。]}",
            f"{LESSON}:16: sections.0.steps.3: 连着三步没有学习者的动作了：插一道题或一个例题",
            id="a recap without a question is passive",
        ),
        pytest.param(
            LESSON,
            "- id: two",
            "- id: one",
            f"{LESSON}:19: sections.1.id: 这一节的id“one”在课程里用了两次",
            id="section",
        ),
        pytest.param(
            LESSON,
            "- id: two",
            "- divided_from: zero\n    id: two",
            f"{LESSON}:19: sections.1.divided_from: 这一阶段没有“zero”这一节",
            id="divided section",
        ),
        pytest.param(
            LESSON,
            "{id: sort, kind",
            "{id: sum, kind",
            f"{LESSON}:25: sections.1.steps.2.id: 这一步的id“sum”在这一节里用了两次",
            id="step twice",
        ),
        pytest.param(
            LESSON,
            "text: |\n",
            "tone: idea\n        text: |\n",
            f"{LESSON}:10: sections.0.steps.1: tone: idea要写source（出处），别的tone不写",
            id="an idea without its source",
        ),
        pytest.param(
            ITEMS,
            "  hints: [先写三项。]",
            "  id: total",
            f"{ITEMS}:36: sum.id: 不用写id：最前面的键就是id",
            id="an id written twice",
        ),
        pytest.param(
            ITEMS,
            "all-of-them:",
            "sum-turn:",
            f"{ITEMS}:23: sum-turn: 这个id要留给自动生成的“换你”",
            id="reserved id",
        ),
        pytest.param(
            "skills.yaml",
            "needs: []",
            "needs: [dcg]",
            "skills.yaml:2: dcg.needs: 绕了一圈又需要它自己",
            id="a circle of skills",
        ),
        pytest.param(
            "skills.yaml",
            "needs: [order]",
            "needs: [odour]",
            "skills.yaml:2: dcg.needs.0: 没有叫“odour”的知识点",
            id="unknown need",
        ),
        pytest.param(
            "course.yaml",
            "id: later",
            "id: first",
            "course.yaml:4: stages.1.id: id“first”用了两次",
            id="stage twice",
        ),
        pytest.param(
            ITEMS,
            "which:\n",
            "Which One:\n",
            f"{ITEMS}:1: Which One: 只能用小写字母、数字和连字符",
            id="an odd id",
        ),
    ],
)
def test_a_fault_says_where_and_what(file: str, old: str, new: str, expected: str) -> None:
    messages = faults(changed(file, old, new))
    assert any(line.startswith(expected) for line in messages), messages


@each(
    ("file", "text", "expected"),
    [
        (LESSON, "goals: [一\n", f"{LESSON}:2: YAML读不懂："),
        (ITEMS, "which: {}\nwhich: {}\n", f"{ITEMS}:2: YAML读不懂：重复的键'which'（第1行已经有了）"),
        (ITEMS, "- just a list\n", f"{ITEMS}:1: 这里要写“键: 值”"),
        ("course.yaml", "just text\n", "course.yaml:1: 这里要写“键: 值”"),
        ("glossary.yaml", "a: 1\n", "glossary.yaml:1: 这里要写一个列表"),
    ],
)
def test_a_file_of_another_kind_is_a_fault(file: str, text: str, expected: str) -> None:
    assert any(line.startswith(expected) for line in faults({**FILES, file: text}))


def test_a_missing_file_is_named() -> None:
    without = {name: text for name, text in FILES.items() if name != EXAMPLES}
    assert faults(without) == [f"{EXAMPLES}: 缺少这个文件"]


def test_a_broken_file_does_not_make_its_ids_unknown() -> None:
    """Nobody should look for an item that is there, in a file with a typo somewhere else."""
    kinds = ", ".join(repr(get_args(kind.model_fields["kind"].annotation)[0]) for kind in ALL_KINDS)
    assert faults(changed(ITEMS, "kind: order", "kind: riddle")) == [
        f"{ITEMS}:42: sort: 没有“riddle”这一种；kind只能是{kinds}"
    ]
    assert faults(changed(EXAMPLES, "title: 一壶茶", "titel: 一壶茶")) == [
        f"{EXAMPLES}:1: tea.title: 缺少这一项",
        f"{EXAMPLES}:2: tea.titel: 没有这个字段，可能拼错了",
    ]


def two_stages(items: str, examples: str = "{}\n") -> dict[str, str]:
    files = changed("course.yaml", "  - {id: later, title: 以后, summary: 还没写。}", SECOND_STAGE)
    second = {"lesson.yaml": SECOND_LESSON, "items.yaml": items, "examples.yaml": examples}
    return files | {f"02-later/{name}": text for name, text in second.items()}


def test_two_stages_read_together() -> None:
    assert isinstance(parse_course(two_stages("{}\n")), Course)


def test_an_item_twice_in_two_stages_is_named_with_both_places() -> None:
    again = "# 又一道\nwhich:\n" + FILES[ITEMS].partition("holds:")[0].partition("which:\n")[2]
    assert faults(two_stages(again)) == [f"02-later/items.yaml:2: which: 这个id在{ITEMS}第1行已经用过了"]


def test_an_example_twice_in_two_stages_is_named_with_both_places() -> None:
    messages = faults(two_stages("{}\n", FILES[EXAMPLES]))
    assert messages == [f"02-later/examples.yaml:1: tea: 这个id在{EXAMPLES}第1行已经用过了"]


def test_a_section_id_is_unique_in_the_whole_course() -> None:
    files = two_stages("{}\n")
    files["02-later/lesson.yaml"] = SECOND_LESSON.replace("id: three", "id: two")
    assert faults(files) == ["02-later/lesson.yaml:3: sections.0.id: 这一节的id“two”在课程里用了两次"]


def test_a_value_of_another_stage_is_not_overwritten_silently() -> None:
    files = two_stages("{}\n")
    value = "values:\n  half: {quantity: discount, grades: [1], rank: 1}\n"
    files["02-later/lesson.yaml"] = SECOND_LESSON.replace("sections:\n", value + "sections:\n")
    assert faults(files) == ["02-later/lesson.yaml:3: values.half: 别的阶段已经有叫“half”的数了"]


def test_all_faults_are_told_at_once_in_the_order_of_files_and_lines() -> None:
    """A field misspelt in one file hides neither a typed figure in a second nor a wrong name in a third."""
    files = changed(LESSON, "第3位打", "约0.63，第3位打")
    files[EXAMPLES] = FILES[EXAMPLES].replace("  k: 3", "  cutoff: 3")
    files["skills.yaml"] = FILES["skills.yaml"].replace("needs: [order]", "needs: [odour]")
    files[ITEMS] = (
        FILES[ITEMS]
        .replace("twin: holds-again", "twin: gone")
        .replace("skill: dcg\n  stem: 茶", "skill: gcd\n  stem: 茶")
    )
    messages = [line.split(": ")[0] + ": " + line.split(": ")[1] for line in faults(files)]
    assert messages == [
        f"{EXAMPLES}:7: tea.cutoff",
        f"{ITEMS}:16: holds.twin",
        f"{ITEMS}:17: holds-again.twin",
        f"{ITEMS}:39: of-tea.skill",
        f"{LESSON}:12: sections.0.steps.1.text",
        "skills.yaml:2: dcg.needs.0",
    ]


def test_a_literal_figure_is_allowed_where_its_reason_stands() -> None:
    files = changed(LESSON, "第3位打", "约0.63，第3位打")
    files[LESSON] = files[LESSON].replace(
        "        text: |", '        literal: {"0.63": 引自原文}\n        text: |'
    )
    assert isinstance(parse_course(files), Course)


def test_a_published_figure_is_allowed_where_it_stands_with_its_source() -> None:
    files = changed(ITEMS, "第2位要除以3的对数。", "这样会得出5.5，第2位要除以3的对数。")
    assert isinstance(parse_course(files), Course)
    files[ITEMS] = files[ITEMS].replace('"5.5"', '"5.6"')
    assert "“5.5”是手写的数字" in faults(files)[0]


def test_the_folder_of_no_course_is_a_fault(tmp_path: Path) -> None:
    loaded = load_course(tmp_path)
    assert isinstance(loaded, Faults)
    assert "course.yaml" in str(loaded)


def test_a_folder_reads_like_its_files_also_with_a_byte_order_mark(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8-sig")
    read = load_course(tmp_path)
    assert isinstance(read, Course)
    assert read.digest == course().digest


def test_bytes_that_are_no_text_are_a_fault(tmp_path: Path) -> None:
    (tmp_path / "course.yaml").write_bytes(b"title: \xff\n")
    assert isinstance(load_course(tmp_path), Faults)


def test_every_sentence_for_authors_is_chinese() -> None:
    """No English of pydantic in the faults of common slips."""
    files = changed(EXAMPLES, "grade: 0", "grade: -1")
    files[ITEMS] = FILES[ITEMS].replace("decimals", "x").replace("1], k: 3}", "1], k: [3]}")
    files[LESSON] = (
        FILES[LESSON].replace("minutes: 3", "minutes: soon").replace("guess: compare", "guess: maybe")
    )
    files["skills.yaml"] = FILES["skills.yaml"].replace("needs: []", "needs: order")
    messages = faults(files)
    assert len(messages) == 5, messages
    assert all(re.search(r"[\u4e00-\u9fff]", line) for line in messages), messages


@each(
    ("file", "old", "new", "expected"),
    [
        pytest.param(
            ITEMS, "stem: 哪个好？", "stem: 哪个[[gone]]好？",
            f"{ITEMS}:4: which.stem: [[gone]]：术语表里没有“gone”", id="an unknown term",
        ),
        pytest.param(
            "glossary.yaml", "text: 从上", "text: 见[[gone|那边]]，从上",
            "glossary.yaml:5: 0.text: [[gone|那边]]：术语表里没有“gone”", id="in the glossary itself",
        ),
        pytest.param(
            ITEMS, "text: 乙, feedback: 再看", 'text: "看[[rank]]", feedback: 再看',
            f"{ITEMS}:7: which.options.1.text: 选项和卡片正面是要点按的，里面不放术语链接", id="on an option",
        ),
        pytest.param(
            "01-first/cards.yaml", "front: 第3位打几折？", "front: 第3个[[rank]]打几折？",
            "01-first/cards.yaml:3: weight-of-third.front: 选项和卡片正面是要点按的，里面不放术语链接",
            id="on the front of a card",
        ),
    ],
)  # fmt: skip
def test_links_into_the_glossary(file: str, old: str, new: str, expected: str) -> None:
    assert faults(changed(file, old, new)) == [expected]


def test_a_term_that_is_there_may_be_linked() -> None:
    site_course = parse_course(changed(ITEMS, "stem: 哪个好？", "stem: 哪个[[rank]]好？"))
    assert isinstance(site_course, Course)
    assert '<a class="term-link" href="/glossary#rank">排名</a>' in site_course.html(
        site_course.items["which"].stem
    )


def test_nobody_says_a_term_is_missing_while_the_glossary_cannot_be_read() -> None:
    files = changed(ITEMS, "stem: 哪个好？", "stem: 哪个[[rank]]好？")
    files["glossary.yaml"] = files["glossary.yaml"].replace("  zh: 排名\n", "")
    assert [line for line in faults(files) if "术语表" in line] == []
