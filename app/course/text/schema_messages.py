"""What pydantic finds, said in Chinese: what is wrong, and what was expected."""

from typing import Any

from pydantic import ValidationError

_WORDS_BY_ERROR_TYPE = {
    "missing": "缺少这一项",
    "extra_forbidden": "没有这个字段，可能拼错了",
    "string_type": "这里要写文字",
    "string_too_short": "不能空着",
    "string_too_long": "太长了，最多{max_length}个字",
    "string_pattern_mismatch": "只能用小写字母、数字和连字符，字母开头，比如two-systems",
    "int_type": "这里要写整数",
    "int_from_float": "这里要写整数",
    "float_type": "这里要写数",
    "finite_number": "这里要写有限的数",
    "bool_type": "这里要写true或false",
    "list_type": "这里要写一个列表",
    "dict_type": "这里要写“键: 值”",
    "model_type": "这里要写“键: 值”",
    "model_attributes_type": "这里要写“键: 值”",
    "literal_error": "只能是{expected}",
    "union_tag_not_found": "缺少kind（种类）",
    "union_tag_invalid": "没有“{tag}”这一种；kind只能是{expected_tags}",
    "too_short": "至少要有{min_length}个，这里只有{actual_length}个",
    "too_long": "最多{max_length}个，这里有{actual_length}个",
    "greater_than_equal": "不能小于{ge}",
    "less_than_equal": "不能大于{le}",
    "greater_than": "要大于{gt}",
    "less_than": "要小于{lt}",
}


def words_of_error(error: Any) -> str:
    """One sentence for one pydantic error.

    >>> words_of_error({"type": "missing", "msg": "Field required", "ctx": {}})
    '缺少这一项'
    """
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    if error["type"] in _WORDS_BY_ERROR_TYPE:
        return _WORDS_BY_ERROR_TYPE[error["type"]].format(**error.get("ctx", {}))
    return str(error["msg"])


def plain_error_words(error: ValueError) -> str:
    """The sentence of a ValueError, also of one that pydantic wrapped."""
    if isinstance(error, ValidationError):
        return "；".join(map(words_of_error, error.errors()))
    return str(error)
