"""YAML as editors read it: version 1.2 scalars, duplicate keys refused, and the line of every value."""

import re
from collections.abc import Iterator, Sequence
from copy import copy
from functools import partial
from itertools import zip_longest
from typing import Any, ClassVar, NamedTuple

import yaml

from app.course.text.faults import Fault, Faults
from app.course.text.yaml_reader import YamlPart, problem_of

Key = str | int
PARSER_MESSAGE_PARTS_WITH_WORDS = (
    ("expected whitespace or line break", "以!开头的文字（图也是），用引号括起来"),
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
"""A part of the parser's message, and our words; the first that fits."""


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # C where it was built
    """PyYAML reads YAML 1.1, where `1:30` is 90 and `no` is false; these resolvers are those of 1.2."""

    yaml_implicit_resolvers: ClassVar[dict[str, list[tuple[str, re.Pattern[str]]]]] = {}

    def construct_mapping(self, mapping_node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        line_number_by_key: dict[Any, int] = {}
        for key_node, _ in mapping_node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise _refusal("键只能是文字或数，不能是列表或另一组键", key_node)
            key = self.construct_object(key_node, deep=True)
            if key in line_number_by_key:
                raise _refusal(f"重复的键{key!r}（第{line_number_by_key[key]}行已经有了）", key_node)
            line_number_by_key[key] = _line_number(key_node)
        return dict(super().construct_mapping(mapping_node, deep=deep))


def _refusal(problem: str, node: yaml.Node) -> yaml.YAMLError:
    return yaml.constructor.ConstructorError(None, None, problem, node.start_mark)


_PATTERN_AND_FIRST_SIGNS_BY_TYPE = {
    "bool": (r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    "null": (r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    "int": (r"^[-+]?[0-9]+$", "-+0123456789"),
    "float": (r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$", "-+.0123456789"),
}
for _type_name, (_pattern, _first_signs) in _PATTERN_AND_FIRST_SIGNS_BY_TYPE.items():
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_type_name}", re.compile(_pattern), list(_first_signs))
_Loader.add_constructor("tag:yaml.org,2002:int", lambda _, node: int(node.value))
_Loader.add_constructor("tag:yaml.org,2002:float", lambda _, node: float(node.value))


class TypedNumber(str):
    """A number as it was typed: 0.50 is not 0.5, where half of the last place counts."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class FileKey(NamedTuple):
    """A key as it is written in a file, its value, and its line."""

    name: Key
    value_node: yaml.Node
    line_number: int


class YamlDocument:
    """One YAML file: its `data`, and the line where a path of keys stands. Raises `Faults`.

    A text whose `parts` were read already, by `yaml_reader`, is not read again.
    """

    def __init__(self, file_name: str, yaml_text: str, yaml_parts: Sequence[YamlPart] = ()) -> None:
        self.file = file_name
        self.text = yaml_text
        self.path_by_part_key: dict[Key, Sequence[Key]] = {}
        self.base_path: Sequence[Key] = ()
        if yaml_parts:
            loader = _Loader("")
            compose = partial(_compose_next, iter(yaml_parts), loader)
        else:
            loader = _Loader(yaml_text)
            compose = loader.get_single_node
        try:
            self._node = compose()
            self.data: Any = {} if self._node is None else loader.construct_document(self._node)
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            raise Faults([unreadable(file_name, *problem_of(error))]) from error
        finally:
            loader.dispose()

    @property
    def data_as_typed(self) -> Any:
        """The data with every number as it was typed.

        >>> YamlDocument("", "a: [0.50, '3', true]").data_as_typed
        {'a': [0.50, '3', True]}
        """
        if self._node is None:
            return {}
        return _typed_value(self._node)

    def keys_with_line_numbers(self, key_path: Sequence[Key]) -> list[tuple[str, int]]:
        """The keys of the mapping at a path, each with its line; none where there is no mapping.

        >>> YamlDocument("", "a: 1\\nb: {c: 2,\\n  d: 3}").keys_with_line_numbers(("b",))
        [('c', 2), ('d', 3)]
        """
        node = self._node
        if key_path:
            file_keys = self._keys_in_file(key_path)
            node = file_keys[-1].value_node if file_keys and self.is_in_file(key_path) else None
        if not isinstance(node, yaml.MappingNode):
            return []
        return [(key_node.value, _line_number(key_node)) for key_node, _ in node.value]

    def within(self, part_key: Key, key_path: Sequence[Key]) -> "YamlDocument":
        """This file for a part with a name of its own: a path that begins with it begins at `key_path`.

        >>> file = YamlDocument("a.yaml", "cases:\\n  films: {item: {stem: '?'}}\\n")
        >>> item = file.within("errata-films", ("cases", "films", "item"))
        >>> print(item.fault(("errata-films", "stem"), "!"))
        a.yaml:2: cases.films.item.stem: !
        """
        inner_document = copy(self)
        inner_document.path_by_part_key = {part_key: key_path}
        return inner_document

    def part(self, key_path: Sequence[Key], part_value: Any) -> "YamlDocument":
        """What stands at `key_path` by itself, with other `part_value` made of it; lines are those of here.

        >>> items = YamlDocument("own.yaml", "items:\\n  q: {stem: '?'}\\n").part(("items",), {})
        >>> print(items.fault(("q", "stem"), "!"))
        own.yaml:2: items.q.stem: !
        """
        inner_document = copy(self)
        inner_document.base_path = key_path
        inner_document.data = part_value
        return inner_document

    def _whole_path(self, key_path: Sequence[Key]) -> Sequence[Key]:
        """The path from the top of the file."""
        if key_path and key_path[0] in self.path_by_part_key:
            return [*self.path_by_part_key[key_path[0]], *key_path[1:]]
        return [*self.base_path, *key_path]

    def is_in_file(self, key_path: Sequence[Key]) -> bool:
        """Whether every key of the path stands in the file."""
        return len(self._keys_in_file(key_path)) == len(self._whole_path(key_path))

    def key_path_in_file(self, key_path: Sequence[Key]) -> list[Key]:
        """The path without the keys that do not stand in the file: the name of a kind, a missing field."""
        return [file_key.name for file_key in self._keys_in_file(key_path)][len(self.base_path) :]

    def _keys_in_file(self, key_path: Sequence[Key]) -> list[FileKey]:
        """The keys of a path that stand in the file.

        A number after a key that does not stand there is passed over: it counted in a list that is not there.
        So is the name of a kind where a field is called like it.

        >>> step = YamlDocument("", "play: {row: [1]}\\nguess: {right: 9}\\n")
        >>> [key.name for key in step._keys_in_file(("play", "guess", "right"))]
        ['guess', 'right']
        """
        node = self._node
        file_keys: list[FileKey] = []
        is_after_missing_key = False
        whole_path = self._whole_path(key_path)
        for key, next_key in zip_longest(whole_path, whole_path[1:]):
            file_key = None
            if not (is_after_missing_key and isinstance(key, int)):
                file_key = _value_under_key(node, key)
            if file_key and _stands_in_outer_alone(next_key, node, file_key.value_node):
                file_key = None
            is_after_missing_key = file_key is None
            if file_key:
                node = file_key.value_node
                file_keys.append(file_key)
        return file_keys

    def line_number_at(self, key_path: Sequence[Key]) -> int:
        """The line of what stands at this path, as far as it stands."""
        file_keys = self._keys_in_file(key_path)
        if not file_keys:
            return 1
        return file_keys[-1].line_number

    def written_value(self, key_path: Sequence[Key]) -> str | None:
        """A plain value as it was typed: `3.50` stays 3.50. None for what is no plain value."""
        file_keys = self._keys_in_file(key_path)
        if not file_keys or not self.is_in_file(key_path):
            return None
        node = file_keys[-1].value_node
        if isinstance(node, yaml.ScalarNode):
            return str(node.value)
        return None

    def fault(self, key_path: Sequence[Key], message: str, fault_kind: str = "") -> Fault:
        """A fault at `key_path`; its last key is named even where it is missing."""
        key_names = [file_key.name for file_key in self._keys_in_file(key_path)]
        last_keys = [*key_path[-1:]]
        if not self.is_in_file(key_path) and key_names[-1:] != last_keys:
            key_names += last_keys
        return Fault(
            self.file, self.line_number_at(key_path), ".".join(map(str, key_names)), message, fault_kind
        )


def _stands_in_outer_alone(
    key: Key | None, outer_mapping: yaml.Node | None, inner_mapping: yaml.Node | None
) -> bool:
    """Whether a key stands in the outer of two mappings alone."""
    if not isinstance(key, str) or _value_under_key(inner_mapping, key):
        return False
    return _value_under_key(outer_mapping, key) is not None


def _value_under_key(node: yaml.Node | None, key: Key) -> FileKey | None:
    """The value of a key in a mapping; by its number, that of a list, or the key-th of a mapping."""
    if isinstance(node, yaml.MappingNode):
        for key_node, value_node in node.value:
            if key_node.value == str(key):
                return FileKey(key, value_node, _line_number(key_node))
    if not isinstance(key, int) or not isinstance(node, yaml.CollectionNode) or key >= len(node.value):
        return None
    if isinstance(node, yaml.MappingNode):
        key_node, value_node = node.value[key]
        return FileKey(key_node.value, value_node, _line_number(key_node))
    value_element = node.value[key]
    return FileKey(key, value_element, _line_number(value_element))


def _typed_value(node: yaml.Node | None) -> Any:
    """What a node holds, with every number as it was typed."""
    match node:
        case yaml.MappingNode():
            return {_typed_value(key): _typed_value(value_node) for key, value_node in node.value}
        case yaml.SequenceNode():
            return [_typed_value(element) for element in node.value]
        case yaml.ScalarNode():
            return _typed_scalar(node.tag.rpartition(":")[2], node.value)
    return None


def _typed_scalar(type_name: str, written_value: str) -> Any:
    match type_name:
        case "int" | "float":
            return TypedNumber(written_value)
        case "bool":
            return written_value.lower() == "true"
        case "null":
            return None
    return written_value


def _line_number(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _compose_next(remaining_parts: Iterator[Sequence[Any]], loader: _Loader) -> yaml.Node | None:
    """The node that begins with the next part; None where that is the end of a list or mapping."""
    part_kind, line_number, written_value, is_plain = next(remaining_parts)
    yaml_mark = yaml.Mark("", 0, line_number - 1, 0, None, 0)
    if part_kind == "text":
        yaml_tag = loader.resolve(yaml.ScalarNode, written_value, (is_plain, not is_plain))
        return yaml.ScalarNode(yaml_tag, written_value, yaml_mark, yaml_mark)
    if part_kind == "end":
        return None
    nodes = [*iter(partial(_compose_next, remaining_parts, loader), None)]
    if part_kind == "list":
        return yaml.SequenceNode("tag:yaml.org,2002:seq", nodes, yaml_mark, yaml_mark)
    key_value_pairs = [*zip(nodes[::2], nodes[1::2], strict=True)]
    return yaml.MappingNode("tag:yaml.org,2002:map", key_value_pairs, yaml_mark, yaml_mark)


UNREADABLE = "unreadable"
"""The kind of a fault for which a text is no YAML at all."""


def unreadable(file_name: str, line_number: int, problem: str) -> Fault:
    """What the parser says, in our words."""
    return Fault(file_name, line_number, "", f"YAML读不懂：{_problem_words(problem)}", UNREADABLE)


def _problem_words(problem: str) -> str:
    """Our words for a problem; one that we do not know is given as it is.

    >>> _problem_words("mapping values are not allowed in this context")
    '这一行多了一个冒号：文字里有冒号，就用引号把整句括起来'
    >>> _problem_words("重复的键'a'")
    "重复的键'a'"
    """
    for message_part, problem_words in PARSER_MESSAGE_PARTS_WITH_WORDS:
        if message_part in problem.lower():
            return problem_words
    return problem
