"""Entries that came by LIFT go out as they came, but for what people have edited, added or deleted here since."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

import msgspec
from defusedxml.ElementTree import fromstring

from abhidhan.formats.importer_api import Options, equivalents_of
from abhidhan.formats.lift.headwords import Head, Reading, head_of, spelling_of
from abhidhan.formats.lift.kept_entries import guid_key
from abhidhan.formats.lift.multitext import (
    LATIN,
    code_of,
    forms_of,
    moment_of,
    plain_text,
    roman_tag,
    type_of,
    writing_system,
)
from abhidhan.formats.lift.senses import OF_REFERENCES
from abhidhan.formats.lift.vocabulary import (
    DIALECT,
    DOMAIN,
    ENTRY_SOURCE,
    GENDER,
    IDEA_KEY,
    RECORDING,
    RELATED,
    RELATIONS,
    RESPELL,
    ROMAN,
    SEMANTIC_DOMAINS,
    SENSES,
    context_of_domain,
)
from abhidhan.formats.lift.writer_elements import ENGLISH, date, element, field, form, note, trait
from abhidhan.formats.lift.writer_entries import (
    References,
    Sense,
    choose_glosses,
    gloss,
    write_context,
    write_example,
    write_origin,
    write_pronunciation,
    write_recording,
    write_relations,
    write_sense,
    write_variant,
)
from abhidhan.formats.writers.export_source import Voice
from abhidhan.records.kinds import WordRecord
from abhidhan.records.kinds.field_types import YesOrNo
from abhidhan.records.lift_entries import LiftEdits, LiftEntry
from assamese.keys import exact_key
from assamese.normalization import nfc, squeeze

BARE: Final = Reading(Options())

NO_EDITS: Final = LiftEdits()


class KeptEntry(NamedTuple):
    """An entry as it came, with the senses here of its ideas, by their keys; its XML is changed when it is written."""

    entry: LiftEntry
    root: Element
    senses: Mapping[str, Sense]

    @classmethod
    def of(cls, entry: LiftEntry, senses: Mapping[str, Sense]) -> "KeptEntry":
        """Parse the XML of an entry."""
        return cls(entry, fromstring(entry.content), senses)

    @property
    def head(self) -> Head | None:
        """What was written and said of the headword."""
        return head_of(self.root, BARE)


def sense_ids(entry: LiftEntry) -> list[str]:
    """List the IDs of the senses of an entry, in their order; empty for one without an ID."""
    return [one.get("id", "") for one in fromstring(entry.content).iter() if one.tag in SENSES]


class Additions(NamedTuple):
    """What belongs to a word here and came with none of its entries: it goes with the first of them."""

    senses: Sequence[Sense] = ()
    forms: Sequence[str] = ()
    tagged: Sequence[tuple[str, str]] = ()
    voices: Sequence[tuple[Voice, str]] = ()
    fields: Sequence[str] = ()
    """Fields of the word of which no entry tells anything."""


def additions_of(
    kept: Sequence[KeptEntry],
    word: WordRecord,
    senses: Sequence[Sense],
    tagged: Sequence[tuple[str, str]],
    voices: Sequence[tuple[Voice, str]],
) -> Additions:
    """Find what none of the entries of a word has."""
    heads = [head for one in kept if (head := one.head) is not None]
    written = {exact_key(text) for head in heads for text in (head.word.text, *head.word.forms)}
    forms = [text for text in word.forms if exact_key(text) not in written]
    known = {(exact_key(text), tag) for head in heads for text, tag in head.tagged}
    untold = [name for name in _WORD if all(getattr(head.word, name) is None for head in heads)]
    return Additions(
        senses,
        forms,
        [(text, tag) for text, tag in tagged if (exact_key(text), tag) not in known],
        voices,
        [name for name in untold if getattr(word, name) is not None],
    )


def write_kept(
    kept: KeptEntry, references: References, edits: LiftEdits = NO_EDITS, added: Additions | None = None
) -> str:
    """Write an entry: the XML that came, changed where something here is other now."""
    entry, root, senses = kept
    word = next((sense.word for sense in senses.values()), None)
    before = tostring(root)
    numbered = list(zip((one for one in root.iter() if one.tag in SENSES), entry.ideas, strict=False))
    for one, key in numbered:
        if key in senses:
            _change_sense(one, senses[key], references, edits)
    _drop(root, {id(one) for one, key in numbered if key and key not in senses})
    if word is not None:
        _change_word(root, word, edits.words.get((word.language, word.text), frozenset()), added or Additions())
    if tostring(root) != before:
        _date(root, senses.values())
    if added is not None:
        _append(root, (write_sense(sense, references) for sense in added.senses))
        _append(root, (_marked(write_recording(*each), each[0]) for each in added.voices))
    for one, key in numbered:
        if key in senses and key != guid_key(entry.language, root, one):
            _append(one, [trait(IDEA_KEY, key)])
    _append(root, [trait(ENTRY_SOURCE, entry.source)])
    return tostring(root, encoding="unicode").strip() + "\n"


def _marked(recording: str, voice: Voice) -> str:
    return recording.removesuffix("</pronunciation>") + trait(RECORDING, voice.id) + "</pronunciation>"


def _append(root: Element, parts: Iterable[str]) -> None:
    root.extend(fromstring(part) for part in parts if part)


def _remove(parent: Element, is_wanted: Callable[[Element], bool]) -> None:
    for child in [one for one in parent if is_wanted(one)]:
        parent.remove(child)


def _date(root: Element, senses: Iterable[Sense]) -> None:
    """Date an entry that was edited: FieldWorks passes over one whose date it has already."""
    records = [one for sense in senses for one in (sense.idea, sense.word)]
    moments = [moment for one in records for moment in (one.created, one.updated) if moment is not None]
    latest = max(moments, default=None)
    if latest is not None and latest > (moment_of(root, "dateModified") or 0):
        root.set("dateModified", date(latest) or "")


# --- senses ---------------------------------------------------------------------------------------------------------


def _drop(parent: Element, gone: set[int]) -> None:
    """Remove the senses whose ideas are gone; of one in which another stays, what it says itself."""
    for child in [one for one in parent if one.tag in SENSES]:
        _drop(child, gone)
        if id(child) in gone:
            _remove(child, lambda one: one.tag not in SENSES)
            if not len(child):
                parent.remove(child)


def _change_sense(one: Element, sense: Sense, references: References, edits: LiftEdits) -> None:
    word = sense.word
    edited = edits.ideas.get(sense.name, frozenset()) | edits.senses.get(
        (sense.name, word.language, word.text), frozenset()
    )
    for name, change in _SENSE.items():
        if name in edited:
            change(one, sense)
    languages = {name.partition(":")[2] for name in edited if name.startswith("words:")}
    languages |= {code for code, text in _glossed(one) if (code, text) in edits.spellings}
    for code in sorted(languages):
        _change_meaning(one, sense, code, references)
    if "relations" in edited:
        _change_relations(one, sense, references)


def _glossed(one: Element) -> Iterable[tuple[str, str]]:
    """List the words of the glosses, each with the code of its language."""
    for each in forms_of(one, "gloss"):
        code = _code(each.tag)
        yield from ((code, word.text) for word in equivalents_of(code, each.text.replace("_", " ")))


def _code(tag: str) -> str:
    return code_of(tag, BARE.options) if tag else ENGLISH


def _change_meaning(one: Element, sense: Sense, code: str, references: References) -> None:
    """Replace the glosses and the definition in a language."""
    _remove(one, lambda each: each.tag == "gloss" and _code(each.get("lang", "")) == code)
    definitions = [each for each in one if each.tag == "definition"]
    for definition in definitions:
        _remove(definition, lambda each: each.tag == "form" and _code(each.get("lang", "")) == code)
    glosses = [word for word in choose_glosses(sense, references.own) if word.language == code]
    _append(one, map(gloss, glosses))
    texts = [each.text for each in sense.idea.definitions if each.language == code]
    for number, text in enumerate(texts, 1):
        if number > 1:
            _append(one, [field(f"definition-{number}", code, text)])
        elif definitions:
            _append(definitions[0], [form(code, text)])
        else:
            _append(one, [element("definition", {}, form(code, text))])
    _remove(one, lambda each: each.tag == "definition" and not len(each))


def _change_pos(one: Element, sense: Sense) -> None:
    info = one.find("grammatical-info")
    if info is not None and sense.idea.pos:
        info.set("value", sense.idea.pos)
    elif info is not None:
        one.remove(info)
    elif sense.idea.pos:
        _append(one, [element("grammatical-info", {"value": sense.idea.pos})])


def _change_gender(one: Element, sense: Sense) -> None:
    _replace(one, "trait", {GENDER}, trait(GENDER, sense.idea.gender))


def _change_glyph(one: Element, sense: Sense) -> None:
    _replace(one, "field", {"glyph"}, field("glyph", ENGLISH, sense.idea.glyph))


def _change_note(one: Element, sense: Sense) -> None:
    _replace(one, "note", {""}, note(None, sense.word.note))


def _change_reference(one: Element, sense: Sense) -> None:
    _replace(one, "note", {*OF_REFERENCES}, note("source", sense.word.reference))


def _replace(parent: Element, tag: str, names: set[str], new: str) -> None:
    """Put an element in the place of those of a tag that have such a name or type."""
    _remove(parent, lambda one: one.tag == tag and type_of(one) in names)
    _append(parent, [new])


def _change_contexts(one: Element, sense: Sense) -> None:
    """Take away the domains of contexts that are gone, and add those of new ones."""
    contexts = sense.idea.contexts
    read = {DOMAIN: lambda value: value} | dict.fromkeys(SEMANTIC_DOMAINS, context_of_domain)
    there = set()
    for each in one.findall("trait"):
        name, value = each.get("name", ""), each.get("value", "").strip()
        context = read[name](value) if name in read else None
        if context is not None and context not in contexts:
            one.remove(each)
        there.add(context)
    for context in contexts:
        if context not in there:
            one.extend(fromstring(f"<sense>{write_context(context)}</sense>"))


def _change_examples(one: Element, sense: Sense) -> None:
    """Take away the examples that are gone or say something else, and add those that are new."""
    texts = {example.text for example in sense.idea.examples}
    there = set()
    for each in one.findall("example"):
        text = next((said.text for said in forms_of(each) if not writing_system(said.tag).is_audio), "")
        there.add(text)
        if text not in texts:
            one.remove(each)
    _append(one, (write_example(example) for example in sense.idea.examples if example.text not in there))


def _change_relations(one: Element, sense: Sense, references: References) -> None:
    """Replace the relations whose type we know; those of other types stay as they came."""
    _remove(one, lambda each: each.tag == "relation" and each.get("type", "").strip().casefold() in RELATIONS)
    refs = {each.get("ref") for each in one.findall("relation")}
    written = [fromstring(part) for part in write_relations(sense, references)]
    one.extend(each for each in written if each.get("type") != RELATED or each.get("ref") not in refs)


_SENSE: Final[Mapping[str, Callable[[Element, Sense], None]]] = {
    "pos": _change_pos,
    "gender": _change_gender,
    "glyph": _change_glyph,
    "note": _change_note,
    "reference": _change_reference,
    "contexts": _change_contexts,
    "examples": _change_examples,
}
"""What is done with a sense of which a field was edited."""


# --- the headword ---------------------------------------------------------------------------------------------------


def _change_word(root: Element, word: WordRecord, edited: frozenset[str], added: Additions) -> None:
    _spell(root, word.text)
    for name, change in _WORD.items():
        if name in edited or name in added.fields:
            change(root, word)
    _append(root, (write_variant(word.language, text) for text in added.forms))
    _append(root, (write_variant(word.language, *each) for each in added.tagged))


def _spell(root: Element, text: str) -> None:
    """Correct the spelling of the headword."""
    spelled = spelling_of(root, BARE)
    if spelled is None or squeeze(nfc(spelled.text)) == text:
        return
    for one in _headword_forms(root):
        inner = one.find("text")
        if inner is not None and (one.get("lang", "").strip(), plain_text(inner)) == spelled:
            for child in list(inner):
                inner.remove(child)
            inner.text = text
            return


def _headword_forms(root: Element) -> list[Element]:
    return [*root.findall("citation/form"), *root.findall("lexical-unit/form")]


def _change_roman(root: Element, word: WordRecord) -> None:
    head = head_of(root, BARE)
    old = head.word.roman if head is not None else None
    for parent in (root.find("citation"), root.find("lexical-unit")):
        if parent is not None and old:
            _remove(parent, lambda one: _is_roman(one) and plain_text(one.find("text")) == old)
    unit = root.find("lexical-unit")
    if word.roman:
        _append(
            SubElement(root, "lexical-unit") if unit is None else unit, [form(roman_tag(word.language), word.roman)]
        )


def _is_roman(one: Element) -> bool:
    system = writing_system(one.get("lang", ""))
    return system.script == LATIN or ROMAN in system.about


def _change_pronunciation(root: Element, word: WordRecord, is_meant: Callable[[str], bool]) -> None:
    for parent in root.findall("pronunciation"):
        _remove(parent, lambda one: one.tag == "form" and is_meant(one.get("lang", "")))
        if not len(parent):
            root.remove(parent)
    _append(root, [write_pronunciation(word)])


def _change_ipa(root: Element, word: WordRecord) -> None:
    for parent in (root.find("citation"), root.find("lexical-unit")):
        if parent is not None:
            _remove(parent, lambda one: writing_system(one.get("lang", "")).is_phonetic)
    _change_pronunciation(root, msgspec.structs.replace(word, asm=None), _is_transcription)


def _change_respelling(root: Element, word: WordRecord) -> None:
    _change_pronunciation(
        root, msgspec.structs.replace(word, ipa=None), lambda tag: RESPELL in writing_system(tag).about
    )


def _is_transcription(tag: str) -> bool:
    system = writing_system(tag)
    return not system.is_audio and RESPELL not in system.about


def _change_origin(root: Element, word: WordRecord) -> None:
    _remove(root, lambda one: one.tag == "etymology")
    _append(root, [write_origin(word)])


_WORD: Final[Mapping[str, Callable[[Element, WordRecord], None]]] = {
    "roman": _change_roman,
    "ipa": _change_ipa,
    "asm": _change_respelling,
    "origin": _change_origin,
    "variant": lambda root, word: _replace(root, "trait", {DIALECT}, trait(DIALECT, word.variant)),
    "countable": lambda root, word: _replace(
        root, "trait", {"countable"}, trait("countable", YesOrNo().written(word.countable) or None)
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
"""What is done with an entry of which a field of the word was edited, or that has none where the word has one."""
