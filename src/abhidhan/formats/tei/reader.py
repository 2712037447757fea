"""Reader of TEI dictionaries: FreeDict's, and TEI Lex-0."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

import msgspec

from abhidhan.formats.content_streams import ContentStream
from abhidhan.formats.grammar_marks import gender_of_marks, remove_marks
from abhidhan.formats.importer_api import ImportOptions, ParsedRecord, SeenRecords, join_notes, key_of, located_source
from abhidhan.formats.pos_mapping import part_of_marks
from abhidhan.formats.tei.losses import losses_of_element, losses_of_outer
from abhidhan.formats.tei.senses import (
    PLURAL,
    VARIANT,
    TEISense,
    bare_text,
    contexts,
    definitions,
    examples,
    gender_of,
    labelled_text,
    marks_of,
    note_of,
    origin_of,
    part_of_speech_of,
    senses_of,
    synonyms,
    texts_of_forms,
    translations,
)
from abhidhan.formats.xml_stream import LANGUAGE, Outer, read_elements, text_of
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.kinds import IdeaRecord, WordRecord

FILE_SUFFIXES: Final = (".tei", ".xml")
NAME: Final = re.compile(r"(?:freedict-)?([a-z]{2,3})-([a-z]{2,3})\.(?:tei|xml)")
"""FreeDict's file names state the languages: eng-hin.tei."""

ENTRIES: Final = frozenset({"entry", "entryFree"})
OTHER_ELEMENTS: Final = frozenset({"teiHeader", "front", "back", "head", "p", "list", "note", "figure"})
"""Elements other than entries, which are reported as losses."""

ROMANIZED: Final = frozenset({"transliterated", "romanized", "trans"})
GENERATED: Final = "generated"
"""The subtype of a generated romanization in Abhidhan's files; imports skip it and generate a new one."""

PHONETIC: Final = frozenset({None, "IPA", "ipa"})
ASSAMESE_SOUNDS: Final = "Beng"
"""The notation of a pronunciation in Assamese letters in Abhidhan's files."""

PRIORITIES: Final = frozenset({"pri", "re_pri"})
"""Types of usage elements with priority codes in Japanese dictionaries; they are reported as losses."""


class FileLanguages(NamedTuple):
    """The languages of a file: of its headwords (None if unknown), and of its translations."""

    words: str | None
    meanings: str


def read_tei(contents: Iterator[ContentStream], options: ImportOptions) -> Iterator[ParsedRecord]:
    """Read the entries of TEI files; each sense becomes an idea."""
    source = options.require_source()
    yield located_source(source)
    for content in contents:
        if content.base_name.lower().endswith(FILE_SUFFIXES):
            yield from _read_file(content, located_source(source), source.code, options)


def _read_file(
    content: ContentStream, source: LocatedRecord, code: str, options: ImportOptions
) -> Iterator[ParsedRecord]:
    named = NAME.fullmatch(content.base_name)
    before: Outer = []
    seen = SeenRecords()
    for (element, line), outer in read_elements(content, ENTRIES | OTHER_ELEMENTS):
        if outer != before:
            yield from losses_of_outer(content.name, line, [item for item in outer if item not in before])
            before = outer
        if element.tag in OTHER_ELEMENTS:
            yield from losses_of_element(content.name, line, element, [source], options)
            continue
        read = _ideas(element, _languages(named, outer, options), code, options)
        ideas = [LocatedRecord(content.name, line, seen.with_unique_key(idea)) for idea in read]
        yield from ideas
        if ideas:
            yield from losses_of_element(content.name, line, element, ideas, options)
        else:
            needed = "It needs an orth in a form, and a sense."
            yield RecordError(content.name, line, f"The entry has no headword, or no meaning. {needed}")


def _languages(named: re.Match[str] | None, outer: Outer, options: ImportOptions) -> FileLanguages:
    """Return the languages of a file. Its name takes precedence over `xml:lang`, which FreeDict uses ambiguously."""
    outer_language = next((attributes[LANGUAGE] for _, attributes in outer if LANGUAGE in attributes), None)
    return FileLanguages(
        options.language or (named[1] if named else outer_language),
        options.target or (named[2] if named else "en"),
    )


def _ideas(entry: Element, languages: FileLanguages, source: str, options: ImportOptions) -> Iterator[IdeaRecord]:
    written = _headword(entry, languages, options)
    if written is None:
        return
    text, marks = remove_marks(written.text)
    head = msgspec.structs.replace(written, text=text, forms=_unmarked_forms(text, written.forms))
    for part in senses_of(entry):
        pos = part_of_speech_of(part, options) or part_of_marks((*marks, *marks_of(part.sense)), options)
        words = (*synonyms(part.sense, head), *translations(part, pos, languages.meanings, options))
        defined = tuple(definitions(part.sense, languages.meanings, options))
        if not words and not defined:
            continue
        meaning = defined[0].text if defined else ", ".join(word.text for word in words)
        gender = gender_of(part, options) or gender_of_marks(marks)
        yield IdeaRecord(
            source,
            key_of(head.language, head.text, meaning),
            pos,
            (_with_remarks(head, entry, part, (pos, gender), options), *words),
            gender=gender,
            contexts=tuple(contexts(part.sense, options)),
            definitions=defined,
            examples=tuple(examples(part.sense, head.language, options)),
        )


def _headword(entry: Element, languages: FileLanguages, options: ImportOptions) -> WordRecord | None:
    """Return the headword; its other spellings become forms."""
    spellings = [
        (orth, orth.get(LANGUAGE) or form.get(LANGUAGE) or entry.get(LANGUAGE))
        for form in entry.findall("form")
        for orth in form.findall("orth")
        if orth.get("type") not in ROMANIZED and bare_text(orth)
    ]
    if not spellings:
        return None
    first, tag = spellings[0]
    language = options.code(tag or languages.words or "") or options.require_language()
    romanized = [orth for orth in entry.findall("form/orth") if orth.get("type") in ROMANIZED]
    roman = next((text_of(orth) for orth in romanized if orth.get("subtype") != GENERATED), None)
    pronunciations = entry.findall("form/pron")
    ipa = [_sounds(pron) for pron in pronunciations if pron.get("notation") in PHONETIC]
    asm = [text_of(pron) for pron in pronunciations if pron.get("notation") == ASSAMESE_SOUNDS]
    plurals = entry.findall(f"xr[@type='{PLURAL}']/ref")
    other_forms = [*(orth for orth, _ in spellings[1:]), *entry.findall("form/form/orth"), *plurals]
    return WordRecord(
        language,
        bare_text(first),
        roman=roman,
        ipa=next(filter(None, ipa), None),
        asm=next(filter(None, asm), None),
        forms=texts_of_forms(bare_text(first), other_forms),
    )


def _sounds(pron: Element) -> str:
    return text_of(pron).strip("/[] ")


def _unmarked_forms(text: str, forms: tuple[str, ...]) -> tuple[str, ...]:
    plain = dict.fromkeys(remove_marks(form).text for form in forms)
    return tuple(form for form in plain if form != text)


def _with_remarks(
    word: WordRecord, entry: Element, part: TEISense, read: tuple[str | None, str | None], options: ImportOptions
) -> WordRecord:
    """Add the remarks of a meaning and of the forms to the headword; `grammar` has the part of speech and gender."""
    variant = text_of(entry.find(VARIANT))
    return msgspec.structs.replace(
        word,
        variant=options.value("variant", variant) or None,
        origin=origin_of(part.sense),
        note=join_notes(*_remarks_on_forms(entry, word), note_of(part, *read, options)),
        reference=join_notes(*map(text_of, part.sense.findall("note[@type='reference']"))),
    )


def _remarks_on_forms(entry: Element, word: WordRecord) -> Iterator[str]:
    """Yield remarks on the forms of an entry: labels, usages, other pronunciations and hyphenations."""
    for child in (child for form in entry.findall("form") for child in form):
        is_read = child.tag in {"orth", "form", "gramGrp"} or child.get("type") in PRIORITIES
        if text_of(child) and not is_read and _sounds(child) not in {word.ipa, word.asm}:
            yield labelled_text(child)
