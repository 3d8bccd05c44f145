"""A duel as a player sees it: two lists side by side, open as far as the moves have opened them."""

from collections.abc import Sequence
from typing import Any

from app import engine
from app.course import Course
from app.course.exercises.scenes import dress, pick
from app.course.games.duel import Round, Rule, Side, rounds
from app.course.games.duel_play import DuelGuess, DuelState, stand, total
from app.course.games.words import DuelWords, Ending
from app.course.items.examples import Document, describe
from app.course.items.rankings import Ranking
from app.records.games.values import MoveRow
from app.web.games.game_views import DUEL, duel_url
from app.web.items.variants import LAST_SEED
from app.web.site.responses import markup

SIDES: tuple[Side, Side] = ("x", "y")
NAMES = {"x": "系统X", "y": "系统Y", "tie": "打平"}
PRACTICE = {
    "opening": ("dcg", 1),
    "neighbours": ("term", 1),
    "two-swaps": ("discount-far", 1),
    "ties": ("term", 2),
    "cut": ("ndcg-at-k", 1),
    "gain": ("dcg-exponential", 1),
    "both": ("ndcg-exponential", 1),
    "finale": ("ndcg-exponential", 2),
}
"""Which exercise, at which level, practises what a round is about."""


def view(course: Course, words: DuelWords, seed: int, moves: Sequence[MoveRow]) -> dict[str, Any]:
    """The context of `games/_duel.html`."""
    state, before = stand(seed, moves), stand(seed, moves[:-1])
    rows = rounds(seed)
    here = rows[state.round]
    over = state.over(rows)
    return {
        "action": f"{DUEL}/{seed}/moves",
        "seed": seed,
        "position": len(moves) + 1,
        "number": state.round + 1,
        "rounds": len(rows),
        "score": state.score,
        "asked": len(state.told),
        "over": over,
        **_round(course, words, seed, state, before),
        "told": _told(course, words, here, state) if state.proved(here) else None,
        "twist": state.at + 1 < len(here.rules),
        "ending": _ending(course, words, seed, state) if over else None,
    }


def _round(
    course: Course, words: DuelWords, seed: int, state: DuelState, before: DuelState
) -> dict[str, Any]:
    here = rounds(seed)[state.round]
    rule, said = here.rules[state.at], words.rounds[here.kind]
    shown = state.shown if state.guess or state.at else 0
    kept = before.shown if (before.round, before.at) == (state.round, state.at) else shown
    ask = said.twist if state.at and said.twist else said.ask
    ranking = _ranking(course, words, seed, state.round)
    return {
        "name": said.name,
        "ask": markup(course.line(ask)),
        "phase": "guess" if state.guess is None else "proof" if state.proving(here) else "told",
        "guess": NAMES[state.guess] if state.guess else None,
        "at": state.at,
        "query": ranking.query,
        "engine": ranking.engine,
        "rows": _rows(here, rule, ranking.documents, shown, kept),
        "next_rank": shown + 1,
        "k": rule.k,
        "measure": f"{here.measure}@{rule.k}",
        "race": {side: _race(here, side, rule, shown, kept) for side in SIDES} if shown else None,
        "convention": _convention(here, rule),
    }


def _convention(here: Round, rule: Rule) -> str:
    pooled = len(here.pool) > len(here.x)
    said = describe(rule.gain, rule.k, pooled)
    return f"{said}·评判池就是两列里的全部{len(here.pool)}颗糖" if pooled else said


def _ranking(course: Course, words: DuelWords, seed: int, number: int) -> Ranking:
    """The judged documents of a round with their titles; the first round has its own."""
    here = rounds(seed)[number]
    if here.kind == "opening":
        opening = words.opening
        return Ranking(query=opening.query, engine=opening.engine, documents=opening.documents)
    scene = pick(course.scenes, seed + number, "duel")
    return dress(scene, here.pool, [], seed + number)


def _rows(
    here: Round, rule: Rule, documents: Sequence[Document], shown: int, kept: int
) -> list[dict[str, Any]]:
    """One row a rank: what stands there in both lists, and what it brings once it is open."""
    traces = {side: here.trace(side, rule) for side in SIDES}
    return [
        {
            "rank": rank,
            "counted": rank <= rule.k,
            "last": rank == rule.k and rank < len(here.x),
            "open": rank <= shown,
            "fresh": kept < rank <= shown,
            "cells": [
                _cell(documents[here.places(side)[rank - 1]], traces[side], rank, rule) for side in SIDES
            ],
        }
        for rank in range(1, len(here.x) + 1)
    ]


def _cell(document: Document, trace: engine.Trace, rank: int, rule: Rule) -> dict[str, Any]:
    cell = {"title": document.title, "grade": f"{document.grade or 0:g}", "value": "", "sum": ""}
    if rank > rule.k:
        return cell
    term = trace.terms[rank - 1]
    return {**cell, "value": f"{term.value:.2f}", "sum": f"{term.gain:g}÷{1 / term.discount:.4g}"}


def _race(here: Round, side: Side, rule: Rule, shown: int, kept: int) -> dict[str, Any]:
    """How far a side has run: its sum so far, as a share of the ideal."""
    trace = here.trace(side, rule)
    total, before = _sum(trace, shown), _sum(trace, min(kept, shown))
    scale = 100 / (trace.idcg or 1)
    return {
        "name": NAMES[side],
        "total": f"{total:.2f}",
        "before": round(before * scale),
        "added": round((total - before) * scale),
    }


def _sum(trace: engine.Trace, shown: int) -> float:
    return trace.terms[shown - 1].running_total if shown else 0.0


def _told(course: Course, words: DuelWords, here: Round, state: DuelState) -> dict[str, Any]:
    """What came out, in figures and in words."""
    rule, last = here.rules[state.at], state.told[-1]
    closing = state.at == len(here.rules) - 1
    return {
        "right": last.right,
        "guess": NAMES[last.guess],
        "head": _head(here, rule, last),
        "figures": [_figure(here, side, rule) for side in SIDES],
        "turned": _turned(here) if state.at else None,
        "point": markup(course.line(words.rounds[here.kind].told)) if closing else None,
    }


def _head(here: Round, rule: Rule, told: DuelGuess) -> str:
    """Who wins, in one line."""
    if told.truth == "tie":
        return f"正好打平，两边的{here.measure}@{rule.k}一模一样"
    return f"{NAMES[told.truth]}更高"


def _figure(here: Round, side: Side, rule: Rule) -> str:
    trace = here.trace(side, rule)
    if here.measure == "DCG":
        return f"{NAMES[side]}的DCG@{rule.k}≈{trace.dcg:.3f}"
    return f"{NAMES[side]}：{trace.dcg:.3f}÷{trace.idcg:.3f}≈{trace.ndcg:.3f}"


def _turned(here: Round) -> str:
    return "赢家换人了！" if here.turns else "赢家没换。"


def _ending(course: Course, words: DuelWords, seed: int, state: DuelState) -> dict[str, Any]:
    """The end: a title for the score, every guess, and what to practise."""
    share = state.score / total(seed)
    ending: Ending = next(one for one in words.endings if share >= one.share)
    missed = [one for one in state.told if not one.right]
    return {
        "name": ending.name,
        "text": markup(course.line(ending.text)),
        "score": state.score,
        "total": total(seed),
        "rows": [_guessed(course, words, seed, one) for one in state.told],
        "practice": _practice(course, [rounds(seed)[one.round] for one in missed]),
        "again": duel_url(seed % LAST_SEED + 1),
    }


def _guessed(course: Course, words: DuelWords, seed: int, told: DuelGuess) -> dict[str, Any]:
    here = rounds(seed)[told.round]
    rule = here.rules[told.at]
    gain = "指数" if rule.gain == "exponential" else "线性"
    said = words.rounds[here.kind]
    return {
        "number": told.round + 1,
        "name": said.name,
        "rule": f"{here.measure}@{rule.k}，{gain}增益",
        "right": told.right,
        "guess": NAMES[told.guess],
        "truth": NAMES[told.truth],
        "point": None if told.right else markup(course.line(said.told)),
    }


def _practice(course: Course, missed: Sequence[Round]) -> list[dict[str, str]]:
    """What was missed, as exercises; each once."""
    wanted = dict.fromkeys(PRACTICE[one.kind] for one in missed)
    return [
        {"title": course.exercises[name].title, "url": f"/practice/{name}?level={level}"}
        for name, level in wanted
        if name in course.exercises
    ][:3]
