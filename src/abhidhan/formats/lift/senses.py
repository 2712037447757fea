"""Parser of LIFT senses: the meaning of an idea, and the words of its glosses."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

import msgspec

from abhidhan.formats.importer_api import ImportOptions, equivalents_of, is_short, join_notes
from abhidhan.formats.lift.headwords import COMMENT, ReadSettings
from abhidhan.formats.lift.multitext import (
    LiftForm,
    field_of,
    forms_of,
    inner_remarks,
    labelled_texts,
    notes_of,
    texts_of,
    trait_of,
    traits_of,
    type_of,
    writing_system,
)
from abhidhan.formats.lift.ranges import Category
from abhidhan.formats.lift.vocabulary import (
    DOMAIN,
    GENDER,
    PARTS,
    SEMANTIC_DOMAINS,
    VERB,
    context_of_domain,
    is_context,
)
from abhidhan.formats.pos_mapping import GENDERS, is_verb, part_of_speech
from abhidhan.records.kinds import DefinitionRecord, ExampleRecord, WordRecord
from abhidhan.records.kinds.fields import MAX_CONTEXTS, MAX_TEXT_LENGTH

SCIENTIFIC_NAME: Final = "scientific-name"
SCIENTIFIC: Final = "Scientific name"
LATIN: Final = "la"

REFERENCE_NOTES: Final = ("source", "reference")
"""Types of notes that give a reference."""

OWN_FIELDS: Final = frozenset({SCIENTIFIC_NAME, "glyph", "plural-classifier", "definitive-classifier"})
_FURTHER: Final = re.compile(r"definition-\d+")
_LETTER: Final = re.compile(r"[^\W_]")
_ABBREVIATION: Final = re.compile(r"[-=~.\d]*[A-Z][A-Z\d.:]*[-=~.]*")
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
    sense: Element, language: str, reading: ReadSettings, categories: Mapping[str, Category]
) -> LiftMeaning:
    """Parse the sense of a word in a language; `categories` are the parts of speech from the file's ranges."""
    words, definitions = _glosses(sense, language, reading)
    pos, category = _part_of_speech(sense, reading.options, categories)
    contexts, domains = _contexts(sense, reading.options)
    return LiftMeaning(
        (*words, *_scientific_names(sense)),
        (*definitions, *(definition for definition in _definitions(sense, reading) if _LETTER.search(definition.text))),
        tuple(_examples(sense, language, reading)),
        pos,
        _gender(sense, reading.options),
        contexts,
        join_within_limit(*notes_of(sense, None), *_remarks(sense), *domains, category),
        join_notes(*notes_of(sense, *REFERENCE_NOTES), *_references(sense)),
        field_of(sense, "glyph"),
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


def parse_own_meaning(sense: Element, reading: ReadSettings) -> LiftMeaning:
    """Parse a sense of a file written by Abhidhan; glosses that have their own entry in the file are skipped."""
    glosses = ((reading.code(form.tag), form.text) for form in forms_of(sense, "gloss"))
    words = tuple(WordRecord(code, text) for code, text in glosses if code not in reading.own_languages)
    info = sense.find("grammatical-info")
    return LiftMeaning(
        words,
        tuple(_definitions(sense, reading)),
        tuple(_examples(sense, "", reading)),
        info.get("value") if info is not None else None,
        trait_of(sense, GENDER),
        tuple(traits_of(sense, DOMAIN)),
        join_notes(*notes_of(sense, None)),
        join_notes(*notes_of(sense, "source")),
        field_of(sense, "glyph"),
    )


def _glosses(sense: Element, language: str, reading: ReadSettings) -> tuple[list[WordRecord], list[DefinitionRecord]]:
    """Return short glosses as words of the idea; long ones, and those in the headword's language, as definitions."""
    words: list[WordRecord] = []
    definitions: list[DefinitionRecord] = []
    for form in _text_forms(sense, "gloss"):
        text = form.text if " " in form.text else form.text.replace("_", " ").strip()
        code = reading.code(form.tag) if form.tag else reading.options.code(reading.options.target or "en")
        if not _LETTER.search(text):
            continue
        if code != language and is_short(text) and not _ABBREVIATION.fullmatch(text):
            words.extend(map(_mark_uncertain, equivalents_of(code, text)))
        else:
            definitions.append(DefinitionRecord(code, text))
    return words, definitions


def _mark_uncertain(word: WordRecord) -> WordRecord:
    """Move the question mark of an uncertain gloss to the word's note."""
    text = word.text.removesuffix("(?)").rstrip("? ")
    return msgspec.structs.replace(word, text=text, note=join_notes(word.note, "?")) if text != word.text else word


def _scientific_names(sense: Element) -> Iterator[WordRecord]:
    name = field_of(sense, SCIENTIFIC_NAME)
    if name:
        yield WordRecord(LATIN, name, variant=SCIENTIFIC)


def _definitions(sense: Element, reading: ReadSettings) -> Iterator[DefinitionRecord]:
    """Yield the definition, and the further definitions that Abhidhan's files have in numbered fields."""
    further = [field for field in sense.findall("field") if _FURTHER.fullmatch(type_of(field))]
    for element in (sense.find("definition"), *further):
        yield from (DefinitionRecord(reading.code(form.tag), form.text) for form in _text_forms(element))


def _text_forms(element: Element | None, name: str = "form") -> Iterator[LiftForm]:
    """Yield the forms of an element that are texts, not names of recordings."""
    return (form for form in forms_of(element, name) if not writing_system(form.tag).is_audio)


def _examples(sense: Element, language: str, reading: ReadSettings) -> Iterator[ExampleRecord]:
    """Yield examples, in the first of several writing systems."""
    for example in sense.findall("example"):
        form = next(_text_forms(example), None)
        if form is not None:
            code = reading.code(form.tag) if form.tag else language
            yield ExampleRecord(code, form.text, _translation(example, code, reading))


def _translation(example: Element, code: str, reading: ReadSettings) -> str | None:
    """Return the translations: first those in English (of English, in Assamese), then others with their tags."""
    forms = [form for translation in example.findall("translation") for form in _text_forms(translation)]
    language = "as" if code == "en" else "en"
    fitting = [form for form in forms if not form.tag or reading.code(form.tag) == language]
    other_texts = (f"{form.text} ({form.tag})" for form in forms if form not in fitting)
    return " / ".join(dict.fromkeys((*(form.text for form in fitting), *other_texts))) or None


def _references(sense: Element) -> Iterator[str]:
    for example in sense.findall("example"):
        yield example.get("source", "").strip()
        yield from notes_of(example, *REFERENCE_NOTES)


def _part_of_speech(
    sense: Element, options: ImportOptions, categories: Mapping[str, Category]
) -> tuple[str | None, str | None]:
    """Return the part of speech, and a remark with the category if it was mapped by a parent category or not at all."""
    info = sense.find("grammatical-info")
    category = info.get("value", "").strip() if info is not None else ""
    for name in _ancestors(category, categories):
        label = categories[name].label if name in categories else ""
        pos = _map_part_of_speech(name, options) or _map_part_of_speech(label, options)
        if pos is not None:
            return pos, f"part of speech: {category}" if name != category else None
    return None, f"part of speech: {category}" if _LETTER.search(category) else None


def _map_part_of_speech(label: str, options: ImportOptions) -> str | None:
    return part_of_speech(label, options) or PARTS.get(label.casefold()) or (VERB if is_verb(label) else None)


def _ancestors(category: str, categories: Mapping[str, Category]) -> Iterator[str]:
    """Yield a category and its parents in the ranges."""
    seen: set[str] = set()
    while category and category not in seen:
        seen.add(category)
        yield category
        category = categories[category].parent if category in categories else ""


def _gender(sense: Element, options: ImportOptions) -> str | None:
    label = trait_of(sense, GENDER)
    return (options.values.get("gender", {}).get(label) or GENDERS.get(label.lower(), label)) if label else None


def _contexts(sense: Element, options: ImportOptions) -> tuple[tuple[str, ...], list[str]]:
    """Return the contexts of semantic and other domains, and remarks on domains that match no context exactly."""
    mapped = options.values.get("context", {})
    contexts: dict[str, None] = {}
    remarks = []
    for domain in traits_of(sense, *SEMANTIC_DOMAINS):
        context = mapped.get(domain) or context_of_domain(domain)
        if context:
            contexts[context] = None
        if not (domain in mapped or is_context(domain)):
            remarks.append(f"semantic domain: {domain}")
    for domain in traits_of(sense, DOMAIN):
        contexts[mapped.get(domain, domain)] = None
    return tuple(contexts)[:MAX_CONTEXTS], remarks


def _remarks(sense: Element) -> Iterator[str]:
    """Yield content that fits no field of a record as remarks, each after its name in LIFT."""
    yield from labelled_texts(sense, "note", frozenset(REFERENCE_NOTES))
    further = {kind for element in sense.findall("field") if _FURTHER.fullmatch(kind := type_of(element))}
    yield from labelled_texts(sense, "field", OWN_FIELDS | further)
    yield from traits_of(sense, "usage-type")
    yield from (f"reversal: {text}" for element in sense.findall("reversal") if (text := _reversal(element)))
    yield from (f"picture: {text}" for element in sense.findall("illustration") if (text := _picture(element)))
    for name in ("example", "relation", "note"):
        yield from inner_remarks(sense, name, frozenset(REFERENCE_NOTES))


def _reversal(element: Element) -> str:
    """Format the entry of a reversal index, after its parent entries."""
    return " > ".join(filter(None, (*(_reversal(parent) for parent in element.findall("main")), texts_of(element))))


def _picture(element: Element) -> str:
    caption = texts_of(element.find("label"))
    return " ".join(filter(None, (element.get("href", "").strip(), f"({caption})" if caption else "")))


def entry_remarks(entry: Element) -> Iterator[str]:
    """Yield content of an entry outside its senses that fits no field of a record, as remarks."""
    yield from notes_of(entry, None)
    yield from labelled_texts(entry, "note", frozenset())
    yield from labelled_texts(entry, "field", OWN_FIELDS)
    for name in ("pronunciation", "variant", "relation", "note"):
        yield from inner_remarks(entry, name)
    yield from inner_remarks(entry, "etymology", frozenset({COMMENT}))
