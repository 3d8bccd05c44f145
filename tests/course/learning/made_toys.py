"""Toys as a lesson has them."""

from app.course.learning.steps import ToyStep
from tests.published import published

TOYS = [step for step in published().steps if isinstance(step, ToyStep)]


RIGHT = {
    "play-order": "3步",
    "play-trip": "2步",
    "play-swap": "第3位的0",
    "play-first-stays": "九成上下",
    "play-lipstick": "九成",
    "play-range": "六成上下",
    "play-discount": "第3位",
    "play-ideal": "不会",
    "play-gain": "平台乙",
    "play-two-tables": "3",
    "play-k": "4",
    "play-three-ks": "先跌后涨",
    "play-ceiling": "3步",
    "play-all-sweet": "能",
    "play-pork": "第3位",
    "play-head-or-tail": "一样要紧",
    "play-which-swap": "B和A",
}
