"""The headword of a LIFT entry: its spelling, pronunciation and other properties."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from abhidhan.formats.importer_api import ImportOptions, non_empty
from abhidhan.formats.lift.multitext import (
    LATIN,
    LiftForm,
    code_of,
    field_of,
    forms_of,
    moment_of,
    script_of,
    texts_of,
    trait_of,
    type_of,
    writing_system,
)
from abhidhan.formats.lift.vocabulary import DIALECT, PARADIGM, RESPELL
from abhidhan.records.kinds import WordRecord

OWN_ORIGIN: Final = "origin"
"""Type of etymologies in files written by Abhidhan, where an etymology is only a text."""

TRUTHS: Final = {"true": True, "false": False}
"""The values of the trait `countable`."""

COMMENT: Final = "comment"
"""The type of the field for the comment of an etymology."""


class LiftHeadword(NamedTuple):
    """A headword, and its inflected forms with their tags."""

    word: WordRecord
    tagged_forms: tuple[tuple[str, str], ...] = ()


class ReadSettings(NamedTuple):
    """Settings for reading a file: the user's options, and in Abhidhan's files the languages that have entries."""

    options: ImportOptions
    own_languages: frozenset[str] = frozenset()

    def code(self, tag: str) -> str:
        """Return the language code of a writing system tag."""
        return tag if tag in self.own_languages else code_of(tag, self.options)


def head_of(entry: Element, reading: ReadSettings) -> LiftHeadword | None:
    """Parse the headword of an entry, preferably from its citation form, else the lexical unit; None without one."""
    written = _headword_forms(entry)
    form = spelling_of(entry, reading)
    if form is None:
        return None
    code = _language(form, reading)
    pronunciations = [each for one in entry.findall("pronunciation") for each in forms_of(one)]
    variants = entry.findall("variant")
    plain = [one for one in variants if trait_of(one, PARADIGM) is None]
    roman = _romanization(written, form, code)
    word = WordRecord(
        code,
        form.text,
        roman=roman,
        ipa=_pronunciation([*written, *pronunciations], {*written}),
        asm=next((one.text for one in pronunciations if RESPELL in writing_system(one.tag).about), None),
        variant=_map_value(trait_of(entry, DIALECT), reading.options.values.get("variant", {})),
        origin="; ".join(filter(None, map(_origin, entry.findall("etymology")))) or None,
        countable=TRUTHS.get(trait_of(entry, "countable") or ""),
        plural=field_of(entry, "plural-classifier"),
        definitive=field_of(entry, "definitive-classifier"),
        frequency=_number(trait_of(entry, "frequency")),
        frequency_source=trait_of(entry, "frequency-source"),
        forms=tuple(dict.fromkeys(_forms([*written, *chain.from_iterable(map(forms_of, plain))], form, roman))),
        created=moment_of(entry, "dateCreated"),
        updated=moment_of(entry, "dateModified"),
    )
    return LiftHeadword(word, tuple(_tagged_forms(variants)))


def spelling_of(entry: Element, reading: ReadSettings) -> LiftForm | None:
    """Return the headword's spelling: preferably in the user's language and its usual script, else the first one."""
    spelled = [form for form in _headword_forms(entry) if writing_system(form.tag).is_spelling]
    language = reading.options.code(reading.options.language) if reading.options.language else None
    of_language = [form for form in spelled if language and form.tag and reading.code(form.tag) == language] or spelled
    native_forms = [form for form in of_language if writing_system(form.tag).script is None]
    return next(iter(native_forms or of_language), None)


def _headword_forms(entry: Element) -> list[LiftForm]:
    return [*forms_of(entry.find("citation")), *forms_of(entry.find("lexical-unit"))]


def _language(form: LiftForm, reading: ReadSettings) -> str:
    if form.tag:
        return reading.code(form.tag)
    return reading.options.require_language()


def _romanization(written: list[LiftForm], head: LiftForm, code: str) -> str | None:
    if (writing_system(head.tag).script or script_of(code)) == LATIN:
        return next((form.text for form in written if "roman" in writing_system(form.tag).about), None)
    return next((form.text for form in written if writing_system(form.tag).script == LATIN and _is_text(form)), None)


def _is_text(form: LiftForm) -> bool:
    system = writing_system(form.tag)
    return not (system.is_audio or system.is_phonetic)


def _pronunciation(forms: list[LiftForm], spelled: set[LiftForm]) -> str | None:
    """Return the transcriptions; some FieldWorks users enter them in the writing system of the headword."""
    phonetic = [form for form in forms if writing_system(form.tag).is_phonetic]
    spellings = [form for form in forms if form not in spelled and writing_system(form.tag).is_spelling]
    return ", ".join(dict.fromkeys(non_empty(*(form.text.strip("/[] ") for form in phonetic or spellings)))) or None


def _forms(written: list[LiftForm], head: LiftForm, roman: str | None) -> Iterator[str]:
    for form in written:
        if writing_system(form.tag).is_spelling and form.text not in {head.text, roman}:
            yield form.text


def _tagged_forms(variants: list[Element]) -> Iterator[tuple[str, str]]:
    for variant in variants:
        tag = trait_of(variant, PARADIGM)
        if tag is not None:
            yield from ((form.text, tag) for form in forms_of(variant) if writing_system(form.tag).is_spelling)


def _origin(etymology: Element) -> str:
    """Format an etymology on one line: type, source language, form and gloss, then the comment."""
    comment = "; ".join(texts_of(field) for field in etymology.findall("field") if type_of(field) == COMMENT)
    kind = etymology.get("type", "") if etymology.get("type") != OWN_ORIGIN else ""
    form = " ".join(form.text for form in forms_of(etymology))
    gloss = ", ".join(gloss.text for gloss in forms_of(etymology, "gloss"))
    description = " ".join(non_empty(etymology.get("source", "").strip(), form, f"‘{gloss}’" if gloss else None))
    return "; ".join(non_empty(": ".join(non_empty(kind.strip(), description)), comment))


def _map_value(value: str | None, mapped: Mapping[str, str]) -> str | None:
    return mapped.get(value, value) if value else None


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None
