"""A sense of LIFT: its meaning as an idea, with the words that gloss it."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

import msgspec

from abhidhan.domain.records import DefinitionRecord, ExampleRecord, WordRecord
from abhidhan.formats.lift_heads import Reading
from abhidhan.formats.lift_names import DOMAIN, PARTS, SEMANTIC_DOMAIN, context_of_domain
from abhidhan.formats.lift_texts import field_of, forms_of, labelled, notes_of, texts_of, trait_of, traits_of
from abhidhan.formats.parts import GENDERS, is_verb, part_of_speech
from abhidhan.formats.reading import Options, equivalents_of, is_short, joined

SCIENTIFIC_NAME: Final = "scientific-name"
SCIENTIFIC: Final = "Scientific name"
LATIN: Final = "la"

OF_REFERENCES: Final = ("source", "reference")
"""Types of notes that say where something is found."""

OWN_FIELDS: Final = frozenset({SCIENTIFIC_NAME, "glyph", "plural-classifier", "definitive-classifier"})
_FURTHER: Final = re.compile(r"definition-\d+")
_LETTER: Final = re.compile(r"[^\W_]")
_ABBREVIATION: Final = re.compile(r"[-=~.\d]*[A-Z][A-Z\d.:]*[-=~.]*")
"""What stands for a category in glosses of morphemes: PL, 3SG, -ACC."""


class Meaning(NamedTuple):
    """What a sense says: the words and definitions of its glosses and definition, and all else that belongs to it."""

    words: tuple[WordRecord, ...]
    definitions: tuple[DefinitionRecord, ...]
    examples: tuple[ExampleRecord, ...]
    pos: str | None
    gender: str | None
    contexts: tuple[str, ...]
    note: str | None
    reference: str | None
    glyph: str | None


def meaning_of(sense: Element, language: str, reading: Reading, labels: dict[str, str]) -> Meaning:
    """Read a sense of a word of a language. `labels` are the parts of speech of the file's own ranges, by their IDs."""
    words, definitions = _glosses(sense, language, reading)
    pos = _part_of_speech(sense, reading.options, labels)
    contexts, domains = _contexts(sense, reading.options)
    return Meaning(
        (*words, *_scientific(sense)),
        (*definitions, *(one for one in _definitions(sense, reading) if _LETTER.search(one.text))),
        tuple(_examples(sense, language, reading)),
        pos,
        _gender(sense, reading.options),
        contexts,
        joined(*notes_of(sense, None), *_remarks(sense), *domains, _unknown_part(sense, pos)),
        joined(*notes_of(sense, *OF_REFERENCES), *_references(sense)),
        field_of(sense, "glyph"),
    )


def own_meaning_of(sense: Element, reading: Reading) -> Meaning:
    """Read a sense of a file of ours: what it says is said in our own words, and words with entries come there."""
    glosses = ((reading.code(form.tag), form.text) for form in forms_of(sense, "gloss"))
    words = tuple(WordRecord(code, text) for code, text in glosses if code not in reading.own)
    info = sense.find("grammatical-info")
    return Meaning(
        words,
        tuple(_definitions(sense, reading)),
        tuple(_examples(sense, "", reading)),
        info.get("value") if info is not None else None,
        trait_of(sense, "gender"),
        tuple(traits_of(sense, DOMAIN)),
        joined(*notes_of(sense, None)),
        joined(*notes_of(sense, "source")),
        field_of(sense, "glyph"),
    )


def _glosses(sense: Element, language: str, reading: Reading) -> tuple[list[WordRecord], list[DefinitionRecord]]:
    """Read glosses: short ones are words of the idea, long ones and those in the same language definitions."""
    words: list[WordRecord] = []
    definitions: list[DefinitionRecord] = []
    for form in forms_of(sense, "gloss"):
        text = form.text if " " in form.text else form.text.replace("_", " ").strip()
        code = reading.code(form.tag) if form.tag else reading.options.code(reading.options.target or "en")
        if not _LETTER.search(text):
            continue
        if code != language and is_short(text) and not _ABBREVIATION.fullmatch(text):
            words.extend(map(_doubted, equivalents_of(code, text)))
        else:
            definitions.append(DefinitionRecord(code, text))
    return words, definitions


def _doubted(word: WordRecord) -> WordRecord:
    """Take off the question mark of a gloss of which somebody was not sure; it becomes the word's note."""
    text = word.text.removesuffix("(?)").rstrip("? ")
    return msgspec.structs.replace(word, text=text, note=joined(word.note, "?")) if text != word.text else word


def _scientific(sense: Element) -> Iterator[WordRecord]:
    name = field_of(sense, SCIENTIFIC_NAME)
    if name:
        yield WordRecord(LATIN, name, variant=SCIENTIFIC)


def _definitions(sense: Element, reading: Reading) -> Iterator[DefinitionRecord]:
    """Read the definition, and what we write where there are several in a language."""
    further = [one for one in sense.findall("field") if _FURTHER.fullmatch(one.get("type", ""))]
    for element in (sense.find("definition"), *further):
        yield from (DefinitionRecord(reading.code(form.tag), form.text) for form in forms_of(element))


def _examples(sense: Element, language: str, reading: Reading) -> Iterator[ExampleRecord]:
    """Read examples; in several writing systems of one language, the first."""
    for example in sense.findall("example"):
        form = next(forms_of(example), None)
        if form is not None:
            code = reading.code(form.tag) if form.tag else language
            yield ExampleRecord(code, form.text, _translation(example, code, reading))


def _translation(example: Element, code: str, reading: Reading) -> str | None:
    """Read the translation into the language in which translations are here; one into another says which it is."""
    forms = [form for one in example.findall("translation") for form in forms_of(one)]
    wanted = "as" if code == "en" else "en"
    fitting = next((form.text for form in forms if not form.tag or reading.code(form.tag) == wanted), None)
    return fitting or next((f"{form.text} ({form.tag})" for form in forms), None)


def _references(sense: Element) -> Iterator[str]:
    for example in sense.findall("example"):
        yield example.get("source", "").strip()
        yield from notes_of(example, *OF_REFERENCES)


def _part_of_speech(sense: Element, options: Options, labels: dict[str, str]) -> str | None:
    label = _label(sense)
    if not label:
        return None
    known = (part_of_speech(one, options) or PARTS.get(one.casefold()) for one in _upwards(label, labels))
    return next(filter(None, known), None)


def _upwards(label: str, labels: dict[str, str]) -> Iterator[str]:
    """Yield a category, and those above it in the ranges."""
    seen: set[str] = set()
    while label and label not in seen:
        seen.add(label)
        yield label
        label = labels.get(label, "")


def _unknown_part(sense: Element, pos: str | None) -> str | None:
    label = _label(sense)
    return f"part of speech: {label}" if pos is None and _LETTER.search(label) and not is_verb(label) else None


def _label(sense: Element) -> str:
    info = sense.find("grammatical-info")
    return info.get("value", "").strip() if info is not None else ""


def _gender(sense: Element, options: Options) -> str | None:
    label = trait_of(sense, "gender")
    return (options.values.get("gender", {}).get(label) or GENDERS.get(label.lower())) if label else None


def _contexts(sense: Element, options: Options) -> tuple[tuple[str, ...], list[str]]:
    """Read semantic and other domains: those that mean a context here, and those that become remarks."""
    mapped = options.values.get("context", {})
    known: dict[str, None] = {}
    others = []
    for domain in traits_of(sense, SEMANTIC_DOMAIN, "semantic-domain"):
        context = mapped.get(domain) or context_of_domain(domain)
        if context:
            known[context] = None
        else:
            others.append(f"semantic domain: {domain}")
    for domain in traits_of(sense, DOMAIN):
        known[mapped.get(domain, domain)] = None
    return tuple(known), others


def _remarks(sense: Element) -> Iterator[str]:
    """Read what has no place of its own here, each after what it is called there."""
    yield from labelled(sense, "note", frozenset(OF_REFERENCES))
    further = {one.get("type", "") for one in sense.findall("field") if _FURTHER.fullmatch(one.get("type", ""))}
    yield from labelled(sense, "field", OWN_FIELDS | further)
    yield from traits_of(sense, "usage-type")
    yield from (f"reversal: {text}" for one in sense.findall("reversal") if (text := texts_of(one)))
    yield from (f"picture: {name}" for one in sense.findall("illustration") if (name := one.get("href", "").strip()))


def entry_remarks(entry: Element) -> Iterator[str]:
    """Read what is said of a whole entry and has no place of its own here."""
    yield from notes_of(entry, None)
    yield from labelled(entry, "note", frozenset())
    yield from labelled(entry, "field", OWN_FIELDS)
