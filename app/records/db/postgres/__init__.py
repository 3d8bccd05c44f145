"""The database as a server: PostgreSQL behind the same two calls, for several processes and machines.

Nothing here is imported by a site whose records lie in an SQLite file, except the look at its address.
"""

import re

SCHEMES = ("postgresql://", "postgresql+psycopg://", "postgres://")


def is_postgres(database_url: str) -> bool:
    """Whether an address names a PostgreSQL database.

    >>> is_postgres("postgresql://teacher:secret@db/tangxu"), is_postgres("sqlite:///tangxu.db")
    (True, False)
    """
    return database_url.startswith(SCHEMES)


ADDRESS_FORM = "postgresql://用户:密码@主机/库名"
ADDRESS = re.compile(r"\w+(?:\+\w+)?://(?:[^:/]*(?::[^@]*)?@)?([^/?]*)/?([^?]*)")
"""As SQLAlchemy reads it: host with port, and database."""


def fault_in_address(database_url: str) -> str:
    """What is wrong with how an address is written, quoting nothing of it; empty where nothing is.

    >>> fault_in_address("postgresql://teacher:secret@db:5433/tangxu?sslmode=require")
    ''
    >>> fault_in_address("postgresql://teacher:p@ss@db/tangxu")
    '密码里的 @ 要写成 %40'
    >>> fault_in_address("postgresql://teacher:p@s/s@db/tangxu")  # its part "s" would be shown as a host
    '密码里的 @ 要写成 %40'
    >>> fault_in_address("postgresql://db")
    '要写出库名：postgresql://用户:密码@主机/库名'
    """
    address_match = ADDRESS.match(database_url)
    host_and_port, database_name = address_match.groups() if address_match else ("", "")
    if "@" in host_and_port + database_name:
        return "密码里的 @ 要写成 %40"
    if not database_name:
        return f"要写出库名：{ADDRESS_FORM}"
    port = host_and_port.rpartition("]")[2].partition(":")[2]
    if port and not port.isdecimal():
        return "端口要写成数字：postgresql://用户:密码@主机:5432/库名"
    return ""
