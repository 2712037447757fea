"""Reader of WN-LMF, the Global WordNet Association's XML: entries become words, synsets become ideas."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

import msgspec

from abhidhan.formats.content_streams import ContentStream, pause_counting, spool
from abhidhan.formats.importer_api import ImportOptions, ParsedRecord, drop_empty, join_notes, wrap_source
from abhidhan.formats.pos_mapping import map_pos
from abhidhan.formats.wn_lmf.losses import (
    CONTEXT_BY_LEXFILE,
    LATIN_SCRIPT,
    SENSE_RELATIONS,
    SYNSET_RELATIONS,
    find_element_losses,
    find_lexicon_losses,
)
from abhidhan.formats.writers.external_sort import DuplicateIdDetector
from abhidhan.formats.xml_stream import get_text, read_elements
from abhidhan.records.ids import parse_number
from abhidhan.records.import_records import LocatedRecord, RecordError, UnstoredValue
from abhidhan.records.kinds import (
    DefinitionRecord,
    ExampleRecord,
    FormsRecord,
    IdeaRecord,
    RelationRecord,
    SourceRecord,
    WordRecord,
)

ENGLISH: Final = "en"

ENTRY_ELEMENT: Final = "LexicalEntry"
SYNSET_ELEMENT: Final = "Synset"
ELEMENTS: Final = frozenset(
    {
        ENTRY_ELEMENT,
        SYNSET_ELEMENT,
        "ExternalLexicalEntry",
        "ExternalSynset",
        "Extends",
        "Requires",
        "SyntacticBehaviour",
    }
)
LEXICON_ELEMENTS: Final = frozenset({"Lexicon", "LexiconExtension"})

VERB_LETTER: Final = "v"
SATELLITE_LETTER: Final = "s"
"""Letter of satellite adjectives; in other formats, `s` is a noun."""

UNKNOWN_LETTER: Final = "u"
POS_BY_LETTER: Final = {VERB_LETTER: "Verb", "x": "Other"}
"""Parts of speech for letters that other formats lack or map differently."""

NO_WORD: Final = (
    "The entry has no written form, or no sense with a synset. "
    "It needs a Lemma with writtenForm and a Sense with synset."
)


MemberRanks = dict[tuple[str, str], int]
"""The rank of each member in its synset, by synset ID and member ID (of an entry or a sense)."""


class SenseRelation(NamedTuple):
    """A relation between senses: source and synset, type, target ID, field and line."""

    source: str
    synset: str
    type: str
    target: str
    field: str
    line: int


def read_wn_lmf(contents: Iterator[ContentStream], options: ImportOptions) -> Iterator[ParsedRecord]:
    """Read lexicons: each is a source, its synsets are ideas, its entries their words."""
    for content in contents:
        if content.base_name.lower().endswith(".xml"):
            with DuplicateIdDetector(Path(tempfile.gettempdir())) as ids, spool(content) as copy:
                with pause_counting(copy):
                    ranks = _read_ranks(ContentStream(content.name, copy))
                copy.seek(0)
                yield from _read_file(ContentStream(content.name, copy), options, ids, ranks)
                yield from ids.iter_errors()


def _read_ranks(content: ContentStream) -> MemberRanks:
    """Return the ranks of synset members, in a first pass, since entries precede the synsets in a file."""
    return {
        (element.get("id", ""), member): rank
        for (element, _), _ in read_elements(content, frozenset({SYNSET_ELEMENT}))
        if len(members := element.get("members", "").split()) > 1
        for rank, member in enumerate(members, 1)
    }


def _read_file(
    content: ContentStream, options: ImportOptions, ids: DuplicateIdDetector, ranks: MemberRanks
) -> Iterator[ParsedRecord]:
    previous: tuple[str, dict[str, str]] | None = None
    synsets: dict[str, str] = {}
    relations: list[SenseRelation] = []
    for (element, line), outer in read_elements(content, ELEMENTS):
        lexicon = next(
            ((name, attributes) for name, attributes in reversed(outer) if name in LEXICON_ELEMENTS), ("", {})
        )
        source = options.source or _build_source(lexicon[1])
        if lexicon != previous:
            previous = lexicon
            yield wrap_source(source)
            yield from find_lexicon_losses(content.name, line, lexicon, (wrap_source(source),))
        language = options.map_language(lexicon[1].get("language") or options.language or "")
        records = list(_iter_records(element, language, source.code, options, ranks))
        located = [LocatedRecord(content.name, line, record) for record in records]
        yield from located
        if element.tag == ENTRY_ELEMENT and not records:
            yield RecordError(content.name, line, NO_WORD)
        else:
            yield from find_element_losses(content.name, line, element, located, options)
        if records:
            ids.add(element.tag, element.get("id"), content.name, line)
        for sense in element.findall("Sense") if records else ():
            ids.add(sense.tag, sense.get("id"), content.name, line)
            # If several senses share an ID, relations refer to the first.
            synsets.setdefault(sense.get("id", ""), f"{source.code}:{sense.get('synset', '')}")
            relations.extend(_iter_sense_relations(sense, source.code, line))
    yield from _iter_idea_relations(content.name, relations, synsets)


def _iter_records(
    element: Element, language: str, source: str, options: ImportOptions, ranks: MemberRanks
) -> Iterator[IdeaRecord | FormsRecord]:
    if element.tag == ENTRY_ELEMENT:
        yield from _iter_words(element, language, source, options, ranks)
    elif element.tag == SYNSET_ELEMENT:
        yield _build_synset_idea(element, language, source, options)


def _iter_sense_relations(sense: Element, source: str, line: int) -> Iterator[SenseRelation]:
    for relation in sense.findall("SenseRelation"):
        kind = relation.get("relType", "")
        if kind in SENSE_RELATIONS:
            field = f"{ENTRY_ELEMENT}/Sense/SenseRelation[{kind}]@target"
            target = relation.get("target", "")
            yield SenseRelation(source, sense.get("synset", ""), SENSE_RELATIONS[kind], target, field, line)


def _iter_idea_relations(file: str, relations: list[SenseRelation], synsets: dict[str, str]) -> Iterator[ParsedRecord]:
    """Yield relations between the ideas of related senses, and a loss for each relation without two ideas."""
    for link in relations:
        idea = synsets.get(link.target)
        if idea is None or not link.synset or idea == f"{link.source}:{link.synset}":
            yield UnstoredValue(file, link.line, link.field, link.target)
        else:
            relation = RelationRecord(link.type, idea)
            yield LocatedRecord(file, link.line, IdeaRecord(link.source, link.synset, None, (), relations=(relation,)))


def _build_source(lexicon: dict[str, str]) -> SourceRecord:
    code = lexicon.get("id", "wordnet")
    return SourceRecord(
        code,
        " ".join(part for part in (lexicon.get("label", code), lexicon.get("version")) if part),
        lexicon.get("license") or "see the file",
        lexicon.get("url") or None,
        lexicon.get("citation") or lexicon.get("email") or None,
    )


def _iter_words(
    entry: Element, language: str, source: str, options: ImportOptions, ranks: MemberRanks
) -> Iterator[IdeaRecord | FormsRecord]:
    lemma = entry.find("Lemma")
    text = lemma.get("writtenForm", "") if lemma is not None else ""
    senses = [sense for sense in entry.findall("Sense") if sense.get("synset")]
    if lemma is None or not text or not senses:
        return
    ipa = ", ".join(dict.fromkeys(drop_empty(*(get_text(one).strip("/[]") for one in lemma.findall("Pronunciation")))))
    forms = [one for one in entry.findall("Form") if one.get("writtenForm")]
    roman = next((one for one in forms if one.get("script", "").startswith(LATIN_SCRIPT) and not text.isascii()), None)
    tagged_forms = [(one, tag) for one in forms if (tag := " ".join(map(get_text, one.findall("Tag"))))]
    other_forms = [one for one in forms if one is not roman and one not in dict(tagged_forms)]
    word = WordRecord(
        language,
        text,
        roman=roman.get("writtenForm") if roman is not None else None,
        ipa=ipa or None,
        forms=tuple(one.get("writtenForm", "") for one in other_forms),
    )
    pos = _map_pos(lemma.get("partOfSpeech"), options)
    for number, sense in enumerate(senses, 1):
        position = parse_number(sense.get("n", "")) or number
        note = join_notes(entry.get("note"), sense.get("note"))
        member_ids = ((sense.get("synset", ""), one.get("id", "")) for one in (entry, sense))
        rank = next((ranks[name] for name in member_ids if name in ranks), None)
        numbered_word = msgspec.structs.replace(word, position=position, rank=rank, note=note)
        examples = tuple(_iter_examples(sense, language, options))
        yield IdeaRecord(source, sense.get("synset", ""), pos, (numbered_word,), examples=examples)
    if tagged_forms:
        yield FormsRecord(language, text, tuple((one.get("writtenForm", ""), tag) for one, tag in tagged_forms))


def _build_synset_idea(synset: Element, language: str, source: str, options: ImportOptions) -> IdeaRecord:
    definitions = [
        DefinitionRecord(options.map_language(element.get("language") or default), text)
        for name, default in (("Definition", language), ("ILIDefinition", ENGLISH))
        for element in synset.findall(name)
        if (text := get_text(element))
    ]
    lexfiles = (value for name, value in synset.attrib.items() if name.rpartition("}")[2] in {"lexfile", "subject"})
    return IdeaRecord(
        source,
        synset.get("id", ""),
        _map_pos(synset.get("partOfSpeech"), options),
        (),
        contexts=tuple(dict.fromkeys(drop_empty(*map(CONTEXT_BY_LEXFILE.get, lexfiles)))),
        definitions=tuple(dict.fromkeys(definitions)),
        examples=tuple(_iter_examples(synset, language, options)),
        relations=tuple(
            RelationRecord(SYNSET_RELATIONS[kind], f"{source}:{target}")
            for element in synset.findall("SynsetRelation")
            if (kind := element.get("relType", "")) in SYNSET_RELATIONS
            and (target := element.get("target"))
            and target != synset.get("id")
        ),
    )


def _map_pos(label: str | None, options: ImportOptions) -> str | None:
    """Return the part of speech; an unknown label is returned unchanged, so that the import reports it."""
    mapped = options.values.get("pos", {})
    if label is None or label == UNKNOWN_LETTER or label in mapped:
        return mapped.get(label or "") or None
    return POS_BY_LETTER.get(label) or map_pos("a" if label == SATELLITE_LETTER else label, options) or label


def _iter_examples(element: Element, language: str, options: ImportOptions) -> Iterator[ExampleRecord]:
    for example in element.findall("Example"):
        if text := get_text(example):
            yield ExampleRecord(options.map_language(example.get("language") or language), text)
