"""The help of all commands has one style."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
import typer

from abhidhan.app.cli import program

OF_TYPER: Final = {"install_completion", "show_completion"}


def commands_under(command: Any, name: str) -> Iterator[tuple[str, Any]]:  # noqa: ANN401  # Typer names no type for it
    """Yield a command and all under it, with their names."""
    yield name, command
    for below, each in getattr(command, "commands", {}).items():
        yield from commands_under(each, f"{name} {below}")


COMMANDS: Final = dict(commands_under(typer.main.get_command(program), "abhidhan"))


@pytest.mark.parametrize("name", COMMANDS)
def test_help_begins_with_an_imperative_and_options_have_one_form(name: str) -> None:
    command = COMMANDS[name]
    first = (command.help or "").partition("\n")[0]
    verb = first.split()[0]

    assert verb.isalpha()
    assert verb.istitle()
    assert not verb.endswith("s")
    assert first.endswith(".")
    for option in command.params:
        said = getattr(option, "help", None)
        if said and option.name not in OF_TYPER:
            assert said.endswith("."), option.name
            assert said.startswith("The ") != bool(getattr(option, "is_flag", False)), option.name


@pytest.mark.parametrize("name", [name for name, each in COMMANDS.items() if hasattr(each, "commands")])
def test_lists_of_commands_cut_no_sentence_off_and_show_without_one(name: str) -> None:
    group = COMMANDS[name]
    shown = group.get_help(typer.Context(group, info_name=name, terminal_width=80, max_content_width=80))

    assert group.no_args_is_help
    assert [line for line in shown.splitlines()[1:] if line.endswith("...")] == []
