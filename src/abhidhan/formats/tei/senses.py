"""Parser of TEI meanings: an entry's innermost senses, with the content and grammar of the senses around them."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from abhidhan.formats.grammar_marks import extract_labels
from abhidhan.formats.importer_api import ImportOptions, join_notes, parse_equivalents
from abhidhan.formats.pos_mapping import GENDER_BY_LABEL, VERB, is_verb_label, map_pos
from abhidhan.formats.xml_stream import LANGUAGE_ATTRIBUTE, get_text
from abhidhan.records.kinds import DefinitionRecord, ExampleRecord, WordRecord

TRANSLATION_TYPES: Final = frozenset({"trans", "translation", "translationEquivalent", None})
EXAMPLE_TYPE: Final = "example"
INFLECTED_TYPES: Final = frozenset({"infl", "inflected", "pastp"})
SYNONYM_TYPES: Final = frozenset({"syn", "synonymy"})
PLURAL_TYPE: Final = "plural-form"
"""The type of references to a form of the headword."""

VARIANT_PATH: Final = "usg[@type='hint']"
"""Path of the element for a variant, such as an old spelling, in Abhidhan's files."""

LABEL_ELEMENTS: Final = {"pos": ("subc", "pos"), "gender": ("gen",)}
"""Elements of a grammar group; TEI Lex-0 instead has `gram` with one of these as its type."""

UNLABELLED_ELEMENTS: Final = frozenset({"case", "gen", "mood", "num", "number", "per", "pos", "subc", "tns"})
"""Grammar elements whose text needs no label, such as `pl`."""

ENTRY_ELEMENTS: Final = frozenset({"form", "gramGrp", "hom", "sense"})
"""Elements that inner senses do not inherit, or that are read separately."""

CONVERTED_NOTE_TYPES: Final = frozenset({"def", "pos", "reference"})
"""Types of notes that are imported into fields."""

ORIGIN_ELEMENTS: Final = frozenset({"etym", "lang"})

REMARK_TYPES: Final = frozenset({None, "sense", "hint", "usage", "gram"})
"""Types of notes that become remarks without a label; remarks from other notes begin with the type."""


class TEISense(NamedTuple):
    """A meaning: its sense, including the content of outer senses, and the grammar groups, nearest first."""

    element: Element
    grammar: list[Element]


def iter_senses(entry: Element) -> Iterator[TEISense]:
    """Yield the innermost senses, including those of homonyms, with inherited content and grammar."""
    return _iter_innermost_senses(entry, [], entry.findall("form/gramGrp"), None)


def _iter_innermost_senses(
    element: Element, inherited: list[Element], grammar: list[Element], language: str | None
) -> Iterator[TEISense]:
    variant = None if element.tag == "sense" else element.find(VARIANT_PATH)
    content = [*(child for child in element if child.tag not in ENTRY_ELEMENTS and child is not variant), *inherited]
    grammar = [*element.findall("gramGrp"), *grammar]
    if element.tag in {"hom", "sense"}:
        # The language of an entry is that of its headword.
        language = element.get(LANGUAGE_ATTRIBUTE) or language
    inner = [*element.findall("hom"), *element.findall("sense")]
    for inner_sense in inner:
        yield from _iter_innermost_senses(inner_sense, content, grammar, language)
    if not inner:
        sense = Element(element.tag, {LANGUAGE_ATTRIBUTE: language} if language else {})
        sense.extend(content)
        yield TEISense(sense, grammar)


def is_translation(cit: Element) -> bool:
    """Return whether a citation is a translation; one without a type is, unless it contains a citation."""
    return cit.get("type") in TRANSLATION_TYPES and not is_example(cit)


def is_example(cit: Element) -> bool:
    """Return whether a citation is an example."""
    return cit.get("type") == EXAMPLE_TYPE or (cit.get("type") is None and cit.find("cit") is not None)


def iter_labels(sense: Element) -> Iterator[str]:
    """Yield grammatical labels inside translations: `casa <n>`."""
    for cit in filter(is_translation, sense.findall("cit")):
        yield from (label for _, text in _iter_quotes(cit) for label in extract_labels(text).labels)


def iter_translations(
    sense: TEISense, pos: str | None, default_language: str, options: ImportOptions
) -> Iterator[WordRecord]:
    """Yield the translations of a sense as words, in `default_language` unless the file names another one."""
    for cit in filter(is_translation, sense.element.findall("cit")):
        note = join_notes(
            *_iter_grammar_remarks(_iter_citation_labels(cit), pos, None, options), *_iter_remarks(cit, options)
        )
        inflected = [form for form in cit.findall("form") if form.get("type") in INFLECTED_TYPES]
        forms = collect_forms("", (orth for form in inflected for orth in form.findall("orth")))
        for quote, text in _iter_quotes(cit):
            language = options.map_language(find_language(quote, cit, sense.element) or default_language)
            for word in parse_equivalents(language, text):
                yield WordRecord(language, word.text, forms=forms, note=join_notes(word.note, note))


def iter_synonyms(sense: Element, head: WordRecord) -> Iterator[WordRecord]:
    """Yield the synonyms of a sense as words."""
    references = (ref for xr in sense.findall("xr") if xr.get("type") in SYNONYM_TYPES for ref in xr.findall("ref"))
    texts = dict.fromkeys(get_text_without_notes(reference) for reference in references)
    yield from (WordRecord(head.language, text) for text in texts if text and text != head.text)


def _iter_quotes(cit: Element) -> Iterator[tuple[Element, str]]:
    forms = [form for form in cit.findall("form") if form.get("type") not in INFLECTED_TYPES]
    for quote in (*cit.findall("quote"), *(orth for form in forms for orth in form.findall("orth"))):
        if text := get_text_without_notes(quote):
            yield quote, text


def iter_definitions(sense: Element, default_language: str, options: ImportOptions) -> Iterator[DefinitionRecord]:
    """Yield definitions, including translations that are too long for words."""
    for element in (*sense.findall("def"), *sense.findall("cit/def"), *sense.findall("note[@type='def']")):
        if text := get_text_without_notes(element):
            yield DefinitionRecord(options.map_language(find_language(element, sense) or default_language), text)
    for cit in filter(is_translation, sense.findall("cit")):
        for quote, text in _iter_quotes(cit):
            language = options.map_language(find_language(quote, cit, sense) or default_language)
            if not parse_equivalents(language, text):
                yield DefinitionRecord(language, text)


def iter_examples(sense: Element, language: str, options: ImportOptions) -> Iterator[ExampleRecord]:
    """Yield the examples of a word in a language."""
    for cit in filter(is_example, sense.findall("cit")):
        translation = join_notes(*(get_text(quote) for quote in cit.findall("cit/quote")))
        for quote in cit.findall("quote"):
            if text := get_text(quote):
                tag = find_language(quote, cit)
                yield ExampleRecord(options.map_language(tag) if tag else language, text, translation)


def find_part_of_speech(sense: TEISense, options: ImportOptions) -> str | None:
    """Return the part of speech; an unknown label is returned unchanged, so that the import reports it."""
    notes = (get_text(note) for note in sense.element.findall("note[@type='pos']"))
    labels = [*_iter_grammar_labels(sense, "pos"), *notes]
    pos = next((pos for label in labels if (pos := map_pos(label, options))), None)
    if pos or not labels:
        return pos
    if any(map(is_verb_label, labels)):
        return VERB
    unknown = (get_text(element) for group in sense.grammar for element in group.iter("pos"))
    return next(filter(None, unknown), labels[0])


def find_gender(sense: TEISense, options: ImportOptions) -> str | None:
    """Return the gender; None if there is none."""
    genders = (map_gender(label, options) for label in _iter_grammar_labels(sense, "gender"))
    return next(filter(None, genders), None)


def map_gender(label: str, options: ImportOptions) -> str | None:
    """Return the gender of a label: the user's mapping, else the table's."""
    return options.values.get("gender", {}).get(label) or GENDER_BY_LABEL.get(label.strip(".").lower())


def _iter_grammar_labels(sense: TEISense, kind: str) -> Iterator[str]:
    for group in sense.grammar:
        for name in LABEL_ELEMENTS[kind]:
            for element in group.iter(name):
                yield from filter(None, (get_text(element), element.get("expand")))
        yield from (get_text(element) for element in group.iter("gram") if element.get("type", kind) == kind)


def iter_contexts(sense: Element, options: ImportOptions) -> Iterator[str]:
    """Yield the contexts to which the user maps usages; other usages become remarks."""
    mapped = options.values.get("context", {})
    yield from (mapped[text] for usage in sense.findall("usg") if (text := get_text(usage)) in mapped)


def build_note(sense: TEISense, pos: str | None, gender: str | None, options: ImportOptions) -> str | None:
    """Return the remarks on the headword in a meaning as a note."""
    labels = [*_iter_leaf_elements(sense.grammar), *sense.element.findall("note[@type='pos']")]
    return join_notes(*_iter_remarks(sense.element, options), *_iter_grammar_remarks(labels, pos, gender, options))


def build_origin(sense: Element) -> str | None:
    """Return the origin of the word: etymologies, and words borrowed from other languages."""
    borrowed = (
        " ".join(filter(None, (element.get(LANGUAGE_ATTRIBUTE), get_text(element))))
        for element in sense.findall("lang")
    )
    return join_notes(*map(get_text, sense.findall("etym")), *borrowed)


def _iter_remarks(element: Element, options: ImportOptions) -> Iterator[str]:
    """Yield remarks: usages, notes, references, and other content of a sense or a translation."""
    for child in element:
        kind = child.get("type")
        if child.tag == "usg":
            if get_text(child) not in options.values.get("context", {}):
                yield get_text(child)
        elif child.tag in {"def", "quote"} or (child.tag == "note" and kind in CONVERTED_NOTE_TYPES):
            yield from (get_text(note) for note in child.findall("note"))
        elif child.tag == "note":
            yield get_text(child) if kind in REMARK_TYPES else format_labelled_text(child)
        elif child.tag == "xr":
            yield from _iter_reference_remarks(child)
        elif child.tag not in {"cit", *ORIGIN_ELEMENTS, *ENTRY_ELEMENTS, *UNLABELLED_ELEMENTS} and get_text(child):
            yield format_labelled_text(child)


def format_labelled_text(element: Element) -> str:
    """Format a text after the type or name of its element; labels and usages need neither."""
    kind = element.get("type") or (None if element.tag in {"lbl", "usg"} else element.tag)
    return f"{kind}: {get_text(element)}" if kind else get_text(element)


def _iter_reference_remarks(xr: Element) -> Iterator[str]:
    """Yield a reference as a remark: its mixed text, or its targets after a label.

    References of TEI Lex-0 to other meanings (`<ref type="sense">`) are reported as losses instead.
    """
    if xr.get("type") in {PLURAL_TYPE, *SYNONYM_TYPES} or xr.find("ref[@type='sense']") is not None or not get_text(xr):
        return
    label = xr.find("lbl")
    if any(text and text.strip() for text in (xr.text, *(child.tail for child in xr))):
        yield get_text(xr)
    else:
        targets = ", ".join(get_text(one) for one in xr if one is not label)
        yield f"{get_text(label) or xr.get('type') or 'see'}: {targets}"


def _iter_grammar_remarks(
    labels: Iterable[Element], pos: str | None, gender: str | None, options: ImportOptions
) -> Iterator[str]:
    """Yield grammatical labels other than the part of speech and the gender."""
    for element in labels:
        text = get_text(element)
        if text and not is_pos_or_gender(text, pos, gender, options):
            yield text if element.tag in UNLABELLED_ELEMENTS else format_labelled_text(element)


def _iter_citation_labels(cit: Element) -> Iterator[Element]:
    yield from (child for child in cit if child.tag in UNLABELLED_ELEMENTS)
    yield from _iter_leaf_elements(cit.findall("gramGrp"))


def _iter_leaf_elements(groups: Iterable[Element]) -> Iterator[Element]:
    return (element for group in groups for element in group.iter() if not len(element))


def is_pos_or_gender(label: str, pos: str | None, gender: str | None, options: ImportOptions) -> bool:
    """Return whether a label means the given part of speech or gender."""
    if gender and map_gender(label, options) == gender:
        return True
    read = map_pos(label, options) or (VERB if is_verb_label(label) else label)
    return pos is not None and read == pos


# --- texts and their languages --------------------------------------------------------------------------------------


def get_text_without_notes(element: Element) -> str:
    """Return the text of an element without notes in it."""
    return " ".join("".join(_iter_texts(element)).split())


def _iter_texts(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag != "note":
            yield from _iter_texts(child)
        yield child.tail or ""


def find_language(*elements: Element) -> str | None:
    """Return the language of the first element that has one; None if no element has one."""
    return next((language for element in elements if (language := element.get(LANGUAGE_ATTRIBUTE))), None)


def collect_forms(text: str, elements: Iterable[Element]) -> tuple[str, ...]:
    """Return the forms in elements, except the text itself and bare endings such as `-s`."""
    texts = dict.fromkeys(get_text_without_notes(orth) for orth in elements)
    return tuple(form for form in texts if form and form != text and not form.startswith("-"))
