"""Words as linked data: JSON-LD in the vocabulary of OntoLex-Lemon, a pure mapping of the records in responses.

A word becomes a LexicalEntry for each of its parts of speech, a meaning a LexicalSense, and an idea a LexicalConcept,
which the entries of all its words evoke. Every document includes the `@context`, so clients need not load it.
https://www.w3.org/2016/05/ontolex/
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from abhidhan.records.ideas import Definition, Example, IdeaWord, Relation
from abhidhan.records.languages import Language
from abhidhan.records.words import Meaning, Word

Node = dict[str, object]
"""A node object of JSON-LD."""

JSON_LD_CONTEXT: Final[Mapping[str, object]] = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "lexinfo": "http://www.lexinfo.net/ontology/3.0/lexinfo#",
    "lime": "http://www.w3.org/ns/lemon/lime#",
    "ontolex": "http://www.w3.org/ns/lemon/ontolex#",
    "schema": "https://schema.org/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "vartrans": "http://www.w3.org/ns/lemon/vartrans#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "language": {"@id": "lime:language", "@type": "xsd:language"},
    "canonicalForm": {"@id": "ontolex:canonicalForm"},
    "writtenRep": {"@id": "ontolex:writtenRep"},
    "phoneticRep": {"@id": "ontolex:phoneticRep"},
    "partOfSpeech": {"@id": "lexinfo:partOfSpeech", "@type": "@id"},
    "sense": {"@id": "ontolex:sense"},
    "isLexicalizedSenseOf": {"@id": "ontolex:isLexicalizedSenseOf", "@type": "@id"},
    "evokes": {"@id": "ontolex:evokes", "@type": "@id"},
    "translatableAs": {"@id": "vartrans:translatableAs", "@type": "@id"},
    "conceptRel": {"@id": "vartrans:conceptRel", "@type": "@id"},
    "broader": {"@id": "skos:broader", "@type": "@id"},
    "narrower": {"@id": "skos:narrower", "@type": "@id"},
    "related": {"@id": "skos:related", "@type": "@id"},
    "definition": {"@id": "skos:definition"},
    "example": {"@id": "skos:example"},
    "note": {"@id": "skos:note"},
    "subject": {"@id": "dc:subject"},
    "source": {"@id": "dc:source"},
    "rights": {"@id": "dc:rights"},
    "inDefinedTermSet": {"@id": "schema:inDefinedTermSet", "@type": "@id"},
    "url": {"@id": "schema:url", "@type": "@id"},
}

LEXINFO_PARTS_OF_SPEECH: Final = {
    "Common Noun": "commonNoun",
    "Proper Noun": "properNoun",
    "Material Noun": "noun",
    "Verbal Noun": "noun",
    "Abstract Noun": "noun",
    "Pronoun": "pronoun",
    "Proper Adjective": "adjective",
    "Verbal Adjective": "adjective",
    "Adjective Adjective": "adjective",
    "Adverb": "adverb",
    "Transitive": "verb",
    "Intransitive": "verb",
    "Adposition": "adposition",
    "Interjection": "interjection",
    "Conjunction": "conjunction",
    "Noun": "noun",
    "Verb": "verb",
    "Adjective": "adjective",
}
"""LexInfo's names for the parts of speech in the list POS; values added by an operator have none."""

UNKNOWN_CLASS: Final = "word"
"""The class of an entry whose part of speech is missing, or unknown to LexInfo."""

SKOS_RELATIONS: Final = {"Hypernym": "broader", "Hyponym": "narrower", "Related": "related", "Near-synonym": "related"}
"""SKOS relations for those of the list RIC; others become `conceptRel`."""


class DescriptionLimits(NamedTuple):
    """Limits of a description: the number of senses, and of other words per sense; None means all."""

    senses: int | None = None
    words: int | None = None


class LinkedDataContext(NamedTuple):
    """Context for describing words: the languages by ID, the site's URL, and the rights in the data.

    Without a URL, identifiers are relative to the site that responds.
    """

    languages: Mapping[int, Language]
    base_url: str = ""
    rights: str = ""


NO_LIMITS: Final = DescriptionLimits()


def describe_words(
    words: Sequence[Word], context: LinkedDataContext, page: str = "", limits: DescriptionLimits = NO_LIMITS
) -> Node:
    """Describe words as a JSON-LD document; `page` is the URL of their page for readers."""
    graph = _GraphBuilder(context, page, limits)
    for word in words:
        graph.add_word(word)
    return {"@context": JSON_LD_CONTEXT, "@graph": list(graph.nodes.values())}


def romanized_tag(code: str) -> str:
    """Return the tag of a language in Roman letters, without the script of its own tag."""
    return "-".join([code.partition("-")[0], "Latn"])


def lexical_class(pos: str | None) -> str:
    """Return the class of a part of speech; a word has one entry per class, and common nouns count as nouns.

    An OntoLex entry has a single part of speech.
    """
    name = LEXINFO_PARTS_OF_SPEECH.get(pos or "", UNKNOWN_CLASS)
    return "noun" if name == "commonNoun" else name


def entry_class(text: str) -> str:
    """Return the OntoLex class of a text: a word, a multi-word expression, or an affix."""
    if " " in text:
        return "ontolex:MultiWordExpression"
    return "ontolex:Affix" if len(text) > 1 and "-" in {text[0], text[-1]} else "ontolex:Word"


class _GraphBuilder:
    """Builder of a graph: the nodes that describe words and concepts, each once, by identifier."""

    def __init__(self, context: LinkedDataContext, page: str, limits: DescriptionLimits) -> None:
        """Initialise without nodes."""
        self._context = context
        self._page = page
        self._limits = limits
        self._sense_count = 0
        self._form_nodes: dict[int, Node] = {}
        self.nodes: dict[str, Node] = {}

    def add_word(self, word: Word) -> None:
        """Describe a word and its meanings within the limits."""
        remaining = None if self._limits.senses is None else self._limits.senses - self._sense_count
        meanings = list(word.meanings)[:remaining]
        if not meanings and word.meanings:
            return
        self._sense_count += len(meanings)
        by_class: dict[str, list[Meaning]] = {}
        for meaning in meanings:
            by_class.setdefault(_get_class(meaning), []).append(meaning)
        for name, entry_meanings in (by_class or {UNKNOWN_CLASS: []}).items():
            self._add_entry(word, name, entry_meanings)
        if word.explicit_ipa:
            self._form_nodes[word.id]["phoneticRep"] = _build_text(
                word.explicit_ipa, f"{self._get_language_code(word.language_id)}-fonipa"
            )

    def _add_entry(self, word: Word, class_name: str, meanings: Sequence[Meaning]) -> None:
        """Add the entry of a word for one of its parts of speech, with the senses of these meanings."""
        entry = self._get_or_add_entry(word.id, word.word, word.language_id, word.roman, class_name)
        entry |= _drop_empty(
            {
                "partOfSpeech": _list_parts_of_speech(meanings),
                "rights": self._context.rights or None,
                "url": self._page or None,
                "sense": [self._build_sense(word, meaning) for meaning in meanings],
            }
        )
        for meaning in meanings:
            self._describe_idea(entry, word, meaning)

    def _describe_idea(self, entry: Node, word: Word, meaning: Meaning) -> None:
        """Describe the idea of a meaning, and the other words that evoke it."""
        concept = self._add_concept(meaning)
        _append(entry, "evokes", concept)
        for other in list(meaning.translations)[: self._limits.words]:
            translation = self._add_idea_word(other, _get_class(meaning))
            _append(translation, "evokes", concept)
            if other.language_id != word.language_id:
                _append(entry, "translatableAs", str(translation["@id"]))

    def _build_sense(self, word: Word, meaning: Meaning) -> Node:
        definition = next(iter(meaning.definitions), None)
        return {
            "@id": f"{self._get_word_url(word.id)}#sense-{meaning.idea_id}",
            "@type": ["ontolex:LexicalSense", "schema:DefinedTerm"],
            "isLexicalizedSenseOf": self._get_concept_url(meaning.idea_id),
            "schema:name": word.word,
            **_drop_empty(
                {
                    "schema:description": definition.text if definition else None,
                    "schema:inLanguage": self._get_language_code(word.language_id),
                    "inDefinedTermSet": f"{self._context.base_url}/",
                    "source": meaning.reference,
                    "note": meaning.note,
                }
            ),
        }

    def _add_concept(self, meaning: Meaning) -> str:
        """Describe the idea of a meaning once; return its identifier."""
        address = self._get_concept_url(meaning.idea_id)
        if address not in self.nodes:
            self.nodes[address] = {
                "@id": address,
                "@type": "ontolex:LexicalConcept",
                **_drop_empty(
                    {
                        "definition": self._build_texts(meaning.definitions),
                        "example": self._build_texts(meaning.examples),
                        "subject": [context.value for context in meaning.contexts],
                        **self._build_relations(meaning.relations),
                    }
                ),
            }
        return address

    def _build_relations(self, relations: Iterable[Relation]) -> Node:
        node: Node = {}
        for relation in relations:
            _append(
                node, SKOS_RELATIONS.get(relation.type.value, "conceptRel"), self._get_concept_url(relation.idea_id)
            )
        return node

    def _add_idea_word(self, word: IdeaWord, class_name: str) -> Node:
        return self._get_or_add_entry(word.id, word.word, word.language_id, word.roman, class_name)

    def _get_or_add_entry(self, word_id: int, text: str, language_id: int, roman: str | None, class_name: str) -> Node:
        """Return the entry of a word for one part of speech, without meanings; add it if it is new."""
        address, code = f"{self._get_word_url(word_id)}#{class_name}", self._get_language_code(language_id)
        if address in self.nodes:
            return self.nodes[address]
        entry = self.nodes[address] = {
            "@id": address,
            "@type": ["ontolex:LexicalEntry", entry_class(text)],
            "language": code,
            "canonicalForm": self._build_form(word_id, text, code, roman),
        }
        return entry

    def _build_form(self, word_id: int, text: str, code: str, roman: str | None) -> Node:
        """Return the node of a word's written forms, or a reference to it if it was returned before."""
        address = f"{self._get_word_url(word_id)}#form"
        if word_id in self._form_nodes:
            return {"@id": address}
        written = [_build_text(text, code), *([_build_text(roman, romanized_tag(code))] if roman else [])]
        self._form_nodes[word_id] = {"@id": address, "@type": "ontolex:Form", "writtenRep": written}
        return self._form_nodes[word_id]

    def _build_texts(self, texts: Iterable[Definition | Example]) -> list[Node]:
        return [_build_text(text.text, self._get_language_code(text.language_id)) for text in texts]

    def _get_language_code(self, language_id: int) -> str:
        return self._context.languages[language_id].code

    def _get_word_url(self, word_id: int) -> str:
        return f"{self._context.base_url}/api/words/{word_id}"

    def _get_concept_url(self, idea_id: int) -> str:
        return f"{self._context.base_url}/api/ideas/{idea_id}#concept"


def _get_class(meaning: Meaning) -> str:
    return lexical_class(meaning.pos.value if meaning.pos else None)


def _list_parts_of_speech(meanings: Iterable[Meaning]) -> list[str]:
    """Return the distinct LexInfo parts of speech of a word's meanings."""
    values = [meaning.pos for meaning in meanings if meaning.pos is not None]
    names = (LEXINFO_PARTS_OF_SPEECH.get(value.value) for value in values)
    return [f"lexinfo:{name}" for name in dict.fromkeys(names) if name is not None]


def _build_text(text: str, tag: str) -> Node:
    return {"@value": text, "@language": tag}


def _drop_empty(node: Mapping[str, object]) -> Node:
    return {key: value for key, value in node.items() if value is not None and value != []}


def _append(node: Node, key: str, value: str) -> None:
    """Add a value to a property, unless it is already there."""
    values = node.setdefault(key, [])
    if isinstance(values, list) and value not in values:
        values.append(value)
