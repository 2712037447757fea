"""Editor of imported LIFT entries: applies the users' edits to the original XML."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final
from xml.etree.ElementTree import Element, SubElement

import msgspec
from defusedxml.ElementTree import fromstring

from abhidhan.formats.importer_api import ImportOptions, parse_equivalents
from abhidhan.formats.lift.headwords import ReadSettings, choose_spelling, parse_headword
from abhidhan.formats.lift.multitext import (
    LATIN_SCRIPT,
    get_language_code,
    get_plain_text,
    get_type,
    iter_forms,
    parse_writing_system,
    roman_tag,
)
from abhidhan.formats.lift.senses import REFERENCE_NOTE_TYPES
from abhidhan.formats.lift.vocabulary import (
    DIALECT_TRAIT,
    DOMAIN_TRAIT,
    GENDER_TRAIT,
    RELATED_RELATION,
    RELATION_BY_TYPE,
    RESPELLING_SUBTAG,
    ROMAN_SUBTAG,
    SEMANTIC_DOMAIN_TRAITS,
    find_context,
)
from abhidhan.formats.lift.writer_elements import (
    ENGLISH,
    format_element,
    format_field,
    format_form,
    format_note,
    format_trait,
)
from abhidhan.formats.lift.writer_entries import (
    LiftSense,
    References,
    choose_glosses,
    format_context,
    format_example,
    format_gloss,
    format_origin,
    format_pronunciation,
    iter_relations,
)
from abhidhan.records.kinds import WordRecord
from abhidhan.records.kinds.field_types import Boolean
from abhidhan.records.lift_entries import LiftEdits
from assamese.normalization import collapse_whitespace, nfc

STORED_XML_SETTINGS: Final = ReadSettings(ImportOptions())
"""Settings for reading stored XML; the import options of its user are not known any more."""


def append_elements(root: Element, parts: Iterable[str]) -> None:
    """Append elements given as XML text; skip empty texts."""
    root.extend(fromstring(part) for part in parts if part)


def remove_children(parent: Element, matches: Callable[[Element], bool]) -> None:
    """Remove the children that match."""
    for child in [node for node in parent if matches(node)]:
        parent.remove(child)


# --- senses ---------------------------------------------------------------------------------------------------------


def change_sense(node: Element, sense: LiftSense, references: References, edits: LiftEdits) -> None:
    """Replace the edited parts of a sense."""
    word = sense.word
    edited_fields = edits.ideas.get(sense.idea_name, frozenset()) | edits.senses.get(
        (sense.idea_name, word.language, word.text), frozenset()
    )
    for name, change in _SENSE_UPDATERS.items():
        if name in edited_fields:
            change(node, sense)
    languages = {name.partition(":")[2] for name in edited_fields if name.startswith("words:")}
    languages |= {code for code, text in _iter_gloss_words(node) if (code, text) in edits.spellings}
    for code in sorted(languages):
        _change_meaning(node, sense, code, references)
    if "relations" in edited_fields:
        _change_relations(node, sense, references)


def _iter_gloss_words(node: Element) -> Iterable[tuple[str, str]]:
    """Yield the words of the glosses, each with its language code."""
    for gloss_form in iter_forms(node, "gloss"):
        code = _get_language_code(gloss_form.tag)
        yield from ((code, word.text) for word in parse_equivalents(code, gloss_form.text.replace("_", " ")))


def _get_language_code(tag: str) -> str:
    return get_language_code(tag, STORED_XML_SETTINGS.options) if tag else ENGLISH


def _change_meaning(node: Element, sense: LiftSense, code: str, references: References) -> None:
    """Replace the glosses and definitions in a language."""
    remove_children(node, lambda each: each.tag == "gloss" and _get_language_code(each.get("lang", "")) == code)
    definitions = [each for each in node if each.tag == "definition"]
    for definition in definitions:
        remove_children(
            definition, lambda each: each.tag == "form" and _get_language_code(each.get("lang", "")) == code
        )
    glosses = [word for word in choose_glosses(sense, references.entry_languages) if word.language == code]
    append_elements(node, map(format_gloss, glosses))
    texts = [each.text for each in sense.idea.definitions if each.language == code]
    for number, text in enumerate(texts, 1):
        if number > 1:
            append_elements(node, [format_field(f"definition-{number}", code, text)])
        elif definitions:
            append_elements(definitions[0], [format_form(code, text)])
        else:
            append_elements(node, [format_element("definition", {}, format_form(code, text))])
    remove_children(node, lambda each: each.tag == "definition" and not len(each))


def _change_pos(node: Element, sense: LiftSense) -> None:
    info = node.find("grammatical-info")
    if info is not None and sense.idea.pos:
        info.set("value", sense.idea.pos)
    elif info is not None:
        node.remove(info)
    elif sense.idea.pos:
        append_elements(node, [format_element("grammatical-info", {"value": sense.idea.pos})])


def _change_gender(node: Element, sense: LiftSense) -> None:
    _replace_elements(node, "trait", {GENDER_TRAIT}, format_trait(GENDER_TRAIT, sense.idea.gender))


def _change_glyph(node: Element, sense: LiftSense) -> None:
    _replace_elements(node, "field", {"glyph"}, format_field("glyph", ENGLISH, sense.idea.glyph))


def _change_note(node: Element, sense: LiftSense) -> None:
    _replace_elements(node, "note", {""}, format_note(None, sense.word.note))


def _change_reference(node: Element, sense: LiftSense) -> None:
    _replace_elements(node, "note", {*REFERENCE_NOTE_TYPES}, format_note("source", sense.word.reference))


def _replace_elements(parent: Element, tag: str, names: set[str], new: str) -> None:
    """Replace the elements of a tag with one of the names or types."""
    remove_children(parent, lambda node: node.tag == tag and get_type(node) in names)
    append_elements(parent, [new])


def _change_contexts(node: Element, sense: LiftSense) -> None:
    """Remove the domains of removed contexts, and add those of new ones."""
    contexts = sense.idea.contexts
    converters = {DOMAIN_TRAIT: lambda value: value} | dict.fromkeys(SEMANTIC_DOMAIN_TRAITS, find_context)
    existing = set()
    for domain in node.findall("trait"):
        name, value = domain.get("name", ""), domain.get("value", "").strip()
        context = converters[name](value) if name in converters else None
        if context is not None and context not in contexts:
            node.remove(domain)
        existing.add(context)
    for context in contexts:
        if context not in existing:
            node.extend(fromstring(f"<sense>{format_context(context)}</sense>"))


def _change_examples(node: Element, sense: LiftSense) -> None:
    """Remove examples that were removed or changed, and add new ones."""
    texts = {example.text for example in sense.idea.examples}
    existing = set()
    for example_node in node.findall("example"):
        text = next(
            (
                text_form.text
                for text_form in iter_forms(example_node)
                if not parse_writing_system(text_form.tag).is_audio
            ),
            "",
        )
        existing.add(text)
        if text not in texts:
            node.remove(example_node)
    append_elements(node, (format_example(example) for example in sense.idea.examples if example.text not in existing))


def _change_relations(node: Element, sense: LiftSense, references: References) -> None:
    """Replace the relations of known types; those of other types stay."""
    remove_children(
        node,
        lambda relation: relation.tag == "relation" and relation.get("type", "").strip().casefold() in RELATION_BY_TYPE,
    )
    refs = {relation.get("ref") for relation in node.findall("relation")}
    new_relations = [fromstring(part) for part in iter_relations(sense, references)]
    node.extend(
        relation
        for relation in new_relations
        if relation.get("type") != RELATED_RELATION or relation.get("ref") not in refs
    )


_SENSE_UPDATERS: Final[Mapping[str, Callable[[Element, LiftSense], None]]] = {
    "pos": _change_pos,
    "gender": _change_gender,
    "glyph": _change_glyph,
    "note": _change_note,
    "reference": _change_reference,
    "contexts": _change_contexts,
    "examples": _change_examples,
}
"""The functions that update a sense, by edited field."""


# --- the headword ---------------------------------------------------------------------------------------------------


def change_word(root: Element, word: WordRecord, fields: Collection[str]) -> None:
    """Replace some fields of the headword by their current values, and its spelling if it has changed."""
    _correct_spelling(root, word.text)
    for name in WORD_FIELDS:
        if name in fields:
            _WORD_UPDATERS[name](root, word)


def _correct_spelling(root: Element, text: str) -> None:
    """Correct the spelling of the headword."""
    headword_form = choose_spelling(root, STORED_XML_SETTINGS)
    if headword_form is None or collapse_whitespace(nfc(headword_form.text)) == text:
        return
    for node in _find_headword_forms(root):
        inner = node.find("text")
        if inner is not None and (node.get("lang", "").strip(), get_plain_text(inner)) == headword_form:
            for child in list(inner):
                inner.remove(child)
            inner.text = text
            return


def _find_headword_forms(root: Element) -> list[Element]:
    return [*root.findall("citation/form"), *root.findall("lexical-unit/form")]


def _change_roman(root: Element, word: WordRecord) -> None:
    head = parse_headword(root, STORED_XML_SETTINGS)
    old = head.word.roman if head is not None else None
    for parent in (root.find("citation"), root.find("lexical-unit")):
        if parent is not None and old:
            remove_children(parent, lambda node: _is_roman(node) and get_plain_text(node.find("text")) == old)
    unit = root.find("lexical-unit")
    if word.roman:
        append_elements(
            SubElement(root, "lexical-unit") if unit is None else unit,
            [format_form(roman_tag(word.language), word.roman)],
        )


def _is_roman(node: Element) -> bool:
    system = parse_writing_system(node.get("lang", ""))
    return system.script == LATIN_SCRIPT or ROMAN_SUBTAG in system.subtags


def _change_pronunciation(root: Element, word: WordRecord, is_affected: Callable[[str], bool]) -> None:
    for parent in root.findall("pronunciation"):
        remove_children(parent, lambda node: node.tag == "form" and is_affected(node.get("lang", "")))
        if not len(parent):
            root.remove(parent)
    append_elements(root, [format_pronunciation(word)])


def _change_ipa(root: Element, word: WordRecord) -> None:
    for parent in (root.find("citation"), root.find("lexical-unit")):
        if parent is not None:
            remove_children(parent, lambda node: parse_writing_system(node.get("lang", "")).is_phonetic)
    _change_pronunciation(root, msgspec.structs.replace(word, asm=None), _is_transcription)


def _change_respelling(root: Element, word: WordRecord) -> None:
    _change_pronunciation(
        root,
        msgspec.structs.replace(word, ipa=None),
        lambda tag: RESPELLING_SUBTAG in parse_writing_system(tag).subtags,
    )


def _is_transcription(tag: str) -> bool:
    system = parse_writing_system(tag)
    return not system.is_audio and RESPELLING_SUBTAG not in system.subtags


def _change_origin(root: Element, word: WordRecord) -> None:
    remove_children(root, lambda node: node.tag == "etymology")
    append_elements(root, [format_origin(word)])


_WORD_UPDATERS: Final[Mapping[str, Callable[[Element, WordRecord], None]]] = {
    "roman": _change_roman,
    "ipa": _change_ipa,
    "asm": _change_respelling,
    "origin": _change_origin,
    "variant": lambda root, word: _replace_elements(
        root, "trait", {DIALECT_TRAIT}, format_trait(DIALECT_TRAIT, word.variant)
    ),
    "countable": lambda root, word: _replace_elements(
        root, "trait", {"countable"}, format_trait("countable", Boolean().format(word.countable) or None)
    ),
    "frequency": lambda root, word: _replace_elements(
        root, "trait", {"frequency"}, format_trait("frequency", word.frequency)
    ),
    "frequency_source": lambda root, word: _replace_elements(
        root, "trait", {"frequency-source"}, format_trait("frequency-source", word.frequency_source)
    ),
    "plural": lambda root, word: _replace_elements(
        root, "field", {"plural-classifier"}, format_field("plural-classifier", word.language, word.plural)
    ),
    "definitive": lambda root, word: _replace_elements(
        root, "field", {"definitive-classifier"}, format_field("definitive-classifier", word.language, word.definitive)
    ),
}
"""The functions that update an entry, by edited or missing field of its word."""

WORD_FIELDS: Final = tuple(_WORD_UPDATERS)
