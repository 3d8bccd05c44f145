"""Whether everything that content names exists, and whether lessons are paced as lessons are."""

import difflib
from collections import Counter
from collections.abc import Mapping, Sequence

from app.course.content.course import Course
from app.course.content.model import Card, GlossaryTerm, Section, Stage
from app.course.content.skills import all_needed_skill_ids
from app.course.content.sources import FaultReporter, FileKind, Sources
from app.course.exercises.exercises import offered_exercises
from app.course.items.kinds import Item
from app.course.items.kinds.generated import UNKNOWN_SKILL_ID
from app.course.items.kinds.steps import ranking_fault_words
from app.course.learning import figures
from app.course.learning.coding import CodeExercise
from app.course.learning.steps import AnyStep, Ask, CardsStep, CodeStep, Figure, GameStep, Lab
from app.course.text.yaml12 import YamlDocument

NOUN_BY_FILE_KIND: Mapping[FileKind, str] = {
    "items": "题目",
    "examples": "例题",
    "cards": "卡片",
    "code": "代码题",
    "skills": "知识点",
}
"""The kinds of content that others name by id, and what authors call them."""
KIND_BY_FIELD: Mapping[str, FileKind] = {"item": "items", "example": "examples", "exercise": "code"}
"""The fields of steps that hold an id, and the kind of content that the id belongs to."""
MOST_QUIET_STEPS = 2
FEWEST_EARLIER_ITEMS_IN_QUIZ = 2
"""The fewest questions of a 小测, from the second stage on, about an earlier stage."""
UNKNOWN_SKILL = "unknown_skill"
"""The kind of a fault that names a knowledge point which there is not."""
TWIN_NEEDED_FAULT = "判断题、三个选项以内的单选题、三行的找错题要有twin（换个样子再问）"


class CrossReferences:
    """The names in a course, held against what the course has.

    Of a kind of which some file could not be read (`sources.unread_kinds`), nothing is said to be missing.
    """

    def __init__(self, course: Course, sources: Sources) -> None:
        self.course = course
        self.sources = sources
        self.piece_by_id_by_kind: Mapping[FileKind, Mapping[str, object]] = {
            "items": course.items,
            "examples": course.examples,
            "cards": course.cards,
            "code": course.code_exercises,
            "skills": course.skills,
        }
        self.lesson_item_ids = {step.asked_item_id for step in course.steps}

    def check(self) -> None:
        """Reports every name that leads nowhere, every id used twice, every stretch without an action."""
        self._check_sections()
        self._check_quizzes()
        self._check_placement()
        self._check_items()
        self._check_cards_and_code(self.sources.documents_by_kind["cards"], self.course.cards)
        self._check_cards_and_code(self.sources.documents_by_kind["code"], self.course.code_exercises)
        self._check_skills()
        if not self.sources.is_own:
            self._check_exercises()
        self._check_ids(self.course.stages, "course.yaml", "stages")
        self._check_ids(self.course.glossary, "glossary.yaml")

    def _check_sections(self) -> None:
        section_ids: set[str] = set()
        for stage in self.course.stages:
            for section_index, section in enumerate(stage.lesson_sections):
                fault_reporter = self.sources.reporter_at_path(
                    self.sources.lesson_document_by_stage_id[stage.id], "sections", section_index
                )
                if section.id in section_ids:
                    fault_reporter.at("id").report(f"这一节的id“{section.id}”在课程里用了两次")
                section_ids.add(section.id)
                if section.divided_from and stage.section(section.divided_from) is None:
                    fault_reporter.at("divided_from").report(f"这一阶段没有“{section.divided_from}”这一节")
                self._check_steps(section, fault_reporter.at("steps"))

    def _check_steps(self, section: Section, steps_reporter: FaultReporter) -> None:
        """Each step by itself; their ids, those of former times too; and that learners act often enough."""
        step_ids: set[str] = set()
        present_step_ids = {step.id for step in section.steps}
        former_step_ids: set[str] = set()
        quiet_step_count = 0
        for step_index, step in enumerate(section.steps):
            fault_reporter = steps_reporter.at(step_index)
            if step.id in step_ids:
                fault_reporter.at("id").report(f"这一步的id“{step.id}”在这一节里用了两次")
            step_ids.add(step.id)
            for former_step_id in step.was:
                if former_step_id in present_step_ids or former_step_id in former_step_ids:
                    fault_reporter.at("was").report(f"“{former_step_id}”还有别的步在用，不能又写成was")
                former_step_ids.add(former_step_id)
            if self.sources.is_own and isinstance(step, CodeStep | GameStep | Lab):
                fault_reporter.at("kind").report(f"自己的小课里放不了{step.kind}：课文里有，布置给学生做")
            else:
                self._check_step(step, fault_reporter)
            quiet_step_count += 1
            if step.has_action or self.sources.is_own:
                quiet_step_count = 0
            if quiet_step_count == MOST_QUIET_STEPS + 1:
                fault_reporter.report("连着三步没有学习者的动作了：插一道题或一个例题")

    def _check_step(self, step: AnyStep, fault_reporter: FaultReporter) -> None:
        for field_name, piece_id in step.target_id_by_field().items():
            self._report_missing(KIND_BY_FIELD[field_name], piece_id, fault_reporter.at(field_name))
        if isinstance(step, Ask):
            for row_index, example_id in enumerate(step.rows):
                self._report_missing("examples", example_id, fault_reporter.at("rows", row_index))
        if isinstance(step, CardsStep):
            for card_index, card_id in enumerate(step.cards):
                self._report_missing("cards", card_id, fault_reporter.at("cards", card_index))
        if isinstance(step, GameStep) and not self.course.games and "games" not in self.sources.unread_kinds:
            fault_reporter.at("game").report("要放游戏，先写games.yaml")
        if isinstance(step, Figure) and step.example is None and figures.needs_example(step.figure):
            fault_reporter.at("example").report(f"图{step.figure}要写example（画哪个例题）")

    def _check_quizzes(self) -> None:
        section_ids: set[str] = set()
        for stage in self.course.stages:
            section_ids.update(section.id for section in stage.lesson_sections)
        for stage in self.course.stages:
            if stage.lesson is None or stage.quiz is None or stage.lesson.quiz is None:
                continue
            fault_reporter = self.sources.reporter_at_path(
                self.sources.lesson_document_by_stage_id[stage.id], "quiz"
            )
            if stage.quiz.id in section_ids:
                fault_reporter.report(f"“{stage.quiz.id}”是小测这一节的id，别的节不能用")
            self._check_quiz(stage.lesson.sections, stage.lesson.quiz, fault_reporter)
            if stage.number > 1 and not self.sources.unread_kinds:
                self._check_looking_back(stage, stage.lesson.quiz, fault_reporter)

    def _check_quiz(
        self, sections: Sequence[Section], quiz_item_ids: Sequence[str], quiz_reporter: FaultReporter
    ) -> None:
        item_ids_of_stage: set[str] = set()
        for section in sections:
            item_ids_of_stage.update(section.item_ids)
        for item_index, item_id in enumerate(quiz_item_ids):
            fault_reporter = quiz_reporter.at(item_index)
            self._report_missing("items", item_id, fault_reporter)
            if item_id in quiz_item_ids[:item_index]:
                fault_reporter.report(f"“{item_id}”在小测里写了两次")
            if item_id in item_ids_of_stage:
                fault_reporter.report(f"“{item_id}”在这个阶段的课文里已经问过了，小测要换一道")
            elif item_id in self.course.probe_ids:
                fault_reporter.report(f"“{item_id}”是不计分的试探题，不能放进小测")

    def _check_looking_back(
        self, stage: Stage, quiz_item_ids: Sequence[str], fault_reporter: FaultReporter
    ) -> None:
        earlier_item_count = 0
        for item_id in quiz_item_ids:
            if item_id in self.course.items:
                stage_section = self.course.section_by_skill_id.get(self.course.items[item_id].skill)
                earlier_item_count += stage_section is not None and stage_section.stage.number < stage.number
        if earlier_item_count < FEWEST_EARLIER_ITEMS_IN_QUIZ:
            fault_reporter.report(
                f"小测要有至少{FEWEST_EARLIER_ITEMS_IN_QUIZ}道题考前面阶段的知识点，这里只有{earlier_item_count}道"
            )

    def _check_placement(self) -> None:
        """The questions of the 起点测试 go up the stages, and no lesson gives them away."""
        stage_number_by_id = {stage.id: stage.number for stage in self.course.stages}
        highest_stage_number = 0
        for entry_index, placement_entry in enumerate(self.course.placement):
            fault_reporter = self.sources.reporter_at_path(
                self.sources.yaml_document_by_path["course.yaml"], "placement", entry_index
            )
            self._report_missing("items", placement_entry.item, fault_reporter.at("item"))
            if placement_entry.item in self.lesson_item_ids:
                fault_reporter.at("item").report(f"“{placement_entry.item}”课文里也问，会漏题")
            stage_number = stage_number_by_id.get(placement_entry.stage)
            if stage_number is None:
                fault_reporter.at("stage").report(f"没有叫“{placement_entry.stage}”的阶段")
            elif stage_number < highest_stage_number:
                fault_reporter.at("stage").report("要从前面的阶段问到后面的阶段")
            else:
                highest_stage_number = stage_number

    def _check_items(self) -> None:
        item_by_id = self.course.items
        yaml_document_by_item_id = self.sources.documents_by_kind["items"]
        item_count_by_twin_id = Counter(item_by_id[item_id].twin for item_id in yaml_document_by_item_id)
        for item_id, yaml_document in yaml_document_by_item_id.items():
            item = item_by_id[item_id]
            fault_reporter = self.sources.reporter_at_path(yaml_document, item_id)
            if item.skill != UNKNOWN_SKILL_ID:
                self._report_missing_skill(item.skill, fault_reporter)
            if not self.sources.is_own and (fault_words := ranking_fault_words(item)):
                fault_reporter.at("ranking").report(fault_words)
            if item.easier is not None:
                self._check_easier(item, item.easier, fault_reporter.at("easier"))
            if item.twin is not None:
                self._check_twin(item, item.twin, fault_reporter.at("twin"))
                if item.twin in self.lesson_item_ids or item_count_by_twin_id[item.twin] > 1:
                    fault_reporter.at("twin").report(f"“{item.twin}”在别处也用了：一道twin只陪一道题")
            elif item.has_one_try_only and self._needs_twin(item_id) and item_id not in item_count_by_twin_id:
                fault_reporter.at("twin").report(TWIN_NEEDED_FAULT)

    def _needs_twin(self, item_id: str) -> bool:
        """Whether an item that can be guessed needs another like it; a probe is asked once only."""
        if self.sources.is_own or "lessons" in self.sources.unread_kinds:
            return False
        return item_id not in self.course.probe_ids

    def _check_easier(self, item: Item, easier_item_id: str, fault_reporter: FaultReporter) -> None:
        if self.sources.is_own:
            fault_reporter.report("自己的题里还不能写easier")
        elif easier_item_id == item.id:
            fault_reporter.report("easier写成了这道题自己")
        else:
            self._report_missing("items", easier_item_id, fault_reporter)

    def _check_twin(self, item: Item, twin_id: str, fault_reporter: FaultReporter) -> None:
        if twin_id == item.id:
            fault_reporter.report("twin写成了这道题自己")
            return
        self._report_missing("items", twin_id, fault_reporter)
        if twin_id in self.sources.documents_by_kind["items"] and self.course.items[twin_id].twin is not None:
            fault_reporter.report(f"“{twin_id}”自己又有twin：twin的twin不会被问到")

    def _check_cards_and_code(
        self,
        yaml_document_by_piece_id: Mapping[str, YamlDocument],
        piece_by_id: Mapping[str, Card | CodeExercise],
    ) -> None:
        for piece_id, yaml_document in yaml_document_by_piece_id.items():
            self._report_missing_skill(
                piece_by_id[piece_id].skill, self.sources.reporter_at_path(yaml_document, piece_id)
            )

    def _check_exercises(self) -> None:
        if not self.course.exercises:
            return
        file_reporter = self.sources.reporter_at_path(self.sources.yaml_document_by_path["exercises.yaml"])
        if not self.course.scenes and "scenes" not in self.sources.unread_kinds:
            file_reporter.report("没有场景给练习当布景：写一个scenes.yaml")
        for exercise_id, exercise in self.course.exercises.items():
            self._report_missing_skill(exercise.skill, file_reporter.at(exercise_id))
            if exercise.superseded_by and exercise.superseded_by not in offered_exercises(
                self.course.exercises
            ):
                file_reporter.at(exercise_id, "superseded_by").report("要写现在出题的那个练习")

    def _check_skills(self) -> None:
        yaml_document = self.sources.yaml_document_by_path.get("skills.yaml")
        if yaml_document is None or "skills" in self.sources.unread_kinds:
            return
        for skill_id in yaml_document.data:
            fault_reporter = self.sources.reporter_at_path(yaml_document, skill_id, "needs")
            for need_index, needed_skill_id in enumerate(self.course.skills[skill_id].needs):
                self._report_missing("skills", needed_skill_id, fault_reporter.at(need_index))
            if skill_id in all_needed_skill_ids(self.course.skills, skill_id):
                fault_reporter.report("绕了一圈又需要它自己")

    def _report_missing(self, file_kind: FileKind, piece_id: str, fault_reporter: FaultReporter) -> None:
        if self._leads_nowhere(file_kind, piece_id):
            fault_reporter.report(f"没有叫“{piece_id}”的{NOUN_BY_FILE_KIND[file_kind]}")

    def _report_missing_skill(self, skill_id: str, fault_reporter: FaultReporter) -> None:
        """The fault of a skill that is not there; a teacher is told which one may be meant."""
        if not self._leads_nowhere("skills", skill_id):
            return
        fault_words = f"skills.yaml里没有知识点“{skill_id}”"
        if self.sources.is_own:
            similar_skill_ids = difflib.get_close_matches(skill_id, self.course.skills, n=1, cutoff=0.5)
            advice_words = "旁边的名单里有全部的知识点"
            if similar_skill_ids:
                advice_words = f"是不是{similar_skill_ids[0]}？"
            fault_words = f"没有知识点“{skill_id}”，{advice_words}"
        fault_reporter.at("skill").report(fault_words, UNKNOWN_SKILL)

    def _leads_nowhere(self, file_kind: FileKind, piece_id: str) -> bool:
        return (
            file_kind not in self.sources.unread_kinds and piece_id not in self.piece_by_id_by_kind[file_kind]
        )

    def _check_ids(self, pieces: Sequence[Stage | GlossaryTerm], file_name: str, *key_path: str) -> None:
        seen_piece_ids: set[str] = set()
        for piece_index, piece in enumerate(pieces):
            if piece.id in seen_piece_ids:
                fault_reporter = self.sources.reporter_at_path(
                    self.sources.yaml_document_by_path[file_name], *key_path, piece_index, "id"
                )
                fault_reporter.report(f"id“{piece.id}”用了两次")
            seen_piece_ids.add(piece.id)
