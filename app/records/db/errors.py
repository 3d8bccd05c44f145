"""What may go wrong between the web and the records. Below this, plain exceptions.

RecordsError
├── NotFound          no such thing, or it belongs to somebody else: the web says 404 to both
├── NotPermitted      somebody who helps in a class asks for more than their role allows: 403, and whom to ask
├── Stale             the page is too old to know who is asking: reload it
├── Refused           what was asked cannot be done as it is; the sentence says why
├── Throttled         tried too often: 429, and the sentence says how long to wait
├── CannotOpen        the database cannot be used at all: said once, at start
│   └── ServerAway    the same, because nobody answers at its address: it may be different in a moment
└── Busy              nothing of this request was saved: 503 with Retry-After
    ├── DiskFull      the same, because the disk is full
    ├── Damaged       the same, because the database file is damaged
    ├── Unsure        or it was: COMMIT was sent, and what became of it is not known
    └── Exchanged     the same, because another file has taken the place of the one that is open
"""

from collections.abc import Iterator
from contextlib import contextmanager

NOT_SAVED_WORDS = "，这一次没有保存"
"""In the sentences of `Busy`: who only looks at a page, or starts the site, had nothing to save."""


class RecordsError(Exception):
    """Its text is a Chinese sentence that may be shown to the person who waits.

    >>> print(DiskFull())
    服务器的磁盘满了，这一次没有保存；以前保存的都还在。
    >>> print(Busy("数据库正被别的程序占用，这一次没有保存，请稍后再试。"))
    数据库正被别的程序占用，这一次没有保存，请稍后再试。
    """

    sentence = "记录出了问题。"

    def __init__(self, sentence: str | None = None) -> None:
        super().__init__(sentence or self.sentence)


class NotFound(RecordsError):
    """There is none for this learner. A stranger is told the same as for something that never was."""

    sentence = "没有找到。"


class NotPermitted(RecordsError):
    """Whoever may see a thing asks to change it, and has no right to; the sentence says who has."""

    sentence = "这件事要老师来做。"


class Stale(RecordsError):
    """Neither the cookie nor the form says who is asking: signed out, or a page open too long."""

    sentence = "这一页打开太久了，请刷新后再试一次。"


class Refused(RecordsError):
    """A name that is taken, a code that is closed, a class that is archived: said beside the field.

    `field`: the one that has to be put right, as forms call it; empty where that is no single one.
    """

    sentence = "这样不行。"

    def __init__(self, sentence: str | None = None, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


@contextmanager
def naming_field(field_name: str) -> Iterator[None]:
    """What is refused inside is refused of this field of a form; `{}` in its name stands for the refused one.

    >>> try:
    ...     with naming_field("{}-7"):
    ...         raise Refused("个数写1到9。", "count")
    ... except Refused as refusal:
    ...     sentence_and_field(refusal)
    ('个数写1到9。', 'count-7')
    """
    try:
        yield
    except Refused as refusal:
        raise Refused(str(refusal), field_name.format(refusal.field)) from refusal


class Throttled(RecordsError):
    """Too many tries; nothing was looked at this time. No field has to be put right."""

    sentence = "试得太多了，过几分钟再来。"
    field = ""


def sentence_and_field(refusal: Refused | Throttled | None) -> tuple[str, str]:
    """What a page says of a refusal, and of which field; both empty where nothing was refused.

    >>> sentence_and_field(Refused("学号最多20个字。", "number")), sentence_and_field(None)
    (('学号最多20个字。', 'number'), ('', ''))
    """
    if refusal is None:
        return "", ""
    return str(refusal), refusal.field


def status_of_refusal(refusal: Refused | Throttled | None) -> int:
    """The status of a page that says a refusal beside its form; 200 where nothing was refused.

    >>> [status_of_refusal(refusal) for refusal in (Refused("学号最多20个字。", "number"), Throttled(), None)]
    [422, 429, 200]
    """
    if refusal is None:
        return 200
    if isinstance(refusal, Throttled):
        return 429
    return 422


class CannotOpen(RecordsError):
    """The database is of an unknown kind, cannot be written, or does not fit this version of the program."""

    sentence = "打不开数据库。"


class ServerAway(CannotOpen):
    """The server of the database is not there, or does not let anybody in yet."""


class Busy(RecordsError):
    """Nothing of this request was saved; the same request may be sent again."""

    sentence = "现在人太多，这一次没有保存，请稍后再试。"


class DiskFull(Busy):
    """The disk refused the write. What was acknowledged before is kept."""

    sentence = "服务器的磁盘满了，这一次没有保存；以前保存的都还在。"


class Damaged(Busy):
    """SQLite cannot read its own file: only a backup helps."""

    sentence = "数据库文件坏了一处，这一次没有保存。请告诉管理员：停下网站，用备份恢复。"


class Exchanged(Busy):
    """The file that is open has lost its name: what is written into it would be gone with the process."""

    sentence = "数据库文件被换掉或删掉了，这一次没有保存。请告诉管理员：重新启动网站。"


class Unsure(Busy):
    """COMMIT was sent, and nobody can say what became of it. The same request, sent again, is kept once."""

    sentence = "数据库没有回音，这一次不一定保存了，请刷新看看。"
