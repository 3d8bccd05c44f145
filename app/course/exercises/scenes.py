"""Scenes of daily life: they dress the bare grades of a generated question."""

from collections.abc import Mapping, Sequence
from typing import Self

from pydantic import model_validator

from app.course.items.examples import Document
from app.course.items.kinds.base import shuffled
from app.course.items.rankings import Ranking
from app.course.text.model_base import ContentPart, Id, Title

TITLES = {4: 2, 3: 4, 2: 4, 1: 4, 0: 4}
"""How many titles a scene has for each grade: as many as a generated question may need of it."""


class Scene(ContentPart):
    """A query and, for each grade, titles that deserve it."""

    theme: Title
    query: Title
    engine: Title
    titles: dict[int, list[Title]]

    @model_validator(mode="after")
    def _enough_titles(self) -> Self:
        if unknown := set(self.titles) - set(TITLES):
            raise ValueError(f"没有甜度{'、'.join(map(str, sorted(unknown)))}：甜度是0到4")
        for grade, wanted in TITLES.items():
            found = self.titles.get(grade, [])
            if len(found) != wanted:
                raise ValueError(f"甜度{grade}要有{wanted}个标题，这里有{len(found)}个")
        every = [title for titles in self.titles.values() for title in titles]
        if len(set(every)) < len(every):
            raise ValueError("同一个场景里有两个一样的标题")
        return self


def dress(scene: Scene, grades: Sequence[int], unseen: Sequence[int], seed: int) -> Ranking:
    """Titles for the grades of a list and of what was judged beside it; no title twice.

    >>> titles = {grade: [f"{grade}{one}" for one in "abcd"[:wanted]] for grade, wanted in TITLES.items()}
    >>> scene = Scene(theme="茶", query="茶", engine="搜索", titles=titles)
    >>> [document.title[0] for document in dress(scene, [3, 0, 3], [2], 7).documents]
    ['3', '0', '3']
    """
    left = {grade: shuffled(titles, seed, f"{scene.query}{grade}") for grade, titles in scene.titles.items()}
    every = [Document(title=left[grade].pop(0), grade=grade) for grade in (*grades, *unseen)]
    return Ranking(
        query=scene.query,
        engine=scene.engine,
        documents=every[: len(grades)],
        unseen=every[len(grades) :],
    )


def pick(scenes: Mapping[Id, Scene], seed: int, key: str) -> Scene:
    """One of the scenes; the next seed mostly shows another one."""
    names = shuffled(sorted(scenes), len(scenes), key)
    return scenes[names[seed % len(names)]]
