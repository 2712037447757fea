"""`abhidhan downloads`: build the public downloads, and remove contents from them."""

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from abhidhan.app.cli.common import interruptible, load_command_settings
from abhidhan.records.errors import pluralize

if TYPE_CHECKING:
    from abhidhan.platform.database.database import Database
    from abhidhan.platform.sandbox.artifact_store import ArtifactStore
    from abhidhan.publishing.service.download_files import Downloads
    from abhidhan.publishing.service.packs import Packs
    from abhidhan.publishing.service.takedowns import Takedown
    from abhidhan.records.settings import Settings


commands = typer.Typer(
    name="downloads",
    help="Create the files at /downloads, and remove texts from them.",
    no_args_is_help=True,
)

INTERRUPT_MESSAGE = "Stopped. The previous files stay available."

WITHDRAWAL_REASON = "A recording was withdrawn by its speaker, or the name of its speaker has changed."


def register(program: typer.Typer) -> None:
    """Add the commands."""
    program.add_typer(commands)


@commands.command()
def make() -> None:
    """Make the files at /downloads and the packs for phones. Skip those that are up to date."""
    from abhidhan.app.database import open_dictionary

    settings = load_command_settings()
    with interruptible(INTERRUPT_MESSAGE), open_dictionary(settings) as database:
        built_downloads, built_packs = _build_files(database, settings)
    for code in settings.download_language_codes:
        if not any(download.language.casefold() == code.casefold() for download in built_downloads.files):
            typer.echo(f"There are no words in {code}, so it gets no files of its own.", err=True)
    for pair in built_packs.pairs:
        if not any(pack.pair == pair for pack in built_packs.packs):
            typer.echo(f"There are no words for {pair}, so it gets no pack.", err=True)
    for download in built_downloads.files:
        typer.echo(f"{download.sha256}  {download.file}")
    for pack in built_packs.packs:
        contents = f"{pluralize(pack.words, 'word')}, {pluralize(pack.proverbs, 'proverb')}"
        typer.echo(f"{pack.pair}: {contents}, {pluralize(pack.bytes, 'byte')}")


@commands.command("list")
def list_notices() -> None:
    """List the notices of removals. Old editions that are left on the disk are listed too."""
    from abhidhan.platform.sandbox.artifact_store import ArtifactStore
    from abhidhan.publishing.service import downloads

    store = ArtifactStore(load_command_settings().download_location)
    built_downloads = downloads.read_downloads(store)
    notices = built_downloads.notices if built_downloads else ()
    for notice in notices:
        typer.echo(f"{datetime.fromtimestamp(notice.removed, UTC):%Y-%m-%d}: {notice.reason or WITHDRAWAL_REASON}")
        for file, digest in notice.files.items():
            typer.echo(f"  {digest}  {file}")
    if not notices:
        typer.echo("Nothing was removed.")
    _print_old_editions(store)


@commands.command()
def remove(
    *,
    holding: Annotated[str, typer.Option(help="The text to remove.")],
    reason: Annotated[str, typer.Option(help="The reason, shown to everyone at /downloads.")],
) -> None:
    """Create the files again without a text, and add a notice. Old editions with the text are deleted.

    First delete the text in the dictionary, from which the files are made.
    """
    from abhidhan.app.database import open_dictionary
    from abhidhan.publishing.service.takedowns import parse_takedown

    settings = load_command_settings()
    takedown, now = parse_takedown(holding, reason), int(time.time())
    with interruptible(INTERRUPT_MESSAGE), open_dictionary(settings) as database:
        built_downloads, _ = _build_files(database, settings, takedown)
    if not any(notice.reason == takedown.reason and notice.removed >= now for notice in built_downloads.notices):
        typer.echo("No available file contains this text.")
    else:
        typer.echo("The files at /downloads were created again without it.")


def _build_files(
    database: "Database", settings: "Settings", takedown: "Takedown | None" = None
) -> "tuple[Downloads, Packs]":
    """Build the downloads and the packs, and print which old editions were deleted and which are left."""
    from abhidhan.app.setting_checks import select_download_formats
    from abhidhan.app.wiring import open_recording_reader
    from abhidhan.exchange.service import maintenance
    from abhidhan.exchange.service.recording_exports import RecordingOptions
    from abhidhan.platform.http.preferences import translate_to_assamese
    from abhidhan.platform.sandbox.artifact_store import ArtifactStore
    from abhidhan.publishing.service import downloads, packs
    from abhidhan.publishing.service.takedowns import list_edition_names

    formats = select_download_formats(settings)
    maintenance.fill_idea_cache(database)
    store = ArtifactStore(settings.download_location)
    before = list_edition_names(store)
    built_downloads = downloads.generate_downloads(
        database,
        store,
        now=int(time.time()),
        formats=formats,
        languages=settings.download_language_codes,
        recording_options=RecordingOptions(open_recording_reader(settings, database), settings.base_url),
        takedown=takedown,
    )
    remaining = list_edition_names(store)
    for name in before:
        if name not in remaining:
            typer.echo(f"The old edition {name} was deleted because it contained the text.", err=True)
    _print_old_editions(store)
    built_packs = packs.generate_packs(
        database,
        ArtifactStore(settings.pack_location),
        now=int(time.time()),
        pairs=settings.pack_pairs,
        translate_name=translate_to_assamese,
    )
    return built_downloads, built_packs


def _print_old_editions(store: "ArtifactStore") -> None:
    from abhidhan.publishing.service.takedowns import list_edition_names

    if names := ", ".join(list_edition_names(store)):
        typer.echo(f"These old editions are left on the disk and are no longer offered: {names}.", err=True)
