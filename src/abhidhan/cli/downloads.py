"""`abhidhan downloads`: the files that everybody can download, and the editions of them that are kept."""

import time
from collections.abc import Iterable
from typing import Annotated

import typer

from abhidhan.bootstrap.database import open_dictionary
from abhidhan.bootstrap.services import open_sounds
from abhidhan.cli.ownership import settings_of_command
from abhidhan.cli.targets import stoppable
from abhidhan.services import checking
from abhidhan.services.exchange import downloads, editions, packs
from abhidhan.services.exchange.download_files import Downloads
from abhidhan.services.exchange.edition_removal import Wanted, remove_from_editions
from abhidhan.services.exchange.editions import Edition
from abhidhan.services.exchange.packs import Packs
from abhidhan.services.exchange.voices import Hearing
from abhidhan.settings import Settings
from abhidhan.storage.engine.database import Database
from abhidhan.web.pages.interface import in_assamese

commands = typer.Typer(
    name="downloads",
    help="Make the files that everyone can download, and the packs for phones, unless they are up to date.",
)

STILL_OFFERED = (
    "The same files are still offered at /downloads. Delete in the dictionary what may not be in them, then run "
    "abhidhan downloads."
)


def register(program: typer.Typer) -> None:
    """Add the commands."""
    program.add_typer(commands)


@commands.callback(invoke_without_command=True)
def make(context: typer.Context) -> None:
    """Make the files that everyone can download, and the packs for phones, unless they are up to date."""
    if context.invoked_subcommand is not None:
        return
    settings = settings_of_command()
    with stoppable("Stopped. The files offered before stay."), open_dictionary(settings) as database:
        checking.fill_idea_cache(database)
        made, taken = _make(database, settings)
    for code in settings.languages_of_downloads:
        if not any(one.language.casefold() == code.casefold() for one in made.files):
            typer.echo(f"There are no words in {code}, so it gets no files of its own.", err=True)
    for pair in taken.pairs:
        if not any(pack.pair == pair for pack in taken.packs):
            typer.echo(f"There are no words for {pair}, so it gets no pack.", err=True)
    for one in made.files:
        typer.echo(f"{one.sha256}  {one.file}")
    for pack in taken.packs:
        typer.echo(f"{pack.pair}: {pack.words:,} words, {pack.proverbs:,} proverbs, {pack.bytes:,} bytes")


@commands.command("list")
def list_editions() -> None:
    """List the editions that are kept, what was removed from them, and how much of the disk they take."""
    settings = settings_of_command()
    known = editions.read_editions(settings.downloads)
    for edition in known:
        typer.echo(_line(edition))
        for one in edition.removed:
            typer.echo(f"  removed: {one.file} ({one.reason or 'a recording in it was taken back'})")
    taken = editions.bytes_on_disk(settings.downloads)
    typer.echo(f"{len(known)} of {settings.downloads_kept} editions, {taken:,} bytes beside the files offered now")


@commands.command()
def remove(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[EDITION]...", help="The editions, such as 2026-11-23.")
    ] = None,
    *,
    reason: Annotated[str, typer.Option(help="Why: everybody reads it on the page of the edition.")],
    holding: Annotated[str, typer.Option(help="Only editions with this text in them; of all that are kept.")] = "",
    file: Annotated[list[str] | None, typer.Option(help="Only this file; else all files of an edition.")] = None,
) -> None:
    """Remove files from kept editions for good, with a notice in their place.

    First delete what may not be offered in the dictionary, and run abhidhan downloads: the files at /downloads are made
    of what is there.
    """
    settings = settings_of_command()
    wanted = Wanted(names or (), holding, file or (), reason)
    changed = remove_from_editions(settings.downloads, wanted, int(time.time()))
    for edition in changed:
        typer.echo(_line(edition))
    if not changed:
        typer.echo("Nothing was removed: no edition that is kept has it.")
    if _is_newest_offered(changed, downloads.read_downloads(settings.downloads)):
        typer.echo(STILL_OFFERED, err=True)


def _make(database: Database, settings: Settings) -> tuple[Downloads, Packs]:
    made = downloads.make_downloads(
        database,
        settings.downloads,
        now=int(time.time()),
        languages=settings.languages_of_downloads,
        hearing=Hearing(open_sounds(settings, database), settings.base_url),
        kept=settings.downloads_kept,
    )
    taken = packs.make_packs(
        database, settings.pack_folder, now=int(time.time()), pairs=settings.pairs_of_packs, names_in=in_assamese
    )
    return made, taken


def _line(edition: Edition) -> str:
    gone = f", {len(edition.removed)} removed" if edition.removed else ""
    return f"{edition.name}: {len(edition.files)} files, {edition.size:,} bytes{gone}"


def _is_newest_offered(changed: Iterable[Edition], offered: Downloads | None) -> bool:
    """Say whether the files that are offered now are those of an edition from which something was removed."""
    sums = {one.sha256 for one in offered.files} if offered else set()
    return any(one.sha256 in sums for edition in changed for one in edition.removed)
