"""Reader of Wiktextract's JSON lines (kaikki.org): one Wiktionary entry per line."""

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import IO, Any, Final

import msgspec
from icu import Locale

from abhidhan.formats.content_streams import Content
from abhidhan.formats.importer_api import Found, Options, is_short, joined, key_of, placed_source, words_of
from abhidhan.formats.losses import leaves, losses
from abhidhan.formats.pos_mapping import part_of_speech
from abhidhan.formats.text_decoding import Line, read_lines
from abhidhan.formats.wiktextract.entries import OF_ANOTHER, Entry, Sense, values_of
from abhidhan.formats.wiktextract.words import (
    Head,
    Links,
    beside,
    fitting,
    forms_of,
    head_of,
    linked_words,
    links_of,
    merged,
    noted,
    plain,
)
from abhidhan.records.import_records import Fault, Loss, Placed
from abhidhan.records.kinds import DefinitionRecord, ExampleRecord, FormsRecord, IdeaRecord, SourceRecord, WordRecord
from abhidhan.records.kinds.fields import MOST_TEXTS

SOURCE: Final = SourceRecord(
    "wiktionary",
    "Wiktionary, by way of Wiktextract (kaikki.org)",
    "CC-BY-SA-4.0",
    "https://kaikki.org/",
    "The contributors of Wiktionary; extracted by Tatu Ylonen's Wiktextract",
)

DEFINED_IN: Final = "en"
"""The default language of glosses, without --target or language names that imply another one."""

EDITIONS: Final = (
    DEFINED_IN,
    *("cs", "de", "el", "es", "fr", "id", "it", "ja", "ko", "ku", "ms"),
    *("nl", "pl", "pt", "ru", "sv", "th", "tr", "vi", "zh"),
)
"""The editions of Wiktionary that Wiktextract supports, by language."""

GENDERS: Final = {"masculine": "Masculine", "feminine": "Feminine", "neuter": "Neuter"}
TRANSITIVITY: Final = frozenset({"transitive", "intransitive"})

OTHER_LANGUAGE: Final = "word of another language"
"""The label in reports of entries that --language excludes."""

NO_WORD: Final = "The entry has no word, or no language code."
NO_MEANING: Final = "The entry has no meaning or translation. Give its sense a gloss, or leave it out."

_decoder: Final = msgspec.json.Decoder()
_placed_decoder: Final = msgspec.json.Decoder(Placed)


def read_wiktextract(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read entries, each sense of which becomes an idea; --language selects entries in that language."""
    source = options.own_source(SOURCE)
    yield placed_source(source)
    with tempfile.TemporaryFile() as inflections:
        reader = _Reader(options, source.code, inflections)
        for content in contents:
            for line in read_lines(content, options.encoding):
                if isinstance(line, Fault):
                    yield line
                elif line.text.strip():
                    yield from reader.read(line, content.name)
        inflections.seek(0)
        yield from map(_placed_decoder.decode, inflections)


class _Reader:
    """Reader of lines, with the state that spans them: the previous word, and the language of glosses.

    Inflected forms with lines of their own are written into a file, since their word may follow later.
    """

    def __init__(self, options: Options, source: str, inflections: IO[bytes]) -> None:
        self._options = options
        self._source = source
        self._inflections = inflections
        self._only = options.own_language() if options.language else None
        self._before: WordRecord | None = None
        self._edition = DEFINED_IN

    def read(self, line: Line, file: str) -> Iterator[Found]:
        """Yield the records of a line and its losses, or a fault."""
        try:
            given = _decoder.decode(line.text)
            entry = msgspec.convert(given, Entry)
        except (msgspec.DecodeError, RecursionError) as error:
            yield Fault(file, line.number, f"The line is not a Wiktextract entry: {error}.")
            return
        if entry.redirect is not None:
            yield from losses(file, line.number, leaves(given), ())
        elif not (entry.word and entry.lang_code):
            yield Fault(file, line.number, NO_WORD)
        elif self._only not in {None, self._options.code(entry.lang_code)}:
            yield Loss(file, line.number, OTHER_LANGUAGE, entry.word)
        else:
            yield from self._read_entry(entry, given, file, line.number)

    def _read_entry(self, entry: Entry, given: Any, file: str, number: int) -> Iterator[Found]:  # noqa: ANN401
        language = self._options.code(entry.lang_code)
        head = beside(head_of(entry, language), self._before)
        found = [Placed(file, number, idea) for idea in self._ideas(entry, head)]
        if found:
            self._before = head.word
            if head.tagged:
                found.append(Placed(file, number, FormsRecord(language, entry.word, head.tagged)))
            yield from found
        inflections = [Placed(file, number, record) for record in forms_of(entry, language)]
        self._inflections.writelines(msgspec.json.encode(one) + b"\n" for one in inflections)
        found += inflections
        if found:
            yield from losses(file, number, values_of(given, entry), found)
        else:
            yield Fault(file, number, NO_MEANING)

    def _ideas(self, entry: Entry, head: Head) -> Iterator[IdeaRecord]:
        """Yield an idea for each meaning, and one for the translations of each other sense."""
        defined_in = self._defined_in(entry)
        links, others = links_of(entry)
        base = (head.word.language, entry.word, entry.pos, entry.etymology_number or 0)
        remarks = head.remarks
        times: Counter[str] = Counter()
        for sense, linked in zip(entry.meanings, links, strict=True):
            name = sense.id or sense.glosses[-1]
            times[name] += 1
            key = key_of(*base, name, *([times[name]] if times[name] > 1 else []))
            yield self._idea(key, (entry, sense, linked), noted(head.word, remarks), defined_in)
            remarks = ()
        for name, translations in others.items():
            words = merged((noted(head.word, remarks), *linked_words(translations, self._options)))
            if len(words) > 1:
                pos, _ = self._part(entry, [])
                definitions = (DefinitionRecord(defined_in, name),) if name else ()
                yield IdeaRecord(self._source, key_of(*base, "translation", name), pos, words, definitions=definitions)
                remarks = ()

    def _idea(self, key: str, given: tuple[Entry, Sense, Links], head: WordRecord, defined_in: str) -> IdeaRecord:
        entry, sense, linked = given
        pos, label = self._part(entry, sense.tags)
        tags = [tag for tag in (*sense.tags, *entry.tags) if tag != label and tag not in OF_ANOTHER]
        gender = _gender(tags)
        noted_tags = [tag for tag in tags if gender is None or GENDERS.get(tag) != gender]
        remarks = (
            *noted_tags,
            *sense.raw_tags,
            *entry.raw_tags,
            sense.qualifier,
            sense.note,
            *entry.notes,
            *linked.notes,
        )
        reference = fitting(joined(*(each for one in sense.examples for each in (one.ref, one.raw_ref))))
        gloss, language = sense.glosses[-1], head.language
        equivalents = words_of(defined_in, gloss) if language != defined_in and is_short(gloss) else ()
        definitions = _definitions(None if equivalents else gloss, (*sense.glosses[:-1], *linked.glosses), equivalents)
        return IdeaRecord(
            self._source,
            key,
            pos,
            merged(
                (
                    noted(msgspec.structs.replace(head, reference=reference), remarks),
                    *equivalents,
                    *linked_words(linked.synonyms, self._options, language),
                    *linked_words(linked.translations, self._options),
                )
            ),
            gender=gender,
            contexts=tuple(dict.fromkeys(filter(None, (self._options.value("context", one) for one in sense.topics)))),
            definitions=tuple(DefinitionRecord(defined_in, text) for text in definitions[:MOST_TEXTS]),
            examples=tuple(
                ExampleRecord(language, one.text, one.translation or one.english) for one in sense.examples if one.text
            )[:MOST_TEXTS],
        )

    def _part(self, entry: Entry, tags: list[str]) -> tuple[str | None, str]:
        """Return the part of speech, mapped if known, and the tag that specifies the kind of verb."""
        label = next((tag for tag in tags if tag in TRANSITIVITY), entry.pos) if entry.pos == "verb" else entry.pos
        mapped = self._options.values.get("pos", {})
        return (mapped[label] if label in mapped else part_of_speech(label, self._options) or label) or None, label

    def _defined_in(self, entry: Entry) -> str:
        """Return the language of the glosses: the user's, else that of the edition."""
        if self._options.target:
            return self._options.code(self._options.target)
        editions = _editions(entry.lang_code, entry.lang) if entry.lang else ()
        if editions and self._edition not in editions:
            self._edition = editions[0]
        return self._edition


@lru_cache(4096)
def _editions(code: str, name: str) -> tuple[str, ...]:
    """Return the editions of Wiktionary that use this name for the language."""
    language, named = Locale(code), name.casefold()
    return tuple(one for one in EDITIONS if str(language.getDisplayName(Locale(one))).casefold() == named)


def _gender(tags: list[str]) -> str | None:
    """Return the gender; None if there is none, or several."""
    found = {GENDERS[tag] for tag in tags if tag in GENDERS}
    return found.pop() if len(found) == 1 else None


def _definitions(gloss: str | None, others: Iterable[str], words: Iterable[WordRecord]) -> list[str]:
    """Return the gloss and other names of a meaning, without those that are words or parts of another one."""
    kept = [gloss] if gloss else []
    known = {plain(word.text) for word in words}
    for text in dict.fromkeys(others):
        said = plain(text)
        if said and said not in known and not any(f" {said} " in f" {plain(one)} " for one in kept):
            kept.append(text)
    return kept
