"""Entries of a pack: all those of a language pair, or those that have changed since a token."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Final, NamedTuple

import msgspec

from abhidhan.dictionary.model.field_selection import FieldSelection
from abhidhan.dictionary.model.word_json import LazyMeanings
from abhidhan.dictionary.service.changes import list_changes
from abhidhan.dictionary.store import word_rows
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.publishing import store
from abhidhan.publishing.model.offline_packs import (
    FORMAT_VERSION,
    Chunk,
    EntryKind,
    LanguagePair,
    PackEntry,
    PackMeaning,
    build_chunk,
    build_proverb_sense,
    build_sense,
    parse_pair,
)
from abhidhan.publishing.store import PackKeys, Proverb
from abhidhan.records.change_feed import Became, ChangePage, Followed
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.languages import Language
from abhidhan.records.words import Word
from assamese.key_rules_export import export_key_rules
from assamese.keys import loose_key
from assamese.word_frequency import frequency_to_band

WORD_BATCH_SIZE: Final = 500

_WORD_FIELDS: Final = frozenset({"id", "word", "roman", "frequency", "meanings"})
_MEANING_FIELDS: Final = frozenset({"pos", "translations", "definitions", "licence"})
_MEANINGS_DECODER: Final = msgspec.json.Decoder(tuple[PackMeaning, ...])


class PackLanguages(NamedTuple):
    """The two languages of a pack: of its words, and of their meanings."""

    source: Language
    target: Language


class Gone(msgspec.Struct, frozen=True):
    """The IDs of entries that are no longer in a pack, or never were."""

    words: tuple[int, ...]
    proverbs: tuple[int, ...]


class PackChanges(msgspec.Struct, frozen=True):
    """Changes of a pack: entries that replace those with the same IDs, and removed IDs.

    `rules` names the key rules: if it differs from the pack's, download the pack again. `next` and `more` are those of
    `/api/changes`.
    """

    form: int
    rules: str
    words: Chunk
    proverbs: Chunk
    gone: Gone
    next: str
    more: bool


def find_languages(connection: ReadConnection, name: str) -> PackLanguages:
    """Find the languages of a pair, such as as-en. Raises NotFoundError."""
    pair = parse_pair(name)
    languages = find_pair_languages(connection, pair) if pair else None
    if languages is None:
        raise NotFoundError(sentence("There is no language pair %(pair)s; try as-en.", pair=name))
    return languages


def find_pair_languages(connection: ReadConnection, pair: LanguagePair) -> PackLanguages | None:
    """Return the languages of a pair; None if the dictionary lacks one of them."""
    source, target = (connection.catalogue.find_language(code) for code in pair)
    return PackLanguages(source, target) if source and target and source.id != target.id else None


@lru_cache(maxsize=32)
def encode_rules(code: str) -> bytes:
    """Encode the key rules of a language."""
    return msgspec.json.encode(export_key_rules(code))


@lru_cache(maxsize=32)
def hash_rules(code: str) -> str:
    """Return the hash by which clients recognise the key rules of a language."""
    return sha256(encode_rules(code)).hexdigest()


# --- entries ---------------------------------------------------------------------------------------------------------


def iter_words(connection: ReadConnection, languages: PackLanguages) -> Iterator[PackEntry]:
    """Yield the words of a pack in the order of their IDs."""
    ids = store.load_word_ids(connection, languages.source.id)
    for start in range(0, len(ids), WORD_BATCH_SIZE):
        yield from load_words_by_id(connection, languages, ids[start : start + WORD_BATCH_SIZE].tolist())


def load_words_by_id(connection: ReadConnection, languages: PackLanguages, ids: Sequence[int]) -> list[PackEntry]:
    """Return the pack entries of the given words, in the order of `ids`."""
    source, target = languages
    keys = store.load_keys(connection, ids, source.id)
    selection = FieldSelection(_WORD_FIELDS, _MEANING_FIELDS, frozenset({source.id, target.id}))
    words = word_rows.load_words(connection, [word_id for word_id in ids if word_id in keys], selection=selection)
    entries = (_build_entry(word, keys[word.id], languages) for word in words)
    return [entry for entry in entries if entry is not None]


def _build_entry(word: Word, keys: PackKeys, languages: PackLanguages) -> PackEntry | None:
    """Return the entry of a word; None if it has no sense."""
    encoded = word.meanings.json if isinstance(word.meanings, LazyMeanings) else b"[]"
    senses = (
        build_sense(meaning, languages.source.id, languages.target.id) for meaning in _MEANINGS_DECODER.decode(encoded)
    )
    pack_senses = tuple(sense for sense in senses if sense is not None)
    return (
        PackEntry(word.id, word.word, word.roman or "", *keys, frequency_to_band(word.frequency), pack_senses)
        if pack_senses
        else None
    )


def iter_proverbs(connection: ReadConnection, languages: PackLanguages) -> Iterator[PackEntry]:
    """Yield the proverbs of a pack in the order of their IDs."""
    return (_build_proverb(proverb, languages) for proverb in store.iter_proverbs(connection, languages.source.id))


def _build_proverb(proverb: Proverb, languages: PackLanguages) -> PackEntry:
    loose = loose_key(proverb.text, languages.source.code)
    pack_sense = build_proverb_sense(proverb.meanings, proverb.licence, languages.source.id, languages.target.id)
    senses = (pack_sense,) if pack_sense else ()
    return PackEntry(proverb.id, proverb.text, proverb.roman or "", proverb.exact, loose, proverb.sound, 0, senses)


# --- changes ---------------------------------------------------------------------------------------------------------


def load_pack_changes(connection: ReadConnection, name: str, since: str, limit: int) -> PackChanges:
    """List the changes of a pack since a token. Raises NotFoundError, InputError and GoneError."""
    languages = find_languages(connection, name)
    change_page = list_changes(connection, since, limit)
    word_ids = _find_changed_word_ids(connection, change_page, languages.source.id)
    phrases = _filter_ids(change_page, Followed.PHRASE)
    words = load_words_by_id(connection, languages, sorted(word_ids))
    proverbs = [
        _build_proverb(proverb, languages) for proverb in store.load_proverbs(connection, phrases, languages.source.id)
    ]
    return PackChanges(
        FORMAT_VERSION,
        hash_rules(languages.source.code),
        build_chunk(EntryKind.WORD, words),
        build_chunk(EntryKind.PROVERB, proverbs),
        Gone(_find_missing_ids(word_ids, words), _find_missing_ids(phrases, proverbs)),
        change_page.next,
        change_page.more,
    )


def _find_changed_word_ids(connection: ReadConnection, change_page: ChangePage, language_id: int) -> set[int]:
    """Return the IDs of words that have changed, or whose ideas have."""
    ideas = {
        record.id for record in change_page.records if record.kind is Followed.IDEA and record.became is Became.CHANGED
    }
    return _filter_ids(change_page, Followed.WORD) | store.load_word_ids_of_ideas(connection, ideas, language_id)


def _filter_ids(change_page: ChangePage, kind: Followed) -> set[int]:
    return {record.id for record in change_page.records if record.kind is kind}


def _find_missing_ids(ids: Iterable[int], entries: Iterable[PackEntry]) -> tuple[int, ...]:
    return tuple(sorted({*ids} - {entry.id for entry in entries}))
