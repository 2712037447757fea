"""Entries of a pack: all of a language pair, or those that have changed since a token."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Final, NamedTuple

import msgspec

from abhidhan.dictionary.model.field_selection import Selection
from abhidhan.dictionary.model.word_json import LazyMeanings
from abhidhan.dictionary.service.changes import list_changes
from abhidhan.dictionary.store import word_rows
from abhidhan.platform.database.reader import Reader
from abhidhan.publishing import store
from abhidhan.publishing.model.offline_packs import (
    FORM,
    Chunk,
    Entry,
    EntryKind,
    Meaning,
    Pair,
    chunk_of,
    read_pair,
    sense_of,
    sense_of_proverb,
)
from abhidhan.publishing.store import Proverb, StoredKeys
from abhidhan.records.change_feed import Became, Followed, FollowedChanges
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.languages import Language
from abhidhan.records.words import Word
from assamese.key_rules_export import portable_keys
from assamese.keys import loose_key
from assamese.word_frequency import band_of

WORDS_AT_ONCE: Final = 500

_OF_WORDS: Final = frozenset({"id", "word", "roman", "frequency", "meanings"})
_OF_MEANINGS: Final = frozenset({"pos", "translations", "definitions", "licence"})
_MEANINGS: Final = msgspec.json.Decoder(tuple[Meaning, ...])


class Languages(NamedTuple):
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


def find_languages(reader: Reader, name: str) -> Languages:
    """Find the languages of a pair, such as as-en. Raises NotFoundError."""
    pair = read_pair(name)
    found = languages_of(reader, pair) if pair else None
    if found is None:
        raise NotFoundError(sentence("There is no language pair %(pair)s; try as-en.", pair=name))
    return found


def languages_of(reader: Reader, pair: Pair) -> Languages | None:
    """Return the languages of a pair; None if the dictionary lacks one of them."""
    source, target = (reader.catalogue.find_language(code) for code in pair)
    return Languages(source, target) if source and target and source.id != target.id else None


@lru_cache(maxsize=32)
def rules_json(code: str) -> bytes:
    """Encode the key rules of a language."""
    return msgspec.json.encode(portable_keys(code))


@lru_cache(maxsize=32)
def rules_name(code: str) -> str:
    """Return the hash of a language's key rules, which names them."""
    return sha256(rules_json(code)).hexdigest()


# --- entries ---------------------------------------------------------------------------------------------------------


def all_words(reader: Reader, languages: Languages) -> Iterator[Entry]:
    """Yield the words of a pack in the order of their IDs."""
    ids = store.word_ids(reader, languages.source.id)
    for start in range(0, len(ids), WORDS_AT_ONCE):
        yield from some_words(reader, languages, ids[start : start + WORDS_AT_ONCE].tolist())


def some_words(reader: Reader, languages: Languages, ids: Sequence[int]) -> list[Entry]:
    """Return the pack entries of the given words, in the order of `ids`."""
    source, target = languages
    keys = store.stored_keys(reader, ids, source.id)
    selection = Selection(_OF_WORDS, _OF_MEANINGS, frozenset({source.id, target.id}))
    words = word_rows.gather(reader, [each for each in ids if each in keys], selection=selection)
    found = (_entry(word, keys[word.id], languages) for word in words)
    return [entry for entry in found if entry is not None]


def _entry(word: Word, keys: StoredKeys, languages: Languages) -> Entry | None:
    """Return the entry of a word; None if it has no sense."""
    written = word.meanings.json if isinstance(word.meanings, LazyMeanings) else b"[]"
    senses = (sense_of(each, languages.source.id, languages.target.id) for each in _MEANINGS.decode(written))
    said = tuple(sense for sense in senses if sense is not None)
    return Entry(word.id, word.word, word.roman or "", *keys, band_of(word.frequency), said) if said else None


def all_proverbs(reader: Reader, languages: Languages) -> Iterator[Entry]:
    """Yield the proverbs of a pack in the order of their IDs."""
    return (_proverb(each, languages) for each in store.proverbs(reader, languages.source.id))


def _proverb(proverb: Proverb, languages: Languages) -> Entry:
    loose = loose_key(proverb.text, languages.source.code)
    said = sense_of_proverb(proverb.meanings, proverb.licence, languages.source.id, languages.target.id)
    senses = (said,) if said else ()
    return Entry(proverb.id, proverb.text, proverb.roman or "", proverb.exact, loose, proverb.sound, 0, senses)


# --- changes ---------------------------------------------------------------------------------------------------------


def pack_changes(reader: Reader, name: str, since: str, limit: int) -> PackChanges:
    """List the changes of a pack since a token. Raises NotFoundError, InputError and GoneError."""
    languages = find_languages(reader, name)
    followed = list_changes(reader, since, limit)
    asked = _words_touched(reader, followed, languages.source.id)
    phrases = _ids(followed, Followed.PHRASE)
    words = some_words(reader, languages, sorted(asked))
    proverbs = [_proverb(each, languages) for each in store.some_proverbs(reader, phrases, languages.source.id)]
    return PackChanges(
        FORM,
        rules_name(languages.source.code),
        chunk_of(EntryKind.WORD, words),
        chunk_of(EntryKind.PROVERB, proverbs),
        Gone(_missing(asked, words), _missing(phrases, proverbs)),
        followed.next,
        followed.more,
    )


def _words_touched(reader: Reader, followed: FollowedChanges, language_id: int) -> set[int]:
    """Return the IDs of words that have changed, or whose ideas have."""
    ideas = {each.id for each in followed.records if each.kind is Followed.IDEA and each.became is Became.CHANGED}
    return _ids(followed, Followed.WORD) | store.words_of_ideas(reader, ideas, language_id)


def _ids(followed: FollowedChanges, kind: Followed) -> set[int]:
    return {each.id for each in followed.records if each.kind is kind}


def _missing(asked: Iterable[int], found: Iterable[Entry]) -> tuple[int, ...]:
    return tuple(sorted({*asked} - {entry.id for entry in found}))
