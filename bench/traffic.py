"""What is asked of the servers: requests as a browser sends them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice
from urllib.parse import urlencode

from app.course import Course, Stage
from app.course.content.model import Section
from app.course.content.recently_used import MOST_VARIANTS
from app.course.items.kinds import Item, MultipleChoice, Numeric, Order, SingleChoice, TrueFalse
from app.course.learning.reveal_sequence import RevealPosition
from app.course.learning.steps import Ask, ExampleStep
from app.engine import predictions
from app.settings import root
from app.web.site.assets import Assets

PRACTISED_ITEM = "practice-dcg-2"
SHARED_PAGE = "/glossary"
"""A page that is the same for all who are signed in."""
CARDS = 60
"""So many cards are in the deck of every guest."""
LAST_STEP = 6
"""The returning guest stands at this step of the section, the last one."""
ALIKE_FOR_ALL = (SingleChoice, MultipleChoice, TrueFalse, Numeric, Order)
OPEN_POSITIONS = 3
"""So many positions of each example of that section are open already."""


@dataclass(frozen=True)
class Request:
    """One request. `encoding` is what the browser accepts, `tag` of what page it has a copy."""

    path: str
    token: str
    fields: tuple[tuple[str, str], ...] = ()
    encoding: str = "gzip, deflate, br, zstd"
    tag: str = ""

    @property
    def method(self) -> str:
        return "POST" if self.fields else "GET"

    @property
    def form(self) -> str:
        """The fields as a body."""
        return urlencode(self.fields)

    @property
    def line(self) -> str:
        """As `feed.lua` reads it."""
        fields = (self.method, self.path, f"tangxu={self.token}", self.encoding, self.tag, self.form)
        return "\t".join(fields)


@dataclass(frozen=True)
class Guest:
    """A guest who has come as far as the page that is measured."""

    token: str
    attempt_id: int


@dataclass(frozen=True)
class Scene:
    """The page that is measured: the section with the most to do, seen from its last step."""

    course: Course
    stage: Stage
    section: Section

    @property
    def path(self) -> str:
        return f"/lessons/{self.stage.id}/{self.section.id}"

    @property
    def asked_items(self) -> list[str]:
        """Items on the page: answered before it is measured."""
        return [step.item for step in self.section.steps[:LAST_STEP] if isinstance(step, Ask)]

    @property
    def examples(self) -> list[str]:
        """Examples on the page: opened in part before it is measured."""
        return [step.example for step in self.section.steps[:LAST_STEP] if isinstance(step, ExampleStep)]

    @property
    def unasked_items(self) -> list[str]:
        """The other items of the stage: they are answered while we measure."""
        steps = [step for section in self.stage.sections for step in section.steps]
        items = [step.item for step in steps if isinstance(step, Ask) and step.item not in self.asked_items]
        return [item for item in items if is_plain(self.course, item)]


def is_plain(course: Course, item: str) -> bool:
    """Whether it is answered by everybody alike: a variant has other numbers for each guest."""
    return isinstance(course.items[item], ALIKE_FOR_ALL)


def choose_scene(course: Course) -> Scene:
    """Choose the page."""
    scenes = [Scene(course, stage, section) for stage in course.stages for section in stage.sections]
    candidates = [
        candidate for candidate in scenes if all(is_plain(course, item) for item in candidate.asked_items)
    ]
    return max(
        candidates,
        key=lambda candidate: (
            len(candidate.asked_items),
            len(candidate.examples),
            len(candidate.section.steps),
        ),
    )


def pages(scene: Scene, guests: Sequence[Guest], encoding: str = Request.encoding) -> list[Request]:
    """The lesson page, by many different guests in turn."""
    return [Request(scene.path, guest.token, encoding=encoding) for guest in guests]


def first_pages(scene: Scene, guests: Sequence[Guest]) -> list[Request]:
    """The same page, by more addresses than are known: each look is a first one."""
    steps = [f"{LAST_STEP:0{width}}" for width in (1, 2, 3)]
    return [Request(f"{scene.path}?step={step}", guest.token) for step in steps for guest in guests]


def shared_pages(guests: Sequence[Guest], tag: str = "") -> list[Request]:
    """A page where nothing is personal; with a tag the browser has a copy of it."""
    return [Request(SHARED_PAGE, guest.token, tag=tag) for guest in guests]


def static(_: Sequence[Guest]) -> list[Request]:
    """The style sheet of every page."""
    return [Request(Assets(root() / "static").url("tangxu.css"), "")]


def health(_: Sequence[Guest]) -> list[Request]:
    """What a monitor asks."""
    return [Request("/healthz", "")]


def reveals(scene: Scene, guests: Sequence[Guest], most_requests: int = 30_000) -> list[Request]:
    """Every request opens a position that this guest has not opened; the guests take turns."""
    examples = [name for name in scene.course.examples if name not in scene.examples]
    openings = [(name, opening) for name in examples for opening in scene.course.reveal_positions(name)]
    all_requests = (reveal(example, opening, guest) for example, opening in openings for guest in guests)
    return list(islice(all_requests, most_requests))


def reveal(example: str, opening: RevealPosition, guest: Guest) -> Request:
    fields = [("position", str(opening.position)), ("next", f"/examples/{example}#example-{example}")]
    if opening.guess_mode != "plain":
        fields.append(("guess", opening.right_guess))
    return Request(f"/examples/{example}/reveals", guest.token, tuple(fields))


def answers(scene: Scene, guests: Sequence[Guest]) -> list[Request]:
    """Every request is a try that is not in the log yet: each item first wrongly, then rightly."""
    tries = chain.from_iterable(wrong_then_right(scene.course, item) for item in scene.unasked_items)
    return [
        Request(
            f"/attempts/{guest.attempt_id}/responses",
            guest.token,
            (
                ("item", item),
                ("try", str(number)),
                ("seed", "0"),
                ("next", f"{scene.path}?step={LAST_STEP}#item-{item}"),
                *[("answer", text) for text in raw],
            ),
        )
        for item, number, raw in tries
        for guest in guests
    ]


def practised(scene: Scene, guests: Sequence[Guest], most_requests: int = 5 * MOST_VARIANTS) -> list[Request]:
    """Every request answers another variant with a number that a mistake makes, and asks for its way on.

    They are five times as many as are cached, and other ones for other guests: the variant, its diagnosis and
    the fragment are made each time. A browser has opened its question before, which draws the variant: a
    tenth.
    """
    first_seed = 900_000 + guests[0].attempt_id * most_requests
    numbers = range(most_requests)
    return [practice(scene.course, first_seed + number, guests[number % len(guests)]) for number in numbers]


def practice(course: Course, seed: int, guest: Guest) -> Request:
    """A number that a mistake makes, for the variant of a seed."""
    question = course.variant(PRACTISED_ITEM, seed)
    assert isinstance(question, Numeric)
    [wrong, *_] = predictions(question.question.engine_question).values()
    fields = (
        ("item", PRACTISED_ITEM),
        ("try", "1"),
        ("seed", str(seed)),
        ("next", f"/practice/dcg?level=2&seed={seed}"),
        ("answer", f"{wrong:.{question.decimals}f}"),
    )
    return Request(f"/practice/dcg-2-{seed}/responses", guest.token, fields)


def reviews(scene: Scene, guests: Sequence[Guest]) -> list[Request]:
    """Every request is the first review of a card, and draws the next one."""
    fields = (("number", "1"), ("rating", "3"))
    return [
        Request(f"/cards/{card}/reviews", guest.token, fields)
        for card in list(scene.course.cards)[:CARDS]
        for guest in guests
    ]


def wrong_then_right(course: Course, item_id: str) -> list[tuple[str, int, tuple[str, ...]]]:
    """Item, try and answer: after the one try of a one-shot item its twin is asked, else the same again."""
    item = course.items[item_id]
    twin = course.items[item.twin] if item.has_one_try_only and item.twin else None
    second_try = (twin.id, 1, wrong_and_right(twin)[1]) if twin else (item.id, 2, wrong_and_right(item)[1])
    return [(item.id, 1, wrong_and_right(item)[0]), second_try]


def wrong_and_right(item: Item) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """An answer that is wrong but can be read, and one that is right."""
    match item:
        case SingleChoice() | MultipleChoice():
            return chosen_options(item)
        case TrueFalse():
            return (str(not item.answer).lower(),), (str(item.answer).lower(),)
        case Numeric():
            return ("123.456",), (f"{item.answer:.{item.decimals}f}",)
        case Order():
            best = sorted(item.documents, key=lambda document: -document.grade)
            unsorted = tuple(document.id for document in item.documents)
            return unsorted, tuple(document.id for document in best)
    raise TypeError(f"{item.kind}: how is it answered?")


def chosen_options(item: SingleChoice | MultipleChoice) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """All wrong options and all right ones; of a single choice the first of each."""
    wrong = tuple(option.id for option in item.options if not option.right)
    right = tuple(option.id for option in item.right_options)
    if isinstance(item, SingleChoice):
        return wrong[:1], right[:1]
    return wrong or right[:1], right
