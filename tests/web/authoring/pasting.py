"""Questions pasted, and taken."""

from typing import Any

from tests.web.cast import Page, Reader

TEN = """\
第三章 小测

一、单选题（每题2分）
1. 排在第3位，这一项要打几折？
A. 打五折    B. 打三三折
C. 不打折    D. 打七折
答案：A
解析：名次加1是4，对数是2。
2、NDCG的分母是（ C ）
A．DCG B．CG C．IDCG D．甜度
二、多选题
3. 换位置以后，哪些会变？
(A) DCG
(B) NDCG
(C) IDCG
【答案】AB【解析】分母不变。
三、判断题
4. NDCG可以大于1。（×）
5. 越甜越靠前，NDCG越高。
答案：√
四、填空题
6. 名次先加____，再取以____为底的对数。
答案：1；2
7. 第3位的折损是（   ）。
答案：0.5±0.01
8. 从词找到文档的那张表叫____。
答案：倒排索引 / inverted index
9. $\\log_2 8$等于多少？
答案：3
五、简答题
10. 为什么手机上常常只看前5名？
答案：一屏看得见；后面没人翻。
"""


def box(page: Page) -> str:
    [child] = page.by_id("paste-text").children or [""]
    assert isinstance(child, str)
    return child.removeprefix("\n")


def preview_paste(teacher: Reader, text: str, where: str = "/own/pastes", **fields: Any) -> Page:
    teacher.open(where)
    return teacher.submit(teacher.page.form("/own/pastes"), text=text, **fields)


def take_questions(
    teacher: Reader, text: str, where: str = "/own/pastes", status: int = 200, **fields: Any
) -> Page:
    page = preview_paste(teacher, text, where, **fields)
    return teacher.submit(page.form("/own/pastes"), status=status, text=text, take="yes", **fields)


TWO_BAD = """\
1. 越甜越靠前。答案：对
2. 哪个是分母？
A. DCG
C. IDCG
答案：C
3. 没写答案的题。
"""
