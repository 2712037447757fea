"""Writer of OntoLex-Lemon: the dictionary as linked data in Turtle, node by node."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Final

from abhidhan.formats.linked_data import lexical_class
from abhidhan.formats.ontolex.rdf import (
    CATEGORIES,
    CONTEXTS,
    DICTIONARY,
    IDEAS,
    LEXINFO,
    LICENCES,
    TAXONOMY,
    TYPE,
    WITHOUT_CATEGORY,
    Node,
    Object,
    Text,
    Typed,
    category_name,
    context_name,
    described,
    idea_name,
    lexicon_name,
    prefixes_of,
    source_name,
    tag_of,
    turtle,
    turtle_head,
    word_name,
)
from abhidhan.formats.ontolex.words import Meaning, New, Told, form_nodes, word_nodes
from abhidhan.formats.writers.export_source import Book, open_text
from abhidhan.records.kinds import ExampleRecord, IdeaRecord, LanguageRecord, ListItemRecord, NumberedIdea, SourceRecord
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.sources import is_web_address

CONCEPT: Final = "skos:Concept"


def write_turtle(book: Book, target: Path) -> None:
    """Write a Turtle file."""
    prefixes = prefixes_of(book.base_url)
    with open_text(target) as stream:
        stream.write(turtle_head(prefixes))
        stream.writelines(turtle(node, prefixes) for node in nodes_of(book))


def nodes_of(book: Book) -> Iterator[Node]:
    """Yield all nodes: the dictionary, its sources and lists, the ideas with their words, and the totals."""
    lists = list(takewhile(lambda record: not isinstance(record, IdeaRecord), book.records()))
    languages = [record for record in lists if isinstance(record, LanguageRecord)]
    items = [record for record in lists if isinstance(record, ListItemRecord)]
    yield _dictionary(book)
    yield from map(_source, book.sources)
    yield from _contexts(items)
    yield from _kinds_of_relations(items)
    told, ideas = Told(), 0
    chosen = frozenset(language.code for language in book.languages)
    for ideas, idea in enumerate(book.numbered_ideas(), 1):  # noqa: B007  # counted
        yield from idea_nodes(idea, told.meet, chosen)
    yield from form_nodes(book.numbered_forms(), told)
    yield _concept_set(book, ideas)
    for language in languages:
        if told.entries[language.code]:
            yield _lexicon(book, language, told.entries[language.code])


def _dictionary(book: Book) -> Node:
    named = [source.licence for source in book.sources if source.licence in LICENCES]
    told: dict[str, list[Object]] = {
        TYPE: ["lexicog:LexicographicResource"],
        "dct:title": [Text(book.title)],
        "dct:modified": [Typed(f"{book.date:%Y-%m-%d}", "xsd:date")],
        "dct:source": [source_name(source.code) for source in book.sources],
        "dct:license": [LICENCES[name] for name in dict.fromkeys(named)],
        "dc:rights": [Text(book.licences() or "unknown")],
    }
    return described(DICTIONARY, told)


def _source(source: SourceRecord) -> Node:
    told: dict[str, list[Object]] = {
        TYPE: ["dct:BibliographicResource"],
        "dct:title": [Text(source.name)],
        "dct:identifier": [Text(source.code)],
        "dct:license": [LICENCES[source.licence]] if source.licence in LICENCES else [],
        "dc:rights": [Text(source.licence)],
        "dc:creator": [Text(source.attribution)] if source.attribution else [],
        "rdfs:comment": [Text(source.notice)] if source.notice else [],
        "rdfs:seeAlso": [source.url] if is_web_address(source.url) else [],
    }
    return described(source_name(source.code), told)


def _contexts(items: Iterable[ListItemRecord]) -> Iterator[Node]:
    """Yield the tree of contexts as a concept scheme."""
    contexts = {item.id: item for item in items if item.list == ListName.CONTEXTS}
    if contexts:
        yield Node(CONTEXTS, {TYPE: ["skos:ConceptScheme"], "dct:title": [Text("Contexts", "en")]})
    for item in contexts.values():
        above = contexts.get(item.parent) if item.parent is not None else None
        told: dict[str, list[Object]] = {
            TYPE: [CONCEPT],
            "skos:prefLabel": [Text(item.value, "en")],
            "skos:inScheme": [CONTEXTS],
            "skos:broader": [context_name(above.value)] if above else [],
        }
        yield described(context_name(item.value), told)


def _kinds_of_relations(items: Iterable[ListItemRecord]) -> Iterator[Node]:
    """Yield the kinds of relations that neither SKOS nor LexInfo has."""
    for item in items:
        if item.list == ListName.RELATIONS and item.value not in WITHOUT_CATEGORY | CATEGORIES.keys():
            yield Node(category_name(item.value), {TYPE: [CONCEPT], "skos:prefLabel": [Text(item.value, "en")]})


def _concept_set(book: Book, ideas: int) -> Node:
    told: dict[str, list[Object]] = {
        TYPE: ["ontolex:ConceptSet"],
        "dct:title": [Text(book.title)],
        "lime:concepts": [Typed(str(ideas), "xsd:integer")],
    }
    return Node(IDEAS, told)


def _lexicon(book: Book, language: LanguageRecord, entries: int) -> Node:
    told: dict[str, list[Object]] = {
        TYPE: ["lime:Lexicon"],
        "dct:title": [Text(f"{book.title}: {language.name}")],
        "lime:language": [Typed(tag_of(language.code), "xsd:language")],
        "dct:language": [f"lexvo:{language.iso639_3}"] if language.iso639_3 else [],
        "lime:linguisticCatalog": [LEXINFO],
        "lime:lexicalEntries": [Typed(str(entries), "xsd:integer")],
        "dct:isPartOf": [DICTIONARY],
    }
    return described(lexicon_name(language.code), told)


# --- ideas ----------------------------------------------------------------------------------------------------------


CONCEPT_RELATION: Final = "vartrans:conceptRel"
ENGLISH: Final = "en"
ASSAMESE: Final = "as"


def idea_nodes(idea: NumberedIdea, meet: Callable[[Meaning], New], chosen: Collection[str]) -> Iterator[Node]:
    """Yield an idea, its relations and its words; `meet` returns the parts of a word that are new.

    If only some languages were `chosen`, by code, the words of the others are written as their translations. Otherwise
    translations follow from the shared concept.
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
        # These identify the idea in other dictionaries, whatever its ID there.
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
    """Yield as nodes the relations that need a category."""
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
    """Return the examples of each word, by its ID: those that contain it, or all if its language has no other."""
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
    """Return an example with its translation: into Assamese if the example is in English, else into English."""
    told: list[Object] = [Text(example.text, tag_of(example.language))]
    if example.translation:
        told.append(Text(example.translation, ASSAMESE if example.language == ENGLISH else ENGLISH))
    return Node(_example_name(idea, number), {TYPE: ["lexicog:UsageExample"], "rdf:value": told})


def _example_name(idea: NumberedIdea, number: int) -> str:
    return idea_name(idea.id, f"example-{number}")
