"""Reader of Wiktextract's JSON lines (kaikki.org): one Wiktionary entry per line."""

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import IO, Any, Final

import msgspec
from icu import Locale

from abhidhan.formats.content_streams import ContentStream
from abhidhan.formats.importer_api import (
    ImportOptions,
    ParsedRecord,
    build_key,
    is_word_list,
    join_notes,
    parse_words,
    wrap_source,
)
from abhidhan.formats.losses import find_losses, list_leaves
from abhidhan.formats.pos_mapping import map_pos
from abhidhan.formats.text_decoding import TextLine, read_lines
from abhidhan.formats.wiktextract.entries import FORM_TAGS, WiktextractEntry, WiktextractSense, iter_values
from abhidhan.formats.wiktextract.words import (
    MeaningLinks,
    WiktextractHeadword,
    add_remarks,
    assign_links,
    drop_long_text,
    iter_inflections,
    iter_linked_words,
    merge_words,
    normalize_text,
    parse_headword,
    reuse_earlier_details,
)
from abhidhan.records.import_records import LocatedRecord, RecordError, UnstoredValue
from abhidhan.records.kinds import DefinitionRecord, ExampleRecord, FormsRecord, IdeaRecord, SourceRecord, WordRecord
from abhidhan.records.kinds.fields import MAX_TEXTS_PER_FIELD

SOURCE: Final = SourceRecord(
    "wiktionary",
    "Wiktionary, by way of Wiktextract (kaikki.org)",
    "CC-BY-SA-4.0",
    "https://kaikki.org/",
    "The contributors of Wiktionary; extracted by Tatu Ylonen's Wiktextract",
)

DEFAULT_GLOSS_LANGUAGE: Final = "en"
"""Language of glosses, unless --target is given or the language names in entries imply another edition."""

EDITIONS: Final = (
    DEFAULT_GLOSS_LANGUAGE,
    *("cs", "de", "el", "es", "fr", "id", "it", "ja", "ko", "ku", "ms"),
    *("nl", "pl", "pt", "ru", "sv", "th", "tr", "vi", "zh"),
)
"""The editions of Wiktionary that Wiktextract supports, by language."""

GENDER_BY_TAG: Final = {"masculine": "Masculine", "feminine": "Feminine", "neuter": "Neuter"}
TRANSITIVITY_TAGS: Final = frozenset({"transitive", "intransitive"})

OTHER_LANGUAGE_LABEL: Final = "word of another language"
"""The label in reports of entries that --language excludes."""

NO_WORD: Final = "The entry has no word, or no language code."
NO_MEANING: Final = "The entry has no meaning or translation. Give its sense a gloss, or leave it out."

_decoder: Final = msgspec.json.Decoder()
_record_decoder: Final = msgspec.json.Decoder(LocatedRecord)


def read_wiktextract(contents: Iterator[ContentStream], options: ImportOptions) -> Iterator[ParsedRecord]:
    """Read entries, each sense of which becomes an idea; --language selects entries in that language."""
    source = options.require_source(SOURCE)
    yield wrap_source(source)
    with tempfile.TemporaryFile() as inflections:
        reader = _LineReader(options, source.code, inflections)
        for content in contents:
            for line in read_lines(content, options.encoding):
                if isinstance(line, RecordError):
                    yield line
                elif line.text.strip():
                    yield from reader.read(line, content.name)
        inflections.seek(0)
        yield from map(_record_decoder.decode, inflections)


class _LineReader:
    """Reader of lines; remembers the previous word and the language of glosses.

    Lines of inflected forms are written to a temporary file, since the line of their word may follow later.
    """

    def __init__(self, options: ImportOptions, source: str, inflections: IO[bytes]) -> None:
        self._options = options
        self._source = source
        self._inflections = inflections
        self._required_language = options.require_language() if options.language else None
        self._previous_word: WordRecord | None = None
        self._edition = DEFAULT_GLOSS_LANGUAGE

    def read(self, line: TextLine, file: str) -> Iterator[ParsedRecord]:
        """Yield the records of a line and its losses, or an error."""
        try:
            raw = _decoder.decode(line.text)
            entry = msgspec.convert(raw, WiktextractEntry)
        except (msgspec.DecodeError, RecursionError) as error:
            yield RecordError(file, line.number, f"The line is not a Wiktextract entry: {error}.")
            return
        if entry.redirect is not None:
            yield from find_losses(file, line.number, list_leaves(raw), ())
        elif not (entry.word and entry.lang_code):
            yield RecordError(file, line.number, NO_WORD)
        elif self._required_language not in {None, self._options.map_language(entry.lang_code)}:
            yield UnstoredValue(file, line.number, OTHER_LANGUAGE_LABEL, entry.word)
        else:
            yield from self._read_entry(entry, raw, file, line.number)

    def _read_entry(self, entry: WiktextractEntry, raw: Any, file: str, number: int) -> Iterator[ParsedRecord]:  # noqa: ANN401
        language = self._options.map_language(entry.lang_code)
        head = reuse_earlier_details(parse_headword(entry, language), self._previous_word)
        records = [LocatedRecord(file, number, idea) for idea in self._iter_ideas(entry, head)]
        if records:
            self._previous_word = head.word
            if head.tagged_forms:
                records.append(LocatedRecord(file, number, FormsRecord(language, entry.word, head.tagged_forms)))
            yield from records
        inflections = [LocatedRecord(file, number, record) for record in iter_inflections(entry, language)]
        self._inflections.writelines(msgspec.json.encode(item) + b"\n" for item in inflections)
        records += inflections
        if records:
            yield from find_losses(file, number, iter_values(raw, entry), records)
        else:
            yield RecordError(file, number, NO_MEANING)

    def _iter_ideas(self, entry: WiktextractEntry, head: WiktextractHeadword) -> Iterator[IdeaRecord]:
        """Yield an idea for each meaning, and one for the translations of each other sense."""
        gloss_language = self._find_gloss_language(entry)
        links, other_translations = assign_links(entry)
        base = (head.word.language, entry.word, entry.pos, entry.etymology_number or 0)
        remarks = head.remarks
        name_counts: Counter[str] = Counter()
        for sense, linked in zip(entry.meanings, links, strict=True):
            name = sense.id or sense.glosses[-1]
            name_counts[name] += 1
            key = build_key(*base, name, *([name_counts[name]] if name_counts[name] > 1 else []))
            yield self._build_idea(key, (entry, sense, linked), add_remarks(head.word, remarks), gloss_language)
            remarks = ()
        for name, translations in other_translations.items():
            words = merge_words((add_remarks(head.word, remarks), *iter_linked_words(translations, self._options)))
            if len(words) > 1:
                pos, _ = self._map_pos(entry, [])
                definitions = (DefinitionRecord(gloss_language, name),) if name else ()
                yield IdeaRecord(
                    self._source, build_key(*base, "translation", name), pos, words, definitions=definitions
                )
                remarks = ()

    def _build_idea(
        self,
        key: str,
        parts: tuple[WiktextractEntry, WiktextractSense, MeaningLinks],
        head: WordRecord,
        gloss_language: str,
    ) -> IdeaRecord:
        entry, sense, linked = parts
        pos, label = self._map_pos(entry, sense.tags)
        tags = [tag for tag in (*sense.tags, *entry.tags) if tag != label and tag not in FORM_TAGS]
        gender = _find_gender(tags)
        noted_tags = [tag for tag in tags if gender is None or GENDER_BY_TAG.get(tag) != gender]
        remarks = (
            *noted_tags,
            *sense.raw_tags,
            *entry.raw_tags,
            sense.qualifier,
            sense.note,
            *entry.notes,
            *linked.notes,
        )
        reference = drop_long_text(join_notes(*(each for one in sense.examples for each in (one.ref, one.raw_ref))))
        gloss, language = sense.glosses[-1], head.language
        equivalents = parse_words(gloss_language, gloss) if language != gloss_language and is_word_list(gloss) else ()
        definitions = _select_definitions(
            None if equivalents else gloss, (*sense.glosses[:-1], *linked.glosses), equivalents
        )
        return IdeaRecord(
            self._source,
            key,
            pos,
            merge_words(
                (
                    add_remarks(msgspec.structs.replace(head, reference=reference), remarks),
                    *equivalents,
                    *iter_linked_words(linked.synonyms, self._options, language),
                    *iter_linked_words(linked.translations, self._options),
                )
            ),
            gender=gender,
            contexts=tuple(
                dict.fromkeys(filter(None, (self._options.map_value("context", one) for one in sense.topics)))
            ),
            definitions=tuple(DefinitionRecord(gloss_language, text) for text in definitions[:MAX_TEXTS_PER_FIELD]),
            examples=tuple(
                ExampleRecord(language, one.text, one.translation or one.english) for one in sense.examples if one.text
            )[:MAX_TEXTS_PER_FIELD],
        )

    def _map_pos(self, entry: WiktextractEntry, tags: list[str]) -> tuple[str | None, str]:
        """Return the part of speech, mapped if known, and the label from which it was mapped."""
        label = next((tag for tag in tags if tag in TRANSITIVITY_TAGS), entry.pos) if entry.pos == "verb" else entry.pos
        mapped = self._options.values.get("pos", {})
        return (mapped[label] if label in mapped else map_pos(label, self._options) or label) or None, label

    def _find_gloss_language(self, entry: WiktextractEntry) -> str:
        """Return the language of glosses: --target, else the language of the Wiktionary edition."""
        if self._options.target:
            return self._options.map_language(self._options.target)
        editions = _find_editions(entry.lang_code, entry.lang) if entry.lang else ()
        if editions and self._edition not in editions:
            self._edition = editions[0]
        return self._edition


@lru_cache(4096)
def _find_editions(code: str, name: str) -> tuple[str, ...]:
    """Return the editions of Wiktionary that use this name for the language."""
    language, named = Locale(code), name.casefold()
    return tuple(edition for edition in EDITIONS if str(language.getDisplayName(Locale(edition))).casefold() == named)


def _find_gender(tags: list[str]) -> str | None:
    """Return the gender; None if there is none, or several."""
    genders = {GENDER_BY_TAG[tag] for tag in tags if tag in GENDER_BY_TAG}
    return genders.pop() if len(genders) == 1 else None


def _select_definitions(gloss: str | None, texts: Iterable[str], words: Iterable[WordRecord]) -> list[str]:
    """Return the gloss and the other texts as definitions, except those that equal a word or are part of another."""
    definitions = [gloss] if gloss else []
    word_texts = {normalize_text(word.text) for word in words}
    for text in dict.fromkeys(texts):
        plain_text = normalize_text(text)
        if (
            plain_text
            and plain_text not in word_texts
            and not any(f" {plain_text} " in f" {normalize_text(definition)} " for definition in definitions)
        ):
            definitions.append(text)
    return definitions
