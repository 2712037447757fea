"""What all importers share: how they are called, what they are told, and small readings of cells."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Final, Protocol, TypeVar

import msgspec

from abhidhan.formats.content_streams import Content
from abhidhan.formats.grammar_marks import rest_of_marks, unmarked
from abhidhan.formats.languages import canonical_code
from abhidhan.records.errors import InputError
from abhidhan.records.import_records import Deletion, Fault, Loss, Placed, Unread
from abhidhan.records.kinds import IdeaRecord, SourceRecord, WordRecord
from abhidhan.records.kinds.fields import MOST_KEY_LETTERS, MOST_PHRASE_LETTERS, MOST_TEXT_LETTERS, MOST_WORD_LETTERS

T = TypeVar("T")

Found = Placed | Fault | Loss | Deletion | Unread
"""A record with its place, what is wrong there, a value there that no record holds, what was deleted, or an entry that
is kept as it came."""

_SEPARATORS: Final = re.compile(r"(?:[|;]|,\s|\s,|、|।)(?![^(\[]*[)\]])(?![A-Za-z ,./&+]{0,30}>)")
"""What parts the words of a list; not what stands in brackets, or in a mark such as <n, f>."""

_NOTE: Final = re.compile(r"(?<!\S)[(\[]([^)\]]*)[)\]](?=[\s,;.|]|$)")
"""A note in brackets that stands by itself: behavio(u)r has none."""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What the person who imports says: where the file comes from, and what the file itself does not tell.

    `header` says what the columns of tables without headings hold. `values` maps, for each of `language`, `pos`,
    `gender`, `context`, `variant`, `relation` and `category`, what stands in the file to what it means here.
    """

    source: SourceRecord | None = None
    language: str | None = None
    target: str | None = None
    encoding: str | None = None
    category: str | None = None
    header: tuple[str, ...] = ()
    columns: dict[str, str] = {}
    values: dict[str, dict[str, str]] = {}

    def value(self, kind: str, given: str) -> str:
        """Read a value as the mapping says, or as it stands."""
        return self.values.get(kind, {}).get(given, given)

    def code(self, given: str) -> str:
        """Read the code of a language: as the mapping says, else in its canonical form, else as it stands."""
        mapped = self.values.get("language", {}).get(given)
        return mapped or canonical_code(given) or given

    def own_source(self, default: SourceRecord | None = None) -> SourceRecord:
        """Return the source of the records. Raises InputError when neither the person nor the format says it."""
        found = self.source or default
        if found is None:
            raise InputError.of(
                "source",
                "Where does the file come from? Name its source and licence, such as: "
                "--source hemkosh --licence CC0-1.0.",
            )
        return found

    def own_language(self) -> str:
        """Return the language of the headwords. Raises InputError when the person does not say it."""
        if self.language is None:
            raise InputError.of("language", "Which language are the words in? Give it, such as: --language as.")
        return self.code(self.language)


class Importer(Protocol):
    """Reads the contents of files into records, in one pass, with flat memory."""

    def __call__(self, contents: Iterator[Content], options: Options) -> Iterator[Found]:
        """Yield each record with its place, or what is wrong there; raise InputError when nothing can be read."""
        ...


def placed_source(record: SourceRecord) -> Placed:
    """Put the source before the records that name it."""
    return Placed("source", 0, record)


def key_of(*parts: object) -> str:
    """Make a key of parts: readable, or the hash of it where it would be too long."""
    key = ":".join(" ".join(str(part).split()) for part in parts)
    if len(key) <= MOST_KEY_LETTERS:
        return key
    return f"{key[:100]}…{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}"


def slug(text: str) -> str:
    """Make a code of a name: small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60] or "source"


def words_of(language: str, text: str, *, source: str | None = None) -> tuple[WordRecord, ...]:
    """Read the words of a cell: parted by `|`, `;` or commas; what stands in brackets becomes their notes."""
    return _words(language, _SEPARATORS.split(text), source)


def has_long_word(text: str) -> bool:
    """Return whether `words_of` would leave out one of the words of a cell, since it is too long."""
    if len(text) <= MOST_WORD_LETTERS:
        return False
    return any(len(" ".join(_NOTE.sub(" ", piece).split())) > MOST_WORD_LETTERS for piece in _SEPARATORS.split(text))


def equivalents_of(language: str, text: str) -> tuple[WordRecord, ...]:
    """Read an equivalent: the words of a list of short ones, else one phrase, commas and all."""
    words = words_of(language, text)
    if all(len(word.text.split()) <= WORDS_OF_A_LISTED_ONE for word in words):
        return words
    return _words(language, [text], None)


def _words(language: str, pieces: Iterable[str], source: str | None) -> tuple[WordRecord, ...]:
    found: dict[str, WordRecord] = {}
    for piece in pieces:
        plain, marks = unmarked(piece)
        word = " ".join(_NOTE.sub(" ", plain).split()).strip(" .,;|।")
        if word and len(word) <= MOST_WORD_LETTERS:
            notes = joined(*(note.strip() for note in _NOTE.findall(plain)), rest_of_marks(marks))
            found.setdefault(word, WordRecord(language, word, note=notes, source=source))
    return tuple(found.values())


def is_short(text: str) -> bool:
    """Return whether a text is a list of words rather than an explanation."""
    plain = _NOTE.sub(" ", unmarked(text).text)
    listed = 1 + plain.count(",") + plain.count(";")
    return len(plain) <= MOST_PHRASE_LETTERS // 4 and len(plain.split()) <= SHORT_WORDS * listed


SHORT_WORDS: Final = 3
WORDS_OF_A_LISTED_ONE: Final = 2


def joined(*notes: str | None) -> str | None:
    """Join the notes that are there, each once."""
    return "; ".join(dict.fromkeys(filter(None, notes))) or None


def given(*values: str | None) -> tuple[str, ...]:
    """List the values that are there."""
    return tuple(value for value in values if value)


# --- what the records of a file have said so far --------------------------------------------------------------------


ONCE_A_WORD: Final = ("roman", "ipa", "asm", "origin")
"""What a word has once here, in however many entries it stands in a file."""


class SeenRecords:
    """Remembers hashes of keys and of details of words, which take little memory."""

    def __init__(self) -> None:
        """Begin with none."""
        self._ideas: dict[int, int] = {}
        self._details: dict[int, int] = {}

    def settled(self, idea: IdeaRecord) -> IdeaRecord:
        """Return an idea under a key of its own, with the details that its words already have otherwise as remarks."""
        noted = msgspec.structs.replace(idea, words=tuple(map(self.noted, idea.words)))
        key, number = noted.key, 1
        while self._ideas.setdefault(hash(key), hash(noted)) != hash(noted):
            number += 1
            key = key_of(noted.key, number)
        return msgspec.structs.replace(noted, key=key)

    def noted(self, word: WordRecord) -> WordRecord:
        """Return a word, with those of its details as remarks that it has otherwise already."""
        remarks = []
        for name in ONCE_A_WORD:
            value = getattr(word, name)
            place = hash((word.language, word.text, name))
            if value is not None and self._details.setdefault(place, hash(value)) != hash(value):
                remarks.append(f"{name}: {value}")
        note = joined(word.note, *remarks)
        return msgspec.structs.replace(word, note=note) if note and len(note) <= MOST_TEXT_LETTERS else word
