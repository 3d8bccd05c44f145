"""How many files of ours one request walks through: `python tools/walk.py [NAME …] [--list]`.

Answering, revealing, reviewing, publishing, writing: each is done once through the real site on a database of
its own, while every function that is entered is noted. The way in and the database stand aside: they are the
same for all. `--list` names the files and how many functions of each were entered.
"""

import argparse
import itertools
import sys
import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any
from unittest import mock

from starlette.testclient import TestClient

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from app.main import create_app  # noqa: E402
from app.web.operation import upkeep  # noqa: E402
from tests.web import cast, school  # noqa: E402
from tests.web.pages import Element  # noqa: E402

APP = f"{ROOT / 'app'}/"
LEFT_OUT = (
    "main.py",
    "settings.py",
    "records/db/",
    "web/site/",
    "web/learning/known_pages.py",
    "web/reference/shared_pages.py",
)
"""What every request passes: the database, what all pages share, and two that answer from memory."""


class Recorder:
    """The functions of ours that were entered while it was on, by file."""

    def __init__(self) -> None:
        self.on = False
        self.functions: dict[str, set[str]] = defaultdict(set)

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        if self.on and event == "call" and frame.f_code.co_filename.startswith(APP):
            file = frame.f_code.co_filename.removeprefix(APP)
            if not file.startswith(LEFT_OUT):
                self.functions[file].add(frame.f_code.co_qualname)

    @contextmanager
    def walking(self) -> Iterator[dict[str, set[str]]]:
        """What is entered inside."""
        self.functions.clear()
        self.on = True
        yield self.functions
        self.on = False


class SchoolWalks:
    """A small school, and what somebody does in it once."""

    def __init__(self, client: TestClient, recorder: Recorder) -> None:
        self.client = client
        self.recorder = recorder
        self.course = client.app.state.site.course  # type: ignore[attr-defined]

    def answer(self) -> dict[str, set[str]]:
        """A wrong number, and the mistake that made it."""
        question_place = cast.place_asking(self.course, cast.is_numeric)
        guest = cast.browser(self.client)
        form = guest.open(question_place.url).answering(question_place.name)
        with self.recorder.walking() as functions:
            guest.submit(
                form, answer=list(cast.wrong_answer(self.course.items[question_place.name])), htmx=True
            )
        return functions

    def reveal(self) -> dict[str, set[str]]:
        """A typed guess, and the term that it was about."""
        place = cast.guessed_by_number(self.course)
        guest = cast.browser(self.client)
        form = next(form for form in self.opening_forms(guest, place.name) if is_typed_guess(form))
        with self.recorder.walking() as functions:
            guest.submit(form, guess="2.5", htmx=True)
        return functions

    def opening_forms(self, guest: cast.Reader, example: str) -> Iterator[Element]:
        """The first form of each position of an example."""
        for position in itertools.count():
            page = guest.open(f"/examples/{example}?shown={position}")
            yield page.by_id(f"example-{example}-opening").all("form")[0]

    def review(self) -> dict[str, set[str]]:
        """A card, rated."""
        guest = cast.browser(self.client)
        page = guest.open("/cards")
        sets = [form for form in page.root.all("form") if form["action"] == "/cards/collected"]
        guest.submit(sets[0])
        page = guest.open("/cards/review")
        form = next(form for form in page.root.all("form") if form["action"].endswith("/reviews"))
        with self.recorder.walking() as functions:
            guest.submit(form, "记得", htmx=True)
        return functions

    def gradebook(self) -> dict[str, set[str]]:
        """The table of a class."""
        small_school = school.school(self.client, self.course)
        school.assigned(small_school)
        with self.recorder.walking() as functions:
            small_school.teacher.open(f"{small_school.here}/gradebook")
        return functions

    def publish(self) -> dict[str, set[str]]:
        """A draft becomes an assignment, and its page is seen."""
        teacher = school.new_teacher(self.client, "赵")
        path = f"/classrooms/{school.new_class(teacher, '高二1班')}/assignments"
        teacher.open(path)
        draft = teacher.submit(teacher.page.form(path), title="第一周").path
        teacher.post(f"{draft}/parts", [("kind", "item"), ("ref", "content:cg-chengdu"), ("points", "1")])
        form = teacher.open(draft).form(f"{draft}/settings")
        with self.recorder.walking() as functions:
            teacher.submit(form, "发布给")
        return functions

    def own_content(self) -> dict[str, set[str]]:
        """A text of a teacher is checked and saved, and its page is seen."""
        teacher = school.new_teacher(self.client, "钱")
        form = teacher.open("/own/new").form("/own", "存")
        with self.recorder.walking() as functions:
            teacher.submit(form, "存")
        return functions


def is_typed_guess(form: Element) -> bool:
    return any(
        field.get("name") == "guess" and field.get("type") != "radio" and field.tag == "input"
        for field in form.controls
    )


WALK_NAMES = ("answer", "reveal", "review", "gradebook", "publish", "own_content")


def main() -> int:
    parser = argparse.ArgumentParser(description="How many files of ours one request walks through.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which walks: {', '.join(WALK_NAMES)}")
    parser.add_argument("--list", action="store_true", help="name the files")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in WALK_NAMES]
    if unknown:
        parser.error(f"no such walk: {', '.join(unknown)}; there are {', '.join(WALK_NAMES)}")
    for name, functions in entered_functions(options.names or WALK_NAMES):
        print(*lines(name, functions, with_files=options.list), sep="\n")
    return 0


def lines(name: str, functions: dict[str, set[str]], *, with_files: bool) -> Iterator[str]:
    total = sum(len(functions_of_file) for functions_of_file in functions.values())
    yield f"{name}: {len(functions)} files, {total} functions"
    if with_files:
        for file in sorted(functions):
            yield f"    {file}: {len(functions[file])}"


def without_upkeep() -> AbstractContextManager[object]:
    """What the site does by itself would be counted with the request that it runs beside."""
    return mock.patch.multiple(upkeep, run_forever=mock.AsyncMock(), hand_in_forever=mock.AsyncMock())


def entered_functions(names: list[str] | tuple[str, ...]) -> Iterator[tuple[str, dict[str, set[str]]]]:
    """Each walk with the functions that it entered, by file."""
    recorder = Recorder()
    threading.setprofile(recorder.note)
    with tempfile.TemporaryDirectory() as folder, without_upkeep():
        settings = cast.settings_at(Path(folder))
        with cast.opened_site(create_app(settings), settings) as client:
            walks = SchoolWalks(client, recorder)
            for name in names:
                walk: Callable[[], dict[str, set[str]]] = getattr(walks, name)
                yield name, dict(walk())
    threading.setprofile(None)


if __name__ == "__main__":
    sys.exit(main())
