"""Loading of the settings, with error messages that name each setting as the operator wrote it."""

import os
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, get_args

from pydantic import ValidationError

from abhidhan.records.errors import SettingError, quoted
from abhidhan.records.setting_values import format_choices, hide_password
from abhidhan.records.settings import (
    REMOVED_SETTINGS,
    VALID_VARIABLES,
    VARIABLE_PREFIX,
    Settings,
    SettingSource,
    find_settings_file,
    format_setting_name,
)

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo
    from pydantic_core import ErrorDetails

SECRET_SETTINGS = {"database", "database_direct", "smtp"}
"""Settings that contain passwords; no error message shows any part of their values."""

QUOTATION_MARKS = "\"'"

UNIT_SUFFIXES = {"_seconds": " of seconds", "_hours": " of hours", "_days": " of days", "_mb": " of megabytes"}
"""The words for units in messages, by the suffix of the setting's name."""


def load_settings(**overrides: object) -> Settings:
    """Load the settings; `overrides` (options of a command) take precedence. Raises SettingError."""
    options = {name: value for name, value in overrides.items() if value is not None}
    file_values = _load_settings_file()
    sources = _find_sources(options, file_values)
    problems = [*_check_variables(), *_check_file_lines(file_values)]
    try:
        settings = Settings(**options)  # type: ignore[arg-type]
    except ValidationError as error:
        problems += _describe_problems(error, sources)
    else:
        settings.set_sources(sources)
        problems += _find_contradictions(settings)
    if problems:
        raise SettingError("\n".join(problems))
    return settings


def list_removed_settings() -> list[str]:
    """Return a warning for each removed setting that the operator still sets."""
    file_values = _load_settings_file()
    names = [name for name in REMOVED_SETTINGS if name in file_values or os.environ.get(VARIABLE_PREFIX + name.upper())]
    return [f"{VARIABLE_PREFIX}{name.upper()} no longer has any effect. {REMOVED_SETTINGS[name]}" for name in names]


def _load_settings_file() -> Mapping[str, Any]:
    """Load the settings file. Raises SettingError, also if ABHIDHAN_CONFIG names a missing file."""
    file = find_settings_file()
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        if not os.environ.get("ABHIDHAN_CONFIG"):
            return {}
        raise SettingError(
            f"ABHIDHAN_CONFIG is {file}, but there is no such file: create it, or correct or remove the variable."
        ) from None
    except OSError as error:
        named = "ABHIDHAN_CONFIG is" if os.environ.get("ABHIDHAN_CONFIG") else "The settings file is"
        raise SettingError(f"{named} {file}, which cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise SettingError(f"The settings file {file} is not encoded in UTF-8: save it in that encoding.") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingError(
            f'The settings file {file} is not valid TOML: {error}. A line is like port = 9000 or host = "0.0.0.0".'
        ) from None


def _find_sources(options: Mapping[str, object], file_values: Mapping[str, object]) -> dict[str, SettingSource]:
    """Return the source of each setting that has one: an option, else the environment, else the file."""
    variables = {name.upper() for name, value in os.environ.items() if value}
    sources = {name.lower(): SettingSource.FILE for name in file_values}
    sources |= {
        name: SettingSource.ENVIRONMENT for name in Settings.model_fields if VARIABLE_PREFIX + name.upper() in variables
    }
    return sources | dict.fromkeys(options, SettingSource.OPTION)


def _check_variables() -> Iterator[str]:
    """Yield a message for each variable that is a misspelled setting or has its value in quotation marks."""
    for name, value in sorted(os.environ.items()):
        if name.startswith(VARIABLE_PREFIX) and name not in VALID_VARIABLES:
            yield f"{name} is not a setting.{_suggest_setting(name.removeprefix(VARIABLE_PREFIX), VARIABLE_PREFIX)}"
        elif name in VALID_VARIABLES and _has_quotation_marks(value):
            yield f"{name} is in quotation marks, which are part of its value: remove them."
        elif _has_misspelled_prefix(name):
            yield f"{name} is not a setting. Did you mean {VARIABLE_PREFIX}{name.partition('_')[2]}?"


def _has_quotation_marks(value: str) -> bool:
    return len(value) > 1 and value[0] == value[-1] and value[0] in QUOTATION_MARKS


def _has_misspelled_prefix(name: str) -> bool:
    """Return whether a variable has the name of a setting after a misspelled prefix."""
    prefix, _, setting = name.partition("_")
    right = VARIABLE_PREFIX.rstrip("_")
    return setting.lower() in Settings.model_fields and prefix != right and bool(get_close_matches(prefix, [right]))


def _check_file_lines(file_values: Mapping[str, object]) -> Iterator[str]:
    """Yield a message for each line of the settings file that is not a setting."""
    for name, value in file_values.items():
        if isinstance(value, dict):
            file = find_settings_file()
            yield f"[{name}] in {file} is a section, but the file must not have sections: remove this line."
        elif name.lower() not in Settings.model_fields and name not in REMOVED_SETTINGS:
            suggestion = _suggest_setting(name.upper().removeprefix(VARIABLE_PREFIX), "")
            yield f"{name} in {find_settings_file()} is not a setting.{suggestion}"


def _suggest_setting(name: str, prefix: str) -> str:
    """Format a suggestion of the setting with the most similar name: with `prefix` as an environment variable."""
    similar_names = get_close_matches(name.lower(), Settings.model_fields, n=1)
    if not similar_names:
        return " `abhidhan settings` lists them all."
    return f" Did you mean {prefix + similar_names[0].upper() if prefix else similar_names[0]}?"


def _describe_problems(error: ValidationError, sources: Mapping[str, SettingSource]) -> Iterator[str]:
    """Yield a message for each setting with an invalid value.

    Unknown names are reported by `_check_file_lines`, and quotation marks by `_check_variables`.
    """
    first_problems = {str(problem["loc"][0]).lower(): problem for problem in reversed(error.errors()) if problem["loc"]}
    for name, field in Settings.model_fields.items():
        source = sources.get(name, SettingSource.DEFAULT)
        quotes = source is SettingSource.ENVIRONMENT and _has_quotation_marks(
            os.environ.get(VARIABLE_PREFIX + name.upper(), "")
        )
        if name in first_problems and not quotes:
            label = format_setting_name(name, source)
            value_text = (
                ""
                if name in SECRET_SETTINGS
                else f" is {quoted(hide_password(_format_input(first_problems[name])))}, but"
            )
            yield f"{label}{value_text} {_describe_rule(name, field, first_problems[name])}."


def _format_input(problem: "ErrorDetails") -> str:
    value = problem["input"]
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _describe_rule(name: str, field: "FieldInfo", problem: "ErrorDetails") -> str:
    """Return the rule for a setting's value as the end of a message: `must be ...`."""
    if problem["type"] == "value_error":
        return str(problem["ctx"]["error"])
    if problem["type"] == "literal_error":
        return f"must be {format_choices(get_args(field.annotation))}"
    if field.annotation is bool:
        return "must be 1 or 0"
    if field.annotation in {int, float}:
        kind = "whole number" if field.annotation is int else "number"
        unit = next((unit for ending, unit in UNIT_SUFFIXES.items() if name.endswith(ending)), "")
        return f"must be a {kind}{unit}{_format_range(field)}"
    return "must be text, in the settings file in quotation marks"


def _format_range(field: "FieldInfo") -> str:
    bounds = {
        kind: getattr(each, kind) for each in field.metadata for kind in ("ge", "gt", "le") if hasattr(each, kind)
    }
    if "gt" in bounds:
        return f" greater than {bounds['gt']:,} and at most {bounds['le']:,}"
    return f" from {bounds['ge']:,} to {bounds['le']:,}"


def _find_contradictions(settings: Settings) -> Iterator[str]:
    """Yield a message for each setting that another setting requires or contradicts."""
    if settings.smtp and not settings.mail_from:
        smtp = settings.get_display_name("smtp")
        yield f"{smtp} is set, so ABHIDHAN_MAIL_FROM must be set too: the sender of e-mails."
    if settings.database_direct and not settings.database.startswith("postgres"):
        direct = settings.get_display_name("database_direct")
        yield (
            f"{direct} is set, but ABHIDHAN_DATABASE is not the URL of a PostgreSQL server or its pooler: set "
            f"ABHIDHAN_DATABASE too, or remove {direct}."
        )
