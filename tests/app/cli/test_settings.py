from pathlib import Path

import pytest
from typer.testing import CliRunner

from abhidhan.app.cli import program
from abhidhan.records.settings import Settings

SECRET = "hunter2"  # noqa: S105


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set some settings: in the environment, in the file, and in both."""
    monkeypatch.setenv("ABHIDHAN_HOME", str(tmp_path))
    monkeypatch.setenv("ABHIDHAN_WORKERS", "2")
    monkeypatch.setenv("ABHIDHAN_SMTP", f"smtps://me:{SECRET}@mail.example.org")
    (tmp_path / "abhidhan.toml").write_text(
        'workers = 4\nmail_from = "me@example.org"\noffline = false\ntrusted_proxies = ["10.0.0.0/8", "::1"]\n'
        f'database = "postgresql://me:{SECRET}@db/words?sslpassword={SECRET}"\n'
    )
    return tmp_path


def list_settings(*options: str) -> dict[str, tuple[str, str]]:
    """Return where each setting that the command shows comes from, and its value."""
    result = CliRunner().invoke(program, ["settings", *options])
    assert result.exit_code == 0, result.output
    assert SECRET not in result.output
    lines = [line for line in result.stdout.splitlines() if line.startswith("ABHIDHAN_")]
    names = len("ABHIDHAN_") + max(map(len, Settings.model_fields))
    return {line[:names].strip(): (line[names + 2 :][:13].strip(), line[names + 2 :][15:]) for line in lines}


def test_each_setting_is_shown_with_its_value_and_its_source(home: Path) -> None:
    settings = list_settings()

    assert len(settings) == len(Settings.model_fields)
    assert settings["ABHIDHAN_HOME"] == ("environment", str(home))
    assert settings["ABHIDHAN_WORKERS"] == ("environment", "2")
    assert settings["ABHIDHAN_OFFLINE"] == ("settings file", "0")
    assert settings["ABHIDHAN_TRUSTED_PROXIES"] == ("settings file", "10.0.0.0/8, ::1/128")
    assert settings["ABHIDHAN_PORT"] == ("default", "8080")


def test_passwords_are_hidden_and_defaults_can_be_left_out() -> None:
    settings = list_settings("--changed")

    assert settings["ABHIDHAN_SMTP"] == ("environment", "smtps://me:…@mail.example.org")
    assert settings["ABHIDHAN_DATABASE"] == ("settings file", "postgresql://me:…@db/words?sslpassword=…")
    assert "ABHIDHAN_PORT" not in settings
