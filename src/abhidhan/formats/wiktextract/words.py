"""Words of a Wiktextract entry: the headword with its forms, and translations and synonyms by meaning."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from abhidhan.formats.importer_api import Options, joined
from abhidhan.formats.wiktextract.entries import FORM_OF, RELATIONS, Entry, Linked
from abhidhan.records.kinds import FormsRecord, WordRecord
from abhidhan.records.kinds.fields import MOST_TEXT_LETTERS, MOST_WORD_LETTERS
from assamese.normalization import nfc

ROMANIZATION: Final = "romanization"
NOT_FORMS: Final = frozenset({"table-tags", "inflection-template", ROMANIZATION, "class", "error-unrecognized-form"})

ONCE_A_WORD: Final = ("roman", "ipa", "origin")
"""Details that a word has only once here, however many entries there are for it."""


class Head(NamedTuple):
    """The headword of an entry, its tagged forms, and remarks."""

    word: WordRecord
    tagged: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...]


def head_of(entry: Entry, language: str) -> Head:
    """Parse the headword."""
    tags: dict[str, str | None] = {}
    for one in entry.forms:
        if one.form and one.form not in {entry.word, "-"} and NOT_FORMS.isdisjoint(one.tags):
            tags[one.form] = joined(tags.get(one.form), ", ".join([*one.tags, *one.raw_tags]))
    forms = {form: tag for form, tag in tags.items() if len(form) <= MOST_WORD_LETTERS}
    ipa, remarks = _pronunciations(entry)
    word = WordRecord(
        language,
        entry.word,
        roman=next((one.form for one in entry.forms if one.form and ROMANIZATION in one.tags), None),
        ipa=ipa,
        origin=entry.etymology_text or "\n".join(entry.etymology_texts) or None,
        forms=tuple(form for form, tag in forms.items() if not tag),
    )
    return Head(word, tuple((form, tag) for form, tag in forms.items() if tag), remarks)


def _pronunciations(entry: Entry) -> tuple[str | None, tuple[str, ...]]:
    """Return the first pronunciation, and remarks on it and the others."""
    ipa, remarks = None, []
    for one in entry.sounds:
        if one.ipa:
            labels = ", ".join(filter(None, (*one.tags, *one.raw_tags, one.note)))
            if ipa or labels:
                remarks.append(f"{one.ipa} ({labels})" if labels else one.ipa)
            ipa = ipa or one.ipa.strip("/[]\\ ")
    return ipa, tuple(remarks)


def beside(head: Head, before: WordRecord | None) -> Head:
    """Keep the details of the previous entry for the same word; different ones become remarks."""
    if before is None or (before.language, before.text) != (head.word.language, head.word.text):
        return head
    said = {name: getattr(before, name) for name in ONCE_A_WORD if getattr(before, name) is not None}
    remarks = [given for name, known in said.items() if (given := getattr(head.word, name)) not in {None, known}]
    return Head(msgspec.structs.replace(head.word, **said), head.tagged, (*head.remarks, *remarks))


def forms_of(entry: Entry, language: str) -> Iterator[FormsRecord]:
    """Yield the words of which the entry is an inflected form."""
    for sense in entry.inflections:
        tag = ", ".join(tag for tag in (*sense.tags, *sense.raw_tags) if tag != FORM_OF)
        for one in sense.form_of:
            if one.word:
                yield FormsRecord(language, one.word, ((entry.word, tag),))


def linked_words(linked: Iterable[Linked], options: Options, language: str | None = None) -> Iterator[WordRecord]:
    """Yield translations, or synonyms in one language; skip words without a language, or too long ones."""
    for one in linked:
        code = one.language or language
        if code and one.word and len(one.word) <= MOST_WORD_LETTERS:
            note = joined(one.qualifier, one.note, *one.notes, *one.tags, *one.raw_tags)
            yield WordRecord(options.code(code), one.word, roman=one.roman, note=note)


def merged(words: Iterable[WordRecord]) -> tuple[WordRecord, ...]:
    """Merge repeated words and their notes."""
    kept: dict[tuple[str, str], WordRecord] = {}
    for one in words:
        known = kept.get((one.language, one.text))
        if known is not None:
            roman = one.roman if known.roman and one.roman != known.roman else None
            known = msgspec.structs.replace(known, roman=known.roman or one.roman)
        kept[one.language, one.text] = noted(known, (roman, one.note)) if known else one
    return tuple(kept.values())


def noted(word: WordRecord, remarks: Iterable[str | None]) -> WordRecord:
    """Add remarks to the note of a word, unless it becomes too long."""
    return msgspec.structs.replace(word, note=fitting(joined(word.note, *remarks)) or word.note)


def fitting(text: str | None) -> str | None:
    """Return a text; None if it is empty or too long for a field."""
    return text if text and len(text) <= MOST_TEXT_LETTERS else None


# --- assignment of related words to meanings -------------------------------------------------------------------------


NO_SENSES: Final = frozenset({"translations", "translations to be checked"})
"""Headings of translation tables that name no sense."""

_BETWEEN_WORDS: Final = re.compile(r"[\s.,;:!?()\[\]\"“”„…]+")


class Links(NamedTuple):
    """Other words of a meaning, its names in translation tables, and notes on related words."""

    translations: list[Linked]
    synonyms: list[Linked]
    glosses: list[str]
    notes: list[str]


def links_of(entry: Entry) -> tuple[list[Links], dict[str, list[Linked]]]:
    """Assign words to meanings; return translations of other senses by the names of these."""
    meanings = entry.meanings
    places = _Places(entry)
    links = [Links([*one.translations], [*one.synonyms], [], []) for one in meanings]
    others: dict[str, list[Linked]] = {}
    for one in entry.translations:
        place = places.find(one)
        if place is None:
            others.setdefault(_sense_name(one), []).append(one)
        else:
            links[place].translations.append(one)
            links[place].glosses.append(_sense_name(one))
    for one in entry.synonyms:
        if (place := places.find(one)) is not None:
            links[place].synonyms.append(one)
    for name in RELATIONS:
        related = [[*getattr(one, name)] for one in meanings]
        for one in getattr(entry, name):
            if (place := places.find(one)) is not None:
                related[place].append(one)
        for link, found in zip(links, related, strict=True):
            if words := ", ".join(dict.fromkeys(one.word for one in found if one.word)):
                link.notes.append(f"{name}: {words}")
    return links, others


@lru_cache(4096)
def plain(text: str | None) -> str:
    """Return a text in lower case and without punctuation, for comparison."""
    return _BETWEEN_WORDS.sub(" ", nfc(text or "").casefold()).strip()


def _sense_name(one: Linked) -> str:
    return "" if plain(one.sense) in NO_SENSES else one.sense or ""


class _Places:
    """The meanings of an entry by gloss and number."""

    def __init__(self, entry: Entry) -> None:
        meanings = entry.meanings
        self._glosses = [plain(one.glosses[-1]) for one in meanings]
        self._numbers: dict[str, int] = {}
        for place, one in enumerate(meanings):
            names = one.senseid if isinstance(one.senseid, list) else [one.senseid]
            self._numbers |= {str(name): place for name in (one.sense_index, *names) if name}
        if not self._numbers:
            # The French edition counts senses, but does not number them in the data.
            self._numbers = {str(entry.senses.index(one) + 1): place for place, one in enumerate(meanings)}

    def find(self, one: Linked) -> int | None:
        """Return the index of a word's meaning: by its gloss or number, or the only one; None if it is unknown."""
        said = plain(_sense_name(one))
        if said in self._glosses:
            return self._glosses.index(said)
        number = one.sense_index or one.sense_id
        if number and str(number) in self._numbers:
            return self._numbers[str(number)]
        begun = [place for place, gloss in enumerate(self._glosses) if said and gloss.startswith(f"{said} ")]
        if len(begun) == 1 or len(self._glosses) == 1:
            return begun[0] if begun else 0
        return None
