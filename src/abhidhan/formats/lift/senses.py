"""Parser of LIFT senses: the meaning of an idea, and the words of its glosses."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

import msgspec

from abhidhan.formats.importer_api import ImportOptions, is_word_list, join_notes, parse_equivalents
from abhidhan.formats.lift.headwords import COMMENT_TYPE, ReadSettings
from abhidhan.formats.lift.multitext import (
    LiftForm,
    get_field,
    get_trait,
    get_type,
    iter_child_remarks,
    iter_forms,
    iter_labelled_texts,
    iter_notes,
    iter_traits,
    join_texts,
    parse_writing_system,
)
from abhidhan.formats.lift.ranges import Category
from abhidhan.formats.lift.vocabulary import (
    DOMAIN_TRAIT,
    GENDER_TRAIT,
    POS_BY_CATEGORY,
    SEMANTIC_DOMAIN_TRAITS,
    VERB,
    find_context,
    is_context_domain,
)
from abhidhan.formats.pos_mapping import GENDER_BY_LABEL, is_verb_label, map_pos
from abhidhan.records.kinds import DefinitionRecord, ExampleRecord, WordRecord
from abhidhan.records.kinds.fields import MAX_CONTEXTS, MAX_TEXT_LENGTH

SCIENTIFIC_NAME_FIELD: Final = "scientific-name"
SCIENTIFIC_VARIANT: Final = "Scientific name"
LATIN_LANGUAGE: Final = "la"

REFERENCE_NOTE_TYPES: Final = ("source", "reference")
"""Types of notes that give a reference."""

CONVERTED_FIELDS: Final = frozenset({SCIENTIFIC_NAME_FIELD, "glyph", "plural-classifier", "definitive-classifier"})
_EXTRA_DEFINITION: Final = re.compile(r"definition-\d+")
_LETTER: Final = re.compile(r"[^\W_]")
_GRAMMAR_LABEL: Final = re.compile(r"[-=~.\d]*[A-Z][A-Z\d.:]*[-=~.]*")
"""Category labels in glosses of morphemes: PL, 3SG, -ACC."""


class LiftMeaning(NamedTuple):
    """The content of a sense: words and definitions from its glosses and definition, and its other properties."""

    words: tuple[WordRecord, ...]
    definitions: tuple[DefinitionRecord, ...]
    examples: tuple[ExampleRecord, ...]
    pos: str | None
    gender: str | None
    contexts: tuple[str, ...]
    note: str | None
    reference: str | None
    glyph: str | None


def parse_meaning(
    sense: Element, language: str, settings: ReadSettings, categories: Mapping[str, Category]
) -> LiftMeaning:
    """Parse the sense of a word in a language; `categories` are the parts of speech from the file's ranges."""
    words, definitions = _parse_glosses(sense, language, settings)
    pos, category = _parse_part_of_speech(sense, settings.options, categories)
    contexts, domains = _parse_contexts(sense, settings.options)
    return LiftMeaning(
        (*words, *_iter_scientific_names(sense)),
        (
            *definitions,
            *(definition for definition in _iter_definitions(sense, settings) if _LETTER.search(definition.text)),
        ),
        tuple(_iter_examples(sense, language, settings)),
        pos,
        _parse_gender(sense, settings.options),
        contexts,
        join_within_limit(*iter_notes(sense, None), *_iter_remarks(sense), *domains, category),
        join_notes(*iter_notes(sense, *REFERENCE_NOTE_TYPES), *_iter_references(sense)),
        get_field(sense, "glyph"),
    )


def join_within_limit(*notes: str | None) -> str | None:
    """Join notes, and drop those beyond the maximum length; a sense may have hundreds of semantic domains.

    The stored original entry still contains the dropped ones.
    """
    fitting: list[str] = []
    length = 0
    for note in dict.fromkeys(filter(None, notes)):
        length += len(note) + len("; ")
        if fitting and length > MAX_TEXT_LENGTH:
            break
        fitting.append(note)
    return join_notes(*fitting)


def parse_abhidhan_meaning(sense: Element, settings: ReadSettings) -> LiftMeaning:
    """Parse a sense of a file written by Abhidhan; glosses that have their own entry in the file are skipped."""
    glosses = ((settings.map_tag(form.tag), form.text) for form in iter_forms(sense, "gloss"))
    words = tuple(WordRecord(code, text) for code, text in glosses if code not in settings.entry_languages)
    info = sense.find("grammatical-info")
    return LiftMeaning(
        words,
        tuple(_iter_definitions(sense, settings)),
        tuple(_iter_examples(sense, "", settings)),
        info.get("value") if info is not None else None,
        get_trait(sense, GENDER_TRAIT),
        tuple(iter_traits(sense, DOMAIN_TRAIT)),
        join_notes(*iter_notes(sense, None)),
        join_notes(*iter_notes(sense, "source")),
        get_field(sense, "glyph"),
    )


def _parse_glosses(
    sense: Element, language: str, settings: ReadSettings
) -> tuple[list[WordRecord], list[DefinitionRecord]]:
    """Return short glosses as words of the idea; long ones, and those in the headword's language, as definitions."""
    words: list[WordRecord] = []
    definitions: list[DefinitionRecord] = []
    for form in _iter_text_forms(sense, "gloss"):
        text = form.text if " " in form.text else form.text.replace("_", " ").strip()
        code = (
            settings.map_tag(form.tag) if form.tag else settings.options.map_language(settings.options.target or "en")
        )
        if not _LETTER.search(text):
            continue
        if code != language and is_word_list(text) and not _GRAMMAR_LABEL.fullmatch(text):
            words.extend(map(_mark_uncertain, parse_equivalents(code, text)))
        else:
            definitions.append(DefinitionRecord(code, text))
    return words, definitions


def _mark_uncertain(word: WordRecord) -> WordRecord:
    """Move the question mark of an uncertain gloss to the word's note."""
    text = word.text.removesuffix("(?)").rstrip("? ")
    return msgspec.structs.replace(word, text=text, note=join_notes(word.note, "?")) if text != word.text else word


def _iter_scientific_names(sense: Element) -> Iterator[WordRecord]:
    name = get_field(sense, SCIENTIFIC_NAME_FIELD)
    if name:
        yield WordRecord(LATIN_LANGUAGE, name, variant=SCIENTIFIC_VARIANT)


def _iter_definitions(sense: Element, settings: ReadSettings) -> Iterator[DefinitionRecord]:
    """Yield the definition, and the further definitions that Abhidhan's files have in numbered fields."""
    extra_fields = [field for field in sense.findall("field") if _EXTRA_DEFINITION.fullmatch(get_type(field))]
    for element in (sense.find("definition"), *extra_fields):
        yield from (DefinitionRecord(settings.map_tag(form.tag), form.text) for form in _iter_text_forms(element))


def _iter_text_forms(element: Element | None, name: str = "form") -> Iterator[LiftForm]:
    """Yield the forms of an element that are texts, not names of recordings."""
    return (form for form in iter_forms(element, name) if not parse_writing_system(form.tag).is_audio)


def _iter_examples(sense: Element, language: str, settings: ReadSettings) -> Iterator[ExampleRecord]:
    """Yield examples, in the first of several writing systems."""
    for example in sense.findall("example"):
        form = next(_iter_text_forms(example), None)
        if form is not None:
            code = settings.map_tag(form.tag) if form.tag else language
            yield ExampleRecord(code, form.text, _join_translations(example, code, settings))


def _join_translations(example: Element, code: str, settings: ReadSettings) -> str | None:
    """Return the translations: first those in English (of English, in Assamese), then others with their tags."""
    forms = [form for translation in example.findall("translation") for form in _iter_text_forms(translation)]
    language = "as" if code == "en" else "en"
    fitting = [form for form in forms if not form.tag or settings.map_tag(form.tag) == language]
    other_texts = (f"{form.text} ({form.tag})" for form in forms if form not in fitting)
    return " / ".join(dict.fromkeys((*(form.text for form in fitting), *other_texts))) or None


def _iter_references(sense: Element) -> Iterator[str]:
    for example in sense.findall("example"):
        yield example.get("source", "").strip()
        yield from iter_notes(example, *REFERENCE_NOTE_TYPES)


def _parse_part_of_speech(
    sense: Element, options: ImportOptions, categories: Mapping[str, Category]
) -> tuple[str | None, str | None]:
    """Return the part of speech, and a remark with the category if it was mapped by a parent category or not at all."""
    info = sense.find("grammatical-info")
    category = info.get("value", "").strip() if info is not None else ""
    for name in _iter_ancestors(category, categories):
        label = categories[name].label if name in categories else ""
        pos = _map_part_of_speech(name, options) or _map_part_of_speech(label, options)
        if pos is not None:
            return pos, f"part of speech: {category}" if name != category else None
    return None, f"part of speech: {category}" if _LETTER.search(category) else None


def _map_part_of_speech(label: str, options: ImportOptions) -> str | None:
    return map_pos(label, options) or POS_BY_CATEGORY.get(label.casefold()) or (VERB if is_verb_label(label) else None)


def _iter_ancestors(category: str, categories: Mapping[str, Category]) -> Iterator[str]:
    """Yield a category and its parents in the ranges."""
    seen: set[str] = set()
    while category and category not in seen:
        seen.add(category)
        yield category
        category = categories[category].parent if category in categories else ""


def _parse_gender(sense: Element, options: ImportOptions) -> str | None:
    label = get_trait(sense, GENDER_TRAIT)
    return (options.values.get("gender", {}).get(label) or GENDER_BY_LABEL.get(label.lower(), label)) if label else None


def _parse_contexts(sense: Element, options: ImportOptions) -> tuple[tuple[str, ...], list[str]]:
    """Return the contexts of semantic and other domains, and remarks on domains that match no context exactly."""
    mapped = options.values.get("context", {})
    contexts: dict[str, None] = {}
    remarks = []
    for domain in iter_traits(sense, *SEMANTIC_DOMAIN_TRAITS):
        context = mapped.get(domain) or find_context(domain)
        if context:
            contexts[context] = None
        if not (domain in mapped or is_context_domain(domain)):
            remarks.append(f"semantic domain: {domain}")
    for domain in iter_traits(sense, DOMAIN_TRAIT):
        contexts[mapped.get(domain, domain)] = None
    return tuple(contexts)[:MAX_CONTEXTS], remarks


def _iter_remarks(sense: Element) -> Iterator[str]:
    """Yield content that fits no field of a record as remarks, each after its name in LIFT."""
    yield from iter_labelled_texts(sense, "note", frozenset(REFERENCE_NOTE_TYPES))
    extra_types = {kind for element in sense.findall("field") if _EXTRA_DEFINITION.fullmatch(kind := get_type(element))}
    yield from iter_labelled_texts(sense, "field", CONVERTED_FIELDS | extra_types)
    yield from iter_traits(sense, "usage-type")
    yield from (f"reversal: {text}" for element in sense.findall("reversal") if (text := _format_reversal(element)))
    yield from (f"picture: {text}" for element in sense.findall("illustration") if (text := _format_picture(element)))
    for name in ("example", "relation", "note"):
        yield from iter_child_remarks(sense, name, frozenset(REFERENCE_NOTE_TYPES))


def _format_reversal(element: Element) -> str:
    """Format the entry of a reversal index, after its parent entries."""
    return " > ".join(
        filter(None, (*(_format_reversal(parent) for parent in element.findall("main")), join_texts(element)))
    )


def _format_picture(element: Element) -> str:
    caption = join_texts(element.find("label"))
    return " ".join(filter(None, (element.get("href", "").strip(), f"({caption})" if caption else "")))


def iter_entry_remarks(entry: Element) -> Iterator[str]:
    """Yield content of an entry outside its senses that fits no field of a record, as remarks."""
    yield from iter_notes(entry, None)
    yield from iter_labelled_texts(entry, "note", frozenset())
    yield from iter_labelled_texts(entry, "field", CONVERTED_FIELDS)
    for name in ("pronunciation", "variant", "relation", "note"):
        yield from iter_child_remarks(entry, name)
    yield from iter_child_remarks(entry, "etymology", frozenset({COMMENT_TYPE}))
