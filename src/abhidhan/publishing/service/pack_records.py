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
    chunk_of,
    read_pair,
    sense_of,
    sense_of_proverb,
)
from abhidhan.publishing.store import PackKeys, Proverb
from abhidhan.records.change_feed import Became, ChangePage, Followed
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.languages import Language
from abhidhan.records.words import Word
from assamese.key_rules_export import portable_keys
from assamese.keys import loose_key
from assamese.word_frequency import band_of

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


def find_languages(reader: ReadConnection, name: str) -> PackLanguages:
    """Find the languages of a pair, such as as-en. Raises NotFoundError."""
    pair = read_pair(name)
    languages = languages_of(reader, pair) if pair else None
    if languages is None:
        raise NotFoundError(sentence("There is no language pair %(pair)s; try as-en.", pair=name))
    return languages


def languages_of(reader: ReadConnection, pair: LanguagePair) -> PackLanguages | None:
    """Return the languages of a pair; None if the dictionary lacks one of them."""
    source, target = (reader.catalogue.find_language(code) for code in pair)
    return PackLanguages(source, target) if source and target and source.id != target.id else None


@lru_cache(maxsize=32)
def rules_json(code: str) -> bytes:
    """Encode the key rules of a language."""
    return msgspec.json.encode(portable_keys(code))


@lru_cache(maxsize=32)
def rules_name(code: str) -> str:
    """Return the hash by which clients recognise the key rules of a language."""
    return sha256(rules_json(code)).hexdigest()


# --- entries ---------------------------------------------------------------------------------------------------------


def all_words(reader: ReadConnection, languages: PackLanguages) -> Iterator[PackEntry]:
    """Yield the words of a pack in the order of their IDs."""
    ids = store.word_ids(reader, languages.source.id)
    for start in range(0, len(ids), WORD_BATCH_SIZE):
        yield from words_by_id(reader, languages, ids[start : start + WORD_BATCH_SIZE].tolist())


def words_by_id(reader: ReadConnection, languages: PackLanguages, ids: Sequence[int]) -> list[PackEntry]:
    """Return the pack entries of the given words, in the order of `ids`."""
    source, target = languages
    keys = store.stored_keys(reader, ids, source.id)
    selection = FieldSelection(_WORD_FIELDS, _MEANING_FIELDS, frozenset({source.id, target.id}))
    words = word_rows.load_words(reader, [word_id for word_id in ids if word_id in keys], selection=selection)
    entries = (_entry(word, keys[word.id], languages) for word in words)
    return [entry for entry in entries if entry is not None]


def _entry(word: Word, keys: PackKeys, languages: PackLanguages) -> PackEntry | None:
    """Return the entry of a word; None if it has no sense."""
    encoded = word.meanings.json if isinstance(word.meanings, LazyMeanings) else b"[]"
    senses = (
        sense_of(meaning, languages.source.id, languages.target.id) for meaning in _MEANINGS_DECODER.decode(encoded)
    )
    pack_senses = tuple(sense for sense in senses if sense is not None)
    return (
        PackEntry(word.id, word.word, word.roman or "", *keys, band_of(word.frequency), pack_senses)
        if pack_senses
        else None
    )


def all_proverbs(reader: ReadConnection, languages: PackLanguages) -> Iterator[PackEntry]:
    """Yield the proverbs of a pack in the order of their IDs."""
    return (_proverb(proverb, languages) for proverb in store.proverbs(reader, languages.source.id))


def _proverb(proverb: Proverb, languages: PackLanguages) -> PackEntry:
    loose = loose_key(proverb.text, languages.source.code)
    pack_sense = sense_of_proverb(proverb.meanings, proverb.licence, languages.source.id, languages.target.id)
    senses = (pack_sense,) if pack_sense else ()
    return PackEntry(proverb.id, proverb.text, proverb.roman or "", proverb.exact, loose, proverb.sound, 0, senses)


# --- changes ---------------------------------------------------------------------------------------------------------


def pack_changes(reader: ReadConnection, name: str, since: str, limit: int) -> PackChanges:
    """List the changes of a pack since a token. Raises NotFoundError, InputError and GoneError."""
    languages = find_languages(reader, name)
    followed = list_changes(reader, since, limit)
    word_ids = _changed_word_ids(reader, followed, languages.source.id)
    phrases = _ids(followed, Followed.PHRASE)
    words = words_by_id(reader, languages, sorted(word_ids))
    proverbs = [_proverb(proverb, languages) for proverb in store.proverbs_by_id(reader, phrases, languages.source.id)]
    return PackChanges(
        FORMAT_VERSION,
        rules_name(languages.source.code),
        chunk_of(EntryKind.WORD, words),
        chunk_of(EntryKind.PROVERB, proverbs),
        Gone(_missing_ids(word_ids, words), _missing_ids(phrases, proverbs)),
        followed.next,
        followed.more,
    )


def _changed_word_ids(reader: ReadConnection, followed: ChangePage, language_id: int) -> set[int]:
    """Return the IDs of words that have changed, or whose ideas have."""
    ideas = {
        record.id for record in followed.records if record.kind is Followed.IDEA and record.became is Became.CHANGED
    }
    return _ids(followed, Followed.WORD) | store.words_of_ideas(reader, ideas, language_id)


def _ids(followed: ChangePage, kind: Followed) -> set[int]:
    return {record.id for record in followed.records if record.kind is kind}


def _missing_ids(ids: Iterable[int], entries: Iterable[PackEntry]) -> tuple[int, ...]:
    return tuple(sorted({*ids} - {entry.id for entry in entries}))
