"""OntoLex-Lemon: the dictionary as linked data in Turtle, written node by node."""

from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import Final

from abhidhan.formats.ontolex.forms import form_nodes
from abhidhan.formats.ontolex.ideas import idea_nodes
from abhidhan.formats.ontolex.names import (
    CATEGORIES,
    CONTEXTS,
    DICTIONARY,
    IDEAS,
    LEXINFO,
    LICENCES,
    WITHOUT_CATEGORY,
    category_name,
    context_name,
    lexicon_name,
    prefixes_of,
    source_name,
    tag_of,
)
from abhidhan.formats.ontolex.rdf import TYPE, Node, Object, Text, Typed, described, turtle, turtle_head
from abhidhan.formats.ontolex.words import Told
from abhidhan.formats.writers.export_source import Book, open_text
from abhidhan.records.kinds import IdeaRecord, LanguageRecord, ListItemRecord, SourceRecord
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
    """Yield all nodes: the dictionary, its sources and lists, the ideas with their words, and what they amount to."""
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
    """Yield the tree of contexts, as a scheme of concepts."""
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
    """Yield the kinds of relations of ideas for which neither SKOS nor LexInfo has a word."""
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
