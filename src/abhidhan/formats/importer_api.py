"""Common parts of importers: their protocol and options, and parsers of cells."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Final, Protocol, TypeVar

import msgspec

from abhidhan.formats.content_streams import ContentStream
from abhidhan.formats.grammar_marks import extract_labels, format_other_labels
from abhidhan.formats.languages import canonical_code
from abhidhan.records.errors import InputError
from abhidhan.records.import_records import LocatedRecord, RawEntry, RecordError, SourceDeletion, UnstoredValue
from abhidhan.records.kinds import IdeaRecord, SourceRecord, WordRecord
from abhidhan.records.kinds.fields import MAX_KEY_LENGTH, MAX_PHRASE_LENGTH, MAX_TEXT_LENGTH, MAX_WORD_LENGTH

T = TypeVar("T")

ParsedRecord = LocatedRecord | RecordError | UnstoredValue | SourceDeletion | RawEntry
"""A record with its location, an error, a lost value, a deletion, or an entry stored in its original form."""

_WORD_SEPARATOR: Final = re.compile(r"(?:[|;]|,\s|\s,|、|।)(?![^(\[]*[)\]])(?![A-Za-z ,./&+]{0,30}>)")
"""Separators of words in a list, except within brackets or a label such as <n, f>."""

_NOTE: Final = re.compile(r"(?<!\S)[(\[]([^)\]]*)[)\]](?=[\s,;.|]|$)")
"""Pattern of a note in brackets, separated by spaces; behavio(u)r contains none."""


class ImportOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The user's options: the source of the file, and facts that the file itself lacks.

    `header` names the columns of tables without headings. `values` maps, for each of `language`, `pos`, `gender`,
    `context`, `variant`, `relation` and `category`, the values in the file to those of the dictionary.
    """

    source: SourceRecord | None = None
    language: str | None = None
    target: str | None = None
    encoding: str | None = None
    category: str | None = None
    header: tuple[str, ...] = ()
    columns: dict[str, str] = {}
    values: dict[str, dict[str, str]] = {}

    def map_value(self, kind: str, text: str) -> str:
        """Return the value to which the user maps a text, else the text itself."""
        return self.values.get(kind, {}).get(text, text)

    def map_language(self, code: str) -> str:
        """Return the language code to which the user maps a code, else its canonical form, else the code itself."""
        mapped = self.values.get("language", {}).get(code)
        return mapped or canonical_code(code) or code

    def require_source(self, default: SourceRecord | None = None) -> SourceRecord:
        """Return the source of the records. Raises InputError if neither the user nor the format names it."""
        source = self.source or default
        if source is None:
            raise InputError.of(
                "source",
                "Where does the file come from? Give its source and licence, such as: --source hemkosh --licence "
                "CC0-1.0.",
            )
        return source

    def require_language(self) -> str:
        """Return the language of the headwords. Raises InputError if the user does not name it."""
        if self.language is None:
            raise InputError.of("language", "Which language are the words in? Give it, such as: --language as.")
        return self.map_language(self.language)


class Importer(Protocol):
    """Function that reads the contents of files into records, in one pass and with flat memory."""

    def __call__(self, contents: Iterator[ContentStream], options: ImportOptions) -> Iterator[ParsedRecord]:
        """Yield records, errors and losses with their locations. Raises InputError if the files are unreadable."""
        ...


def wrap_source(record: SourceRecord) -> LocatedRecord:
    """Wrap a source as a located record; readers yield it before the records that refer to it."""
    return LocatedRecord("source", 0, record)


def build_key(*parts: object) -> str:
    """Build a readable key from parts. A key that is too long is cut and gets a hash at its end."""
    key = ":".join(" ".join(str(part).split()) for part in parts)
    if len(key) <= MAX_KEY_LENGTH:
        return key
    return f"{key[:100]}…{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}"


def slugify(text: str) -> str:
    """Convert a name to a code of lower-case letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60] or "source"


def parse_words(language: str, text: str) -> tuple[WordRecord, ...]:
    """Return the words of a cell, split at `|`, `;` and commas; text in brackets becomes a note."""
    return _build_words(language, _WORD_SEPARATOR.split(text))


def has_long_word(text: str) -> bool:
    """Return whether `parse_words` would drop a word of a cell because it is too long."""
    if len(text) <= MAX_WORD_LENGTH:
        return False
    return any(len(" ".join(_NOTE.sub(" ", piece).split())) > MAX_WORD_LENGTH for piece in _WORD_SEPARATOR.split(text))


def parse_equivalents(language: str, text: str) -> tuple[WordRecord, ...]:
    """Return the words of a translation; a phrase with commas stays whole unless all its parts are short."""
    words = parse_words(language, text)
    if all(len(word.text.split()) <= MAX_EQUIVALENT_WORDS for word in words):
        return words
    return _build_words(language, [text])


def _build_words(language: str, pieces: Iterable[str]) -> tuple[WordRecord, ...]:
    words: dict[str, WordRecord] = {}
    for piece in pieces:
        plain, marks = extract_labels(piece)
        word = " ".join(_NOTE.sub(" ", plain).split()).strip(" .,;|।")
        if word and len(word) <= MAX_WORD_LENGTH:
            notes = join_notes(*(note.strip() for note in _NOTE.findall(plain)), format_other_labels(marks))
            words.setdefault(word, WordRecord(language, word, note=notes))
    return tuple(words.values())


def is_word_list(text: str) -> bool:
    """Return whether a text is a list of words rather than an explanation."""
    plain = _NOTE.sub(" ", extract_labels(text).text)
    item_count = 1 + plain.count(",") + plain.count(";")
    return len(plain) <= MAX_PHRASE_LENGTH // 4 and len(plain.split()) <= MAX_WORDS_PER_ITEM * item_count


MAX_WORDS_PER_ITEM: Final = 3
MAX_EQUIVALENT_WORDS: Final = 2


def join_notes(*notes: str | None) -> str | None:
    """Join the notes that are not empty, without duplicates; None if there are none."""
    return "; ".join(dict.fromkeys(filter(None, notes))) or None


def drop_empty(*values: str | None) -> tuple[str, ...]:
    """Return the values that are not empty."""
    return tuple(value for value in values if value)


# --- records already seen in a file ---------------------------------------------------------------------------------


SINGLE_VALUE_DETAILS: Final = ("roman", "ipa", "asm", "origin")
"""Details with a single value per word in the dictionary, even if a file has several entries for the word."""


class SeenRecords:
    """Record of the idea keys and word details seen so far in a file, as hashes to save memory."""

    def __init__(self) -> None:
        """Initialise with empty sets of hashes."""
        self._idea_hashes: dict[int, int] = {}
        self._detail_hashes: dict[int, int] = {}

    def with_unique_key(self, idea: IdeaRecord) -> IdeaRecord:
        """Return an idea with a key unique in the file; word details that differ from earlier ones go to the notes."""
        remarked = msgspec.structs.replace(idea, words=tuple(map(self.with_remarks, idea.words)))
        key, number = remarked.key, 1
        while self._idea_hashes.setdefault(hash(key), hash(remarked)) != hash(remarked):
            number += 1
            key = build_key(remarked.key, number)
        return msgspec.structs.replace(remarked, key=key)

    def with_remarks(self, word: WordRecord) -> WordRecord:
        """Return a word whose note has the details that differ from earlier ones of the same word."""
        remarks = []
        for name in SINGLE_VALUE_DETAILS:
            value = getattr(word, name)
            detail = hash((word.language, word.text, name))
            if value is not None and self._detail_hashes.setdefault(detail, hash(value)) != hash(value):
                remarks.append(f"{name}: {value}")
        note = join_notes(word.note, *remarks)
        return msgspec.structs.replace(word, note=note) if note and len(note) <= MAX_TEXT_LENGTH else word
