"""Editor of imported LIFT entries: applies the users' edits to the original XML."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final
from xml.etree.ElementTree import Element, SubElement

import msgspec
from defusedxml.ElementTree import fromstring

from abhidhan.formats.importer_api import ImportOptions, equivalents_of
from abhidhan.formats.lift.headwords import ReadSettings, head_of, spelling_of
from abhidhan.formats.lift.multitext import (
    LATIN,
    code_of,
    forms_of,
    plain_text,
    roman_tag,
    type_of,
    writing_system,
)
from abhidhan.formats.lift.senses import REFERENCE_NOTES
from abhidhan.formats.lift.vocabulary import (
    DIALECT,
    DOMAIN,
    GENDER,
    RELATED,
    RELATIONS,
    RESPELL,
    ROMAN,
    SEMANTIC_DOMAINS,
    context_of_domain,
)
from abhidhan.formats.lift.writer_elements import ENGLISH, element, field, form, note, trait
from abhidhan.formats.lift.writer_entries import (
    LiftSense,
    References,
    choose_glosses,
    gloss,
    write_context,
    write_example,
    write_origin,
    write_pronunciation,
    write_relations,
)
from abhidhan.records.kinds import WordRecord
from abhidhan.records.kinds.field_types import Boolean
from abhidhan.records.lift_entries import LiftEdits
from assamese.normalization import collapse_whitespace, nfc

STORED_XML_SETTINGS: Final = ReadSettings(ImportOptions())
"""Settings for reading stored XML; the import options of its user are not known any more."""


def append(root: Element, parts: Iterable[str]) -> None:
    """Append elements given as XML text; skip empty texts."""
    root.extend(fromstring(part) for part in parts if part)


def remove(parent: Element, matches: Callable[[Element], bool]) -> None:
    """Remove the children that match."""
    for child in [node for node in parent if matches(node)]:
        parent.remove(child)


# --- senses ---------------------------------------------------------------------------------------------------------


def change_sense(node: Element, sense: LiftSense, references: References, edits: LiftEdits) -> None:
    """Replace the edited parts of a sense."""
    word = sense.word
    edited = edits.ideas.get(sense.name, frozenset()) | edits.senses.get(
        (sense.name, word.language, word.text), frozenset()
    )
    for name, change in _SENSE.items():
        if name in edited:
            change(node, sense)
    languages = {name.partition(":")[2] for name in edited if name.startswith("words:")}
    languages |= {code for code, text in _gloss_words(node) if (code, text) in edits.spellings}
    for code in sorted(languages):
        _change_meaning(node, sense, code, references)
    if "relations" in edited:
        _change_relations(node, sense, references)


def _gloss_words(node: Element) -> Iterable[tuple[str, str]]:
    """Yield the words of the glosses, each with its language code."""
    for gloss_form in forms_of(node, "gloss"):
        code = _code(gloss_form.tag)
        yield from ((code, word.text) for word in equivalents_of(code, gloss_form.text.replace("_", " ")))


def _code(tag: str) -> str:
    return code_of(tag, STORED_XML_SETTINGS.options) if tag else ENGLISH


def _change_meaning(node: Element, sense: LiftSense, code: str, references: References) -> None:
    """Replace the glosses and definitions in a language."""
    remove(node, lambda each: each.tag == "gloss" and _code(each.get("lang", "")) == code)
    definitions = [each for each in node if each.tag == "definition"]
    for definition in definitions:
        remove(definition, lambda each: each.tag == "form" and _code(each.get("lang", "")) == code)
    glosses = [word for word in choose_glosses(sense, references.own_languages) if word.language == code]
    append(node, map(gloss, glosses))
    texts = [each.text for each in sense.idea.definitions if each.language == code]
    for number, text in enumerate(texts, 1):
        if number > 1:
            append(node, [field(f"definition-{number}", code, text)])
        elif definitions:
            append(definitions[0], [form(code, text)])
        else:
            append(node, [element("definition", {}, form(code, text))])
    remove(node, lambda each: each.tag == "definition" and not len(each))


def _change_pos(node: Element, sense: LiftSense) -> None:
    info = node.find("grammatical-info")
    if info is not None and sense.idea.pos:
        info.set("value", sense.idea.pos)
    elif info is not None:
        node.remove(info)
    elif sense.idea.pos:
        append(node, [element("grammatical-info", {"value": sense.idea.pos})])


def _change_gender(node: Element, sense: LiftSense) -> None:
    _replace(node, "trait", {GENDER}, trait(GENDER, sense.idea.gender))


def _change_glyph(node: Element, sense: LiftSense) -> None:
    _replace(node, "field", {"glyph"}, field("glyph", ENGLISH, sense.idea.glyph))


def _change_note(node: Element, sense: LiftSense) -> None:
    _replace(node, "note", {""}, note(None, sense.word.note))


def _change_reference(node: Element, sense: LiftSense) -> None:
    _replace(node, "note", {*REFERENCE_NOTES}, note("source", sense.word.reference))


def _replace(parent: Element, tag: str, names: set[str], new: str) -> None:
    """Replace the elements of a tag with one of the names or types."""
    remove(parent, lambda node: node.tag == tag and type_of(node) in names)
    append(parent, [new])


def _change_contexts(node: Element, sense: LiftSense) -> None:
    """Remove the domains of removed contexts, and add those of new ones."""
    contexts = sense.idea.contexts
    read = {DOMAIN: lambda value: value} | dict.fromkeys(SEMANTIC_DOMAINS, context_of_domain)
    existing = set()
    for domain in node.findall("trait"):
        name, value = domain.get("name", ""), domain.get("value", "").strip()
        context = read[name](value) if name in read else None
        if context is not None and context not in contexts:
            node.remove(domain)
        existing.add(context)
    for context in contexts:
        if context not in existing:
            node.extend(fromstring(f"<sense>{write_context(context)}</sense>"))


def _change_examples(node: Element, sense: LiftSense) -> None:
    """Remove examples that were removed or changed, and add new ones."""
    texts = {example.text for example in sense.idea.examples}
    existing = set()
    for example_node in node.findall("example"):
        text = next(
            (text_form.text for text_form in forms_of(example_node) if not writing_system(text_form.tag).is_audio), ""
        )
        existing.add(text)
        if text not in texts:
            node.remove(example_node)
    append(node, (write_example(example) for example in sense.idea.examples if example.text not in existing))


def _change_relations(node: Element, sense: LiftSense, references: References) -> None:
    """Replace the relations of known types; those of other types stay."""
    remove(
        node, lambda relation: relation.tag == "relation" and relation.get("type", "").strip().casefold() in RELATIONS
    )
    refs = {relation.get("ref") for relation in node.findall("relation")}
    written = [fromstring(part) for part in write_relations(sense, references)]
    node.extend(relation for relation in written if relation.get("type") != RELATED or relation.get("ref") not in refs)


_SENSE: Final[Mapping[str, Callable[[Element, LiftSense], None]]] = {
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
    _spell(root, word.text)
    for name in WORD_FIELDS:
        if name in fields:
            _WORD[name](root, word)


def _spell(root: Element, text: str) -> None:
    """Correct the spelling of the headword."""
    spelled = spelling_of(root, STORED_XML_SETTINGS)
    if spelled is None or collapse_whitespace(nfc(spelled.text)) == text:
        return
    for node in _headword_forms(root):
        inner = node.find("text")
        if inner is not None and (node.get("lang", "").strip(), plain_text(inner)) == spelled:
            for child in list(inner):
                inner.remove(child)
            inner.text = text
            return


def _headword_forms(root: Element) -> list[Element]:
    return [*root.findall("citation/form"), *root.findall("lexical-unit/form")]


def _change_roman(root: Element, word: WordRecord) -> None:
    head = head_of(root, STORED_XML_SETTINGS)
    old = head.word.roman if head is not None else None
    for parent in (root.find("citation"), root.find("lexical-unit")):
        if parent is not None and old:
            remove(parent, lambda node: _is_roman(node) and plain_text(node.find("text")) == old)
    unit = root.find("lexical-unit")
    if word.roman:
        append(SubElement(root, "lexical-unit") if unit is None else unit, [form(roman_tag(word.language), word.roman)])


def _is_roman(node: Element) -> bool:
    system = writing_system(node.get("lang", ""))
    return system.script == LATIN or ROMAN in system.about


def _change_pronunciation(root: Element, word: WordRecord, is_affected: Callable[[str], bool]) -> None:
    for parent in root.findall("pronunciation"):
        remove(parent, lambda node: node.tag == "form" and is_affected(node.get("lang", "")))
        if not len(parent):
            root.remove(parent)
    append(root, [write_pronunciation(word)])


def _change_ipa(root: Element, word: WordRecord) -> None:
    for parent in (root.find("citation"), root.find("lexical-unit")):
        if parent is not None:
            remove(parent, lambda node: writing_system(node.get("lang", "")).is_phonetic)
    _change_pronunciation(root, msgspec.structs.replace(word, asm=None), _is_transcription)


def _change_respelling(root: Element, word: WordRecord) -> None:
    _change_pronunciation(
        root, msgspec.structs.replace(word, ipa=None), lambda tag: RESPELL in writing_system(tag).about
    )


def _is_transcription(tag: str) -> bool:
    system = writing_system(tag)
    return not system.is_audio and RESPELL not in system.about


def _change_origin(root: Element, word: WordRecord) -> None:
    remove(root, lambda node: node.tag == "etymology")
    append(root, [write_origin(word)])


_WORD: Final[Mapping[str, Callable[[Element, WordRecord], None]]] = {
    "roman": _change_roman,
    "ipa": _change_ipa,
    "asm": _change_respelling,
    "origin": _change_origin,
    "variant": lambda root, word: _replace(root, "trait", {DIALECT}, trait(DIALECT, word.variant)),
    "countable": lambda root, word: _replace(
        root, "trait", {"countable"}, trait("countable", Boolean().format(word.countable) or None)
    ),
    "frequency": lambda root, word: _replace(root, "trait", {"frequency"}, trait("frequency", word.frequency)),
    "frequency_source": lambda root, word: _replace(
        root, "trait", {"frequency-source"}, trait("frequency-source", word.frequency_source)
    ),
    "plural": lambda root, word: _replace(
        root, "field", {"plural-classifier"}, field("plural-classifier", word.language, word.plural)
    ),
    "definitive": lambda root, word: _replace(
        root, "field", {"definitive-classifier"}, field("definitive-classifier", word.language, word.definitive)
    ),
}
"""The functions that update an entry, by edited or missing field of its word."""

WORD_FIELDS: Final = tuple(_WORD)
