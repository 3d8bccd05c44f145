"""Whether everything that content names exists, and a lesson is paced as lessons are."""

import difflib
from collections import Counter
from collections.abc import Iterator, Sequence

from app.course.content.course import Course, Stage
from app.course.content.loader import Sources
from app.course.content.model import Section
from app.course.items.kinds import Item
from app.course.items.kinds.generated import UNKNOWN
from app.course.learning.steps import AnyStep, CardsStep, CodeStep, Figure, GameStep, Lab
from app.course.text.faults import Fault
from app.course.text.yaml12 import Key, YamlDocument

MOST_QUIET_STEPS = 2
LOOKING_BACK = 2
"""As many questions of a 小测, from the second stage on, look back at an earlier one."""
ONE_SHOT = "判断题、三个选项以内的单选题、三行的找错题要有twin（换个样子再问）"


def faults_of_names(course: Course, sources: Sources) -> Iterator[Fault]:
    """Every name that leads nowhere, every id used twice, every stretch without an action."""
    yield from _of_sections(course, sources)
    yield from _of_quizzes(course, sources)
    yield from _of_placement(course, sources)
    yield from _of_cards(course, sources)
    yield from _of_items(course, sources)
    yield from _of_code(course, sources)
    if not sources.own:
        yield from _of_skills(course, sources)
        yield from _of_exercises(course, sources)
    yield from _twice([stage.id for stage in course.stages], sources, "course.yaml", ("stages",))
    yield from _twice([term.id for term in course.glossary], sources, "glossary.yaml", ())


def _twice(ids: Sequence[str], sources: Sources, file: str, path: tuple[Key, ...]) -> Iterator[Fault]:
    for number, one in enumerate(ids):
        if one in ids[:number]:
            yield sources.files[file].fault((*path, number, "id"), f"id“{one}”用了两次")


def _of_sections(course: Course, sources: Sources) -> Iterator[Fault]:
    seen: set[str] = set()
    for stage in course.stages:
        for number, section in enumerate(stage.lesson.sections if stage.lesson else ()):
            document, path = sources.lessons[stage.id], ("sections", number)
            if section.id in seen:
                yield document.fault((*path, "id"), f"这一节的id“{section.id}”在课程里用了两次")
            seen.add(section.id)
            yield from _of_steps(course, section, sources, document, path)


def _of_steps(
    course: Course, section: Section, sources: Sources, document: YamlDocument, path: tuple[Key, ...]
) -> Iterator[Fault]:
    quiet, seen = 0, set[str]()
    for number, step in enumerate(section.steps):
        place = (*path, "steps", number)
        if step.id in seen:
            yield document.fault((*place, "id"), f"这一步的id“{step.id}”在这一节里用了两次")
        seen.add(step.id)
        yield from (_of_step_of_own if sources.own else _of_step)(course, step, sources, document, place)
        quiet = 0 if step.acts or sources.own else quiet + 1
        if quiet == MOST_QUIET_STEPS + 1:
            yield document.fault(place, "连着三步没有学习者的动作了：插一道题或一个例题")


def _of_step_of_own(
    course: Course, step: AnyStep, sources: Sources, document: YamlDocument, place: tuple[Key, ...]
) -> Iterator[Fault]:
    if isinstance(step, CodeStep | GameStep | Lab):
        yield document.fault((*place, "kind"), f"自己的小课里放不了{step.kind}：课文里有，布置给学生做")
    else:
        yield from _of_step(course, step, sources, document, place)


def _of_step(
    course: Course, step: AnyStep, sources: Sources, document: YamlDocument, place: tuple[Key, ...]
) -> Iterator[Fault]:
    names = step.refers_to()
    item, example = names.get("item"), names.get("example")
    if item and item not in course.items and "items" not in sources.unread:
        yield document.fault((*place, "item"), f"没有叫“{item}”的题目")
    if example and example not in course.examples and "examples" not in sources.unread:
        yield document.fault((*place, "example"), f"没有叫“{example}”的例题")
    exercise = names.get("exercise")
    if exercise and exercise not in course.code and "code" not in sources.unread:
        yield document.fault((*place, "exercise"), f"没有叫“{exercise}”的代码题")
    for number, card in enumerate(step.cards if isinstance(step, CardsStep) else ()):
        if card not in course.cards and "cards" not in sources.unread:
            yield document.fault((*place, "cards", number), f"没有叫“{card}”的卡片")
    if isinstance(step, GameStep) and course.games is None and "games" not in sources.unread:
        yield document.fault((*place, "game"), "要放游戏，先写games.yaml")
    if isinstance(step, Figure) and step.example is None and step.figure != "discount_curve":
        yield document.fault((*place, "example"), f"图{step.figure}要写example（画哪个例题）")


def _of_quizzes(course: Course, sources: Sources) -> Iterator[Fault]:
    seen = {section.id for stage in course.stages for section in stage.sections if section is not stage.quiz}
    for stage in course.stages:
        if stage.lesson is None or stage.quiz is None or stage.lesson.quiz is None:
            continue
        document = sources.lessons[stage.id]
        if stage.quiz.id in seen:
            yield document.fault(("quiz",), f"“{stage.quiz.id}”是小测这一节的id，别的节不能用")
        yield from _of_questions(course, stage, stage.lesson.quiz, sources, document)
        if not sources.unread and stage.number > 1:
            yield from _looks_back(course, stage, stage.lesson.quiz, document)


def _of_questions(
    course: Course, stage: Stage, quiz: Sequence[str], sources: Sources, document: YamlDocument
) -> Iterator[Fault]:
    sections = stage.lesson.sections if stage.lesson else ()
    asked = {step.refers_to().get("item") for section in sections for step in section.steps}
    for number, item in enumerate(quiz):
        place = ("quiz", number)
        if item not in course.items and "items" not in sources.unread:
            yield document.fault(place, f"没有叫“{item}”的题目")
        if item in quiz[:number]:
            yield document.fault(place, f"“{item}”在小测里写了两次")
        if item in asked:
            yield document.fault(place, f"“{item}”在这个阶段的课文里已经问过了，小测要换一道")
        elif item in course.probes:
            yield document.fault(place, f"“{item}”是不计分的试探题，不能放进小测")


def _looks_back(course: Course, stage: Stage, quiz: Sequence[str], document: YamlDocument) -> Iterator[Fault]:
    skills = [course.items[item].skill for item in quiz if item in course.items]
    earlier = [
        skill for skill in skills if skill in course.homes and course.homes[skill][0].number < stage.number
    ]
    if len(earlier) < LOOKING_BACK:
        yield document.fault(
            ("quiz",), f"小测要有至少{LOOKING_BACK}道题考前面阶段的知识点，这里只有{len(earlier)}道"
        )


def _of_placement(course: Course, sources: Sources) -> Iterator[Fault]:
    """The questions of the 起点测试 go up the stages, and no lesson gives them away."""
    asked = {step.refers_to().get("item") for step in course.steps}
    numbers = {stage.id: stage.number for stage in course.stages}
    before = 0
    for place, entry in enumerate(course.placement):
        path = ("placement", place)
        if entry.item not in course.items and "items" not in sources.unread:
            yield sources.files["course.yaml"].fault((*path, "item"), f"没有叫“{entry.item}”的题目")
        if entry.item in asked:
            yield sources.files["course.yaml"].fault((*path, "item"), f"“{entry.item}”课文里也问，会漏题")
        if entry.stage not in numbers:
            yield sources.files["course.yaml"].fault((*path, "stage"), f"没有叫“{entry.stage}”的阶段")
        elif numbers[entry.stage] < before:
            yield sources.files["course.yaml"].fault((*path, "stage"), "要从前面的阶段问到后面的阶段")
        before = max(before, numbers.get(entry.stage, 0))


def _of_cards(course: Course, sources: Sources) -> Iterator[Fault]:
    for card_id, document in sources.cards.items():
        skill = course.cards[card_id].skill
        if skill not in course.skills and "skills" not in sources.unread:
            yield document.fault((card_id, "skill"), _no_skill(course, skill, sources))


def _of_items(course: Course, sources: Sources) -> Iterator[Fault]:
    asked = {step.refers_to().get("item") for step in course.steps}
    twins = Counter(course.items[item_id].twin for item_id in sources.items)
    alone = {*course.probes, *twins}
    for item_id, document in sources.items.items():
        item = course.items[item_id]
        if item.skill not in {*course.skills, UNKNOWN} and "skills" not in sources.unread:
            yield document.fault((item_id, "skill"), _no_skill(course, item.skill, sources))
        if item.easier is not None and sources.own:
            yield document.fault((item_id, "easier"), "自己的题里还不能写easier")
        elif item.easier is not None:
            yield from _of_other(course, sources, item, "easier", item.easier)
        if item.twin is not None:
            yield from _of_other(course, sources, item, "twin", item.twin)
            if item.twin in asked or twins[item.twin] > 1:
                yield document.fault((item_id, "twin"), f"“{item.twin}”在别处也用了：一道twin只陪一道题")
        elif item.one_shot and not sources.own and item_id not in alone and "lessons" not in sources.unread:
            yield document.fault((item_id, "twin"), ONE_SHOT)


def _no_skill(course: Course, skill: str, sources: Sources) -> str:
    """What is said to a knowledge point that is not there; to a teacher, which one may be meant."""
    if not sources.own:
        return f"skills.yaml里没有知识点“{skill}”"
    near = difflib.get_close_matches(skill, course.skills, n=1, cutoff=0.5)
    return f"没有知识点“{skill}”，{f'是不是{near[0]}？' if near else '旁边的名单里有全部的知识点'}"


def _of_other(course: Course, sources: Sources, item: Item, field: str, other: str) -> Iterator[Fault]:
    document, place = sources.items[item.id], (item.id, field)
    if other == item.id:
        yield document.fault(place, f"{field}写成了这道题自己")
    elif other not in course.items and "items" not in sources.unread:
        yield document.fault(place, f"没有叫“{other}”的题目")
    elif field == "twin" and other in sources.items and course.items[other].twin is not None:
        yield document.fault(place, f"“{other}”自己又有twin：twin的twin不会被问到")


def _of_code(course: Course, sources: Sources) -> Iterator[Fault]:
    for exercise_id, document in sources.code.items():
        skill = course.code[exercise_id].skill
        if skill not in course.skills and "skills" not in sources.unread:
            yield document.fault((exercise_id, "skill"), f"skills.yaml里没有知识点“{skill}”")


def _of_exercises(course: Course, sources: Sources) -> Iterator[Fault]:
    if course.exercises and not course.scenes and "scenes" not in sources.unread:
        yield sources.files["exercises.yaml"].fault((), "没有场景给练习当布景：写一个scenes.yaml")
    for name, exercise in course.exercises.items():
        document = sources.files["exercises.yaml"]
        if exercise.skill not in course.skills and "skills" not in sources.unread:
            yield document.fault((name, "skill"), f"skills.yaml里没有知识点“{exercise.skill}”")


def _of_skills(course: Course, sources: Sources) -> Iterator[Fault]:
    for name, skill in course.skills.items():
        document = sources.files["skills.yaml"]
        for number, need in enumerate(skill.needs):
            if need not in course.skills:
                yield document.fault((name, "needs", number), f"没有叫“{need}”的知识点")
        if name in _needed(course, name):
            yield document.fault((name, "needs"), "绕了一圈又需要它自己")


def _needed(course: Course, name: str) -> set[str]:
    """Everything a skill needs, directly or not."""
    found: set[str] = set()
    waiting = list(course.skills[name].needs)
    while waiting:
        need = waiting.pop()
        if need not in found and need in course.skills:
            found.add(need)
            waiting += course.skills[need].needs
    return found
