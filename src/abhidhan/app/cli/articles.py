"""`abhidhan articles`: the cache of encyclopedia articles."""

import time
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from abhidhan.app.cli.common import load_command_settings
from abhidhan.records.errors import InputError, pluralize

if TYPE_CHECKING:
    from abhidhan.encyclopedia.service.articles import Encyclopedia

commands = typer.Typer(
    name="articles", help="Fetch encyclopedia articles in advance, or clear the cache.", no_args_is_help=True
)

SKIPPED_LABEL = "already known"
"""Label of titles that are fresh in the cache, or that cannot have an article."""


def register(program: typer.Typer) -> None:
    """Add the commands."""
    program.add_typer(commands)


@commands.command()
def fetch(
    language: Annotated[str, typer.Option(help="The language: en, as or bn.")] = "as",
    most: Annotated[
        int | None, typer.Option(help="The maximum number of headwords.", min=1, show_default=False)
    ] = None,
) -> None:
    """Fetch the articles of all headwords into the cache.

    Asks for one at a time, as slowly as the wiki requires; ABHIDHAN_WIKI_CONTACT makes it faster. You can stop it at
    any time (Ctrl+C); it continues where it left off when you start it again.
    """
    import asyncio

    from abhidhan.app.database import open_dictionary
    from abhidhan.encyclopedia.service import article_sources, articles

    settings = load_command_settings()
    language_id = _parse_language(language)
    article_sources.warn_without_contact(settings.encyclopedia)
    with open_dictionary(settings) as database:
        titles = database.read_now(partial(articles.list_headwords, language_id=language_id))[:most]
        counts = asyncio.run(
            _fetch_articles(articles.open_encyclopedia(database, settings.encyclopedia), language_id, titles)
        )
    typer.echo(", ".join(f"{outcome}: {count:,}" for outcome, count in sorted(counts.items())) or "no headwords")


@commands.command()
def purge(
    *,
    missing: Annotated[
        bool, typer.Option("--missing", help="Remove only titles for which there was no article.")
    ] = False,
    stale: Annotated[bool, typer.Option("--stale", help="Remove only articles that are out of date.")] = False,
) -> None:
    """Remove articles from the cache: all of them, or only some."""
    from abhidhan.app.database import open_dictionary
    from abhidhan.encyclopedia.service import articles

    now = int(time.time()) if stale else None
    with open_dictionary(load_command_settings()) as database:
        removed = database.write_now(partial(articles.delete_articles, now=now, only_missing=missing), public=False)
    typer.echo(f"{pluralize(removed, 'entry', 'entries')} removed.")


async def _fetch_articles(encyclopedia: "Encyclopedia", language_id: int, titles: list[str]) -> Counter[str]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    counts: Counter[str] = Counter()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    async with encyclopedia.running():
        with Progress(*columns, console=Console(stderr=True)) as progress:
            task = progress.add_task("Articles", total=len(titles))
            async for article in encyclopedia.fetch_all(language_id, titles):
                counts[article.outcome.value if article else SKIPPED_LABEL] += 1
                progress.advance(task)
    return counts


def _parse_language(code: str) -> int:
    from abhidhan.records.encyclopedia_articles import LANGUAGE_CODES

    for language_id, language_code in LANGUAGE_CODES.items():
        if code == language_code:
            return language_id
    raise InputError.of("language", f"--language must be one of {', '.join(LANGUAGE_CODES.values())}.")
