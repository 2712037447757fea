"""The headword of a LIFT entry: its spelling, pronunciation and other properties."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from abhidhan.formats.importer_api import Options, given
from abhidhan.formats.lift.multitext import (
    LATIN,
    Form,
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
"""The type of an etymology that consists only of a text."""

TRUTHS: Final = {"true": True, "false": False}
"""The values of the trait `countable`."""

COMMENT: Final = "comment"
"""The type of the field for the comment of an etymology."""


class Head(NamedTuple):
    """A headword, and its inflected forms with their tags."""

    word: WordRecord
    tagged: tuple[tuple[str, str], ...] = ()


class Reading(NamedTuple):
    """The settings for reading a file: the user's options, and in our own files the languages of entries."""

    options: Options
    own: frozenset[str] = frozenset()

    def code(self, tag: str) -> str:
        """Return the code of a tag's language."""
        return tag if tag in self.own else code_of(tag, self.options)


def head_of(entry: Element, reading: Reading) -> Head | None:
    """Parse the headword; None if there is none. The citation form takes precedence over the lexical unit."""
    written = _written(entry)
    form = spelling_of(entry, reading)
    if form is None:
        return None
    code = _language(form, reading)
    said = [each for one in entry.findall("pronunciation") for each in forms_of(one)]
    variants = entry.findall("variant")
    plain = [one for one in variants if trait_of(one, PARADIGM) is None]
    roman = _romanization(written, form, code)
    word = WordRecord(
        code,
        form.text,
        roman=roman,
        ipa=_pronunciation([*written, *said], {*written}),
        asm=next((one.text for one in said if RESPELL in writing_system(one.tag).about), None),
        variant=_mapped(trait_of(entry, DIALECT), reading.options.values.get("variant", {})),
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
    return Head(word, tuple(_tagged(variants)))


def spelling_of(entry: Element, reading: Reading) -> Form | None:
    """Return the spelling of a word: in the user's language and its own script if possible, else the first one."""
    spelled = [form for form in _written(entry) if writing_system(form.tag).is_spelling]
    wanted = reading.options.code(reading.options.language) if reading.options.language else None
    of_language = [form for form in spelled if wanted and form.tag and reading.code(form.tag) == wanted] or spelled
    own = [form for form in of_language if writing_system(form.tag).script is None]
    return next(iter(own or of_language), None)


def _written(entry: Element) -> list[Form]:
    return [*forms_of(entry.find("citation")), *forms_of(entry.find("lexical-unit"))]


def _language(form: Form, reading: Reading) -> str:
    if form.tag:
        return reading.code(form.tag)
    return reading.options.own_language()


def _romanization(written: list[Form], head: Form, code: str) -> str | None:
    if (writing_system(head.tag).script or script_of(code)) == LATIN:
        return next((form.text for form in written if "roman" in writing_system(form.tag).about), None)
    return next((form.text for form in written if writing_system(form.tag).script == LATIN and _is_text(form)), None)


def _is_text(form: Form) -> bool:
    system = writing_system(form.tag)
    return not (system.is_audio or system.is_phonetic)


def _pronunciation(forms: list[Form], spelled: set[Form]) -> str | None:
    """Return the transcriptions, which some users of FieldWorks enter in the headword's writing system."""
    phonetic = [form for form in forms if writing_system(form.tag).is_phonetic]
    others = [form for form in forms if form not in spelled and writing_system(form.tag).is_spelling]
    return ", ".join(dict.fromkeys(given(*(form.text.strip("/[] ") for form in phonetic or others)))) or None


def _forms(written: list[Form], head: Form, roman: str | None) -> Iterator[str]:
    for form in written:
        if writing_system(form.tag).is_spelling and form.text not in {head.text, roman}:
            yield form.text


def _tagged(variants: list[Element]) -> Iterator[tuple[str, str]]:
    for one in variants:
        tag = trait_of(one, PARADIGM)
        if tag is not None:
            yield from ((form.text, tag) for form in forms_of(one) if writing_system(form.tag).is_spelling)


def _origin(etymology: Element) -> str:
    """Format an etymology on one line: type, source language, form and gloss, then the comment."""
    comment = "; ".join(texts_of(one) for one in etymology.findall("field") if type_of(one) == COMMENT)
    kind = etymology.get("type", "") if etymology.get("type") != OWN_ORIGIN else ""
    form = " ".join(form.text for form in forms_of(etymology))
    gloss = ", ".join(gloss.text for gloss in forms_of(etymology, "gloss"))
    told = " ".join(given(etymology.get("source", "").strip(), form, f"‘{gloss}’" if gloss else None))
    return "; ".join(given(": ".join(given(kind.strip(), told)), comment))


def _mapped(value: str | None, mapped: Mapping[str, str]) -> str | None:
    return mapped.get(value, value) if value else None


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None
