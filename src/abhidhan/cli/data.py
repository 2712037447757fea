"""`abhidhan init` and `abhidhan stats`: the dictionary's data as a whole."""

import typer
from rich.console import Console
from rich.table import Table

from abhidhan.bootstrap.database import open_dictionary
from abhidhan.cli.ownership import settings_of_command
from abhidhan.services.dictionary import lists, statistics
from abhidhan.services.dictionary.statistics import Statistics


def register(program: typer.Typer) -> None:
    """Add the commands."""
    program.command("init")(initialize)
    program.command("stats")(show_statistics)


def initialize() -> None:
    """Create the database and load the starter dictionary. An existing database is upgraded and its contents kept."""
    settings = settings_of_command()
    with open_dictionary(settings) as database:
        counts = database.read_now(statistics.count)
    typer.echo(f"{settings.database_shown}: {counts.ideas:,} ideas, {counts.words:,} words.")


def show_statistics() -> None:
    """Show how much is in the dictionary: ideas, words by language, proverbs, flashcards, sources."""
    with open_dictionary(settings_of_command()) as database:
        counts = database.read_now(statistics.count)
        languages = database.read_now(lists.list_languages)
    console = Console()
    console.print(_totals(counts))
    table = Table("ID", "Language", "Own name", "Code", title="Words by language", title_justify="left")
    table.add_column("Words", justify="right")
    for language in languages:
        if language.words:
            table.add_row(str(language.id), language.name, language.native_name, language.code, f"{language.words:,}")
    console.print(table)


def _totals(counts: Statistics) -> Table:
    table = Table("What", title="The dictionary", title_justify="left", show_header=False)
    table.add_column("How many", justify="right")
    for name, count in counts.by_name().items():
        table.add_row(name, f"{count:,}")
    return table
