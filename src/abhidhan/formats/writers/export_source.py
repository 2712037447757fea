"""What a writer is given: the dictionary as streams, with everything that must be said of it."""

import gzip
import io
import re
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from typing import IO, Final, NamedTuple, Protocol, TextIO, cast

from abhidhan.records.kinds import (
    CardSetRecord,
    IdeaRecord,
    LanguageRecord,
    ListItemRecord,
    NumberedForms,
    NumberedIdea,
    Record,
    SourceRecord,
)
from abhidhan.records.languages import Language
from abhidhan.records.lift_entries import LiftEdits, LiftEntry
from abhidhan.records.recordings import EXTENSION
from abhidhan.records.words import Meaning, Word

MOST_HEARD: Final = 3
"""At most this many speakers are heard with a word of a flashcard."""


class Spoken(NamedTuple):
    """What is said: the code of its language, and the word or example itself."""

    language: str
    text: str


class Voice(NamedTuple):
    """An approved recording: its ID, who speaks and where people speak so, its licence, and how long it is."""

    id: int
    speaker: str | None
    place: str | None
    licence: str | None
    milliseconds: int

    @property
    def credit(self) -> str:
        """Who is to be credited, and on what terms it is."""
        return credit_of(self.speaker, self.place, self.licence)


def credit_of(*told: str | None) -> str:
    """Write what is told of a recording (speaker, place, licence) in a line."""
    return ", ".join(part for part in told if part)


class Voices(NamedTuple):
    """The approved recordings of a book.

    `read` returns the bytes of one; None where they are not to be had. With `base`, the address of the server, a file
    refers to them there and has none of them itself. `licences` are those of all.
    """

    of_words: Callable[[Collection[Spoken]], Mapping[Spoken, Sequence[Voice]]]
    of_example: Callable[[Spoken], Sequence[Voice]]
    read: Callable[[int], bytes | None]
    base: str | None
    licences: tuple[str, ...]


class Sound(NamedTuple):
    """A recording: the name of its file in the deck, what reads its bytes, and who is to be credited.

    None instead of bytes says that they are not to be had.
    """

    name: str
    read: Callable[[], bytes | None]
    credit: str = ""


def sound_name(recording_id: int) -> str:
    """Return the name that a recording has in every deck: Anki keeps the files of all decks in one folder."""
    return f"abhidhan-{recording_id}.{EXTENSION}"


# --- the dictionary -------------------------------------------------------------------------------------------------


TITLE: Final = "Abhidhan"
ARCHIVE_DATE: Final = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive: the oldest that zip knows, so that bytes do not change with the clock."""


class Lettering(Protocol):
    """Knows which letters can be set: what is printed must have no boxes for letters. `folder` has fonts of ours."""

    folder: Path

    def add(self, fonts: Iterable[tuple[Path, int]]) -> None:
        """Add further fonts, by their files and places in them."""
        ...

    def covers(self, text: str) -> bool:
        """Say whether some font has each letter of a text."""
        ...


class Book(NamedTuple):
    """The dictionary, or what was chosen of it. `moment` is when it last changed (seconds since 1970, UTC).

    `numbered_ideas` and `numbered_forms` tell the IDs they have here. `stored_forms` returns, of words by their IDs,
    the inflected forms that are stored, each with what form it is, or "". `name` is what programs that have several
    dictionaries in one folder know it by; `voices` are the recordings, if a file can have them and there are any;
    `base_url` is the address of the site, if it has one. `lettering` is for what is printed. `lift_entries` are those
    that came by LIFT, and `lift_edits` is what people have edited of them.
    """

    title: str
    moment: int
    languages: tuple[Language, ...]
    sources: tuple[SourceRecord, ...]
    records: Callable[[], Iterator[Record]]
    ideas: Callable[[], Iterator[IdeaRecord]]
    numbered_ideas: Callable[[], Iterator[NumberedIdea]]
    numbered_forms: Callable[[], Iterator[NumberedForms]]
    words: Callable[[int], Iterator[Word]]
    stored_forms: Callable[[Sequence[int]], Mapping[int, Mapping[str, str]]]
    card_sets: Callable[[], Iterator[CardSetRecord]]
    name: str = "abhidhan"
    voices: Voices | None = None
    base_url: str = ""
    lettering: Lettering | None = None
    lift_entries: Callable[[], Iterator[LiftEntry]] = lambda: iter(())
    lift_edits: Callable[[], LiftEdits] = LiftEdits

    @property
    def date(self) -> datetime:
        """The moment as a date."""
        return datetime.fromtimestamp(self.moment, tz=UTC)

    def terms(self) -> str:
        """Say, in lines, where the data come from and on what terms."""
        told = [term(source) for source in self.sources]
        if self.voices:
            told.append(f"recordings: Spoken by the people named with each. Licence: {self._terms_of_voices()}.")
        return "\n".join(told)

    def licences(self) -> str:
        """Name the licences, each once."""
        spoken = self.voices.licences if self.voices else ()
        return "; ".join(sorted({*(source.licence for source in self.sources), *spoken}))

    def _terms_of_voices(self) -> str:
        return "; ".join(self.voices.licences) if self.voices else ""


_BEFORE_IDEAS: Final = (LanguageRecord, ListItemRecord, SourceRecord)


class Catalogue:
    """Languages of a book by their IDs, also those whose words only stand beside others, and the values of lists."""

    def __init__(self, book: Book) -> None:
        """Read it from the book."""
        self.languages: dict[int, LanguageRecord] = {}
        self.values: list[ListItemRecord] = []
        for record in takewhile(lambda one: isinstance(one, _BEFORE_IDEAS), book.records()):
            if isinstance(record, LanguageRecord):
                self.languages[record.id] = record
            elif isinstance(record, ListItemRecord):
                self.values.append(record)

    @property
    def codes(self) -> dict[int, str]:
        """The codes of languages (BCP 47) by their IDs."""
        return {number: one.code for number, one in self.languages.items()}


class Writer(Protocol):
    """Writes a book into one file."""

    def __call__(self, book: Book, target: Path) -> None:
        """Write; `target` is new, and complete only when this returns."""
        ...


def term(source: SourceRecord) -> str:
    """Say of a source what must be said of it."""
    parts = (source.name, source.attribution, f"Licence: {source.licence}", source.url, source.notice)
    return f"{source.code}: " + ". ".join(part.rstrip(".") for part in parts if part) + "."


@contextmanager
def open_binary(target: Path) -> Iterator[IO[bytes]]:
    """Open a new file to write; compressed by gzip, without a time in it, where its name ends with `.gz`."""
    with target.open("wb") as file:
        if target.suffix != ".gz":
            yield file
            return
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
            yield cast("IO[bytes]", packed)


@contextmanager
def open_text(target: Path, encoding: str = "utf-8", newline: str = "\n") -> Iterator[TextIO]:
    """Open a new file to write text; compressed where its name ends with `.gz`."""
    with open_binary(target) as file, io.TextIOWrapper(file, encoding, newline=newline) as stream:
        yield stream


@contextmanager
def archive(target: Path) -> Iterator[zipfile.ZipFile]:
    """Open a zip file whose bytes depend on its contents only."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
        yield made


def add_file(made: zipfile.ZipFile, name: str, content: bytes | IO[bytes]) -> None:
    """Add a file to an archive."""
    information = zipfile.ZipInfo(name, ARCHIVE_DATE)
    information.compress_type = zipfile.ZIP_DEFLATED
    information.external_attr = 0o644 << 16
    stream = io.BytesIO(content) if isinstance(content, bytes) else content
    with made.open(information, "w", force_zip64=True) as member:
        while chunk := stream.read(1024 * 1024):
            member.write(chunk)


def meaning_lines(meaning: Meaning) -> Iterator[tuple[str, str]]:
    """Return a meaning as (what it is, text): label, definitions, words of each language, examples."""
    label = "-".join(part.value for part in (meaning.pos, meaning.gender) if part)
    contexts = ", ".join(context.value for context in meaning.contexts)
    if label or contexts:
        yield "label", "; ".join(part for part in (label, contexts) if part)
    for definition in meaning.definitions:
        yield "definition", definition.text
    words: dict[str, list[str]] = {}
    for translation in meaning.translations:
        words.setdefault(translation.language, []).append(translation.word)
    for language, texts in words.items():
        yield "words", f"{language}: {', '.join(texts)}"
    for example in meaning.examples:
        yield "example", example.text + (f" — {example.translation}" if example.translation else "")


_FORBIDDEN: Final = re.compile(r"[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")


def escaped(text: str) -> str:
    """Write a text so that XML and HTML take it as text; characters that XML forbids are left out."""
    plain = _FORBIDDEN.sub("", text)
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def attributes(values: Mapping[str, str | None]) -> str:
    """Write the attributes of an element, those without a value left out."""
    return "".join(f' {name}="{escaped(value)}"' for name, value in values.items() if value)
