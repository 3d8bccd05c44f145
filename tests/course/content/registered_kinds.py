"""The kinds that a folder of the project has."""

from collections.abc import Iterator
from typing import Any, get_args


def kinds(union: Any) -> dict[str, type[Any]]:
    """The kinds of a union that is told apart by `kind`, each with the first of its models."""
    by_kind: dict[str, type[Any]] = {}
    for member in members(union):
        by_kind.setdefault(get_args(member.model_fields["kind"].annotation)[0], member)
    return by_kind


def members(union: Any) -> Iterator[type[Any]]:
    """The models of a union, also those of a union in it: labs are told apart by `lab`."""
    for argument in get_args(get_args(union)[0]):
        if isinstance(argument, type):
            yield argument
        else:
            yield from members(argument)
