"""`abhidhan downloads`: the files that everybody can download, and the editions of them that are kept."""

import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Annotated

import typer

from abhidhan.bootstrap.database import open_dictionary
from abhidhan.bootstrap.services import open_sounds
from abhidhan.cli.ownership import settings_of_command
from abhidhan.cli.targets import stoppable
from abhidhan.domain.counted import counted
from abhidhan.media.made_store import MadeStore
from abhidhan.services import checking
from abhidhan.services.exchange import downloads, editions, packs
from abhidhan.services.exchange.download_files import Downloads
from abhidhan.services.exchange.edition_lists import Edition, read_editions
from abhidhan.services.exchange.edition_requests import Wanted, is_offered, remove_from_editions
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
STILL_IN_DICTIONARY = (
    "The dictionary still has this text, so it is still offered at /downloads. Delete it there, then run this command "
    "again."
)

TAKEN_BACK = "a recording was taken back by its speaker"


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
        held = f"{counted(pack.words, 'word')}, {counted(pack.proverbs, 'proverb')}"
        typer.echo(f"{pack.pair}: {held}, {counted(pack.bytes, 'byte')}")


@commands.command("list")
def list_editions() -> None:
    """List the editions that are kept, what was removed from them, and how much of the disk they take."""
    settings = settings_of_command()
    store = MadeStore(settings.download_place)
    known = read_editions(store)
    for edition in known:
        typer.echo(_line(edition))
        for line in _notices(edition):
            typer.echo(line)
    taken = editions.bytes_beside(store, downloads.read_downloads(store))
    of_all = counted(settings.downloads_kept, "edition")
    typer.echo(f"{len(known)} of {of_all}, {counted(taken, 'byte')} beside the files offered now")


@commands.command()
def remove(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[EDITION]...", help="The editions, such as 2026-11-23.")
    ] = None,
    *,
    reason: Annotated[str, typer.Option(help="Why: everybody reads it on the page of the edition.")],
    holding: Annotated[
        str, typer.Option(help="A text: all records that have it in them go, from all editions if none is named.")
    ] = "",
    file: Annotated[list[str] | None, typer.Option(help="Only this file; else all files of an edition.")] = None,
) -> None:
    """Remove a text or files from kept editions for good, with a notice in their place.

    First delete in the dictionary what may not be offered: the files at /downloads are made of what is there, and are
    made anew if they still have the text.
    """
    settings = settings_of_command()
    wanted = Wanted(names or (), holding, file or (), reason)
    store = MadeStore(settings.download_place)
    with open_dictionary(settings) as database:
        changed = remove_from_editions(database, store, wanted, int(time.time()))
    for edition in changed:
        typer.echo(_line(edition))
    if not changed:
        typer.echo("Nothing was removed: no edition that is kept has it.")
    if holding:
        _see_to_what_is_offered(settings, store, holding)
    elif _is_newest_offered(changed, downloads.read_downloads(store)):
        typer.echo(STILL_OFFERED, err=True)


def _see_to_what_is_offered(settings: Settings, store: MadeStore, text: str) -> None:
    """Make the files anew if they still have a text; end with an error if the dictionary has it too."""
    if not is_offered(store, text):
        return
    with stoppable("Stopped. The files offered before stay."), open_dictionary(settings) as database:
        checking.fill_idea_cache(database)
        _make(database, settings)
    if is_offered(store, text):
        typer.echo(STILL_IN_DICTIONARY, err=True)
        raise typer.Exit(1)
    typer.echo("The files at /downloads were made anew, without it.")


def _make(database: Database, settings: Settings) -> tuple[Downloads, Packs]:
    made = downloads.make_downloads(
        database,
        MadeStore(settings.download_place),
        now=int(time.time()),
        languages=settings.languages_of_downloads,
        hearing=Hearing(open_sounds(settings, database), settings.base_url),
        kept=settings.downloads_kept,
    )
    taken = packs.make_packs(
        database,
        MadeStore(settings.pack_place),
        now=int(time.time()),
        pairs=settings.pairs_of_packs,
        names_in=in_assamese,
    )
    return made, taken


def _notices(edition: Edition) -> Iterator[str]:
    for notice, gone, made_again in edition.notices():
        yield f"  {datetime.fromtimestamp(notice.removed, UTC):%Y-%m-%d}: {notice.reason or TAKEN_BACK}"
        for what, files in (("removed", gone), ("made again", made_again)):
            if files:
                yield f"    {what}: {', '.join(one.file for one in files)}"


def _line(edition: Edition) -> str:
    gone = f", {edition.gone} removed" if edition.gone else ""
    anew = f", {edition.rewritten} made again" if edition.rewritten else ""
    return f"{edition.name}: {counted(len(edition.files), 'file')}, {counted(edition.size, 'byte')}{gone}{anew}"


def _is_newest_offered(changed: Iterable[Edition], offered: Downloads | None) -> bool:
    """Say whether the files that are offered now are those of an edition from which something was removed."""
    sums = {one.sha256 for one in offered.files} if offered else set()
    return any(one.sha256 in sums for edition in changed for one in edition.removed)
