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
    Object,
    RDFNode,
    TextLiteral,
    TypedLiteral,
    build_node,
    category_name,
    context_name,
    idea_name,
    lexicon_name,
    prefixes_of,
    source_name,
    tag_of,
    turtle,
    turtle_head,
    word_name,
)
from abhidhan.formats.ontolex.words import NewParts, NumberedMeaning, WrittenWords, form_nodes, word_nodes
from abhidhan.formats.writers.export_source import ExportSource, open_text
from abhidhan.records.kinds import ExampleRecord, IdeaRecord, LanguageRecord, ListItemRecord, NumberedIdea, SourceRecord
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.sources import is_web_address

CONCEPT: Final = "skos:Concept"


def write_turtle(book: ExportSource, target: Path) -> None:
    """Write a Turtle file."""
    prefixes = prefixes_of(book.base_url)
    with open_text(target) as stream:
        stream.write(turtle_head(prefixes))
        stream.writelines(turtle(node, prefixes) for node in nodes_of(book))


def nodes_of(book: ExportSource) -> Iterator[RDFNode]:
    """Yield all nodes: the dictionary, its sources and lists, the ideas with their words, and the totals."""
    lists = list(takewhile(lambda record: not isinstance(record, IdeaRecord), book.records()))
    languages = [record for record in lists if isinstance(record, LanguageRecord)]
    items = [record for record in lists if isinstance(record, ListItemRecord)]
    yield _dictionary(book)
    yield from map(_source, book.sources)
    yield from _contexts(items)
    yield from _kinds_of_relations(items)
    written_words, ideas = WrittenWords(), 0
    language_codes = frozenset(language.code for language in book.languages)
    for ideas, idea in enumerate(book.numbered_ideas(), 1):  # noqa: B007  # counted
        yield from idea_nodes(idea, written_words.add_meaning, language_codes)
    yield from form_nodes(book.numbered_forms(), written_words)
    yield _concept_set(book, ideas)
    for language in languages:
        if written_words.entries[language.code]:
            yield _lexicon(book, language, written_words.entries[language.code])


def _dictionary(book: ExportSource) -> RDFNode:
    licences = [source.licence for source in book.sources if source.licence in LICENCES]
    properties: dict[str, list[Object]] = {
        TYPE: ["lexicog:LexicographicResource"],
        "dct:title": [TextLiteral(book.title)],
        "dct:modified": [TypedLiteral(f"{book.date:%Y-%m-%d}", "xsd:date")],
        "dct:source": [source_name(source.code) for source in book.sources],
        "dct:license": [LICENCES[name] for name in dict.fromkeys(licences)],
        "dc:rights": [TextLiteral(book.licences() or "unknown")],
    }
    return build_node(DICTIONARY, properties)


def _source(source: SourceRecord) -> RDFNode:
    properties: dict[str, list[Object]] = {
        TYPE: ["dct:BibliographicResource"],
        "dct:title": [TextLiteral(source.name)],
        "dct:identifier": [TextLiteral(source.code)],
        "dct:license": [LICENCES[source.licence]] if source.licence in LICENCES else [],
        "dc:rights": [TextLiteral(source.licence)],
        "dc:creator": [TextLiteral(source.attribution)] if source.attribution else [],
        "rdfs:comment": [TextLiteral(source.notice)] if source.notice else [],
        "rdfs:seeAlso": [source.url] if is_web_address(source.url) else [],
    }
    return build_node(source_name(source.code), properties)


def _contexts(items: Iterable[ListItemRecord]) -> Iterator[RDFNode]:
    """Yield the tree of contexts as a concept scheme."""
    contexts = {item.id: item for item in items if item.list == ListName.CONTEXTS}
    if contexts:
        yield RDFNode(CONTEXTS, {TYPE: ["skos:ConceptScheme"], "dct:title": [TextLiteral("Contexts", "en")]})
    for item in contexts.values():
        above = contexts.get(item.parent) if item.parent is not None else None
        properties: dict[str, list[Object]] = {
            TYPE: [CONCEPT],
            "skos:prefLabel": [TextLiteral(item.value, "en")],
            "skos:inScheme": [CONTEXTS],
            "skos:broader": [context_name(above.value)] if above else [],
        }
        yield build_node(context_name(item.value), properties)


def _kinds_of_relations(items: Iterable[ListItemRecord]) -> Iterator[RDFNode]:
    """Yield the categories of relations that neither SKOS nor LexInfo defines."""
    for item in items:
        if item.list == ListName.RELATIONS and item.value not in WITHOUT_CATEGORY | CATEGORIES.keys():
            yield RDFNode(
                category_name(item.value), {TYPE: [CONCEPT], "skos:prefLabel": [TextLiteral(item.value, "en")]}
            )


def _concept_set(book: ExportSource, ideas: int) -> RDFNode:
    properties: dict[str, list[Object]] = {
        TYPE: ["ontolex:ConceptSet"],
        "dct:title": [TextLiteral(book.title)],
        "lime:concepts": [TypedLiteral(str(ideas), "xsd:integer")],
    }
    return RDFNode(IDEAS, properties)


def _lexicon(book: ExportSource, language: LanguageRecord, entries: int) -> RDFNode:
    properties: dict[str, list[Object]] = {
        TYPE: ["lime:Lexicon"],
        "dct:title": [TextLiteral(f"{book.title}: {language.name}")],
        "lime:language": [TypedLiteral(tag_of(language.code), "xsd:language")],
        "dct:language": [f"lexvo:{language.iso639_3}"] if language.iso639_3 else [],
        "lime:linguisticCatalog": [LEXINFO],
        "lime:lexicalEntries": [TypedLiteral(str(entries), "xsd:integer")],
        "dct:isPartOf": [DICTIONARY],
    }
    return build_node(lexicon_name(language.code), properties)


# --- ideas ----------------------------------------------------------------------------------------------------------


CONCEPT_RELATION: Final = "vartrans:conceptRel"
ENGLISH: Final = "en"
ASSAMESE: Final = "as"


def idea_nodes(
    idea: NumberedIdea, add_meaning: Callable[[NumberedMeaning], NewParts], language_codes: Collection[str]
) -> Iterator[RDFNode]:
    """Yield the nodes of an idea, its relations and its words; `add_meaning` returns which parts of a word are new.

    `language_codes` are the exported languages. Words in other languages are linked as translations of theirs; between
    exported languages, translations follow from the shared concept.
    """
    yield _concept(idea)
    yield from _relations(idea)
    examples_by_word = _examples_of(idea)
    for number, example in enumerate(idea.record.examples, 1):
        if any(number in numbers for numbers in examples_by_word.values()):
            yield _example(idea, number, example)
    translation_names = [
        word_name(word_id, lexical_class(idea.record.pos))
        for word_id, word in zip(idea.word_ids, idea.record.words, strict=True)
        if word.language not in language_codes
    ]
    for word_id, word in zip(idea.word_ids, idea.record.words, strict=True):
        meaning = NumberedMeaning(idea.id, idea.record, word_id, word)
        examples = [_example_name(idea, number) for number in examples_by_word[word_id]]
        translations = translation_names if word.language in language_codes else []
        yield from word_nodes(meaning, add_meaning(meaning), examples, translations)


def _concept(idea: NumberedIdea) -> RDFNode:
    record = idea.record
    properties: dict[str, list[Object]] = {
        TYPE: ["ontolex:LexicalConcept"],
        "skos:inScheme": [IDEAS],
        "skos:notation": [TextLiteral(record.glyph)] if record.glyph else [],
        "skos:definition": [TextLiteral(item.text, tag_of(item.language)) for item in record.definitions],
        "skos:example": [TextLiteral(item.text, tag_of(item.language)) for item in record.examples],
        "dct:subject": [context_name(value) for value in record.contexts],
        **_plain_relations(idea),
        # These identify the idea in other dictionaries, whatever its ID there.
        "dct:identifier": [TextLiteral(name) for name in (f"{record.source}:{record.key}", *record.aliases)],
        "dct:source": [source_name(record.source)],
        "dc:rights": [TextLiteral(record.licence)] if record.licence else [],
    }
    return build_node(idea_name(idea.id), properties)


def _plain_relations(idea: NumberedIdea) -> Mapping[str, list[Object]]:
    properties: dict[str, list[Object]] = {}
    for relation, other in zip(idea.record.relations, idea.related_ids, strict=True):
        properties.setdefault(TAXONOMY.get(relation.type, CONCEPT_RELATION), []).append(idea_name(other))
    return properties


def _relations(idea: NumberedIdea) -> Iterator[RDFNode]:
    """Yield a node for each relation that needs a category."""
    for relation, other in zip(idea.record.relations, idea.related_ids, strict=True):
        if relation.type not in WITHOUT_CATEGORY:
            category = category_name(relation.type)
            name = idea_name(idea.id, f"{category.partition(':')[2]}-{other}")
            properties: dict[str, list[Object]] = {
                TYPE: ["vartrans:ConceptualRelation"],
                "vartrans:source": [idea_name(idea.id)],
                "vartrans:target": [idea_name(other)],
                "vartrans:category": [category],
            }
            yield RDFNode(name, properties)


def _examples_of(idea: NumberedIdea) -> Mapping[int, Sequence[int]]:
    """Assign examples to words by word ID: those that contain the word, or all if no other word has their language."""
    examples_by_word: defaultdict[int, list[int]] = defaultdict(list)
    for number, example in enumerate(idea.record.examples, 1):
        same = [
            (word_id, word.text)
            for word_id, word in zip(idea.word_ids, idea.record.words, strict=True)
            if word.language == example.language
        ]
        for word_id, text in same:
            if len(same) == 1 or text in example.text:
                examples_by_word[word_id].append(number)
    return examples_by_word


def _example(idea: NumberedIdea, number: int, example: ExampleRecord) -> RDFNode:
    """Return an example with its translation: into Assamese if the example is in English, else into English."""
    values: list[Object] = [TextLiteral(example.text, tag_of(example.language))]
    if example.translation:
        values.append(TextLiteral(example.translation, ASSAMESE if example.language == ENGLISH else ENGLISH))
    return RDFNode(_example_name(idea, number), {TYPE: ["lexicog:UsageExample"], "rdf:value": values})


def _example_name(idea: NumberedIdea, number: int) -> str:
    return idea_name(idea.id, f"example-{number}")
