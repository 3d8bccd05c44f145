"""The parts of an assignment in words: for the teacher who puts it together, for the student who does it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.course import Course
from app.course.assignments.question_sets import AssignedQuestion, prefix_of, questions
from app.course.authoring.own_content import id_of
from app.course.exercises.exercises import practice_id
from app.course.items.kinds import Generated, Item, Short
from app.records.assignments.values import PartRow
from app.records.grading.marks import short
from app.web.games.game_views import card as game_card
from app.web.learning.stage_views import section_url
from app.web.site.responses import markup

LEVELS = {1: "易", 2: "中", 3: "难"}
KINDS = {
    "single": "单选",
    "multiple": "多选",
    "true_false": "判断",
    "numeric": "数值",
    "steps": "分步",
    "order": "排序",
    "spot": "找错",
    "short": "简答",
    "generated": "出题器",
}
DONE = {"section": "学完就算", "cards": "复习够数就算", "game": "打完就算"}


@dataclass(frozen=True)
class Described:
    """A part: what it is called, what it asks (`stem`), where it is done (`url`), its numbers in the paper.

    `missing`: its item is no longer in the course. `inside`: where what is in it can be seen.
    """

    part: PartRow
    kind: str
    title: str
    note: str = ""
    stem: Markup | None = None
    skill: str = ""
    url: str = ""
    numbers: str = ""
    missing: bool = False
    inside: str = ""

    @property
    def points(self) -> str:
        return short(self.part.points)

    @property
    def shown(self) -> str:
        """Where a teacher looks at it."""
        return self.inside or self.url

    @property
    def drawn(self) -> bool:
        """Whether it has other numbers each time."""
        return self.part.kind == "practice"

    @property
    def asks(self) -> bool:
        """Whether it makes questions."""
        return self.part.kind in ("item", "practice")


def described(courses: Mapping[str, Course], parts: Sequence[PartRow]) -> list[Described]:
    """Every part, with the numbers of its questions."""
    asked = questions(parts)
    return [one_part(course_of(courses, part), part, numbers(asked, part)) for part in parts]


def course_of(courses: Mapping[str, Course], part: PartRow) -> Course | None:
    """The course that a part is from; games are of the course of the site."""
    return courses.get("content" if part.kind == "game" else prefix_of(part.ref))


def numbers(asked: Sequence[AssignedQuestion], part: PartRow) -> str:
    """Which questions of the paper a part makes: `3`, `4–8`."""
    found = [one.number for one in asked if one.part == part.id]
    if not found:
        return ""
    return f"{found[0]}" if len(found) == 1 else f"{found[0]}–{found[-1]}"


def one_part(course: Course | None, part: PartRow, number: str) -> Described:
    if part.kind == "game":
        return of_game(course, part)
    if course is None:
        return gone(part, number)
    match part.kind:
        case "item":
            return of_item(course, part, number)
        case "practice":
            return of_practice(course, part, number)
        case "section":
            return of_section(course, part)
        case "cards":
            return of_cards(course, part)
    return gone(part, number)


def gone(part: PartRow, number: str = "") -> Described:
    return Described(part, "不在了", "课程里已经没有这一项", numbers=number, missing=True)


def of_item(course: Course, part: PartRow, number: str) -> Described:
    item = course.items.get(course.bare(part.ref))
    if item is None:
        return gone(part, number)
    return Described(
        part,
        KINDS.get(item.kind, item.kind),
        skill_name(course, item),
        note=about(course, part, item),
        stem=stem(course, item),
        skill=skill_of(course, item),
        url=item_url(course, item),
        numbers=number,
    )


def item_url(course: Course, item: Item) -> str:
    """Where an item stands on a page of its own."""
    return f"{below(course)}/items/{item.id}"


def below(course: Course) -> str:
    """What addresses of a teacher's own content begin with; nothing for the course of the site."""
    own_id = id_of(course.prefix)
    return "" if own_id is None else f"/own/{own_id}"


def about(course: Course, part: PartRow, item: Item) -> str:
    """What else to know of an item: `约2分钟 · 每人一个变式`."""
    more = []
    if isinstance(item, Generated):
        more = [course.exercises[item.exercise].title, alike(part)]
    if isinstance(item, Short):
        more = ["没有标准答案，写了就给分"]
    return " · ".join([f"约{minutes(course, item)}分钟", *more])


def alike(part: PartRow) -> str:
    return "全班同样的数" if part.same else "每人自己的数"


def minutes(course: Course, item: Item) -> int:
    return course.exercises[item.exercise].minutes if isinstance(item, Generated) else item.minutes


def stem(course: Course, item: Item) -> Markup:
    """What an item asks."""
    if isinstance(item, Generated):
        return markup(course.html(course.exercises[item.exercise].summary))
    return markup(course.html(item.stem))


def skill_of(course: Course, item: Item) -> str:
    return course.exercises[item.exercise].skill if isinstance(item, Generated) else item.skill


def skill_name(course: Course, item: Item) -> str:
    skill = course.skills.get(skill_of(course, item))
    return skill.name if skill else ""


def of_practice(course: Course, part: PartRow, number: str) -> Described:
    exercise = course.exercises.get(course.bare(part.ref))
    if exercise is None or practice_id(course.bare(part.ref), part.level) not in course.items:
        return gone(part, number)
    return Described(
        part,
        "出题器",
        exercise.title,
        note=f"{LEVELS[part.level]} · {part.count}题 · 每题约{exercise.minutes}分钟 · {alike(part)}",
        stem=markup(course.html(exercise.summary)),
        skill=exercise.skill,
        url=f"/practice/{course.bare(part.ref)}?level={part.level}",
        numbers=number,
    )


def of_section(course: Course, part: PartRow) -> Described:
    stage_id, _, section_id = course.bare(part.ref).partition("/")
    stage = course.stage(stage_id)
    section = stage.section(section_id) if stage else None
    if stage is None or section is None:
        return gone(part)
    note, own = f"{stage.title} · 约{section.minutes}分钟", below(course)
    url = f"{own}/lessons/{section.id}" if own else section_url(stage, section)
    return Described(part, "课文", section.title, note=note, url=url)


def of_cards(course: Course, part: PartRow) -> Described:
    stage = course.stage(course.bare(part.ref))
    if stage is None:
        return gone(part)
    own = below(course)
    return Described(
        part,
        "闪卡",
        f"复习{part.count}次",
        note=f"《{stage.title}》的卡片，布置以后复习{part.count}次",
        url=own or "/cards/review",
        inside=own or f"/cards/all?stage={stage.id}",
    )


def of_game(course: Course | None, part: PartRow) -> Described:
    if course is None or course.games is None:
        found = {"title": part.ref, "url": f"/games/{part.ref}"}
    else:
        found = game_card(course, part.ref)
    level = f"?level={part.level}" if part.level else ""
    note = f"{f'第{part.level}关以上，' if part.level else ''}打完{part.count}局"
    return Described(part, "游戏", str(found["title"]), note=note, url=f"{found['url']}{level}")
