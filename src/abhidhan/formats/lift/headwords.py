"""The headword of a LIFT entry: its spelling, pronunciation and other properties."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from abhidhan.formats.importer_api import ImportOptions, drop_empty
from abhidhan.formats.lift.multitext import (
    LATIN_SCRIPT,
    LiftForm,
    get_field,
    get_language_code,
    get_timestamp,
    get_trait,
    get_type,
    get_usual_script,
    iter_forms,
    join_texts,
    parse_writing_system,
)
from abhidhan.formats.lift.vocabulary import DIALECT_TRAIT, PARADIGM_TRAIT, RESPELLING_SUBTAG
from abhidhan.records.kinds import WordRecord

ORIGIN_TYPE: Final = "origin"
"""Type of etymologies in files written by Abhidhan, where an etymology is only a text."""

BOOLEAN_VALUES: Final = {"true": True, "false": False}
"""The values of the trait `countable`."""

COMMENT_TYPE: Final = "comment"
"""The type of the field for the comment of an etymology."""


class LiftHeadword(NamedTuple):
    """A headword, and its inflected forms with their tags."""

    word: WordRecord
    tagged_forms: tuple[tuple[str, str], ...] = ()


class ReadSettings(NamedTuple):
    """Settings for reading a file: the user's options, and in Abhidhan's files the languages that have entries."""

    options: ImportOptions
    entry_languages: frozenset[str] = frozenset()

    def map_tag(self, tag: str) -> str:
        """Return the language code of a writing system tag."""
        return tag if tag in self.entry_languages else get_language_code(tag, self.options)


def parse_headword(entry: Element, settings: ReadSettings) -> LiftHeadword | None:
    """Parse the headword of an entry, preferably from its citation form, else the lexical unit; None without one."""
    headword_forms = _list_headword_forms(entry)
    form = choose_spelling(entry, settings)
    if form is None:
        return None
    code = _find_language(form, settings)
    pronunciations = [each for one in entry.findall("pronunciation") for each in iter_forms(one)]
    variants = entry.findall("variant")
    plain_variants = [one for one in variants if get_trait(one, PARADIGM_TRAIT) is None]
    roman = _choose_romanization(headword_forms, form, code)
    word = WordRecord(
        code,
        form.text,
        roman=roman,
        ipa=_choose_pronunciation([*headword_forms, *pronunciations], {*headword_forms}),
        asm=next(
            (one.text for one in pronunciations if RESPELLING_SUBTAG in parse_writing_system(one.tag).subtags), None
        ),
        variant=_map_value(get_trait(entry, DIALECT_TRAIT), settings.options.values.get("variant", {})),
        origin="; ".join(filter(None, map(_format_origin, entry.findall("etymology")))) or None,
        countable=BOOLEAN_VALUES.get(get_trait(entry, "countable") or ""),
        plural=get_field(entry, "plural-classifier"),
        definitive=get_field(entry, "definitive-classifier"),
        frequency=_parse_number(get_trait(entry, "frequency")),
        frequency_source=get_trait(entry, "frequency-source"),
        forms=tuple(
            dict.fromkeys(
                _iter_spellings([*headword_forms, *chain.from_iterable(map(iter_forms, plain_variants))], form, roman)
            )
        ),
        created=get_timestamp(entry, "dateCreated"),
        updated=get_timestamp(entry, "dateModified"),
    )
    return LiftHeadword(word, tuple(_iter_tagged_forms(variants)))


def choose_spelling(entry: Element, settings: ReadSettings) -> LiftForm | None:
    """Return the headword's spelling: preferably in the user's language and its usual script, else the first one."""
    spellings = [form for form in _list_headword_forms(entry) if parse_writing_system(form.tag).is_spelling]
    language = settings.options.map_language(settings.options.language) if settings.options.language else None
    language_forms = [
        form for form in spellings if language and form.tag and settings.map_tag(form.tag) == language
    ] or spellings
    native_forms = [form for form in language_forms if parse_writing_system(form.tag).script is None]
    return next(iter(native_forms or language_forms), None)


def _list_headword_forms(entry: Element) -> list[LiftForm]:
    return [*iter_forms(entry.find("citation")), *iter_forms(entry.find("lexical-unit"))]


def _find_language(form: LiftForm, settings: ReadSettings) -> str:
    if form.tag:
        return settings.map_tag(form.tag)
    return settings.options.require_language()


def _choose_romanization(forms: list[LiftForm], headword: LiftForm, code: str) -> str | None:
    if (parse_writing_system(headword.tag).script or get_usual_script(code)) == LATIN_SCRIPT:
        return next((form.text for form in forms if "roman" in parse_writing_system(form.tag).subtags), None)
    return next(
        (form.text for form in forms if parse_writing_system(form.tag).script == LATIN_SCRIPT and _is_text(form)), None
    )


def _is_text(form: LiftForm) -> bool:
    system = parse_writing_system(form.tag)
    return not (system.is_audio or system.is_phonetic)


def _choose_pronunciation(forms: list[LiftForm], headword_forms: set[LiftForm]) -> str | None:
    """Return the transcriptions; some FieldWorks users enter them in the writing system of the headword."""
    phonetic = [form for form in forms if parse_writing_system(form.tag).is_phonetic]
    spellings = [form for form in forms if form not in headword_forms and parse_writing_system(form.tag).is_spelling]
    return ", ".join(dict.fromkeys(drop_empty(*(form.text.strip("/[] ") for form in phonetic or spellings)))) or None


def _iter_spellings(forms: list[LiftForm], headword: LiftForm, roman: str | None) -> Iterator[str]:
    for form in forms:
        if parse_writing_system(form.tag).is_spelling and form.text not in {headword.text, roman}:
            yield form.text


def _iter_tagged_forms(variants: list[Element]) -> Iterator[tuple[str, str]]:
    for variant in variants:
        tag = get_trait(variant, PARADIGM_TRAIT)
        if tag is not None:
            yield from ((form.text, tag) for form in iter_forms(variant) if parse_writing_system(form.tag).is_spelling)


def _format_origin(etymology: Element) -> str:
    """Format an etymology on one line: type, source language, form and gloss, then the comment."""
    comment = "; ".join(join_texts(field) for field in etymology.findall("field") if get_type(field) == COMMENT_TYPE)
    kind = etymology.get("type", "") if etymology.get("type") != ORIGIN_TYPE else ""
    form = " ".join(form.text for form in iter_forms(etymology))
    gloss = ", ".join(gloss.text for gloss in iter_forms(etymology, "gloss"))
    description = " ".join(drop_empty(etymology.get("source", "").strip(), form, f"‘{gloss}’" if gloss else None))
    return "; ".join(drop_empty(": ".join(drop_empty(kind.strip(), description)), comment))


def _map_value(value: str | None, mapped: Mapping[str, str]) -> str | None:
    return mapped.get(value, value) if value else None


def _parse_number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None
