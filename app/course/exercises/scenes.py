"""Scenes of daily life: they dress the bare grades of a generated question."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Self

from pydantic import model_validator

from app.course.items.examples import Document, Ranking
from app.course.text.model_base import ContentPart, Id, Title
from app.engine.generate.random_stream import shuffled

TITLE_COUNT_BY_GRADE = {4: 2, 3: 4, 2: 4, 1: 4, 0: 4}
"""How many titles a scene has for each grade: as many as a generated question may need of it."""


class Scene(ContentPart):
    """A query and, for each grade, titles that deserve it; `ladder` says what each grade asks for."""

    theme: Title
    query: Title
    ladder: Title | None = None
    engine: Title
    titles: dict[int, list[Title]]

    @model_validator(mode="after")
    def _titles_are_complete(self) -> Self:
        if unknown_grades := set(self.titles) - set(TITLE_COUNT_BY_GRADE):
            raise ValueError(f"没有甜度{'、'.join(map(str, sorted(unknown_grades)))}：甜度是0到4")
        for grade, title_count in TITLE_COUNT_BY_GRADE.items():
            titles = self.titles.get(grade, [])
            if len(titles) != title_count:
                raise ValueError(f"甜度{grade}要有{title_count}个标题，这里有{len(titles)}个")
        distinct_titles = set().union(*self.titles.values())
        if len(distinct_titles) < sum(TITLE_COUNT_BY_GRADE.values()):
            raise ValueError("同一个场景里有两个一样的标题")
        return self

    @property
    def rungs_markdown(self) -> str:
        """The ladder as a list in Markdown, a line for each grade; nothing where there is none.

        >>> titles = {grade: [f"{grade}{n}" for n in "abcd"[: 2 if grade == 4 else 4]] for grade in range(5)}
        >>> scene = Scene(theme="茶", query="茶", engine="搜", titles=titles, ladder="4分：热茶；3分：凉茶")
        >>> print(scene.rungs_markdown)
        - 4分：热茶
        - 3分：凉茶
        - 0分：不沾边
        """
        if self.ladder is None:
            return ""
        return "\n".join(f"- {rung}" for rung in [*self.ladder.split("；"), "0分：不沾边"])


def dressed_ranking(
    scene: Scene, grades: Sequence[int], unlisted_grades: Sequence[int], seed: int
) -> Ranking:
    """Titles for the grades of a list and of what was judged beside it; no title twice.

    >>> titles = {grade: [f"{grade}{n}" for n in "abcd"[: 2 if grade == 4 else 4]] for grade in range(5)}
    >>> scene = Scene(theme="茶", query="茶", engine="搜索", titles=titles)
    >>> [document.title[0] for document in dressed_ranking(scene, [3, 0, 3], [2], 7).documents]
    ['3', '0', '3']
    """
    titles_by_grade = {}
    for grade in {*grades, *unlisted_grades}:
        titles_by_grade[grade] = iter(shuffled(scene.titles[grade], seed, f"{scene.query}{grade}"))
    titled_documents = [
        Document(title=next(titles_by_grade[grade]), grade=grade) for grade in (*grades, *unlisted_grades)
    ]
    listed_document_count = len(grades)
    return Ranking(
        query=scene.query,
        engine=scene.engine,
        documents=titled_documents[:listed_document_count],
        unseen=titled_documents[listed_document_count:],
    )


def scene_of_seed(scene_by_id: Mapping[Id, Scene], seed: int, shuffle_key: str) -> Scene:
    """One of the scenes; the next seed mostly shows another one."""
    scene_ids = _shuffled_ids(tuple(scene_by_id), shuffle_key)
    return scene_by_id[scene_ids[seed % len(scene_ids)]]


@lru_cache(1024)  # every variant of an exercise asks for the same order
def _shuffled_ids(scene_ids: Sequence[str], shuffle_key: str) -> Sequence[str]:
    return shuffled(sorted(scene_ids), len(scene_ids), shuffle_key)


def ladder_by_query(scene_by_id: Mapping[Id, Scene]) -> Mapping[str, str]:
    """What each grade asks for, by the query of its scene; of two with one query, that of the first."""
    ladder_by_scene_query: dict[str, str] = {}
    for scene in scene_by_id.values():
        if scene.ladder:
            ladder_by_scene_query.setdefault(scene.query, scene.ladder)
    return ladder_by_scene_query
