"""Files with questions, good, broken and hostile: what comes of each of them, to the word."""

import io
from collections.abc import Sequence

import pytest
from starlette.testclient import TestClient
from xlsxwriter import Workbook  # type: ignore[import-untyped]

from app.course import Course
from app.course.questions import gift, pasted_text, question_text
from app.course.questions.draft_questions import NAME_BY_DRAFT_KIND, QuestionList
from app.course.questions.plain_markdown import as_markdown
from app.course.questions.question_plans import question_plan_of
from app.course.text import markdown
from app.records.db.errors import Refused
from app.web.authoring.question_files import MOST_FILE_BYTES, file_contents_of
from tests.published import published
from tests.web.authoring.pasting import TEN, box
from tests.web.authoring.word_files import (
    PICTURE,
    counted,
    docx,
    frac,
    level,
    listed,
    math,
    para,
    run,
    sign,
    symbol,
    table,
    zipped,
)
from tests.web.cast import Ledger, Page
from tests.web.school import new_teacher

PUBLISHED = published()
OPTIONS = ("A. 五折", "B. 七折")
QUESTIONS_AND_LETTERS = (
    counted(0, level(0, "decimal", "%1."), level(1, "upperLetter", "%2."))
    + counted(1, level(0, "upperLetter", "%1．"))
    + counted(2, level(0, "chineseCounting", "%1、"))
    + counted(3, level(0, "decimalEnclosedCircle", "%1"))
    + counted(4, level(0, "bullet", "•"))
    + counted(5, level(0, "decimal", "第%1题"))
    + listed(1, 0)
    + listed(2, 1)
    + listed(3, 1, restart=True)
    + listed(4, 2)
    + listed(5, 3)
    + listed(6, 4)
    + listed(7, 5)
)
STYLE = (
    '<w:style w:styleId="stem"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    '<w:style w:styleId="choice"><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr>'
    "</w:style>"
)


def auto(*paragraphs: str) -> bytes:
    return docx(*paragraphs, numbering=QUESTIONS_AND_LETTERS, styles=STYLE)


def formula(inner: str) -> bytes:
    """A question whose stem is a formula."""
    return docx(para("1. 求", math(inner), "的值"), "答案：3")


def sheet(*rows: Sequence[object], before: Sequence[Sequence[object]] = ()) -> bytes:
    file = io.BytesIO()
    book = Workbook(file)
    for name, lines in (("说明", before), ("题目", rows)):
        if lines:
            page = book.add_worksheet(name)
            for number, cells in enumerate(lines):
                page.write_row(number, 0, cells)
    if not rows and not before:
        book.add_worksheet()
    book.close()
    return file.getvalue()


def script(base: str, **marks: str) -> str:
    kind = {("sub",): "sSub", ("sup",): "sSup", ("sub", "sup"): "sSubSup"}[tuple(marks)]
    inner = "".join(f"<m:{name}>{sign(text)}</m:{name}>" for name, text in marks.items())
    return f"<m:{kind}><m:e>{base}</m:e>{inner}</m:{kind}>"


HEAD = ("题型", "题干", "A", "B", "C", "D", "答案", "解析")
FORMULAS = {
    "fraction": (frac(sign("1"), sign("k+1")), r"\frac{1}{k+1}"),
    "subscript": (script(sign("a"), sub="i"), "a_{i}"),
    "power": (script(sign("x+1"), sup="2"), "{x+1}^{2}"),
    "both": (script(sign("x"), sub="i", sup="2"), "x_{i}^{2}"),
    "root": (
        f"<m:rad><m:radPr><m:degHide m:val='1'/></m:radPr><m:deg/><m:e>{sign('2')}</m:e></m:rad>",
        r"\sqrt{2}",
    ),
    "cube root": (f"<m:rad><m:deg>{sign('3')}</m:deg><m:e>{sign('8')}</m:e></m:rad>", r"\sqrt[3]{8}"),
    "sum": (
        (
            f"<m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr>"
            f"<m:sub>{sign('i=1')}</m:sub><m:sup>{sign('k')}</m:sup>"
            f"<m:e>{frac(sign('g'), sign('d'))}</m:e></m:nary>"
        ),
        r"\sum_{i=1}^{k} \frac{g}{d}",
    ),
    "logarithm": (
        (
            f"<m:func><m:fName><m:sSub><m:e>{sign('log')}</m:e><m:sub>{sign('2')}</m:sub></m:sSub></m:fName>"
            f"<m:e>{sign('8')}</m:e></m:func>"
        ),
        r"\log_{2} 8",
    ),
    "brackets": (f"<m:d><m:e>{sign('1,2')}</m:e></m:d>", r"\left( 1,2\right)"),
    "braces": (
        f"<m:d><m:dPr><m:begChr m:val='{{'/><m:endChr m:val=''/></m:dPr><m:e>{sign('x')}</m:e></m:d>",
        r"\left\{ x\right.",
    ),
    "hat": (f"<m:acc><m:accPr><m:chr m:val='&#x302;'/></m:accPr><m:e>{sign('y')}</m:e></m:acc>", r"\hat{y}"),
    "bar": (f"<m:bar><m:barPr><m:pos m:val='top'/></m:barPr><m:e>{sign('x')}</m:e></m:bar>", r"\overline{x}"),
    "matrix": (
        (
            f"<m:m><m:mr><m:e>{sign('1')}</m:e><m:e>{sign('2')}</m:e></m:mr><m:mr><m:e>{sign('3')}</m:e>"
            f"<m:e>{sign('4')}</m:e></m:mr></m:m>"
        ),
        r"\begin{matrix}1 & 2 \\ 3 & 4\end{matrix}",
    ),
    "limit": (
        f"<m:limLow><m:e>{sign('lim')}</m:e><m:lim>{sign('n→∞')}</m:lim></m:limLow>",
        r"\lim_{n→∞}",
    ),
    "words": (sign("折损=1"), r"\text{折损}=1"),
    "signs": (sign("a≤b×100%"), r"a≤b×100\%"),
}
GOOD: dict[str, tuple[bytes, list[str]]] = {
    "typed numbers": (docx("1. 第3位？", *OPTIONS, "答案：A"), ["单选 第3位？ A"]),
    "numbers and letters that Word counts": (
        auto(
            para("第3位？", number=(1, 0)),
            para("五折", number=(1, 1)),
            para("七折", number=(1, 1)),
            "答案：A",
            para("第1位？", number=(1, 0)),
            para("不打折", number=(1, 1)),
            para("五折", number=(1, 1)),
            "答案：B",
        ),
        ["单选 第3位？ A", "单选 第1位？ B"],
    ),
    "letters in lists of their own": (
        auto(
            "1．第3位？",
            para("五折", number=(2, 0)),
            para("七折", number=(2, 0)),
            "答案：A",
            "2．第1位？",
            para("不打折", number=(3, 0)),
            para("五折", number=(3, 0)),
            "答案：B",
        ),
        ["单选 第3位？ A", "单选 第1位？ B"],
    ),
    "numbers of a style": (
        auto(
            para("第3位？", style="stem"),
            para("五折", style="choice"),
            para("七折", style="choice"),
            "答案：B",
        ),
        ["单选 第3位？ B"],
    ),
    "Chinese numbers": (
        auto(para("对不对？", number=(4, 0)), "答案：对", para("错不错？", number=(4, 0)), "答案：×"),
        ["判断 对不对？ 对", "判断 错不错？ 错"],
    ),
    "circled numbers": (auto(para("对不对？", number=(5, 0)), "答案：√"), ["判断 对不对？ 对"]),
    "bullets are no numbers": (
        auto("1. 对不对？", para("一句", number=(6, 0)), "答案：√"),
        ["判断 对不对？ 一句 对"],
    ),
    "第1题": (auto(para("对不对？", number=(7, 0)), "答案：√"), ["判断 对不对？ 对"]),
    "a line broken by shift and enter": (
        docx(para("1. 第3位？", "<w:r><w:br/></w:r>", "A. 五折", "<w:r><w:br/></w:r>", "B. 七折"), "答案：B"),
        ["单选 第3位？ B"],
    ),
    "options with tabs between": (
        docx("1. 第3位？", para("A. 五折", "<w:r><w:tab/></w:r>", "B. 七折"), "答案：B"),
        ["单选 第3位？ B"],
    ),
    "options in a table": (
        docx("1. 第3位？", table(("A. 五折", "B. 七折"), ("C. 三折", "D. 一折")), "答案：D"),
        ["单选 第3位？ D"],
    ),
    "options in a table, each with two lines": (
        docx("1. 第3位？", table((para("A. 五折") + para("正好一半"), "B. 七折")), "答案：A"),
        ["单选 第3位？ A"],
    ),
    "words cut into runs": (
        docx(para("1", ". 第3", "位？"), para("A", ". 五折"), para("B. ", "七折"), para("答", "案", "：A")),
        ["单选 第3位？ A"],
    ),
    "changes that were tracked": (
        docx(
            para(
                "1. 第",
                f"<w:ins>{run('3')}</w:ins>",
                "<w:del><w:r><w:delText>5</w:delText></w:r></w:del>",
                "位？",
            ),
            "A. 五折   B. 七折",
            "答案：A",
        ),
        ["单选 第3位？ A"],
    ),
    "links and controls": (
        docx(
            para(
                "1. ",
                f"<w:hyperlink>{run('第3位')}</w:hyperlink>",
                f"<w:sdt><w:sdtContent>{run('？')}</w:sdtContent></w:sdt>",
            ),
            *OPTIONS,
            "答案：A",
        ),
        ["单选 第3位？ A"],
    ),
    "paragraphs in a control": (
        docx(f"<w:sdt><w:sdtContent>{para('1. 对不对？')}{para('答案：对')}</w:sdtContent></w:sdt>"),
        ["判断 对不对？ 对"],
    ),
    "raised and lowered": (
        docx(
            para(
                "1. log",
                run("2", '<w:vertAlign w:val="subscript"/>'),
                "8等于x",
                run("2", '<w:vertAlign w:val="superscript"/>'),
            ),
            "答案：3",
        ),
        ["填空 log$_{2}$ 8等于x$^{2}$ 3"],
    ),
    "a formula on a line of its own": (
        docx("1. 求：", f"<w:p><m:oMathPara>{math(sign('x+1'))}</m:oMathPara></w:p>", "答案：3"),
        ["填空 求： $x+1$ 3"],
    ),
    "signs of fonts of symbols": (
        docx(
            para(
                "1. ",
                symbol("Symbol", "F061"),
                symbol("Symbol", "F0A3"),
                "1。（",
                symbol("宋体", "221A"),
                "）",
            ),
            para("2. 甲对？（", symbol("Wingdings", "F0FC"), "）"),
            para("3. 乙对？（", symbol("Wingdings 2", "F04F"), "）"),
        ),
        ["判断 α≤1。 对", "判断 甲对？ 对", "判断 乙对？ 错"],
    ),
    "text within elements of other kinds": (
        docx(
            para(
                "1. ",
                f"<w:r><w:ruby><w:rt>{run('táng')}</w:rt><w:rubyBase>{run('糖')}</w:rubyBase></w:ruby></w:r>",
                f"<w:customXml>{run('越甜')}</w:customXml><w:bdo>{run('越靠前')}</w:bdo>",
                f"<w:moveFrom>{run('不')}</w:moveFrom>",
                "。",
            ),
            "答案：对",
        ),
        ["判断 糖（táng）越甜越靠前。 对"],
    ),
    "cells in a control": (
        docx(
            "1. 第3位？",
            table(OPTIONS)
            .replace("<w:tr>", "<w:tr><w:sdt><w:sdtContent>")
            .replace("</w:tr>", "</w:sdtContent></w:sdt></w:tr>"),
            "答案：B",
        ),
        ["单选 第3位？ B"],
    ),
    "kinds in headings": (
        docx("一、判断题（每题1分）", "1. 甲", "答案：对", "二、多项选择题", "1. 乙", *OPTIONS, "答案：A"),
        ["判断 甲 对", "多选 乙 A"],
    ),
    "ten in the usual way": (docx(*[line for line in TEN.split("\n") if line and "log_2" not in line]), []),
    "a table": (sheet(HEAD, ("单选题", "第3位？", "五折", "七折", "", "", "A", "加1")), ["单选 第3位？ A"]),
    "a table below its title": (
        sheet(("题库",), (), ("题目", "选项1", "选项2", "正确答案"), ("第3位？", "五折", "七折", "B")),
        ["单选 第3位？ B"],
    ),
    "a table on the second page": (
        sheet(("题干", "答案"), ("对不对？", "对"), before=[]),
        ["判断 对不对？ 对"],
    ),
    "true and false of Excel": (
        sheet(("题干", "答案"), ("对不对？", True), ("错不错？", False)),
        ["判断 对不对？ 对", "判断 错不错？ 错"],
    ),
    "a long cell": (sheet(("题干", "答案"), ("甲" * 3000, "对")), [f"判断 {'甲' * 3000} 对"]),
    "numbers of Excel": (sheet(("题干", "答案", "误差"), ("折损？", 0.5, 0.01)), ["填空 折损？ 0.5±0.01"]),
    "options in one cell": (
        sheet(("题干", "选项", "答案"), ("第3位？", "五折\n七折", "A")),
        ["单选 第3位？ A"],
    ),
    "several in a table": (
        sheet(HEAD, ("多选", "哪些？", "甲", "乙", "丙", "", "A,C", "")),
        ["多选 哪些？ AC"],
    ),
    "CSV of Chinese Excel": ("题干,A,B,答案\n第3位？,五折,七折,A\n".encode("gb18030"), ["单选 第3位？ A"]),
    "CSV with tabs in UTF-16": ("题干\t答案\n对不对？\t对\n".encode("utf-16"), ["判断 对不对？ 对"]),
    "CSV below its title": ("期中题库,,\n\n题干,答案,解析\n对不对？,对,\n".encode(), ["判断 对不对？ 对"]),
    "CSV with everything in quotes": (
        '"题干","答案"\r\n"对不对？","对"\r\n'.encode("utf-8-sig"),
        ["判断 对不对？ 对"],
    ),
    "CSV with semicolons": ("题干;答案\r\n对不对？;对\r\n".encode("gb18030"), ["判断 对不对？ 对"]),
    "GIFT of Moodle": (
        r"::Q\: 1::[html]<p dir\='ltr'>第&nbsp;3位？</p>{=<p>五折</p> ~<p>七折</p>}".encode("utf-16"),
        ["单选 第 3位？ A"],
    ),
    "text of Windows": (
        "1. 对不对？（√）\r\n2. 错不错？（×）\r\n".encode("gb18030"),
        ["判断 对不对？ 对", "判断 错不错？ 错"],
    ),
    "text with a mark": (b"\xef\xbb\xbf" + "1. 对不对？答案：对".encode(), ["判断 对不对？ 对"]),
    "GIFT choices": ("::q::第3位？{=五折#对 ~七折#太多 ####加1}".encode(), ["单选 第3位？ A"]),
    "GIFT several": ("哪些？{~%50%甲 ~%50%乙 ~%-100%丙}".encode(), ["多选 哪些？ AB"]),
    "GIFT truth": (
        "// 注\n$CATEGORY: 甲\n\n对吗？{T}\n\n错吗？{FALSE#再想想}".encode(),
        ["判断 对吗？ 对", "判断 错吗？ 错"],
    ),
    "GIFT numbers": (
        "折损？{#0.5:0.01}\n\n范围？{#1..3}".encode(),
        ["填空 折损？ 0.5±0.01", "填空 范围？ 2±1"],
    ),
    "GIFT words": ("先加{=1 =一}再取对数。".encode(), ["填空 先加____再取对数。 1 / 一"]),
    "GIFT that takes off marks": ("哪个？{=甲 ~%-50%乙 ~丙}".encode(), ["单选 哪个？ A"]),
    "GIFT words, one of them only for its feedback": ("先加{=%100%1 =%0%2#多了}".encode(), ["填空 先加 1"]),
    "no GIFT, for a matrix": ("1. 求$A^{T}$的行数。\n答案：3".encode(), ["填空 求$A^{T}$的行数。 3"]),
    "no GIFT, for a name in braces": ("1. {T}是集合。\n答案：对".encode(), ["判断 {T}是集合。 对"]),
    "GIFT with escapes": (r"[html]<p>a\=b\{1\}?</p>{=甲\~乙 ~丙}".encode(), ["单选 a=b{1}? A"]),
}
PARTLY: dict[str, tuple[bytes, list[str], str]] = {
    "a picture in one of two": (
        docx(para("1. 看图：", PICTURE), *OPTIONS, "答案：A", "2. 对不对？", "答案：对"),
        ["判断 对不对？ 对"],
        "这里有图片",
    ),
    "an old formula object": (
        docx(para("1. 求", "<w:r><w:object/></w:r>"), "答案：1", "2. 对不对？", "答案：对"),
        ["判断 对不对？ 对"],
        "这里有图片",
    ),
    "a formula that nobody knows": (formula("<m:strange/>"), [], "公式读不出来"),
    "an operator that nobody knows": (
        formula(f"<m:nary><m:naryPr><m:chr m:val='⨌'/></m:naryPr><m:e>{sign('x')}</m:e></m:nary>"),
        [],
        "公式读不出来",
    ),
    "a sign that nobody knows": (
        docx(para("1. ", symbol("Webdings", "F061"), "？"), "答案：1"),
        [],
        "读不出来",
    ),
    "an element that nobody knows": (
        docx(para("1. 甲", f"<w:strange>{run('不')}</w:strange>", "对。"), "答案：对"),
        [],
        "读不出来",
    ),
    "a part of a document that nobody knows": (
        docx("1. 甲", f"<w:strange>{para('不对。')}</w:strange>", "答案：对"),
        [],
        "读不出来",
    ),
    "a paragraph that is too long": (docx(f"1. {'甲' * 4001}", "答案：对"), [], "没有读全"),
    "a cell that is too long": (sheet(("题干", "答案"), ("甲" * 4001, "对")), [], "没有读全"),
    "GIFT that pairs": ("配对{=甲 -> 1 =乙 -> 2}\n\n对吗？{T}".encode(), ["判断 对吗？ 对"], ""),
    "letters that skip": (docx("1. 第3位？", "A. 五折", "C. 七折", "答案：A"), [], "中间好像少了一个"),
}
BOMB = (
    '<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">'
    '<!ENTITY c "&b;&b;&b;&b;&b;">]>'
    "<w>&c;</w>"
)
BROKEN: dict[str, tuple[bytes, str]] = {
    "nothing": (b"  \n", "文件是空的"),
    "too large": (b"x" * (MOST_FILE_BYTES + 1), "太大了"),
    "Word of old": (b"\xd0\xcf\x11\xe0" + b"x" * 99, "另存成.docx"),
    "a workbook with a password": (
        b"\xd0\xcf\x11\xe0" + b"x" * 99 + "EncryptedPackage".encode("utf-16-le"),
        "有密码",
    ),
    "PDF": (b"%PDF-1.7", "PDF"),
    "RTF": (b"{\\rtf1 x}", ".rtf"),
    "a photo": (b"\xff\xd8\xff\xe0", "图片"),
    "a zip that is cut off": (docx("1. 对不对？", "答案：对")[:-40], "Word文件打不开"),
    "a zip of something else": (zipped({"a.txt": "x"}), "这个文件打不开"),
    "the first bytes of a workbook or a document": (
        zipped({"[Content_Types].xml": "x"})[:40],
        "这个文件打不开",
    ),
    "a workbook that is cut off": (sheet(("题干", "答案"), ("对吗？", "对"))[:-400], "表格打不开"),
    "a workbook that is cut off before its list of sheets": (
        zipped({"xl/theme/theme1.xml": "x", "xl/worksheets/sheet1.xml": "x" * 999})[:-200],
        "表格打不开",
    ),
    "a document with a workbook in it": (
        docx("1. 对吗？", more={"word/document.xml": "<x", "word/embeddings/xl/workbook.xml": "x"}),
        "Word文件打不开",
    ),
    "entities that grow": (zipped({"word/document.xml": BOMB}), "打不开"),
    "an entity from outside": (
        zipped({"word/document.xml": '<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/passwd">]><w>&x;</w>'}),
        "打不开",
    ),
    "a document that unpacks to something huge": (
        zipped({"word/document.xml": b" " * (13 * 2**20)}),
        "太大了",
    ),
    "elements without end": (zipped({"word/document.xml": "<a>" * 3000 + "</a>" * 3000}), "太大了"),
    "a document that is no XML": (zipped({"word/document.xml": "<w:document>"}), "Word文件打不开"),
    "more files than any document": (
        zipped({f"word/theme/{number}": "" for number in range(3100)}),
        "太大了",
    ),
    "a workbook that is broken": (zipped({"xl/workbook.xml": "<x"}), "表格打不开"),
    "a table without a head": (sheet(("第3位？", "五折", "七折", "A")), "第一行要写表头"),
    "bytes of a program": (b"\x7fELF" + bytes(range(256)), "编码"),
}


def summaries(reading: QuestionList) -> list[str]:
    lines = []
    for draft_question in reading.questions:
        stem = " ".join(draft_question.stem.split())
        lines.append(f"{NAME_BY_DRAFT_KIND[draft_question.kind]} {stem} {draft_question.answer_words}")
    return lines


def test_there_are_sixty_of_them() -> None:
    assert len(FORMULAS) + len(GOOD) + len(PARTLY) + len(BROKEN) >= 60
    assert len(BROKEN) >= 10


@pytest.mark.parametrize("name", GOOD)
def test_a_good_file_gives_every_question_and_own_content_takes_it(name: str) -> None:
    data, expected = GOOD[name]
    reading = question_text.read(file_contents_of(data).text)
    assert not reading.unread_questions, reading.unread_questions
    if expected:
        assert summaries(reading) == expected
    else:
        assert len(reading.questions) >= 9
    question_plan = question_plan_of(reading, "小测", "", PUBLISHED)
    assert isinstance(question_plan.course, Course), (
        question_plan.unread_questions,
        question_plan.error_sentence,
    )
    assert len(question_plan.questions) == len(reading.questions)


def test_a_formula_before_a_digit_or_another_formula_is_drawn() -> None:
    lowered, raised = (run("2", f'<w:vertAlign w:val="{side}script"/>') for side in ("sub", "super"))
    data = docx(para("1. log", lowered, "8、x", lowered, raised, math(sign("y")), "3和$5"), "答案：3")
    [draft] = question_text.read(file_contents_of(data).text).questions
    assert draft.stem == "log$_{2}$ 8、x$_{2}$ $^{2}$ $y$ 3和$5"
    assert markdown.render(as_markdown(draft.stem)).count("<math") == 4


def test_gift_that_is_no_text_of_ours_stays_gift() -> None:
    """As text it would be another question: its answer would stand in the middle of its stem."""
    gift_markup = "越甜越靠前 答案：错 对吗？{T}"
    reading = pasted_text.read(file_contents_of(f"{gift_markup}\n\n乙。{{F}}".encode()).text)
    assert not reading.unread_questions
    assert {(draft.stem, draft.is_true) for draft in reading.questions} == {
        ("越甜越靠前 答案：错 对吗？", True),
        ("乙。", False),
    }


def test_a_program_in_braces_makes_no_gift_of_a_file() -> None:
    """Its remarks are part of the question."""
    program = "let o = {}\n// 加一个键\no.a = 1"
    text = f"1. 打印什么？\n{program}\nA. 1\nB. 2\n答案：A\n\n2. 越甜越靠前。\n答案：对"
    assert file_contents_of(text.encode()).text == text


def test_the_questions_of_a_mixed_file_keep_their_order() -> None:
    pairing = "配对{=丙 -> 1 =丁 -> 2}"
    parts = ["// 说明\n::甲:: 甲？{=一 ~二}", "1. 【判断】乙。\n答案：对", pairing, "戊。{F}"]
    from_file = pasted_text.read(file_contents_of("\n\n".join(parts).encode()).text)
    from_box = pasted_text.read("\n\n".join(parts))
    assert [draft.stem for draft in from_file.questions] == ["甲？", "乙。", "戊。"]
    assert summaries(from_file) == summaries(from_box)
    assert [unread.source_text for unread in from_file.unread_questions] == [pairing]


UNDERLINED = '<w:u w:val="single"/>'


@pytest.mark.parametrize(
    ("gap", "properties", "is_blank"),
    [
        ("        ", UNDERLINED, True),
        ("\u3000", UNDERLINED, True),
        (" ", UNDERLINED, False),
        ("<tab>", UNDERLINED, True),
        ("        ", '<w:u w:val="none"/>', False),
        ("        ", "", False),
    ],
)
def test_underlined_spaces_are_a_blank(gap: str, properties: str, is_blank: bool) -> None:
    gap_run = run(gap, properties) if gap != "<tab>" else f"<w:r><w:rPr>{properties}</w:rPr><w:tab/></w:r>"
    data = docx(para(run("1. 折扣是log的"), gap_run, run("分之一。")), "答案：倒数")
    [draft] = pasted_text.read(file_contents_of(data).text).questions
    assert draft.kind == ("fill" if is_blank else "short")


def test_underlined_words_are_words() -> None:
    data = docx(para(run("1. "), run("越甜越靠前", UNDERLINED), run("。")), "答案：对")
    [draft] = pasted_text.read(file_contents_of(data).text).questions
    assert draft.stem == "越甜越靠前。"


@pytest.mark.parametrize("name", FORMULAS)
def test_a_formula_of_word_is_one_of_ours(name: str) -> None:
    inner, latex = FORMULAS[name]
    reading = question_text.read(file_contents_of(formula(inner)).text)
    [draft_question] = reading.questions
    assert draft_question.stem == f"求${latex}$的值"
    assert question_plan_of(reading, "小测", "", PUBLISHED).course, "the formula can be drawn"


@pytest.mark.parametrize("name", PARTLY)
def test_what_a_text_cannot_hold_is_told_and_the_rest_is_taken(name: str) -> None:
    data, expected, sentence = PARTLY[name]
    reading = pasted_text.read(file_contents_of(data).text)
    assert summaries(reading) == expected
    assert len(reading.unread_questions) == 1
    assert sentence in reading.unread_questions[0].problem
    assert reading.unread_questions[0].source_text


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("甲？{=全对 ~%50%半对 ~错}", gift.PARTIAL_MARKS_WORDS),
        ("甲？{=%100%甲 =%50%乙}", gift.PARTIAL_MARKS_WORDS),
        ("甲？{~%100%甲 ~%50%乙 ~丙}", gift.PARTIAL_MARKS_WORDS),
        ("甲？{=甲 =乙 ~丙}", gift.SEVERAL_RIGHT_WORDS),
        ("甲？{~%100%甲 ~%100%乙 ~丙}", gift.SEVERAL_RIGHT_WORDS),
        ("甲？{=%0%甲}", "没有一个对的答案"),
    ],
)
def test_a_part_of_the_marks_is_not_taken_for_a_right_answer(source: str, problem: str) -> None:
    reading = gift.read(source)
    assert not reading.questions
    assert [unread.problem for unread in reading.unread_questions] == [problem]
    assert file_contents_of(source.encode()).text.strip() == source


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_or_hostile_file_is_refused_in_words(name: str) -> None:
    data, sentence = BROKEN[name]
    with pytest.raises(Refused, match=sentence):
        file_contents_of(data)


def test_a_file_comes_into_the_box_and_nothing_is_kept(client: TestClient, ledger: Ledger) -> None:
    teacher = new_teacher(client, "王")
    data = docx(para("1. 看图：", PICTURE), *OPTIONS, "答案：A", "2. 对不对？", "答案：对")
    response = teacher.client.post(
        "/own/pastes/files", files={"file": ("题.docx", data)}, data={"title": "图"}
    )
    page = Page(response)
    assert page.status == 200
    assert box(page).startswith("1. 看图：【图片】\nA. 五折")
    assert "第1行 这里有图片" in page.by_id("paste-fates").text
    assert "5 判断" in page.by_id("paste-fates").text
    assert page.by_id("paste-title")["value"] == "图"
    refused = Page(teacher.client.post("/own/pastes/files", files={"file": ("a.pdf", b"%PDF-1.7")}))
    assert refused.status == 422
    assert "另存成.docx" in refused.by_id("paste-error").text
    assert ledger.count("own_course") == 0


def test_a_file_comes_below_what_is_in_the_box_and_a_refused_one_leaves_it(client: TestClient) -> None:
    """In one form: also whatever else is typed there stays."""
    teacher = new_teacher(client, "王")
    form = teacher.open("/own/pastes").form("/own/pastes")
    [button] = form.all("button", formaction="/own/pastes/files")
    assert button["formenctype"] == "multipart/form-data"
    typed = {
        "text": "一、简答题\n1. 为什么只看前5名？\n答案：一屏看得见；后面没人翻。",
        "title": "小测",
        "skill": "BM25",
    }

    def sent(data: bytes, status: int) -> Page:
        response = teacher.client.post("/own/pastes/files", files={"file": ("题.txt", data)}, data=typed)
        assert response.status_code == status
        return Page(response)

    page = sent("第三章\n1. 对不对？\n答案：对\n".encode(), 200)
    assert box(page).rstrip() == typed["text"] + "\n\n综合题（第三章）\n1. 对不对？\n答案：对"
    assert [row.text.split()[1] for row in page.by_id("paste-fates").all("tr")[1:]] == ["简答", "判断"]
    page = sent("对不对？\n答案：对\n\n错不错？\n答案：错\n".encode(), 200)
    assert len(page.by_id("paste-fates").all("tr")) == 4, "also where nothing is numbered"
    for data in (b"%PDF-1.7", b"", ("题" * 33_300).encode()):
        page = sent(data, 422)
        assert box(page) == typed["text"]
        assert page.by_id("paste-title")["value"] == "小测"
        assert page.by_id("paste-skill")["value"] == "BM25"
        assert "1道可以放进来" in page.by_id("paste-fates").text


def test_a_file_that_is_no_workbook_leaves_what_is_in_the_box(client: TestClient) -> None:
    teacher = new_teacher(client, "王")
    files = {"file": ("题目.xlsx", b"NDCG")}
    page = Page(teacher.client.post("/own/pastes/files", data={"text": "1. 甲。（√）"}, files=files))
    assert page.status == 422
    assert "“题目.xlsx”叫作Excel文件，里面却不是" in page.main.text
    assert "1. 甲。（√）" in page.main.one("textarea", id="paste-text").text
