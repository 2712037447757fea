"""The approved recordings of what is exported, as writers are given them: in the file itself, or referred to."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from abhidhan.dictionary.store.unrecorded_words import audio_of_words
from abhidhan.exchange.model.export_filter import Choice
from abhidhan.exchange.service.recording_bytes import NOT_STATED, Sounds
from abhidhan.formats.registry import EXPORTERS
from abhidhan.formats.writers.recordings import Spoken, Voice, Voices
from abhidhan.media.store.recordings import OnSuchTerms, RecordingRow, approved_after, approved_on_terms
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import InputError, quoted
from abhidhan.records.recordings import read_recording_name

MODEST: Final = 256 * 1024 * 1024
"""Bytes of recordings, of some 20,000 words, up to which a file has them in it unless something else is said."""

NO_ADDRESS: Final = (
    "Recordings can only be referred to where ABHIDHAN_BASE_URL says under which address the server is reached."
)


class Kept(StrEnum):
    """Where the recordings of a file are: inside it, at the server, or nowhere."""

    INSIDE = "inside"
    LINKED = "linked"
    NONE = "none"


class Hearing(NamedTuple):
    """How an export comes to recordings: what reads them, the server's address if it has one, and where they go."""

    sounds: Sounds
    base_url: str = ""
    kept: Kept | None = None


def kept_named(name: str, file_format: str) -> Kept | None:
    """Read where recordings go; None where that is not said. Raises InputError."""
    if not name:
        return None
    if name not in set(Kept):
        raise InputError.of("sounds", f"There is no {quoted(name)} for --sounds: it is inside, linked or none.")
    if not EXPORTERS[file_format].has_recordings or (file_format != "cldf" and name == Kept.LINKED):
        raise InputError.of("sounds", "--sounds is for cldf; for lift and anki it can be inside or none.")
    return Kept(name)


def voices_of(reader: Reader, choice: Choice, name: str, hearing: Hearing | None) -> Voices | None:
    """Return the recordings of what is chosen; None where there are none, or the writer takes none. Raises InputError.

    Without a word about where they go, a data set of modest size has them in it, and a larger one refers to them.
    """
    if hearing is None or not EXPORTERS[name].has_recordings or hearing.kept is Kept.NONE:
        return None
    terms = [one for one in approved_on_terms(reader) if not choice.languages or one.language_id in choice.languages]
    if not terms:
        return None
    heard = _Heard(reader)
    return Voices(
        heard.of_words,
        heard.of_example,
        hearing.sounds.read,
        _base(terms, name, hearing),
        tuple(sorted({one.licence or NOT_STATED for one in terms})),
    )


def _base(terms: Sequence[OnSuchTerms], name: str, hearing: Hearing) -> str | None:
    """Return the address at which recordings are referred to; None where they go into the file."""
    if hearing.kept is Kept.LINKED and not hearing.base_url:
        raise InputError.of("sounds", NO_ADDRESS)
    is_large = sum(one.size for one in terms) > MODEST
    if hearing.kept is Kept.LINKED or (hearing.kept is None and name == "cldf" and is_large and hearing.base_url):
        return hearing.base_url
    return None


class _Heard:
    """The approved recordings as one reader sees them."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._examples: dict[Spoken, list[Voice]] | None = None

    def of_words(self, words: Collection[Spoken]) -> Mapping[Spoken, Sequence[Voice]]:
        """Find the recordings of some words."""
        by_language: dict[int, list[str]] = defaultdict(list)
        codes: dict[int, str] = {}
        for word in words:
            language = self._reader.catalogue.find_language(word.language)
            if language is not None:
                by_language[language.id].append(word.text)
                codes[language.id] = word.language
        return {
            Spoken(codes[language_id], text): [
                Voice(number, one.speaker, one.place, one.licence, one.milliseconds)
                for one in audio
                if (number := read_recording_name(one.url.rpartition("/")[2])) is not None
            ]
            for language_id, of_language in audio_of_words(self._reader, by_language).items()
            for text, audio in of_language.items()
        }

    def of_example(self, example: Spoken) -> Sequence[Voice]:
        """Find the recordings of an example, whichever idea it is of: it is the same sentence."""
        # Files know ideas by their keys and not by the IDs that recordings have. There are few, each read out by hand.
        if self._examples is None:
            self._examples = defaultdict(list)
            for row in _approved(self._reader):
                if row.idea_id is not None:
                    code = self._reader.catalogue.language(row.language_id).code
                    voice = Voice(row.id, row.speaker, row.place, row.licence, row.milliseconds)
                    self._examples[Spoken(code, row.spoken)].append(voice)
        return self._examples.get(example, ())


def _approved(reader: Reader) -> Iterator[RecordingRow]:
    after = 0
    while rows := approved_after(reader, after):
        yield from rows
        after = rows[-1].id
