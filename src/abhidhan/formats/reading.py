"""What all importers share: how they are called, what they are told, and small readings of cells."""

import hashlib
import re
from collections.abc import Iterator
from typing import Final, Protocol, TypeVar

import msgspec

from abhidhan.domain.incoming import MOST_KEY_LETTERS, MOST_PHRASE_LETTERS, MOST_WORD_LETTERS, Fault, Placed
from abhidhan.domain.records import SourceRecord, WordRecord
from abhidhan.errors import InputError
from abhidhan.formats.files import Content
from abhidhan.formats.languages import canonical_code

T = TypeVar("T")

Found = Placed | Fault
"""A record with its place, or what is wrong there."""

_SEPARATORS: Final = re.compile(r"[|;]|,\s|\s,|、|।")
_NOTE: Final = re.compile(r"\s*[(\[][^)\]]*[)\]]\s*")


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What the person who imports says: where the file comes from, and what the file itself does not tell.

    `values` maps, for each of `language`, `pos`, `gender`, `context`, `variant`, `relation` and `category`, what
    stands in the file to what it means here.
    """

    source: SourceRecord | None = None
    language: str | None = None
    target: str | None = None
    encoding: str | None = None
    category: str | None = None
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
        """Tell the source of the records. Raises InputError when neither the person nor the format says it."""
        found = self.source or default
        if found is None:
            raise InputError.of(
                "source",
                "Where does the file come from? Name its source and licence, such as: "
                "--source hemkosh --licence CC0-1.0.",
            )
        return found

    def own_language(self) -> str:
        """Tell the language of the headwords. Raises InputError when the person does not say it."""
        if self.language is None:
            raise InputError.of("language", "Which language are the words of? Say it, such as: --language as.")
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
    """Read the words of a cell: parted by `|`, `;` or commas, notes in brackets left out."""
    found = dict.fromkeys(piece for part in _SEPARATORS.split(_NOTE.sub(" ", text)) if (piece := part.strip(" .।\t")))
    return tuple(WordRecord(language, word, source=source) for word in found if len(word) <= MOST_WORD_LETTERS)


def is_short(text: str) -> bool:
    """Tell whether a text is a list of words rather than an explanation."""
    return len(text) <= MOST_PHRASE_LETTERS // 4 and len(text.split()) <= SHORT_WORDS * (1 + text.count(","))


SHORT_WORDS: Final = 3


def given(*values: str | None) -> tuple[str, ...]:
    """List the values that are there."""
    return tuple(value for value in values if value)
