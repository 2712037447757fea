"""WN-LMF, the Global WordNet Association's XML: words of lexical entries, ideas of synsets."""

from collections.abc import Iterator
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from abhidhan.domain.ids import read_number
from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import (
    DefinitionRecord,
    ExampleRecord,
    IdeaRecord,
    RelationRecord,
    SourceRecord,
    WordRecord,
)
from abhidhan.formats.contents import Content
from abhidhan.formats.parts import RELATIONS, part_of_speech
from abhidhan.formats.reading import Found, Options, placed_source
from abhidhan.formats.xml import read_elements, text_of

WANTED: Final = frozenset({"LexicalEntry", "Synset"})
LEXICONS: Final = frozenset({"Lexicon", "LexiconExtension"})
UNCERTAIN: Final = "v"
"""Verbs: the format does not tell whether they have an object."""

SATELLITE: Final = "s"
"""An adjective that gathers round another one; in other formats, `s` is a noun."""

LATIN: Final = "Latn"


class Antonym(NamedTuple):
    """A sense whose opposite is another one: its source and synset, the ID of the other, and the line."""

    source: str
    synset: str
    other: str
    line: int


def read_wn_lmf(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read lexicons: each is a source, its synsets are ideas, its entries their words."""
    for content in contents:
        if content.base_name.lower().endswith(".xml"):
            yield from _read_file(content, options)


def _read_file(content: Content, options: Options) -> Iterator[Found]:
    source: SourceRecord | None = None
    synsets: dict[str, str] = {}
    antonyms: list[Antonym] = []
    for found, outer in read_elements(content, WANTED):
        lexicon = next((attributes for name, attributes in reversed(outer) if name in LEXICONS), {})
        record = options.source or _source(lexicon)
        if record != source:
            source = record
            yield placed_source(record)
        language = options.code(lexicon.get("language") or options.language or "")
        read = _words if found.element.tag == "LexicalEntry" else _synset
        ideas = list(read(found.element, language, record.code, options))
        if not ideas:
            yield Fault(
                content.name,
                found.line,
                "The entry has no written form, or no sense with a synset. "
                "It needs a Lemma with writtenForm and a Sense with synset.",
            )
        for idea in ideas:
            yield Placed(content.name, found.line, idea)
        for sense in found.element.findall("Sense"):
            synsets[sense.get("id", "")] = f"{record.code}:{sense.get('synset', '')}"
            antonyms.extend(_antonyms(sense, record.code, found.line))
    yield from _opposites(content.name, antonyms, synsets)


def _antonyms(sense: Element, source: str, line: int) -> Iterator[Antonym]:
    for relation in sense.findall("SenseRelation"):
        if relation.get("relType") == "antonym":
            yield Antonym(source, sense.get("synset", ""), relation.get("target", ""), line)


def _opposites(file: str, antonyms: list[Antonym], synsets: dict[str, str]) -> Iterator[Found]:
    """Relate the ideas of senses that are opposites, which the format says of words and not of synsets."""
    for source, synset, other, line in antonyms:
        idea = synsets.get(other, f"{source}:{synset}")
        if idea != f"{source}:{synset}":
            relation = RelationRecord(RELATIONS["antonym"], idea)
            yield Placed(file, line, IdeaRecord(source, synset, None, (), relations=(relation,)))


def _source(lexicon: dict[str, str]) -> SourceRecord:
    code = lexicon.get("id", "wordnet")
    return SourceRecord(
        code,
        " ".join(part for part in (lexicon.get("label", code), lexicon.get("version")) if part),
        lexicon.get("license") or "see the file",
        lexicon.get("url") or None,
        lexicon.get("citation") or lexicon.get("email") or None,
    )


def _words(entry: Element, language: str, source: str, options: Options) -> Iterator[IdeaRecord]:
    lemma = entry.find("Lemma")
    text = lemma.get("writtenForm", "") if lemma is not None else ""
    if lemma is None or not text:
        return
    ipa = text_of(lemma.find("Pronunciation")).strip("/[]") or None
    romanized = [one for one in entry.findall("Form") if one.get("script", "").startswith(LATIN) and not text.isascii()]
    roman = next((one.get("writtenForm") for one in romanized), None)
    forms = tuple(form for one in entry.findall("Form") if (form := one.get("writtenForm")) and one not in romanized)
    pos = _part(lemma.get("partOfSpeech"), options)
    for place, sense in enumerate(entry.findall("Sense"), 1):
        position = read_number(sense.get("n", "")) or place
        word = WordRecord(language, text, roman=roman, ipa=ipa, forms=forms, position=position)
        if synset := sense.get("synset"):
            yield IdeaRecord(source, synset, pos, (word,), examples=tuple(_examples(sense, language, options)))


def _synset(synset: Element, language: str, source: str, options: Options) -> Iterator[IdeaRecord]:
    yield IdeaRecord(
        source,
        synset.get("id", ""),
        _part(synset.get("partOfSpeech"), options),
        (),
        definitions=tuple(
            DefinitionRecord(options.code(one.get("language") or language), text)
            for one in synset.findall("Definition")
            if (text := text_of(one))
        ),
        examples=tuple(_examples(synset, language, options)),
        relations=tuple(
            RelationRecord(RELATIONS[kind], f"{source}:{target}")
            for one in synset.findall("SynsetRelation")
            if (kind := one.get("relType", "")) in RELATIONS
            and (target := one.get("target"))
            and target != synset.get("id")
        ),
    )


def _part(label: str | None, options: Options) -> str | None:
    if label == UNCERTAIN:
        return options.values.get("pos", {}).get(label)
    return part_of_speech("a" if label == SATELLITE else label, options)


def _examples(element: Element, language: str, options: Options) -> Iterator[ExampleRecord]:
    for one in element.findall("Example"):
        if text := text_of(one):
            yield ExampleRecord(options.code(one.get("language") or language), text)
