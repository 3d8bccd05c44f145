"""Own content with a knowledge point of its own."""

from tests.web.cast import Page

MODELS = """\
title: 检索模型
skill: bm25
skills:
  bm25: {name: BM25, needs: [dcg]}
items:
  weight:
    stem: 词频越高，BM25给的分一直按比例涨。
    answer: false
  saturation:
    stem: k1管的是什么？填两个字：词频的____。
    blanks: [饱和]
"""


NAMESAKE = MODELS.replace("检索模型", "另一份").replace("name: BM25", "name: 另一个BM25")


def ticks(page: Page) -> list[str]:
    return [box["value"] for box in page.main.all("input", name="ref")]
