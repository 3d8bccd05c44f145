"""换你: after the tutor has computed, the same question with one grade changed."""

from collections.abc import Iterator, Sequence

from app import engine
from app.course.items import rounding
from app.course.items.examples import Example
from app.course.items.kinds.numeric import AskedQuantity, Numeric

SUFFIX = "-turn"
SWEETEST = 3
"""The top of a scale of grades that shows no higher grade."""

Change = tuple[AskedQuantity, str]


def turn_of_item(item: Numeric) -> Numeric:
    """The question of a numeric item with one thing changed; its twin."""
    asked, sentence = _change(item)
    return item.model_copy(
        update={
            "id": item.id + SUFFIX,
            "twin": None,
            "question": asked,
            "stem": f"换你：{sentence}。现在{item.model_copy(update={'question': asked}).name}是多少？",
            "hints": [],
            "explanation": None,
        }
    )


def turn_of_example(example: Example) -> Numeric:
    """NDCG of an example with one grade changed, asked once everything is open."""
    asked = AskedQuantity(
        quantity="ndcg",
        grades=example.grades,
        k=example.k,
        gain=example.gain,
        pool=example.pool,
    )
    base = Numeric(
        kind="numeric",
        id=f"{example.id}-example",
        skill="ndcg",
        stem="换你",
        question=asked,
        decimals=3,
        minutes=3,
    )
    hints = [
        "先把新的甜度写成一列，再照刚才的四步走：各项、理想排序、理想的各项、相除。",
        "别忘了重新排一次理想顺序：甜度变了，最好的排法也可能变。",
    ]
    return turn_of_item(base).model_copy(update={"hints": hints})


def _change(item: Numeric) -> Change:
    """The first change whose answer the old question would not have accepted; best one that asks for work."""
    low, high = rounding.accepted(item.question.question(), item.decimals)
    changes = list(_changes(item.question))
    answers = [round(engine.answer(asked.question()), item.decimals) for asked, _ in changes]
    apart = [change for change, answer in zip(changes, answers, strict=True) if not low <= answer <= high]
    busy = [change for change in apart if not _is_plain(change[0])]
    return [*busy, *apart, *changes][0]


def _is_plain(asked: AskedQuantity) -> bool:
    """An NDCG of 1 or 0 is seen without computing."""
    return asked.quantity == "ndcg" and not 1e-9 < engine.answer(asked.question()) < 1 - 1e-9


def _changes(asked: AskedQuantity) -> Iterator[Change]:
    grades = asked.grades or []
    if asked.quantity == "discount":
        yield from _other_ranks(asked, len(grades))
        return
    for position in _positions(asked, grades):
        for grade in _other_grades(grades, position):
            yield _with(asked, position, grade), _sentence(asked, position, grade)
    if asked.rank is None:
        yield from _other_cuts(asked, len(grades))


def _other_ranks(asked: AskedQuantity, length: int) -> Iterator[Change]:
    """A discount does not care for grades: another rank is asked."""
    for rank in dict.fromkeys([(asked.rank or 1) + 1, (asked.rank or 1) - 1, 2]):
        if rank >= 1:
            grades = [*(asked.grades or []), *[0] * (rank - length)]
            yield asked.model_copy(update={"rank": rank, "grades": grades}), f"名次换成第{rank}位"


def _other_cuts(asked: AskedQuantity, length: int) -> Iterator[Change]:
    """Where no grade matters, as in the ideal of a list that is all top: another k."""
    old = asked.k or length
    for cut in (old + 1, old - 1):
        if 1 <= cut <= length:
            changed = asked.model_copy(update={"k": cut})
            yield changed, "，".join([f"截断位置从{old}改成{cut}", *_rest(changed, "甜度还是")])


def _positions(asked: AskedQuantity, grades: Sequence[float | None]) -> list[int]:
    """Which grade to change: that of the asked rank, else from the second on; the unjudged ones last."""
    if asked.rank:
        return [asked.rank - 1]
    places = [*range(1, len(grades)), 0]
    cut = asked.k or len(grades)
    return sorted(places, key=lambda place: (grades[place] is None, place >= cut))


def _other_grades(grades: Sequence[float | None], position: int) -> list[float]:
    """One more, one less, the top, nothing: as long as it stays on the scale."""
    old = grades[position] or 0
    top = max(SWEETEST, *(grade or 0 for grade in grades))
    return [
        grade for grade in dict.fromkeys([old + 1, old - 1, top, 0]) if 0 <= grade <= top and grade != old
    ]


def _with(asked: AskedQuantity, position: int, grade: float) -> AskedQuantity:
    grades = list(asked.grades or [])
    pool, old = asked.pool, grades[position] or 0
    grades[position] = grade
    if pool is not None:
        place = pool.index(old) if old in pool else len(pool)
        pool = [*pool[:place], grade, *pool[place + 1 :]]
    return asked.model_copy(update={"grades": grades, "pool": pool})


def _sentence(asked: AskedQuantity, position: int, grade: float) -> str:
    """What changes, and the whole list as it then is."""
    old = (asked.grades or [])[position] or 0
    changed = f"把第{position + 1}位的甜度从{old:g}改成{grade:g}"
    return "，".join([changed, "别的都不动", *_rest(_with(asked, position, grade), "甜度成了")])


def _rest(asked: AskedQuantity, lead: str) -> Iterator[str]:
    """Everything else that the answer depends on."""
    yield f"{lead}{_listed(asked.grades or [])}"
    if asked.pool is not None:
        yield f"评判池是{_listed(asked.pool)}"
    if asked.gain == "exponential":
        yield "照旧用指数增益"


def _listed(grades: Sequence[float | None]) -> str:
    return "、".join("未标注" if grade is None else f"{grade:g}" for grade in grades)
