"""`abhidhan init` and `abhidhan stats`: create the dictionary, and show its size."""

from typing import TYPE_CHECKING, Annotated

import typer

from abhidhan.app.cli.common import load_command_settings
from abhidhan.records.errors import pluralize

if TYPE_CHECKING:
    from rich.table import Table

    from abhidhan.dictionary.service.statistics import Statistics


def register(program: typer.Typer) -> None:
    """Add the commands."""
    program.command("init")(initialize)
    program.command("stats")(show_statistics)


EmptyOption = Annotated[
    bool,
    typer.Option(
        "--empty",
        help="Create the database without the starter dictionary. Fails if there is already a dictionary.",
    ),
]


def initialize(*, empty: EmptyOption = False) -> None:
    """Create the database with the starter dictionary, or --empty. An existing one is upgraded and kept."""
    from abhidhan.app.database import create_empty_dictionary, open_dictionary
    from abhidhan.dictionary.service import statistics

    settings = load_command_settings()
    if empty:
        create_empty_dictionary(settings)
    with open_dictionary(settings) as database:
        counts = database.read_now(statistics.count_records)
    typer.echo(
        f"{settings.database_display_url}: {pluralize(counts.ideas, 'idea')}, {pluralize(counts.words, 'word')}."
    )


def show_statistics() -> None:
    """Show how much is in the dictionary. It counts ideas, words by language, proverbs, flashcards, sources."""
    from rich.console import Console
    from rich.table import Table

    from abhidhan.app.database import open_dictionary
    from abhidhan.dictionary.service import lookup_lists, statistics

    with open_dictionary(load_command_settings()) as database:
        counts = database.read_now(statistics.count_records)
        languages = database.read_now(lookup_lists.list_languages)
    console = Console()
    console.print(_build_totals_table(counts))
    table = Table("ID", "Language", "Own name", "Code", title="Words by language", title_justify="left")
    table.add_column("Words", justify="right")
    for language in languages:
        if language.words:
            table.add_row(str(language.id), language.name, language.native_name, language.code, f"{language.words:,}")
    console.print(table)


def _build_totals_table(counts: "Statistics") -> "Table":
    from rich.table import Table

    table = Table("What", title="The dictionary", title_justify="left", show_header=False)
    table.add_column("How many", justify="right")
    for name, count in counts.by_name().items():
        table.add_row(name, f"{count:,}")
    return table
