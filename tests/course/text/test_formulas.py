"""Formulas: MathML Core without inline styles, all of its letters in the font we ship."""

import csv
import hashlib
import re
from html import unescape
from pathlib import Path

import pytest

from app.course.text.formulas import BadFormula, formula_mathml
from app.course.text.speech import formula_line, spoken_formula
from tests.rationed import rationed_fork
from tests.tables import each

ROOT = Path(__file__).resolve().parents[3]
FONT = ROOT / "static/fonts/stix-two-math-subset.woff2"
CHARACTERS = Path(__file__).parents[1] / "data/math_font_characters.txt"

SPOKEN = Path(__file__).parents[2] / "data/spoken_formulas.csv"
"""Each formula of the course, and how it is said."""


def in_the_font() -> set[int]:
    lines = CHARACTERS.read_text(encoding="utf-8").splitlines()
    spans = " ".join(line for line in lines if not line.startswith("#")).split()
    ends = [[int(end, 16) for end in span.split("-")] for span in spans]
    return {letter for end in ends for letter in range(end[0], end[-1] + 1)}


def drawn(mathml: str) -> set[int]:
    """What a browser draws: a letter alone in `mi` is mathematical italic; 汉字 come from the text font."""
    letters: set[int] = set()
    for tag, attributes, escaped in re.findall(r"<(mi|mo|mn|mtext|ms)\b([^>]*)>([^<]*)<", mathml):
        text = unescape(escaped)
        italic = tag == "mi" and len(text) == 1 and 'mathvariant="normal"' not in attributes
        letters |= {in_italics(letter) if italic else ord(letter) for letter in text}
    return {letter for letter in letters if not 0x3000 <= letter <= 0x9FFF and not 0xFF00 <= letter <= 0xFFEF}


def in_italics(letter: str) -> int:
    if letter == "h":
        return 0x210E
    if "a" <= letter <= "z":
        return 0x1D44E + ord(letter) - ord("a")
    if "A" <= letter <= "Z":
        return 0x1D434 + ord(letter) - ord("A")
    if "α" <= letter <= "ω":
        return 0x1D6FC + ord(letter) - ord("α")
    return ord(letter)


def test_the_list_of_characters_is_that_of_the_font_we_ship() -> None:
    match = re.search(r"sha256 of the font: (\w+)", CHARACTERS.read_text(encoding="utf-8"))
    assert match, "the list names its font"
    assert hashlib.sha256(FONT.read_bytes()).hexdigest() == match[1], (
        "read the characters of the new font again"
    )


@each("letter", "xhkiαΩ")
def test_a_lone_letter_is_looked_for_in_italics(letter: str) -> None:
    assert drawn(f"<mi>{letter}</mi>") != {ord(letter)} or letter == "Ω"
    assert drawn(f'<mi mathvariant="normal">{letter}</mi>') == {ord(letter)}


def formulas_of_content() -> list[str]:
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "content").rglob("*.yaml")))
    inline = [formula for formula in re.findall(r"\$([^$\n]+)\$", text) if "{{" not in formula]
    alone = [formula.strip("'") for formula in re.findall(r"^\s+formula: (.+)$", text, re.MULTILINE)]
    return sorted(set(inline + alone))


def test_there_are_formulas_to_look_at() -> None:
    assert len(formulas_of_content()) > 20


@each("latex", formulas_of_content())
def test_every_letter_of_the_content_is_in_the_font(latex: str) -> None:
    missing = drawn(formula_mathml(latex)) | drawn(formula_mathml(latex, is_block=True))
    assert not {chr(letter) for letter in missing - in_the_font()}


@each("name", ["rel", "CG", "DCG", "IDCG", "NDCG"])
def test_the_macros_are_known(name: str) -> None:
    assert drawn(formula_mathml(f"\\{name}")) <= in_the_font()
    assert name in re.sub(r"<[^>]*>", "", formula_mathml(f"\\{name}")) or name == "rel"


@each(
    "latex",
    [
        r"\begin{cases} 1 & x \\ 0 & y \end{cases}",
        r"\begin{aligned} a &= b \\ &= c \end{aligned}",
        r"\sum_{i=1}^{k} \frac{2^{\rel_i}-1}{\log_2(i+1)}",
        r"\sqrt{x} \cdot \left( \frac{1}{2} \right)",
    ],
)
def test_there_is_never_an_inline_style(latex: str) -> None:
    for block in (False, True):
        assert " style=" not in formula_mathml(latex, block)


@each(
    ("latex", "why"),
    [
        (r"\frac{1}", "读不懂"),
        (r"\unknown", "读不懂"),
        ("{", "读不懂"),
        (r"a \\[4pt] b", "去掉方括号"),
        ("5%+1", "后面的全部消失"),
    ],
)
def test_what_cannot_be_shown_is_refused(latex: str, why: str) -> None:
    with pytest.raises(BadFormula, match=why):
        formula_mathml(latex)


@each(
    ("latex", "message"),
    [
        (r"\frac{1}{", "读不懂：有一个{没有关上，看看花括号是不是配对"),
        (r"\sqrt[3", "读不懂：少了一个]，看看括号是不是配对"),
        (r"\left( a", r"读不懂：少了一个\right，看看括号是不是配对"),
        ("a}", "读不懂：多了一个}，看看括号是不是配对"),
        (r"\frac{1}", "读不懂：少了一部分，比如分数要写成\\frac{1}{2}"),
        (r"\fra{1}{2}", r"读不懂：没有\fra这个命令，看看有没有拼错"),
        (r"\文", r"读不懂：没有\文这个命令，看看有没有拼错"),
        (r"\begin{foo}\end{foo}", r"读不懂：没有\begin{foo}这种排版"),
        ("a_b_c", "读不懂：上标或下标连着写了两个，用花括号分开"),
        ("a & b", r"读不懂：&只能写在\begin{cases}这样的排版里"),
        ("a#b", "读不懂：看看有没有拼错的命令、没有配对的括号"),
    ],
)
def test_what_is_wrong_with_a_formula_is_said_in_one_sentence(latex: str, message: str) -> None:
    with pytest.raises(BadFormula) as caught:
        formula_mathml(latex)
    assert str(caught.value) == f"公式 ${latex}$ {message}"


def test_an_escaped_percent_sign_is_fine() -> None:
    assert "%" in formula_mathml(r"5\%")


@each(
    ("latex", "text"),
    [
        (r"\NDCG@k=\frac{\DCG@k}{\IDCG@k}", "NDCG@k=DCG@k/IDCG@k"),
        (r"\sum_{i=1}^{k}\frac{\rel_i}{\log_2(i+1)}", "Σ_(i=1)^k rel_i/(log_2(i+1))"),
        (r"2^{\rel}-1", "2^rel-1"),
        (r"3\times 2 \approx 6", "3× 2 ≈ 6"),
        (r"1\div\frac{1}{4}=4", "1÷(1/4)=4"),
        (r"6 \div \frac15", "6 ÷ (1/5)"),
        (r"\frac{\text{判对的篇数}}{\text{全部篇数}}", "判对的篇数/全部篇数"),
    ],
)
def test_a_formula_can_be_read_as_text(latex: str, text: str) -> None:
    assert formula_line(latex) == text


@each(
    ("latex", "message"),
    [
        (r"\frac12", "2分之1"),
        (r"\frac{1}{3}\left(\frac{1}{1}+\frac{2}{3}+0\right)", "3分之1乘左括号1分之1加3分之2加0右括号"),
        (r"\frac{2^{\rel}-1}{2^{\text{最高甜度}}}", "分子是2的rel次方减1、分母是2的最高甜度次方的分数"),
        (r"\rho=\frac{1}{1+e^{\text{分差}}}", "柔等于分子是1、分母是1加e的分差次方的分数"),
        (r"\log(1+e^{-\text{分差}})", "1加e的负分差次方的对数"),
        (r"|\Delta\NDCG|", "德尔塔NDCG的绝对值"),
        (r"4\div(3+2)\approx 0.8", "4除以左括号3加2右括号约等于0.8"),
        (r"\sum_{i=1}^{k}\rel_i", "求和，i从1到k，每一项是rel下标i"),
        (r"\log_{10}x", "以10为底x的对数"),
        (r"\sqrt{x^2}", "根号x的2次方"),
        (r"\kappa", "卡帕"),
        (r"(1-p) \sum_i p^{i-1} \rel_i", "左括号1减p右括号乘对i求和，每一项是p的i减1次方乘rel下标i"),
        (r"\frac{1}{2}\sum x", "2分之1乘求和，每一项是x"),
        ("a|b", "a|b"),
        (r"\frac{1", "分子是1、分母是的分数"),
    ],
)
def test_a_formula_is_spoken_in_chinese_words(latex: str, message: str) -> None:
    assert spoken_formula(latex) == message


@each("latex", formulas_of_content())
def test_every_formula_of_the_course_is_spoken_in_words(latex: str) -> None:
    """No sign of LaTeX, no sign of arithmetic, and none of the names of commands that were read out once."""
    sentence = spoken_formula(latex)
    assert not re.search(r"[\\{}^_=+×÷≈()|]|frac|left|right|text", sentence)
    assert sentence


def test_every_formula_of_the_course_is_said_as_somebody_has_read_it() -> None:
    """What is heard cannot be seen on a page: read each new line of the table aloud before it is added."""
    with SPOKEN.open(encoding="utf-8", newline="") as table:
        reviewed = {row["formula"]: row["spoken"] for row in csv.DictReader(table)}
    spoken = {latex: spoken_formula(latex) for latex in formulas_of_content()}
    to_read = [f"{latex},{sentence}" for latex, sentence in spoken.items() if reviewed.get(latex) != sentence]
    assert not to_read, f"读一遍，再写进 {SPOKEN.name}：{to_read}"


@each("latex", [r"\frac" * 900, "{" * 1000, "|" * 2000, r"\log(" * 400, "x^" * 1000, r"\sqrt" * 400])
def test_what_is_nested_without_end_is_read_all_the_same(latex: str) -> None:
    assert isinstance(spoken_formula(latex) + formula_line(latex), str)


@each("latex", formulas_of_content())
def test_no_latex_is_left_in_the_text_of_a_formula(latex: str) -> None:
    assert not re.search(r"[\\{}]", formula_line(latex))


@each("piece", [r"\sqrt{", "{", r"\frac{1}{", r"x^{"])
def test_a_formula_nested_without_end_is_refused_and_not_fallen_over(piece: str) -> None:
    """The converter recurses natively: four thousand braces ended the process, not just the request."""
    with pytest.raises(BadFormula, match="套得太深"):
        formula_mathml(piece * 4000 + "x" + "}" * 4000)
    with pytest.raises(BadFormula, match="太长"):
        formula_mathml("x" * 5000)
    assert formula_mathml(r"\sqrt{" * 20 + "x" + "}" * 20)


OPENING = ["(", "[", r"\{", r"\langle ", r"\lceil ", r"\ulcorner ", "⟨", "{(}", r"\left((\right)", "([", "(]"]


@pytest.mark.parametrize("bracket", OPENING)
def test_brackets_without_end_are_refused(bracket: str) -> None:
    """The converter would read what follows each of them twice."""
    program = (
        "import sys; from app.course.text.formulas import formula_mathml, BadFormula\n"
        "try: formula_mathml(sys.stdin.read())\nexcept BadFormula as error: print(error)"
    )
    assert "没有关上" in rationed_fork(program, bracket * 30, seconds=10)


@pytest.mark.parametrize(
    "latex", ["[0,1)", "(" * 20 + ")" * 20, "(a)" * 200, r"\left(1\right)" * 20, r"a\leftarrow b"]
)
def test_brackets_that_are_closed_are_no_fault(latex: str) -> None:
    assert formula_mathml(latex).startswith("<math")


def test_a_formula_as_deep_as_the_converter_takes_is_read() -> None:
    deep = "x^{" + r"\sqrt{" * 20 + "x" + "}" * 21
    assert "x" in spoken_formula(deep)
    assert formula_mathml(deep)
