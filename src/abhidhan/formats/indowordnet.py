"""IndoWordNet's lines: synsets/all.<language>, and synset_relations/<name>.<part of speech>."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import (
    DefinitionRecord,
    ExampleRecord,
    IdeaRecord,
    RelationRecord,
    SourceRecord,
    WordRecord,
)
from abhidhan.errors import InputError
from abhidhan.formats.contents import Content
from abhidhan.formats.parts import part_of_speech
from abhidhan.formats.reading import Found, Options, placed_source
from abhidhan.formats.text import Line, read_lines

SOURCE: Final = SourceRecord(
    "indowordnet",
    "IndoWordNet",
    "CC-BY-SA-4.0",
    "https://www.cfilt.iitb.ac.in/indowordnet/",
    "Center for Indian Language Technology, IIT Bombay, and partners",
)

LANGUAGES: Final = {
    "assamese": "as",
    "bengali": "bn",
    "bodo": "brx",
    "english": "en",
    "gujarati": "gu",
    "hindi": "hi",
    "kannada": "kn",
    "kashmiri": "ks",
    "konkani": "kok",
    "malayalam": "ml",
    "marathi": "mr",
    "meitei": "mni",
    "manipuri": "mni",
    "nepali": "ne",
    "oriya": "or",
    "odiya": "or",
    "punjabi": "pa",
    "sanskrit": "sa",
    "tamil": "ta",
    "telugu": "te",
    "urdu": "ur",
}

RELATION_NAMES: Final = {
    "hypernymy": "Hypernym",
    "hyponymy": "Hyponym",
    "troponymy": "Hyponym",
    "holo": "Holonym",
    "mero": "Meronym",
    "antonymy": "Antonym",
    "causative": "Effect",
    "similar": "Near-synonym",
    "also": "Related",
    "attributes": "Related",
}
"""Relations by the names of their files, or the first part of those: holo_member_collection. Others are left out."""

MISSING: Final = "null"
"""What stands where a language has no words or no gloss yet."""

_SYNSETS: Final = re.compile(r"all\.([a-z]+)")
_RELATION: Final = re.compile(r"(?:.*/)?synset_relations/([a-z]+)[a-z_]*\.[a-z]+")
_BETWEEN_EXAMPLES: Final = re.compile(r"\s/\s")
FIELDS: Final = 4


def read_indowordnet(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read the synsets of every language and the relations between them; the ID is common to all languages."""
    source = options.own_source(SOURCE)
    yield placed_source(source)
    seen = False
    for content in contents:
        synsets, relation = _SYNSETS.fullmatch(content.base_name), _RELATION.fullmatch(content.name)
        if synsets:
            seen = True
            language = options.code(LANGUAGES.get(synsets[1], synsets[1]))
            yield from _each(content, options, partial(_synset, language=language, source=source.code, options=options))
        elif relation and relation[1] in RELATION_NAMES:
            seen = True
            value = RELATION_NAMES[relation[1]]
            yield from _each(content, options, partial(_relations, value=value, source=source.code))
    if not seen:
        raise InputError.of(
            "file", "There is no all.assamese or other all.<language> among the files: is this IndoWordNet?"
        )


def _each(content: Content, options: Options, read: Callable[[Line], IdeaRecord | None]) -> Iterator[Found]:
    for line in read_lines(content, options.encoding):
        if isinstance(line, Fault):
            yield line
        elif line.text.strip():
            idea = read(line)
            if idea is None:
                yield Fault(
                    content.name, line.number, "The line does not have IndoWordNet's fields, separated by tabs."
                )
            else:
                yield Placed(content.name, line.number, idea)


def _synset(line: Line, language: str, source: str, options: Options) -> IdeaRecord | None:
    fields = line.text.split("\t")
    if len(fields) < FIELDS or not fields[0].strip().isdigit():
        return None
    key, words, gloss, label = (field.strip() for field in fields[:FIELDS])
    definition, _, quoted = gloss.partition(':"')
    texts = (definition.strip(' "'), *(example.strip(' "') for example in _BETWEEN_EXAMPLES.split(quoted)))
    explained, *examples = ("" if text == MISSING else text for text in texts)
    return IdeaRecord(
        source,
        key,
        part_of_speech(label, options),
        tuple(
            WordRecord(language, text)
            for word in words.split(",")
            if (text := word.replace("_", " ").strip()) and text != MISSING
        ),
        definitions=(DefinitionRecord(language, explained),) if explained else (),
        examples=tuple(ExampleRecord(language, example) for example in examples if example),
    )


def _relations(line: Line, value: str, source: str) -> IdeaRecord | None:
    fields = line.text.split("\t")
    if len(fields) != 2 or not fields[0].strip().isdigit():  # noqa: PLR2004  # an ID, and those it is related to
        return None
    others = [other.strip() for other in fields[1].split(",") if other.strip()]
    related = tuple(RelationRecord(value, f"{source}:{other}") for other in others if other != fields[0].strip())
    return IdeaRecord(source, fields[0].strip(), None, (), relations=related)
