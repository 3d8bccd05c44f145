"""The lines of a rubric as they were when an answer in words was marked, and which of them it meets."""

import json
from collections.abc import Sequence
from typing import NamedTuple


class MarkedLines(NamedTuple):
    """What an answer says of what it had to say, by the words of the lines."""

    met_lines: Sequence[str]
    missed_lines: Sequence[str]


def rubric_lines_of(body: str) -> list[str]:
    """The lines of a frozen item; none where it has no rubric.

    >>> rubric_lines_of('{"id": "dcg"}')
    []
    """
    return [line["text"] for line in json.loads(body).get("rubric", [])]


def marked_lines(body: str, ticks: str) -> MarkedLines:
    """From the item that was marked and the JSON of the ticked positions.

    >>> body = '{"rubric": [{"text": "一屏几条", "points": 2}, {"text": "没人翻", "points": 1}]}'
    >>> marked_lines(body, "[1]")
    MarkedLines(met_lines=['没人翻'], missed_lines=['一屏几条'])
    """
    ticked_positions = json.loads(ticks)
    met_lines = []
    missed_lines = []
    for position, line in enumerate(rubric_lines_of(body)):
        if position in ticked_positions:
            met_lines.append(line)
        else:
            missed_lines.append(line)
    return MarkedLines(met_lines, missed_lines)
