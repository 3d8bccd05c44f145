"""Pictures in own content: who has sent them, how much of them, and which are named by nothing any more.

The name of a picture comes from what is in it and a secret of the site: nobody can make up the address of
one, also not who has the file it was made of. Whoever may see the item reads the address in it.
"""

import hmac
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, delete, or_, select

from app.course.text.markdown import picture_names
from app.records.accounts.site_secret import load_secret_key
from app.records.accounts.values import Caller
from app.records.authoring import own_courses
from app.records.authoring.own_courses import MAY_COME_BACK, OWN_COURSE
from app.records.authoring.tables import Picture
from app.records.db.errors import Refused
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery, columns_of, prepared_insert
from app.records.grading.tables import ReMark
from app.records.learning.rows import ITEM_VERSION
from app.records.learning.tables import Response

MOST_PICTURE_MEGABYTES = 20
"""What the pictures of one teacher may take."""
MEGABYTE = 2**20
PICTURE = table(Picture).c
IS_BY_LEARNER = PICTURE.learner_id == bindparam("learner")


class NewPicture(NamedTuple):
    """A picture that lies on the disk."""

    name: str
    size_bytes: int


class PictureRow(NamedTuple):
    """A picture of a teacher."""

    name: str
    size_bytes: int
    created_at: datetime

    @property
    def width(self) -> int:
        return self._width_and_height[0]

    @property
    def height(self) -> int:
        return self._width_and_height[1]

    @property
    def _width_and_height(self) -> tuple[int, int]:
        width_text, _, height_text = self.name.rpartition("-")[2].partition("x")
        return int(width_text), int(height_text)


def naming_key(session: VerbSession, caller: Caller) -> bytes:
    """What the names of pictures come from, for a teacher; NotFound to everybody else."""
    own_courses.expect_teacher(session, caller)
    return hmac.digest(load_secret_key(session), b"pictures", "sha256")


def picture_name_of(secret_key: bytes, webp_bytes: bytes, width: int, height: int) -> str:
    """How texts call a picture.

    >>> picture_name_of(b"key", b"points", 640, 480) == picture_name_of(b"key", b"points", 640, 480)
    True
    >>> picture_name_of(b"key", b"points", 640, 480) == picture_name_of(b"another", b"points", 640, 480)
    False
    """
    digest = hmac.new(secret_key, webp_bytes, "sha256").hexdigest()
    return f"{digest[:32]}-{width}x{height}"


PICTURES_QUERY = select(*columns_of(Picture, PictureRow)).where(IS_BY_LEARNER)
PICTURES_OF_TEACHER = RowQuery(PictureRow, PICTURES_QUERY.order_by(PICTURE.id.desc()))
ADD_PICTURE = prepared_insert(Picture)


def load_pictures(session: VerbSession, caller: Caller) -> Sequence[PictureRow]:
    """The pictures of the teacher who calls, the latest first."""
    teacher_id = own_courses.teacher_id_of_caller(session, caller)
    return session.all(PICTURES_OF_TEACHER, learner=teacher_id)


def add_pictures(
    session: VerbSession, caller: Caller, new_pictures: Iterable[NewPicture], now: datetime
) -> None:
    """Write down who has sent them. Refused, and none is, where they take more than a teacher has."""
    teacher_id = own_courses.teacher_id_of_caller(session, caller)
    for new_picture in checked_new_pictures(session, caller, new_pictures):
        session.run(ADD_PICTURE, learner_id=teacher_id, **new_picture._asdict(), created_at=now)


def checked_new_pictures(
    session: VerbSession, caller: Caller, new_pictures: Iterable[NewPicture]
) -> Sequence[NewPicture]:
    """Those of the pictures that the teacher who calls has not sent yet; Refused where they take too much."""
    teacher_id = own_courses.teacher_id_of_caller(session, caller)
    own_pictures = session.all(PICTURES_OF_TEACHER, learner=teacher_id)
    known_picture_names = {own_picture.name for own_picture in own_pictures}
    used_byte_count = sum(own_picture.size_bytes for own_picture in own_pictures)
    unknown_pictures = []
    for new_picture in new_pictures:
        if new_picture.name in known_picture_names:
            continue
        known_picture_names.add(new_picture.name)
        used_byte_count += new_picture.size_bytes
        if used_byte_count > MOST_PICTURE_MEGABYTES * MEGABYTE:
            raise Refused(
                f"你的图加起来最多{MOST_PICTURE_MEGABYTES}MB，再放这张就超了：先存下正在写的，再到“我的图”里清掉没用上的；"
                "或者换小一些的。"
            )
        unknown_pictures.append(new_picture)
    return unknown_pictures


# What nothing names any more.

MENTIONS_PICTURES = OWN_COURSE.text.contains("picture:")
"""However it is written: Markdown knows links that are named far from their words, too."""
TEXTS_WITH_PICTURES = PreparedStatement(select(OWN_COURSE.text).where(MAY_COME_BACK, MENTIONS_PICTURES))
ANSWERED_VERSIONS = select(table(Response).c.item_version_hash).where(
    table(Response).c.item_version_hash == ITEM_VERSION.hash
)
MARKED_VERSIONS = select(table(ReMark).c.item_version_hash).where(
    table(ReMark).c.item_version_hash == ITEM_VERSION.hash
)
IS_ANSWERED_OR_MARKED_VERSION = or_(ANSWERED_VERSIONS.exists(), MARKED_VERSIONS.exists())
FROZEN_BODIES = PreparedStatement(
    select(ITEM_VERSION.body).where(ITEM_VERSION.body.contains("picture:"), IS_ANSWERED_OR_MARKED_VERSION)
)


def unused_picture_names(session: VerbSession, candidate_picture_names: Collection[str]) -> set[str]:
    """Those of the names that no text has that is there or may come back, and no item of which an answer is
    kept."""
    used_picture_names = set[str]()
    for statement in (TEXTS_WITH_PICTURES, FROZEN_BODIES):
        for (text_with_pictures,) in session.all(statement):
            used_picture_names |= picture_names(text_with_pictures)
    return set(candidate_picture_names) - used_picture_names


REMOVE_BY_NAME = PreparedStatement(delete(table(Picture)).where(PICTURE.name == bindparam("name")))


def forget_unused_pictures(session: VerbSession, candidate_picture_names: Collection[str]) -> set[str]:
    """Those of the names that are unused: nobody has them any more, and their files may go."""
    forgotten_picture_names = unused_picture_names(session, candidate_picture_names)
    for picture_name in forgotten_picture_names:
        session.run(REMOVE_BY_NAME, name=picture_name)
    return forgotten_picture_names


REMOVE_OWN = PreparedStatement(delete(table(Picture)).where(IS_BY_LEARNER, PICTURE.name == bindparam("name")))


def forget_own_unused_pictures(
    session: VerbSession, caller: Caller, spared_picture_names: Collection[str]
) -> set[str]:
    """Give up one's own pictures that stand nowhere, without those that are spared; their names. The file of
    one that nobody else has sent may go."""
    teacher_id = own_courses.teacher_id_of_caller(session, caller)
    own_picture_names = [picture.name for picture in session.all(PICTURES_OF_TEACHER, learner=teacher_id)]
    forgotten_picture_names = unused_picture_names(session, own_picture_names) - {*spared_picture_names}
    for picture_name in forgotten_picture_names:
        session.run(REMOVE_OWN, learner=teacher_id, name=picture_name)
    return forgotten_picture_names


ALL_NAMES = PreparedStatement(select(PICTURE.name).distinct())


def all_picture_names(session: VerbSession) -> set[str]:
    """The pictures that anybody has sent and not given up."""
    return {picture_name for (picture_name,) in session.all(ALL_NAMES)}
