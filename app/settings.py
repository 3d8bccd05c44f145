"""Every setting in one table: its name, its default, what it is for.

A setting is read from the environment, with the prefix `TANGXU_`. All have a default: nothing has to be set.
"""

import difflib
import os
import re
from collections.abc import Iterable
from ipaddress import ip_network
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.records.db.postgres import ADDRESS_FORM, fault_in_address, is_postgres

ENV_PREFIX = "TANGXU_"
SQLITE_SCHEME = "sqlite:///"
FULL_WIDTH_SIGNS = set("：／＠")
"""What a Chinese keyboard types in an address for `:/@`."""
MOST_WORKERS = 64


class SettingsError(Exception):
    """One or more settings are wrong; the message says which, one line each."""


def root() -> Path:
    """Where `templates`, `static`, `content` lie: in the installed package, or beside it in a checkout."""
    package_folder = Path(__file__).resolve().parent
    if (package_folder / "templates").is_dir():
        return package_folder
    return package_folder.parent


class Settings(BaseSettings):
    """What can be set. `Settings(data=…)` in code wins over the environment.

    >>> Settings(data=Path("/srv/tangxu")).database_url
    'sqlite:////srv/tangxu/tangxu.db'
    """

    model_config = SettingsConfigDict(
        env_prefix=ENV_PREFIX, frozen=True, extra="forbid", env_ignore_empty=True
    )

    data: Path = Field(default=Path("data"), description="数据文件夹：数据库、备份、渲染缓存都在里面")
    database_url: str = Field(
        default="",
        description=(
            "数据库地址：sqlite:///文件 或 postgresql://用户:密码@主机/库名；不设就是数据文件夹里的 tangxu.db"
        ),
        validate_default=True,
        repr=False,  # it may hold a password
    )
    content: Path = Field(default_factory=lambda: root() / "content", description="课程内容文件夹")
    public_name: str | None = Field(
        default=None,
        description="网站对外的主机名，例如 tangxu.example.cn；设了以后，用别的主机名来的请求一律拒绝",
    )
    https: bool = Field(
        default=False, description="网站是否经由 https 访问：决定 Cookie 的 Secure 标志和 HSTS"
    )
    trusted_proxies: str = Field(
        default="",
        description=(
            "反向代理的地址，几个用逗号隔开，例如 127.0.0.1；"
            "只有它们说的来访地址（X-Forwarded-For）才算数，不设就谁说的都不信"
        ),
    )
    time_zone: str = Field(
        default="Asia/Shanghai",
        description="页面上的时间按哪个时区显示，截止时间按哪个时区填写；学习者的一天不看它：各人在闪卡设置里选，不选就是北京",
    )
    check_at_start: bool = Field(
        default=True,
        description="启动时逐页检查数据库是否完好；不超过200 MB的才查（约两秒），更大的在备份时查",
    )
    metrics_token: str = Field(
        default="",
        description=(
            "设了就在 /metrics 给 Prometheus 数字，来看的要带上它（Authorization: Bearer …）；"
            "要先装 requirements-metrics.lock"
        ),
        repr=False,
    )
    json_logs: bool = Field(
        default=False,
        description="日志一行一个 JSON，每个请求一行，带编号（X-Request-ID），不含任何个人信息",
    )
    workers: int = Field(
        default=1,
        ge=1,
        le=MOST_WORKERS,
        description="几个进程一起服务（serve --workers 会设它）；比处理器的核多没有用，几个上限由它们平分",
    )
    replica_url: str = Field(
        default="",
        description=(
            "跟着主库走的备用库（PostgreSQL流复制），地址写法同上：老师看全班的几页由它来答，可能晚几秒；不设就都问主库"
        ),
        repr=False,  # it may hold a password
    )
    reload: bool = Field(
        default=False, description="开发时用：课程内容和模板改了就重读（serve --reload 会打开它）"
    )

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_names(cls, given_settings: object) -> object:
        complaint_lines = unknown_name_complaints(os.environ.keys())
        if complaint_lines:
            raise ValueError("\n".join(complaint_lines))
        return given_settings

    @field_validator("database_url")
    @classmethod
    def _complete_database_url(cls, database_url: str, info: ValidationInfo) -> str:
        if not database_url.startswith(SQLITE_SCHEME) and FULL_WIDTH_SIGNS.intersection(database_url):
            raise ValueError("有全角的符号（：／＠），换成半角的（:/@）")
        if is_postgres(database_url):
            return checked_server_url(database_url)
        database_url = (
            database_url or f"{SQLITE_SCHEME}{info.data.get('data', Path('data')).as_posix()}/tangxu.db"
        )
        scheme = database_url.partition(":")[0]
        if not database_url.startswith(SQLITE_SCHEME):
            raise ValueError(f"应写成 sqlite:///文件路径 或 {ADDRESS_FORM}，不是 {scheme}:")
        if sqlite_path(database_url).name in {"", ":memory:"} or "?" in database_url:
            raise ValueError("要写出一个文件，例如 sqlite:///data/tangxu.db（不能只放在内存里）")
        return database_url

    @field_validator("replica_url")
    @classmethod
    def _checked_replica_url(cls, url: str, info: ValidationInfo) -> str:
        if not url:
            return url
        if not is_postgres(url):
            raise ValueError(f"应写成 {ADDRESS_FORM}")
        if not is_postgres(info.data.get("database_url", "")):
            raise ValueError("TANGXU_DATABASE_URL 要是它的主库；SQLite 文件没有备用库")
        return checked_server_url(url)

    @field_validator("public_name")
    @classmethod
    def _checked_public_name(cls, public_name: str | None) -> str | None:
        if public_name is not None and not public_name.replace("-", "").replace(".", "").isalnum():
            raise ValueError(f"只写主机名，例如 tangxu.example.cn，不带 http:// 和端口；现在是 {public_name}")
        return public_name.lower() if public_name else None

    @field_validator("trusted_proxies")
    @classmethod
    def _checked_proxies(cls, proxies_text: str) -> str:
        addresses = [
            proxy_address.strip()
            for proxy_address in proxies_text.replace("，", ",").split(",")
            if proxy_address.strip()
        ]
        for proxy_address in addresses:
            try:
                ip_network(proxy_address)
            except ValueError as error:
                raise ValueError(
                    f"要写IP地址或网段，例如 127.0.0.1 或 10.0.0.0/8，不是 {proxy_address}"
                ) from error
        return ",".join(addresses)

    @field_validator("metrics_token")
    @classmethod
    def _checked_metrics_token(cls, token: str) -> str:
        if token and not re.fullmatch(r"[!-~]{16,200}", token):
            raise ValueError("要写16到200个字母、数字或符号，不带空格，例如 openssl rand -hex 16 给的那样")
        return token

    @field_validator("time_zone")
    @classmethod
    def _checked_time_zone(cls, zone_name: str) -> str:
        try:
            ZoneInfo(zone_name)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ValueError(f"没有叫 {zone_name} 的时区，应像 Asia/Shanghai 这样写") from error
        return zone_name

    @property
    def observes_requests(self) -> bool:
        """Whether somebody wants to know of every request how it ended."""
        return bool(self.metrics_token) or self.json_logs

    @property
    def is_on_server(self) -> bool:
        """Whether the database is PostgreSQL's: then it lies in no file of ours."""
        return is_postgres(self.database_url)

    @property
    def database_path(self) -> Path:
        """The file of the database. TypeError where there is none."""
        if self.is_on_server:
            raise TypeError("a database on a server has no file")
        return sqlite_path(self.database_url)

    def make_folders(self) -> None:
        """Create the folders for data and database; `OSError` where that is not allowed."""
        self.data.mkdir(parents=True, exist_ok=True)
        if not self.is_on_server:
            self.database_path.parent.mkdir(parents=True, exist_ok=True)


def load() -> Settings:
    """The settings of this process; a wrong one raises `SettingsError` that people can read."""
    try:
        return Settings()
    except ValidationError as error:
        raise SettingsError("\n".join(map(_fault_line, error.errors()))) from error


def settings_rows(settings: Settings) -> list[tuple[str, str, str]]:
    """Name, value in force and help of every setting, in the order of the class.

    >>> settings_rows(Settings(https=False))[4]
    ('TANGXU_HTTPS', 'false', '网站是否经由 https 访问：决定 Cookie 的 Secure 标志和 HSTS')
    """
    setting_rows = []
    for setting_name, field_info in Settings.model_fields.items():
        shown_value = _shown_value(getattr(settings, setting_name), is_secret=not field_info.repr)
        setting_rows.append((env_name(setting_name), shown_value, field_info.description or ""))
    return setting_rows


def env_name(field_name: str) -> str:
    """The environment variable of a field.

    >>> env_name("time_zone")
    'TANGXU_TIME_ZONE'
    """
    return ENV_PREFIX + field_name.upper()


def unknown_name_complaints(variable_names: Iterable[str]) -> list[str]:
    """A complaint for each `TANGXU_…` that no setting has, with the nearest one that exists.

    >>> unknown_name_complaints(["TANGXU_DATABASE", "PATH"])
    ['没有 TANGXU_DATABASE 这个设置，是不是想写 TANGXU_DATABASE_URL？']
    """
    known_names = [env_name(field_name) for field_name in Settings.model_fields]
    complaints: list[str] = []
    for variable_name in sorted(variable_names):
        upper_case_name = variable_name.upper()
        if upper_case_name.startswith(ENV_PREFIX) and upper_case_name not in known_names:
            complaints.append(
                f"没有 {variable_name} 这个设置，{_nearest_name_words(upper_case_name, known_names)}"
            )
    return complaints


def checked_server_url(database_url: str) -> str:
    """The address of a server as it is. ValueError, without its password, for one that cannot be read."""
    fault_words = fault_in_address(database_url)
    if fault_words:
        raise ValueError(fault_words)
    return database_url


def sqlite_path(database_url: str) -> Path:
    """The file that a `sqlite:///` address names.

    >>> sqlite_path("sqlite:///data/tangxu.db").as_posix()
    'data/tangxu.db'
    """
    return Path(database_url.removeprefix(SQLITE_SCHEME))


def without_password(setting_text: str) -> str:
    """An address for people; any other value as it is.

    >>> without_password("postgresql://me:p@ss@db/tangxu?password=secret&sslmode=require")
    'postgresql://me:***@db/tangxu?password=***&sslmode=require'
    >>> without_password("postgresql://me:p/s:s@db/tangxu")
    'postgresql://me:***@db/tangxu'
    >>> without_password("sqlite:///data/a:b@c.db")
    'sqlite:///data/a:b@c.db'
    """
    if not is_postgres(setting_text):
        return setting_text
    half_masked_text = re.sub(r"\A([\w+]+://[^:/?@]*):.*@", r"\1:***@", setting_text)
    return re.sub(r"(?i)(password=)[^&]*", r"\1***", half_masked_text)


def _nearest_name_words(unknown_name: str, setting_names: list[str]) -> str:
    near_names = difflib.get_close_matches(unknown_name, setting_names, n=1, cutoff=0.5)
    if near_names:
        return f"是不是想写 {near_names[0]}？"
    return f"可用的有：{'、'.join(setting_names)}"


def _fault_line(error_details: ErrorDetails) -> str:
    problem_words = str(error_details["msg"]).removeprefix("Value error, ")
    if not error_details["loc"]:
        return problem_words
    if error_details["type"].startswith("bool"):
        problem_words = f"应写 true 或 false，现在是 {error_details['input']}"
    elif error_details["type"].startswith(("int", "greater", "less")):
        number_words = _whole_number_words(str(error_details["loc"][0]))
        problem_words = f"应写{number_words}，现在是 {error_details['input']}"
    return f"{env_name(str(error_details['loc'][0]))}：{problem_words}"


def _whole_number_words(setting_name: str) -> str:
    """Which whole numbers a setting takes, as its field says."""
    lowest_number = highest_number = None
    for number_limit in Settings.model_fields[setting_name].metadata:
        lowest_number = getattr(number_limit, "ge", lowest_number)
        highest_number = getattr(number_limit, "le", highest_number)
    if lowest_number is None:
        return "整数"
    if highest_number is None:
        return f"不小于 {lowest_number} 的整数"
    return f" {lowest_number} 到 {highest_number} 之间的整数"


def _shown_value(setting_value: object, is_secret: bool) -> str:
    setting_text = _value_text(setting_value)
    if is_secret and setting_text and not setting_text.startswith(SQLITE_SCHEME):
        return "***"
    return without_password(setting_text)


def _value_text(setting_value: object) -> str:
    if setting_value is None:
        return ""
    if isinstance(setting_value, bool):
        return str(setting_value).lower()
    return str(setting_value)
