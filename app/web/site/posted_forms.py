"""A posted form: its fields, and what they say of the way back, of the time that was taken, of a newcomer."""

import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import parse_qsl

from fastapi import Request
from markupsafe import Markup
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from app.course.text.typed import whole_number
from app.records.db.errors import Refused
from app.records.db.row_ids import row_id
from app.web.site import clock, slots
from app.web.site.routing import is_page
from app.web.site.security import MOST_BODY_BYTES

LONGEST_THOUGHT_SECONDS = 30 * 60
"""Seconds; who takes longer over one question has gone away."""
MOST_FIELDS = 1300
"""No form of ours has more, unless all 650 of a class are ticked: a typed column has two fields for each of
600 rows, 总评 four for each column."""
TOO_MANY_FIELDS_SENTENCE = f"这张表单一次最多收{MOST_FIELDS}格，这里超了。一次少填一些，分几次交。"
UNREADABLE_FORM_SENTENCE = (
    f"没读懂交来的表单：格式不对，或者多于一个文件，或者多于{MOST_FIELDS}格。回到刚才那一页，再交一次。"
)
MOST_PART_BYTES = 2**23
"""More than any body may have."""
FILE_NAME_PATTERN = re.compile(rb'filename="[^"]')
FORM_PAGE_FIELD = "form_page"
"""Hidden in the form that the page of an error sends again: the page that it stood on at first."""
STORED_PREFIX = "stored-"
"""Before the enrolment in the name of a hidden field: what a cell held when its form was made."""
CARRIED_FIELDS = frozenset({"guest", "learner", "next", "shown", FORM_PAGE_FIELD})
"""Hidden in forms of all kinds: who sends them, from where, and when."""
CARRIED_PREFIXES = "seen", "stored"
"""Before the names of hidden fields that say what stood on the page."""
SECRET_FIELDS = frozenset({"password", "old", "new"})
"""Fields that no page ever shows again."""
WORD_FIELD_PATTERN = re.compile(
    "text|title|name|note|comment|reason|front|back|tags|points|total|mark-[0-9]+"
)
"""Fields that are typed into in each form that has them: there `87` is a mark, `good` a comment."""
ANSWER_FIELDS = frozenset({"answer", "guess"})
"""Fields into which a number is typed, or a choice goes by its id, which begins with a letter."""
MACHINE_TEXT_PATTERN = re.compile(r"[A-Za-z0-9_:-]*|[a-z][\w.:-]*", re.ASCII)
"""A key, an id or a digest, as hidden fields have: nobody wrote it."""
SITE_PATH_PATTERN = re.compile(r"/(?![/\\])[^\s\\]*")
SHOWN_AT_PATTERN = re.compile(r"[0-9]{1,11}(\.[0-9]{1,6})?")


class PostedForm(NamedTuple):
    """The fields of a posted form."""

    texts_by_field: dict[str, list[str]]

    @property
    def fields(self) -> list[tuple[str, str]]:
        """One after the other."""
        return [
            (field_name, field_text)
            for field_name, field_texts in self.texts_by_field.items()
            for field_text in field_texts
        ]

    def text(self, field_name: str, default: str = "") -> str:
        return self.texts_by_field.get(field_name, [default])[0]

    def text_if_sent(self, field_name: str) -> str | None:
        """None where the form has no such field: it was made before the page had one."""
        if field_name not in self.texts_by_field:
            return None
        return self.text(field_name)

    def texts(self, field_name: str) -> tuple[str, ...]:
        return tuple(self.texts_by_field.get(field_name, []))

    def number(self, field_name: str, default: int) -> int:
        """A whole number 0..9999 or the default, from a field that nobody types into freely."""
        typed_number = whole_number(self.text(field_name))
        return default if typed_number is None else typed_number

    def id(self, field_name: str) -> int:
        """The key of a row; 0, which is the key of none, for anything else."""
        return row_id(self.text(field_name)) or 0

    def ids(self, field_name: str) -> tuple[int, ...]:
        """Keys of rows, each once; what is none is passed over."""
        row_ids: dict[int, None] = {}
        for id_text in self.texts(field_name):
            parsed_id = row_id(id_text)
            if parsed_id is not None:
                row_ids[parsed_id] = None
        return tuple(row_ids)

    def text_by_row_id(self, field_prefix: str) -> dict[int, str]:
        """What stands in the fields whose names begin so and end in the key of a row, as an enrolment."""
        field_text_by_row_id = {}
        for field_name in self.texts_by_field:
            parsed_id = row_id(field_name.removeprefix(field_prefix))
            if field_name.startswith(field_prefix) and parsed_id is not None:
                field_text_by_row_id[parsed_id] = self.text(field_name)
        return field_text_by_row_id

    def next_path(self, default: str) -> str:
        """Where to go afterwards: a path of this site, nothing else."""
        return site_path(self.text("next")) or default


def site_path(address_text: str) -> str:
    """A path of this site as it is; nothing for what leads elsewhere.

    >>> site_path("/cards?page=2"), site_path("//example.org"), site_path("https://example.org")
    ('/cards?page=2', '', '')
    """
    return address_text if SITE_PATH_PATTERN.fullmatch(address_text) else ""


def read_shown_second(shown_second_text: str) -> float | None:
    """When a question was shown, in seconds since 1970, as its form carries it; None for what is no time.

    >>> read_shown_second("1790000000.25"), read_shown_second(""), read_shown_second("nan")
    (1790000000.25, None, None)
    """
    return float(shown_second_text) if SHOWN_AT_PATTERN.fullmatch(shown_second_text) else None


def seconds_spent(form: PostedForm) -> float | None:
    """Seconds since what is answered was shown; None where the form has no time."""
    shown_second = read_shown_second(form.text("shown"))
    if shown_second is None:
        return None
    return clock.now().timestamp() - shown_second


def thinking_seconds(form: PostedForm) -> int | None:
    """Whole seconds of thought about an answer; None where nobody can have thought for so long."""
    seconds = seconds_spent(form)
    if seconds is None or not 0 <= seconds <= LONGEST_THOUGHT_SECONDS:
        return None
    return int(seconds)


def sender_field_again(form: PostedForm) -> Markup:
    """Who sends a form, once more while it is not accepted yet: of a newcomer the proposed token."""
    if token := form.text("guest"):
        return slots.GUEST_FIELD.format(token)
    if learner_key := form.text("learner"):
        return slots.LEARNER_FIELD.format(learner_key)
    return slots.NOTHING


async def read_form(http: Request) -> PostedForm:
    """The form of a request as a browser sends it that has no file to send; bytes that are not UTF-8 become
    question marks. Refused for too many fields."""
    body_text = (await http.body()).decode("utf-8", "replace")
    try:
        name_text_pairs = parse_qsl(body_text, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError as error:
        raise Refused(TOO_MANY_FIELDS_SENTENCE) from error
    return keep_posted_form(http, texts_by_field_of(name_text_pairs))


def keep_posted_form(http: Request, texts_by_field: dict[str, list[str]]) -> PostedForm:
    """The form that came with a request, which a page about an error may show again."""
    form = PostedForm(texts_by_field)
    http.state.posted_form = form
    return form


def is_form_read(http: Request) -> bool:
    """Whether a handler has read the form of a request; those of files are read once it is known who sends
    them."""
    return hasattr(http.state, "posted_form")


def has_read_file(http: Request) -> bool:
    """Whether a file came with the form that a handler has read."""
    return getattr(http.state, "has_posted_file", False)


def unsent_form(http: Request) -> PostedForm:
    """What a handler has read of a form before something went wrong; empty where it has read none."""
    return getattr(http.state, "posted_form", PostedForm({}))


def is_filled_in(field_name: str) -> bool:
    """Whether something in a form was typed, picked or pressed: not what every form carries along.

    >>> is_filled_in("answer"), is_filled_in("learner"), is_filled_in("stored-12")
    (True, False, False)
    """
    return field_name not in CARRIED_FIELDS and not field_name.startswith(CARRIED_PREFIXES)


def is_written(field_name: str, field_text: str) -> bool:
    """Whether somebody wrote this, to be shown again.

    >>> is_written("front", "折损"), is_written("answer", "0.63"), is_written("step", "own.first.step-2")
    (True, True, False)
    >>> is_written("answer", "2"), is_written("mark-12", "87"), is_written("answer", "option-b")
    (True, True, False)
    >>> is_written("password", "越甜越靠前"), is_written("seen_comment", "写得好")
    (False, False)
    """
    typed_text = field_text.strip()
    if not typed_text or field_name in SECRET_FIELDS or not is_filled_in(field_name):
        return False
    if WORD_FIELD_PATTERN.fullmatch(field_name):
        return True
    if field_name in ANSWER_FIELDS and typed_text[0].isdigit():
        return True
    return MACHINE_TEXT_PATTERN.fullmatch(typed_text) is None


def written_texts_of_form(http: Request) -> list[str]:
    """What somebody wrote into the form that a handler has read."""
    return [
        field_text
        for field_name, field_text in unsent_form(http).fields
        if is_written(field_name, field_text)
    ]


async def posted_form(http: Request) -> PostedForm:
    """The fields of the form that was posted, none where nothing was; a file is left out."""
    if http.method != "POST":
        return PostedForm({})
    form, _ = await form_and_file(http)
    return form


def texts_by_field_of(fields: Iterable[tuple[str, str | UploadFile]]) -> dict[str, list[str]]:
    """The texts of a form, once it is parsed, without its files; NUL becomes nothing, since no database keeps
    it alike.

    >>> texts_by_field_of([("front", "ab\\0c"), ("back", "")])
    {'front': ['abc'], 'back': ['']}
    """
    texts_by_field: dict[str, list[str]] = {}
    for field_name, field_value in fields:
        if isinstance(field_value, str):
            texts_by_field.setdefault(field_name, []).append(field_value.replace("\0", ""))
    return texts_by_field


def path_of_form_page(http: Request) -> str:
    """The page that a form stood on, if the browser says; `next` of the form may be a page further on.

    What is sent again from the page of an error says where it stood at first. A form on the answer to another
    one stood on no page that can be opened again.
    """
    if first_path := site_path(unsent_form(http).text(FORM_PAGE_FIELD)):
        return first_path
    referer_match = re.fullmatch(r"https?://[^/]+([^#]*)", http.headers.get("referer", ""))
    if referer_match is None:
        return ""
    form_page_path = site_path(referer_match[1])
    return form_page_path if is_page(http, form_page_path.partition("?")[0]) else ""


async def brings_file(http: Request) -> bool:
    """Whether a form brings a file, which nobody keeps. Of one that no handler has read its other fields are
    read, but not beside a large file."""
    if is_form_read(http):
        return has_read_file(http)
    body = await http.body()
    if len(body) > MOST_BODY_BYTES and FILE_NAME_PATTERN.search(body):
        return True
    await form_and_file(http)
    return has_read_file(http)


class PostedFile(NamedTuple):
    """A file that was chosen in a form; without a name where none was."""

    name: str = ""
    content: bytes = b""

    @property
    def table_bytes(self) -> bytes:
        """A table as it came. Refused for a file that is called a workbook and is none: its text would be
        taken for a list."""
        if self.name.lower().endswith(".xlsx") and not self.content.startswith(b"PK"):
            raise Refused(f"“{self.name[:40]}”叫作Excel文件，里面却不是。用Excel打开，另存成.xlsx再来。")
        return self.content


async def form_and_file(http: Request) -> tuple[PostedForm, PostedFile]:
    """The fields of a form, and the `file` that was chosen in it. Refused for a form that cannot be read, or
    has too many fields."""
    if not http.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        return await read_form(http), PostedFile()
    posted_file = PostedFile()
    try:
        # How long a field may be was judged with the body.
        async with http.form(max_files=1, max_fields=MOST_FIELDS, max_part_size=MOST_PART_BYTES) as form_data:
            for field_value in form_data.getlist("file"):
                if isinstance(field_value, UploadFile) and field_value.filename:
                    posted_file = PostedFile(field_value.filename, await field_value.read())
                    http.state.has_posted_file = True
            return keep_posted_form(http, texts_by_field_of(form_data.multi_items())), posted_file
    except (HTTPException, UnicodeError) as error:
        raise Refused(UNREADABLE_FORM_SENTENCE) from error
