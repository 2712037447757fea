"""Words of a Wiktextract entry: the headword with its forms, and translations and synonyms by meaning."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from abhidhan.formats.importer_api import ImportOptions, join_notes
from abhidhan.formats.wiktextract.entries import FORM_OF_TAG, RELATION_FIELDS, LinkedWord, WiktextractEntry
from abhidhan.records.kinds import FormsRecord, WordRecord
from abhidhan.records.kinds.fields import MAX_TEXT_LENGTH, MAX_WORD_LENGTH
from assamese.normalization import nfc

ROMANIZATION: Final = "romanization"
NON_FORM_TAGS: Final = frozenset(
    {"table-tags", "inflection-template", ROMANIZATION, "class", "error-unrecognized-form"}
)

SINGLE_VALUE_DETAILS: Final = ("roman", "ipa", "origin")
"""Details with a single value per word in the dictionary, even if several entries have the word."""


class WiktextractHeadword(NamedTuple):
    """The headword of an entry, its tagged forms, and remarks."""

    word: WordRecord
    tagged_forms: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...]


def parse_headword(entry: WiktextractEntry, language: str) -> WiktextractHeadword:
    """Parse the headword."""
    tags: dict[str, str | None] = {}
    for variant in entry.forms:
        if variant.form and variant.form not in {entry.word, "-"} and NON_FORM_TAGS.isdisjoint(variant.tags):
            tags[variant.form] = join_notes(tags.get(variant.form), ", ".join([*variant.tags, *variant.raw_tags]))
    forms = {form: tag for form, tag in tags.items() if len(form) <= MAX_WORD_LENGTH}
    ipa, remarks = _parse_pronunciations(entry)
    word = WordRecord(
        language,
        entry.word,
        roman=next((variant.form for variant in entry.forms if variant.form and ROMANIZATION in variant.tags), None),
        ipa=ipa,
        origin=entry.etymology_text or "\n".join(entry.etymology_texts) or None,
        forms=tuple(form for form, tag in forms.items() if not tag),
    )
    return WiktextractHeadword(word, tuple((form, tag) for form, tag in forms.items() if tag), remarks)


def _parse_pronunciations(entry: WiktextractEntry) -> tuple[str | None, tuple[str, ...]]:
    """Return the first pronunciation, and remarks on it and the others."""
    ipa, remarks = None, []
    for sound in entry.sounds:
        if sound.ipa:
            labels = ", ".join(filter(None, (*sound.tags, *sound.raw_tags, sound.note)))
            if ipa or labels:
                remarks.append(f"{sound.ipa} ({labels})" if labels else sound.ipa)
            ipa = ipa or sound.ipa.strip("/[]\\ ")
    return ipa, tuple(remarks)


def reuse_earlier_details(head: WiktextractHeadword, previous: WordRecord | None) -> WiktextractHeadword:
    """Replace a headword's details by those of the previous entry of the same word; differing ones become remarks."""
    if previous is None or (previous.language, previous.text) != (head.word.language, head.word.text):
        return head
    details = {name: getattr(previous, name) for name in SINGLE_VALUE_DETAILS if getattr(previous, name) is not None}
    remarks = [value for name, detail in details.items() if (value := getattr(head.word, name)) not in {None, detail}]
    return WiktextractHeadword(
        msgspec.structs.replace(head.word, **details), head.tagged_forms, (*head.remarks, *remarks)
    )


def iter_inflections(entry: WiktextractEntry, language: str) -> Iterator[FormsRecord]:
    """Yield a forms record for each word of which the entry is an inflected form."""
    for sense in entry.inflections:
        tag = ", ".join(tag for tag in (*sense.tags, *sense.raw_tags) if tag != FORM_OF_TAG)
        for base in sense.form_of:
            if base.word:
                yield FormsRecord(language, base.word, ((entry.word, tag),))


def iter_linked_words(
    linked: Iterable[LinkedWord], options: ImportOptions, language: str | None = None
) -> Iterator[WordRecord]:
    """Convert linked words; `language` is the default. Words without a language and overlong words are skipped."""
    for link in linked:
        code = link.language or language
        if code and link.word and len(link.word) <= MAX_WORD_LENGTH:
            note = join_notes(link.qualifier, link.note, *link.notes, *link.tags, *link.raw_tags)
            yield WordRecord(options.map_language(code), link.word, roman=link.roman, note=note)


def merge_words(words: Iterable[WordRecord]) -> tuple[WordRecord, ...]:
    """Merge repeated words and their notes."""
    merged_words: dict[tuple[str, str], WordRecord] = {}
    for word in words:
        existing = merged_words.get((word.language, word.text))
        if existing is not None:
            roman = word.roman if existing.roman and word.roman != existing.roman else None
            existing = msgspec.structs.replace(existing, roman=existing.roman or word.roman)
        merged_words[word.language, word.text] = add_remarks(existing, (roman, word.note)) if existing else word
    return tuple(merged_words.values())


def add_remarks(word: WordRecord, remarks: Iterable[str | None]) -> WordRecord:
    """Add remarks to the note of a word, unless it becomes too long."""
    return msgspec.structs.replace(word, note=drop_long_text(join_notes(word.note, *remarks)) or word.note)


def drop_long_text(text: str | None) -> str | None:
    """Return a text, or None if it is empty or too long for a field."""
    return text if text and len(text) <= MAX_TEXT_LENGTH else None


# --- assignment of related words to meanings -------------------------------------------------------------------------


GENERIC_HEADINGS: Final = frozenset({"translations", "translations to be checked"})
"""Headings of translation tables that name no sense."""

_PUNCTUATION: Final = re.compile(r"[\s.,;:!?()\[\]\"“”„…]+")


class MeaningLinks(NamedTuple):
    """Words linked to a meaning, its headings in translation tables, and notes on related words."""

    translations: list[LinkedWord]
    synonyms: list[LinkedWord]
    glosses: list[str]
    notes: list[str]


def assign_links(entry: WiktextractEntry) -> tuple[list[MeaningLinks], dict[str, list[LinkedWord]]]:
    """Assign linked words to the meanings of an entry; also return the unassigned translations by sense name."""
    meanings = entry.meanings
    meaning_index = _MeaningIndex(entry)
    links = [MeaningLinks([*one.translations], [*one.synonyms], [], []) for one in meanings]
    other_translations: dict[str, list[LinkedWord]] = {}
    for one in entry.translations:
        position = meaning_index.find(one)
        if position is None:
            other_translations.setdefault(_get_sense_name(one), []).append(one)
        else:
            links[position].translations.append(one)
            links[position].glosses.append(_get_sense_name(one))
    for one in entry.synonyms:
        if (position := meaning_index.find(one)) is not None:
            links[position].synonyms.append(one)
    for name in RELATION_FIELDS:
        related = [[*getattr(one, name)] for one in meanings]
        for one in getattr(entry, name):
            if (position := meaning_index.find(one)) is not None:
                related[position].append(one)
        for link, related_words in zip(links, related, strict=True):
            if words := ", ".join(dict.fromkeys(one.word for one in related_words if one.word)):
                link.notes.append(f"{name}: {words}")
    return links, other_translations


@lru_cache(4096)
def normalize_text(text: str | None) -> str:
    """Return a text in lower case and without punctuation, for comparison."""
    return _PUNCTUATION.sub(" ", nfc(text or "").casefold()).strip()


def _get_sense_name(word: LinkedWord) -> str:
    return "" if normalize_text(word.sense) in GENERIC_HEADINGS else word.sense or ""


class _MeaningIndex:
    """The meanings of an entry by gloss and number."""

    def __init__(self, entry: WiktextractEntry) -> None:
        meanings = entry.meanings
        self._glosses = [normalize_text(meaning.glosses[-1]) for meaning in meanings]
        self._numbers: dict[str, int] = {}
        for index, meaning in enumerate(meanings):
            names = meaning.senseid if isinstance(meaning.senseid, list) else [meaning.senseid]
            self._numbers |= {str(name): index for name in (meaning.sense_index, *names) if name}
        if not self._numbers:
            # The French edition counts senses, but does not number them in the data.
            self._numbers = {str(entry.senses.index(meaning) + 1): index for index, meaning in enumerate(meanings)}

    def find(self, word: LinkedWord) -> int | None:
        """Return the index of a word's meaning: by its gloss or number, or the only one; None if it is unknown."""
        sense_name = normalize_text(_get_sense_name(word))
        if sense_name in self._glosses:
            return self._glosses.index(sense_name)
        number = word.sense_index or word.sense_id
        if number and str(number) in self._numbers:
            return self._numbers[str(number)]
        candidates = [
            index for index, gloss in enumerate(self._glosses) if sense_name and gloss.startswith(f"{sense_name} ")
        ]
        if len(candidates) == 1 or len(self._glosses) == 1:
            return candidates[0] if candidates else 0
        return None
