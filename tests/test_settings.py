"""Settings: defaults that work, clear words for wrong ones, no silent misspelling."""

import os
from pathlib import Path

import pytest
from pydantic import Field

from app import settings
from app.settings import Settings, SettingsError


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.upper().startswith(settings.ENV_PREFIX)]:
        monkeypatch.delenv(name)


def complaint(monkeypatch: pytest.MonkeyPatch, **environment: str) -> str:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as raised:
        settings.load()
    return str(raised.value)


def test_nothing_has_to_be_set() -> None:
    current = settings.load()
    assert current.database_url == "sqlite:///data/tangxu.db"
    assert current.database_path == Path("data/tangxu.db")
    assert current.time_zone == "Asia/Shanghai"
    assert current.public_name is None
    assert not current.https
    assert current.trusted_proxies == ""
    assert not current.reload


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TANGXU_DATA", str(tmp_path / "records"))
    monkeypatch.setenv("TANGXU_HTTPS", "true")
    monkeypatch.setenv("TANGXU_PUBLIC_NAME", "Tangxu.Example.CN")
    current = settings.load()
    assert current.database_path == tmp_path / "records" / "tangxu.db"
    assert current.https
    assert current.public_name == "tangxu.example.cn"


def test_several_proxies_are_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TANGXU_TRUSTED_PROXIES", " 127.0.0.1, 10.0.0.0/8 ，::1,")
    assert settings.load().trusted_proxies == "127.0.0.1,10.0.0.0/8,::1"


def test_an_empty_variable_is_no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TANGXU_TIME_ZONE", "")
    assert settings.load().time_zone == "Asia/Shanghai"


def test_folders_are_made(tmp_path: Path) -> None:
    current = Settings(data=tmp_path / "a" / "b", database_url=f"sqlite:///{tmp_path}/c/x.db")
    current.make_folders()
    assert (tmp_path / "a" / "b").is_dir()
    assert (tmp_path / "c").is_dir()


def test_a_misspelt_name_is_an_error_that_names_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    assert complaint(monkeypatch, TANGXU_DATABASE_UR="x") == (
        "没有 TANGXU_DATABASE_UR 这个设置，是不是想写 TANGXU_DATABASE_URL？"
    )


def test_a_strange_name_is_told_all_that_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "可用的有：TANGXU_DATA、" in complaint(monkeypatch, TANGXU_QQQQQQQQQQQQQQ="x")


def test_a_misspelt_name_stops_settings_made_in_code_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TANGXU_HTPS", "1")
    with pytest.raises(ValueError, match="TANGXU_HTTPS"):
        Settings(data=Path("data"))


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("TANGXU_DATABASE_URL", "mysql://me:secret@db/tangxu", "不是 mysql:"),
        ("TANGXU_DATABASE_URL", "postgresql://me:secret@db", "要写出库名"),
        ("TANGXU_DATABASE_URL", "postgresql://me:secret@db/?sslmode=require", "要写出库名"),
        ("TANGXU_REPLICA_URL", "sqlite:///copy.db", "应写成 postgresql://"),
        ("TANGXU_REPLICA_URL", "postgresql://me:secret@standby/tangxu", "没有备用库"),
        ("TANGXU_DATABASE_URL", "postgresql：//me：secret@db/tangxu", "有全角的符号"),
        ("TANGXU_DATABASE_URL", "postgresql://me：secret@db/tangxu", "有全角的符号"),
        ("TANGXU_DATABASE_URL", "sqlite://", "应写成 sqlite:///文件路径"),
        ("TANGXU_DATABASE_URL", "sqlite:///:memory:", "要写出一个文件"),
        ("TANGXU_DATABASE_URL", "sqlite:///x.db?mode=ro", "要写出一个文件"),
        ("TANGXU_WORKERS", "0", "应写 1 到 64 之间的整数，现在是 0"),
        ("TANGXU_WORKERS", "many", "应写 1 到 64 之间的整数，现在是 many"),
        ("TANGXU_HTTPS", "ja", "应写 true 或 false，现在是 ja"),
        ("TANGXU_TIME_ZONE", "Mars/Base", "没有叫 Mars/Base 的时区"),
        ("TANGXU_TIME_ZONE", "../etc", "没有叫 ../etc 的时区"),
        ("TANGXU_PUBLIC_NAME", "https://tangxu.example.cn", "只写主机名"),
        ("TANGXU_PUBLIC_NAME", "tangxu.example.cn:80", "只写主机名"),
        ("TANGXU_TRUSTED_PROXIES", "127.0.0.1,localhost", "要写IP地址或网段"),
        ("TANGXU_TRUSTED_PROXIES", "*", "不是 *"),
    ],
)
def test_a_wrong_value_is_said_in_words(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str
) -> None:
    message = complaint(monkeypatch, **{name: value})
    assert message.startswith(f"{name}：")
    assert words in message
    assert "secret" not in message


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("TANGXU_KEPT_BACKUPS", "31", "应写 0 到 30 之间的整数，现在是 31"),
        ("TANGXU_KEPT_BACKUPS", "few", "应写 0 到 30 之间的整数，现在是 few"),
        ("TANGXU_LINES", "0", "应写不小于 1 的整数，现在是 0"),
        ("TANGXU_OFFSET", "1.5", "应写整数，现在是 1.5"),
    ],
)
def test_a_whole_number_is_told_its_own_range(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str
) -> None:
    class FurtherSettings(Settings):
        kept_backups: int = Field(default=7, ge=0, le=30)
        lines: int = Field(default=50, ge=1)
        offset: int = 0

    monkeypatch.setattr(settings, "Settings", FurtherSettings)
    assert complaint(monkeypatch, **{name: value}) == f"{name}：{words}"


def test_all_faults_are_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    message = complaint(monkeypatch, TANGXU_HTTPS="ja", TANGXU_TIME_ZONE="Mars")
    assert len(message.splitlines()) == 2


def test_every_setting_explains_itself() -> None:
    rows = settings.settings_rows(Settings())
    assert [name for name, _, _ in rows] == [settings.env_name(field) for field in Settings.model_fields]
    assert all(text for _, _, text in rows)


def test_only_an_address_with_a_password_is_hidden(tmp_path: Path) -> None:
    """A file has none: whoever looks where the records are finds it, also where nothing was set."""
    rows = {name: value for name, value, _ in settings.settings_rows(Settings(data=tmp_path))}
    assert rows["TANGXU_DATABASE_URL"] == f"sqlite:///{tmp_path / 'tangxu.db'}"
    server = Settings(database_url="postgresql://me:secret@db/tangxu", metrics_token="of-the-meter" * 3)
    shown_values = [value for _, value, _ in settings.settings_rows(server)]
    assert shown_values.count("***") == 2
    assert "secret" not in "".join(shown_values)


def test_the_root_is_the_package_when_it_brings_templates(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    module = tmp_path / "app" / "settings.py"
    module.parent.mkdir()
    monkeypatch.setattr(settings, "__file__", str(module))
    assert settings.root() == tmp_path.resolve()
    (tmp_path / "app" / "templates").mkdir()
    assert settings.root() == (tmp_path / "app").resolve()
