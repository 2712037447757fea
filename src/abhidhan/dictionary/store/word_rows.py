"""Entries: words loaded with their meanings as JSON, a batch of words by one statement."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

from sqlalchemy import Integer, Select, Text, bindparam, exists, literal, null, select, union_all
from sqlalchemy.sql.selectable import FromClause

from abhidhan.dictionary.model.encoded_words import CodedWords
from abhidhan.dictionary.model.field_selection import TEXT_KEY, FieldSelection
from abhidhan.dictionary.model.idea_json import (
    HeadwordKey,
    IdeaJSON,
    describe_meaning,
    fragments_for_meanings,
    get_cached_line,
)
from abhidhan.dictionary.model.word_json import (
    NULL,
    EncodedWord,
    EncodedWords,
    encode_meaning,
    encode_selected_members,
    encode_word,
)
from abhidhan.dictionary.store.acceleration.idea_cache import CACHED_COLUMNS, IS_CACHED
from abhidhan.dictionary.store.idea_details import load_uncached_ideas
from abhidhan.dictionary.store.ideas import ALL_FRAGMENTS, LINES_FRAGMENT, Fragments, cached_columns
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row, chunks, in_list, list_params, per_list_size
from abhidhan.platform.database.key_queries import language_condition
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.ids import is_valid_id
from abhidhan.records.languages import ASSAMESE
from abhidhan.records.lookup_lists import NO_PART_OF_SPEECH_ID, ListName
from abhidhan.schema import idea_cache, sense, word, word_form
from assamese.romanize import pronounce
from assamese.word_frequency import BAND_FREQUENCIES, COUNTED_LANGUAGE, look_up_band

WORD_BATCH_SIZE: Final = 256
"""Maximum number of words that one statement reads."""


_WORD_COLUMNS = (
    word.c.language_id,
    word.c.sort_key,
    word.c.text,
    word.c.id,
    word.c.exact_key,
    word.c.roman,
    word.c.rule_roman,
    word.c.ipa,
    word.c.asm,
    word.c.variant_id,
    word.c.origin,
    word.c.countable,
    word.c.plural,
    word.c.definitive,
    word.c.frequency,
    word.c.audio,
)
"""Columns of the word, which come first in a row; decoded by `_encode_word`."""

_SENSE_COLUMNS = (
    sense.c.position,
    sense.c.id,
    sense.c.idea_id,
    sense.c.reference,
    sense.c.note,
    sense.c.source_id,
    sense.c.licence,
    idea_cache.c.form,
)
"""Columns of a sense, which follow those of the word and are NULL without a sense; decoded by `_encode_meaning`."""

_SENSE_START = len(_WORD_COLUMNS)
_IDEA_START = _SENSE_START + len(_SENSE_COLUMNS)
_WORD_ID_INDEX = _WORD_COLUMNS.index(word.c.id)
_LANGUAGE_ID_INDEX = _WORD_COLUMNS.index(word.c.language_id)
_EXACT_KEY_INDEX = _WORD_COLUMNS.index(word.c.exact_key)
_IDEA_ID_INDEX = _SENSE_START + _SENSE_COLUMNS.index(sense.c.idea_id)
_FORMAT_INDEX = _SENSE_START + _SENSE_COLUMNS.index(idea_cache.c.form)


def _select_with_senses(words: FromClause, fragments: Fragments | None = ALL_FRAGMENTS) -> Select[Any]:
    """Select words with senses and cached ideas; if `fragments` is None, all columns but those of words are NULL.

    The rows are not sorted, since the database would copy all cached data of each idea to sort them.
    """
    if fragments is None:
        return select(*_WORD_COLUMNS, *([null()] * len((*_SENSE_COLUMNS, *CACHED_COLUMNS)))).select_from(words)
    return select(*_WORD_COLUMNS, *_SENSE_COLUMNS, *cached_columns(fragments)).select_from(
        words.outerjoin(sense, sense.c.word_id == word.c.id).outerjoin(
            idea_cache, (idea_cache.c.idea_id == sense.c.idea_id) & IS_CACHED
        )
    )


@cache
def _exact_key_query(fragments: Fragments | None = ALL_FRAGMENTS) -> CompiledQuery:
    """Build the statement for the words with an exact key; an additional empty row means that it is also a form."""
    word_alias = word.alias("same")
    key = bindparam("key", type_=Text)
    spelled = (
        select(word_alias.c.id)
        .where(word_alias.c.exact_key == key, language_condition(word_alias.c.language_id))
        .order_by(word_alias.c.language_id, word_alias.c.sort_key, word_alias.c.text)
        .limit(bindparam("limit", type_=Integer))
        .subquery("spelled")
    )
    is_form = select(literal(None, Integer)).where(exists().where(word_form.c.key == key))
    matches = union_all(select(spelled.c.id), is_form).subquery("found")
    # With an outer join, SQLite reads the matches row by row; otherwise it would copy them first (a tenth of the time).
    return CompiledQuery(_select_with_senses(matches.outerjoin(word, word.c.id == matches.c.id), fragments))


@cache
def _id_query(fragments: Fragments | None = ALL_FRAGMENTS) -> Callable[[int], CompiledQuery]:
    """Build the statements that read words by ID with given fragments of their ideas; there are nine combinations."""
    return per_list_size(lambda size: _select_with_senses(word, fragments).where(in_list(word.c.id, "id", size)))


class LoadOptions(NamedTuple):
    """Options for loading words: fields, parts of speech of meanings (None: all), and languages of their lines.

    With `line_languages`, even an empty one, words have codes of parts of speech, and meanings have lines in these
    languages.
    """

    selection: FieldSelection | None = None
    pos_ids: frozenset[int] | None = None
    line_languages: tuple[int, ...] | None = None

    @property
    def has_lines(self) -> bool:
        """Return whether meanings have lines."""
        is_selected = self.selection is None or TEXT_KEY in self.selection.meaning_keys
        return self.line_languages is not None and is_selected

    @property
    def fragments(self) -> Fragments | None:
        """Fragments of ideas to read; None if no senses are needed."""
        fragments = ALL_FRAGMENTS
        if self.selection is not None:
            if not self.selection.meaning_keys and "pos" not in self.selection.keys:
                return None
            fragments = fragments_for_meanings(self.selection)
        # Only lines in the default languages are cached.
        return fragments | {LINES_FRAGMENT} if self.has_lines and not self.line_languages else fragments


_PRONUNCIATION_KEYS: Final = frozenset({"ipa", "ipa_generated"})
DEFAULT_OPTIONS: Final = LoadOptions()

_GET_WORD_ID = itemgetter(_WORD_ID_INDEX)
_ROW_SORT_KEY = itemgetter(0, 1, 2, _SENSE_START, _SENSE_START + 1)
"""Order of words by language, sort key and text, and of their meanings. Texts are unique within a language."""


def load_words(
    connection: ReadConnection,
    word_ids: Sequence[int],
    selection: FieldSelection | None = None,
    pos_ids: frozenset[int] | None = None,
) -> EncodedWords:
    """Load words with all their data, in the order of `word_ids`; skip unknown IDs.

    With a selection, only the selected fields are read; with parts of speech, only meanings that have one of them.
    """
    return EncodedWords(load_encoded_words(connection, word_ids, LoadOptions(selection, pos_ids)))


def load_coded_words(connection: ReadConnection, word_ids: Sequence[int], options: LoadOptions) -> CodedWords:
    """Load words like `load_words`, with the codes of parts of speech and a text for each meaning."""
    return CodedWords(load_encoded_words(connection, word_ids, options), options.selection)


def load_encoded_words(
    connection: ReadConnection, word_ids: Sequence[int], options: LoadOptions = DEFAULT_OPTIONS
) -> list[EncodedWord]:
    """Load words like `load_words`, each encoded separately."""
    query = _id_query(options.fragments)
    if options.fragments is None:
        options = options._replace(pos_ids=None)
    words: dict[int, EncodedWord] = {}
    for batch in chunks([word_id for word_id in word_ids if is_valid_id(word_id)], WORD_BATCH_SIZE):
        rows = connection.rows(query(len(batch)), **list_params("id", batch))
        words |= {word.id: word for word in _encode_rows(connection, rows, options)}
    return [words[word_id] for word_id in word_ids if word_id in words]


class ExactKeyWords(NamedTuple):
    """Words with an exact key, and whether the key is also a stored form of a word."""

    words: list[EncodedWord]
    is_form: bool


def load_words_by_key(
    connection: ReadConnection, key: str, language_id: int, *, limit: int, selection: FieldSelection | None = None
) -> ExactKeyWords:
    """Load at most `limit` words with an exact key, by language, then alphabetically.

    The same statement checks for stored forms; another one would take a tenth of a look-up.
    """
    if not key:
        return ExactKeyWords([], is_form=False)
    query = _exact_key_query() if selection is None else _exact_key_query(LoadOptions(selection).fragments)
    rows = connection.rows(query, key=key, language_id=language_id, limit=limit)
    nonempty_rows = [row for row in rows if row[_WORD_ID_INDEX] is not None]
    return ExactKeyWords(
        _encode_rows(connection, nonempty_rows, LoadOptions(selection)), len(nonempty_rows) < len(rows)
    )


_Sense = tuple[Row, IdeaJSON]
"""Row of a word with a sense, and the data of its idea."""


class _EncodingContext(NamedTuple):
    """Values shared by all words that are encoded: names, selected fields, JSON of parts of speech, line languages."""

    catalogue: Catalogue
    selection: FieldSelection | None
    pos_json: Mapping[int | None, bytes]
    no_pos_json: bytes
    line_languages: tuple[int, ...] | None


def _encode_rows(connection: ReadConnection, rows: Sequence[Row], options: LoadOptions) -> list[EncodedWord]:
    """Encode the words of rows, by language, then alphabetically; uncached ideas are read from their tables."""
    ordered = sorted(rows, key=_ROW_SORT_KEY) if len(rows) > 1 else rows
    not_cached = {
        row[_IDEA_ID_INDEX] for row in ordered if row[_FORMAT_INDEX] is None and row[_IDEA_ID_INDEX] is not None
    }
    ideas = load_uncached_ideas(connection, not_cached) if not_cached else {}
    catalogue, pos_ids = connection.catalogue, options.pos_ids
    pos_json = (
        catalogue.parts_of_speech_json if options.line_languages is None else catalogue.coded_parts_of_speech_json
    )
    line_languages = options.line_languages if options.line_languages is not None and options.has_lines else None
    encoding = _EncodingContext(catalogue, options.selection, pos_json, pos_json.get(None, NULL), line_languages)
    words = []
    for _, group in groupby(ordered, _GET_WORD_ID):
        rows_of_word = list(group)
        senses = []
        for row in rows_of_word:
            idea = IdeaJSON._make(row[_IDEA_START:]) if row[_FORMAT_INDEX] else ideas.get(row[_IDEA_ID_INDEX])
            if idea and (pos_ids is None or (idea.pos_id or NO_PART_OF_SPEECH_ID) in pos_ids):
                senses.append((row, idea))
        if senses or pos_ids is None:
            words.append(_encode_word(rows_of_word[0], senses, encoding))
    return words


def _encode_word(row: Row, senses: Sequence[_Sense], encoding: _EncodingContext) -> EncodedWord:
    catalogue, selection, pos_json, no_pos_json, _ = encoding
    language_id, _, text, word_id, exact_key, *columns = row[:_SENSE_START]
    roman, rule_roman, ipa, asm, variant_id, origin, countable, plural, definitive, frequency, audio = columns
    if frequency is None and language_id == ASSAMESE and (selection is None or "frequency" in selection.keys):
        frequency = BAND_FREQUENCIES[look_up_band(exact_key, COUNTED_LANGUAGE)]
    rule_ipa = None
    if ipa is None and language_id == ASSAMESE and (selection is None or selection.keys & _PRONUNCIATION_KEYS):
        rule_ipa = pronounce(text)
    return encode_word(
        word_id,
        text,
        language_id,
        language=catalogue.language_names_json[language_id],
        roman=roman,
        rule_roman=rule_roman,
        ipa=ipa,
        rule_ipa=rule_ipa,
        asm=asm,
        countable=countable,
        variant=NULL if variant_id is None else catalogue.list_value_json(ListName.VARIANTS, variant_id),
        origin=origin,
        plural=plural,
        definitive=definitive,
        frequency=frequency,
        audio=audio,
        pos=pos_json.get(senses[0][1].pos_id, no_pos_json) if senses else no_pos_json,
        meanings=[_encode_meaning(row, idea, encoding) for row, idea in senses],
    )


def _encode_meaning(row: Row, idea: IdeaJSON, encoding: _EncodingContext) -> bytes:
    catalogue, selection, pos_json, no_pos_json, line_languages = encoding
    _, sense_id, idea_id, reference, note, source_id, licence, _ = row[_SENSE_START:_IDEA_START]
    source = catalogue.sources.get(source_id)
    encode: Callable[..., bytes] = encode_meaning
    if selection is not None:
        encode = partial(encode_selected_members, selection=selection)
    text = b""
    if line_languages is not None:
        language_id = row[_LANGUAGE_ID_INDEX]
        text = b"" if line_languages else get_cached_line(idea, language_id)
        text = text or describe_meaning(idea, HeadwordKey(language_id, row[_EXACT_KEY_INDEX]), line_languages)
    return encode(
        row[_WORD_ID_INDEX],
        sense_id,
        idea_id,
        idea,
        pos=pos_json.get(idea.pos_id, no_pos_json),
        gender=NULL if idea.gender_id is None else catalogue.list_value_json(ListName.GENDERS, idea.gender_id),
        reference=reference,
        note=note or (source.notice if source else None),
        licence=licence or idea.licence,
        text=text,
    )
