"""A walk through a class, from its first day to the end of it."""

import itertools
import re
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from .elements import Element
from .exploring import explore_onwards
from .forms import FILLINGS, TYPED_TIME, Fields, Move, buttons
from .links import addresses
from .visitors import OTHER_TEACHER, PUPIL, TEACHER, Visitor, sign_in


@dataclass
class School:
    """A class from its first day on, with one clock for all who have to do with it."""

    teacher: Visitor
    colleague: Visitor
    pupil: Visitor
    guest: Visitor
    invitation: str
    second_invitation: str
    classroom: str = ""
    """The address of the class, once there is one; so for the assignment."""
    assignment: str = ""

    def run(self) -> None:
        sign_in(self.teacher, TEACHER)
        sign_in(self.colleague, OTHER_TEACHER)
        self.begin_class()
        self.assign()
        self.do_work()
        self.mark()
        self.write_own_content()
        self.review_cards()
        self.end_things()
        self.send_wrong_posts()

    def end_things(self) -> None:
        """What ends things, and what begins them again; what scripts ask for; accounts."""
        self.teacher.open(f"{self.classroom}/projector")
        self.teacher.submit(f"{self.classroom}/openings")
        code = self.join_code()
        self.guest.open(f"/join/{code}")
        self.guest.submit(f"/join/{code}")
        students = [
            link
            for link in addresses(self.teacher.reopen(self.classroom), self.classroom)
            if "/students/" in link
        ]
        student = min(students, default=f"{self.classroom}/students/1")
        for page_path, action in LAST_POSTS:
            path = page_path.format(classroom=self.classroom, assignment=self.assignment, student=student)
            self.teacher.open(path)
            self.teacher.submit(f"(?:{self.classroom}|{self.assignment}|{student})/{action}")
        for path in (f"{self.classroom}/arrivals", f"{self.classroom}/today/live", f"{self.classroom}/today"):
            self.teacher.open(path)
        for visitor in (self.colleague, self.guest, self.pupil):
            sign_out_devices(visitor)
        self.guest.open(self.second_invitation)
        self.guest.submit(".*/acceptances")

    def review_cards(self) -> None:
        """Cards that are due, each rated in another way; the last rating undone and given again."""
        learner = self.pupil.beside("learner")
        sign_in(learner, PUPIL)
        for number in range(12):
            page = learner.open("/cards/review")
            rate(learner, page, number)
            if number % 4 == 3:
                learner.submit("/cards/undone")
        explore_onwards(learner, "/cards/review", pages=2, moves_a_page=6)
        learner.open("/cards/stats")

    def begin_class(self) -> None:
        """A class, its roster, a pupil who comes with the code, somebody who signs up alone."""
        self.teacher.open("/classrooms")
        self.teacher.submit("/classrooms", name="高二1班")
        self.classroom = self.teacher.path.rpartition("/")[0]
        code = self.join_code()
        for roster in ("学号,姓名\n01,糖一\n02,糖二\n02,糖二\n,\n", "学号,姓名\n11,糖四\n12,欧阳糖\n"):
            self.teacher.open(f"{self.classroom}/roster")
            self.teacher.submit(f"{self.classroom}/roster-previews", text=roster)
            self.teacher.submit(f"{self.classroom}/roster")
        for name in ("", "糖三"):
            self.pupil.open(f"/join/{code}")
            self.pupil.submit(f"/join/{code}/accounts", name=name)
        self.sign_up()
        self.teacher.open(self.classroom)

    def sign_up(self) -> None:
        """A new teacher who is invited, and somebody without a class."""
        newcomer = self.guest.beside("newcomer")
        for login in ("王老师", "张老师", "赵老师"):
            newcomer.open(self.invitation)
            newcomer.submit(f"{self.invitation}/accounts", login=login, password="越甜越靠前的糖")  # noqa: S106
        for password in ("123", "越甜越靠前的糖"):
            self.guest.open("/sign-up")
            self.guest.submit("/accounts", login="新来的", password=password)

    def join_code(self) -> str:
        """The code of the class, from the page for the projector."""
        page = self.teacher.reopen(f"{self.classroom}/projector")
        codes = [word for element in page.walk() for word in re.findall(r"^[2-9A-Z]{6}$", element.text)]
        return codes[0] if codes else "ZZZZZZ"

    def assign(self) -> None:
        """An assignment of questions, practice and a game; changed, looked at, published, prolonged."""
        self.teacher.open(f"{self.classroom}/assignments")
        self.teacher.submit(f"{self.classroom}/assignments", title="第一周")
        self.assignment = urlsplit(self.teacher.path).path
        for kind, ref, count in PARTS_TO_ADD:
            fields = {"kind": kind, "ref": ref, "count": count, "level": "1", "points": "2"}
            self.post(self.teacher, f"{self.assignment}/parts", list(fields.items()))
        for path in (
            f"{self.assignment}/preview",
            f"{self.assignment}/items",
            f"{self.assignment}/items?skill=dcg",
        ):
            self.teacher.open(path)
        for action in ("parts/settings", "parts/[0-9]+/moves", "parts/[0-9]+/swaps", "parts/[0-9]+/removals"):
            self.teacher.open(self.assignment)
            self.teacher.submit(f"{self.assignment}/{action}")
        for action in ("settings", "publications"):
            self.teacher.open(self.assignment)
            self.teacher.submit(f"{self.assignment}/{action}", due_at=TYPED_TIME)
        self.teacher.open(self.assignment)
        explore_onwards(self.teacher, self.assignment, pages=1, moves_a_page=3)

    def post(self, visitor: Visitor, path: str, fields: Fields) -> None:
        headers = {"HX_Request": "true"} if visitor.htmx else {}
        headers["Content_Type"] = "application/x-www-form-urlencoded"
        answer = visitor.request("POST", path, urlencode(fields).encode(), **headers)
        visitor.record(f"POST {path} {fields}", answer)

    def do_work(self) -> None:
        """The work of the pupil: opened, answered, handed in, looked at again; a stranger sees nothing."""
        own_work = f"/assignments/{self.assignment.rpartition('/')[2]}"
        for path in ("/", "/assignments", own_work):
            self.pupil.open(path)
        self.pupil.submit(f"{own_work}/passes")
        for number, filling in itertools.product(range(1, 6), ("words", "numbers", "choice 2", "right")):
            self.answer(f"{own_work}/questions/{number}", filling)
        for number in range(1, 6):
            explore_onwards(self.pupil, f"{own_work}/questions/{number}", pages=1, moves_a_page=4)
        self.hand_in(own_work)

    def hand_in(self, own_work: str) -> None:
        """The work is handed in and looked at again; a stranger sees nothing of it."""
        self.pupil.open(own_work)
        self.pupil.open(f"{own_work}/hand-in")
        self.pupil.submit(f"{own_work}/hand-ins")
        for path in (
            own_work,
            f"{own_work}/passes/1",
            f"{own_work}/questions/1",
            "/assignments",
            "/progress",
        ):
            self.pupil.open(path)
        self.guest.open(own_work)

    def answer(self, path: str, filling: str) -> None:
        """A question of the work: a draft, a hint, an order, and its form."""
        self.post(self.pupil, f"{path}/drafts", [("answer", filling), ("shown", "")])
        self.post(self.pupil, f"{path}/hints", [("number", "1")])
        self.post(self.pupil, f"{path}/orderings", [("answer", "1"), ("move", "0")])
        page = self.pupil.open(path)
        for form in page.all("form"):
            if form.get("action").endswith("/responses"):
                self.pupil.send(form, Move(0, filling))

    def mark(self) -> None:
        """The gradebook, the work of a pupil with a mark set by hand, marking again, what was done."""
        for path in REPORT_PAGES:
            self.teacher.open(f"{self.classroom}/{path}")
            self.colleague.open(f"{self.classroom}/{path}")
        page = self.teacher.reopen(f"{self.classroom}/gradebook")
        for path in sorted({link for link in addresses(page, self.classroom) if "/students/" in link})[:2]:
            self.teacher.open(path)
            self.teacher.submit(f"{path}/overrides", points="1", reason="写得清楚")
            explore_onwards(self.teacher, path, pages=1, moves_a_page=8)
        for path in (f"{self.assignment}/review", self.assignment):
            self.teacher.open(path)
            explore_onwards(self.teacher, path, pages=1, moves_a_page=4)
        for assignment in (self.assignment, *assignments_of(self.teacher, "/classrooms/1")):
            self.mark_again(f"{assignment}/regrades")
        for path in REPORT_PAGES:
            self.teacher.open(f"{self.classroom}/{path}", "after: ")

    def mark_again(self, regrades_path: str) -> None:
        """The first parts of an assignment that can be marked again."""
        page = self.teacher.open(regrades_path)
        part_paths = sorted({link for link in addresses(page, regrades_path) if "/regrades?" in link})
        for path in part_paths[:4]:
            self.teacher.open(path)
            explore_onwards(self.teacher, path, pages=1, moves_a_page=3)

    def write_own_content(self) -> None:
        """Questions of a teacher's own: wrong, right, shared, copied by a colleague, changed."""
        for text in ("title: [", OWN_QUESTIONS):
            self.teacher.open("/own/new")
            self.write_text(text)
        own_path = urlsplit(self.teacher.path).path
        for path in (f"{own_path}/file.yaml", f"{own_path}/items/first"):
            self.teacher.open(path)
            explore_onwards(self.teacher, path, pages=1, moves_a_page=6)
        self.teacher.open(own_path)
        self.teacher.submit(f"{own_path}/shares")
        page = self.teacher.open(own_path)
        for path in sorted({link for link in addresses(page, own_path) if link.startswith(f"{own_path}-")}):
            for visitor in (self.guest, self.pupil, self.colleague):
                visitor.open(path)
                visitor.submit(r"/own/[^/]+/copies")
        explore_onwards(self.teacher, own_path, pages=1, moves_a_page=12)

    def write_text(self, text: str) -> None:
        """Send a text of one's own, whatever its field is called."""
        for form in self.teacher.page.all("form"):
            if form.get("action") == "/own":
                typed = {area.get("name"): text for area in form.all("textarea")}
                answer = self.teacher.send(form, Move(0, FILLINGS[0]), typed)
                self.teacher.open(answer.leads_to or "/own")

    def send_wrong_posts(self) -> None:
        """Wrong addresses and wrong posts, then everybody signs out."""
        for visitor in (self.teacher, self.pupil, self.guest):
            for path in ("/accounts/sign-ins", "/accounts", "/own", "/reports", "/classrooms", "/cards/own"):
                self.post(visitor, path, [])
                self.post(visitor, path, [("login", "王老师"), ("password", "falsch"), ("name", "x" * 500)])
            for path in ("/lessons/concepts/responses", "/lessons/none/responses", "/practice/dcg/hints"):
                self.post(visitor, path, [("item", "none"), ("number", "x"), ("answer", "1")])
            self.post(visitor, "/reports", [("text", "x" * 70_000)])
            visitor.open("/no-such-page")
            visitor.open("/me")
            visitor.submit("/sign-outs")
            visitor.open("/me")


def rate(learner: Visitor, page: Element, number: int) -> None:
    """Press another button, and fill in another way, with every card."""
    for form in page.all("form"):
        if form.get("action").endswith(("/reviews", "/answers")):
            button = number % max(1, len(buttons(form)))
            answer = learner.send(form, Move(button, FILLINGS[number % 3]))
            learner.open(answer.leads_to or "/cards/review")
            return


def sign_out_devices(visitor: Visitor) -> None:
    """Another password, then the other devices one by one and at once."""
    for action in ("/me/passwords", "/me/devices/[^/]+/endings", "/me/devices/endings"):
        visitor.open("/me")
        visitor.submit(action, old="越甜越靠前的糖", password="越甜越靠前的糖", new="更甜的糖排更前")  # noqa: S106


def assignments_of(teacher: Visitor, classroom: str) -> list[str]:
    page = teacher.reopen(f"{classroom}/assignments")
    links = {link for link in addresses(page, classroom) if re.fullmatch(r".*/assignments/[0-9]+", link)}
    return sorted(links)


OWN_QUESTIONS = """\
title: 排队买糖
skill: discount

items:
  first:
    stem: 第1位不打折。
    answer: true
    feedback:
      right: 对，除以1等于没打折。
      wrong: 名次加1是2，对数是1。
    hints:
      - 先把名次加1。
"""
PARTS_TO_ADD = (
    ("item", "content:cg-chengdu", "1"),
    ("practice", "content:dcg-at-k", "2"),
    ("game", "duel", "1"),
    ("item", "content:no-such-item", "1"),
    ("item", "content:cg-chengdu", "1"),
)
LAST_POSTS = (
    ("{classroom}/projector", "openings"),
    ("{classroom}/projector", "closings"),
    ("{student}", "removals"),
    ("{classroom}", "returns"),
    ("{classroom}", "students/[0-9]+/returns"),
    ("{assignment}", "assignees"),
    ("{assignment}", "collections"),
    ("{assignment}", "copies"),
    ("{assignment}", "closings"),
    ("{assignment}", "removals"),
    ("{classroom}", "archivings"),
    ("{classroom}", "restorings"),
    ("/classrooms", "restorings"),
)
"""Pages of a teacher, and what is sent from there."""
REPORT_PAGES = (
    "gradebook",
    "gradebook.csv",
    "gradebook.xlsx",
    "today",
    "mistakes",
    "items",
    "map",
    "tests",
    "audit",
)
