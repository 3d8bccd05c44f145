"""The lines of a rubric as they were when an answer in words was marked, and which of them it meets."""

import json
from collections.abc import Collection, Sequence
from typing import NamedTuple

from app.course.items.kinds.short import Rubric
from app.records.grading.marks import points_that_add_up


class MarkedLines(NamedTuple):
    """What an answer says of what it had to say, by the words of the lines."""

    met_lines: Sequence[str]
    missed_lines: Sequence[str]


def shown_points_of_lines(full_points: float, rubric: Rubric) -> Sequence[float]:
    """What each line is worth where its question is worth `full_points`: in tenths that add up to them.

    >>> from app.course.items.kinds.short import RubricLine
    >>> lines = [RubricLine(text=text, points=1) for text in ("一屏几条", "没人翻", "要付钱")]
    >>> shown_points_of_lines(1, lines)
    [0.4, 0.3, 0.3]
    """
    sum_of_rubric_points = sum(rubric_line.points for rubric_line in rubric)
    points_by_line_index = {
        line_index: full_points * rubric_line.points / sum_of_rubric_points
        for line_index, rubric_line in enumerate(rubric)
    }
    return list(points_that_add_up(points_by_line_index).values())


def rubric_line_texts_of(item_body_json: str) -> list[str]:
    """The lines of a frozen item; none where it has no rubric.

    >>> rubric_line_texts_of('{"id": "dcg"}')
    []
    """
    return [rubric_line["text"] for rubric_line in json.loads(item_body_json).get("rubric", [])]


def ticks_on_present_lines(
    ticks: Collection[int], former_lines: Sequence[str], present_lines: Sequence[str]
) -> tuple[int, ...]:
    """Where the ticked lines of a rubric stand since it was changed; those that are gone are left out.

    >>> ticks_on_present_lines([0, 2], ["甲", "乙", "丙"], ["丙", "乙", "丁"])
    (0,)
    >>> ticks_on_present_lines([0, 1], ["甲"], ["乙", "甲"])
    (1,)
    """
    ticked_lines = {former_lines[line_index] for line_index in ticks if line_index < len(former_lines)}
    return tuple(
        line_index for line_index, present_line in enumerate(present_lines) if present_line in ticked_lines
    )


def marked_lines(item_body_json: str, ticks_json: str) -> MarkedLines:
    """From the item that was marked and the JSON of the ticked positions.

    >>> body = '{"rubric": [{"text": "一屏几条", "points": 2}, {"text": "没人翻", "points": 1}]}'
    >>> marked_lines(body, "[1]")
    MarkedLines(met_lines=['没人翻'], missed_lines=['一屏几条'])
    """
    ticked_line_indexes = json.loads(ticks_json)
    met_lines = []
    missed_lines = []
    for line_index, line_text in enumerate(rubric_line_texts_of(item_body_json)):
        if line_index in ticked_line_indexes:
            met_lines.append(line_text)
        else:
            missed_lines.append(line_text)
    return MarkedLines(met_lines, missed_lines)
