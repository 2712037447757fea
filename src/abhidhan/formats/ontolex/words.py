"""Words of an idea as linked data: entries, forms and senses, each written at its first occurrence."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from abhidhan.formats.linked_data import PARTS_OF_SPEECH, UNKNOWN, kind_of_entry, lexical_class
from abhidhan.formats.ontolex.rdf import (
    DICTIONARY,
    FRAMES,
    GENDERS,
    TYPE,
    Node,
    Object,
    Text,
    Typed,
    described,
    idea_name,
    in_script,
    lexicon_name,
    source_name,
    tag_of,
    word_name,
)
from abhidhan.records.kinds import IdeaRecord, NumberedForms, WordRecord

_BITS: Final = {value: 1 << number for number, value in enumerate(PARTS_OF_SPEECH)}
_OTHER: Final = 1 << len(_BITS)
"""The bit for a part of speech that LexInfo lacks, or for none."""

_MASKS: Final = {
    name: sum(bit for value, bit in _BITS.items() if lexical_class(value) == name) for name in map(lexical_class, _BITS)
} | {UNKNOWN: _OTHER}


class Meaning(NamedTuple):
    """A word under an idea, with the IDs of both."""

    idea_id: int
    idea: IdeaRecord
    word_id: int
    word: WordRecord

    @property
    def entry(self) -> str:
        """The name of the lexical entry with this meaning."""
        return word_name(self.word_id, lexical_class(self.idea.pos))

    @property
    def sense(self) -> str:
        """The name of the sense."""
        return word_name(self.word_id, f"sense-{self.idea_id}")

    @property
    def article(self) -> str:
        """The name of the dictionary entry, which covers all parts of speech of the word."""
        return word_name(self.word_id, "entry")


class New(NamedTuple):
    """The parts of a meaning that occur for the first time: the word, its lexical entry, the part of speech."""

    word: bool
    entry: bool
    part: bool


class Told:
    """The words already written, with their parts of speech as a few bits per word ID.

    `entries` counts the lexical entries of each language, by code.
    """

    def __init__(self) -> None:
        """Initialise without words."""
        self._bits = array("I")
        self.entries: Counter[str] = Counter()

    def classes(self, word_id: int) -> list[str]:
        """Return the classes of a word's lexical entries."""
        known = self._bits[word_id] if word_id < len(self._bits) else 0
        return [name for name, mask in _MASKS.items() if known & mask]

    def meet(self, meaning: Meaning) -> New:
        """Record a meaning of a word; return the parts that are new, and count new lexical entries by language."""
        word_id, pos = meaning.word_id, meaning.idea.pos
        if word_id >= len(self._bits):
            self._bits.frombytes(bytes((word_id + 4096 - len(self._bits)) * self._bits.itemsize))
        known, bit = self._bits[word_id], _BITS.get(pos or "", _OTHER)
        self._bits[word_id] = known | bit
        new = New(not known, not known & _MASKS[lexical_class(pos)], not known & bit)
        self.entries[meaning.word.language] += new.entry
        return new


def word_nodes(meaning: Meaning, new: New, examples: list[str], translations: list[str]) -> Iterator[Node]:
    """Yield a meaning, and the parts of its word that are new. `examples` and `translations` are node names."""
    if new.word:
        yield from _forms(meaning)
        yield Node(DICTIONARY, {"lexicog:entry": [meaning.article]})
    if new.entry:
        yield Node(lexicon_name(meaning.word.language), {"lime:entry": [meaning.entry]})
    yield from _article(meaning, new)
    yield _entry(meaning, new, translations)
    yield _sense(meaning, examples)
    frame = FRAMES.get(meaning.idea.pos or "")
    if frame and new.part:
        yield Node(_frame_name(meaning, frame), {TYPE: ["synsem:SyntacticFrame", f"lexinfo:{frame}"]})


def _article(meaning: Meaning, new: New) -> Iterator[Node]:
    """Yield the dictionary entry of a word: its lexical entries, and its numbered meanings in order."""
    told: dict[str, list[Object]] = {TYPE: ["lexicog:Entry"]} if new.word else {}
    if new.entry:
        told["lexicog:describes"] = [meaning.entry]
    if meaning.word.position is not None:
        place = word_name(meaning.word_id, f"meaning-{meaning.idea_id}")
        told[f"rdf:_{meaning.word.position}"] = [place]
        yield Node(place, {TYPE: ["lexicog:LexicographicComponent"], "lexicog:describes": [meaning.sense]})
    if told:
        yield Node(meaning.article, told)


def _entry(meaning: Meaning, new: New, translations: list[str]) -> Node:
    """Return a lexical entry: complete if it is new, else only the additions of this meaning."""
    word, told = meaning.word, dict[str, list[Object]]()
    if new.entry:
        told[TYPE] = ["ontolex:LexicalEntry", kind_of_entry(word.text)]
        told["lime:language"] = [Typed(tag_of(word.language), "xsd:language")]
        told["ontolex:canonicalForm"] = [word_name(meaning.word_id, "form")]
        told["ontolex:otherForm"] = [_form_name(meaning, number) for number in range(1, len(word.forms) + 1)]
        told["skos:note"] = [Text(word.variant, "en")] if word.variant else []
        told["skos:historyNote"] = [Text(word.origin)] if word.origin else []
    part = PARTS_OF_SPEECH.get(meaning.idea.pos or "")
    if part and new.part:
        told["lexinfo:partOfSpeech"] = [f"lexinfo:{part}"]
        frame = FRAMES.get(meaning.idea.pos or "")
        told["synsem:synBehavior"] = [_frame_name(meaning, frame)] if frame else []
    told["ontolex:sense"] = [meaning.sense]
    told["ontolex:evokes"] = [idea_name(meaning.idea_id)]
    told["vartrans:translatableAs"] = list(translations)
    return described(meaning.entry, told)


def _sense(meaning: Meaning, examples: list[str]) -> Node:
    idea, word = meaning.idea, meaning.word
    gender = GENDERS.get(idea.gender or "")
    told: dict[str, list[Object]] = {
        TYPE: ["ontolex:LexicalSense"],
        "ontolex:isLexicalizedSenseOf": [idea_name(meaning.idea_id)],
        "lexinfo:gender": [f"lexinfo:{gender}"] if gender else [],
        "lexicog:usageExample": list(examples),
        "skos:note": [Text(word.note)] if word.note else [],
        "dc:source": [Text(word.reference)] if word.reference else [],
        "dct:source": [source_name(word.source or idea.source)],
        "dc:rights": [Text(word.licence)] if word.licence else [],
    }
    return described(meaning.sense, told)


def _forms(meaning: Meaning) -> Iterator[Node]:
    """Yield the written, phonetic and inflected forms of a word."""
    word = meaning.word
    said = [(word.ipa, "fonipa"), (word.asm, "Beng")]
    told: dict[str, list[Object]] = {
        TYPE: ["ontolex:Form"],
        "ontolex:writtenRep": [
            Text(word.text, tag_of(word.language)),
            *([Text(word.roman, in_script(word.language, "Latn"))] if word.roman else []),
        ],
        "ontolex:phoneticRep": [Text(text, in_script(word.language, subtag)) for text, subtag in said if text],
    }
    yield described(word_name(meaning.word_id, "form"), told)
    for number, form in enumerate(word.forms, 1):
        written: list[Object] = [Text(form, tag_of(word.language))]
        yield Node(_form_name(meaning, number), {TYPE: ["ontolex:Form"], "ontolex:writtenRep": written})


def _form_name(meaning: Meaning, number: int) -> str:
    return word_name(meaning.word_id, f"form-{number}")


def _frame_name(meaning: Meaning, frame: str) -> str:
    return word_name(meaning.word_id, frame)


# --- inflected forms in LexInfo's vocabulary -----------------------------------------------------------------------


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
"""LexInfo's terms for the features of UniMorph's tags; the tag itself is written too."""

CLASSES: Final = {
    "N": "noun",
    "PROPN": "properNoun",
    "ADJ": "adjective",
    "PRO": "pronoun",
    "ADV": "adverb",
    "V": "verb",
    "V.PTCP": "verb",
}
"""The lexical entry of a form, by the first part of its tag."""


def form_nodes(words: Iterable[NumberedForms], told: Told) -> Iterator[Node]:
    """Yield the tagged forms of the words already written, and the lexical entries that have them."""
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
