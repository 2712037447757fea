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
    from abhidhan.records.settings import PREFIX, Settings, SettingSource, settings_file
    from abhidhan.records.settings_reading import read_settings, removed_settings

    settings = read_settings()
    file = settings_file()
    typer.echo(f"Settings file: {file}{'' if file.is_file() else ' (there is none)'}")
    width = len(PREFIX) + max(map(len, Settings.model_fields))
    for name in Settings.model_fields:
        source = settings.source_of(name)
        if source is not SettingSource.DEFAULT or not changed:
            line = (
                f"{PREFIX + name.upper():{width}}  {source:{len(SettingSource.FILE)}}  {_format_value(settings, name)}"
            )
            typer.echo(line.rstrip())
    for removed in removed_settings():
        typer.echo(removed, err=True)


def _format_value(settings: "Settings", name: str) -> str:
    """Format a value as in an environment variable, without its password."""
    from abhidhan.records.setting_values import without_password

    value = getattr(settings, name)
    if isinstance(value, bool):
        return str(int(value))
    text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return without_password(text)
