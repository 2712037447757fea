"""Offline packs: generated with the downloads, and published by every server at the same time."""

import asyncio
import gzip
import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

import msgspec

from abhidhan.dictionary.service.changes import list_changes
from abhidhan.exchange.store import dump
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.leases import FencingToken
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.model.offline_packs import (
    FORMAT_VERSION,
    EntryKind,
    LanguagePair,
    PackEntry,
    build_chunk,
    parse_pair,
    split_into_chunks,
)
from abhidhan.publishing.service import batch_publishing
from abhidhan.publishing.service import pack_records as packs
from abhidhan.publishing.service.batch_publishing import Batch, CachedValue, PublishedBatch
from abhidhan.publishing.service.pack_records import PackLanguages, encode_rules, hash_rules
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.languages import Language
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.orthography import INDIC_SCRIPTS

LIST_FILE: Final = "packs.json"
MANIFEST_NAME: Final = "manifest.json"
COMPRESSED_SUFFIX: Final = ".gz"
"""Suffix of stored files: all but the list are compressed once and sent that way."""

LEASE_NAME: Final = "packs"

TranslateName = Callable[[str], str]
"""Function that translates the English name of a list value."""


class NamedLanguage(msgspec.Struct, frozen=True):
    """A language in a manifest; `indic` is true if the client should match Roman letters by sound."""

    code: str
    name: str
    native_name: str
    script: str
    direction: str
    indic: bool


class PackedFile(msgspec.Struct, frozen=True):
    """A file of a pack: the SHA-256 of its JSON, which is its name, and its size as sent, in bytes."""

    sha256: str
    bytes: int


class PackedChunk(PackedFile, frozen=True):
    """A chunk file: the kind of its entries, the ID of the first, and their number."""

    kind: EntryKind
    first: int
    entries: int


class PackSource(msgspec.Struct, frozen=True):
    """A source of a pack's words, with its terms of use."""

    name: str
    licence: str
    url: str | None
    attribution: str | None


class PackManifest(msgspec.Struct, frozen=True, kw_only=True):
    """The description of a pack and its files; `changes` is the `/api/changes` token of its data.

    `parts_of_speech` maps IDs to names in English and Assamese. The same data give the same manifest.
    """

    form: int
    pair: str
    source: NamedLanguage
    target: NamedLanguage
    data_version: int
    changes: str
    words: int
    proverbs: int
    bytes: int
    rules: PackedFile
    chunks: tuple[PackedChunk, ...]
    parts_of_speech: dict[str, dict[str, str]]
    sources: tuple[PackSource, ...]


class Pack(msgspec.Struct, frozen=True):
    """A published pack."""

    pair: str
    source: NamedLanguage
    target: NamedLanguage
    words: int
    proverbs: int
    bytes: int
    rules: str


class Packs(msgspec.Struct, frozen=True):
    """The generated packs, with their data version and time (seconds since 1970, UTC).

    `pairs` are those that were requested, even if the dictionary has no words for them.
    """

    form: int
    data_version: int
    made: int
    pairs: tuple[str, ...]
    packs: tuple[Pack, ...]


class PackRequest(NamedTuple):
    """A request for packs: the time, the pairs, and the Assamese names of parts of speech."""

    now: int
    pairs: tuple[str, ...]
    translate_name: TranslateName


class PackFolder(NamedTuple):
    """The folder of a pack in the batch that is being generated, named after its pair."""

    batch: Batch
    pair: str

    def write(self, name: str, content: bytes) -> None:
        """Write a file of the pack."""
        self.batch.write(f"{self.pair}/{name}", content)


class PackFile(msgspec.Struct, frozen=True):
    """A file to send: its compressed bytes, its ETag, and whether it may be cached for ever."""

    content: bytes
    tag: str
    is_immutable: bool


# --- generation -----------------------------------------------------------------------------------------------------


def generate_packs(
    database: Database, store: ArtifactStore, *, now: int, pairs: Sequence[str], translate_name: TranslateName = str
) -> Packs:
    """Generate the offline packs of the language pairs, unless they are up to date, and publish them in one step.

    `translate_name` translates parts of speech to Assamese. If another process is generating packs, returns the current
    ones. Raises ExportError, UnavailableError, ConflictError, and then leaves the older packs in place.
    """
    with batch_publishing.generation_lock(database, store, LEASE_NAME) as fence:
        published = read_packs(store)
        if fence is None:
            return published or Packs(FORMAT_VERSION, 0, now, (), ())
        if (
            published is not None
            and is_up_to_date(published, pairs)
            and published.data_version == database.read_now(_read_data_version)
        ):
            return published
        with batch_publishing.open_batch(store, now, LIST_FILE) as files:
            return _generate(database, fence, files, PackRequest(now, tuple(pairs), translate_name))


def is_up_to_date(published: Packs, pairs: Sequence[str]) -> bool:
    """Return whether packs are of the requested pairs, in the current format, with the current key rules."""
    rules = all(pack.rules == hash_rules(pack.source.code) for pack in published.packs)
    return rules and published.form == FORMAT_VERSION and published.pairs == tuple(pairs)


def _read_data_version(connection: ReadConnection) -> int:
    return connection.read_data_version()


def _generate(database: Database, fence: FencingToken, batch: Batch, request: PackRequest) -> Packs:
    with database.snapshot() as reader:
        language_pairs = [
            languages for pair in request.pairs if (languages := packs.find_pair_languages(reader, _require_pair(pair)))
        ]
        manifests = [_write_pack(reader, languages, batch, request.translate_name) for languages in language_pairs]
        version = reader.read_data_version()
    result = Packs(
        FORMAT_VERSION,
        version,
        request.now,
        request.pairs,
        tuple(_summarize(manifest) for manifest in manifests if manifest.words),
    )
    batch.publish(database, fence, result)
    return result


def _require_pair(name: str) -> LanguagePair:
    pair = parse_pair(name)
    if pair is None:
        raise ValueError(f"{name} is not a pair of languages")
    return pair


def _summarize(manifest: PackManifest) -> Pack:
    return Pack(
        manifest.pair,
        manifest.source,
        manifest.target,
        manifest.words,
        manifest.proverbs,
        manifest.bytes,
        manifest.rules.sha256,
    )


def _write_pack(
    connection: ReadConnection, languages: PackLanguages, batch: Batch, translate_name: TranslateName
) -> PackManifest:
    """Write the files of one pack, chunk by chunk."""
    pair = LanguagePair(languages.source.code, languages.target.code)
    folder = PackFolder(batch, str(pair))
    rules = _write(folder, encode_rules(languages.source.code))
    chunks = [
        *_write_chunks(folder, EntryKind.WORD, packs.iter_words(connection, languages)),
        *_write_chunks(folder, EntryKind.PROVERB, packs.iter_proverbs(connection, languages)),
    ]
    manifest = PackManifest(
        form=FORMAT_VERSION,
        pair=str(pair),
        source=_describe_language(languages.source),
        target=_describe_language(languages.target),
        data_version=connection.read_data_version(),
        changes=list_changes(connection, None, 1).next,
        words=sum(chunk.entries for chunk in chunks if chunk.kind is EntryKind.WORD),
        proverbs=sum(chunk.entries for chunk in chunks if chunk.kind is EntryKind.PROVERB),
        bytes=rules.bytes + sum(chunk.bytes for chunk in chunks),
        rules=rules,
        chunks=tuple(chunks),
        parts_of_speech=_list_parts_of_speech(connection, translate_name),
        sources=tuple(_iter_sources(connection)),
    )
    folder.write(f"{MANIFEST_NAME}{COMPRESSED_SUFFIX}", _compress(msgspec.json.encode(manifest)))
    return manifest


def _describe_language(language: Language) -> NamedLanguage:
    indic = language.script in INDIC_SCRIPTS
    return NamedLanguage(language.code, language.name, language.native_name, language.script, language.direction, indic)


def _write_chunks(folder: PackFolder, kind: EntryKind, entries: Iterator[PackEntry]) -> Iterator[PackedChunk]:
    for group in split_into_chunks(entries):
        written = _write(folder, msgspec.json.encode(build_chunk(kind, group)))
        yield PackedChunk(written.sha256, written.bytes, kind, group[0].id, len(group))


def _write(folder: PackFolder, content: bytes) -> PackedFile:
    """Write a compressed file, named by the SHA-256 of its content."""
    name, packed = hashlib.sha256(content).hexdigest(), _compress(content)
    folder.write(f"{name}.json{COMPRESSED_SUFFIX}", packed)
    return PackedFile(name, len(packed))


def _compress(content: bytes) -> bytes:
    return gzip.compress(content, 9, mtime=0)


def _list_parts_of_speech(connection: ReadConnection, translate_name: TranslateName) -> dict[str, dict[str, str]]:
    items = connection.catalogue.list_items(ListName.PARTS_OF_SPEECH)
    return {str(item.id): {"en": item.value, "as": translate_name(item.value)} for item in items}


def _iter_sources(connection: ReadConnection) -> Iterator[PackSource]:
    for source in dump.dump_sources(connection):
        yield PackSource(source.name, source.licence, source.url, source.attribution)


# --- reading ---------------------------------------------------------------------------------------------------------


def read_packs(store: ArtifactStore) -> Packs | None:
    """Return the published packs; None if none were made yet, or if their format is no longer supported.

    Raises UnavailableError.
    """
    return _decode_packs(batch_publishing.read_published(store, LIST_FILE))


def _decode_packs(published: PublishedBatch | None) -> Packs | None:
    try:
        return msgspec.json.decode(published.listed, type=Packs) if published else None
    except msgspec.DecodeError:
        return None


def open_pack_file(store: ArtifactStore, published: PublishedBatch | None, pair: str, name: str) -> PackFile | None:
    """Read a file of a pack: its manifest, or one that the manifest names; None if there is no such file."""
    if published is None or not parse_pair(pair) or not _is_file_name(name):
        return None
    content = store.read(f"{published.folder}/{pair}/{name}{COMPRESSED_SUFFIX}")
    return (
        None if content is None else PackFile(content, hashlib.sha256(content).hexdigest()[:32], name != MANIFEST_NAME)
    )


def _is_file_name(name: str) -> bool:
    """Return whether a name has the form of a pack file, alphanumeric before `.json`, which rules out other paths."""
    stem = name.removesuffix(".json")
    return stem != name and stem.isascii() and stem.isalnum()


class PackFiles:
    """The packs of a store, read without blocking the event loop."""

    def __init__(self, store: ArtifactStore) -> None:
        """Initialise with the store."""
        self._store = store
        self._published_batch = CachedValue(store, partial(batch_publishing.read_published, list_file=LIST_FILE))

    async def read_list(self) -> Packs | None:
        """Return the published packs; None if there are none. Raises UnavailableError."""
        return _decode_packs(await self._published_batch())

    async def open(self, pair: str, name: str) -> PackFile:
        """Read a file of a pack. Raises NotFoundError, UnavailableError."""
        # Newer packs may have replaced the cached ones.
        for refresh in (False, True):
            published = await self._published_batch(refresh=refresh)
            file = await asyncio.to_thread(open_pack_file, self._store, published, pair, name)
            if file is not None:
                return file
        raise NotFoundError(sentence("There is no such file. /packs/packs.json lists the packs."))
