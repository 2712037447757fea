"""Reader of TEI dictionaries: FreeDict's, and TEI Lex-0."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

import msgspec

from abhidhan.formats.content_streams import ContentStream
from abhidhan.formats.grammar_marks import extract_labels, find_label_gender
from abhidhan.formats.importer_api import ImportOptions, ParsedRecord, SeenRecords, build_key, join_notes, wrap_source
from abhidhan.formats.pos_mapping import find_label_pos
from abhidhan.formats.tei.losses import find_ancestor_losses, find_element_losses
from abhidhan.formats.tei.senses import (
    PLURAL_TYPE,
    VARIANT_PATH,
    TEISense,
    build_note,
    build_origin,
    collect_forms,
    find_gender,
    find_part_of_speech,
    format_labelled_text,
    get_text_without_notes,
    iter_contexts,
    iter_definitions,
    iter_examples,
    iter_labels,
    iter_senses,
    iter_synonyms,
    iter_translations,
)
from abhidhan.formats.xml_stream import LANGUAGE_ATTRIBUTE, Ancestors, get_text, read_elements
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.kinds import IdeaRecord, WordRecord

FILE_SUFFIXES: Final = (".tei", ".xml")
FILE_NAME: Final = re.compile(r"(?:freedict-)?([a-z]{2,3})-([a-z]{2,3})\.(?:tei|xml)")
"""FreeDict's file names state the languages: eng-hin.tei."""

ENTRY_TAGS: Final = frozenset({"entry", "entryFree"})
OTHER_ELEMENTS: Final = frozenset({"teiHeader", "front", "back", "head", "p", "list", "note", "figure"})
"""Elements other than entries, which are reported as losses."""

ROMANIZED_TYPES: Final = frozenset({"transliterated", "romanized", "trans"})
GENERATED_SUBTYPE: Final = "generated"
"""The subtype of a generated romanization in Abhidhan's files; imports skip it and generate a new one."""

IPA_NOTATIONS: Final = frozenset({None, "IPA", "ipa"})
ASSAMESE_NOTATION: Final = "Beng"
"""The notation of a pronunciation in Assamese letters in Abhidhan's files."""

PRIORITY_TYPES: Final = frozenset({"pri", "re_pri"})
"""Types of usage elements with priority codes in Japanese dictionaries; they are reported as losses."""


class FileLanguages(NamedTuple):
    """The languages of a file: of its headwords (None if unknown), and of its translations."""

    headwords: str | None
    translations: str


def read_tei(contents: Iterator[ContentStream], options: ImportOptions) -> Iterator[ParsedRecord]:
    """Read the entries of TEI files; each sense becomes an idea."""
    source = options.require_source()
    yield wrap_source(source)
    for content in contents:
        if content.base_name.lower().endswith(FILE_SUFFIXES):
            yield from _read_file(content, wrap_source(source), source.code, options)


def _read_file(
    content: ContentStream, source: LocatedRecord, code: str, options: ImportOptions
) -> Iterator[ParsedRecord]:
    name_match = FILE_NAME.fullmatch(content.base_name)
    previous: Ancestors = []
    seen = SeenRecords()
    for (element, line), outer in read_elements(content, ENTRY_TAGS | OTHER_ELEMENTS):
        if outer != previous:
            yield from find_ancestor_losses(content.name, line, [item for item in outer if item not in previous])
            previous = outer
        if element.tag in OTHER_ELEMENTS:
            yield from find_element_losses(content.name, line, element, [source], options)
            continue
        unnumbered = _iter_ideas(element, _find_languages(name_match, outer, options), code, options)
        ideas = [LocatedRecord(content.name, line, seen.with_unique_key(idea)) for idea in unnumbered]
        yield from ideas
        if ideas:
            yield from find_element_losses(content.name, line, element, ideas, options)
        else:
            needed = "It needs an orth in a form, and a sense."
            yield RecordError(content.name, line, f"The entry has no headword, or no meaning. {needed}")


def _find_languages(name_match: re.Match[str] | None, ancestors: Ancestors, options: ImportOptions) -> FileLanguages:
    """Return the languages of a file. Its name takes precedence over `xml:lang`, which FreeDict uses ambiguously."""
    outer_language = next(
        (attributes[LANGUAGE_ATTRIBUTE] for _, attributes in ancestors if LANGUAGE_ATTRIBUTE in attributes), None
    )
    return FileLanguages(
        options.language or (name_match[1] if name_match else outer_language),
        options.target or (name_match[2] if name_match else "en"),
    )


def _iter_ideas(entry: Element, languages: FileLanguages, source: str, options: ImportOptions) -> Iterator[IdeaRecord]:
    headword = _parse_headword(entry, languages, options)
    if headword is None:
        return
    text, marks = extract_labels(headword.text)
    head = msgspec.structs.replace(headword, text=text, forms=_strip_form_labels(text, headword.forms))
    for sense in iter_senses(entry):
        pos = find_part_of_speech(sense, options) or find_label_pos((*marks, *iter_labels(sense.element)), options)
        words = (*iter_synonyms(sense.element, head), *iter_translations(sense, pos, languages.translations, options))
        definition_records = tuple(iter_definitions(sense.element, languages.translations, options))
        if not words and not definition_records:
            continue
        meaning = definition_records[0].text if definition_records else ", ".join(word.text for word in words)
        gender = find_gender(sense, options) or find_label_gender(marks)
        yield IdeaRecord(
            source,
            build_key(head.language, head.text, meaning),
            pos,
            (_add_remarks(head, entry, sense, (pos, gender), options), *words),
            gender=gender,
            contexts=tuple(iter_contexts(sense.element, options)),
            definitions=definition_records,
            examples=tuple(iter_examples(sense.element, head.language, options)),
        )


def _parse_headword(entry: Element, languages: FileLanguages, options: ImportOptions) -> WordRecord | None:
    """Return the headword; its other spellings become forms."""
    spellings = [
        (orth, orth.get(LANGUAGE_ATTRIBUTE) or form.get(LANGUAGE_ATTRIBUTE) or entry.get(LANGUAGE_ATTRIBUTE))
        for form in entry.findall("form")
        for orth in form.findall("orth")
        if orth.get("type") not in ROMANIZED_TYPES and get_text_without_notes(orth)
    ]
    if not spellings:
        return None
    first, tag = spellings[0]
    language = options.map_language(tag or languages.headwords or "") or options.require_language()
    romanized = [orth for orth in entry.findall("form/orth") if orth.get("type") in ROMANIZED_TYPES]
    roman = next((get_text(orth) for orth in romanized if orth.get("subtype") != GENERATED_SUBTYPE), None)
    pronunciations = entry.findall("form/pron")
    ipa = [_get_transcription(pron) for pron in pronunciations if pron.get("notation") in IPA_NOTATIONS]
    asm = [get_text(pron) for pron in pronunciations if pron.get("notation") == ASSAMESE_NOTATION]
    plurals = entry.findall(f"xr[@type='{PLURAL_TYPE}']/ref")
    other_forms = [*(orth for orth, _ in spellings[1:]), *entry.findall("form/form/orth"), *plurals]
    return WordRecord(
        language,
        get_text_without_notes(first),
        roman=roman,
        ipa=next(filter(None, ipa), None),
        asm=next(filter(None, asm), None),
        forms=collect_forms(get_text_without_notes(first), other_forms),
    )


def _get_transcription(pron: Element) -> str:
    return get_text(pron).strip("/[] ")


def _strip_form_labels(text: str, forms: tuple[str, ...]) -> tuple[str, ...]:
    plain = dict.fromkeys(extract_labels(form).text for form in forms)
    return tuple(form for form in plain if form != text)


def _add_remarks(
    word: WordRecord, entry: Element, sense: TEISense, grammar: tuple[str | None, str | None], options: ImportOptions
) -> WordRecord:
    """Add the remarks of a meaning and of the forms to the headword; `grammar` has the part of speech and gender."""
    variant = get_text(entry.find(VARIANT_PATH))
    return msgspec.structs.replace(
        word,
        variant=options.map_value("variant", variant) or None,
        origin=build_origin(sense.element),
        note=join_notes(*_iter_form_remarks(entry, word), build_note(sense, *grammar, options)),
        reference=join_notes(*map(get_text, sense.element.findall("note[@type='reference']"))),
    )


def _iter_form_remarks(entry: Element, word: WordRecord) -> Iterator[str]:
    """Yield remarks on the forms of an entry: labels, usages, other pronunciations and hyphenations."""
    for child in (child for form in entry.findall("form") for child in form):
        is_read = child.tag in {"orth", "form", "gramGrp"} or child.get("type") in PRIORITY_TYPES
        if get_text(child) and not is_read and _get_transcription(child) not in {word.ipa, word.asm}:
            yield format_labelled_text(child)
