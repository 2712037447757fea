"""`abhidhan settings`: show the value and the source of each setting."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from abhidhan.records.settings import Settings


def register(program: typer.Typer) -> None:
    """Add the command."""
    program.command("settings")(show_settings)


def show_settings(
    *,
    changed: Annotated[bool, typer.Option("--changed", help="Show only the settings that are set.")] = False,
) -> None:
    """Show all settings, and where each value comes from. Passwords are hidden.

    A value comes from the environment, else from the settings file, else it is the default.
    """
    # Not `load_command_settings`, since root may view the settings of another account.
    from abhidhan.records.settings import VARIABLE_PREFIX, Settings, SettingSource, find_settings_file
    from abhidhan.records.settings_reading import list_removed_settings, load_settings

    settings = load_settings()
    file = find_settings_file()
    typer.echo(f"Settings file: {file}{'' if file.is_file() else ' (there is none)'}")
    width = len(VARIABLE_PREFIX) + max(map(len, Settings.model_fields))
    for name in Settings.model_fields:
        source = settings.get_source(name)
        if source is not SettingSource.DEFAULT or not changed:
            variable, value = VARIABLE_PREFIX + name.upper(), _format_value(settings, name)
            typer.echo(f"{variable:{width}}  {source:{len(SettingSource.FILE)}}  {value}".rstrip())
    for removed in list_removed_settings():
        typer.echo(removed, err=True)


def _format_value(settings: "Settings", name: str) -> str:
    """Format a value as in an environment variable, without its password."""
    from abhidhan.records.setting_values import hide_password

    value = getattr(settings, name)
    if isinstance(value, bool):
        return str(int(value))
    text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return hide_password(text)
