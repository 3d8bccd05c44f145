"""`python -m app doctor`: what an operator would look at one by one, each with what to do about it."""

import os
import platform
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy.exc import SQLAlchemyError

from app.cli import records
from app.cli.serving import settings_warnings
from app.records.authoring import picture_files, pictures
from app.records.db import revision
from app.records.db.errors import CannotOpen, RecordsError
from app.records.db.operator_commands import COMMAND, START_COMMAND
from app.records.db.postgres.address import needing_driver, shown_address
from app.records.db.sqlite import soundness
from app.records.db.sqlite.file_access import barred_path, barred_sentence, database_paths
from app.records.db.sqlite.file_revision import file_revision
from app.records.people import security_log
from app.settings import Settings, SettingsError
from app.web.operation import slow_pages
from app.web.operation.metrics import Metrics

if TYPE_CHECKING:
    from app.records.db.postgres.server_revision import ServerState

MOST_SECONDS_BETWEEN_CLOCKS = 5
"""By so much the clocks of site and database may differ before something is said."""
WEEK = timedelta(days=7)
"""After so long without a backup something is said; so far back slow pages are counted."""
MOST_NAMED_SLOW_ROUTES = 5
"""How many slow pages are named."""
PG_DUMP_MAGIC = b"PGDMP"
"""How a file of pg_dump begins in its own format."""
MEGABYTE = 2**20
FREE_BYTES_NEEDED = 500 * MEGABYTE
"""Bytes that a site should always have left: for a backup, an upgrade, a week."""
GRAVELY_FEW_BYTES = FREE_BYTES_NEEDED // 10
"""With fewer left, answers may soon not be stored."""
FEWEST_FREE_FILES = 100
"""With room for fewer new files, answers may soon not be stored."""
NAMES_IN_DATA_FOLDER = (
    *("backups", "cache", "metrics", "pictures"),
    *(security_log.LOG_FILE_NAME, slow_pages.LOG_FILE_NAME),
)
"""What the site reads and writes there besides the database."""
ABSENCE_ADVICE = (
    f"从没启动过的，启动一次就有：{START_COMMAND}。用过的先别启动，会另建一个空的："
    "看看TANGXU_DATA和TANGXU_DATABASE_URL写对没有，磁盘挂上没有。"
)


class Finding(NamedTuple):
    """One line. `advice`: what to do, if anything; `is_grave`: records or the site are in danger."""

    text: str
    advice: str = ""
    is_grave: bool = False

    def printed_line(self) -> str:
        """As it is printed.

        >>> Finding("磁盘还有300 MB", "腾出空间。").printed_line()
        '! 磁盘还有300 MB\\n    腾出空间。'
        """
        if not self.advice:
            return f"✓ {self.text}"
        symbol = "✗" if self.is_grave else "!"
        return f"{symbol} {self.text}\n    {self.advice}"


def findings(settings: Settings, now: datetime) -> Iterator[Finding]:
    """Everything there is to say, the gravest first within each matter. It changes nothing."""
    yield Finding(f"Python {platform.python_version()}，SQLite {sqlite3.sqlite_version}")
    database_findings = list(folder_findings(settings))
    if settings.is_on_server:
        database_findings += server_findings(settings, now)
    else:
        database_findings += file_findings(settings)
    yield from database_findings
    yield picture_finding(settings, is_trouble_told=any(finding.advice for finding in database_findings))
    yield backup_finding(settings, now)
    yield disk_finding(settings)
    yield slow_pages_finding(settings, now)
    if settings.metrics_token:
        yield metrics_finding()
    for warning in settings_warnings(settings):
        yield Finding("对外开放前还有一项没有设", warning)


def folder_findings(settings: Settings) -> Iterator[Finding]:
    """The data folder, where it is none or something of ours in it cannot be read and written."""
    data_folder = settings.data
    if data_folder.exists() and not data_folder.is_dir():
        yield Finding(f"数据文件夹{data_folder}不是文件夹", "看看TANGXU_DATA写对没有。", is_grave=True)
    needed_paths = [data_folder, *(data_folder / name_in_folder for name_in_folder in NAMES_IN_DATA_FOLDER)]
    if not settings.is_on_server:
        needed_paths += database_paths(settings.database_path)
    unusable_path = barred_path(needed_paths)
    if unusable_path:
        yield Finding(f"数据文件夹{data_folder}", barred_sentence(unusable_path), is_grave=True)


def file_findings(settings: Settings) -> Iterator[Finding]:
    """The SQLite file: there, ours, of this version, sound."""
    database_file = settings.database_path
    try:
        database_revision = file_revision(database_file)
        if database_revision is None:
            yield absence_finding(settings)
            return
        with closing(soundness.connect_to_used_file(database_file)) as connection:
            soundness.expect_sound(database_file, connection)
    except (RecordsError, sqlite3.Error) as error:
        yield Finding(f"数据库{database_file}", str(error), is_grave=True)
        return
    size_in_megabytes = database_file.stat().st_size / MEGABYTE
    yield Finding(f"数据库{database_file}完好，{size_in_megabytes:.0f} MB")
    yield version_finding(database_revision)


def absence_finding(settings: Settings) -> Finding:
    """There is no database yet; grave where one should be: at a place that was set, or beside backups."""
    finding_words = f"还没有数据库{settings.database_path}"
    is_place_set = bool(settings.model_fields_set & {"data", "database_url"})
    if is_place_set or any((settings.data / "backups").glob("*.db")):
        return Finding(finding_words, ABSENCE_ADVICE, is_grave=True)
    return Finding(finding_words, f"第一次{START_COMMAND}会建好它。")


def picture_finding(settings: Settings, *, is_trouble_told: bool) -> Finding:
    """The files of pictures: how many, and whether each that somebody has sent lies there.

    `is_trouble_told`: whether the lines above say already why a database cannot be opened.
    """
    picture_folder = picture_files.picture_folder_in(settings.data)
    byte_count_by_picture_name = picture_files.load_byte_count_by_picture_name(picture_folder)
    size_in_megabytes = sum(byte_count_by_picture_name.values()) / MEGABYTE
    try:
        missing_picture_names = records.read(settings, pictures.all_picture_names)
        missing_picture_names -= byte_count_by_picture_name.keys()
    except (RecordsError, SQLAlchemyError) as error:
        if not is_trouble_told:
            return Finding("数据库打不开，图没有对过", str(error), is_grave=True)
        missing_picture_names = set()
    if missing_picture_names:
        advice = f"把备份旁边的pictures文件夹抄回{picture_folder}，已有的不用覆盖。"
        return Finding(f"少了{len(missing_picture_names)}张图：老师传过，文件不在了", advice, is_grave=True)
    return Finding(f"老师传的图{len(byte_count_by_picture_name)}张，{size_in_megabytes:.0f} MB")


def version_finding(database_revision: str) -> Finding:
    """Whether the tables are those of this program."""
    if database_revision == revision.HEAD:
        return Finding(f"数据库的版本是{database_revision}，和程序的一样")
    if database_revision > revision.HEAD:
        return Finding(
            f"数据库的版本是{database_revision}，比程序的{revision.HEAD}新", "用更新的程序。", is_grave=True
        )
    return Finding(
        f"数据库的版本是{database_revision}，程序的是{revision.HEAD}", "下次启动时自动升级；先备份。"
    )


def server_findings(settings: Settings, now: datetime) -> Iterator[Finding]:
    """PostgreSQL: there, ours, of this version, set up as the guide says."""
    server_url = settings.database_url
    try:
        with needing_driver():
            from app.records.db.postgres.server_revision import server_state_of
        server_state = server_state_of(server_url)
    except RecordsError as error:
        yield Finding(f"数据库{shown_address(server_url)}", str(error), is_grave=True)
        return
    yield Finding(
        f"数据库{shown_address(server_url)}，PostgreSQL {server_state.version}，{server_state.megabytes} MB"
    )
    if server_state.revision is None:
        yield Finding("库里还什么也没有", ABSENCE_ADVICE, is_grave=True)
    else:
        yield version_finding(server_state.revision)
    if not server_state.is_durable:
        yield Finding("服务器没有开fsync", "断电会丢记录：在postgresql.conf里设fsync = on。", is_grave=True)
    if not server_state.sorts_as_files:
        advice = "名单的顺序会和SQLite的不一样；要一样，就用C.UTF-8重新建库再搬过去。"
        yield Finding(f"库的排序规则是{server_state.collation}", advice)
    yield from writing_findings(server_state, settings, now)
    if settings.replica_url:
        yield replica_finding(settings.replica_url)


def writing_findings(server_state: "ServerState", settings: Settings, now: datetime) -> Iterator[Finding]:
    """Why no answer can be stored although the server is there; and two clocks that differ."""
    from app.records.db.postgres.database import CONNECTIONS

    if not server_state.is_writable:
        advice = "一个回答也存不下：它是备用机，还是有人设了default_transaction_read_only？"
        yield Finding("库是只读的", advice, is_grave=True)
    if server_state.lacks_standby:
        advice = "谁也存不下：让备用机跟上，或者改synchronous_standby_names，见docs/operating.md。"
        yield Finding("每次提交都等一台同步的备用机，而它不在", advice, is_grave=True)
    needed_connection_count = settings.workers * CONNECTIONS
    if needed_connection_count > server_state.most_connections:
        advice = "少开几个进程，或者把max_connections设大。"
        most_connections = server_state.most_connections
        finding_words = (
            f"{settings.workers}个进程要{needed_connection_count}个连接，服务器一共给{most_connections}个"
        )
        yield Finding(finding_words, advice)
    clock_gap_seconds = abs(server_state.clock - now.timestamp())
    if clock_gap_seconds > MOST_SECONDS_BETWEEN_CLOCKS:
        advice = "各台机器都要对时（chrony或systemd-timesyncd）：截止时间和限次按各自的钟算。"
        yield Finding(f"这台机器的钟和数据库的差{clock_gap_seconds:.0f}秒", advice)


def replica_finding(replica_url: str) -> Finding:
    """The server that follows: whether it does, and how far behind it is."""
    from app.records.db.postgres.replica import replica_state

    try:
        state_of_replica = replica_state(replica_url)
    except RecordsError as error:
        return Finding(f"备用库{shown_address(replica_url)}", f"{error}这时都问主库。")
    if not state_of_replica.is_following or state_of_replica.seconds_late is None:
        advice = "这时都问主库；看它的primary_conninfo和日志。"
        return Finding(f"备用库{shown_address(replica_url)}没有跟着主库", advice)
    return Finding(f"备用库{shown_address(replica_url)}跟着主库，晚{state_of_replica.seconds_late:.1f}秒")


def backup_finding(settings: Settings, now: datetime) -> Finding:
    """The newest copy in the folder of backups: how old, and whether it is sound."""
    backup_folder = settings.data / "backups"
    backup_pattern, backup_command = "*.db", f"{COMMAND} backup"
    if settings.is_on_server:
        backup_pattern, backup_command = "*.dump", f"pg_dump -Fc 库名 > {backup_folder}/日期.dump"
    newest_backup = max(backup_folder.glob(backup_pattern), key=modified_seconds, default=None)
    if newest_backup is None:
        return Finding(f"{backup_folder}里还没有备份", f"{backup_command}，再把它抄到别的磁盘上。")
    try:
        check_words = backup_check_words(newest_backup)
    except RecordsError as error:
        return Finding(f"最近的备份{newest_backup}", f"{error}再做一次：{backup_command}。", is_grave=True)
    backup_age = timedelta(seconds=now.timestamp() - modified_seconds(newest_backup))
    backup_age_in_days = backup_age / timedelta(days=1)
    if backup_age < -timedelta(days=1):
        advice = f"这台机器的钟不对，或者那时不对：先对时，再{backup_command}。"
        return Finding(f"最近的备份是{-backup_age_in_days:.0f}天以后的", advice)
    if backup_age > WEEK:
        return Finding(f"最近的备份是{backup_age_in_days:.0f}天以前的", f"{backup_command}；最好每天自动做。")
    return Finding(f"最近的备份{newest_backup.name}{check_words}，{backup_age_in_days:.1f}天以前")


def modified_seconds(data_file: Path) -> float:
    """When a file was written last, in seconds since 1970."""
    return data_file.stat().st_mtime


def backup_check_words(backup_file: Path) -> str:
    """How far a backup was checked, in a word; `CannotOpen` for one that is none.

    Of a server's only its own tools can say more than that it is one; a large file was checked when it was
    made.
    """
    if backup_file.suffix == ".dump":
        with backup_file.open("rb") as opened_backup:
            if opened_backup.read(len(PG_DUMP_MAGIC)) != PG_DUMP_MAGIC:
                raise CannotOpen("它不是pg_dump -Fc写的。")
        return "是pg_dump写的"
    if backup_file.stat().st_size > soundness.MOST_BYTES_CHECKED_AT_START:
        return "做的时候检查过"
    soundness.inspect_backup(backup_file)
    return "完好"


def disk_finding(settings: Settings) -> Finding:
    """Room for a backup of the file and some more."""
    existing_folder = settings.data
    while not existing_folder.exists():
        existing_folder = existing_folder.parent
    free_bytes = shutil.disk_usage(existing_folder).free
    needed_bytes = FREE_BYTES_NEEDED
    if not settings.is_on_server and settings.database_path.exists():
        needed_bytes += settings.database_path.stat().st_size
    if not has_room_for_files(existing_folder):
        advice = "能放的文件个数快到上限了（df -i），还有空间也没用：删掉一批用不着的小文件。"
        return Finding("数据文件夹所在的磁盘放不下新的文件", advice, is_grave=True)
    finding_words = f"数据文件夹所在的磁盘还有{free_bytes // MEGABYTE} MB"
    if free_bytes < needed_bytes:
        advice = f"至少留{needed_bytes // MEGABYTE} MB：放得下一份备份和一次升级。"
        return Finding(finding_words, advice, is_grave=free_bytes < GRAVELY_FEW_BYTES)
    return Finding(finding_words)


def has_room_for_files(folder: Path) -> bool:
    """Whether a disk takes more files; some have a place for so many, of whatever size."""
    if os.name != "posix":
        return True
    file_system = os.statvfs(folder)
    return file_system.f_files == 0 or file_system.f_favail >= FEWEST_FREE_FILES


def slow_pages_finding(settings: Settings, now: datetime) -> Finding:
    """What people waited for in the last days, by what the site wrote down."""
    slow_routes = slow_pages.slow_routes(settings.data, now - WEEK)
    if not slow_routes:
        return Finding(f"{WEEK.days}天里没有一页让人等{slow_pages.SLOW_SECONDS:.0f}秒以上")
    worst_route_texts = [
        f"{slow_route.route} {slow_route.request_count}次，最久{slow_route.longest_seconds:.1f}秒"
        for slow_route in slow_routes[:MOST_NAMED_SLOW_ROUTES]
    ]
    slow_request_count = sum(slow_route.request_count for slow_route in slow_routes)
    finding_words = f"{WEEK.days}天里有{slow_request_count}次让人等了{slow_pages.SLOW_SECONDS:.0f}秒以上"
    advice = "看看那时机器在忙什么；总是同一页，就多开几个进程（serve --workers），或者见docs/operating.md。"
    return Finding(f"{finding_words}：{'；'.join(worst_route_texts)}", advice)


def metrics_finding() -> Finding:
    """Whether what the setting asks for is installed."""
    try:
        Metrics()
    except SettingsError as error:
        return Finding("网站启动不了", f"{error}", is_grave=True)
    return Finding("/metrics开着")


def first_advice_sentence(all_findings: Sequence[Finding]) -> str:
    """The one thing to do first.

    >>> full, broken = Finding("还有300 MB", "腾出空间。"), Finding("坏了", "用备份恢复。", is_grave=True)
    >>> first_advice_sentence([full, broken])
    '先办这一件：用备份恢复。'
    >>> first_advice_sentence([Finding("磁盘还有9000 MB")])
    '都好，什么也不用做。'
    """
    findings_with_advice = [finding for finding in all_findings if finding.advice]
    if not findings_with_advice:
        return "都好，什么也不用做。"
    findings_gravest_first = sorted(findings_with_advice, key=lambda finding: not finding.is_grave)
    return f"先办这一件：{findings_gravest_first[0].advice}"
