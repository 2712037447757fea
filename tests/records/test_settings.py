from pathlib import Path

import pytest

from abhidhan.records.errors import SettingError
from abhidhan.records.settings import REMOVED_SETTINGS, Settings
from abhidhan.records.settings_reading import list_removed_settings, load_settings


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Read settings of a folder of the test's own."""
    monkeypatch.setenv("ABHIDHAN_HOME", str(tmp_path))
    monkeypatch.delenv("ABHIDHAN_CONFIG", raising=False)
    return tmp_path


def test_the_data_folder_is_enough(home: Path) -> None:
    assert load_settings().database_url == f"sqlite:///{home}/dictionary.sqlite3"


def test_the_file_in_the_data_folder_is_read(home: Path) -> None:
    (home / "abhidhan.toml").write_text('port = 9001\ntrusted_proxies = ["10.0.0.0/8"]\n')

    settings = load_settings()

    assert (settings.port, str(settings.trusted_proxies[0])) == (9001, "10.0.0.0/8")


def test_the_environment_overrides_the_file_and_arguments_override_both(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "abhidhan.toml").write_text("port = 9001\nworkers = 2\n")
    monkeypatch.setenv("ABHIDHAN_PORT", "9002")
    monkeypatch.setenv("ABHIDHAN_WORKERS", "3")

    settings = load_settings(workers=4, host=None)

    assert (settings.port, settings.workers, settings.host) == (9002, 4, "127.0.0.1")


WRONG_SETTINGS = (
    ("PORT", "99999"),
    ("PORT", "eighty"),
    ("WORKERS", "0"),
    ("BASE_URL", "example.org"),
    ("RATE_LIMIT", "many"),
    ("LOG_LEVEL", "loud"),
    ("LOG_FORMAT", "xml"),
    ("TRUSTED_PROXIES", "10.0.0.0/99"),
    ("PROT", "8080"),
    ("DOWNLOADS_LANGUAGES", "Assamese"),
    ("DOWNLOADS_LANGUAGES", "as;en"),
    ("DOWNLOADS_LANGUAGES", ",".join(["as"] * 21)),
)


def test_a_wrong_setting_is_rejected_with_its_name(monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests) -> None:
    for name, value in WRONG_SETTINGS:
        with subtests.test(f"{name}={value[:10]}"), monkeypatch.context() as patch:
            patch.setenv(f"ABHIDHAN_{name}", value)

            with pytest.raises(SettingError, match=f"ABHIDHAN_{name}"):
                load_settings()


def test_a_removed_setting_that_is_still_set_is_reported_with_its_replacement(
    home: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    for name, replacement in REMOVED_SETTINGS.items():
        with subtests.test(name), monkeypatch.context() as patch:
            assert list_removed_settings() == []
            (home / "abhidhan.toml").write_text(f"{name} = 3\n")
            (in_file,) = list_removed_settings()
            load_settings()
            (home / "abhidhan.toml").unlink()
            patch.setenv(f"ABHIDHAN_{name.upper()}", "3")
            load_settings()

            assert list_removed_settings() == [in_file]
            assert in_file.startswith(f"ABHIDHAN_{name.upper()} no longer has any effect. ")
            assert in_file.endswith(replacement)


def test_a_misspelled_setting_in_the_file_is_reported_with_a_suggestion(home: Path) -> None:
    (home / "abhidhan.toml").write_text("prot = 9001\n")

    with pytest.raises(SettingError, match=r"^prot in .*abhidhan\.toml is not a setting. Did you mean port\?$"):
        load_settings()


def test_a_broken_settings_file_is_reported_with_its_name(home: Path) -> None:
    (home / "abhidhan.toml").write_text("port = = 9001\n")

    with pytest.raises(SettingError, match=r"abhidhan\.toml"):
        load_settings()


def test_a_blank_variable_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ABHIDHAN_PORT", "")

    assert load_settings().port == 8080


def test_a_password_is_never_shown() -> None:
    settings = Settings(database="postgresql://me:secret@host/words")

    assert "secret" not in settings.database_display_url
    assert settings.site_url == "http://127.0.0.1:8080"


def test_download_languages_are_codes_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    for value, codes in (
        ("", ("as", "en")),
        ("brx, as,brx", ("brx", "as")),
        ("none", ()),
        ("und-Latn", ("und-Latn",)),
    ):
        monkeypatch.setenv("ABHIDHAN_DOWNLOADS_LANGUAGES", value)

        assert load_settings().download_language_codes == codes, value
