"""Browsing: words in alphabetical order and their neighbours, recent words, ideas, and the sitemap."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from abhidhan.dictionary.model.encoded_words import CodedWord
from abhidhan.dictionary.model.field_selection import (
    ALL_FIELDS,
    FieldParams,
    FieldSelection,
    select_fields,
    select_idea_fields,
)
from abhidhan.dictionary.service.lookup_lists import (
    ALL_LANGUAGES_PARAM,
    LanguageParam,
    find_language_id,
    find_pos_ids,
    resolve_coded_word_fields,
    resolve_idea_fields,
    resolve_word_fields,
)
from abhidhan.dictionary.store import sitemap, totals, word_filters, word_rows, words
from abhidhan.dictionary.store.ideas import load_idea
from abhidhan.dictionary.store.word_filters import WordFilter
from abhidhan.dictionary.store.word_rows import LoadOptions
from abhidhan.dictionary.store.words import MAX_SORT_KEY, SortKeyRange
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import InputError, NotFoundError, sentence
from abhidhan.records.ideas import Idea
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE, ENGLISH, HINDI, Language
from abhidhan.records.paging import AlphabeticalPage, Page
from abhidhan.records.words import Word
from assamese.collation import prefix_end, primary_weights, sort_key
from assamese.keys import exact_key
from assamese.normalization import Script, detect_script, nfc

T = TypeVar("T")

LANGUAGE_BY_SCRIPT = {Script.EASTERN_NAGARI: ASSAMESE, Script.LATIN: ENGLISH, Script.DEVANAGARI: HINDI}
"""Language whose alphabet a list follows when only the script of its start is known."""

PREFIX_RANGE_SUFFIX = "zz"
"""Suffix that XOBDO's clients add to a prefix to include all words that begin with it: `start=পানী&end=পানীzz`."""


class RecentWord(Word, frozen=True):
    """A word with the time it was added, in seconds since 1970-01-01 UTC."""

    added: int


class AlphabetRange(msgspec.Struct, frozen=True):
    """Range of the alphabet from `start` to the last word that begins with `end`, of all or some parts of speech.

    Language 0 means the language that the script of `start` suggests. An empty `pos_ids` selects no words.
    """

    start: str
    end: str | None = None
    language_id: int = ALL_LANGUAGES
    pos_ids: tuple[int, ...] | None = None

    @property
    def pos_id_set(self) -> frozenset[int] | None:
        """IDs of the parts of speech whose meanings are listed; None means all."""
        return None if self.pos_ids is None else frozenset(self.pos_ids)


def list_alphabetically(
    connection: ReadConnection, alphabet_range: AlphabetRange, limit: int, selection: FieldSelection | None = None
) -> AlphabeticalPage[Word]:
    """List words in the alphabetical order of their language. Raises InputError when `end` comes before `start`."""
    page = _list_word_ids(connection, alphabet_range, limit)
    loaded = select_fields(
        word_rows.load_words(connection, page.items, selection, alphabet_range.pos_id_set), selection
    )
    return AlphabeticalPage(loaded, page.language_id, page.next)


def list_coded_words(  # noqa: PLR0913, PLR0917  # each is a query parameter
    connection: ReadConnection,
    alphabet_range: AlphabetRange,
    limit: int,
    language: LanguageParam = ALL_LANGUAGES_PARAM,
    pos: str = "",
    fields: FieldParams = ALL_FIELDS,
) -> AlphabeticalPage[CodedWord]:
    """List words in XOBDO's format: parts of speech as codes, and texts in the first available language.

    `pos` is the ID or code of a part of speech; only its meanings are included. Raises InputError.
    """
    selection, line_languages = resolve_coded_word_fields(connection, fields)
    alphabet_range = msgspec.structs.replace(
        alphabet_range, language_id=find_language_id(connection, language), pos_ids=find_pos_ids(connection, "p", pos)
    )
    page = _list_word_ids(connection, alphabet_range, limit)
    loaded = word_rows.load_coded_words(
        connection, page.items, LoadOptions(selection, alphabet_range.pos_id_set, line_languages)
    )
    return AlphabeticalPage(loaded, page.language_id, page.next)


def _list_word_ids(connection: ReadConnection, alphabet_range: AlphabetRange, limit: int) -> AlphabeticalPage[int]:
    language_id = alphabet_range.language_id or LANGUAGE_BY_SCRIPT.get(detect_script(alphabet_range.start), ASSAMESE)
    keys = _build_key_range(alphabet_range, language_id, connection.catalogue.language(language_id).code)
    if alphabet_range.pos_ids is None or len(alphabet_range.pos_ids) == 1:
        rows = words.list_alphabetically(connection, keys, next(iter(alphabet_range.pos_ids or ()), None), limit + 1)
    else:
        word_filter = WordFilter(alphabet_range.pos_ids)
        rows = (
            word_filters.list_alphabetically(connection, word_filter, keys, limit + 1) if alphabet_range.pos_ids else []
        )
    next_text = rows[limit].text if len(rows) > limit else None
    return AlphabeticalPage([row.word_id for row in rows[:limit]], language_id, next_text)


def _load_words(
    connection: ReadConnection, word_ids: Sequence[int], selection: FieldSelection | None
) -> Sequence[Word]:
    """Load words, reduced to the selected fields."""
    return select_fields(word_rows.load_words(connection, word_ids, selection), selection)


def _build_key_range(alphabet_range: AlphabetRange, language_id: int, code: str) -> SortKeyRange:
    start = nfc(alphabet_range.start)
    start_key = sort_key(start, code)
    end_key = MAX_SORT_KEY if alphabet_range.end is None else _compute_end_key(nfc(alphabet_range.end), start_key, code)
    if end_key <= start_key:
        raise InputError.of(
            "end", sentence("`%(parameter)s` comes before `start` in the alphabet; swap the two.", parameter="end")
        )
    return SortKeyRange(language_id, start_key, start, end_key)


def _compute_end_key(end: str, start_key: bytes, code: str) -> bytes:
    """Return the sort key after the last word that begins with `end`, or with `end` without PREFIX_RANGE_SUFFIX.

    After letters of another script, the suffix always marks a prefix, as in some languages Latin letters sort before
    the language's own. After Latin letters it may be part of a word (jazz), so there it marks a prefix only if the list
    begins within that prefix; some letters, such as ʼ and ʔ, sort after z.
    """
    if not end.endswith(PREFIX_RANGE_SUFFIX):
        return prefix_end(end, code)
    prefix = end.removesuffix(PREFIX_RANGE_SUFFIX)
    letters = primary_weights(prefix, code)
    ends_prefix = letters and (not _ends_in_latin(prefix) or start_key.startswith(letters))
    return prefix_end(prefix if ends_prefix else end, code)


def _ends_in_latin(text: str) -> bool:
    """Return whether the last letter of a text is Latin; trailing signs and digits are ignored."""
    scripts = (detect_script(character) for character in reversed(text))
    return next((script for script in scripts if script is not Script.OTHER), None) is Script.LATIN


def list_recent(
    connection: ReadConnection, language: LanguageParam, limit: int, *, convert: Callable[[RecentWord], T]
) -> list[T]:
    """List the most recently added words, newest first, each converted by `convert`. Raises InputError."""
    added = dict(words.list_recent(connection, find_language_id(connection, language), limit))
    return [convert(word) for word in load_recent(connection, added)]


def load_recent(
    connection: ReadConnection, added_times: Mapping[int, int], selection: FieldSelection | None = None
) -> tuple[RecentWord, ...]:
    """Load words by ID, with the time at which each was added."""
    return tuple(
        RecentWord(**msgspec.structs.asdict(word), added=added_times[word.id])
        for word in word_rows.load_words(connection, list(added_times), selection=selection)
    )


def list_page(  # noqa: PLR0913, PLR0917 (each is a query parameter)
    connection: ReadConnection,
    prefix: str | None,
    language: LanguageParam,
    limit: int,
    offset: int,
    fields: FieldParams = ALL_FIELDS,
) -> Page[Word]:
    """List one page of all words, or of those that begin with `prefix`, by language, then alphabetically.

    Raises InputError.
    """
    language_id, selection = find_language_id(connection, language), resolve_word_fields(connection, fields)
    if prefix is None:
        word_ids = words.list_page(connection, language_id, limit, offset)
        total = totals.count_words(connection, language_id)
    else:
        key = exact_key(prefix)
        total = words.count_with_prefix(connection, key, language_id)
        word_ids = words.list_prefix_page(connection, key, language_id, limit, offset) if offset < total else []
    return Page(_load_words(connection, word_ids, selection), total)


def list_by_ids(connection: ReadConnection, word_ids: Sequence[int], fields: FieldParams = ALL_FIELDS) -> Page[Word]:
    """List words by ID, each once, in the order of the IDs; skip unknown ones. Raises InputError."""
    loaded = _load_words(connection, list(dict.fromkeys(word_ids)), resolve_word_fields(connection, fields))
    return Page(loaded, len(loaded))


def get_idea(connection: ReadConnection, idea_id: int, fields: FieldParams = ALL_FIELDS) -> Idea:
    """Return one idea with its words. Raises NotFoundError, InputError."""
    selection = resolve_idea_fields(connection, fields)
    idea = load_idea(connection, idea_id, selection)
    if idea is None:
        raise NotFoundError(sentence("There is no idea with the ID %(idea_id)s.", idea_id=idea_id))
    return select_idea_fields(idea, selection)


class WordWithMetadata(NamedTuple):
    """A word, all languages by ID, and the licences of the data."""

    word: Word
    languages: dict[int, Language]
    licences: str


def get_word(connection: ReadConnection, word_id: int, fields: FieldParams = ALL_FIELDS) -> Word:
    """Return one word by ID. Raises NotFoundError, InputError."""
    selection = resolve_word_fields(connection, fields)
    loaded = word_rows.load_words(connection, [word_id], selection=selection)
    if not loaded:
        raise NotFoundError(sentence("There is no word with the ID %(word_id)s.", word_id=word_id))
    return select_fields(loaded, selection)[0]


def get_word_with_metadata(
    connection: ReadConnection, word_id: int, fields: FieldParams = ALL_FIELDS
) -> WordWithMetadata:
    """Return one word with all languages and the licences of the data. Raises NotFoundError, InputError."""
    catalogue = connection.catalogue
    return WordWithMetadata(get_word(connection, word_id, fields), catalogue.languages_by_id, catalogue.licences)


class Neighbours(msgspec.Struct, frozen=True):
    """Spellings before and after a place in the alphabet."""

    before: tuple[str, ...]
    after: tuple[str, ...]


def find_adjacent_words(connection: ReadConnection, language_id: int, text: str, limit: int) -> Neighbours:
    """Find up to `limit` words on each side of a spelling, which need not be a word of the language."""
    spelling = nfc(text)
    position = (language_id, sort_key(spelling, connection.catalogue.language(language_id).code), spelling, limit)
    before, after = words.find_adjacent_spellings(connection, *position)
    return Neighbours(tuple(reversed(before)), tuple(after))


WORDS_PER_SITEMAP_FILE = 10_000
"""Words per sitemap file. The protocol allows 50,000 URLs and 50 MB; smaller files are generated faster."""


def count_sitemap_files(connection: ReadConnection) -> int:
    """Return the number of sitemap files needed for all words."""
    return -(-sitemap.find_max_word_id(connection) // WORDS_PER_SITEMAP_FILE)


def format_sitemap_file(
    connection: ReadConnection, number: int, format_words: Callable[[Iterable[tuple[str, int]]], T]
) -> T:
    """Return a sitemap file formatted by `format_words`. Raises NotFoundError."""
    return format_words(list_sitemap_words(connection, number))


def list_sitemap_words(connection: ReadConnection, number: int) -> Iterable[tuple[str, int]]:
    """List the words of a sitemap file (numbered from 1) with their times of change. Raises NotFoundError."""
    if not 1 <= number <= count_sitemap_files(connection):
        raise NotFoundError(sentence("There is no sitemap part %(number)s.", number=number))
    return sitemap.list_sitemap_words(
        connection, (number - 1) * WORDS_PER_SITEMAP_FILE, number * WORDS_PER_SITEMAP_FILE
    )
