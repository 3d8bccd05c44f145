"""How to read one's own NDCG: against the worst, the average and the best order of the same list."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.course import Course
from app.course.learning.figures import range as ruler
from app.course.reference.bands import BandTable, OwnList
from app.web.site.responses import markup

NEAR = 0.005
"""Nearer than that, two NDCGs read alike."""
LITTLE = 0.1
"""As little of the way from the average to the best (or the worst) is hardly any."""
OWN = "你的这一排"


@dataclass(frozen=True)
class NdcgRow:
    """A way to order the documents, and the NDCG that it gives."""

    name: str
    value: str
    own: bool


@dataclass(frozen=True)
class MeasuredView:
    """A list that was typed: drawn, in a table, and in sentences."""

    svg: Markup
    rows: Sequence[NdcgRow]
    sentences: Sequence[str]
    convention: str


def measured_view(course: Course, own: OwnList) -> MeasuredView:
    """The worst, the average and the best order of a list, and its own."""
    spread = own.spread
    edges = {band.low for table in course.bands for band in table.rows if band.stars and band.low}
    values = {"最差的排法": spread.worst, "乱排平均": spread.mean, OWN: own.ndcg, "最好的排法": spread.best}
    return MeasuredView(
        svg=markup(ruler.scale("你的这一排：NDCG的尺子", spread, own.ndcg, OWN, sorted(edges))),
        rows=[NdcgRow(name, f"{value:.3f}", name == OWN) for name, value in values.items()],
        sentences=sentences(own, course.bands),
        convention=own.convention,
    )


def sentences(own: OwnList, tables: Sequence[BandTable]) -> list[str]:
    """What a list is worth, one sentence after the other."""
    if own.tasteless:
        return ["一颗甜的都没有，连满分都是0：没法相除，按本站的约定记作0。换一排有甜味的糖试试。"]
    return [*_against_the_average(own), *_in_stars(own, tables)]


def _against_the_average(own: OwnList) -> Iterator[str]:
    spread = own.spread
    if spread.best - spread.worst < NEAR:
        yield "这排糖几乎没有余地：怎么排都是这个分数，它说明不了会不会排。"
    elif own.ndcg > spread.best - NEAR:
        yield "手里的糖，已经排得不能更好了。"
    else:
        yield _way_from_the_average(own)
    if spread.best < 1 - NEAR:
        yield f"最好也只有{spread.best:.3f}：评判池里更甜的糖没端上来，再怎么排也补不回。"


def _way_from_the_average(own: OwnList) -> str:
    """How far the list stands from the average: 1 is the best order, -1 the worst."""
    spread = own.spread
    end = spread.best if own.ndcg >= spread.mean else spread.worst
    way = (own.ndcg - spread.mean) / abs(end - spread.mean)
    if abs(way) < LITTLE:
        return "几乎就是闭眼乱排的平均：还看不出会排。"
    if way < 0:
        return "比闭眼乱排的平均还低：这个顺序在帮倒忙。"
    return f"从乱排的平均到最好，这段路走了大约{max(1, round(10 * way))}成。"


def _in_stars(own: OwnList, tables: Sequence[BandTable]) -> Iterator[str]:
    for table in tables:
        stars = table.stars(own.ndcg)
        worst = table.stars(own.spread.worst)
        if stars and worst:
            subject = "" if table.measure == f"NDCG@{own.k}" else f"（那张表说的是{table.measure}）"
            same = "也是" if stars == worst else "也有"
            yield (
                f"照{table.source}的表{subject}，它是{stars}颗星；可同样这些糖排到最差，{same}{worst}颗星。"
            )


@dataclass(frozen=True)
class BandRow:
    """A band of a source, and what it is said to mean."""

    label: str
    stars: int | None
    meaning: Markup


@dataclass(frozen=True)
class BandTableView:
    """The bands of a source, with a remark of the course."""

    source: str
    measure: str
    rows: Sequence[BandRow]
    remark: Markup

    @property
    def has_stars(self) -> bool:
        return any(row.stars for row in self.rows)


def table_view(course: Course, table: BandTable) -> BandTableView:
    """A table with its texts as HTML."""
    rows = [BandRow(band.label, band.stars, markup(course.line(band.said))) for band in table.rows]
    return BandTableView(table.source, table.measure, rows, markup(course.html(table.remark)))
