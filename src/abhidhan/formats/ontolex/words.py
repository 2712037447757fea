"""Words of an idea as linked data: entries, forms and senses, each written at its first occurrence."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from abhidhan.formats.linked_data import LEXINFO_PARTS_OF_SPEECH, UNKNOWN_CLASS, entry_class, lexical_class
from abhidhan.formats.ontolex.rdf import (
    DICTIONARY_TERM,
    LEXINFO_GENDERS,
    RDF_TYPE,
    SYNTACTIC_FRAMES,
    RDFNode,
    RDFObject,
    TextLiteral,
    TypedLiteral,
    build_node,
    build_script_tag,
    build_source_term,
    get_language_tag,
    idea_name,
    lexicon_name,
    word_name,
)
from abhidhan.records.kinds import IdeaRecord, NumberedForms, WordRecord

_POS_BITS: Final = {value: 1 << number for number, value in enumerate(LEXINFO_PARTS_OF_SPEECH)}
_OTHER_POS_BIT: Final = 1 << len(_POS_BITS)
"""The bit for a missing part of speech, or one that LexInfo lacks."""

_CLASS_MASKS: Final = {
    name: sum(bit for value, bit in _POS_BITS.items() if lexical_class(value) == name)
    for name in map(lexical_class, _POS_BITS)
} | {UNKNOWN_CLASS: _OTHER_POS_BIT}


class NumberedMeaning(NamedTuple):
    """A word under an idea, with the IDs of both."""

    idea_id: int
    idea: IdeaRecord
    word_id: int
    word: WordRecord

    @property
    def entry_name(self) -> str:
        """The name of the lexical entry with this meaning."""
        return word_name(self.word_id, lexical_class(self.idea.pos))

    @property
    def sense_name(self) -> str:
        """The name of the sense."""
        return word_name(self.word_id, f"sense-{self.idea_id}")

    @property
    def dictionary_entry_name(self) -> str:
        """The name of the dictionary entry, which covers all parts of speech of the word."""
        return word_name(self.word_id, "entry")


class NewParts(NamedTuple):
    """Flags: whether a meaning is the first with its word, its lexical entry, and its part of speech."""

    is_word_new: bool
    is_entry_new: bool
    is_pos_new: bool


class WrittenWords:
    """The words already written, with their parts of speech as a few bits per word ID.

    `entry_counts` has the number of lexical entries by language code.
    """

    def __init__(self) -> None:
        """Initialise without words."""
        self._pos_bits = array("I")
        self.entry_counts: Counter[str] = Counter()

    def list_classes(self, word_id: int) -> list[str]:
        """Return the classes of a word's lexical entries."""
        bits = self._pos_bits[word_id] if word_id < len(self._pos_bits) else 0
        return [name for name, mask in _CLASS_MASKS.items() if bits & mask]

    def add_meaning(self, meaning: NumberedMeaning) -> NewParts:
        """Record a meaning of a word; return the parts that are new, and count new lexical entries by language."""
        word_id, pos = meaning.word_id, meaning.idea.pos
        if word_id >= len(self._pos_bits):
            self._pos_bits.frombytes(bytes((word_id + 4096 - len(self._pos_bits)) * self._pos_bits.itemsize))
        bits, bit = self._pos_bits[word_id], _POS_BITS.get(pos or "", _OTHER_POS_BIT)
        self._pos_bits[word_id] = bits | bit
        new = NewParts(not bits, not bits & _CLASS_MASKS[lexical_class(pos)], not bits & bit)
        self.entry_counts[meaning.word.language] += new.is_entry_new
        return new


def iter_word_nodes(
    meaning: NumberedMeaning, new_parts: NewParts, examples: list[str], translations: list[str]
) -> Iterator[RDFNode]:
    """Yield the nodes of a meaning, and those of its word that are new; `examples` and `translations` are names."""
    if new_parts.is_word_new:
        yield from _iter_forms(meaning)
        yield RDFNode(DICTIONARY_TERM, {"lexicog:entry": [meaning.dictionary_entry_name]})
    if new_parts.is_entry_new:
        yield RDFNode(lexicon_name(meaning.word.language), {"lime:entry": [meaning.entry_name]})
    yield from _iter_dictionary_entry(meaning, new_parts)
    yield _build_entry(meaning, new_parts, translations)
    yield _build_sense(meaning, examples)
    frame = SYNTACTIC_FRAMES.get(meaning.idea.pos or "")
    if frame and new_parts.is_pos_new:
        yield RDFNode(_frame_name(meaning, frame), {RDF_TYPE: ["synsem:SyntacticFrame", f"lexinfo:{frame}"]})


def _iter_dictionary_entry(meaning: NumberedMeaning, new_parts: NewParts) -> Iterator[RDFNode]:
    """Yield the dictionary entry of a word: its lexical entries, and its numbered meanings in order."""
    properties: dict[str, list[RDFObject]] = {RDF_TYPE: ["lexicog:Entry"]} if new_parts.is_word_new else {}
    if new_parts.is_entry_new:
        properties["lexicog:describes"] = [meaning.entry_name]
    if meaning.word.position is not None:
        component = word_name(meaning.word_id, f"meaning-{meaning.idea_id}")
        properties[f"rdf:_{meaning.word.position}"] = [component]
        yield RDFNode(
            component, {RDF_TYPE: ["lexicog:LexicographicComponent"], "lexicog:describes": [meaning.sense_name]}
        )
    if properties:
        yield RDFNode(meaning.dictionary_entry_name, properties)


def _build_entry(meaning: NumberedMeaning, new_parts: NewParts, translations: list[str]) -> RDFNode:
    """Return a lexical entry: complete if it is new, else only the additions of this meaning."""
    word, properties = meaning.word, dict[str, list[RDFObject]]()
    if new_parts.is_entry_new:
        properties[RDF_TYPE] = ["ontolex:LexicalEntry", entry_class(word.text)]
        properties["lime:language"] = [TypedLiteral(get_language_tag(word.language), "xsd:language")]
        properties["ontolex:canonicalForm"] = [word_name(meaning.word_id, "form")]
        properties["ontolex:otherForm"] = [_form_name(meaning, number) for number in range(1, len(word.forms) + 1)]
        properties["skos:note"] = [TextLiteral(word.variant, "en")] if word.variant else []
        properties["skos:historyNote"] = [TextLiteral(word.origin)] if word.origin else []
    part = LEXINFO_PARTS_OF_SPEECH.get(meaning.idea.pos or "")
    if part and new_parts.is_pos_new:
        properties["lexinfo:partOfSpeech"] = [f"lexinfo:{part}"]
        frame = SYNTACTIC_FRAMES.get(meaning.idea.pos or "")
        properties["synsem:synBehavior"] = [_frame_name(meaning, frame)] if frame else []
    properties["ontolex:sense"] = [meaning.sense_name]
    properties["ontolex:evokes"] = [idea_name(meaning.idea_id)]
    properties["vartrans:translatableAs"] = list(translations)
    return build_node(meaning.entry_name, properties)


def _build_sense(meaning: NumberedMeaning, examples: list[str]) -> RDFNode:
    idea, word = meaning.idea, meaning.word
    gender = LEXINFO_GENDERS.get(idea.gender or "")
    properties: dict[str, list[RDFObject]] = {
        RDF_TYPE: ["ontolex:LexicalSense"],
        "ontolex:isLexicalizedSenseOf": [idea_name(meaning.idea_id)],
        "lexinfo:gender": [f"lexinfo:{gender}"] if gender else [],
        "lexicog:usageExample": list(examples),
        "skos:note": [TextLiteral(word.note)] if word.note else [],
        "dc:source": [TextLiteral(word.reference)] if word.reference else [],
        "dct:source": [build_source_term(word.source or idea.source)],
        "dc:rights": [TextLiteral(word.licence)] if word.licence else [],
    }
    return build_node(meaning.sense_name, properties)


def _iter_forms(meaning: NumberedMeaning) -> Iterator[RDFNode]:
    """Yield the written, phonetic and inflected forms of a word."""
    word = meaning.word
    pronunciations = [(word.ipa, "fonipa"), (word.asm, "Beng")]
    properties: dict[str, list[RDFObject]] = {
        RDF_TYPE: ["ontolex:Form"],
        "ontolex:writtenRep": [
            TextLiteral(word.text, get_language_tag(word.language)),
            *([TextLiteral(word.roman, build_script_tag(word.language, "Latn"))] if word.roman else []),
        ],
        "ontolex:phoneticRep": [
            TextLiteral(text, build_script_tag(word.language, subtag)) for text, subtag in pronunciations if text
        ],
    }
    yield build_node(word_name(meaning.word_id, "form"), properties)
    for number, form in enumerate(word.forms, 1):
        written: list[RDFObject] = [TextLiteral(form, get_language_tag(word.language))]
        yield RDFNode(_form_name(meaning, number), {RDF_TYPE: ["ontolex:Form"], "ontolex:writtenRep": written})


def _form_name(meaning: NumberedMeaning, number: int) -> str:
    return word_name(meaning.word_id, f"form-{number}")


def _frame_name(meaning: NumberedMeaning, frame: str) -> str:
    return word_name(meaning.word_id, frame)


# --- inflected forms in LexInfo's vocabulary -----------------------------------------------------------------------


FEATURE_TERMS: Final = {
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
"""LexInfo's terms for the features of UniMorph's tags; the tag itself is written too."""

CLASS_BY_FEATURE: Final = {
    "N": "noun",
    "PROPN": "properNoun",
    "ADJ": "adjective",
    "PRO": "pronoun",
    "ADV": "adverb",
    "V": "verb",
    "V.PTCP": "verb",
}
"""Class of the lexical entry that has a form, by the first feature of the form's tag."""


def iter_form_nodes(words: Iterable[NumberedForms], written_words: WrittenWords) -> Iterator[RDFNode]:
    """Yield nodes for the tagged forms of the words already written, and links from their lexical entries."""
    for word_id, record in words:
        classes = written_words.list_classes(word_id)
        for number, (form, tag) in enumerate(record.forms, 1):
            features = tag.split(";")
            form_class = CLASS_BY_FEATURE.get(features[0])
            name = word_name(word_id, f"tagged-{number}")
            entries = [form_class] if form_class in classes else classes
            if entries:
                yield _build_tagged_form(name, TextLiteral(form, get_language_tag(record.language)), tag, features)
            yield from (RDFNode(word_name(word_id, entry), {"ontolex:otherForm": [name]}) for entry in entries)


def _build_tagged_form(name: str, literal: TextLiteral, tag: str, features: Iterable[str]) -> RDFNode:
    properties: dict[str, list[RDFObject]] = {}
    for property_, value in filter(None, map(FEATURE_TERMS.get, features)):
        properties.setdefault(property_, []).append(value)
    return RDFNode(
        name,
        {
            RDF_TYPE: ["ontolex:Form"],
            "ontolex:writtenRep": [literal],
            "skos:notation": [TextLiteral(tag)],
            **properties,
        },
    )
