"""The list of commands, and that nothing more is imported than what is asked for needs."""

import subprocess
import sys
from importlib import import_module
from typing import Final

import pytest
import typer

from abhidhan.cli import program
from abhidhan.cli.lazily import LISTED, Listed, load

HEAVY: Final = frozenset(
    {
        "abhidhan.bootstrap.application",
        "abhidhan.domain",
        "abhidhan.formats",
        "abhidhan.services",
        "abhidhan.settings",
        "abhidhan.storage",
        "abhidhan.web",
        "alembic",
        "granian",
        "httpx2",
        "icu",
        "litestar",
        "msgspec",
        "PIL",
        "psycopg",
        "pydantic",
        "rapidfuzz",
        "sqlalchemy",
        "structlog",
    }
)
"""What commands work with, and what takes most of a second to import."""

LIST_MODULES: Final = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); "
RUN: Final = "from abhidhan.cli import main; main()"


def imported(*arguments: str) -> set[str]:
    """Run the program, and list the modules that were imported."""
    done = subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "-c", LIST_MODULES + RUN, *arguments], capture_output=True, text=True, check=True
    )
    return {*done.stderr.split()}


@pytest.mark.parametrize("arguments", [("--version",), ("--help",)], ids=str)
def test_what_needs_no_command_imports_none(arguments: tuple[str, ...]) -> None:
    assert imported(*arguments) & HEAVY == set()


def test_the_version_needs_no_terminal_either() -> None:
    assert "rich" not in imported("--version")


def test_a_command_imports_no_other_one() -> None:
    modules = imported("stats", "--help")

    assert "abhidhan.cli.data" in modules
    assert modules & {"abhidhan.cli.serve", "abhidhan.cli.imports", "litestar", "granian"} == set()


@pytest.mark.parametrize("listed", LISTED, ids=lambda one: one.name)
def test_the_list_says_of_each_command_what_the_command_says(listed: Listed) -> None:
    first = (load(listed.name).help or "").partition("\n\n")[0].replace("\n", " ")

    assert first == listed.summary


def test_every_command_is_on_the_list() -> None:
    there = typer.Typer()
    for module in dict.fromkeys(one.module for one in LISTED):
        import_module(f"abhidhan.cli.{module}").register(there)

    assert {*typer.main.get_group(there).commands} == {one.name for one in LISTED}
    assert [*typer.main.get_group(program).commands] == [one.name for one in LISTED]
