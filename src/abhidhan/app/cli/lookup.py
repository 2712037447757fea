"""`abhidhan look`: look up a word in the terminal."""

from functools import partial
from typing import Annotated

import typer

from abhidhan.app.cli.common import load_command_settings


def register(program: typer.Typer) -> None:
    """Add the command."""
    program.command()(look)


def look(
    words: Annotated[list[str], typer.Argument(help="The word or phrase, in any script.", metavar="WORD")],
    language: Annotated[
        str,
        typer.Option(
            "--language", "-l", help="The language of the word: an ID or a code, such as 2 or as.", show_default="all"
        ),
    ] = "0",
) -> None:
    """Look up a word, as /api/dic.php does."""
    from rich.console import Console

    from abhidhan.app.cli.entry_formatting import format_query_word, look_up
    from abhidhan.app.database import open_dictionary
    from abhidhan.dictionary.model.cascade import Match

    with open_dictionary(load_command_settings()) as database:
        items, catalogue = database.read_now(partial(look_up, query=" ".join(words), language=language))
    console = Console(highlight=False)
    for item in items:
        console.print(format_query_word(item, catalogue))
    if all(item.match is Match.NONE for item in items):
        raise typer.Exit(1)
