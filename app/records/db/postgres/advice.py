"""Why a database on a server cannot be opened, and what to do about it: beside the server's own words."""

import re

from app.records.db.postgres.refusals import cause_of, reason_in_line

ADVICE_BY_STATE = {
    "42501": "这个用户没有权限；库要归它所有：createdb --owner",
    "55P03": "另一个进程占着它，也许正在升级；等它做完再来",
}
"""By the state that the server names, once somebody is let in."""
ADVICE_BY_PATTERN = {
    "password authentication failed|no password supplied": "密码不对，或者没有写",
    "no pg_hba.conf entry": "服务器不让这个用户从这里进来；看它的 pg_hba.conf",
    "too many (clients|connections)|remaining connection slots": "连接用完了；一个进程占12个",
    'database "[^"]*" does not exist': "没有这个库；先用 createdb 建好",
    'role "[^"]*" does not exist': "没有这个用户；先用 createuser 建好",
    "starting up|shutting down|recovery mode": "它正在启动或关闭；等一会儿再来",
    "(not|is) read-(write|only)": "地址里的几台现在都写不进去；主库在哪里",
    "Connection refused|No such file or directory": "那里没有服务器在答话；它开着吗，主机和端口对吗",
    "timeout expired|timed out|unreachable|No route": "等不到回音；看看主机、网线和防火墙",
    "translate host name|not known|resolve": "没有叫这个名字的主机",
}
"""By what libpq says, which names no state of who was not let in. A server that speaks another language is
quoted without advice.
"""


def explanation_of(error: BaseException) -> str:
    """What an operator can do about it, and the server's own words.

    >>> from psycopg import OperationalError
    >>> explanation_of(OperationalError('FATAL:  database "tangxu" does not exist'))
    '没有这个库；先用 createdb 建好（FATAL: database "tangxu" does not exist）。'
    >>> explanation_of(OperationalError("something else"))
    'something else'
    """
    error_text = reason_in_line(error)
    cause = cause_of(error)
    sqlstate = cause.sqlstate if cause else None
    advice = ADVICE_BY_STATE.get(sqlstate or "", "")
    for pattern, advice_of_pattern in ADVICE_BY_PATTERN.items():
        if not advice and re.search(pattern, error_text):
            advice = advice_of_pattern
    if not advice:
        return error_text
    return f"{advice}（{error_text}）。"
