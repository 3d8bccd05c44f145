"""体检: a library is known by its three figures, as it prints them; and what cannot be told is said."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.course.items.marks import Unreadable
from app.course.workbench.checkup import check_up, read_figures
from app.course.workbench.snippets import snippets
from app.engine import CONVENTIONS, probes, scored_ndcg
from app.engine.reconciling import axis_answers_of
from tests.tables import each

RECORD = json.loads((Path(__file__).parents[2] / "data" / "snippet_figures.json").read_text(encoding="utf-8"))


def printed(name: str, decimals: int) -> list[str]:
    figures = []
    for probe in probes():
        value = scored_ndcg(probe.grades, probe.scores, name, probe.k, probe.pool, probe.docs)
        figures.append(f"{value or 0.0:.{decimals}f}")
    return figures


@pytest.mark.parametrize("decimals", [3, 4, 6, 12])
@pytest.mark.parametrize("name", CONVENTIONS)
def test_a_library_is_recognised_whatever_it_prints_with(name: str, decimals: int) -> None:
    checkup = check_up(printed(name, decimals))
    assert name in [library.preset for library in checkup.libraries]
    assert {axis_answers_of(convention) for convention in checkup.conventions} == {
        axis_answers_of(CONVENTIONS[name])
    }
    assert not checkup.is_ambiguous


@pytest.mark.parametrize("snippet", RECORD)
def test_what_a_snippet_printed_names_its_library(snippet: str) -> None:
    (program,) = [program for program in snippets() if program.id == snippet]
    assert program.code == RECORD[snippet]["code"], "changed: run it again, and keep what it prints"
    checkup = check_up(read_figures(RECORD[snippet]["printed"]))
    assert program.preset in [library.preset for library in checkup.libraries]


def test_every_snippet_of_a_library_was_run() -> None:
    assert {program.id for program in snippets() if program.preset is not None} == set(RECORD)


def test_every_snippet_has_the_lists_and_is_a_program() -> None:
    for snippet in snippets():
        compile(snippet.code, snippet.id, "exec")
        for probe in probes():
            assert f"{list(probe.grades)}, {list(probe.scores)}" in snippet.code


def test_with_few_decimals_several_conventions_are_left() -> None:
    checkup = check_up(["0.3", "0.6", "0"])
    assert checkup.is_ambiguous
    assert len(checkup.conventions) > 5
    assert {"ranx-burges", "quepid"} <= {library.preset for library in checkup.libraries}


def test_a_library_that_rounds_to_two_decimals_is_recognised() -> None:
    checkup = check_up(["0.33", "0.59", "0"])
    assert "opensearch" in [library.preset for library in checkup.libraries]


def test_who_prints_nothing_for_an_empty_query_has_not_said_what_it_counts() -> None:
    checkup = check_up(["0.379", "0.710", None])
    assert checkup.skips_empty_queries
    assert not checkup.is_ambiguous
    assert {"lightgbm", "ranklib"} <= {library.preset for library in checkup.libraries}


def test_a_convention_of_no_library_is_told_by_axis() -> None:
    scholar = replace(CONVENTIONS["course"], pool="list", ties="best")
    figures = []
    for probe in probes():
        value = scored_ndcg(probe.grades, probe.scores, scholar, probe.k, probe.pool, probe.docs)
        figures.append(f"{value:.3f}")
    checkup = check_up(figures)
    assert checkup.libraries == ()
    assert [axis_answers_of(convention) for convention in checkup.conventions] == [axis_answers_of(scholar)]


def test_the_figure_that_does_not_fit_is_named() -> None:
    assert check_up(["0.544", "0.9", "0"]).misfit == (2, "trec_eval", "0.528")
    assert check_up(["0.544246", "0.9", "0"]).misfit == (2, "trec_eval", "0.528")
    assert check_up(["0.1", "0.2", "0.3"]).misfit is None


def test_the_misfit_is_told_with_as_many_decimals_as_were_printed() -> None:
    """Figures of two decimals were compared to three, so that none of them was of a library."""
    assert check_up(["0.54", "0.99", "0"]).misfit == (2, "trec_eval", "0.53")
    assert check_up(["0.5", "0.9", "0.5"]).misfit is None, "with one decimal most libraries look alike"


def test_twins_say_what_tells_them_apart_elsewhere() -> None:
    (course, ranx) = check_up(printed("ranx", 6)).libraries
    assert (course.preset, ranx.preset) == ("course", "ranx")
    assert "小数甜度：切成整数" in ranx.readings


@pytest.mark.parametrize(
    "texts",
    [
        ["0.544", "0.528", "0"],
        ["0.544 0.528 0", "", ""],
        ["0.544，0.528，0", "", ""],
        ["０．５４４", " 0.528 ", "0"],
        ["0.544\n0.528\n0", "", ""],
    ],
)
def test_three_figures_are_read_as_they_are_pasted(texts: list[str]) -> None:
    assert [float(figure or "nan") for figure in read_figures(texts)] == [0.544, 0.528, 0]


@pytest.mark.parametrize("word", ["nan", "NaN", "None", "-", "报错"])
def test_the_third_list_may_have_no_figure(word: str) -> None:
    assert read_figures(["0.5", "0.6", word]) == ["0.5", "0.6", None]


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["", "", ""], "要3个数，一列一个，用空格隔开，这里有0个"),
        (["0.5", "0.6", ""], "这里有2个"),
        (["0.5 0.6 0 1", "", ""], "这里有4个"),
        (["0.5", "nan", "0"], "第2列的数没有抄全"),
        (["0.5", "x", "0"], "第2列的“x”不是数"),
        (["0.5", "0.6", "9" * 50], "第3列"),
    ],
)
def test_what_cannot_be_read_is_told_where_it_stands(texts: list[str], words: str) -> None:
    with pytest.raises(Unreadable, match=words):
        read_figures(texts)


@each(
    "figure_texts",
    [
        ["0,544", "0,528", "0"],
        ["0，544", "0，528", "0，0"],
        ["0,544 0,528 0", "", ""],
        ["0,544; 0,528; 0,0", "", ""],
        ["0.544,0.528,0", "", ""],
        ["0.544, 0.528，0.0", "", ""],
    ],
)
def test_a_comma_parts_decimals_where_it_parts_no_figures(figure_texts: list[str]) -> None:
    figures = [float(figure or "nan") for figure in read_figures(figure_texts)]
    assert figures == [0.544, 0.528, 0]


def test_a_third_figure_of_one_with_a_comma_is_one() -> None:
    assert read_figures(["0,544", "0,528", "1,000"])[2] == "1.000"
    assert read_figures(["1,1,0", "", ""]) == ["1", "1", "0"]
    with pytest.raises(Unreadable, match="这里有2个"):
        read_figures(["0,544 0,528", "", ""])


def test_a_whole_figure_does_not_make_the_others_longer() -> None:
    checkup = check_up(["0.54", "0.53", "0"])
    assert "trec_eval" in [library.preset for library in checkup.libraries]
