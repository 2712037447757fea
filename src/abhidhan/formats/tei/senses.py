"""Parser of TEI meanings: an entry's innermost senses, with the content and grammar of the senses around them."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from abhidhan.formats.grammar_marks import remove_marks
from abhidhan.formats.importer_api import ImportOptions, equivalents_of, join_notes
from abhidhan.formats.pos_mapping import GENDERS, VERB, is_verb, part_of_speech
from abhidhan.formats.xml_stream import LANGUAGE, text_of
from abhidhan.records.kinds import DefinitionRecord, ExampleRecord, WordRecord

TRANSLATIONS: Final = frozenset({"trans", "translation", "translationEquivalent", None})
EXAMPLE: Final = "example"
INFLECTED: Final = frozenset({"infl", "inflected", "pastp"})
SYNONYMS: Final = frozenset({"syn", "synonymy"})
PLURAL: Final = "plural-form"
"""The type of references to a form of the headword."""

VARIANT: Final = "usg[@type='hint']"
"""Path of the element for a variant, such as an old spelling, in Abhidhan's files."""

LABELS: Final = {"pos": ("subc", "pos"), "gender": ("gen",)}
"""Elements of a grammar group; TEI Lex-0 instead has `gram` with one of these as its type."""

PLAIN_LABELS: Final = frozenset({"case", "gen", "mood", "num", "number", "per", "pos", "subc", "tns"})
"""Grammar elements whose text needs no label, such as `pl`."""

ENTRY_ELEMENTS: Final = frozenset({"form", "gramGrp", "hom", "sense"})
"""Elements that inner senses do not inherit, or that are read separately."""

READ_NOTES: Final = frozenset({"def", "pos", "reference"})
"""Types of notes that are imported into fields."""

ORIGINS: Final = frozenset({"etym", "lang"})

REMARKS: Final = frozenset({None, "sense", "hint", "usage", "gram"})
"""Types of notes that become remarks without a label; remarks from other notes begin with the type."""


class TEISense(NamedTuple):
    """A meaning: its sense, including the content of outer senses, and the grammar groups, nearest first."""

    sense: Element
    grammar: list[Element]


def senses_of(entry: Element) -> Iterator[TEISense]:
    """Yield the innermost senses, including those of homonyms, with inherited content and grammar."""
    return _innermost_senses(entry, [], entry.findall("form/gramGrp"), None)


def _innermost_senses(
    element: Element, outer: list[Element], grammar: list[Element], language: str | None
) -> Iterator[TEISense]:
    variant = None if element.tag == "sense" else element.find(VARIANT)
    content = [*(child for child in element if child.tag not in ENTRY_ELEMENTS and child is not variant), *outer]
    grammar = [*element.findall("gramGrp"), *grammar]
    if element.tag in {"hom", "sense"}:
        # The language of an entry is that of its headword.
        language = element.get(LANGUAGE) or language
    inner = [*element.findall("hom"), *element.findall("sense")]
    for inner_sense in inner:
        yield from _innermost_senses(inner_sense, content, grammar, language)
    if not inner:
        sense = Element(element.tag, {LANGUAGE: language} if language else {})
        sense.extend(content)
        yield TEISense(sense, grammar)


def is_translation(cit: Element) -> bool:
    """Return whether a citation is a translation; one without a type is, unless it contains a citation."""
    return cit.get("type") in TRANSLATIONS and not is_example(cit)


def is_example(cit: Element) -> bool:
    """Return whether a citation is an example."""
    return cit.get("type") == EXAMPLE or (cit.get("type") is None and cit.find("cit") is not None)


def marks_of(sense: Element) -> Iterator[str]:
    """Yield grammatical labels inside translations: `casa <n>`."""
    for cit in filter(is_translation, sense.findall("cit")):
        yield from (label for _, text in _quotes(cit) for label in remove_marks(text).labels)


def translations(part: TEISense, pos: str | None, meanings: str, options: ImportOptions) -> Iterator[WordRecord]:
    """Yield the translations of a sense as words, in `default_language` unless the file names another one."""
    for cit in filter(is_translation, part.sense.findall("cit")):
        note = join_notes(*_grammar_remarks(_labels_of(cit), pos, None, options), *_remarks(cit, options))
        inflected = [form for form in cit.findall("form") if form.get("type") in INFLECTED]
        forms = texts_of_forms("", (orth for form in inflected for orth in form.findall("orth")))
        for quote, text in _quotes(cit):
            language = options.code(nearest_language(quote, cit, part.sense) or meanings)
            for word in equivalents_of(language, text):
                yield WordRecord(language, word.text, forms=forms, note=join_notes(word.note, note))


def synonyms(sense: Element, head: WordRecord) -> Iterator[WordRecord]:
    """Yield the synonyms of a sense as words."""
    references = (ref for xr in sense.findall("xr") if xr.get("type") in SYNONYMS for ref in xr.findall("ref"))
    texts = dict.fromkeys(bare_text(reference) for reference in references)
    yield from (WordRecord(head.language, text) for text in texts if text and text != head.text)


def _quotes(cit: Element) -> Iterator[tuple[Element, str]]:
    forms = [form for form in cit.findall("form") if form.get("type") not in INFLECTED]
    for quote in (*cit.findall("quote"), *(orth for form in forms for orth in form.findall("orth"))):
        if text := bare_text(quote):
            yield quote, text


def definitions(sense: Element, meanings: str, options: ImportOptions) -> Iterator[DefinitionRecord]:
    """Yield definitions, including translations that are too long for words."""
    for element in (*sense.findall("def"), *sense.findall("cit/def"), *sense.findall("note[@type='def']")):
        if text := bare_text(element):
            yield DefinitionRecord(options.code(nearest_language(element, sense) or meanings), text)
    for cit in filter(is_translation, sense.findall("cit")):
        for quote, text in _quotes(cit):
            language = options.code(nearest_language(quote, cit, sense) or meanings)
            if not equivalents_of(language, text):
                yield DefinitionRecord(language, text)


def examples(sense: Element, language: str, options: ImportOptions) -> Iterator[ExampleRecord]:
    """Yield the examples of a word in a language."""
    for cit in filter(is_example, sense.findall("cit")):
        translation = join_notes(*(text_of(quote) for quote in cit.findall("cit/quote")))
        for quote in cit.findall("quote"):
            if text := text_of(quote):
                tag = nearest_language(quote, cit)
                yield ExampleRecord(options.code(tag) if tag else language, text, translation)


def part_of_speech_of(part: TEISense, options: ImportOptions) -> str | None:
    """Return the part of speech; an unknown label is returned unchanged, so that the import reports it."""
    notes = (text_of(note) for note in part.sense.findall("note[@type='pos']"))
    labels = [*_labels(part, "pos"), *notes]
    pos = next((pos for label in labels if (pos := part_of_speech(label, options))), None)
    if pos or not labels:
        return pos
    if any(map(is_verb, labels)):
        return VERB
    unknown = (text_of(element) for group in part.grammar for element in group.iter("pos"))
    return next(filter(None, unknown), labels[0])


def gender_of(part: TEISense, options: ImportOptions) -> str | None:
    """Return the gender; None if there is none."""
    genders = (gender_of_label(label, options) for label in _labels(part, "gender"))
    return next(filter(None, genders), None)


def gender_of_label(label: str, options: ImportOptions) -> str | None:
    """Return the gender of a label: the user's mapping, else the table's."""
    return options.values.get("gender", {}).get(label) or GENDERS.get(label.strip(".").lower())


def _labels(part: TEISense, kind: str) -> Iterator[str]:
    for group in part.grammar:
        for name in LABELS[kind]:
            for element in group.iter(name):
                yield from filter(None, (text_of(element), element.get("expand")))
        yield from (text_of(element) for element in group.iter("gram") if element.get("type", kind) == kind)


def contexts(sense: Element, options: ImportOptions) -> Iterator[str]:
    """Yield the contexts to which the user maps usages; other usages become remarks."""
    mapped = options.values.get("context", {})
    yield from (mapped[text] for usage in sense.findall("usg") if (text := text_of(usage)) in mapped)


def note_of(part: TEISense, pos: str | None, gender: str | None, options: ImportOptions) -> str | None:
    """Return the remarks on the headword in a meaning as a note."""
    labels = [*_labels_in(part.grammar), *part.sense.findall("note[@type='pos']")]
    return join_notes(*_remarks(part.sense, options), *_grammar_remarks(labels, pos, gender, options))


def origin_of(sense: Element) -> str | None:
    """Return the origin of the word: etymologies, and words borrowed from other languages."""
    borrowed = (" ".join(filter(None, (element.get(LANGUAGE), text_of(element)))) for element in sense.findall("lang"))
    return join_notes(*map(text_of, sense.findall("etym")), *borrowed)


def _remarks(element: Element, options: ImportOptions) -> Iterator[str]:
    """Yield remarks: usages, notes, references, and other content of a sense or a translation."""
    for child in element:
        kind = child.get("type")
        if child.tag == "usg":
            if text_of(child) not in options.values.get("context", {}):
                yield text_of(child)
        elif child.tag in {"def", "quote"} or (child.tag == "note" and kind in READ_NOTES):
            yield from (text_of(note) for note in child.findall("note"))
        elif child.tag == "note":
            yield text_of(child) if kind in REMARKS else labelled_text(child)
        elif child.tag == "xr":
            yield from _reference(child)
        elif child.tag not in {"cit", *ORIGINS, *ENTRY_ELEMENTS, *PLAIN_LABELS} and text_of(child):
            yield labelled_text(child)


def labelled_text(element: Element) -> str:
    """Format a text after the type or name of its element; labels and usages need neither."""
    kind = element.get("type") or (None if element.tag in {"lbl", "usg"} else element.tag)
    return f"{kind}: {text_of(element)}" if kind else text_of(element)


def _reference(xr: Element) -> Iterator[str]:
    """Yield a reference as a remark: its mixed text, or its targets after a label.

    References of TEI Lex-0 to other meanings (`<ref type="sense">`) are reported as losses instead.
    """
    if xr.get("type") in {PLURAL, *SYNONYMS} or xr.find("ref[@type='sense']") is not None or not text_of(xr):
        return
    label = xr.find("lbl")
    if any(text and text.strip() for text in (xr.text, *(child.tail for child in xr))):
        yield text_of(xr)
    else:
        targets = ", ".join(text_of(one) for one in xr if one is not label)
        yield f"{text_of(label) or xr.get('type') or 'see'}: {targets}"


def _grammar_remarks(
    labels: Iterable[Element], pos: str | None, gender: str | None, options: ImportOptions
) -> Iterator[str]:
    """Yield grammatical labels other than the part of speech and the gender."""
    for element in labels:
        text = text_of(element)
        if text and not is_read_as(text, pos, gender, options):
            yield text if element.tag in PLAIN_LABELS else labelled_text(element)


def _labels_of(cit: Element) -> Iterator[Element]:
    yield from (child for child in cit if child.tag in PLAIN_LABELS)
    yield from _labels_in(cit.findall("gramGrp"))


def _labels_in(groups: Iterable[Element]) -> Iterator[Element]:
    return (element for group in groups for element in group.iter() if not len(element))


def is_read_as(label: str, pos: str | None, gender: str | None, options: ImportOptions) -> bool:
    """Return whether a label means the given part of speech or gender."""
    if gender and gender_of_label(label, options) == gender:
        return True
    read = part_of_speech(label, options) or (VERB if is_verb(label) else label)
    return pos is not None and read == pos


# --- texts and their languages --------------------------------------------------------------------------------------


def bare_text(element: Element) -> str:
    """Return the text of an element without notes in it."""
    return " ".join("".join(_texts(element)).split())


def _texts(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag != "note":
            yield from _texts(child)
        yield child.tail or ""


def nearest_language(*elements: Element) -> str | None:
    """Return the language of the first element that has one; None if no element has one."""
    return next((language for element in elements if (language := element.get(LANGUAGE))), None)


def texts_of_forms(text: str, elements: Iterable[Element]) -> tuple[str, ...]:
    """Return the forms in elements, except the text itself and bare endings such as `-s`."""
    texts = dict.fromkeys(bare_text(orth) for orth in elements)
    return tuple(form for form in texts if form and form != text and not form.startswith("-"))
