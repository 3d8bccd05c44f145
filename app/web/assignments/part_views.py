"""The parts of an assignment in words: for the teacher who puts it together, for the student who does it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from app.course import Course
from app.course.assignments.question_sets import AssignedQuestion, parts_by_bank_number, questions_of_parts
from app.course.content.refs import MAIN_PREFIX, own_content_id_of, prefix_of
from app.course.exercises.exercises import NAME_BY_LEVEL, Exercise, practice_item_id
from app.course.items.kinds import WORD_BY_ITEM_KIND, Generated, Item, ShortAnswer
from app.records.assignments.outside_work import asks_own_cards
from app.records.assignments.values import PartRow
from app.records.cards.values import USUAL_SETTINGS
from app.records.grading import marks
from app.records.grading.marks import shown_points_text
from app.web.games.game_views import game_link_of
from app.web.learning.stage_views import section_url
from app.web.site.rendering import text_html
from app.web.site.site import CourseByPrefix

NOT_DONE_WORDS_BY_PART_KIND = {
    "section": "还没学完（里面的题也都要答）",
    "cards": "还没复习",
    "game": "还没打",
}


class PartView(NamedTuple):
    """A part: what it is called, what it asks (`stem_html`), where it is done (`url`), which questions it
    makes.

    `is_missing`: its item is no longer in the course. `contents_url`: where all that it names can be seen.
    `bank_words`: the bank that it is drawn from.
    """

    part: PartRow
    kind_word: str
    title: str
    note: str = ""
    stem_html: Markup | None = None
    url: str = ""
    question_numbers_text: str = ""
    is_missing: bool = False
    contents_url: str = ""
    bank_words: str = ""

    @property
    def points_text(self) -> str:
        return shown_points_text(self.part.points)

    @property
    def preview_url(self) -> str:
        """Where a teacher looks at it."""
        return self.contents_url or self.url

    @property
    def is_of_own_content(self) -> bool:
        """Whether a teacher wrote it: its page opens for that teacher, and for no colleague."""
        return own_content_id_of(self.part.ref) is not None

    @property
    def counts_as_done_for_all(self) -> bool:
        """Whether nobody can do it, so that it costs nobody points."""
        return asks_own_cards(self.part)

    @property
    def has_fresh_numbers(self) -> bool:
        """Whether it has other numbers each time."""
        return self.part.kind == "practice"

    @property
    def asks_questions(self) -> bool:
        """Whether it makes questions."""
        return self.part.kind in ("item", "practice")


class OutsidePartView(NamedTuple):
    """A part that is done on other pages. `share`: how much of it is done, 0..1; `counted_share`: how much
    was in the attempt that counts, where no other can follow; `is_over`: whether time is up.
    """

    part: PartView
    share: float
    counted_share: float | None
    is_over: bool

    @property
    def is_done(self) -> bool:
        return self.share >= 1

    @property
    def cost_words(self) -> str:
        """What it costs to hand in now."""
        points_text = shown_points_text((1 - self.share) * self.part.part.points)
        progress_words = NOT_DONE_WORDS_BY_PART_KIND.get(self.part.part.kind, "还没做")
        if self.share:
            progress_words = f"才完成{self.share:.0%}"
        return f"{progress_words}，现在交就没有这{points_text}分"

    @property
    def is_too_late(self) -> bool:
        """Whether some of it was done when it could not count any more."""
        return self.counted_share is not None and self.share - self.counted_share > 0.005

    @property
    def state_word(self) -> str:
        if self.is_done:
            if self.is_too_late:
                return "交卷后才完成"
            return "完成了"
        if self.is_over:
            if self.share:
                return f"截止前完成了{self.share:.0%}"
            return "截止前没做"
        if self.share:
            return f"完成了{self.share:.0%}"
        return "还没做"


def part_views(course_by_prefix: CourseByPrefix, parts: Sequence[PartRow]) -> list[PartView]:
    """Every part, with the numbers of its questions."""
    all_questions = questions_of_parts(parts)
    parts_by_number_of_bank = parts_by_bank_number(parts)
    views_of_parts = []
    for part in parts:
        bank_words = ""
        if part.bank:
            bank_words = f"题池{part.bank}：{len(parts_by_number_of_bank[part.bank])}道里每人抽{part.count}道"
        numbers_text = question_numbers_text(all_questions, part)
        views_of_parts.append(
            part_view(course_by_prefix, part)._replace(
                question_numbers_text=numbers_text, bank_words=bank_words
            )
        )
    return views_of_parts


def question_numbers_text(all_questions: Sequence[AssignedQuestion], part: PartRow) -> str:
    """Which of all questions a part makes: `3`, `4–8`."""
    numbers_of_part = [
        assigned_question.number
        for assigned_question in all_questions
        if assigned_question.part_id == part.id
    ]
    if len(numbers_of_part) > 1:
        return f"{numbers_of_part[0]}–{numbers_of_part[-1]}"
    if numbers_of_part:
        return str(numbers_of_part[0])
    return ""


def part_view(course_by_prefix: CourseByPrefix, part: PartRow) -> PartView:
    """A part in the course that it is from; games are of the course of the site."""
    if part.kind == "game":
        return game_part_view(course_by_prefix.get(MAIN_PREFIX), part)
    view_maker_by_kind = {
        "item": item_part_view,
        "practice": practice_part_view,
        "section": section_part_view,
        "cards": cards_part_view,
    }
    view_of_part = None
    if course := course_by_prefix.get(prefix_of(part.ref)):
        view_of_part = view_maker_by_kind[part.kind](course, part)
    return view_of_part or PartView(part, "不在了", "课程里已经没有这一项", is_missing=True)


def item_part_view(course: Course, part: PartRow) -> PartView | None:
    item = course.items.get(course.bare_id(part.ref))
    if item is None:
        return None
    skill = course.skills.get(source_of(course, item).skill)
    title = ""
    if skill:
        title = skill.name
    return PartView(
        part,
        WORD_BY_ITEM_KIND.get(item.kind, item.kind),
        title,
        note=item_note_words(course, part, item),
        stem_html=stem_html(course, item),
        url=item_url(course, item),
    )


def item_url(course: Course, item: Item) -> str:
    """Where an item stands on a page of its own."""
    return f"{own_url(course)}/items/{item.id}"


def own_url(course: Course) -> str:
    """What addresses of a teacher's own content begin with; nothing for the course of the site."""
    own_content_id = own_content_id_of(course.prefix)
    if own_content_id is None:
        return ""
    return f"/own/{own_content_id}"


def item_note_words(course: Course, part: PartRow, item: Item) -> str:
    """What else to know of an item: `约2分钟 · 每人一个变式`."""
    note_clauses = [f"约{source_of(course, item).minutes}分钟"]
    if isinstance(item, Generated):
        note_clauses += [course.exercises[item.exercise].title, sameness_words(part)]
    if isinstance(item, ShortAnswer) and item.rubric:
        note_clauses.append("老师照要点批")
    elif isinstance(item, ShortAnswer):
        note_clauses.append("没有标准答案，写了就给分")
    return " · ".join(note_clauses)


def sameness_words(part: PartRow) -> str:
    if part.same:
        return "全班同样的数"
    return "每人自己的数"


def stem_html(course: Course, item: Item) -> Markup:
    """What an item asks."""
    exercise_or_item = source_of(course, item)
    if isinstance(exercise_or_item, Exercise):
        return text_html(course, exercise_or_item.summary)
    return text_html(course, exercise_or_item.stem)


def source_of(course: Course, item: Item) -> Exercise | Item:
    """Where the skill and the minutes of an item stand: in its exercise, where it is drawn."""
    if isinstance(item, Generated):
        return course.exercises[item.exercise]
    return item


def practice_part_view(course: Course, part: PartRow) -> PartView | None:
    exercise_id = course.bare_id(part.ref)
    exercise = course.exercises.get(exercise_id)
    if exercise is None or practice_item_id(exercise_id, part.level) not in course.items:
        return None
    amount_words = f"{NAME_BY_LEVEL[part.level]} · {part.count}题 · 每题约{exercise.minutes}分钟"
    return PartView(
        part,
        "出题器",
        exercise.title,
        note=f"{amount_words} · {sameness_words(part)}",
        stem_html=text_html(course, exercise.summary),
        url=f"/practice/{exercise_id}?level={part.level}",
    )


def section_part_view(course: Course, part: PartRow) -> PartView | None:
    stage_id, _, section_id = course.bare_id(part.ref).partition("/")
    stage = course.stage(stage_id)
    if stage is None:
        return None
    section = stage.section(section_id)
    if section is None:
        return None
    lesson_url = section_url(stage, section, own_url(course))
    minutes_words = f"{stage.title} · 约{section.minutes}分钟"
    return PartView(part, "课文", section.title, note=minutes_words, url=lesson_url)


def cards_part_view(course: Course, part: PartRow) -> PartView | None:
    stage = course.stage(course.bare_id(part.ref))
    if stage is None:
        return None
    content_url = own_url(course)
    note_words = cards_note(stage.title, part.count)
    if asks_own_cards(part):
        note_words = OWN_CARDS_NOTE
    return PartView(
        part,
        "闪卡",
        f"复习{part.count}次",
        note=note_words,
        url=content_url or "/cards/review",
        contents_url=content_url or f"/cards/all?stage={stage.id}",
    )


OWN_CARDS_NOTE = (
    "老师写的卡片，收下就是各人自己的卡，复习了几次这里数不出来："
    "这一项给大家都算完成，以前交的没算上，老师可以补分"
)


def cards_note(stage_title: str, review_count: int) -> str:
    """Which reviews count, as students and teachers read it."""
    rule_words = "到期的和新的才算，一张算一次；布置之前学过、到截止都不会回来的，直接算"
    new_cards_words = f"新卡平常每天来{USUAL_SETTINGS.new_cards_a_day}张，闪卡的设置里可以改"
    return f"《{stage_title}》的卡片，布置以后复习{review_count}次，{rule_words}；{new_cards_words}"


def game_part_view(course: Course | None, part: PartRow) -> PartView:
    game_name, game_url, rounds_words = part.ref, f"/games/{part.ref}", f"打完{part.count}局"
    if part.ref == "monster":
        rounds_words = f"打赢{part.count}局，撤退的不算"
    if course and course.games:
        game_link = game_link_of(course, part.ref)
        game_name, game_url = game_link.title, game_link.url
    begun_play_url = f"{game_url}?begun=1"  # what waits for its end comes before another play
    if part.level:
        begun_play_url = f"{game_url}?level={part.level}&begun=1"
        rounds_words = f"第{part.level}关以上，{rounds_words}"
    return PartView(part, "游戏", game_name, note=rounds_words, url=begun_play_url)


def views_without_questions(course_by_prefix: CourseByPrefix, parts: Sequence[PartRow]) -> list[PartView]:
    """The parts that are done on other pages."""
    all_part_views = part_views(course_by_prefix, parts)
    return [part_view for part_view in all_part_views if not part_view.asks_questions]


PointsByPlace = Mapping[str | int, float]
"""Points as they are shown, which add up: of a question by its ref, of a part without questions by its id."""


def shown_points_by_place(
    points_by_question_ref: PointsByPlace,
    part_views_without_questions: Sequence[PartView],
    points_by_part_id: Mapping[int, float],
) -> PointsByPlace:
    """What everything in an attempt earned. `points_by_question_ref`: of its questions; `points_by_part_id`:
    as it was handed in."""
    points_by_place = dict(points_by_question_ref)
    for part_view in part_views_without_questions:
        points_by_place[part_view.part.id] = points_by_part_id.get(part_view.part.id, 0.0)
    return marks.points_that_add_up(points_by_place)


def outside_results_and_unfinished_count(
    part_views_without_questions: Sequence[PartView],
    points_by_part_id: Mapping[int, float],
    points_by_place: PointsByPlace,
    are_marks_visible: bool,
) -> tuple[Sequence[tuple[PartView, str]], int]:
    """The parts without questions, each with its points, as far as they may be known; and how many are not
    done. `points_by_part_id`: as they count; `points_by_place`: as they are shown."""
    outside_results = []
    unfinished_count = 0
    for part_view in part_views_without_questions:
        part = part_view.part
        result_words = ""
        if are_marks_visible:
            points_text = shown_points_text(points_by_place[part.id])
            result_words = f"{part_view.points_text}分里得{points_text}分"
        outside_results.append((part_view, result_words))
        unfinished_count += points_by_part_id.get(part.id, 0.0) < part.points
    return outside_results, unfinished_count
