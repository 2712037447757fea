"""Guesses about tables that a dry run shows: what each column is taken for, and a mapping file that says so."""

import json
from collections.abc import Iterable

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from abhidhan.formats.tables.columns import FIELDS, Column, Guess

LONGEST_SAMPLE = 40
"""Maximum number of characters of a cell that are shown."""

PASSED_OVER = "ignored"

HOW_TO_CHANGE = (
    "Is a column read wrongly? Copy these lines into a file, such as mapping.toml, change them, and add "
    "--mapping mapping.toml. A column may be {fields} or ignore; a colon and a code give its language."
)


def show_guesses(guesses: Iterable[Guess]) -> None:
    """Show what the columns of tables are taken for, and how to say otherwise."""
    console = Console(highlight=False)
    for guess in guesses:
        console.print(_table(guess))
        console.print(HOW_TO_CHANGE.format(fields=", ".join(dict.fromkeys(FIELDS.values()))), markup=False)
        # Not through the console, which would break long lines: these are to be copied.
        typer.echo(mapping_file(guess))


def mapping_file(guess: Guess) -> str:
    """Write the mapping file that says of each column what it is taken for now."""
    lines = [f"{_quoted(name)} = {_quoted(_written(column))}" for name, column in guess.columns if name]
    return "\n".join(["", "[columns]", *lines, ""])


def _table(guess: Guess) -> Table:
    table = Table("Column", "read as", "first row", title=escape(guess.file), title_justify="left")
    for place, (name, column) in enumerate(guess.columns):
        sample = guess.first[place] if place < len(guess.first) else ""
        taken = PASSED_OVER if column is None else _written(column)
        table.add_row(escape(name), taken, escape(_shortened(sample)))
    return table


def _written(column: Column | None) -> str:
    if column is None:
        return "ignore"
    return f"{column.field}:{column.language}" if column.language else column.field


def _shortened(cell: str) -> str:
    return cell if len(cell) <= LONGEST_SAMPLE else f"{cell[: LONGEST_SAMPLE - 1]}…"


def _quoted(text: str) -> str:
    """Write a string of TOML, which for these texts is one of JSON."""
    return json.dumps(text, ensure_ascii=False)
