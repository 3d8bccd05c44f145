"""Where the database lies."""

from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from app.records.db.errors import CannotOpen


def database_file(url: str) -> Path:
    """The file of an SQLite URL; any other URL is refused in words, without its password.

    >>> database_file("sqlite:////srv/tangxu.db").as_posix()
    '/srv/tangxu.db'
    >>> database_file("postgresql://teacher:secret@db/tangxu")
    Traceback (most recent call last):
    app.records.db.errors.CannotOpen: 目前只支持SQLite（sqlite:///路径），不支持postgresql://teacher:***@db/tangxu。
    """
    try:
        address = make_url(url)
    except ArgumentError as error:
        raise CannotOpen("数据库地址读不懂，应当写成sqlite:///路径。") from error
    if address.get_backend_name() != "sqlite":
        raise CannotOpen(f"目前只支持SQLite（sqlite:///路径），不支持{address.render_as_string()}。")
    if not address.database or ":memory:" in address.database or address.query:
        raise CannotOpen("数据库要放在一个文件里：sqlite:///路径。")
    return Path(address.database).absolute()
