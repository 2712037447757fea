"""TEI dictionaries, as FreeDict writes them."""

from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import DefinitionRecord, ExampleRecord, IdeaRecord, WordRecord
from abhidhan.formats.files import Content
from abhidhan.formats.parts import part_of_speech
from abhidhan.formats.reading import Found, Options, key_of, placed_source
from abhidhan.formats.xml import LANGUAGE, read_elements, text_of

ENDINGS: Final = (".tei", ".xml")
GENDERS: Final = {
    "m": "Masculine",
    "masc": "Masculine",
    "f": "Feminine",
    "fem": "Feminine",
    "n": "Neuter",
    "c": "Common",
}
WANTED: Final = frozenset({"entry"})


def read_tei(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read the entries of TEI files; each sense is an idea."""
    source = options.own_source()
    yield placed_source(source)
    for content in contents:
        if not content.base_name.lower().endswith(ENDINGS):
            continue
        for found, outer in read_elements(content, WANTED):
            language = _language([found.element.attrib, *(attributes for _, attributes in reversed(outer))])
            ideas = list(_ideas(found.element, language, source.code, options))
            if not ideas:
                yield Fault(content.name, found.line, "The entry has no headword, or no meaning.")
            for idea in ideas:
                yield Placed(content.name, found.line, idea)


def _language(attributes: list[dict[str, str]]) -> str | None:
    return next((one[LANGUAGE] for one in attributes if LANGUAGE in one), None)


def _ideas(entry: Element, outer_language: str | None, source: str, options: Options) -> Iterator[IdeaRecord]:
    orth = entry.find("form/orth")
    headword = text_of(orth)
    given = (orth.get(LANGUAGE) if orth is not None else None) or outer_language
    language = options.code(options.language or given or "") or options.own_language()
    if not headword:
        return
    senses = entry.findall("sense") or entry.findall("cit/..")
    forms = tuple(text for form in entry.findall("form/form/orth") if (text := text_of(form)))
    ipa = text_of(entry.find("form/pron")).strip("/[]") or None
    head = WordRecord(language, headword, ipa=ipa, forms=forms)
    for sense in _leaves(senses):
        words = (head, *_translations(sense, options))
        definitions = tuple(_definitions(sense, options))
        if len(words) > 1 or definitions:
            meaning = definitions[0].text if definitions else ", ".join(word.text for word in words[1:])
            gender = text_of(entry.find("gramGrp/gen"))
            yield IdeaRecord(
                source,
                key_of(language, headword, meaning),
                _part(entry, sense, options),
                words,
                gender=options.values.get("gender", {}).get(gender) or GENDERS.get(gender.strip(".").lower()),
                definitions=definitions,
                examples=tuple(_examples(sense, language)),
            )


def _leaves(senses: list[Element]) -> Iterator[Element]:
    for sense in senses:
        inner = sense.findall("sense")
        if inner:
            yield from _leaves(inner)
        else:
            yield sense


def _translations(sense: Element, options: Options) -> Iterator[WordRecord]:
    for cit in sense.findall("cit"):
        if cit.get("type") in {"trans", "translation", "translationEquivalent", None}:
            for quote in (*cit.findall("quote"), *cit.findall("form/orth")):
                code = quote.get(LANGUAGE) or cit.get(LANGUAGE)
                text = text_of(quote)
                if text:
                    yield WordRecord(options.code(options.target or code or "en"), text)


def _definitions(sense: Element, options: Options) -> Iterator[DefinitionRecord]:
    for element in sense.findall("def"):
        if text := text_of(element):
            yield DefinitionRecord(options.code(element.get(LANGUAGE) or options.target or "en"), text)


def _examples(sense: Element, language: str) -> Iterator[ExampleRecord]:
    for cit in sense.findall("cit[@type='example']"):
        if text := text_of(cit.find("quote")):
            yield ExampleRecord(language, text, text_of(cit.find("cit/quote")) or None)


def _part(entry: Element, sense: Element, options: Options) -> str | None:
    for group in (sense.find("gramGrp"), entry.find("gramGrp")):
        if group is not None:
            for label in (text_of(group.find("subc")), *(text_of(one) for one in group if one.tag in {"pos", "gram"})):
                if found := part_of_speech(label, options):
                    return found
    return None
