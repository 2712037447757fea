"""Entries: words loaded with their meanings as JSON, a batch of words by one statement."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

from sqlalchemy import Integer, Select, Text, bindparam, exists, literal, null, select, union_all
from sqlalchemy.sql.selectable import FromClause

from abhidhan.dictionary.model.encoded_words import CodedWords
from abhidhan.dictionary.model.field_selection import TEXT, FieldSelection
from abhidhan.dictionary.model.idea_json import HeadwordKey, IdeaJSON, pieces_of, text_of_meaning, usual_text
from abhidhan.dictionary.model.word_json import (
    NULL,
    EncodedWord,
    EncodedWords,
    encode_meaning,
    encode_selected,
    encode_word,
)
from abhidhan.dictionary.store.acceleration.idea_cache import COLUMNS, IS_CACHED
from abhidhan.dictionary.store.idea_details import read_ideas
from abhidhan.dictionary.store.ideas import ALL_PIECES, LINES, Pieces, cached_columns
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row, chunks, in_list, list_params, per_list_size
from abhidhan.platform.database.key_queries import language_condition
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.ids import is_id
from abhidhan.records.languages import ASSAMESE
from abhidhan.records.lookup_lists import NO_PART_OF_SPEECH, ListName
from abhidhan.schema import idea_cache, sense, word, word_form
from assamese.romanize import pronounce
from assamese.word_frequency import BAND_FREQUENCIES, COUNTED_LANGUAGE, band

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
_WORD_ID = _WORD_COLUMNS.index(word.c.id)
_LANGUAGE_ID = _WORD_COLUMNS.index(word.c.language_id)
_EXACT_KEY = _WORD_COLUMNS.index(word.c.exact_key)
_IDEA_ID = _SENSE_START + _SENSE_COLUMNS.index(sense.c.idea_id)
_FORM = _SENSE_START + _SENSE_COLUMNS.index(idea_cache.c.form)


def _with_senses(words: FromClause, pieces: Pieces | None = ALL_PIECES) -> Select[Any]:
    """Select words with senses and cached ideas; if `fragments` is None, all columns but those of words are NULL.

    The rows are not sorted, since the database would copy all cached data of each idea to sort them.
    """
    if pieces is None:
        return select(*_WORD_COLUMNS, *([null()] * len((*_SENSE_COLUMNS, *COLUMNS)))).select_from(words)
    return select(*_WORD_COLUMNS, *_SENSE_COLUMNS, *cached_columns(pieces)).select_from(
        words.outerjoin(sense, sense.c.word_id == word.c.id).outerjoin(
            idea_cache, (idea_cache.c.idea_id == sense.c.idea_id) & IS_CACHED
        )
    )


@cache
def _by_exact_key(pieces: Pieces | None = ALL_PIECES) -> CompiledQuery:
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
    return CompiledQuery(_with_senses(matches.outerjoin(word, word.c.id == matches.c.id), pieces))


@cache
def _by_id(pieces: Pieces | None = ALL_PIECES) -> Callable[[int], CompiledQuery]:
    """Build the statements that read words by ID with given fragments of their ideas; there are nine combinations."""
    return per_list_size(lambda size: _with_senses(word, pieces).where(in_list(word.c.id, "id", size)))


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
        is_selected = self.selection is None or TEXT in self.selection.meaning_keys
        return self.line_languages is not None and is_selected

    @property
    def pieces(self) -> Pieces | None:
        """Fragments of ideas to read; None if no senses are needed."""
        pieces = ALL_PIECES
        if self.selection is not None:
            if not self.selection.meaning_keys and "pos" not in self.selection.keys:
                return None
            pieces = pieces_of(self.selection)
        # Only lines in the default languages are cached.
        return pieces | {LINES} if self.has_lines and not self.line_languages else pieces


_PRONUNCIATION: Final = frozenset({"ipa", "ipa_generated"})
DEFAULT_OPTIONS: Final = LoadOptions()

_OF_WORD = itemgetter(_WORD_ID)
_IN_ORDER = itemgetter(0, 1, 2, _SENSE_START, _SENSE_START + 1)
"""Order of words by language, sort key and text, and of their meanings. Texts are unique within a language."""


def load_words(
    reader: ReadConnection,
    word_ids: Sequence[int],
    selection: FieldSelection | None = None,
    pos_ids: frozenset[int] | None = None,
) -> EncodedWords:
    """Load words with all their data, in the order of `word_ids`; skip unknown IDs.

    With a selection, only the selected fields are read; with parts of speech, only meanings that have one of them.
    """
    return EncodedWords(load_encoded_words(reader, word_ids, LoadOptions(selection, pos_ids)))


def load_coded_words(reader: ReadConnection, word_ids: Sequence[int], options: LoadOptions) -> CodedWords:
    """Load words like `load_words`, with the codes of parts of speech and a text for each meaning."""
    return CodedWords(load_encoded_words(reader, word_ids, options), options.selection)


def load_encoded_words(
    reader: ReadConnection, word_ids: Sequence[int], options: LoadOptions = DEFAULT_OPTIONS
) -> list[EncodedWord]:
    """Load words like `load_words`, each encoded separately."""
    query = _by_id(options.pieces)
    if options.pieces is None:
        options = options._replace(pos_ids=None)
    words: dict[int, EncodedWord] = {}
    for batch in chunks([word_id for word_id in word_ids if is_id(word_id)], WORD_BATCH_SIZE):
        rows = reader.rows(query(len(batch)), **list_params("id", batch))
        words |= {word.id: word for word in _encode_rows(reader, rows, options)}
    return [words[word_id] for word_id in word_ids if word_id in words]


class WordsOfKey(NamedTuple):
    """Words with an exact key, and whether the key is also a stored form of a word."""

    words: list[EncodedWord]
    is_form: bool


def load_words_by_key(
    reader: ReadConnection, key: str, language_id: int, *, limit: int, selection: FieldSelection | None = None
) -> WordsOfKey:
    """Load at most `limit` words with an exact key, by language, then alphabetically.

    The same statement checks for stored forms; another one would take a tenth of a look-up.
    """
    if not key:
        return WordsOfKey([], is_form=False)
    query = _by_exact_key() if selection is None else _by_exact_key(LoadOptions(selection).pieces)
    rows = reader.rows(query, key=key, language_id=language_id, limit=limit)
    nonempty_rows = [row for row in rows if row[_WORD_ID] is not None]
    return WordsOfKey(_encode_rows(reader, nonempty_rows, LoadOptions(selection)), len(nonempty_rows) < len(rows))


_Sense = tuple[Row, IdeaJSON]
"""Row of a word with a sense, and the data of its idea."""


class _Encoding(NamedTuple):
    """Values shared by all words that are encoded: names, selected fields, JSON of parts of speech, line languages."""

    catalogue: Catalogue
    selection: FieldSelection | None
    parts: Mapping[int | None, bytes]
    no_part: bytes
    line_languages: tuple[int, ...] | None


def _encode_rows(reader: ReadConnection, rows: Sequence[Row], options: LoadOptions) -> list[EncodedWord]:
    """Encode the words of rows, by language, then alphabetically; uncached ideas are read from their tables."""
    ordered = sorted(rows, key=_IN_ORDER) if len(rows) > 1 else rows
    not_cached = {row[_IDEA_ID] for row in ordered if row[_FORM] is None and row[_IDEA_ID] is not None}
    ideas = read_ideas(reader, not_cached) if not_cached else {}
    catalogue, pos_ids = reader.catalogue, options.pos_ids
    parts = catalogue.parts_of_speech_json if options.line_languages is None else catalogue.coded_parts_of_speech_json
    line_languages = options.line_languages if options.line_languages is not None and options.has_lines else None
    encoding = _Encoding(catalogue, options.selection, parts, parts.get(None, NULL), line_languages)
    words = []
    for _, group in groupby(ordered, _OF_WORD):
        rows_of_word = list(group)
        senses = []
        for row in rows_of_word:
            idea = IdeaJSON._make(row[_IDEA_START:]) if row[_FORM] else ideas.get(row[_IDEA_ID])
            if idea and (pos_ids is None or (idea.pos_id or NO_PART_OF_SPEECH) in pos_ids):
                senses.append((row, idea))
        if senses or pos_ids is None:
            words.append(_encode_word(rows_of_word[0], senses, encoding))
    return words


def _encode_word(row: Row, senses: Sequence[_Sense], encoding: _Encoding) -> EncodedWord:
    catalogue, selection, parts, no_part, _ = encoding
    language_id, _, text, word_id, exact_key, *columns = row[:_SENSE_START]
    roman, rule_roman, ipa, asm, variant_id, origin, countable, plural, definitive, frequency, audio = columns
    if frequency is None and language_id == ASSAMESE and (selection is None or "frequency" in selection.keys):
        frequency = BAND_FREQUENCIES[band(exact_key, COUNTED_LANGUAGE)]
    rule_ipa = None
    if ipa is None and language_id == ASSAMESE and (selection is None or selection.keys & _PRONUNCIATION):
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
        pos=parts.get(senses[0][1].pos_id, no_part) if senses else no_part,
        meanings=[_encode_meaning(row, idea, encoding) for row, idea in senses],
    )


def _encode_meaning(row: Row, idea: IdeaJSON, encoding: _Encoding) -> bytes:
    catalogue, selection, parts, no_part, line_languages = encoding
    _, sense_id, idea_id, reference, note, source_id, licence, _ = row[_SENSE_START:_IDEA_START]
    source = catalogue.sources.get(source_id)
    encode: Callable[..., bytes] = encode_meaning
    if selection is not None:
        encode = partial(encode_selected, selection=selection)
    text = b""
    if line_languages is not None:
        language_id = row[_LANGUAGE_ID]
        text = b"" if line_languages else usual_text(idea, language_id)
        text = text or text_of_meaning(idea, HeadwordKey(language_id, row[_EXACT_KEY]), line_languages)
    return encode(
        row[_WORD_ID],
        sense_id,
        idea_id,
        idea,
        pos=parts.get(idea.pos_id, no_part),
        gender=NULL if idea.gender_id is None else catalogue.list_value_json(ListName.GENDERS, idea.gender_id),
        reference=reference,
        note=note or (source.notice if source else None),
        licence=licence or idea.licence,
        text=text,
    )
