"""Checks, before the server starts, that the folders, stores, files and languages in the settings exist.

A problem stops the start with a message that names the setting. A store that cannot be reached at the moment only
causes a warning, since the dictionary works without it.
"""

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import structlog

from abhidhan.encyclopedia.service import article_sources
from abhidhan.formats.registry import DOWNLOAD_FORMATS
from abhidhan.platform.database.connections import parse_url, sqlite_file
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.sandbox.object_store import find_store_problem
from abhidhan.records.encyclopedia_articles import LANGUAGE_CODES, ArticleSourceSettings
from abhidhan.records.errors import SettingError, UnavailableError, quoted
from abhidhan.records.setting_values import hide_password
from abhidhan.records.settings import Settings

STORE_SETTINGS: Final = ("photos", "recordings", "downloads")
"""Settings that name a folder or a store."""

_log = structlog.get_logger("abhidhan")


def check_settings(settings: Settings) -> None:
    """Check that the folders, stores and files of the settings exist. Raises SettingError."""
    _check_home(settings)
    for name in STORE_SETTINGS:
        address = getattr(settings, name)
        if "://" in address:
            _check_store(settings.get_display_name(name), address)
        elif address:
            _check_folder(settings.get_display_name(name), Path(address))
    select_download_formats(settings)
    for choice in settings.encyclopedia.sources:
        _check_zim(settings.get_display_name(f"zim_{LANGUAGE_CODES[choice.language_id]}"), choice)


def check_languages(settings: Settings, connection: ReadConnection) -> None:
    """Check that the dictionary has the languages of the settings. Raises SettingError."""
    if problems := list(_find_unknown_languages(settings, connection)):
        raise SettingError("\n".join(problems))


def _find_unknown_languages(settings: Settings, connection: ReadConnection) -> Iterator[str]:
    catalogue = connection.catalogue
    pairs = [code for pair in settings.pack_pairs for code in pair.split("-")]
    codes_by_setting = {
        "page_languages": settings.page_language_codes,
        "downloads_languages": settings.download_language_codes,
        "packs": pairs,
    }
    for name, codes in codes_by_setting.items():
        # The defaults are for the starter dictionary; an empty dictionary has no languages yet.
        unknown = [code for code in dict.fromkeys(codes) if catalogue.find_language(code) is None]
        if unknown and name in settings.model_fields_set:
            existing = ", ".join(sorted(language.code for language in catalogue.languages))
            yield (
                f"{settings.get_display_name(name)} contains {', '.join(map(quoted, unknown))}, but the languages of "
                f"this dictionary are {existing or 'none yet'}."
            )


def select_download_formats(settings: Settings) -> tuple[str, ...]:
    """Return the formats of the files at /downloads, in the order of the page. Raises SettingError."""
    names = settings.download_format_names
    if "all" in names:
        return DOWNLOAD_FORMATS
    if unknown := [name for name in names if name not in DOWNLOAD_FORMATS]:
        raise SettingError(
            f"{settings.get_display_name('downloads_formats')} contains {', '.join(map(quoted, unknown))}, but the "
            f"formats of the files at /downloads are {', '.join(DOWNLOAD_FORMATS)}."
        )
    return tuple(name for name in DOWNLOAD_FORMATS if name in names)


def _check_home(settings: Settings) -> None:
    """Create the data folder, and check the database's folder, which may be elsewhere. Raises SettingError."""
    file = sqlite_file(parse_url(settings.database_url))
    if settings.database and file is not None and not file.parent.is_dir() and not file.parent.parent.is_dir():
        raise SettingError(
            f"{settings.get_display_name('database')} names {file}, but there is no folder {file.parent}: create it, "
            "or correct the setting."
        )
    try:
        settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        _ensure_writable(settings.home)
    except OSError as error:
        raise _unusable_folder_error(settings.get_display_name("home"), settings.home, error) from error


def _check_folder(name: str, folder: Path) -> None:
    """Create a missing folder whose parent exists, and check that the folder is writable. Raises SettingError."""
    if not folder.absolute().parent.exists():
        raise SettingError(
            f"{name} is {folder}, but there is no folder {folder.absolute().parent}: create it, or correct the setting."
        )
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        _ensure_writable(folder)
    except OSError as error:
        raise _unusable_folder_error(name, folder, error) from error


def _ensure_writable(folder: Path) -> None:
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _unusable_folder_error(name: str, folder: Path, error: OSError) -> SettingError:
    if isinstance(error, FileExistsError | NotADirectoryError):
        return SettingError(f"{name} is {folder}, which is not a folder: choose a folder, or move the file away.")
    return SettingError(
        f"{name} is {folder}, but that folder cannot be created or written ({error.strerror}): it must belong to the "
        f"account that runs this program (user ID {os.geteuid()})."
    )


def _check_zim(name: str, choice: ArticleSourceSettings) -> None:
    if choice.zim and not Path(choice.zim).is_file():
        raise SettingError(f"{name} is {choice.zim}, but there is no such file: download it, or correct the setting.")
    try:
        article_sources.check_zim_file(choice)
    except SettingError as error:
        raise SettingError(f"{name}: {error}") from error


def _check_store(name: str, address: str) -> None:
    """Request the first entry of a store. Raises SettingError if it does not exist or rejects the credentials."""
    try:
        problem = find_store_problem(address)
    except UnavailableError as error:
        _log.warning("a store cannot be reached at the moment", setting=name, reason=str(error))
        return
    if problem:
        raise SettingError(f"{name} is {hide_password(address)}, but {problem}.")
