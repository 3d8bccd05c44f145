"""Every recipe of the README, followed to the letter in a copy of the project: it works as it is written."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import pytest

from app.settings import ENV_PREFIX

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("app", "templates", "static", "content")
SECTION = "## 怎样添一样东西"
STAGE = "content/03-practice"
FIRST_STEP = "      - id: bicycle\n"
"""The first step of a section that has room for one more: what is added stands before it."""
SECTION_PAGE = "/lessons/practice/hold-the-saddle"
BROWSER = """
import json, sys
from starlette.testclient import TestClient
from app.main import create_app
from app.records.db.migrate import migrate
from app.settings import load

settings = load()
settings.make_folders()
migrate(settings.database_url, settings.data)
pages = []
cookies_by_reader = {}
with TestClient(create_app(settings)) as client:
    for path, form, reader in json.load(sys.stdin):
        client.cookies = cookies_by_reader.get(reader)
        response = client.post(path, data=form) if form else client.get(path)
        cookies_by_reader[reader] = client.cookies
        pages.append([response.status_code, response.text])
print(json.dumps(pages))
"""
"""What opens addresses and sends forms, one after the other, in the process of the copy; each reader has a
browser."""

NEWCOMER = "n" * 43
"""The token that a newcomer's first form proposes."""

pytestmark = pytest.mark.long


class Visit(NamedTuple):
    """An address that a reader opens, or a form that they send there."""

    path: str
    form: dict[str, str] | None = None
    reader: str = ""


@dataclass(frozen=True)
class ProjectCopy:
    """A copy of the project, to be changed by a recipe."""

    folder: Path

    def add(self, path: str, text: str) -> None:
        """Write a new file."""
        target = self.folder / path
        assert not target.exists(), f"{path} exists"
        target.write_text(text, "utf-8")

    def append(self, path: str, text: str) -> None:
        """Put an entry at the end of a file."""
        target = self.folder / path
        target.write_text(target.read_text("utf-8") + text, "utf-8")

    def put_before(self, path: str, mark: str, text: str) -> None:
        """Put an entry before a passage that stands in the file once."""
        self.replace(path, mark, text + mark)

    def put_after(self, path: str, mark: str, text: str) -> None:
        """Put an entry behind a passage that stands in the file once."""
        self.replace(path, mark, mark + text)

    def replace(self, path: str, before: str, after: str) -> None:
        """Change a passage that stands in the file once."""
        target = self.folder / path
        text = target.read_text("utf-8")
        assert text.count(before) == 1, f"{before!r} stands {text.count(before)} times in {path}"
        target.write_text(text.replace(before, after), "utf-8")

    def changes(self, *folders: str) -> set[str]:
        """The files of these folders that are new, or differ from those of the project."""
        changed = set()
        for folder in folders:
            for path in (self.folder / folder).rglob("*"):
                name = path.relative_to(self.folder).as_posix()
                if path.is_file() and "__pycache__" not in name and not is_equal(ROOT / name, path):
                    changed.add(name)
        return changed

    def check(self) -> None:
        """`python -m app check` has no objection."""
        checked = self.python("-m", "app", "check")
        assert checked.returncode == 0, checked.stdout + checked.stderr

    def add_tests(self) -> None:
        """The tests of the project, to be changed and run in the copy."""
        shutil.copytree(ROOT / "tests", self.folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))

    def prove(self, *tests: str, only: str = "not postgres") -> None:
        """These tests hold in the copy; what needs another program is left out."""
        tried = self.tried(only, *tests)
        assert tried.returncode == 0, tried.stdout + tried.stderr

    def refutation(self, *tests: str) -> str:
        """What these tests say that do not all hold in the copy."""
        tried = self.tried("not postgres", *tests)
        assert tried.returncode == 1, tried.stdout + tried.stderr
        return tried.stdout

    def tried(self, only: str, *tests: str) -> subprocess.CompletedProcess[str]:
        return self.python("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", only, *tests)

    def open(self, *visits: Visit) -> list[str]:
        """The pages that the site of the copy answers with, all of them well."""
        visits_answering = self.python("-c", BROWSER, typed=json.dumps(visits))
        assert visits_answering.returncode == 0, visits_answering.stderr
        pages = json.loads(visits_answering.stdout)
        for visit, (status, text) in zip(visits, pages, strict=True):
            assert status == 200, f"{visit}: {status} {text[:500]}"
        return [text for _, text in pages]

    def python(self, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        """Python in the folder of the copy, with no settings but a data folder of its own."""
        environment = {name: text for name, text in os.environ.items() if not name.startswith(ENV_PREFIX)}
        environment |= {f"{ENV_PREFIX}DATA": str(self.folder / "data"), "PYTHONUTF8": "1"}
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env=environment,
            input=typed,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )


def is_equal(original: Path, copy: Path) -> bool:
    return original.is_file() and original.read_bytes() == copy.read_bytes()


@pytest.fixture
def project(tmp_path: Path) -> ProjectCopy:
    for name in COPIED:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    return ProjectCopy(tmp_path)


def recipe(name: str) -> str:
    """The line of a recipe in the README."""
    _, _, section = (ROOT / "README.md").read_text("utf-8").partition(SECTION)
    [line] = re.findall(rf"^- \*\*{name}\*\*：(.+)$", section, re.MULTILINE)
    return str(line)


def paths(line: str) -> list[str]:
    """The files and folders that a recipe names; a bare `__init__.py` is that of the folder before it."""
    named: list[str] = []
    for code in re.findall(r"`([^`]+)`", line):
        if code == "__init__.py":
            [folder] = [path for path in named if path.endswith("/")][-1:]
            named.append(folder + code)
        elif re.fullmatch(r"(app|templates|content)/\S+", code):
            named.append(code)
    return named


def means(named: str, changed: str) -> bool:
    """Whether a changed file is what a path of a recipe stands for.

    A folder means a module or template in it; a module also its neighbour, where that is new; `<阶段>` any
    folder.
    """
    place = PurePosixPath(changed)
    pattern = re.sub(r"<[^>]+>", "[^/]+", re.escape(named).replace(r"\<", "<").replace(r"\>", ">"))
    if named.endswith("/"):
        return place.name != "__init__.py" and re.fullmatch(pattern, f"{place.parent}/") is not None
    if re.fullmatch(pattern, changed):
        return True
    return (
        named.endswith(".py")
        and not (ROOT / changed).exists()
        and place.parent == PurePosixPath(named).parent
    )


def assert_named(changed: set[str], *recipes: str) -> None:
    """The recipes name every file that was changed, and no other."""
    named = [path for name in recipes for path in paths(recipe(name))]
    unnamed = {path for path in changed if not any(means(name, path) for name in named)}
    assert not unnamed, f"{recipes} do not name {unnamed}"
    untouched = {name for name in named if not any(means(name, path) for path in changed)}
    assert not untouched, f"{recipes} name {untouched}, and nothing changes there"


def response(item: str, answer: str) -> dict[str, str]:
    """The form of a first answer."""
    return {
        "item": item,
        "try": "1",
        "seed": "1",
        "answer": answer,
        "next": f"/items/{item}",
        "guest": NEWCOMER,
    }


def visits_answering(item: str, *answers: str) -> list[Visit]:
    """First answers to an item, each in an attempt of its own."""
    visits = []
    for seed, answer in enumerate(answers, 1):
        form = response(item, answer)
        visits.append(Visit(f"/items/{item}.{seed}/responses", form | {"next": f"/items/{item}?seed={seed}"}))
    return visits


STEP_KIND = '''class Breath(Step):
    """A sentence to rest at, between two ideas."""

    KIND_WORD = "喘口气"
    kind: Literal["breath"]
    text: Text


'''
SHARED_STEP_PRESENTER = '''def breath_context(course: Course, step: Breath) -> Context:
    """A sentence to rest at."""
    return {"html": markup(course.line_html(step.text))}


'''
PERSONAL_STEP_PRESENTER = '''def breath_context(at: SectionPosition, step: Breath) -> Context:
    """A sentence to rest at, with how many answers lie behind."""
    return {"html": markup(at.course.line_html(step.text) + f"答过{len(at.lesson_data.responses)}次。")}


'''
PRESENTER_KEY = '''def breath_key(at: SectionPosition, step: Breath) -> StepKey:
    """How many answers lie behind."""
    return (len(at.lesson_data.responses),)


'''


def add_kind_of_step(project: ProjectCopy, registry: str, presenter: str, entry: str) -> None:
    kinds = "app/course/learning/steps.py"
    project.put_before(kinds, "AnyLab = ", STEP_KIND)
    project.replace(kinds, "| ToyStep | Recap,", "| ToyStep | Recap | Breath,")
    views = "app/web/learning/step_views.py"
    project.put_before(views, "    CardsStep,\n", "    Breath,\n")
    table = f"{registry}: Mapping["
    project.put_before(views, table, presenter)
    neighbour = {
        "SHARED_CONTEXT_BY_KIND": '    "say": say_context,\n',
        "PERSONAL_CONTEXT_BY_KIND": '    "ask": PersonalContext(ask_context, items_key),\n',
    }[registry]
    project.put_after(views, neighbour, f'    "breath": {entry},\n')
    project.add("templates/learning/steps/breath.html", '<div class="breath">{{ step.html }}</div>\n')
    assert_named(project.changes("app", "templates"), "一种步骤")
    project.put_before(
        f"{STAGE}/lesson.yaml", FIRST_STEP, "      - {id: rest, kind: breath, text: 喝口水，再往下走。}\n"
    )
    project.check()


def test_a_kind_of_step(project: ProjectCopy) -> None:
    add_kind_of_step(project, "SHARED_CONTEXT_BY_KIND", SHARED_STEP_PRESENTER, "breath_context")
    page, bookmark_page = project.open(
        Visit(SECTION_PAGE), Visit("/bookmarks/new?step=practice.hold-the-saddle.rest")
    )
    assert '<div class="breath">喝口水，再往下走。</div>' in page
    assert "第1步 · 喘口气" in bookmark_page


@pytest.mark.parametrize("entry", ["(breath_context)", "(breath_context, breath_key)"])
def test_a_kind_of_step_that_depends_on_its_reader(project: ProjectCopy, entry: str) -> None:
    """One that does not say on what it depends, and one that does: nobody reads what is another's."""
    presenter = PERSONAL_STEP_PRESENTER + PRESENTER_KEY
    add_kind_of_step(project, "PERSONAL_CONTEXT_BY_KIND", presenter, f"PersonalContext{entry}")
    answer = response("copied-ideal", "copied") | {"next": SECTION_PAGE}
    _, page, page_of_other, page_again = project.open(
        Visit("/lessons/practice/responses", answer, "小糖"),
        Visit(SECTION_PAGE, reader="小糖"),
        Visit(SECTION_PAGE, reader="小序"),
        Visit(SECTION_PAGE, reader="小糖"),
    )
    assert "喝口水，再往下走。答过1次。" in page
    assert "喝口水，再往下走。答过0次。" in page_of_other
    assert "喝口水，再往下走。答过1次。" in page_again


ITEM_MODULE = '''"""填词题: one word, exactly."""

from collections.abc import Sequence
from typing import Literal

from app.course.items.kinds.base import AnswerProof, TypedItem
from app.course.items.kinds.form_fields import FormField, item_form
from app.course.items.marks import Mark, Unreadable, right_mark, wrong_mark
from app.course.text.model_base import Text


class Word(TypedItem):
    """`answer` is the word that is missing."""

    KIND_WORD = "填词"
    IS_IN_OTHER_PROGRAMS = False
    FORM = item_form(
        FormField("answer", "缺的词"), FormField("praise", "答对了说"), FormField("advice", "答错了说")
    )
    kind: Literal["word"]
    answer: str
    praise: Text
    advice: Text

    def _judge(self, raw: Sequence[str]) -> Mark:
        word = "".join(raw).strip()
        if not word:
            raise Unreadable("这里还空着。")
        if word == self.answer:
            return right_mark(word, self.praise)
        return wrong_mark(word, self.advice)

    @property
    def key_text(self) -> str:
        return self.answer

    def solution(self) -> list[str]:
        return [f"空里填“{self.answer}”。"]

    def proofs(self) -> Sequence[AnswerProof]:
        return [AnswerProof([self.answer], True), AnswerProof([self.answer + "？"], False)]
'''
ITEM_VIEW = '''"""A word to fill in."""

from dataclasses import dataclass

from app.course.items.kinds.word import Word
from app.web.items.kinds.base import ItemWithAnswers, KindView


@dataclass(frozen=True)
class WordKindView(KindView):
    """What was typed."""

    typed: str = ""


def word_kind_view(moment: ItemWithAnswers[Word]) -> WordKindView:
    return WordKindView(typed="".join(moment.texts_in_form))
'''
ITEM_TEMPLATE = """{%- if open %}
<label>填一个词 <input name="answer" value="{{ item.kind_view.typed }}"></label>
{%- else %}
<p>你填的是{{ item.kind_view.typed }}</p>
{%- endif %}
"""
ITEM_ENTRY = """
missing-word:
  kind: word
  skill: order-matters
  stem: 越甜越靠哪里？
  answer: 前
  praise: 对，先看到的该是最甜的。
  advice: 想想打开页面先看到哪一颗。
"""
WRITTEN_ITEM = """title: 一道填词题
skill: choosing-k

items:
  missing-word:
    kind: word
    stem: 越甜越靠哪里？
    answer: 前
    praise: 对，先看到的该是最甜的。
    advice: 想想打开页面先看到哪一颗。
"""
ANSWER_ON_PAPER = """
from app.course import load_course
from app.settings import root
from app.web.items.printed import PrintedItem

course = load_course(root() / "content")
print(PrintedItem(course, course.items["missing-word"], 1).answer_html)
"""
WORD_BY_FORM = """
from app.course.authoring.item_forms import text_and_new_item_id, with_typed_fields, written_item
from app.web.assignments.part_views import WORD_BY_ITEM_KIND

text, item_id = text_and_new_item_id("title: t", "word")
item = written_item(text, item_id, None)
print(WORD_BY_ITEM_KIND["word"], *(field.name for field in item.form))
print(written_item(with_typed_fields(text, item_id, {"f-answer": "前"}, None), item_id, None).body["answer"])
"""
"""The form that the kind brings with it."""


ITEM_IN_SMALL_COURSE = """\
word:
  kind: word
  skill: order
  stem: 越甜越靠哪里？
  answer: 前
  praise: 对。
  advice: 不对。
"""
"""The small course of the tests has an item of each kind."""
PROMISES_OF_KINDS = "tests/course/content/test_registries.py"
TEMPLATES_OF_KINDS = "tests/web/authoring/test_own.py::test_every_template_is_shown_as_students_see_it"


PRINTED = "tests/web/items/test_printed.py"
PAPER_WITH_WORD = f'''"""Its paper has a line to write the word on, and the word in its key."""

from tests.web.taught import Term

WRITTEN = """{WRITTEN_ITEM}"""


def test_a_word_is_asked_on_paper(term: Term) -> None:
    term.teacher.open("/own/new")
    term.teacher.submit(term.teacher.page.form("/own", "存"), text=WRITTEN)
    draft_path = term.draft()
    term.teacher.post(f"{{draft_path}}/parts", [("kind", "item"), ("ref", "own-1:missing-word")])
    paper = term.teacher.open(f"{{draft_path}}/paper").main
    [question] = paper.one("ol", class_="sheet-questions").all("li")
    assert "越甜越靠哪里？" in question.text
    assert question.one("p", class_="sheet-answer").one("span", class_="line")
    assert paper.one("ol", class_="key-list").one("b").text == "前"
'''


def register_word(project: ProjectCopy) -> None:
    kinds = "app/course/items/kinds/__init__.py"
    steps = "from app.course.items.kinds.steps import Steps\n"
    project.put_after(kinds, steps, "from app.course.items.kinds.word import Word\n")
    project.put_before(kinds, "    | Generated,", "    | Word\n")


def test_a_kind_of_item(project: ProjectCopy) -> None:
    project.add("app/course/items/kinds/word.py", ITEM_MODULE)
    register_word(project)
    project.add("app/web/items/kinds/word.py", ITEM_VIEW)
    views = "app/web/items/kinds/__init__.py"
    project.put_after(
        views,
        "from app.web.items.kinds.written import fill_kind_view, short_kind_view\n",
        "from app.course.items.kinds.word import Word\nfrom app.web.items.kinds.word import word_kind_view\n",
    )
    project.put_after(views, "    ShortAnswer: short_kind_view,\n", "    Word: word_kind_view,\n")
    project.add("templates/items/_word.html", ITEM_TEMPLATE)
    project.add("templates/authoring/yaml/word.yaml", WRITTEN_ITEM)
    assert_named(project.changes("app", "templates"), "一种题")

    project.append(f"{STAGE}/items.yaml", ITEM_ENTRY)
    project.check()
    question, accepted, refused = project.open(
        Visit("/items/missing-word?read"), *visits_answering("missing-word", "前", "后")
    )
    assert "越甜越靠哪里？" in question
    assert "填一个词" in question
    assert "对，先看到的该是最甜的。" in accepted
    assert "你填的是前" in accepted
    assert "想想打开页面先看到哪一颗。" in refused
    answer_on_paper = project.python("-c", ANSWER_ON_PAPER)
    assert answer_on_paper.stdout == "前\n", answer_on_paper.stderr
    written = project.python("-c", WORD_BY_FORM)
    assert written.stdout == "填词 stem answer praise advice hints explanation minutes\n前\n", written.stderr
    project.add_tests()
    project.put_before("tests/course/small.py", "holds:\n", ITEM_IN_SMALL_COURSE)
    assert f"`{PROMISES_OF_KINDS}`" in recipe("一种题")
    project.add("tests/web/assignments/test_paper_with_word.py", PAPER_WITH_WORD)
    project.prove(PROMISES_OF_KINDS, PRINTED, "tests/web/assignments/test_paper_with_word.py")
    project.prove(f"{TEMPLATES_OF_KINDS}[sqlite-word]")


def test_what_is_forgotten_of_a_kind_of_item_is_named(project: ProjectCopy) -> None:
    forgetful = ITEM_MODULE.partition("    def proofs(")[0].replace("    IS_IN_OTHER_PROGRAMS = False\n", "")
    project.add("app/course/items/kinds/word.py", forgetful)
    project.add_tests()
    assert "AnyItem in app/course/items/kinds/__init__.py lacks" in project.refutation(PROMISES_OF_KINDS)
    register_word(project)
    refutation = project.refutation(PROMISES_OF_KINDS)
    for sentence in (
        "Word'> says no IS_IN_OTHER_PROGRAMS",
        "Word'> has no proofs",
        "KIND_VIEW_MAKER_BY_ITEM_CLASS in app/web/items/kinds/__init__.py lacks",
        "write templates/items/_word.html",
        "write templates/authoring/yaml/word.yaml",
    ):
        assert sentence in refutation


PAGE_TEMPLATE = """{% extends "base.html" %}
{% block main %}
<h1>{{ title }}</h1>
<p>糖要放在阴凉处。</p>
{% endblock %}
"""
PAGE_FUNCTION = '''

@router.get("/storage")
async def storage(request: Request) -> Response:
    """How to keep candy."""
    return await shared_page(request, "reference/storage", lambda: {"page": "storage", "title": "怎样存糖"})
'''
PAGE_MODULE = f'''"""How to keep candy."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.web.reference.reference_pages import shared_page

router = APIRouter()
{PAGE_FUNCTION}'''


def register_storage_page(project: ProjectCopy) -> None:
    main = "app/main.py"
    project.replace(
        main,
        "import bands, errata, health, reference_pages, searches\n",
        "import bands, errata, health, reference_pages, searches, storage\n",
    )
    project.replace(main, "searches, problem_reports),", "searches, storage, problem_reports),")


def test_a_page(project: ProjectCopy) -> None:
    project.add("app/web/reference/storage.py", PAGE_MODULE)
    project.add("templates/reference/storage.html", PAGE_TEMPLATE)
    register_storage_page(project)
    assert_named(project.changes("app", "templates", "content"), "一个页面")
    project.check()
    [page] = project.open(Visit("/storage"))
    assert "<h1>怎样存糖</h1>" in page


def test_a_page_of_a_module_that_is_there(project: ProjectCopy) -> None:
    """Its module stands in `ROUTE_MODULES` already."""
    project.append("app/web/reference/reference_pages.py", PAGE_FUNCTION)
    project.add("templates/reference/storage.html", PAGE_TEMPLATE)
    project.check()
    [page] = project.open(Visit("/storage"))
    assert "糖要放在阴凉处。" in page


STEP_ENTRY = """      - id: sweet-sum
        kind: say
        text: 顺便一提，成都那排糖的DCG约是{{ chengdu-food.dcg | 3 }}。
"""


def test_a_step_of_a_lesson(project: ProjectCopy) -> None:
    project.put_before(f"{STAGE}/lesson.yaml", FIRST_STEP, STEP_ENTRY)
    assert_named(project.changes("app", "templates", "content"), "课文的一步")
    project.check()
    [page] = project.open(Visit(SECTION_PAGE))
    assert re.search(r"成都那排糖的DCG约是.{0,40}\d\.\d{3}", page)


def test_a_figure_that_is_typed_by_hand_is_refused(project: ProjectCopy) -> None:
    project.put_before(
        f"{STAGE}/lesson.yaml", FIRST_STEP, STEP_ENTRY.replace("{{ chengdu-food.dcg | 3 }}", "6.324")
    )
    checked = project.python("-m", "app", "check")
    assert checked.returncode != 0
    assert "6.324" in checked.stdout + checked.stderr


QUESTION_ENTRY = """
front-or-back:
  kind: single
  skill: order-matters
  stem: 最甜的糖放哪一头？
  options:
    - {id: front, text: 排头, right: true, feedback: 一打开就看得见。}
    - {id: back, text: 排尾, feedback: 要翻到底才看得见。}
    - {id: middle, text: 正中间, feedback: 前面还挡着一半。}
    - {id: any, text: 哪头都行, feedback: 人是从上往下看的。}
"""


def test_a_question(project: ProjectCopy) -> None:
    project.append(f"{STAGE}/items.yaml", QUESTION_ENTRY)
    project.put_before(
        f"{STAGE}/lesson.yaml", FIRST_STEP, "      - {id: ends, kind: ask, item: front-or-back}\n"
    )
    assert_named(project.changes("app", "templates", "content"), "一道题")
    project.check()
    lesson, accepted, refused = project.open(
        Visit(SECTION_PAGE), *visits_answering("front-or-back", "front", "back")
    )
    assert "最甜的糖放哪一头？" in lesson
    assert "一打开就看得见。" in accepted
    assert "要翻到底才看得见。" in refused


def test_an_option_without_feedback_is_refused(project: ProjectCopy) -> None:
    entry = QUESTION_ENTRY.replace(", feedback: 要翻到底才看得见。", "")
    project.append(f"{STAGE}/items.yaml", entry)
    checked = project.python("-m", "app", "check")
    assert checked.returncode != 0
    assert "feedback" in checked.stdout + checked.stderr


CASE_ENTRY = """  penny:
    title: 少了一分
    hall: print
    source: 一张贴在黑板上的卷子
    story: 卷子上写着：最甜的糖放在最后，得满分。
    published: {NDCG: "1"}
    item:
      kind: single
      skill: order-matters
      stem: 卷子错在哪里？
      options:
        - {id: last, text: 最甜的该放最前, right: true, feedback: 对，越甜越靠前。}
        - {id: none, text: 没有错, feedback: 再看一眼它放在哪一头。}
        - {id: more, text: 分数给少了, feedback: 满分已经到顶。}
        - {id: paper, text: 不该写在卷子上, feedback: 写在哪里都一样。}
    truth:
      - 放在最后，折得最狠，不会是满分。
    keep: 满分只给最甜的顺序。
"""


def test_a_case_of_errata(project: ProjectCopy) -> None:
    project.append("content/errata.yaml", CASE_ENTRY)
    assert_named(project.changes("app", "templates", "content"), "一案勘误")
    project.check()
    form = response("errata-penny", "last") | {"next": "/errata/penny"}
    halls, case, solved = project.open(
        Visit("/errata"), Visit("/errata/penny"), Visit("/errata/penny/responses", form)
    )
    assert "少了一分" in halls
    assert "卷子错在哪里？" in case
    assert "满分只给最甜的顺序。" not in case
    assert "对，越甜越靠前。" in solved
    assert "满分只给最甜的顺序。" in solved


MISCONCEPTION_ENTRY = '''class SumDoubled(WrongSum):
    """The sum, with every term added twice."""

    id = "sum_doubled"
    name = "把总和算了两遍"
    thoughts = ("从上往下加一遍，再从下往上加一遍。",)
    mistake_clause = "你把每一项都加了两遍"
    hint = "每一项只加一次，从上往下走一趟就够了。"
    quantities = ("dcg",)
    mostly_showing_generators = ("dcg-sum",)
    wrong_steps = wrong_steps_with(total=twice)


'''
ATTACK_ENTRY = "    sum_doubled: {name: 回马枪, cry: 加完一遍又加一遍？多出来的归我。}\n"
MISCONCEPTION_RULE = '''def twice(terms: Amounts) -> float:
    """Return the sum, with every term added twice."""
    return 2 * sum(terms)


'''
EXERCISES_AGAINST_IT = """
from app.course import load_course
from app.course.content.recorded_misconceptions import exercise_ids_showing
from app.settings import root

print(exercise_ids_showing(load_course(root() / "content").exercises, "sum_doubled"))
"""
NUMBER_ENTRY = """
three-candies:
  kind: numeric
  skill: dcg
  stem: 三颗糖从上到下是3、2、1，DCG是多少？
  question: {quantity: dcg, grades: [3, 2, 1]}
  decimals: 3
"""


def test_a_misconception(project: ProjectCopy) -> None:
    """Its number is recognised: 9.524 is twice 4.762; and practice against it knows an exercise."""
    models = "app/engine/misconceptions/sum_models.py"
    project.put_before(models, "class WrongSum(", MISCONCEPTION_RULE)
    project.put_before(models, "SUM_MODELS = (\n", MISCONCEPTION_ENTRY)
    project.put_after(models, "    WholeSumForOne(),\n", "    SumDoubled(),\n")
    project.put_before("content/games.yaml", "    first_term_dropped: {", ATTACK_ENTRY)
    assert_named(project.changes("app", "templates", "content"), "一个误区")

    project.append(f"{STAGE}/items.yaml", NUMBER_ENTRY)
    project.check()
    accepted, refused = project.open(*visits_answering("three-candies", "4.762", "9.524"))
    assert "你把每一项都加了两遍" not in accepted
    assert "你把每一项都加了两遍" in refused
    assert "从上往下走一趟就够了" in refused
    project.add_tests()
    promises = ("a_mistake_names_generators", "every_mistake_of_a_list", "what_is_mostly_shown")
    project.prove("tests/engine/test_generate.py", only=" or ".join(promises))
    project.prove("tests/engine/test_misconceptions.py", only="in_the_order_of_the_steps")
    exercises_against_it = project.python("-c", EXERCISES_AGAINST_IT)
    assert exercises_against_it.stdout == "['dcg-sum']\n", exercises_against_it.stderr


GENERATOR = """        "term-at-the-top": ListSkill(
            "term",
            ("exponential_for_linear", "log2_of_rank"),
            rank_bounds_by_level={1: (2, 2), 2: (2, 2), 3: (2, 2)},
        ),
"""
EXERCISE_ENTRY = """term-at-the-top:
  title: 第二位值多少
  kind: numeric
  generator: term-at-the-top
  skill: term
  summary: 只看第二位那一项。
  ask: 坐在第{rank}位的糖交上来多少？
  hints:
    - 先看它有多甜。
    - 再看这个座位打几折。
"""
SCENE_ENTRY = """
candy-shops:
  theme: 成都与旅行
  query: 附近的糖果铺
  engine: 地图搜索
  titles:
    4: [手工糖果铺排行, 附近糖果铺大全]
    3: [一家老糖铺, 街角的糖铺, 学校旁的糖铺, 地铁口的糖铺]
    2: [有糖卖的超市, 有糖卖的书店, 有糖卖的茶馆, 有糖卖的花店]
    1: [糖纸怎么折, 糖的来历, 吃糖的规矩, 糖罐怎么洗]
    0: [盐怎么买, 醋的来历, 酱油横评, 辣椒怎么种]
"""


def test_an_exercise(project: ProjectCopy) -> None:
    skills = "app/engine/generate/skills.py"
    project.put_before(skills, '        "term": TERM_SKILL,', GENERATOR)
    project.append("content/exercises.yaml", EXERCISE_ENTRY)
    project.append("content/scenes.yaml", SCENE_ENTRY)
    assert_named(project.changes("app", "templates", "content"), "一种练习")

    project.append(
        f"{STAGE}/items.yaml", "\ntop-term:\n  kind: generated\n  exercise: term-at-the-top\n  level: 1\n"
    )
    project.check()
    practice, item = project.open(
        Visit("/practice/term-at-the-top?level=1&seed=7&read"), Visit("/items/top-term?read")
    )
    assert "第二位值多少" in practice
    assert "坐在第2位的糖交上来多少？" in practice
    assert "坐在第2位的糖交上来多少？" in item


CODE_ENTRY = """
code-first-candy:
  title: 取第一颗糖
  skill: ndcg-code
  summary: 从一排糖里取排头那颗。
  task: 写`first(grades)`：给出排头那颗糖的甜度。
  starter: |
    def first(grades):
        return 0
  tests:
    - {name: 三颗糖, call: 'first([3, 2, 1])', expect: 3}
    - {name: 一颗糖, call: 'first([2])', expect: 2}
  hints:
    - 下标从0数起。
    - 方括号里写下标。
    - 写成`grades[0]`。
  usual:
    - wrong: |
        def first(grades):
            return grades[1]
      hint: 下标1是第二颗。
    - wrong: |
        def first(grades):
            return grades[-1]
      hint: 负一是从排尾数起。
    - wrong: |
        def first(grades):
            return grades
      hint: 整排都交上来了，只要一颗。
    - wrong: |
        def first(grades):
            return len(grades)
      hint: 这是有几颗，不是有多甜。
  solution: |
    def first(grades):
        return grades[0]
  explanation: 排头的下标是0。
  minutes: 2
"""


def test_a_code_exercise(project: ProjectCopy) -> None:
    project.append("content/04-code/code.yaml", CODE_ENTRY)
    assert_named(project.changes("app", "templates", "content"), "一道代码题")
    project.check()
    project.add_tests()
    proof = "tests/course/learning/test_coding.py"
    assert f"`{proof}`" in recipe("一道代码题")
    project.prove(proof)
    exercises, exercise = project.open(Visit("/code"), Visit("/code/code-first-candy"))
    assert "取第一颗糖" in exercises
    assert "给出排头那颗糖的甜度" in exercise


NOTED_ANEW = "::test_what_is_chosen_anew_once_it_is_published_is_noted"
SETTING_CHOICES = """    "retold": {True: OptionWords("写一句"), False: OptionWords("不用写")},
"""


def test_a_setting_of_an_assignment(project: ProjectCopy) -> None:
    """The tests that the recipe names hold: what is set comes back from its form, and it has its words."""
    column = "    retold: bool = False"
    project.put_after("app/records/assignments/tables.py", "    hints: bool = True\n", f"{column}\n")
    values = "app/records/assignments/values.py"
    project.put_after(values, '    secret: str = ""\n', f"{column}\n")
    project.put_after(values, "    hints: bool\n", "    retold: bool\n")
    written = project.python("-m", "app.records.migrations", "retold")
    assert written.returncode == 0, written.stdout + written.stderr
    [migration] = project.changes("app/records/migrations")
    project.replace(migration, "nullable=False)", "nullable=False, server_default=sa.false())")
    words = "app/web/assignments/assignment_settings.py"
    project.put_before(words, '    "form": SettingWords', '    "retold": SettingWords("收获", "收获"),\n')
    project.put_after(words, '    "hints": OPTION_WORDS_BY_HINTS,\n', SETTING_CHOICES)
    project.add_tests()
    proof = "tests/web/assignments/test_assignment_settings.py"
    assert f"`{proof}`" in recipe("作业的一个设置")
    project.put_after(proof, '    "hints": "false",\n', '    "retold": "true",\n')
    assert "FIELDS_BY_ACTION['settings'] lacks ['retold']" in project.refutation(f"{proof}{NOTED_ANEW}")
    project.put_after("app/records/classes/class_log.py", '"hints", ', '"retold", ')
    assert_named(project.changes("app", "templates", "content"), "作业的一个设置")

    project.check()
    project.prove(proof, "tests/records/db/test_migrations.py::test_models_and_migrations_agree")


GRADEBOOK_FILE = '''

@router.get(CLASSROOM_ADDRESS + "/gradebook.txt")
async def download_txt(request: ClassDep, sort: str = "") -> Response:
    """A line for each student, in the order of the page."""
    class_gradebook = await load_gradebook(request)
    names = [row.student.name for row in order_rows(class_gradebook, sort_of(sort, class_gradebook))]
    return file_response(request, class_gradebook, "txt", "\\n".join(names))
'''
FILE_OF_A_GRADEBOOK = '''"""What the button leads to."""

import pytest

from tests.web.cast import Reader
from tests.web.graded import Term
from tests.web.grading.open_books import book, first, teacher, term

__all__ = ["first", "teacher", "term"]


@pytest.mark.usefixtures("first")
def test_the_names_of_a_class_as_text(teacher: Reader, term: Term) -> None:
    page = teacher.open(book(term))
    [link] = [link for link in page.main.all("a") if link.text == "下载名字"]
    response = teacher.client.get(link["href"])
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    assert "gradebook" in response.headers["content-disposition"]
    assert sorted(response.text.split("\\n")) == sorted(["小糖", "小序", "小方", "小圆"])
'''


def test_a_file_of_the_gradebook(project: ProjectCopy) -> None:
    files = "app/web/grading/gradebook_files.py"
    project.append(files, GRADEBOOK_FILE)
    project.put_after(files, "MEDIA_TYPE_BY_SUFFIX = {\n", '    "txt": "text/plain; charset=utf-8",\n')
    project.put_before(
        "templates/grading/gradebook.html",
        '<a class="button" href="{{ class_url }}/gradebook/total">',
        '<a class="button" href="{{ class_url }}/gradebook.txt?sort={{ sort.text }}">下载名字</a> ',
    )
    project.put_before(
        "templates/classes/deletion.html",
        '<a class="button" href="{{ class_url }}/responses.csv?names=yes">',
        '<a class="button" href="{{ class_url }}/gradebook.txt">名字</a> ',
    )
    assert_named(project.changes("app", "templates", "content"), "成绩册的一种文件")
    project.check()
    project.add_tests()
    project.add("tests/web/grading/test_text_file.py", FILE_OF_A_GRADEBOOK)
    project.prove("tests/web/grading/test_text_file.py")


DISCOUNT = '''def square_root_discount(rank: int, base: float) -> float:  # noqa: ARG001
    """Return ``1 / sqrt(rank)``."""
    return 1 / math.sqrt(rank)


'''


def test_a_discount(project: ProjectCopy) -> None:
    """The workbench offers it, computes with it and writes it into the signature."""
    terms = "app/engine/terms.py"
    project.put_before(terms, "DISCOUNTS: ", DISCOUNT)
    project.put_before(terms, '        "none": undiscounted,\n', '        "sqrt": square_root_discount,\n')
    project.replace(
        "app/engine/signatures.py", '"reciprocal": "1/r",', '"reciprocal": "1/r", "sqrt": "1/sqrt",'
    )
    project.put_after(
        "app/course/workbench/wording.py",
        '            "reciprocal": "1/名次",\n',
        '            "sqrt": "1/√名次",\n',
    )
    reconciling = "app/engine/reconciling.py"
    project.replace(reconciling, "two gains, four discounts", "two gains, five discounts")
    project.replace(reconciling, "(560, ", "(700, ")
    project.replace(reconciling, "56 sums, not 560", "70 sums, not 700")
    project.replace(reconciling, "    25\n", "    32\n")
    assert_named(project.changes("app", "templates", "content"), "一种折损")
    project.check()
    project.add_tests()
    counted = "tests/engine/test_reconciling.py"
    assert f"`{counted}`" in recipe("一种折损")
    project.replace(counted, "for convention in product}) == 560", "for convention in product}) == 700")
    project.prove("--doctest-modules", reconciling, counted, only="reconciling and not every_value")
    [page] = project.open(Visit("/workbench?list=2+3&discount=sqrt"))
    assert '<option value="sqrt" selected>1/√名次</option>' in page
    assert "disc:1/sqrt" in page
    assert f"{(2 + 3 / 2**0.5) / (3 + 2 / 2**0.5):.3f}" in page


SETTING_ENTRY = """    storage_degrees: int = Field(default=18, ge=-20, le=40, description="糖存在几度的地方")
"""
PAGE_OF_A_SETTING = PAGE_MODULE.replace(
    '{"page": "storage", "title": "怎样存糖"}',
    '{"page": "storage", "title": f"存在{site_of(request).settings.storage_degrees}度"}',
).replace("\n\nrouter", "\nfrom app.web.site.site import site_of\n\nrouter")
WRONG_SETTING = """
import os
from app import settings

os.environ["TANGXU_STORAGE_DEGREES"] = "hot"
settings.load()
"""


def test_a_setting_of_the_site(project: ProjectCopy) -> None:
    """It is listed, read by a page, and a wrong value is said in words."""
    project.put_before("app/settings.py", '    @model_validator(mode="before")\n', f"{SETTING_ENTRY}\n")
    assert_named(project.changes("app", "templates", "content"), "网站的一项设置")
    project.add("app/web/reference/storage.py", PAGE_OF_A_SETTING)
    project.add("templates/reference/storage.html", PAGE_TEMPLATE)
    register_storage_page(project)
    assert_named(project.changes("app", "templates", "content"), "网站的一项设置", "一个页面")
    project.check()
    listed_settings = project.python("-m", "app", "settings").stdout
    assert "TANGXU_STORAGE_DEGREES" in listed_settings
    assert "糖存在几度的地方" in listed_settings
    [page] = project.open(Visit("/storage"))
    assert "<h1>存在18度</h1>" in page
    assert "应写 -20 到 40 之间的整数，现在是 hot" in project.python("-c", WRONG_SETTING).stderr
    project.add_tests()
    assert "`tests/test_settings.py`" in recipe("网站的一项设置")
    project.prove("tests/test_settings.py")


CONTEXT_MODULE = '''"""The candy of the day: one question on a page of its own."""

from fastapi import APIRouter
from starlette.responses import Response

from app.course import Course
from app.records.db.errors import NotFound
from app.records.learning import lesson_pages
from app.records.learning.values import AttemptKey
from app.web.items.answer_contexts import AnswerContext
from app.web.items.item_views import item_state_from_log, placed_item_html
from app.web.site.requests import RequestDep

router = APIRouter()
ITEM = "two-systems-why"
REF = "candy-of-the-day"


@router.get("/daily")
async def show(request: RequestDep) -> Response:
    """The question as it stands."""
    course = request.course
    example = await request.read(lesson_pages.load_example, course.ref(REF))
    question = item_state_from_log(course, ITEM, example, seed=0)
    return request.page(
        "reference/daily",
        is_signed_in=example.learner_id is not None,
        page="daily",
        title="今天的糖",
        item_html=placed_item_html(request.site, question, "/daily/candy", "/daily"),
    )


def attempt_key_of(course: Course, name: str, seed: int) -> AttemptKey:
    """The attempt at the candy of the day."""
    if name != "candy":
        raise NotFound("今天没有这颗糖。")
    return AttemptKey(source="practice", ref=course.ref(REF), seed=seed)


def page_of(course: Course, ref: str) -> tuple[str, str] | None:
    """The page of the candy of the day."""
    return ("/daily", "今天的糖") if ref == REF else None


ANSWER_CONTEXT = AnswerContext("daily", attempt_key_of, page_of)
'''
CONTEXT_TEMPLATE = """{% extends "base.html" %}
{% block main %}
<h1>{{ title }}</h1>
{{ item_html }}
{% endblock %}
"""


def test_a_place_where_questions_are_answered(project: ProjectCopy) -> None:
    project.add("app/web/reference/daily.py", CONTEXT_MODULE)
    project.add("templates/reference/daily.html", CONTEXT_TEMPLATE)
    main, answers = "app/main.py", "app/web/answers.py"
    project.replace(
        main,
        "import bands, errata, health, reference_pages, searches\n",
        "import bands, daily, errata, health, reference_pages, searches\n",
    )
    project.replace(main, "searches, problem_reports),", "searches, daily, problem_reports),")
    project.replace(answers, "reference import errata\n", "reference import daily, errata\n")
    project.put_after(answers, "        errata.ANSWER_CONTEXT,\n", "        daily.ANSWER_CONTEXT,\n")
    assert_named(project.changes("app", "templates", "content"), "一处答题的地方", "一个页面")
    project.check()
    form = response("two-systems-why", "sweet-first") | {"next": "/daily"}
    question, solved = project.open(Visit("/daily"), Visit("/daily/candy/responses", form))
    assert "<h1>今天的糖</h1>" in question
    assert 'action="/daily/candy/responses"' in question
    assert "<h1>今天的糖</h1>" in solved
    assert "一次就对" in solved


def test_the_numbers_of_mastery(project: ProjectCopy) -> None:
    """Changed in the one file that is named, they change in the sentences on the page."""
    [rule, *_] = paths(recipe("算不算会了"))
    project.replace(
        rule, "WINDOW_LENGTH, FEWEST_RIGHT_IN_WINDOW = 6, 5", "WINDOW_LENGTH, FEWEST_RIGHT_IN_WINDOW = 8, 7"
    )
    project.replace(rule, "FEWEST_RIGHT_TO_CLEAR = 3\n", "FEWEST_RIGHT_TO_CLEAR = 4\n")
    project.check()
    skills, mistakes = project.open(Visit("/practice/map"), Visit("/mistakes"))
    assert "最近8道里，7道一次就对" in skills
    assert "不到8道就要全对" in skills
    assert "最近6道" not in skills
    assert "同一类再有四道一次就对，就清掉。" in mistakes


def test_the_rule_of_mastery_stands_in_one_file() -> None:
    [rule, *_] = paths(recipe("算不算会了"))
    patterns = (
        r"^WINDOW_LENGTH, FEWEST_RIGHT_IN_WINDOW =",
        r"^COUNTING_LEVEL = 2\n\"\"\"The lowest level",
        "就是“会了”",
        "道一次就对，就清掉",
    )
    for pattern in patterns:
        assert files_with(pattern) == [rule], pattern


GRACE_OF_TEN_MINUTES = '''"""Ten minutes after the due time are in time, everywhere."""

from datetime import timedelta

import pytest

from app.records.grading import gradebook
from tests.records.assigned import DAY, TANG, TEACHER, Class
from tests.records.cast import NOW


@pytest.mark.usefixtures("tang")
@pytest.mark.parametrize(("minutes", "state", "points"), [(10, "done", 1.0), (11, "late", 0.5)])
def test_ten_minutes_of_grace(room: Class, minutes: int, state: str, points: float) -> None:
    assignment_id = room.assign(due_at=NOW, late_until=NOW + DAY, late_factor=0.5)
    room.begin(TANG, assignment_id)
    room.now = NOW + timedelta(minutes=minutes)
    room.save(TANG, assignment_id, 1, "4")
    assert room.hand_in(TANG, assignment_id).late_factor == points
    book = room.desk.read(gradebook.load_gradebook, TEACHER, room.classroom, room.now)
    [cell] = book.rows[0].cells
    assert (cell.state, cell.points) == (state, points)
'''


def test_the_late_rule_is_changed(project: ProjectCopy) -> None:
    [rule] = paths(recipe("什么算迟交"))
    project.replace(
        rule,
        "moment >= first_moment_after(self.due_at)\n",
        "moment >= first_moment_after(self.due_at) + 10 * MINUTE\n",
    )
    project.check()
    project.add_tests()
    project.add("tests/records/grading/test_grace.py", GRACE_OF_TEN_MINUTES)
    project.prove("tests/records/grading/test_grace.py", "tests/records/assignments/test_late_rule.py")


COST_BY_THE_DAY = '''"""Each day that has begun after the due time costs its share."""

from datetime import timedelta

import pytest

from app.records.grading import gradebook
from tests.records.assigned import DAY, TANG, TEACHER, Class
from tests.records.cast import NOW


@pytest.mark.usefixtures("tang")
@pytest.mark.parametrize(("hours", "points"), [(1, 0.5), (23, 0.5), (30, 0.25)])
def test_a_day_of_lateness_costs_half(room: Class, hours: int, points: float) -> None:
    assignment_id = room.assign(due_at=NOW, late_until=NOW + 3 * DAY, late_factor=0.5)
    room.begin(TANG, assignment_id)
    room.now = NOW + timedelta(hours=hours)
    room.save(TANG, assignment_id, 1, "4")
    assert room.hand_in(TANG, assignment_id).late_factor == points
    book = room.desk.read(gradebook.load_gradebook, TEACHER, room.classroom, room.now)
    [cell] = book.rows[0].cells
    assert (cell.state, cell.points) == ("late", points)
'''
WORDS_BY_THE_DAY = '''"""Who sets the cost and who bears it read that it is by the day."""

from tests.web.assignments.drafting import FUTURE, NUMERIC, PAST
from tests.web.taught import Term


def test_the_cost_of_a_day_is_told(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, due=PAST, late="yes", late_until=FUTURE, late_percent="50")
    rules = term.teacher.open(draft_path).main.one("details", class_="more-rules")
    assert "每迟一天，得分按 %" in rules.text
    path = term.publish(draft_path)
    assert "每迟一天，得分按50%算" in term.student.open(path).main.text
'''


def test_the_late_rule_goes_by_the_day(project: ProjectCopy) -> None:
    """What it costs and how that is told, before and behind the number in the form too."""
    [rule] = paths(recipe("什么算迟交"))
    project.replace(
        rule,
        "        return self.late_factor if self.is_late_work(last_work_at) else 1.0\n",
        "        if last_work_at is None or self.due_at is None or not self.is_late_work(last_work_at):\n"
        "            return 1.0\n"
        "        return self.late_factor ** (1 + (last_work_at - self.due_at).days)\n",
    )
    project.replace(rule, '= "得分按", "%算"', '= "每迟一天，得分按", "%算"')
    project.replace(
        rule,
        "        return late_cost_words(self.late_factor)\n",
        '        return f"每迟一天，{late_cost_words(self.late_factor)}"\n',
    )
    project.check()
    project.add_tests()
    project.add("tests/records/grading/test_by_the_day.py", COST_BY_THE_DAY)
    project.add("tests/web/assignments/test_by_the_day.py", WORDS_BY_THE_DAY)
    project.prove(
        "tests/records/grading/test_by_the_day.py",
        "tests/web/assignments/test_by_the_day.py",
        "tests/records/assignments/test_late_rule.py",
    )


def test_the_late_rule_stands_in_one_file() -> None:
    """What it means for a time and for points, and its words; a minute that a teacher sets is asked of it."""
    [rule] = paths(recipe("什么算迟交"))
    for pattern in (r"\* (\w+\.)?late_factor", "得分按", "份都?算迟交"):
        assert files_with(pattern) == [rule], pattern
    assert files_with(r"deadlines import[^)]*?\bMINUTE\b|deadlines\.MINUTE\b") == []


def files_with(pattern: str) -> list[str]:
    """The modules and templates of the site in which it stands."""
    files = [*(ROOT / "app").rglob("*.py"), *(ROOT / "templates").rglob("*.html")]
    holding = [path for path in files if re.search(pattern, path.read_text("utf-8"), re.MULTILINE)]
    return [path.relative_to(ROOT).as_posix() for path in holding]


def test_every_recipe_names_what_is_there() -> None:
    """A path without a placeholder exists."""
    _, _, section = (ROOT / "README.md").read_text("utf-8").partition(SECTION)
    for name in re.findall(r"^- \*\*(.+?)\*\*：", section, re.MULTILINE):
        for path in paths(recipe(name)):
            assert "<" in path or (ROOT / path).exists(), f"{name}: {path}"
