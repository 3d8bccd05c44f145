"""Markdown that is right for Chinese, and harmless."""

import re

import pytest

from app.course.text.markdown import UnknownTerm, render, render_line
from tests.tables import each


@each(
    ("text", "html"),
    [
        ("**定义：**在这里", "<strong>定义：</strong>在这里"),
        ("**甜度：**NDCG", "<strong>甜度：</strong>NDCG"),
        ("**约3颗：**3", "<strong>约3颗：</strong>3"),
        ("这是**“重点”**吗", "这是<strong>“重点”</strong>吗"),
        ("**“引用”**ok", "<strong>“引用”</strong>ok"),
        ("看**（注）**后", "看<strong>（注）</strong>后"),
        ("用**NDCG**比", "用<strong>NDCG</strong>比"),
        ("**一**，**二**", "<strong>一</strong>，<strong>二</strong>"),
        ("*强调。*然后", "<em>强调。</em>然后"),
        ("a**b**c", "a<strong>b</strong>c"),
        ("**《书》**和**《报》**", "<strong>《书》</strong>和<strong>《报》</strong>"),
        ("**停！**——走", "<strong>停！</strong>——走"),
        ("3 * 2 * 1", "3 * 2 * 1"),
        ("** 空 **", "** 空 **"),
        ("`**原样**`", "<code>**原样**</code>"),
        (r"\*\*原样\*\*", "**原样**"),
    ],
)
def test_bold_stands_beside_chinese(text: str, html: str) -> None:
    assert render_line(text) == html
    assert render(text) == f"<p>{html}</p>\n"


@each(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        '<p style="color:red" onclick="x()">a</p>',
        "[点我](javascript:alert(1))",
        "[点我](JaVaScRiPt:alert(1))",
        "[点我](data:text/html,<script>x</script>)",
        "![图](https://example.org/x.png)",
        "<https://example.org/?a=<script>>",
        "`<script>`",
        "```\n<script>\n```",
        "$\\text{<script>x</script>}$",
        "$<img src=x onerror=alert(1)>$",
        "| <b onclick=x()>a</b> |\n|--|\n| b |",
    ],
)
def test_nothing_harmful_comes_through(text: str) -> None:
    for html in (render(text), render_line(text)):
        lowered = html.lower()
        assert "<script" not in lowered
        assert "<img" not in lowered
        assert 'href="javascript' not in lowered
        assert 'href="data' not in lowered
        without_values = re.sub(r'"[^"]*"', '""', lowered)
        inside_tags = " ".join(tag.split(">")[0] for tag in without_values.split("<")[1:])
        assert " on" not in inside_tags
        assert " style" not in inside_tags


def test_html_is_shown_as_it_was_typed() -> None:
    assert render_line("<b>粗</b>") == "&lt;b&gt;粗&lt;/b&gt;"


def test_a_link_to_a_page_stays() -> None:
    assert render_line("[糖](https://example.org)") == '<a href="https://example.org">糖</a>'


def test_a_table_keeps_its_alignment() -> None:
    html = render("| 名次 | 折损 |\n|:--|--:|\n| 1 | 原价 |")
    assert "<table>" in html
    assert "<th>名次</th>" in html or '<th align="left">名次</th>' in html
    assert "原价" in html
    assert "style" not in html


def test_a_list_and_a_quote() -> None:
    assert "<li>一</li>" in render("- 一\n- 二")
    assert render("> 古人云").startswith("<blockquote>")


def test_a_formula_in_a_line_is_mathml() -> None:
    assert render_line("看$x_1$吧").startswith('看<span class="math inline"><math aria-label="x下标1">')


def test_a_formula_of_its_own_has_a_line_of_text_for_old_browsers() -> None:
    html = render("$$\n\\NDCG@k = \\frac{\\DCG@k}{\\IDCG@k}\n$$")
    assert '<math aria-label="NDCG@k等于分子是DCG@k、分母是IDCG@k的分数" display="block">' in html
    assert 'aria-label="公式：NDCG@k等于分子是DCG@k、分母是IDCG@k的分数"' in html
    assert '<span class="eq-text">NDCG@k = DCG@k/IDCG@k</span>' in html
    assert 'tabindex="0"' in html


def test_a_block_formula_in_the_middle_of_a_line_does_not_break_the_paragraph() -> None:
    assert "<div" not in render("前$$x^2$$后")
    assert render("前$$x^2$$后").count("<p>") == 1
    assert "<div" not in render_line("前$$x^2$$后")


def test_a_price_is_no_formula() -> None:
    assert "<math" not in render("一杯5$，两杯9$。")


TERMS = {"dcg": "折损累计增益DCG", "ideal-ranking": "理想排序"}


@each(
    ("text", "html"),
    [
        ("[[dcg]]", '<a class="term-link" href="/glossary#dcg">折损累计增益DCG</a>'),
        ("[[dcg|总分]]", '<a class="term-link" href="/glossary#dcg">总分</a>'),
        ("先看[[ideal-ranking]]，", '先看<a class="term-link" href="/glossary#ideal-ranking">理想排序</a>，'),
        ("**[[dcg]]**", '<strong><a class="term-link" href="/glossary#dcg">折损累计增益DCG</a></strong>'),
        ("[[dcg|a<b]]", '<a class="term-link" href="/glossary#dcg">a&lt;b</a>'),
        ("`[[dcg]]`", "<code>[[dcg]]</code>"),
        ("`x = [[3, 2], [1]]`", "<code>x = [[3, 2], [1]]</code>"),
        ("[[3, 2], [1]]", "[[3, 2], [1]]"),
        ("[[DCG]]", "[[DCG]]"),
        ("[[dcg|]]", "[[dcg|]]"),
        ("[[dcg", "[[dcg"),
    ],
)
def test_a_term_leads_into_the_glossary(text: str, html: str) -> None:
    assert render_line(text, TERMS) == html
    assert render(text, TERMS) == f"<p>{html}</p>\n"


def test_a_formula_holds_no_link() -> None:
    assert "<a" not in render_line("$x_{[[dcg]]}$", TERMS)


@each("text", ["[[gone]]", "看[[gone|这里]]"])
def test_a_term_that_the_glossary_does_not_have_is_refused(text: str) -> None:
    with pytest.raises(UnknownTerm, match="术语表里没有“gone”"):
        render(text, TERMS)


def test_a_table_of_very_many_columns_stays_text() -> None:
    """Each of its rows would be as wide as its head: the square of what was written."""
    for columns, tables in ((24, 1), (26, 0)):
        head, rule = "|".join("a" * columns), "|".join("-" * columns)
        assert render(f"{head}\n{rule}\n|\n").count("<table>") == tables


def test_a_table_of_more_places_than_signs_stays_text() -> None:
    """A row of one sign is drawn as wide as the head: a text of 2,000 signs would have 20,000 places."""
    wide = "|".join("a" * 20) + "\n" + "|".join("-" * 20) + "\n"
    assert render(wide + "|\n" * 3).count("<td>") == 60
    assert "<table>" not in render(wide + "|\n" * 60)
    full = wide + ("|".join("b" * 20) + "\n") * 60
    assert render(full).count("<td>") == 1200
    assert render(f"> {wide}\n\n甜\n" + wide + "|\n" * 3).count("<td>") == 60
