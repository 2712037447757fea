"""`abhidhan downloads`: build the public downloads, and remove contents from them."""

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from abhidhan.app.cli.common import settings_of_command, stoppable
from abhidhan.records.errors import counted

if TYPE_CHECKING:
    from abhidhan.platform.database.database import Database
    from abhidhan.platform.sandbox.artifact_store import MadeStore
    from abhidhan.publishing.service.download_files import Downloads
    from abhidhan.publishing.service.packs import Packs
    from abhidhan.publishing.service.takedowns import Takedown
    from abhidhan.records.settings import Settings


commands = typer.Typer(
    name="downloads",
    help="Create the files at /downloads, and remove texts from them.",
    no_args_is_help=True,
)

STOPPED = "Stopped. The previous files stay available."

WITHDRAWN = "A recording was withdrawn by its speaker, or the name of its speaker has changed."


def register(program: typer.Typer) -> None:
    """Add the commands."""
    program.add_typer(commands)


@commands.command()
def make() -> None:
    """Make the files at /downloads, and the packs for phones. Those that are up to date stay."""
    from abhidhan.app.database import open_dictionary

    settings = settings_of_command()
    with stoppable(STOPPED), open_dictionary(settings) as database:
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
def list_notices() -> None:
    """List the notices of what was removed. Old editions that are left on the disk are named too."""
    from abhidhan.platform.sandbox.artifact_store import MadeStore
    from abhidhan.publishing.service import downloads

    store = MadeStore(settings_of_command().download_place)
    made = downloads.read_downloads(store)
    for notice in made.notices if made else ():
        typer.echo(f"{datetime.fromtimestamp(notice.removed, UTC):%Y-%m-%d}: {notice.reason or WITHDRAWN}")
        for file, digest in notice.files.items():
            typer.echo(f"  {digest}  {file}")
    _name_editions(store)


@commands.command()
def remove(
    *,
    holding: Annotated[str, typer.Option(help="The text to remove.")],
    reason: Annotated[str, typer.Option(help="The reason, shown to everyone at /downloads.")],
) -> None:
    """Remake the files without a text and add a notice. Old editions with the text are deleted.

    First delete the text in the dictionary: the files are made from it.
    """
    from abhidhan.app.database import open_dictionary
    from abhidhan.publishing.service.takedowns import read_takedown

    settings = settings_of_command()
    takedown, now = read_takedown(holding, reason), int(time.time())
    with stoppable(STOPPED), open_dictionary(settings) as database:
        made, _ = _make(database, settings, takedown)
    if not any(notice.reason == takedown.reason and notice.removed >= now for notice in made.notices):
        typer.echo("No available file contains this text.")
    else:
        typer.echo("The files at /downloads were created again without it.")


def _make(database: "Database", settings: "Settings", takedown: "Takedown | None" = None) -> "tuple[Downloads, Packs]":
    """Build the downloads and the packs, and print which old editions were deleted and which are left."""
    from abhidhan.app.wiring import open_sounds
    from abhidhan.exchange.service import maintenance
    from abhidhan.exchange.service.recording_exports import Hearing
    from abhidhan.platform.http.preferences import in_assamese
    from abhidhan.platform.sandbox.artifact_store import MadeStore
    from abhidhan.publishing.service import downloads, packs
    from abhidhan.publishing.service.takedowns import edition_names

    maintenance.fill_idea_cache(database)
    store = MadeStore(settings.download_place)
    before = edition_names(store)
    made = downloads.make_downloads(
        database,
        store,
        now=int(time.time()),
        languages=settings.languages_of_downloads,
        hearing=Hearing(open_sounds(settings, database), settings.base_url),
        takedown=takedown,
    )
    left = edition_names(store)
    for name in before:
        if name not in left:
            typer.echo(f"The old edition {name} was deleted because it contained the text.", err=True)
    _name_editions(store)
    taken = packs.make_packs(
        database,
        MadeStore(settings.pack_place),
        now=int(time.time()),
        pairs=settings.pairs_of_packs,
        names_in=in_assamese,
    )
    return made, taken


def _name_editions(store: "MadeStore") -> None:
    from abhidhan.publishing.service.takedowns import edition_names

    if names := ", ".join(edition_names(store)):
        typer.echo(f"These old editions are left on the disk and are no longer offered: {names}.", err=True)
