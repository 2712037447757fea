"""Writer of OntoLex-Lemon: the dictionary as linked data in Turtle, node by node."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Final

from abhidhan.formats.linked_data import lexical_class
from abhidhan.formats.ontolex.rdf import (
    CONTEXTS_NAME,
    DICTIONARY_TERM,
    IDEAS_NAME,
    LEXINFO_URL,
    LICENCE_URLS,
    RDF_TYPE,
    RELATION_CATEGORIES,
    SKOS_ONLY_RELATIONS,
    SKOS_PROPERTIES,
    RDFNode,
    RDFObject,
    TextLiteral,
    TypedLiteral,
    build_node,
    build_prefixes,
    build_source_term,
    category_name,
    context_name,
    format_turtle,
    format_turtle_header,
    get_language_tag,
    idea_name,
    lexicon_name,
    word_name,
)
from abhidhan.formats.ontolex.words import NewParts, NumberedMeaning, WrittenWords, iter_form_nodes, iter_word_nodes
from abhidhan.formats.writers.export_source import ExportSource, open_text
from abhidhan.records.kinds import ExampleRecord, IdeaRecord, LanguageRecord, ListItemRecord, NumberedIdea, SourceRecord
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.sources import is_web_url

CONCEPT_TYPE: Final = "skos:Concept"


def write_turtle(export: ExportSource, target: Path) -> None:
    """Write a Turtle file."""
    prefixes = build_prefixes(export.base_url)
    with open_text(target) as stream:
        stream.write(format_turtle_header(prefixes))
        stream.writelines(format_turtle(node, prefixes) for node in iter_nodes(export))


def iter_nodes(export: ExportSource) -> Iterator[RDFNode]:
    """Yield all nodes: the dictionary, its sources and lists, the ideas with their words, and the totals."""
    lists = list(takewhile(lambda record: not isinstance(record, IdeaRecord), export.records()))
    languages = [record for record in lists if isinstance(record, LanguageRecord)]
    items = [record for record in lists if isinstance(record, ListItemRecord)]
    yield _build_dictionary(export)
    yield from map(_build_source, export.sources)
    yield from _iter_contexts(items)
    yield from _iter_relation_categories(items)
    written_words, idea_count = WrittenWords(), 0
    language_codes = frozenset(language.code for language in export.languages)
    for idea_count, idea in enumerate(export.numbered_ideas(), 1):  # noqa: B007  # counted
        yield from iter_idea_nodes(idea, written_words.add_meaning, language_codes)
    yield from iter_form_nodes(export.numbered_forms(), written_words)
    yield _build_concept_set(export, idea_count)
    for language in languages:
        if written_words.entry_counts[language.code]:
            yield _build_lexicon(export, language, written_words.entry_counts[language.code])


def _build_dictionary(export: ExportSource) -> RDFNode:
    licences = [source.licence for source in export.sources if source.licence in LICENCE_URLS]
    properties: dict[str, list[RDFObject]] = {
        RDF_TYPE: ["lexicog:LexicographicResource"],
        "dct:title": [TextLiteral(export.title)],
        "dct:modified": [TypedLiteral(f"{export.date:%Y-%m-%d}", "xsd:date")],
        "dct:source": [build_source_term(source.code) for source in export.sources],
        "dct:license": [LICENCE_URLS[name] for name in dict.fromkeys(licences)],
        "dc:rights": [TextLiteral(export.format_licences() or "unknown")],
    }
    return build_node(DICTIONARY_TERM, properties)


def _build_source(source: SourceRecord) -> RDFNode:
    properties: dict[str, list[RDFObject]] = {
        RDF_TYPE: ["dct:BibliographicResource"],
        "dct:title": [TextLiteral(source.name)],
        "dct:identifier": [TextLiteral(source.code)],
        "dct:license": [LICENCE_URLS[source.licence]] if source.licence in LICENCE_URLS else [],
        "dc:rights": [TextLiteral(source.licence)],
        "dc:creator": [TextLiteral(source.attribution)] if source.attribution else [],
        "rdfs:comment": [TextLiteral(source.notice)] if source.notice else [],
        "rdfs:seeAlso": [source.url] if is_web_url(source.url) else [],
    }
    return build_node(build_source_term(source.code), properties)


def _iter_contexts(items: Iterable[ListItemRecord]) -> Iterator[RDFNode]:
    """Yield the tree of contexts as a concept scheme."""
    contexts = {item.id: item for item in items if item.list == ListName.CONTEXTS}
    if contexts:
        yield RDFNode(CONTEXTS_NAME, {RDF_TYPE: ["skos:ConceptScheme"], "dct:title": [TextLiteral("Contexts", "en")]})
    for item in contexts.values():
        parent = contexts.get(item.parent) if item.parent is not None else None
        properties: dict[str, list[RDFObject]] = {
            RDF_TYPE: [CONCEPT_TYPE],
            "skos:prefLabel": [TextLiteral(item.value, "en")],
            "skos:inScheme": [CONTEXTS_NAME],
            "skos:broader": [context_name(parent.value)] if parent else [],
        }
        yield build_node(context_name(item.value), properties)


def _iter_relation_categories(items: Iterable[ListItemRecord]) -> Iterator[RDFNode]:
    """Yield the categories of relations that neither SKOS nor LexInfo defines."""
    for item in items:
        if item.list == ListName.RELATIONS and item.value not in SKOS_ONLY_RELATIONS | RELATION_CATEGORIES.keys():
            yield RDFNode(
                category_name(item.value), {RDF_TYPE: [CONCEPT_TYPE], "skos:prefLabel": [TextLiteral(item.value, "en")]}
            )


def _build_concept_set(export: ExportSource, idea_count: int) -> RDFNode:
    properties: dict[str, list[RDFObject]] = {
        RDF_TYPE: ["ontolex:ConceptSet"],
        "dct:title": [TextLiteral(export.title)],
        "lime:concepts": [TypedLiteral(str(idea_count), "xsd:integer")],
    }
    return RDFNode(IDEAS_NAME, properties)


def _build_lexicon(export: ExportSource, language: LanguageRecord, entry_count: int) -> RDFNode:
    properties: dict[str, list[RDFObject]] = {
        RDF_TYPE: ["lime:Lexicon"],
        "dct:title": [TextLiteral(f"{export.title}: {language.name}")],
        "lime:language": [TypedLiteral(get_language_tag(language.code), "xsd:language")],
        "dct:language": [f"lexvo:{language.iso639_3}"] if language.iso639_3 else [],
        "lime:linguisticCatalog": [LEXINFO_URL],
        "lime:lexicalEntries": [TypedLiteral(str(entry_count), "xsd:integer")],
        "dct:isPartOf": [DICTIONARY_TERM],
    }
    return build_node(lexicon_name(language.code), properties)


# --- ideas ----------------------------------------------------------------------------------------------------------


CONCEPT_RELATION: Final = "vartrans:conceptRel"
ENGLISH: Final = "en"
ASSAMESE: Final = "as"


def iter_idea_nodes(
    idea: NumberedIdea, add_meaning: Callable[[NumberedMeaning], NewParts], language_codes: Collection[str]
) -> Iterator[RDFNode]:
    """Yield the nodes of an idea, its relations and its words; `add_meaning` returns which parts of a word are new.

    `language_codes` are the exported languages. Words in other languages are linked as translations of theirs; between
    exported languages, translations follow from the shared concept.
    """
    yield _build_concept(idea)
    yield from _iter_relations(idea)
    examples_by_word = _assign_examples(idea)
    for number, example in enumerate(idea.record.examples, 1):
        if any(number in numbers for numbers in examples_by_word.values()):
            yield _build_example(idea, number, example)
    translation_names = [
        word_name(word_id, lexical_class(idea.record.pos))
        for word_id, word in zip(idea.word_ids, idea.record.words, strict=True)
        if word.language not in language_codes
    ]
    for word_id, word in zip(idea.word_ids, idea.record.words, strict=True):
        meaning = NumberedMeaning(idea.id, idea.record, word_id, word)
        examples = [_example_name(idea, number) for number in examples_by_word[word_id]]
        translations = translation_names if word.language in language_codes else []
        yield from iter_word_nodes(meaning, add_meaning(meaning), examples, translations)


def _build_concept(idea: NumberedIdea) -> RDFNode:
    record = idea.record
    properties: dict[str, list[RDFObject]] = {
        RDF_TYPE: ["ontolex:LexicalConcept"],
        "skos:inScheme": [IDEAS_NAME],
        "skos:notation": [TextLiteral(record.glyph)] if record.glyph else [],
        "skos:definition": [TextLiteral(item.text, get_language_tag(item.language)) for item in record.definitions],
        "skos:example": [TextLiteral(item.text, get_language_tag(item.language)) for item in record.examples],
        "dct:subject": [context_name(value) for value in record.contexts],
        **_group_relations(idea),
        # These identify the idea in other dictionaries, whatever its ID there.
        "dct:identifier": [TextLiteral(name) for name in (f"{record.source}:{record.key}", *record.aliases)],
        "dct:source": [build_source_term(record.source)],
        "dc:rights": [TextLiteral(record.licence)] if record.licence else [],
    }
    return build_node(idea_name(idea.id), properties)


def _group_relations(idea: NumberedIdea) -> Mapping[str, list[RDFObject]]:
    properties: dict[str, list[RDFObject]] = {}
    for relation, other in zip(idea.record.relations, idea.related_ids, strict=True):
        properties.setdefault(SKOS_PROPERTIES.get(relation.type, CONCEPT_RELATION), []).append(idea_name(other))
    return properties


def _iter_relations(idea: NumberedIdea) -> Iterator[RDFNode]:
    """Yield a node for each relation that needs a category."""
    for relation, other in zip(idea.record.relations, idea.related_ids, strict=True):
        if relation.type not in SKOS_ONLY_RELATIONS:
            category = category_name(relation.type)
            name = idea_name(idea.id, f"{category.partition(':')[2]}-{other}")
            properties: dict[str, list[RDFObject]] = {
                RDF_TYPE: ["vartrans:ConceptualRelation"],
                "vartrans:source": [idea_name(idea.id)],
                "vartrans:target": [idea_name(other)],
                "vartrans:category": [category],
            }
            yield RDFNode(name, properties)


def _assign_examples(idea: NumberedIdea) -> Mapping[int, Sequence[int]]:
    """Assign examples to words by word ID: those that contain the word, or all if no other word has their language."""
    examples_by_word: defaultdict[int, list[int]] = defaultdict(list)
    for number, example in enumerate(idea.record.examples, 1):
        candidates = [
            (word_id, word.text)
            for word_id, word in zip(idea.word_ids, idea.record.words, strict=True)
            if word.language == example.language
        ]
        for word_id, text in candidates:
            if len(candidates) == 1 or text in example.text:
                examples_by_word[word_id].append(number)
    return examples_by_word


def _build_example(idea: NumberedIdea, number: int, example: ExampleRecord) -> RDFNode:
    """Return an example with its translation: into Assamese if the example is in English, else into English."""
    values: list[RDFObject] = [TextLiteral(example.text, get_language_tag(example.language))]
    if example.translation:
        values.append(TextLiteral(example.translation, ASSAMESE if example.language == ENGLISH else ENGLISH))
    return RDFNode(_example_name(idea, number), {RDF_TYPE: ["lexicog:UsageExample"], "rdf:value": values})


def _example_name(idea: NumberedIdea, number: int) -> str:
    return idea_name(idea.id, f"example-{number}")
