"""The dictionary as linked data, read by rdflib: what is in it, by which names, and in whose vocabulary."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import DC, OWL, RDF, RDFS, XSD, BNode, Graph, Literal, Namespace, URIRef
from rdflib.collection import Collection
from rdflib.term import Node as Term

from abhidhan.exchange.model import ExportSelection
from abhidhan.exchange.service import exporting
from abhidhan.formats.ontolex.rdf import (
    LICENCE_URLS,
    VOCABULARY_PREFIXES,
    RDFNode,
    TextLiteral,
    build_prefixes,
    format_turtle,
    format_turtle_header,
)
from abhidhan.formats.ontolex.writer import write_turtle
from abhidhan.platform.database.database import Database
from tests.support.complete_sample import HOSTILE_TEXT, load_more
from tests.support.databases import SqliteDatabases, open_database
from tests.support.schemas import ROOT, find_schema

SITE: Final = "https://dictionary.example"
ONTOLEX, LIME, VARTRANS, SYNSEM, LEXICOG, LEXINFO, SKOS, DCT = (
    Namespace(VOCABULARY_PREFIXES[prefix])
    for prefix in ("ontolex", "lime", "vartrans", "synsem", "lexicog", "lexinfo", "skos", "dct")
)


@pytest.fixture(scope="module")
def rich(sqlite_databases: SqliteDatabases) -> Iterator[Database]:
    """Open the sample with what it has none of."""
    with open_database(sqlite_databases, load_more) as database:
        yield database


@pytest.fixture(scope="module")
def graph(rich: Database, tmp_path_factory: pytest.TempPathFactory) -> Graph:
    """Read the Turtle file of a site."""
    return read(rich, tmp_path_factory.mktemp("turtle"))


def read(database: Database, folder: Path, site: str = SITE, **chosen: list[str]) -> Graph:
    """Export as linked data, and read it."""
    file = folder / "as.ttl"
    with database.snapshot() as reader:
        choice = exporting.build_selection(reader.catalogue, **chosen)
        write_turtle(exporting.build_export_source(reader, choice)._replace(base_url=site), file)
    return Graph().parse(file)


def find_name_stem(graph: Graph, text: str, tag: str) -> str:
    """Return what the names of a word begin with that is written so."""
    (form,) = graph.subjects(ONTOLEX.writtenRep, Literal(text, lang=tag))
    return str(form).removesuffix("form")


def ends(names: Iterable[object]) -> list[str]:
    """Return the ends of names, in order."""
    return sorted(re.split(r"[#/]", str(name))[-1] for name in names)


def find_concept(graph: Graph, identifier: str) -> Term:
    """Return the concept that was known by a name before it came here."""
    (concept,) = graph.subjects(DCT.identifier, Literal(identifier))
    return concept


def test_every_word_meaning_and_idea_is_exported_once(rich: Database, graph: Graph) -> None:
    with rich.snapshot() as reader:
        ideas = list(exporting.build_export_source(reader, ExportSelection()).numbered_ideas())
    words = {word_id for idea in ideas for word_id in idea.word_ids}
    counted = Counter(kind for kind in graph.objects(None, RDF.type))

    assert counted[ONTOLEX.LexicalConcept] == len(ideas)
    assert counted[ONTOLEX.LexicalSense] == sum(len(idea.word_ids) for idea in ideas)
    assert counted[LEXICOG.Entry] == len(words)
    assert len(set(graph.objects(None, ONTOLEX.canonicalForm))) == len(words)
    assert counted[ONTOLEX.LexicalEntry] == sum(int(str(number)) for number in graph.objects(None, LIME.lexicalEntries))
    assert len(words) < counted[ONTOLEX.LexicalEntry] < counted[ONTOLEX.LexicalSense]
    assert [int(str(number)) for number in graph.objects(None, LIME.concepts)] == [len(ideas)]


def test_there_are_no_blank_nodes_and_all_names_are_urls_of_the_site(graph: Graph) -> None:
    names = {name for triple in graph for name in (triple[0], triple[2]) if isinstance(name, URIRef)}
    others = {str(name) for name in names if not str(name).startswith((f"{SITE}/", *VOCABULARY_PREFIXES.values()))}

    assert not [one for triple in graph for one in triple if isinstance(one, BNode)]
    assert all(str(subject).startswith(f"{SITE}/") for subject in graph.subjects())
    assert others - set(LICENCE_URLS.values()) == {
        *("https://cldr.unicode.org/", "https://archive.org/details/proverbsassam00gurdrich"),
        *("https://example.org/sample", "https://example.org/a%20b%3Ec", "http://www.lexinfo.net/ontology/3.0/lexinfo"),
    }


def test_without_a_site_only_the_names_differ_and_are_urns(rich: Database, graph: Graph, tmp_path: Path) -> None:
    found = read(rich, tmp_path, site="")

    def renamed(one: Term) -> Term:
        return URIRef(str(one).replace(f"{SITE}/", "urn:abhidhan:")) if isinstance(one, URIRef) else one

    assert set(found) == {tuple(map(renamed, triple)) for triple in graph}


def test_a_word_has_its_spelling_romanization_pronunciation_and_type(graph: Graph) -> None:
    sola, run = (URIRef(find_name_stem(graph, *word) + "form") for word in (("চলা", "as"), ("run", "en")))

    assert {one.n3() for one in graph.objects(sola, ONTOLEX.writtenRep)} == {'"চলা"@as', '"sola"@as-Latn'}
    assert {one.n3() for one in graph.objects(run, ONTOLEX.phoneticRep)} == {'"rʌn"@en-fonipa', '"ৰান"@en-Beng'}
    entry = URIRef(find_name_stem(graph, "চলা", "as") + "verb")
    forms = [form for other in graph.objects(entry, ONTOLEX.otherForm) for form in graph.objects(other)]
    assert {"চলে", "চলিল"} <= {str(form) for form in forms}
    assert [str(one) for one in graph.objects(entry, SKOS.note)] == ["Kamrupi"]

    go_on, suffix = (URIRef(find_name_stem(graph, *word) + "verb") for word in (("go on", "en"), ("-फ", "brx")))

    assert ONTOLEX.MultiWordExpression in set(graph.objects(go_on, RDF.type))
    assert ONTOLEX.Affix in set(graph.objects(suffix, RDF.type))


def test_a_word_of_several_parts_of_speech_is_one_entry_with_a_lexical_entry_for_each(
    graph: Graph,
) -> None:
    name = find_name_stem(graph, "run", "en")
    article = URIRef(f"{name}entry")
    places = [next(graph.objects(article, RDF[f"_{number}"])) for number in (1, 2, 3, 4)]
    senses = [next(graph.objects(place, LEXICOG.describes)) for place in places]
    kinds = {
        local: ends(graph.objects(URIRef(name + local), LEXINFO.partOfSpeech))
        for local in ends(graph.objects(article, LEXICOG.describes))
    }

    assert kinds == {"noun": ["commonNoun"], "verb": ["verb"], "word": []}
    of_verb = set(graph.objects(URIRef(f"{name}verb"), ONTOLEX.sense))
    assert [sense in of_verb for sense in senses] == [True, True, False, False]
    frames = {
        kind
        for frame in graph.objects(URIRef(f"{name}verb"), SYNSEM.synBehavior)
        for kind in graph.objects(frame, RDF.type)
    }
    assert ends(frames) == ["IntransitiveFrame", "SyntacticFrame", "TransitiveFrame"]


def test_inflected_forms_have_their_grammar_and_belong_to_the_entry_of_their_part_of_speech(graph: Graph) -> None:
    name = find_name_stem(graph, "run", "en")
    names = [URIRef(f"{name}tagged-{number}") for number in (1, 2, 3)]
    forms = {
        str(graph.value(form, ONTOLEX.writtenRep)): (
            ends(graph.subjects(ONTOLEX.otherForm, form)),
            ends(graph.objects(form, LEXINFO.tense)),
        )
        for form in names
    }

    assert forms == {
        "runs": (["verb"], ["present"]),
        "ran": (["verb"], ["past"]),
        "runner": (["noun", "verb", "word"], []),
    }
    (runs,) = graph.subjects(SKOS.notation, Literal("V;PRS;3;SG"))
    assert ends(graph.objects(runs, LEXINFO.person)) == ["thirdPerson"]
    assert ends(graph.objects(runs, LEXINFO.number)) == ["singular"]


def test_relations_use_skos_and_their_kind_lexinfo_or_the_list(graph: Graph) -> None:
    flow, play = (find_concept(graph, name) for name in ("s:flow", "s:play"))
    kinds = {
        str(category).rpartition("#")[2]
        for relation in graph.subjects(VARTRANS.source, flow)
        for category in graph.objects(relation, VARTRANS.category)
        if (relation, VARTRANS.target, play) in graph
    }

    assert play in set(graph.objects(flow, SKOS.broader))
    assert flow in set(graph.objects(play, SKOS.narrower))
    assert play in set(graph.objects(flow, VARTRANS.conceptRel))
    assert kinds == {
        "antonym",
        "approximateSynonym",
        "meronymTerm",
        "causallyRelatedConcept",
        "relation-Young%20of",
    }


def test_an_example_belongs_to_the_words_in_it(graph: Graph) -> None:
    def find_examples(text: str, tag: str) -> set[str]:
        name = URIRef(find_name_stem(graph, text, tag) + "verb")
        return {
            str(said)
            for sense in graph.objects(name, ONTOLEX.sense)
            for example in graph.objects(sense, LEXICOG.usageExample)
            for said in graph.objects(example, RDF.value)
        }

    assert find_examples("go on", "en") == {"They go on.", "সিহঁত যায়।"}
    assert find_examples("run", "en") == set()
    assert find_examples("চলা", "as") == {"চলি থকা।", "Going on."}


def test_sources_and_licences_are_given_for_the_dictionary_and_each_concept(graph: Graph) -> None:
    play = find_concept(graph, "s:play")
    source = URIRef(f"{SITE}/about#source-s")

    assert source in set(graph.objects(play, DCT.source))
    assert Literal("s:older") in set(graph.objects(play, DCT.identifier))
    assert Literal("CC0-1.0") in set(graph.objects(play, DC.rights))
    assert LICENCE_URLS["CC-BY-SA-4.0"] in {str(one) for one in graph.objects(source, DCT.license)}
    assert str(next(graph.objects(source, RDFS.seeAlso))) == "https://example.org/a%20b%3Ec"
    assert HOSTILE_TEXT in {str(one) for one in graph.objects(play, SKOS.definition)}
    assert len(set(graph.objects(URIRef(f"{SITE}/about#dictionary"), DCT.source))) > 1


def test_words_of_a_chosen_language_have_translations_in_the_extra_language(rich: Database, tmp_path: Path) -> None:
    found = read(rich, tmp_path, languages=["as"], extra_languages=["en"])
    sola = URIRef(find_name_stem(found, "চলা", "as") + "verb")
    others = {str(one) for one in found.objects(sola, VARTRANS.translatableAs)}

    assert others == {find_name_stem(found, text, "en") + "verb" for text in ("run", "go on")}
    assert {str(one) for one in found.objects(None, LIME.language)} == {"as", "en"}


def test_the_example_in_the_documentation_works(
    rich: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    read(rich, tmp_path, languages=["as"], extra_languages=["en"])
    monkeypatch.chdir(tmp_path)
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/exporting.md").read_text("utf-8"), re.DOTALL)
    exec(example, {})  # noqa: S102  # our own document's

    output = capsys.readouterr().out.splitlines()
    assert {"চলা run", "চলা go on", "পানী water"} <= set(output)


@given(st.text(max_size=30), st.sampled_from(["", "as", "en-Latn"]))
@settings(max_examples=60, deadline=None)
def test_any_text_round_trips(text: str, tag: str) -> None:
    prefixes = build_prefixes("")
    node = RDFNode("word:1#form", {"ontolex:writtenRep": [TextLiteral(text, tag)]})
    found = Graph().parse(data=format_turtle_header(prefixes) + format_turtle(node, prefixes), format="turtle")

    assert [str(value) for value in found.objects()] == [text]


# --- the vocabulary -----------------------------------------------------------------------------------------------

OF_LEXINFO: Final = frozenset(
    {
        *("adjective", "adposition", "adverb", "commonNoun", "conjunction", "interjection", "noun", "pronoun"),
        *("partOfSpeech", "properNoun", "verb", "TransitiveFrame", "IntransitiveFrame"),
        *("gender", "commonGender", "feminine", "masculine", "neuter"),
        *("number", "singular", "plural", "person", "thirdPerson", "tense", "present", "past", "case", "genitiveCase"),
        *("antonym", "approximateSynonym", "causallyRelatedConcept", "holonymTerm", "meronymTerm"),
    }
)
"""What we use of LexInfo 3.0; each is in its ontology."""

OF_LEXICOG: Final = """
@prefix : <http://www.w3.org/ns/lemon/lexicog#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix ontolex: <http://www.w3.org/ns/lemon/ontolex#> .
:LexicographicResource a owl:Class . :LexicographicComponent a owl:Class . :UsageExample a owl:Class .
:Entry a owl:Class ; rdfs:subClassOf :LexicographicComponent .
:entry a owl:ObjectProperty ; rdfs:domain :LexicographicResource ; rdfs:range :Entry .
:describes a owl:ObjectProperty ; rdfs:domain :LexicographicComponent .
:usageExample a owl:ObjectProperty ; rdfs:domain ontolex:LexicalSense ; rdfs:range :UsageExample .
"""
"""What we use of the module for lexicography, as its report defines it."""


LEMON: Final = "http://www.w3.org/ns/lemon/"


class Vocabulary:
    """Ontologies, and what a graph does with their words that they do not allow."""

    def __init__(self, ontology: Graph) -> None:
        """Take the ontologies."""
        self._ontology = ontology
        self._spaces = {
            str(name).rpartition("#")[0] for name in ontology.subjects(RDF.type, OWL.Class) if LEMON in str(name)
        }

    def faults(self, graph: Graph) -> set[str]:
        """Say which words the ontologies do not have, or have for other things than here."""
        found = {f"no class {kind}" for kind in graph.objects(None, RDF.type) if self._lacks(kind, OWL.Class)}
        for subject, property_, value in graph:
            if self._lacks(property_, OWL.ObjectProperty) and self._lacks(property_, OWL.DatatypeProperty):
                found.add(f"no property {property_}")
            if not self._is_one(graph, subject, property_, RDFS.domain):
                found.add(f"{property_} is told of {subject}")
            if not self._is_one(graph, value, property_, RDFS.range):
                found.add(f"{property_} leads to {value!r}")
        return found

    def _lacks(self, name: Term, kind: URIRef) -> bool:
        return str(name).rpartition("#")[0] in self._spaces and (name, RDF.type, kind) not in self._ontology

    def _is_one(self, graph: Graph, one: Term, property_: Term, side: URIRef) -> bool:
        """Say whether something is of all classes, or the datatype, that a side of a property wants."""
        return all(
            self._is_of(graph, one, wanted) for wanted in self._ontology.objects(property_, side) if wanted not in ANY
        )

    def _is_of(self, graph: Graph, one: Term, wanted: Term) -> bool:
        if isinstance(one, Literal):
            return (one.datatype or (RDF.langString if one.language else XSD.string)) == wanted
        if not str(one).startswith(SITE):
            return True
        unions = [member for union in self._ontology.objects(wanted, OWL.unionOf) for member in self._members(union)]
        classes = {
            above
            for kind in graph.objects(one, RDF.type)
            for above in self._ontology.transitive_objects(kind, RDFS.subClassOf)
        }
        return not classes.isdisjoint(unions or [wanted])

    def _members(self, union: Term) -> list[Term]:
        return list(Collection(self._ontology, union))


ANY: Final = {RDFS.Resource, OWL.Thing}


def test_lexinfo_and_lexicog_terms_exist_and_fit(graph: Graph) -> None:
    used = {str(name) for triple in graph for name in triple if str(name).startswith(str(LEXINFO))}

    assert {name.rpartition("#")[2] for name in used} <= OF_LEXINFO
    assert Vocabulary(Graph().parse(data=OF_LEXICOG, format="turtle")).faults(graph) == set()


def test_ontolex_terms_exist_and_fit_their_domains_and_ranges(graph: Graph) -> None:
    ontology = Graph()
    for module in ("ontolex", "lime", "vartrans", "synsem", "decomp"):
        ontology.parse(find_schema("ontolex") / f"{module}.ttl")

    assert Vocabulary(ontology).faults(graph) == set()


WRONG_TRIPLES = [
    "word:1\\#entry a lexicog:Dictionary .",
    "word:1\\#entry lexicog:sense word:1\\#sense .",
    "word:1\\#entry lexicog:entry word:1\\#sense .",
    "word:1\\#noun a ontolex:Form . word:1\\#entry a lexicog:LexicographicResource ; lexicog:entry word:1\\#noun .",
]


def test_the_vocabulary_check_finds_wrong_terms() -> None:
    for wrong in WRONG_TRIPLES:
        graph = Graph().parse(data=format_turtle_header(build_prefixes(SITE)) + wrong, format="turtle")

        assert Vocabulary(Graph().parse(data=OF_LEXICOG, format="turtle")).faults(graph), wrong
