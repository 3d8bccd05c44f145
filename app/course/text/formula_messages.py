"""What the converter of formulas complains about, said in Chinese: what is wrong, and what to look at."""

import re

SENTENCES = (
    ('closing token "}"', "有一个{没有关上，看看花括号是不是配对"),
    (r'closing token "\\end', r"有一个\\begin没有\\end"),
    ('Expected closing token "(.+?)"', r"少了一个\1，看看括号是不是配对"),
    ('Unmatched closing token: "(.+?)"', r"多了一个\1，看看括号是不是配对"),
    ("Expected argument", r"少了一部分，比如分数要写成\\frac{1}{2}"),
    ('Unknown command "(.+?)"', r"没有\1这个命令，看看有没有拼错"),
    ('Unknown environment "(.*?)"', r"没有\\begin{\1}这种排版"),
    (r'Expected "(\\end.+?)", but found', r"这里的\\begin要用\1收尾"),
    ("Duplicate|directly followed", "上标或下标连着写了两个，用花括号分开"),
    ('Found "&"', r"&只能写在\\begin{cases}这样的排版里"),
    (r'"\\(left|right)", but not found', r"\\\1后面要跟一个括号"),
)
"""A pattern in the converter's sentence, and ours; the first that fits."""
UNKNOWN = "看看有没有拼错的命令、没有配对的括号"


def said(problem: str) -> str:
    r"""The sentence for a problem, of which the converter draws a coloured picture for terminals.

    >>> print(said('\n\x1b[31mError:\x1b[0m Unknown command "\\fra".\n ╭─[ input:1:1 ]'))
    没有\fra这个命令，看看有没有拼错
    >>> said("something else")
    '看看有没有拼错的命令、没有配对的括号'
    """
    sentence = problem.strip().partition("\n")[0]
    for pattern, ours in SENTENCES:
        match = re.search(pattern, sentence)
        if match:
            return match.expand(ours)
    return UNKNOWN
