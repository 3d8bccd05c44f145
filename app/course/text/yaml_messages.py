"""What the YAML parser complains about, said in Chinese: what is wrong in this line, and how to write it."""

SENTENCES = (
    ("mapping values are not allowed", "这一行多了一个冒号：文字里有冒号，就用引号把整句括起来"),
    ("could not find expected ':'", "少了冒号，或者冒号后面没有空一格：冒号要用英文的“: ”"),
    ("did not find expected key", "缩进没有对齐，或者少了一半引号：看看这一行和上一行"),
    ("did not find expected '-'", "列表的每一项都要用“- ”开头，并且对齐"),
    ("did not find expected ','", "括号没有成对，或者中间少了逗号"),
    ("did not find expected node content", "括号里少了一项，或者多了逗号"),
    ("cannot start any token", "这里的开头不行：缩进只用空格，以@、%、`开头的文字用引号括起来"),
    ("tab character", "缩进里有制表符（Tab）：换成空格"),
    ("unexpected end of stream", "引号或括号没有成对，一直开到了最后"),
    ("unexpected document indicator", "引号里混进了“---”"),
    ("block sequence entries", "“- ”不能写在这里：列表要另起一行"),
    ("block mapping", "缩进没有对齐，或者上一行少了引号"),
    ("escape", "双引号里的反斜杠有别的意思：有公式的文字改用单引号，或者写在“|”下面"),
    ("expected a single document", "一个文件里只写一份，不要有单独一行的“---”"),
    ("document start", "这一行接不上前面的内容：看看上面的括号、引号和缩进"),
    ("indentation", "缩进没有对齐"),
    ("could not determine a constructor", "不能用“!”开头的标签"),
    ("undefined alias", "不能用“*”开头的引用；文字以*开头，就用引号括起来"),
    ("alphabetic or numeric", "不能用“&”和“*”；文字以它们开头，就用引号括起来"),
    ("tag", "不能用“!”开头的标签；文字以!开头，就用引号括起来"),
    ("4300 digits", "这个数太大了"),
    ("recursion", "一层套一层，套得太深了"),
)
"""A piece of the parser's sentence, and ours; the first that fits."""


def said(problem: str) -> str:
    """The sentence for a problem; one that we do not know is given as it is.

    >>> said("mapping values are not allowed in this context")
    '这一行多了一个冒号：文字里有冒号，就用引号把整句括起来'
    >>> said("重复的键'a'")
    "重复的键'a'"
    """
    return next((ours for piece, ours in SENTENCES if piece in problem.lower()), problem)
