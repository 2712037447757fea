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
from abhidhan.platform.database.leases import Fence
from abhidhan.platform.database.reader import Reader
from abhidhan.platform.sandbox.artifact_store import MadeStore
from abhidhan.publishing.model.offline_packs import FORM, Entry, EntryKind, Pair, chunk_of, in_chunks, read_pair
from abhidhan.publishing.service import batch_publishing
from abhidhan.publishing.service import pack_records as packs
from abhidhan.publishing.service.batch_publishing import Lately, Making, Offered
from abhidhan.publishing.service.pack_records import Languages, rules_json, rules_name
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.languages import Language
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.orthography import INDIC_SCRIPTS

LIST_FILE: Final = "packs.json"
MANIFEST: Final = "manifest.json"
ENDING: Final = ".gz"
"""Suffix of stored files: all but the list are compressed once and sent that way."""

LEASE: Final = "packs"

NamesIn = Callable[[str], str]
"""Translates the name of a list value for readers of another language."""


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


class SourceOfPack(msgspec.Struct, frozen=True):
    """A source of a pack's words, with its terms of use."""

    name: str
    licence: str
    url: str | None
    attribution: str | None


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
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
    sources: tuple[SourceOfPack, ...]


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


class Wanted(NamedTuple):
    """A request for packs: the time, the pairs, and the Assamese names of parts of speech."""

    now: int
    pairs: tuple[str, ...]
    names_in: NamesIn


class Place(NamedTuple):
    """The folder of a pack in the batch that is being generated, named after its pair."""

    files: Making
    pair: str

    def write(self, name: str, content: bytes) -> None:
        """Write a file of the pack."""
        self.files.write(f"{self.pair}/{name}", content)


class PackFile(msgspec.Struct, frozen=True):
    """A file to send: its compressed bytes, its ETag, and whether it may be cached for ever."""

    content: bytes
    tag: str
    for_ever: bool


# --- generation -----------------------------------------------------------------------------------------------------


def make_packs(
    database: Database, store: MadeStore, *, now: int, pairs: Sequence[str], names_in: NamesIn = str
) -> Packs:
    """Generate the packs of the pairs, unless they are up to date, and publish them all in one step.

    `names_in` translates parts of speech to Assamese. If another process is generating packs, returns the current ones.
    Raises ExportError, UnavailableError, ConflictError, and then still offers the older packs.
    """
    with batch_publishing.made_alone(database, store, LEASE) as held:
        known = read_packs(store)
        if held is None:
            return known or Packs(FORM, 0, now, (), ())
        if known is not None and is_current(known, pairs) and known.data_version == database.read_now(_version):
            return known
        with batch_publishing.making(store, now, LIST_FILE) as files:
            return _make(database, held, files, Wanted(now, tuple(pairs), names_in))


def is_current(known: Packs, pairs: Sequence[str]) -> bool:
    """Return whether packs are of the requested pairs, in this program's format and with its key rules."""
    rules = all(pack.rules == rules_name(pack.source.code) for pack in known.packs)
    return rules and known.form == FORM and known.pairs == tuple(pairs)


def _version(reader: Reader) -> int:
    return reader.data_version()


def _make(database: Database, held: Fence, files: Making, wanted: Wanted) -> Packs:
    with database.snapshot() as reader:
        found = [languages for pair in wanted.pairs if (languages := packs.languages_of(reader, _read(pair)))]
        manifests = [_pack(reader, languages, files, wanted.names_in) for languages in found]
        version = reader.data_version()
    made = Packs(FORM, version, wanted.now, wanted.pairs, tuple(_listed(each) for each in manifests if each.words))
    files.offer(database, held, made)
    return made


def _read(name: str) -> Pair:
    pair = read_pair(name)
    if pair is None:
        raise ValueError(f"{name} is not a pair of languages")
    return pair


def _listed(manifest: Manifest) -> Pack:
    return Pack(
        manifest.pair,
        manifest.source,
        manifest.target,
        manifest.words,
        manifest.proverbs,
        manifest.bytes,
        manifest.rules.sha256,
    )


def _pack(reader: Reader, languages: Languages, files: Making, names_in: NamesIn) -> Manifest:
    """Write the files of one pack, chunk by chunk."""
    pair = Pair(languages.source.code, languages.target.code)
    own = Place(files, str(pair))
    rules = _write(own, rules_json(languages.source.code))
    chunks = [
        *_write_chunks(own, EntryKind.WORD, packs.all_words(reader, languages)),
        *_write_chunks(own, EntryKind.PROVERB, packs.all_proverbs(reader, languages)),
    ]
    manifest = Manifest(
        form=FORM,
        pair=str(pair),
        source=_named(languages.source),
        target=_named(languages.target),
        data_version=reader.data_version(),
        changes=list_changes(reader, None, 1).next,
        words=sum(chunk.entries for chunk in chunks if chunk.kind is EntryKind.WORD),
        proverbs=sum(chunk.entries for chunk in chunks if chunk.kind is EntryKind.PROVERB),
        bytes=rules.bytes + sum(chunk.bytes for chunk in chunks),
        rules=rules,
        chunks=tuple(chunks),
        parts_of_speech=_parts_of_speech(reader, names_in),
        sources=tuple(_sources(reader)),
    )
    own.write(f"{MANIFEST}{ENDING}", _compressed(msgspec.json.encode(manifest)))
    return manifest


def _named(language: Language) -> NamedLanguage:
    indic = language.script in INDIC_SCRIPTS
    return NamedLanguage(language.code, language.name, language.native_name, language.script, language.direction, indic)


def _write_chunks(place: Place, kind: EntryKind, entries: Iterator[Entry]) -> Iterator[PackedChunk]:
    for some in in_chunks(entries):
        written = _write(place, msgspec.json.encode(chunk_of(kind, some)))
        yield PackedChunk(written.sha256, written.bytes, kind, some[0].id, len(some))


def _write(place: Place, content: bytes) -> PackedFile:
    """Write a compressed file, named by the SHA-256 of its content."""
    name, packed = hashlib.sha256(content).hexdigest(), _compressed(content)
    place.write(f"{name}.json{ENDING}", packed)
    return PackedFile(name, len(packed))


def _compressed(content: bytes) -> bytes:
    return gzip.compress(content, 9, mtime=0)


def _parts_of_speech(reader: Reader, names_in: NamesIn) -> dict[str, dict[str, str]]:
    items = reader.catalogue.items_of(ListName.PARTS_OF_SPEECH)
    return {str(item.id): {"en": item.value, "as": names_in(item.value)} for item in items}


def _sources(reader: Reader) -> Iterator[SourceOfPack]:
    for source in dump.dump_sources(reader):
        yield SourceOfPack(source.name, source.licence, source.url, source.attribution)


# --- reading ---------------------------------------------------------------------------------------------------------


def read_packs(store: MadeStore) -> Packs | None:
    """Return the published packs; None if none were made yet, or if their format is no longer supported.

    Raises UnavailableError.
    """
    return _packs_of(batch_publishing.read_offered(store, LIST_FILE))


def _packs_of(offered: Offered | None) -> Packs | None:
    try:
        return msgspec.json.decode(offered.listed, type=Packs) if offered else None
    except msgspec.DecodeError:
        return None


def open_pack_file(store: MadeStore, offered: Offered | None, pair: str, name: str) -> PackFile | None:
    """Read a file of a pack: its manifest, or one that the manifest names; None if there is no such file."""
    if offered is None or not read_pair(pair) or not _is_name(name):
        return None
    content = store.read(f"{offered.folder}/{pair}/{name}{ENDING}")
    return None if content is None else PackFile(content, hashlib.sha256(content).hexdigest()[:32], name != MANIFEST)


def _is_name(name: str) -> bool:
    """Return whether a name has the form of a pack file, alphanumeric before `.json`, which rules out other paths."""
    stem = name.removesuffix(".json")
    return stem != name and stem.isascii() and stem.isalnum()


class PackFiles:
    """The packs of a store, read without blocking the event loop."""

    def __init__(self, store: MadeStore) -> None:
        """Initialise with the store."""
        self._store = store
        self._offered = Lately(store, partial(batch_publishing.read_offered, list_file=LIST_FILE))

    async def read_list(self) -> Packs | None:
        """Return the published packs; None if there are none. Raises UnavailableError."""
        return _packs_of(await self._offered())

    async def open(self, pair: str, name: str) -> PackFile:
        """Read a file of a pack. Raises NotFoundError, UnavailableError."""
        # Newer packs may have replaced the cached ones.
        for anew in (False, True):
            offered = await self._offered(anew=anew)
            found = await asyncio.to_thread(open_pack_file, self._store, offered, pair, name)
            if found is not None:
                return found
        raise NotFoundError(sentence("There is no such file. /packs/packs.json lists the packs."))
