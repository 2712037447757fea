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


def test_help_begins_with_an_imperative_and_options_have_one_form(subtests: pytest.Subtests) -> None:
    for name, command in COMMANDS.items():
        with subtests.test(name):
            first_line = (command.help or "").partition("\n")[0]
            verb = first_line.split()[0]
            assert verb.isalpha()
            assert verb.istitle()
            assert not verb.endswith("s")
            assert first_line.endswith(".")
            for option in command.params:
                text = getattr(option, "help", None)
                if text and option.name not in OF_TYPER:
                    assert text.endswith("."), option.name
                    assert text.startswith("The ") != bool(getattr(option, "is_flag", False)), option.name


def test_a_group_without_a_command_prints_its_commands_and_cuts_no_sentence_off() -> None:
    groups = {name: command for name, command in COMMANDS.items() if hasattr(command, "commands")}

    for name, group in groups.items():
        text = group.get_help(typer.Context(group, info_name=name, terminal_width=80, max_content_width=80))
        assert group.no_args_is_help, name
        assert [line for line in text.splitlines()[1:] if line.endswith("...")] == [], name
    assert len(groups) >= 7
