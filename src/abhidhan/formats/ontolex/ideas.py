"""Ideas as linked data: concepts, their relations, and examples of how their words are used."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final

from abhidhan.formats.linked_data import lexical_class
from abhidhan.formats.ontolex.names import (
    IDEAS,
    TAXONOMY,
    WITHOUT_CATEGORY,
    category_name,
    context_name,
    idea_name,
    source_name,
    tag_of,
    word_name,
)
from abhidhan.formats.ontolex.rdf import TYPE, Node, Object, Text, described
from abhidhan.formats.ontolex.words import Meaning, New, word_nodes
from abhidhan.records.kinds import ExampleRecord, NumberedIdea

CONCEPT_RELATION: Final = "vartrans:conceptRel"
ENGLISH: Final = "en"
ASSAMESE: Final = "as"


def idea_nodes(idea: NumberedIdea, meet: Callable[[Meaning], New], chosen: Collection[str]) -> Iterator[Node]:
    """Yield an idea, its relations and its words. `meet` tells what of a word is new.

    Where only some languages were `chosen`, by their codes, their words are translatable as those beside them; else
    words are translations of each other by the concept that they have in common.
    """
    yield _concept(idea)
    yield from _relations(idea)
    shown = _examples_of(idea)
    for number, example in enumerate(idea.record.examples, 1):
        if any(number in numbers for numbers in shown.values()):
            yield _example(idea, number, example)
    beside = [
        word_name(word_id, lexical_class(idea.record.pos))
        for word_id, word in zip(idea.word_ids, idea.record.words, strict=True)
        if word.language not in chosen
    ]
    for word_id, word in zip(idea.word_ids, idea.record.words, strict=True):
        meaning = Meaning(idea.id, idea.record, word_id, word)
        examples = [_example_name(idea, number) for number in shown[word_id]]
        translations = beside if word.language in chosen else []
        yield from word_nodes(meaning, meet(meaning), examples, translations)


def _concept(idea: NumberedIdea) -> Node:
    record = idea.record
    told: dict[str, list[Object]] = {
        TYPE: ["ontolex:LexicalConcept"],
        "skos:inScheme": [IDEAS],
        "skos:notation": [Text(record.glyph)] if record.glyph else [],
        "skos:definition": [Text(one.text, tag_of(one.language)) for one in record.definitions],
        "skos:example": [Text(one.text, tag_of(one.language)) for one in record.examples],
        "dct:subject": [context_name(value) for value in record.contexts],
        **_plain_relations(idea),
        # By these it is known again wherever it goes, whatever ID it has there.
        "dct:identifier": [Text(name) for name in (f"{record.source}:{record.key}", *record.aliases)],
        "dct:source": [source_name(record.source)],
        "dc:rights": [Text(record.licence)] if record.licence else [],
    }
    return described(idea_name(idea.id), told)


def _plain_relations(idea: NumberedIdea) -> Mapping[str, list[Object]]:
    found: dict[str, list[Object]] = {}
    for relation, other in zip(idea.record.relations, idea.related_ids, strict=True):
        found.setdefault(TAXONOMY.get(relation.type, CONCEPT_RELATION), []).append(idea_name(other))
    return found


def _relations(idea: NumberedIdea) -> Iterator[Node]:
    """Yield the relations whose kind has to be told, each as a thing."""
    for relation, other in zip(idea.record.relations, idea.related_ids, strict=True):
        if relation.type not in WITHOUT_CATEGORY:
            category = category_name(relation.type)
            name = idea_name(idea.id, f"{category.partition(':')[2]}-{other}")
            told: dict[str, list[Object]] = {
                TYPE: ["vartrans:ConceptualRelation"],
                "vartrans:source": [idea_name(idea.id)],
                "vartrans:target": [idea_name(other)],
                "vartrans:category": [category],
            }
            yield Node(name, told)


def _examples_of(idea: NumberedIdea) -> Mapping[int, Sequence[int]]:
    """Say which examples show each word, by its ID: those that have it in them, and of a language's only word all."""
    shown: defaultdict[int, list[int]] = defaultdict(list)
    for number, example in enumerate(idea.record.examples, 1):
        same = [
            (word_id, word.text)
            for word_id, word in zip(idea.word_ids, idea.record.words, strict=True)
            if word.language == example.language
        ]
        for word_id, text in same:
            if len(same) == 1 or text in example.text:
                shown[word_id].append(number)
    return shown


def _example(idea: NumberedIdea, number: int, example: ExampleRecord) -> Node:
    """Return an example with its translation, which is in Assamese if the example is in English, else in English."""
    told: list[Object] = [Text(example.text, tag_of(example.language))]
    if example.translation:
        told.append(Text(example.translation, ASSAMESE if example.language == ENGLISH else ENGLISH))
    return Node(_example_name(idea, number), {TYPE: ["lexicog:UsageExample"], "rdf:value": told})


def _example_name(idea: NumberedIdea, number: int) -> str:
    return idea_name(idea.id, f"example-{number}")
