"""指标段位: what bands are said to mean, and one's own list between its worst and its best order."""

from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

from starlette.responses import Response

from app.course import Course
from app.course.items.examples import Example
from app.course.learning.figures import range as ruler
from app.course.reference.bands import BandTable, OwnList, UnusableList, read_own_list
from app.web.site.rendering import line_html, markup, text_html
from app.web.site.requests import RequestDep
from app.web.site.responses import Context
from app.web.site.routing import LazyRouter

router = LazyRouter()
BANDS_PATH = "/bands"
FIELD_NAMES = ("grades", "k", "gain", "more")
MOST_SAMPLES = 3
NDCG_TOLERANCE = 0.005
"""Nearer than that, two NDCGs read alike."""
SMALL_SHARE_OF_WAY = 0.1
"""As little of the way from the average to the best (or the worst) is hardly any."""
OWN_LIST_NAME = "你的这一排"


@router.get(BANDS_PATH)
async def show(request: RequestDep) -> Response:
    """The form, what it gives for the list in the address, and the tables of the sources."""
    course = request.course
    typed_text_by_field = {field_name: request.query.get(field_name, "")[:400] for field_name in FIELD_NAMES}
    own_figures = None
    error_sentence = refused_field = ""
    if "grades" in request.query:
        try:
            own_figures = own_list_context(course, read_own_list(**typed_text_by_field))
        except UnusableList as error:
            error_sentence, refused_field = str(error), error.field
    return request.page(
        "reference/bands",
        is_signed_in=await request.is_signed_in(),
        page="bands",
        title="指标段位",
        typed_text_by_field=typed_text_by_field,
        error_sentence=error_sentence,
        refused_field=refused_field,
        own_figures=own_figures,
        samples=title_by_sample_url(course),
        course=course,
        line_html=line_html,
        text_html=text_html,
    )


def title_by_sample_url(course: Course) -> dict[str, str]:
    """Address → title of the first examples without a pool, neither at their best nor at their worst."""
    title_by_url = {}
    for example in course.examples.values():
        ndcg_range = example.range
        if example.pool is None and ndcg_range.worst < example.trace.ndcg < ndcg_range.best:
            title_by_url[sample_url(example)] = example.title
        if len(title_by_url) == MOST_SAMPLES:
            break
    return title_by_url


def sample_url(example: Example) -> str:
    """The page with the list of an example."""
    grades_text = " ".join("?" if grade is None else f"{grade:g}" for grade in example.grades)
    address_fields = {"grades": grades_text, "k": example.cutoff, "gain": example.gain}
    return f"{BANDS_PATH}?{urlencode(address_fields)}"


def own_list_context(course: Course, own_list: OwnList) -> Context:
    """A list that was typed: drawn, in a table beside its worst, average and best order, and in sentences."""
    ndcg_range = own_list.ndcg_range
    star_edges: set[float] = set()
    for band_table in course.bands:
        star_edges.update(band.low for band in band_table.rows if band.stars and band.low)
    ruler_svg = ruler.draw_ruler(
        "你的这一排：NDCG的尺子", ndcg_range, own_list.ndcg, OWN_LIST_NAME, sorted(star_edges)
    )
    ndcg_by_order = {
        "最差的排法": ndcg_range.worst,
        "乱排平均": ndcg_range.mean,
        OWN_LIST_NAME: own_list.ndcg,
        "最好的排法": ndcg_range.best,
    }
    own_sentences = own_list_sentences(own_list, course.bands)
    ruler_html = markup(ruler_svg)
    return {
        "svg": ruler_html,
        "name": OWN_LIST_NAME,
        "rows": ndcg_by_order,
        "sentences": own_sentences,
        "convention": own_list.convention_words,
    }


def own_list_sentences(own_list: OwnList, band_tables: Sequence[BandTable]) -> list[str]:
    """What a list is worth, one sentence after the other."""
    if own_list.has_no_sweet_grade:
        return ["一颗甜的都没有，连满分都是0：没法相除，按本站的约定记作0。换一排有甜味的糖试试。"]
    return [*_sentences_about_average(own_list), *_star_sentences(own_list, band_tables)]


def _sentences_about_average(own_list: OwnList) -> Iterator[str]:
    ndcg_range = own_list.ndcg_range
    if ndcg_range.best - ndcg_range.worst < NDCG_TOLERANCE:
        yield "这排糖几乎没有余地：怎么排都是这个分数，它说明不了会不会排。"
    elif own_list.ndcg > ndcg_range.best - NDCG_TOLERANCE:
        yield "手里的糖，已经排得不能更好了。"
    else:
        yield _way_from_average_sentence(own_list)
    if ndcg_range.best < 1 - NDCG_TOLERANCE:
        yield f"最好也只有{ndcg_range.best:.3f}：评判池里更甜的糖没端上来，再怎么排也补不回。"


def _way_from_average_sentence(own_list: OwnList) -> str:
    """How far the list stands from the average: 1 is the best order, -1 the worst."""
    ndcg_range = own_list.ndcg_range
    nearer_end_ndcg = ndcg_range.worst
    if own_list.ndcg >= ndcg_range.mean:
        nearer_end_ndcg = ndcg_range.best
    share_of_way = (own_list.ndcg - ndcg_range.mean) / abs(nearer_end_ndcg - ndcg_range.mean)
    if abs(share_of_way) < SMALL_SHARE_OF_WAY:
        return "几乎就是闭眼乱排的平均：还看不出会排。"
    if share_of_way < 0:
        return "比闭眼乱排的平均还低：这个顺序在帮倒忙。"
    return f"从乱排的平均到最好，这段路走了大约{max(1, round(10 * share_of_way))}成。"


def _star_sentences(own_list: OwnList, band_tables: Sequence[BandTable]) -> Iterator[str]:
    for band_table in band_tables:
        star_count, lowest_star_count = (
            band_table.stars(own_list.ndcg),
            band_table.stars(own_list.ndcg_range.worst),
        )
        if not star_count or not lowest_star_count:
            continue
        measure_note = ""
        if band_table.measure != f"NDCG@{own_list.k}":
            measure_note = f"（那张表说的是{band_table.measure}）"
        also_word = "也有"
        if star_count == lowest_star_count:
            also_word = "也是"
        worst_order_words = f"可同样这些糖排到最差，{also_word}{lowest_star_count}颗星"
        yield f"照{band_table.source}的表{measure_note}，它是{star_count}颗星；{worst_order_words}。"
