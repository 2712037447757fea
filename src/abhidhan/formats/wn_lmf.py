"""WN-LMF, the Global WordNet Association's XML: words of lexical entries, ideas of synsets."""

from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from abhidhan.domain.incoming import Placed
from abhidhan.domain.records import (
    DefinitionRecord,
    ExampleRecord,
    IdeaRecord,
    RelationRecord,
    SourceRecord,
    WordRecord,
)
from abhidhan.formats.files import Content
from abhidhan.formats.parts import RELATIONS, part_of_speech
from abhidhan.formats.reading import Found, Options, placed_source
from abhidhan.formats.xml import read_elements, text_of

WANTED: Final = frozenset({"LexicalEntry", "Synset"})
LEXICONS: Final = frozenset({"Lexicon", "LexiconExtension"})
UNCERTAIN: Final = "v"
"""Verbs: the format does not tell whether they have an object."""


def read_wn_lmf(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read lexicons: each is a source, its synsets are ideas, its entries their words."""
    for content in contents:
        if not content.base_name.lower().endswith(".xml"):
            continue
        source: SourceRecord | None = None
        for found, outer in read_elements(content, WANTED):
            lexicon = next((attributes for name, attributes in reversed(outer) if name in LEXICONS), {})
            record = options.source or _source(lexicon)
            if record != source:
                source = record
                yield placed_source(record)
            language = options.code(lexicon.get("language") or options.language or "")
            read = _words if found.element.tag == "LexicalEntry" else _synset
            for idea in read(found.element, language, record.code, options):
                yield Placed(content.name, found.line, idea)


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
    forms = tuple(form for one in entry.findall("Form") if (form := one.get("writtenForm")))
    label = lemma.get("partOfSpeech")
    pos = part_of_speech(label, options) if label != UNCERTAIN else options.values.get("pos", {}).get(UNCERTAIN)
    for place, sense in enumerate(entry.findall("Sense"), 1):
        number = sense.get("n", "")
        position = int(number) if number.isascii() and number.isdigit() and int(number) else place
        word = WordRecord(language, text, ipa=ipa, forms=forms, position=position)
        if synset := sense.get("synset"):
            yield IdeaRecord(source, synset, pos, (word,), examples=tuple(_examples(sense, language)))


def _synset(synset: Element, language: str, source: str, options: Options) -> Iterator[IdeaRecord]:
    label = synset.get("partOfSpeech")
    yield IdeaRecord(
        source,
        synset.get("id", ""),
        part_of_speech(label, options) if label != UNCERTAIN else options.values.get("pos", {}).get(UNCERTAIN),
        (),
        definitions=tuple(
            DefinitionRecord(options.code(one.get("language") or language), text)
            for one in synset.findall("Definition")
            if (text := text_of(one))
        ),
        examples=tuple(_examples(synset, language)),
        relations=tuple(
            RelationRecord(RELATIONS[kind], f"{source}:{target}")
            for one in synset.findall("SynsetRelation")
            if (kind := one.get("relType", "")) in RELATIONS
            and (target := one.get("target"))
            and target != synset.get("id")
        ),
    )


def _examples(element: Element, language: str) -> Iterator[ExampleRecord]:
    for one in element.findall("Example"):
        if text := text_of(one):
            yield ExampleRecord(language, text)
