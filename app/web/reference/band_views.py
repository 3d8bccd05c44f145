"""How to read one's own NDCG: against the worst, the average and the best order of the same list."""

from collections.abc import Iterator, Sequence

from app.course.reference.bands import BandTable, OwnList

NEAR = 0.005
"""Nearer than that, two NDCGs read alike."""
LITTLE = 0.1
"""As little of the way from the average to the best (or the worst) is hardly any."""


def reading(own: OwnList, tables: Sequence[BandTable]) -> list[str]:
    """What can be said of it, one sentence after the other."""
    if own.tasteless:
        return ["一颗甜的都没有，连满分都是0：没法相除，按本站的约定记作0。换一排有甜味的糖试试。"]
    return [*_against_the_average(own), *_in_stars(own, tables)]


def _against_the_average(own: OwnList) -> Iterator[str]:
    ndcg, spread = own.ndcg, own.spread
    if spread.best - spread.worst < NEAR:
        yield "这排糖几乎没有余地：怎么排都是这个分数，它说明不了会不会排。"
    elif ndcg > spread.best - NEAR:
        yield "手里的糖，已经排得不能更好了。"
    elif abs(way := _way(own)) < LITTLE:
        yield "几乎就是闭眼乱排的平均：还看不出会排。"
    elif way < 0:
        yield "比闭眼乱排的平均还低：这个顺序在帮倒忙。"
    else:
        yield f"从乱排的平均到最好，这段路走了大约{max(1, round(10 * way))}成。"
    if spread.best < 1 - NEAR:
        yield f"最好也只有{spread.best:.3f}：评判池里更甜的糖没端上来，再怎么排也补不回。"


def _way(own: OwnList) -> float:
    """How far it stands from the average: 1 is the best order, -1 the worst."""
    end = own.spread.best if own.ndcg >= own.spread.mean else own.spread.worst
    return (own.ndcg - own.spread.mean) / abs(end - own.spread.mean)


def _in_stars(own: OwnList, tables: Sequence[BandTable]) -> Iterator[str]:
    for table in tables:
        mine, worst = table.stars(own.ndcg), table.stars(own.spread.worst)
        if mine and worst:
            same = "也是" if mine == worst else "也有"
            here = f"照{table.source}的表{_about(table, own)}"
            yield f"{here}，它是{mine}颗星；可同样这些糖排到最差，{same}{worst}颗星。"


def _about(table: BandTable, own: OwnList) -> str:
    """What the table is about, where the list is cut elsewhere."""
    return "" if table.measure == f"NDCG@{own.k}" else f"（那张表说的是{table.measure}）"
