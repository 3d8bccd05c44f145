"""A battle as a player sees it: the monster, what was struck, what struck back, the next stroke."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from markupsafe import Markup

from app import engine
from app.course import Course, Unreadable
from app.course.content.recorded_misconceptions import misconception_ids_of_code
from app.course.exercises.scenes import dressed_ranking, scene_of_seed
from app.course.games.monster import Battle, Stroke, practice_exercise_id_of
from app.course.games.monster_play import (
    ESTIMATE_TOLERANCE,
    POTION_COUNT,
    BattleState,
    state_after_moves,
    stroke_diagnosis,
)
from app.course.games.words import MonsterWords, StrokeWords
from app.course.items import numbers, rounding, solutions
from app.course.items.examples import Ranking, convention_line
from app.course.text.model_base import GainName
from app.records.games.values import MoveRow, Play
from app.web.games.game_views import MONSTER_PATH, PracticeLink, fresh_battle_url, practice_links
from app.web.items.kinds.base import DiscountRow
from app.web.items.kinds.numeric import discount_rows_of
from app.web.items.typed_answers import TypedAnswer
from app.web.site.rendering import line_html, markup

MOOD_BY_VERDICT = {
    "": "idle", "right": "hurt", "estimated": "hurt", "finished": "hurt", "shown": "hurt", "wrong": "attack",
    "blocked": "attack", "graze": "idle", "hint": "idle", "read": "idle", "healed": "idle",
}  # fmt: skip
"""How the monster looks after what came last."""
MOOD_BY_OUTCOME = {"won": "small", "retreat": "smug"}
RULER_LENGTH, RULER_FOOT = 126, 144
"""Length and foot of the ruler in the drawing of the end."""


class Speech(NamedTuple):
    """What the monster shouts, with the name of its attack, and what the tutor says to it in which mood."""

    shout_html: Markup | None = None
    attack_name: str = ""
    words_html: Markup | None = None
    mood: str = "thinking"


class StrokeFact(NamedTuple):
    """A number that was found: it may be used from now on. `solved_by`: struck or helped."""

    stroke_name: str
    value_name: str
    value_text: str
    solved_by: str


class AttackReport(NamedTuple):
    """An attack of the monster, how often it came, and what wards it off."""

    name: str
    occurrence_count: int
    misconception_name: str
    hint: str


@dataclass(frozen=True)
class BattleView:
    """What `games/_monster.html` shows. `typed_answer`: what stands in the field unrecorded."""

    course: Course
    game_words: MonsterWords
    play: Play
    moves: Sequence[MoveRow]
    typed_answer: TypedAnswer | None

    potion_count = POTION_COUNT

    @cached_property
    def state(self) -> BattleState:
        return state_after_moves(self.play.level, self.play.seed, self.moves)

    @property
    def battle(self) -> Battle:
        return self.state.battle

    @property
    def moves_url(self) -> str:
        return f"{MONSTER_PATH}/{self.battle.level}/{self.battle.seed}/moves"

    @property
    def mood(self) -> str:
        """How the monster looks."""
        if self.state.outcome:
            return MOOD_BY_OUTCOME[self.state.outcome]
        return MOOD_BY_VERDICT[self.state.last_verdict]

    @property
    def beaten_monster_box(self) -> dict[str, str]:
        """The beaten monster beside a ruler from 0 to 1: it is as high as its NDCG."""
        height = RULER_LENGTH * self.battle.trace.ndcg
        width = height * 150 / 142
        return {
            "x": f"{48 + (122 - width) / 2:.1f}",
            "y": f"{RULER_FOOT - height:.1f}",
            "width": f"{width:.1f}",
            "height": f"{height:.1f}",
        }

    @cached_property
    def ranking(self) -> Ranking:
        """The list that is fought over, in the dress of daily life."""
        battle = self.battle
        scene = scene_of_seed(self.course.scenes, battle.seed, f"monster-{battle.level}")
        return dressed_ranking(scene, battle.grades, battle.unlisted_grades, battle.seed)

    @property
    def convention_words(self) -> str:
        question = self.battle.question
        gain: GainName = "linear"
        if question.gain == "exponential":
            gain = "exponential"
        return convention_line(gain, question.k, question.pool is not None)

    @property
    def k(self) -> int:
        """How many ranks count."""
        return self.battle.question.k or len(self.battle.grades)

    # What was just said.

    @cached_property
    def speech(self) -> Speech:
        match self.state.last_verdict:
            case "":
                shout_sentences = self.game_words.begin
                shout_sentence = shout_sentences[self.battle.seed % len(shout_sentences)]
                return Speech(shout_html=self.line_html(shout_sentence))
            case "right":
                stroke_words = self.game_words.strokes[self._last_stroke.kind]
                return Speech(words_html=self.line_html(stroke_words.hit), mood="pleased")
            case "estimated" | "healed":
                praise_by_verdict = {"estimated": self.game_words.estimated, "healed": self.game_words.healed}
                return Speech(
                    words_html=self.line_html(praise_by_verdict[self.state.last_verdict]), mood="pleased"
                )
            case "shown":
                solution_texts = solutions.solution_lines(self._last_stroke.question, 3)
                if self._last_stroke.choices:
                    solution_texts = solution_texts[:1]
                return Speech(words_html=self._paragraphs_html(self.game_words.helped, *solution_texts))
            case "graze":
                return Speech(words_html=self._paragraphs_html(self.game_words.graze, self._explanation()))
            case "wrong" | "blocked":
                return self._counterattack()
        return Speech()

    @property
    def _last_stroke(self) -> Stroke:
        return self.battle.strokes[self.state.stroke_index - 1]

    def _counterattack(self) -> Speech:
        misconception_ids = misconception_ids_of_code(self.moves[-1].misconception_code or "")
        attack_words = self.game_words.attack_words_of(misconception_ids)
        answer_lines = [self._explanation()]
        if self.state.last_verdict == "blocked":
            answer_lines.insert(0, self.game_words.blocked)
        return Speech(
            self.line_html(attack_words.cry),
            attack_words.name,
            self._paragraphs_html(*answer_lines),
            "puzzled",
        )

    def _explanation(self) -> str:
        """What happened in the last move, and how it is put right; never the answer."""
        move = self.moves[-1]
        stroke_of_move = self.state.stroke
        if move.move == "quick":
            stroke_of_move = self.battle.strokes[-1]
        if stroke_of_move.choices and move.misconception_code:
            misconception = engine.MISCONCEPTIONS[move.misconception_code]
            return f"{misconception.mistake_clause}：{misconception.hint}"
        try:
            typed_number = numbers.read(move.raw)
        except Unreadable:
            return ""
        stroke_mistake = stroke_diagnosis(stroke_of_move, typed_number, move.move)
        if stroke_mistake:
            return rounding.explanation_markdown(stroke_mistake)
        if move.verdict == "graze":
            return "就差最后一位了，再看看进位。"
        size_sentence = rounding.size_sentence(
            stroke_of_move.question, typed_number.value, stroke_of_move.accepted_range[1]
        )
        if move.move == "estimate":
            return f"离准数差了{ESTIMATE_TOLERANCE:.0%}以上，{size_sentence}"
        return size_sentence

    def line_html(self, markdown_text: str) -> Markup:
        return line_html(self.course, markdown_text)

    def _paragraphs_html(self, *markdown_texts: str) -> Markup:
        paragraph_htmls = [f"<p>{self.course.line_html(text)}</p>" for text in markdown_texts if text]
        return markup("".join(paragraph_htmls))

    # The stroke that is asked now.

    @property
    def stroke_words(self) -> StrokeWords:
        return self.game_words.strokes[self.state.stroke.kind]

    def stroke_line_html(self, markdown_text: str) -> Markup:
        """A text about the stroke, with the names and numbers of this one."""
        question = self.state.stroke.question
        line = markdown_text.format(name=solutions.quantity_name(question), rank=question.rank, k=self.k)
        return self.line_html(line)

    def is_allowed(self, move_kind: str) -> bool:
        """Whether a move can be made now: answer, estimate, quick, potion, heal, help."""
        return self.state.is_allowed(move_kind)

    @property
    def ratio_name(self) -> str:
        """What a quick blow names."""
        return solutions.quantity_name(self.battle.question)

    @property
    def rounding_words(self) -> str:
        stroke = self.state.stroke
        if not stroke.decimals:
            return "写整数"
        table_name = rounding.table_name(stroke.question.quantity)
        return f"四舍五入到{stroke.decimals}位小数；用{table_name}上的数来算也可以"

    @property
    def example_sum_text(self) -> str:
        if self.state.stroke.decimals == 0:
            return numbers.EXAMPLE_WHOLE_SUM
        return numbers.EXAMPLE_SUM

    @property
    def discount_table(self) -> Sequence[DiscountRow]:
        stroke = self.state.stroke
        if stroke.kind in ("ideal-order", "ndcg"):
            return ()
        return discount_rows_of(stroke.question.quantity)

    @property
    def field_text(self) -> str:
        """What stands in the field: the text that was typed, else the last try."""
        if self.typed_answer:
            return self.typed_answer.raw[0]
        if self.state.tried_answers:
            _, last_answer = self.state.tried_answers[-1]
            return last_answer
        return ""

    @property
    def error_words(self) -> str:
        if self.typed_answer and self.typed_answer.is_refused:
            try:
                numbers.read(self.typed_answer.raw[0])
            except Unreadable as error:
                return str(error)
        return ""

    # What was found, and the end.

    @property
    def stroke_facts(self) -> list[StrokeFact]:
        """What has been found so far."""
        strokes = self.battle.strokes[: self.state.stroke_index]
        return [self._stroke_fact(stroke_index, stroke) for stroke_index, stroke in enumerate(strokes)]

    def _stroke_fact(self, stroke_index: int, stroke: Stroke) -> StrokeFact:
        stroke_name = self.game_words.strokes[stroke.kind].name
        solved_by = "helped"
        if stroke_index in self.state.struck_indexes:
            solved_by = "struck"
        for stroke_choice in stroke.choices:
            if stroke_choice.misconception_id is None:
                return StrokeFact(
                    stroke_name, "理想排序", "、".join(map(str, stroke_choice.grades)), solved_by
                )
        return StrokeFact(
            stroke_name, solutions.quantity_name(stroke.question), stroke.right_answer_text, solved_by
        )

    @property
    def attack_reports(self) -> list[AttackReport]:
        """Each attack once."""
        attack_reports = []
        attack_count_by_misconception_code = Counter(
            attack.misconception_code for attack in self.state.attacks
        )
        for misconception_code, attack_count in attack_count_by_misconception_code.items():
            misconception_names = []
            hint_text = ""
            misconception_ids = misconception_ids_of_code(misconception_code or "")
            for misconception_id in misconception_ids:
                misconception = engine.MISCONCEPTIONS.get(misconception_id)
                if misconception:
                    misconception_names.append(misconception.name)
                    hint_text += misconception.hint
            joined_misconception_names = "，并且".join(misconception_names) or "这个数没认出来历"
            attack_reports.append(
                AttackReport(
                    self.game_words.attack_words_of(misconception_ids).name,
                    attack_count,
                    joined_misconception_names,
                    hint_text,
                )
            )
        return attack_reports

    @property
    def exercise_links(self) -> list[PracticeLink]:
        """The exercises for where it went wrong, most often first; without any mistake the whole table."""
        level = self.battle.level
        mistake_count_by_stroke_index = Counter(attack.stroke_index for attack in self.state.attacks)
        mistake_count_by_stroke_index.update(self.state.helped_indexes)
        exercise_ids_and_levels = []
        for stroke_index, _ in mistake_count_by_stroke_index.most_common():
            stroke = self.battle.strokes[stroke_index]
            exercise_ids_and_levels.append((practice_exercise_id_of(stroke, self.battle), level))
        if not exercise_ids_and_levels:
            exercise_ids_and_levels = [(f"steps-{self.battle.generator_name}", level)]
        return practice_links(self.course, exercise_ids_and_levels)

    @property
    def worked_line_htmls(self) -> list[Markup]:
        return [self.line_html(line) for line in solutions.solution_lines(self.battle.question, 3)]

    @property
    def next_play_url(self) -> str:
        """Where a fresh battle of this level begins."""
        return fresh_battle_url(self.battle.level)

    def level_url(self, level_change: int) -> str:
        """Where a fresh battle so many levels higher begins; nothing where there is no such level."""
        level = self.battle.level + level_change
        if not 1 <= level <= len(self.game_words.levels):
            return ""
        return fresh_battle_url(level)
