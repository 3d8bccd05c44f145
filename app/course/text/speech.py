r"""Formulas for ears, and as a line of text: LaTeX in, Chinese words or plain signs out.

>>> spoken_formula(r"\frac12\left(1+x\right)")
'2分之1乘左括号1加x右括号'
>>> formula_line(r"\frac12\left(1+x\right)")
'1/2(1+x)'
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

DEEPEST_NESTING = 80
"""Nested deeper than this, a formula is read as it is written: deeper than the converter takes any, for a
command in a group counts twice."""
TOKEN_PATTERN = re.compile(r"\\[A-Za-z]+|\\.|[A-Za-z]|[0-9]+(?:\.[0-9]+)?|[^\s]|\s+", re.DOTALL)
SIGN_BY_COMMAND = {
    r"\times": "×", r"\cdot": "·", r"\div": "÷", r"\approx": "≈", r"\le": "≤", r"\leq": "≤", r"\ge": "≥",
    r"\geq": "≥", r"\ne": "≠", r"\neq": "≠", r"\dots": "…", r"\ldots": "…", r"\cdots": "…", r"\to": "→",
    r"\Delta": "Δ", r"\lambda": "λ", r"\rho": "ρ", r"\sigma": "σ", r"\alpha": "α", r"\beta": "β",
    r"\kappa": "κ", r"\infty": "∞", r"\in": "∈", r"\pm": "±", r"\%": "%", r"\{": "{", r"\}": "}",
    r"\lvert": "|", r"\rvert": "|", r"\mid": "|", r"\max": "max", r"\min": "min", r"\exp": "exp",
}  # fmt: skip
SPACE_COMMANDS = (r"\,", r"\;", r"\:", r"\!", r"\ ", r"\quad", r"\qquad", r"\displaystyle", r"\\", "&")
SIZE_COMMANDS = (r"\left", r"\right")
WORD_BY_SIGN = {
    "+": "加", "-": "减", "−": "减", "×": "乘", "·": "乘", "÷": "除以", "/": "除以", "=": "等于",
    "≈": "约等于",
    "≤": "小于等于", "≥": "大于等于", "<": "小于", ">": "大于", "≠": "不等于", "(": "左括号", ")": "右括号",
    "[": "左方括号", "]": "右方括号", "…": "一直到", "→": "变成", "Δ": "德尔塔", "λ": "兰姆达", "ρ": "柔",
    "σ": "西格玛", "α": "阿尔法", "β": "贝塔", "κ": "卡帕", "∞": "无穷大", "∈": "属于", "±": "正负",
    "%": "百分号", ",": "，",
}  # fmt: skip
NodeKind = Literal["sign", "text", "space", "group", "fraction", "root", "sum", "log", "bars"]


KIND_AND_ARGUMENT_COUNT_BY_COMMAND: Mapping[str, tuple[NodeKind, int]] = {
    r"\frac": ("fraction", 2),
    r"\dfrac": ("fraction", 2),
    r"\tfrac": ("fraction", 2),
    r"\sqrt": ("root", 1),
    r"\sum": ("sum", 0),
    r"\text": ("group", 1),
    r"\mathrm": ("group", 1),
    r"\mathit": ("group", 1),
    r"\mathbf": ("group", 1),
    r"\operatorname": ("group", 1),
}
"""What a command makes, and of how many arguments."""
LOGARITHM_COMMANDS = (r"\log", r"\ln")


class FormulaNode(NamedTuple):
    """A piece of a formula. `subscript`, `superscript`: what stands below and above it; `parts`: what it is
    made of."""

    kind: NodeKind
    sign: str = ""
    parts: tuple[tuple["FormulaNode", ...], ...] = ()
    subscript: tuple["FormulaNode", ...] = ()
    superscript: tuple["FormulaNode", ...] = ()


@dataclass
class FormulaReader:
    """Reads tokens one by one; `token_index`: of the next one."""

    tokens: Sequence[str]
    token_index: int = 0
    depth: int = 0

    @property
    def coming_sign(self) -> str:
        return self.tokens[self.token_index] if self.token_index < len(self.tokens) else ""

    def take_sign(self) -> str:
        token = self.coming_sign
        self.token_index += 1
        return token

    def skip_spaces(self) -> None:
        while self.coming_sign.isspace() or self.coming_sign in SPACE_COMMANDS:
            self.token_index += 1

    def read_nodes_until(self, closing_sign: str = "") -> tuple[FormulaNode, ...]:
        """Pieces up to a closing token, which is taken along; to the end where there is none."""
        formula_nodes: list[FormulaNode] = []
        while self.token_index < len(self.tokens):
            if closing_sign and self.coming_sign == closing_sign:
                self.token_index += 1
                break
            formula_nodes.append(self.with_scripts(self.read_piece()))
        return tuple(formula_nodes)

    def with_scripts(self, formula_node: FormulaNode) -> FormulaNode:
        """A piece with what stands below and above it."""
        while self.coming_sign in ("_", "^"):
            is_subscript = self.take_sign() == "_"
            script_nodes = self.read_argument()
            formula_node = (
                formula_node._replace(subscript=script_nodes)
                if is_subscript
                else formula_node._replace(superscript=script_nodes)
            )
        return formula_node

    def read_argument(self) -> tuple[FormulaNode, ...]:
        """What a command takes: a group, or one digit, letter or command."""
        self.skip_spaces()
        if self.coming_sign == "{":
            formula_node = self.read_piece()
            if formula_node.parts:
                return formula_node.parts[0]
            return (formula_node,)
        if self.coming_sign.isdecimal() and len(self.coming_sign) > 1:
            self._split_off_first_digit()
        return (self.read_piece(),)

    def _split_off_first_digit(self) -> None:
        r"""Make two tokens of the next one: a command takes one digit of a number, `\frac12` is a half."""
        number_token = self.coming_sign
        earlier_tokens, later_tokens = self.tokens[: self.token_index], self.tokens[self.token_index + 1 :]
        self.tokens = [*earlier_tokens, number_token[0], number_token[1:], *later_tokens]

    def read_piece(self) -> FormulaNode:
        """The next piece, without its scripts."""
        self.depth += 1
        try:
            if self.depth > DEEPEST_NESTING:
                return FormulaNode("sign", self.take_sign().lstrip("\\"))
            return self._read_shallow_piece()
        finally:
            self.depth -= 1

    def _read_shallow_piece(self) -> FormulaNode:
        sign = self.take_sign()
        if sign == "{":
            return FormulaNode("group", parts=(self.read_nodes_until("}"),))
        if sign in KIND_AND_ARGUMENT_COUNT_BY_COMMAND:
            node_kind, argument_count = KIND_AND_ARGUMENT_COUNT_BY_COMMAND[sign]
            return FormulaNode(node_kind, parts=tuple(self.read_argument() for _ in range(argument_count)))
        if sign in LOGARITHM_COMMANDS:
            return self._read_logarithm(sign[1:])
        if sign == "|":
            return self._read_bars()
        if sign.isspace() or sign in SPACE_COMMANDS:
            return FormulaNode("space")
        return FormulaNode("sign", SIGN_BY_COMMAND.get(sign, sign.removeprefix("\\")))

    def _read_logarithm(self, logarithm_sign: str) -> FormulaNode:
        """A logarithm with its base, and with what it is taken of: the next piece, or what is in brackets."""
        formula_node = self.with_scripts(FormulaNode("log", logarithm_sign))
        token_index_before = self.token_index
        self.skip_spaces()
        if self.coming_sign == "(":
            self.token_index += 1
            return formula_node._replace(parts=(self.read_nodes_until(")"),))
        if re.fullmatch(r"[A-Za-z0-9.]+", self.coming_sign):
            return formula_node._replace(parts=((self.with_scripts(self.read_piece()),),))
        self.token_index = token_index_before
        return formula_node

    def _read_bars(self) -> FormulaNode:
        """What stands between two bars; a bar that is alone is a sign."""
        if "|" in self.tokens[self.token_index :]:
            return FormulaNode("bars", parts=(self.read_nodes_until("|"),))
        return FormulaNode("sign", "|")


@lru_cache(4096)
def _formula_nodes(latex: str) -> tuple[FormulaNode, ...]:
    tokens = [token for token in TOKEN_PATTERN.findall(latex) if token not in SIZE_COMMANDS]
    return FormulaReader(tokens).read_nodes_until()


def spoken_formula(latex: str) -> str:
    r"""The formula as one says it in Chinese.

    >>> spoken_formula(r"\log_2(i+1)")
    '以2为底i加1的对数'
    >>> spoken_formula(r"\NDCG@k=\frac{\DCG@k}{\IDCG@k}")
    'NDCG@k等于分子是DCG@k、分母是IDCG@k的分数'
    """
    return _tidy_text(_spoken_words(_formula_nodes(latex)))


def formula_line(latex: str) -> str:
    r"""The formula as a line of text, for browsers that draw no formulas.

    >>> formula_line(r"\frac{2^{\rel}-1}{2^{\text{最高甜度}}}"), formula_line(r"\sum_{i=1}^{k}\rel_i")
    ('(2^rel-1)/(2^最高甜度)', 'Σ_(i=1)^k rel_i')
    """
    return _tidy_text(_written_line(_formula_nodes(latex)))


def _tidy_text(formula_text: str) -> str:
    return re.sub(r"\s+", " ", formula_text.replace("\\", "").replace("{", "").replace("}", "")).strip()


def _spoken_words(all_nodes: Sequence[FormulaNode]) -> str:
    formula_nodes = [formula_node for formula_node in all_nodes if formula_node.kind != "space"]
    spoken_pieces = [_spoken_piece(formula_node) for formula_node in formula_nodes]
    for piece_index, spoken_piece in enumerate(spoken_pieces):
        if spoken_piece == "求和" and len(formula_nodes) > 1:
            spoken_pieces[piece_index] = "求和，每一项是"
    for piece_index, formula_node in enumerate(formula_nodes[1:], start=1):
        if _multiplies(formula_nodes[piece_index - 1], formula_node):
            spoken_pieces[piece_index] = "乘" + spoken_pieces[piece_index]
    if formula_nodes and formula_nodes[0].sign in ("-", "−"):
        spoken_pieces[0] = "负"
    return "".join(spoken_pieces)


def _multiplies(left_node: FormulaNode, right_node: FormulaNode) -> bool:
    """A bracket, a fraction or a sum right behind a fraction is a factor, a letter behind a power, too."""
    if left_node.kind == "fraction":
        return right_node.sign == "(" or right_node.kind in ("fraction", "sum")
    if left_node.sign == ")":
        return right_node.kind == "sum"
    is_power = bool(left_node.superscript) and left_node.kind != "sum"
    return is_power and right_node.sign.isalpha()


def _spoken_piece(formula_node: FormulaNode) -> str:
    if formula_node.kind == "sum":
        return _spoken_sum(formula_node)
    if formula_node.kind == "log":
        return _spoken_logarithm(formula_node)
    spoken_text = _spoken_without_scripts(formula_node)
    if formula_node.subscript:
        spoken_text += f"下标{_spoken_words(formula_node.subscript)}"
    if formula_node.superscript:
        spoken_text += f"的{_spoken_words(formula_node.superscript)}次方"
    return spoken_text


def _spoken_without_scripts(formula_node: FormulaNode) -> str:
    """A piece without its scripts."""
    spoken_parts = [_spoken_words(formula_part) for formula_part in formula_node.parts]
    match formula_node.kind:
        case "fraction":
            return _spoken_fraction(*spoken_parts)
        case "root":
            return f"根号{spoken_parts[0]}"
        case "bars":
            return f"{spoken_parts[0]}的绝对值"
        case "group":
            return spoken_parts[0]
    return WORD_BY_SIGN.get(formula_node.sign, formula_node.sign)


def _spoken_fraction(numerator_words: str, denominator_words: str) -> str:
    if numerator_words.isdecimal() and denominator_words.isdecimal():
        return f"{denominator_words}分之{numerator_words}"
    return f"分子是{numerator_words}、分母是{denominator_words}的分数"


def _spoken_sum(formula_node: FormulaNode) -> str:
    lower_bound_words, upper_bound_words = (
        _spoken_words(formula_node.subscript),
        _spoken_words(formula_node.superscript),
    )
    if lower_bound_words and upper_bound_words:
        return f"求和，{lower_bound_words.replace('等于', '从', 1)}到{upper_bound_words}，每一项是"
    if lower_bound_words:
        return f"对{lower_bound_words}求和，每一项是"
    return "求和"


def _spoken_logarithm(formula_node: FormulaNode) -> str:
    logarithm_name = "自然对数" if formula_node.sign == "ln" else "对数"
    base_words = f"以{_spoken_words(formula_node.subscript)}为底" if formula_node.subscript else ""
    if formula_node.parts:
        return f"{base_words}{_spoken_words(formula_node.parts[0])}的{logarithm_name}"
    return f"{base_words}的{logarithm_name}" if base_words else logarithm_name


def _written_line(formula_nodes: Sequence[FormulaNode]) -> str:
    written_line = ""
    for formula_node in formula_nodes:
        written_piece = _written_piece(formula_node)
        if formula_node.kind == "fraction" and written_line.rstrip().endswith("÷"):
            written_piece = f"({written_piece})"  # 1÷1/4 would be a quarter
        written_line += written_piece
    return written_line


def _written_piece(formula_node: FormulaNode) -> str:
    if formula_node.kind == "sum":
        return f"Σ{_written_scripts(formula_node)} "
    if formula_node.kind == "log":
        return _written_logarithm(formula_node)
    return _written_without_scripts(formula_node) + _written_scripts(formula_node)


def _written_without_scripts(formula_node: FormulaNode) -> str:
    written_parts = [_written_line(formula_part) for formula_part in formula_node.parts]
    match formula_node.kind:
        case "fraction":
            return "/".join(map(_bracketed_text, written_parts))
        case "root":
            return f"√{_bracketed_text(written_parts[0])}"
        case "bars":
            return f"|{written_parts[0]}|"
        case "group":
            return written_parts[0]
        case "space":
            return " "
    return formula_node.sign


def _written_scripts(formula_node: FormulaNode) -> str:
    written_script = ""
    if formula_node.subscript:
        written_script += f"_{_bracketed_text(_written_line(formula_node.subscript))}"
    if formula_node.superscript:
        written_script += f"^{_bracketed_text(_written_line(formula_node.superscript))}"
    return written_script


def _written_logarithm(formula_node: FormulaNode) -> str:
    written_log = formula_node.sign + _written_scripts(formula_node)
    if not formula_node.parts:
        return written_log
    written_argument = _written_line(formula_node.parts[0])
    if re.fullmatch(r"[\w.]+", written_argument):
        return f"{written_log} {written_argument}"
    return f"{written_log}({written_argument})"


def _bracketed_text(written_text: str) -> str:
    """The text, in brackets where it is more than a name or a number.

    >>> _bracketed_text("DCG@k"), _bracketed_text("i+1")
    ('DCG@k', '(i+1)')
    """
    if re.fullmatch(r"[\w@.]*", written_text):
        return written_text
    return f"({written_text})"
