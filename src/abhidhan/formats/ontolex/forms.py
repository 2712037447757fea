"""Inflected forms as linked data: what form each is, in the words of LexInfo."""

from collections.abc import Iterable, Iterator
from typing import Final

from abhidhan.formats.ontolex.names import tag_of, word_name
from abhidhan.formats.ontolex.rdf import TYPE, Node, Object, Text
from abhidhan.formats.ontolex.words import Told
from abhidhan.records.kinds import NumberedForms

FEATURES: Final = {
    feature: (f"lexinfo:{category}", f"lexinfo:{value}")
    for category, values in {
        "number": {"SG": "singular", "DU": "dual", "PL": "plural"},
        "case": {
            "NOM": "nominativeCase",
            "ACC": "accusativeCase",
            "ERG": "ergativeCase",
            "ABS": "absolutiveCase",
            "DAT": "dativeCase",
            "BEN": "benefactiveCase",
            "GEN": "genitiveCase",
            "INS": "instrumentalCase",
            "COM": "comitativeCase",
            "LOC": "locativeCase",
            "ABL": "ablativeCase",
            "ALL": "allativeCase",
            "VOC": "vocativeCase",
        },
        "person": {"1": "firstPerson", "2": "secondPerson", "3": "thirdPerson"},
        "tense": {"PRS": "present", "PST": "past", "FUT": "future"},
        "aspect": {"PFV": "perfective", "IPFV": "imperfective"},
        "mood": {
            "IND": "indicative",
            "IMP": "imperative",
            "SBJV": "subjunctive",
            "COND": "conditional",
            "NFIN": "infinitive",
            "V.PTCP": "participle",
        },
        "gender": {"MASC": "masculine", "FEM": "feminine", "NEUT": "neuter"},
    }.items()
    for feature, value in values.items()
}
"""What LexInfo calls the features of UniMorph's tags; for those without a name there the tag itself is told too."""

CLASSES: Final = {
    "N": "noun",
    "PROPN": "properNoun",
    "ADJ": "adjective",
    "PRO": "pronoun",
    "ADV": "adverb",
    "V": "verb",
    "V.PTCP": "verb",
}
"""Which lexical entry of a word a form belongs to, by the first part of its tag."""


def form_nodes(words: Iterable[NumberedForms], told: Told) -> Iterator[Node]:
    """Yield the tagged forms of the words that were told, and which lexical entries have them."""
    for word_id, record in words:
        classes = told.classes(word_id)
        for number, (form, tag) in enumerate(record.forms, 1):
            features = tag.split(";")
            mine = CLASSES.get(features[0])
            name = word_name(word_id, f"tagged-{number}")
            entries = [mine] if mine in classes else classes
            if entries:
                yield _form(name, Text(form, tag_of(record.language)), tag, features)
            yield from (Node(word_name(word_id, one), {"ontolex:otherForm": [name]}) for one in entries)


def _form(name: str, written: Text, tag: str, features: Iterable[str]) -> Node:
    found: dict[str, list[Object]] = {}
    for property_, value in filter(None, map(FEATURES.get, features)):
        found.setdefault(property_, []).append(value)
    return Node(name, {TYPE: ["ontolex:Form"], "ontolex:writtenRep": [written], "skos:notation": [Text(tag)], **found})
