"""TEI dictionaries: as FreeDict writes them, and as TEI Lex-0 has them."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

import msgspec

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import DefinitionRecord, ExampleRecord, IdeaRecord, WordRecord
from abhidhan.formats.contents import Content
from abhidhan.formats.marks import gender_of_marks, unmarked
from abhidhan.formats.parts import GENDERS, part_of_marks, part_of_speech
from abhidhan.formats.reading import Found, Options, equivalents_of, is_short, joined, key_of, placed_source
from abhidhan.formats.xml import LANGUAGE, Outer, read_elements, text_of

ENDINGS: Final = (".tei", ".xml")
NAME: Final = re.compile(r"(?:freedict-)?([a-z]{2,3})-([a-z]{2,3})\.(?:tei|xml)")
"""FreeDict's names of files say the languages: eng-hin.tei."""

WANTED: Final = frozenset({"entry"})
TRANSLATIONS: Final = frozenset({"trans", "translation", "translationEquivalent", None})
ROMANIZED: Final = frozenset({"transliterated", "romanized", "trans"})
GENERATED: Final = "generated"
"""What our own files call a romanization that was made by rule: it is made again wherever it is read."""

PHONETIC: Final = frozenset({None, "IPA", "ipa"})
INFLECTED: Final = frozenset({"infl", "inflected", "pastp"})
LABELS: Final = {"pos": ("subc", "pos"), "gender": ("gen",)}
"""Elements of a group of grammar; TEI Lex-0 has `gram` with one of these as its type instead."""

REMARKS: Final = frozenset({None, "sense", "hint", "usage", "gram"})
"""Types of notes that say something to readers."""


class Languages(NamedTuple):
    """What is told of the languages of a file: of its headwords, if anything is, and of its translations."""

    words: str | None
    meanings: str


class Part(NamedTuple):
    """A sense, with the groups of grammar that hold for it, the nearest first."""

    sense: Element
    grammar: list[Element]


def read_tei(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read the entries of TEI files; each sense is an idea."""
    source = options.own_source()
    yield placed_source(source)
    for content in contents:
        if content.base_name.lower().endswith(ENDINGS):
            named = NAME.fullmatch(content.base_name)
            for found, outer in read_elements(content, WANTED):
                languages = _languages(named, outer, options)
                ideas = list(_ideas(found.element, languages, source.code, options))
                if not ideas:
                    yield Fault(
                        content.name,
                        found.line,
                        "The entry has no headword, or no meaning. It needs an orth in a form, and a sense.",
                    )
                for idea in ideas:
                    yield Placed(content.name, found.line, idea)


def _languages(named: re.Match[str] | None, outer: Outer, options: Options) -> Languages:
    """Return the languages. FreeDict's `xml:lang` round the entries is of either, so its file names go before it."""
    around = next((attributes[LANGUAGE] for _, attributes in outer if LANGUAGE in attributes), None)
    return Languages(
        options.language or (named[1] if named else around),
        options.target or (named[2] if named else "en"),
    )


def _ideas(entry: Element, languages: Languages, source: str, options: Options) -> Iterator[IdeaRecord]:
    written = _headword(entry, languages, options)
    if written is None:
        return
    text, marks = unmarked(written.text)
    head = msgspec.structs.replace(written, text=text, forms=_unmarked_forms(text, written.forms))
    for part in _parts(entry):
        words = tuple(_translations(part.sense, languages, options))
        definitions = tuple(_definitions(part.sense, languages, options))
        if not words and definitions and all(_is_equivalent(one, head) for one in definitions):
            words = tuple(word for one in definitions for word in equivalents_of(one.language, one.text))
            definitions = () if words else definitions
        words = (*_synonyms(part.sense, head), *words)
        if words or definitions:
            meaning = definitions[0].text if definitions else ", ".join(word.text for word in words)
            yield IdeaRecord(
                source,
                key_of(head.language, head.text, meaning),
                _part_of_speech(part, options) or part_of_marks((*marks, *_marks(part.sense)), options),
                (_with_remarks(head, part.sense, options), *words),
                gender=_gender(part, options) or gender_of_marks(marks),
                contexts=tuple(_contexts(part.sense, options)),
                definitions=definitions,
                examples=tuple(_examples(part.sense, head.language, options)),
            )


def _headword(entry: Element, languages: Languages, options: Options) -> WordRecord | None:
    """Read the headword; whatever else is written of it are forms that should find it."""
    written = [
        (orth, orth.get(LANGUAGE) or form.get(LANGUAGE) or entry.get(LANGUAGE))
        for form in entry.findall("form")
        for orth in form.findall("orth")
        if orth.get("type") not in ROMANIZED and _text(orth)
    ]
    if not written:
        return None
    first, told = written[0]
    language = options.code(told or languages.words or "") or options.own_language()
    romanized = [orth for orth in entry.findall("form/orth") if orth.get("type") in ROMANIZED]
    roman = next((text_of(orth) for orth in romanized if orth.get("subtype") != GENERATED), None)
    said = (pron for pron in entry.findall("form/pron") if pron.get("notation") in PHONETIC)
    plurals = entry.findall("xr[@type='plural-form']/ref")
    others = [*(orth for orth, _ in written[1:]), *entry.findall("form/form/orth"), *plurals]
    return WordRecord(
        language,
        _text(first),
        roman=roman,
        ipa=text_of(next(said, None)).strip("/[] ") or None,
        origin=text_of(entry.find("etym")) or None,
        forms=_forms(_text(first), others),
    )


def _forms(text: str, others: Iterable[Element]) -> tuple[str, ...]:
    """Read forms, without endings alone."""
    texts = dict.fromkeys(_text(orth) for orth in others)
    return tuple(form for form in texts if form and form != text and not form.startswith("-"))


def _unmarked_forms(text: str, forms: tuple[str, ...]) -> tuple[str, ...]:
    plain = dict.fromkeys(unmarked(form).text for form in forms)
    return tuple(form for form in plain if form != text)


def _marks(sense: Element) -> Iterator[str]:
    """Read marks of grammar that stand in the translations themselves: `casa <n>`."""
    for cit in sense.findall("cit"):
        if cit.get("type") in TRANSLATIONS and not _is_example(cit):
            yield from (label for _, text in _quotes(cit) for label in unmarked(text).labels)


def _parts(entry: Element) -> Iterator[Part]:
    """Read the innermost senses, of homonyms too."""
    of_entry = [*entry.findall("gramGrp"), *entry.findall("form/gramGrp")]
    for part in (entry, *entry.findall("hom")):
        grammar = [*(part.findall("gramGrp") if part is not entry else ()), *of_entry]
        senses = part.findall("sense")
        if senses:
            yield from (one for sense in senses for one in _leaves(sense, grammar))
        elif part.find("cit") is not None or part.find("def") is not None:
            yield Part(part, grammar)


def _leaves(sense: Element, outer: list[Element]) -> Iterator[Part]:
    grammar = [*sense.findall("gramGrp"), *outer]
    inner = sense.findall("sense")
    if inner:
        yield from (one for each in inner for one in _leaves(each, grammar))
    else:
        yield Part(sense, grammar)


def _translations(sense: Element, languages: Languages, options: Options) -> Iterator[WordRecord]:
    for cit in sense.findall("cit"):
        if cit.get("type") in TRANSLATIONS and not _is_example(cit):
            note = _remarks(cit, options)
            inflected = [form for form in cit.findall("form") if form.get("type") in INFLECTED]
            forms = _forms("", (orth for form in inflected for orth in form.findall("orth")))
            for quote, text in _quotes(cit):
                language = options.code(_nearest_language(quote, cit, sense) or languages.meanings)
                for word in equivalents_of(language, text):
                    yield WordRecord(language, word.text, forms=forms, note=joined(word.note, note))


def _synonyms(sense: Element, head: WordRecord) -> Iterator[WordRecord]:
    """Read the synonyms of TEI Lex-0; other references lead to other meanings."""
    texts = dict.fromkeys(_text(reference) for reference in sense.findall("xr[@type='synonymy']/ref"))
    yield from (WordRecord(head.language, text) for text in texts if text and text != head.text)


def _quotes(cit: Element) -> Iterator[tuple[Element, str]]:
    forms = [form for form in cit.findall("form") if form.get("type") not in INFLECTED]
    for quote in (*cit.findall("quote"), *(orth for form in forms for orth in form.findall("orth"))):
        if text := _text(quote):
            yield quote, text


def _is_example(cit: Element) -> bool:
    """Recognize examples; some have no type, but a translation of their own."""
    return cit.get("type") == "example" or (cit.get("type") is None and cit.find("cit") is not None)


def _definitions(sense: Element, languages: Languages, options: Options) -> Iterator[DefinitionRecord]:
    """Read definitions, and translations that are too long for words."""
    for element in (*sense.findall("def"), *sense.findall("cit/def"), *sense.findall("note[@type='def']")):
        if text := _text(element):
            yield DefinitionRecord(options.code(_nearest_language(element, sense) or languages.meanings), text)
    for cit in sense.findall("cit"):
        if cit.get("type") in TRANSLATIONS and not _is_example(cit):
            for quote, text in _quotes(cit):
                language = options.code(_nearest_language(quote, cit, sense) or languages.meanings)
                if not equivalents_of(language, text):
                    yield DefinitionRecord(language, text)


def _is_equivalent(definition: DefinitionRecord, head: WordRecord) -> bool:
    """Return what some dictionaries of two languages call a definition, though it is a translation."""
    return definition.language != head.language and is_short(definition.text)


def _nearest_language(*elements: Element) -> str | None:
    return next((told for one in elements if (told := one.get(LANGUAGE))), None)


def _examples(sense: Element, language: str, options: Options) -> Iterator[ExampleRecord]:
    for cit in sense.findall("cit"):
        quote = cit.find("quote")
        if _is_example(cit) and quote is not None and text_of(quote):
            told = _nearest_language(quote, cit)
            translation = text_of(cit.find("cit/quote")) or None
            yield ExampleRecord(options.code(told) if told else language, text_of(quote), translation)


def _part_of_speech(part: Part, options: Options) -> str | None:
    notes = (text_of(note) for note in part.sense.findall("note[@type='pos']"))
    labels = (*_labels(part, "pos"), *notes)
    return next((found for label in labels if (found := part_of_speech(label, options))), None)


def _gender(part: Part, options: Options) -> str | None:
    mapped = options.values.get("gender", {})
    found = (mapped.get(label) or GENDERS.get(label.strip(".").lower()) for label in _labels(part, "gender"))
    return next(filter(None, found), None)


def _labels(part: Part, kind: str) -> Iterator[str]:
    for group in part.grammar:
        for name in LABELS[kind]:
            yield from (text_of(one) for one in group.findall(name))
        yield from (text_of(one) for one in group.findall("gram") if one.get("type", kind) == kind)


def _contexts(sense: Element, options: Options) -> Iterator[str]:
    """Read the contexts that the mapping knows; the others are remarks."""
    mapped = options.values.get("context", {})
    yield from (mapped[text] for usage in sense.findall("usg") if (text := text_of(usage)) in mapped)


def _remarks(element: Element, options: Options) -> str | None:
    notes = [one for one in element.findall("note") if one.get("type") in REMARKS]
    inner = [note for name in ("def", "quote") for note in element.findall(f"{name}/note")]
    usages = [one for one in element.findall("usg") if text_of(one) not in options.values.get("context", {})]
    return joined(*(text_of(one) for one in (*usages, *notes, *inner)))


def _with_remarks(word: WordRecord, sense: Element, options: Options) -> WordRecord:
    reference = text_of(sense.find("note[@type='reference']")) or None
    return msgspec.structs.replace(word, note=_remarks(sense, options), reference=reference)


def _text(element: Element) -> str:
    """Read the text of an element, notes in it left out."""
    return " ".join("".join(_texts(element)).split())


def _texts(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag != "note":
            yield from _texts(child)
        yield child.tail or ""
