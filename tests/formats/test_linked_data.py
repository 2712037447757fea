"""Words as linked data, read by a JSON-LD processor of its own."""

import json
from collections.abc import Iterable
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.formats.linked_data import (
    JSON_LD_CONTEXT,
    NO_LIMITS,
    DescriptionLimits,
    LinkedDataContext,
    describe_words,
    romanized_tag,
)
from abhidhan.records.ideas import Definition, Example, IdeaWord, Relation
from abhidhan.records.languages import Language
from abhidhan.records.lookup_lists import Named
from abhidhan.records.words import Meaning, Word
from tests.support.packages import import_or_skip

jsonld = import_or_skip("pyld", where="it is among the packages for tests").jsonld

BASE: Final = "https://dictionary.example"
ONTOLEX: Final = "http://www.w3.org/ns/lemon/ontolex#"
SKOS: Final = "http://www.w3.org/2004/02/skos/core#"
RDF_TYPE: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
ENTRY: Final = f"{BASE}/api/words/1204#noun"
CONCEPT: Final = f"{BASE}/api/ideas/88#concept"

LANGUAGES: Final = {
    1: Language(1, "en", "eng", "English", "English", "Latn", "ltr"),
    2: Language(2, "as", "asm", "Assamese", "অসমীয়া", "Beng", "ltr"),
}
SETTING: Final = LinkedDataContext(LANGUAGES, BASE, "CC0-1.0")

WATER: Final = Meaning(
    idea_id=88,
    sense_id=99,
    pos=Named(3, "Material Noun"),
    gender=Named(4, "Neuter"),
    contexts=(Named(12, "Water"),),
    definitions=(Definition(1, "A clear liquid."), Definition(2, "এবিধ জুলীয়া পদাৰ্থ।")),
    translations=(IdeaWord(77, "water", 1, "English", None, None), IdeaWord(78, "জল", 2, "Assamese", "zol", None)),
    examples=(Example(2, "পানী খোৱা।", "Drink water."),),
    relations=(
        Relation(Named(4, "Hypernym"), 90, ("liquid",)),
        Relation(Named(5, "Hyponym"), 91, ("rain water",)),
        Relation(Named(2, "Antonym"), 92, ("fire",)),
    ),
    photos=(),
    reference="হেমকোষ",
    note=None,
)
PANI: Final = Word(
    id=1204,
    word="পানী",
    language_id=2,
    language="Assamese",
    roman="pa.ni",
    roman_generated=False,
    ipa="pani",
    ipa_generated=False,
    asm=None,
    variant=None,
    origin=None,
    plural=None,
    definitive=None,
    countable=None,
    frequency=None,
    forms_url="/api/words/1204/forms",
    audio=(),
    pos=Named(3, "Material Noun"),
    meanings=(WATER,),
)

Triples = set[tuple[str, str, str, str]]


def no_fetching(url: str, _options: object) -> Any:  # noqa: ANN401 (what the processor calls)
    raise AssertionError(f"the context must not be fetched: {url}")


def triples(
    words: Iterable[Word], setting: LinkedDataContext = SETTING, bounds: DescriptionLimits = NO_LIMITS, base: str = ""
) -> Triples:
    """Read what is described as a processor does: subject, predicate, object, and the language of a text."""
    document = json.loads(msgspec.json.encode(describe_words(tuple(words), setting, limits=bounds)))
    dataset = jsonld.to_rdf(document, {"documentLoader": no_fetching, "base": base})
    return {
        (
            each["subject"]["value"],
            each["predicate"]["value"],
            each["object"]["value"],
            each["object"].get("language") or "",
        )
        for each in dataset["@default"]
    }


def objects(found: Triples, subject: str, predicate: str) -> set[tuple[str, str]]:
    return {(value, language) for one, name, value, language in found if (one, name) == (subject, predicate)}


def test_a_word_is_an_entry_whose_senses_lexicalize_the_concepts_of_its_ideas() -> None:
    found = triples([PANI])

    assert objects(found, ENTRY, RDF_TYPE) == {(f"{ONTOLEX}LexicalEntry", ""), (f"{ONTOLEX}Word", "")}
    [(form, _)] = objects(found, ENTRY, f"{ONTOLEX}canonicalForm")
    assert objects(found, form, RDF_TYPE) == {(f"{ONTOLEX}Form", "")}
    assert objects(found, form, f"{ONTOLEX}writtenRep") == {("পানী", "as"), ("pa.ni", "as-latn")}
    assert objects(found, form, f"{ONTOLEX}phoneticRep") == {("pani", "as-fonipa")}
    assert objects(found, ENTRY, "http://www.w3.org/ns/lemon/lime#language") == {("as", "")}
    assert objects(found, ENTRY, "http://www.lexinfo.net/ontology/3.0/lexinfo#partOfSpeech") == {
        ("http://www.lexinfo.net/ontology/3.0/lexinfo#noun", "")
    }

    [(sense, _)] = objects(found, ENTRY, f"{ONTOLEX}sense")
    assert (f"{ONTOLEX}LexicalSense", "") in objects(found, sense, RDF_TYPE)
    assert objects(found, sense, f"{ONTOLEX}isLexicalizedSenseOf") == {(CONCEPT, "")}
    assert objects(found, sense, "http://purl.org/dc/elements/1.1/source") == {("হেমকোষ", "")}
    assert objects(found, ENTRY, f"{ONTOLEX}evokes") == {(CONCEPT, "")}


def test_an_idea_is_a_concept_with_definitions_relations_and_translations() -> None:
    found = triples([PANI])

    assert objects(found, CONCEPT, RDF_TYPE) == {(f"{ONTOLEX}LexicalConcept", "")}
    assert objects(found, CONCEPT, f"{SKOS}definition") == {("A clear liquid.", "en"), ("এবিধ জুলীয়া পদাৰ্থ।", "as")}
    assert objects(found, CONCEPT, f"{SKOS}example") == {("পানী খোৱা।", "as")}
    assert objects(found, CONCEPT, f"{SKOS}broader") == {(f"{BASE}/api/ideas/90#concept", "")}
    assert objects(found, CONCEPT, f"{SKOS}narrower") == {(f"{BASE}/api/ideas/91#concept", "")}
    assert objects(found, CONCEPT, "http://www.w3.org/ns/lemon/vartrans#conceptRel") == {
        (f"{BASE}/api/ideas/92#concept", "")
    }

    for other, code in ((77, "en"), (78, "as")):
        entry = f"{BASE}/api/words/{other}#noun"
        assert objects(found, entry, f"{ONTOLEX}evokes") == {(CONCEPT, "")}
        assert objects(found, entry, "http://www.w3.org/ns/lemon/lime#language") == {(code, "")}
    assert objects(found, ENTRY, "http://www.w3.org/ns/lemon/vartrans#translatableAs") == {
        (f"{BASE}/api/words/77#noun", "")
    }


def test_every_node_is_described_once() -> None:
    twice = msgspec.structs.replace(PANI, meanings=(WATER, msgspec.structs.replace(WATER, idea_id=89)))
    water = msgspec.structs.replace(PANI, id=77, word="water", language_id=1, roman=None, ipa="wɔːtə")

    nodes = describe_words([twice, water], SETTING)["@graph"]

    assert isinstance(nodes, list)
    identifiers = [node["@id"] for node in nodes]
    assert sorted(identifiers) == sorted(set(identifiers))
    found = triples([twice, water])
    assert len(objects(found, f"{BASE}/api/words/77#noun", f"{ONTOLEX}evokes")) == 2
    assert objects(found, f"{BASE}/api/words/77#form", f"{ONTOLEX}phoneticRep") == {("wɔːtə", "en-fonipa")}


def test_without_a_base_url_identifiers_are_relative_to_the_document() -> None:
    read = triples([PANI], SETTING._replace(base_url=""), base="http://127.0.0.1:8080/api/words/1204")

    assert ("http://127.0.0.1:8080/api/words/1204#noun", f"{ONTOLEX}evokes") in {(one, name) for one, name, *_ in read}


def test_the_description_limits_are_kept() -> None:
    many = tuple(msgspec.structs.replace(WATER, idea_id=number) for number in range(1, 10))
    word = msgspec.structs.replace(PANI, meanings=many)

    found = triples([word, msgspec.structs.replace(word, id=5)], bounds=DescriptionLimits(senses=3, words=1))

    assert len({one for one, name, *_ in found if name == f"{ONTOLEX}isLexicalizedSenseOf"}) == 3
    assert objects(found, f"{BASE}/api/words/78#noun", RDF_TYPE) == set()


def test_a_word_of_two_parts_of_speech_is_two_entries_with_one_form() -> None:
    of_verb = msgspec.structs.replace(WATER, idea_id=90, pos=Named(11, "Transitive"), translations=())
    found = triples([msgspec.structs.replace(PANI, meanings=(WATER, of_verb))])
    verb = f"{BASE}/api/words/1204#verb"

    assert objects(found, ENTRY, f"{ONTOLEX}canonicalForm") == objects(found, verb, f"{ONTOLEX}canonicalForm")
    assert objects(found, verb, f"{ONTOLEX}evokes") == {(f"{BASE}/api/ideas/90#concept", "")}
    assert objects(found, ENTRY, f"{ONTOLEX}evokes") == {(CONCEPT, "")}
    assert len(objects(found, f"{BASE}/api/words/1204#form", f"{ONTOLEX}writtenRep")) == 2


def test_unknown_fields_are_omitted(subtests: pytest.Subtests) -> None:
    for missing in ("pos", "reference", "note"):
        with subtests.test(missing):
            meaning = msgspec.structs.replace(
                WATER, definitions=(), examples=(), relations=(), translations=(), contexts=(), **{missing: None}
            )
            bare = msgspec.structs.replace(PANI, roman=None, ipa=None, meanings=(meaning,))

            assert all(value for *_, value, _ in triples([bare]))
            assert triples([msgspec.structs.replace(bare, meanings=())])


def test_a_phrase_is_a_multiword_expression() -> None:
    found = triples([msgspec.structs.replace(PANI, word="লাহে লাহে")])

    assert (f"{ONTOLEX}MultiWordExpression", "") in objects(found, ENTRY, RDF_TYPE)


def test_romanizations_are_tagged_as_roman() -> None:
    for code, tag in [("as", "as-Latn"), ("mni-Mtei", "mni-Latn")]:
        assert romanized_tag(code) == tag, code


@given(st.text(), st.text(min_size=1))
def test_any_text_round_trips(written: str, defined: str) -> None:
    meaning = msgspec.structs.replace(WATER, definitions=(Definition(1, defined),))
    word = msgspec.structs.replace(PANI, word=written, meanings=(meaning,))

    found = json.loads(msgspec.json.encode(describe_words([word], SETTING)))
    assert found["@graph"][0]["canonicalForm"]["writtenRep"][0] == {"@value": written, "@language": "as"}
    assert found["@graph"][1]["definition"] == [{"@value": defined, "@language": "en"}]


def test_every_term_of_the_context_belongs_to_a_named_vocabulary() -> None:
    prefixes = {name for name, value in JSON_LD_CONTEXT.items() if isinstance(value, str)}

    for value in JSON_LD_CONTEXT.values():
        if isinstance(value, dict):
            assert value["@id"].partition(":")[0] in prefixes
