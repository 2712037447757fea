"""Structure of Wiktextract's JSON lines: the imported fields, and a list of the values that an import may lose."""

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from abhidhan.formats.languages import find_code
from abhidhan.formats.losses import list_leaves

RELATION_FIELDS: Final = ("antonyms", "hypernyms", "hyponyms", "holonyms", "meronyms")
"""Fields of related words, which become a note because their meaning is not specified."""

_WORD_FIELDS: Final = ("translations", "synonyms", "senses/translations", "senses/synonyms")

CONVERTED_FIELDS: Final[dict[str, str]] = {
    "lang": "the language of the glosses",
    "lang_code": "the language of the word",
    "etymology_number": "a part of the key",
    "senses/topics": "contexts",
    "senses/sense_index": "the number by which other words name the sense",
    **{f"{name}/{key}": "the language of the word" for name in _WORD_FIELDS for key in ("code", "lang_code", "lang")},
    **{
        f"{name}/{key}": "the sense to which the word belongs"
        for name in ("translations", "synonyms", *RELATION_FIELDS)
        for key in ("sense_index", "sense_id")
    },
}
"""Fields whose values no record contains literally, with their use."""

POS_FIELD: Final = "pos"
"""Field of the part of speech, which is imported only if the entry becomes an idea."""

GLOSS_FIELDS: Final = frozenset({"senses/glosses", "senses/raw_glosses"})

TEMPLATE_ARGUMENTS: Final = "/args/"
"""Part of a path that precedes the argument names of a template; reports omit these names."""

_SEPARATORS: Final = re.compile(r"[|;,、।()\[\]<>]")
"""Separators between the words of a gloss, or around a note in it."""

FORM_OF_TAG: Final = "form-of"
FORM_TAGS: Final = frozenset({FORM_OF_TAG, "alt-of"})
"""Tags of senses whose gloss names the word of which they are a form."""

INFLECTION_TAGS: Final = frozenset(
    tag
    for tags in (
        "singular dual plural definite indefinite first-person second-person third-person possessive",
        "nominative accusative genitive dative instrumental ablative locative vocative partitive ergative oblique",
        "adessive allative elative essive illative inessive translative construct",
        "present past future imperfect perfect pluperfect preterite aorist perfective imperfective progressive",
        "indicative imperative subjunctive conditional optative jussive conjunctive active passive",
        "infinitive participle gerund supine adverbial inflected comparative superlative",
    )
    for tag in tags.split()
)
"""Tags of inflected forms. Other kinds of forms, such as euphemisms, have meanings of their own."""


class LinkedWord(msgspec.Struct, frozen=True):
    """A word linked to another: a translation, a synonym, an antonym."""

    word: str | None = None
    code: str | None = None
    lang_code: str | None = None
    lang: str | None = None
    sense: str | None = None
    sense_index: str | int | None = None
    sense_id: str | int | None = None
    roman: str | None = None
    qualifier: str | None = None
    note: str | None = None
    notes: list[str] = []
    tags: list[str] = []
    raw_tags: list[str] = []

    @property
    def language(self) -> str | None:
        """The language code as given, else found by the language's English name."""
        return self.code or self.lang_code or (find_code(self.lang) if self.lang else None)


class RelatedWords(msgspec.Struct, frozen=True):
    """The related words of an entry or a sense."""

    translations: list[LinkedWord] = []
    synonyms: list[LinkedWord] = []
    antonyms: list[LinkedWord] = []
    hypernyms: list[LinkedWord] = []
    hyponyms: list[LinkedWord] = []
    holonyms: list[LinkedWord] = []
    meronyms: list[LinkedWord] = []


class WiktextractExample(msgspec.Struct, frozen=True):
    """A sentence with its translation and reference."""

    text: str | None = None
    english: str | None = None
    translation: str | None = None
    ref: str | None = None
    raw_ref: str | None = None


class WiktextractSense(RelatedWords, frozen=True):
    """A sense. If it has several glosses, each is narrower than the previous one."""

    id: str | None = None
    glosses: list[str] = []
    tags: list[str] = []
    raw_tags: list[str] = []
    topics: list[str] = []
    qualifier: str | None = None
    note: str | None = None
    sense_index: str | int | None = None
    senseid: str | list[str] | None = None
    examples: list[WiktextractExample] = []
    form_of: list[LinkedWord] = []

    @property
    def is_inflection(self) -> bool:
        """True if the sense only names the word of which the entry is an inflected form."""
        return (
            FORM_OF_TAG in self.tags
            and not INFLECTION_TAGS.isdisjoint(self.tags)
            and any(base.word for base in self.form_of)
        )


class WiktextractSound(msgspec.Struct, frozen=True):
    """A pronunciation, and its labels."""

    ipa: str | None = None
    tags: list[str] = []
    raw_tags: list[str] = []
    note: str | None = None


class WiktextractForm(msgspec.Struct, frozen=True):
    """An inflected form or another spelling."""

    form: str | None = None
    tags: list[str] = []
    raw_tags: list[str] = []


class WiktextractEntry(RelatedWords, frozen=True):
    """A line: a word in a language, with one part of speech and etymology."""

    word: str = ""
    lang_code: str = ""
    lang: str | None = None
    redirect: str | None = None
    pos: str = ""
    tags: list[str] = []
    raw_tags: list[str] = []
    notes: list[str] = []
    etymology_number: int | str | None = None
    etymology_text: str | None = None
    etymology_texts: list[str] = []
    senses: list[WiktextractSense] = []
    sounds: list[WiktextractSound] = []
    forms: list[WiktextractForm] = []

    @property
    def meanings(self) -> list[WiktextractSense]:
        """The senses that explain the word."""
        return [sense for sense in self.senses if sense.glosses and not sense.is_inflection]

    @property
    def inflections(self) -> list[WiktextractSense]:
        """The senses that only name the word of which the entry is an inflected form."""
        return [sense for sense in self.senses if sense.is_inflection]


def iter_values(raw: Any, entry: WiktextractEntry) -> Iterator[tuple[str, str]]:  # noqa: ANN401  # any JSON
    """Yield the values that records of an entry should contain, as (field, text); glosses are split into words."""
    form_glosses = {gloss for sense in entry.inflections for gloss in sense.glosses}
    converted_fields = CONVERTED_FIELDS.keys() | ({POS_FIELD} if entry.meanings or entry.translations else set())
    for name, value in list_leaves(raw):
        field = f"{name.partition(TEMPLATE_ARGUMENTS)[0]}/args" if TEMPLATE_ARGUMENTS in name else name
        if field in GLOSS_FIELDS:
            if value not in form_glosses:
                yield from ((field, piece.strip()) for piece in _SEPARATORS.split(value))
        elif field not in converted_fields and value not in FORM_TAGS:
            yield field, value
    yield from (
        ("translations/lang", linked_word.lang)
        for linked_word in entry.translations
        if linked_word.lang and not (linked_word.word and linked_word.language)
    )
    for sense in entry.senses:
        if sense.is_inflection or not sense.glosses:
            yield from (("senses/topics", topic) for topic in sense.topics)
