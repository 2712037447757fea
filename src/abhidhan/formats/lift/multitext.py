"""Texts of LIFT: forms in several writing systems, traits, fields and notes."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.languages import canonical_code, describe_language
from abhidhan.formats.lift.vocabulary import GUID_PATTERN, LINE_SEPARATOR, RESPELLING_SUBTAG, ROMAN_SUBTAG

_LINE_BREAK: Final = re.compile(r"[ \t]*[\r\n]+[ \t]*")
_GUID_AT_END: Final = re.compile(rf"(?:.*_)?({GUID_PATTERN})", re.DOTALL)


class LiftForm(NamedTuple):
    """A text and the tag of its writing system, which is empty if the file has none."""

    tag: str
    text: str


def iter_forms(element: Element | None, name: str = "form") -> Iterator[LiftForm]:
    """Yield the non-empty forms of an element."""
    for form in element.findall(name) if element is not None else ():
        if text := get_plain_text(form.find("text")):
            yield LiftForm(form.get("lang", "").strip(), text)


def get_plain_text(element: Element | None) -> str:
    """Return a text without markup. FieldWorks' line separators become newlines, line breaks in the XML spaces."""
    if element is None:
        return ""
    return _LINE_BREAK.sub(" ", "".join(element.itertext())).replace(LINE_SEPARATOR, "\n").strip()


def join_texts(element: Element | None) -> str:
    """Return the texts of an element in all writing systems, without duplicates."""
    return " / ".join(dict.fromkeys(form.text for form in iter_forms(element)))


def iter_traits(element: Element, *names: str) -> Iterator[str]:
    """Yield the values of traits with the given names."""
    yield from (
        value for trait in element.findall("trait") if trait.get("name") in names if (value := _get_value(trait))
    )


def _get_value(trait: Element) -> str:
    return trait.get("value", "").strip()


def get_trait(element: Element, *names: str) -> str | None:
    """Return the value of the first trait with one of the names."""
    return next(iter_traits(element, *names), None)


def get_field(element: Element, name: str) -> str | None:
    """Return the text of a field, in its first writing system."""
    texts = (form.text for field in element.findall("field") if get_type(field) == name for form in iter_forms(field))
    return next(texts, None)


def iter_notes(element: Element, *names: str | None) -> Iterator[str]:
    """Yield the notes of the given types; None stands for notes without a type."""
    yield from (text for note in element.findall("note") if note.get("type") in names if (text := join_texts(note)))


def get_type(element: Element) -> str:
    """Return the type of a note or field. In LIFT 0.15 the type of a field is in its `name`."""
    return element.get("type") or element.get("name") or ""


def iter_labelled_texts(element: Element, child_tag: str, excluded_types: frozenset[str]) -> Iterator[str]:
    """Yield the notes or fields of an element as `type: text`, except those of the excluded types."""
    for node in element.findall(child_tag):
        kind = get_type(node)
        if kind and kind not in excluded_types and (text := join_texts(node)):
            yield f"{kind}: {text}"


def iter_child_remarks(element: Element, child_tag: str, excluded_types: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the notes, fields and usages of an element's children with a tag, except those of the excluded types."""
    for child in element.findall(child_tag):
        yield from iter_notes(child, None)
        yield from iter_labelled_texts(child, "note", excluded_types)
        yield from iter_labelled_texts(child, "field", excluded_types)
        yield from (f"usage: {text}" for usage in child.findall("usage") if (text := join_texts(usage)))


def get_guid(element: Element) -> str | None:
    """Return FieldWorks' GUID of an entry or a sense."""
    match = _GUID_AT_END.fullmatch(element.get("guid") or element.get("id") or "")
    return match[1] if match else None


def strip_guid(identifier: str) -> str:
    """Return a FieldWorks ID without its GUID, which leaves the word."""
    match = _GUID_AT_END.fullmatch(identifier)
    return identifier[: -len(match[1])].rstrip("_") if match else identifier


def get_timestamp(element: Element, name: str) -> int | None:
    """Parse a date attribute as a Unix timestamp, as UTC if it has no time zone; None if it is missing or invalid."""
    try:
        moment = datetime.fromisoformat(element.get(name, ""))
        return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError):
        return None


# --- writing systems ------------------------------------------------------------------------------------------------


SCRIPT_LENGTH: Final = 4
LATIN_SCRIPT: Final = "Latn"
UNWRITTEN_SCRIPT: Final = "Zxxx"
PHONETIC_SUBTAGS: Final = frozenset({"fonipa", "fonxsamp", "etic", "emic"})


class WritingSystem(NamedTuple):
    """A parsed writing system tag: its language, its script if any, and all of its subtags."""

    language: str
    script: str | None
    subtags: frozenset[str]

    @property
    def is_audio(self) -> bool:
        """True if the texts are names of recordings."""
        return self.script == UNWRITTEN_SCRIPT or "audio" in self.subtags

    @property
    def is_phonetic(self) -> bool:
        """True if the texts are in IPA."""
        return bool(self.subtags & PHONETIC_SUBTAGS)

    @property
    def is_spelling(self) -> bool:
        """True if the texts may be spellings of words."""
        return not (self.is_audio or self.is_phonetic or self.subtags & {ROMAN_SUBTAG, RESPELLING_SUBTAG})


@cache
def parse_writing_system(tag: str) -> WritingSystem:
    """Parse the tag of a writing system: `as-Latn`, `tww-fonipa`, `qaa-Zxxx-x-audio`."""
    language, *subtags = tag.replace("_", "-").split("-")
    scripts = (part.title() for part in subtags if len(part) == SCRIPT_LENGTH and part.isalpha())
    return WritingSystem(language.lower(), next(scripts, None), frozenset(part.lower() for part in subtags))


def get_language_code(tag: str, options: ImportOptions) -> str:
    """Return the language code of a tag: the user's mapping, else the tag without the language's usual script."""
    mapped = options.values.get("language", {})
    system = parse_writing_system(tag)
    return mapped.get(tag) or mapped.get(system.language) or _derive_language_code(tag)


@cache
def _derive_language_code(tag: str) -> str:
    system = parse_writing_system(tag)
    code = canonical_code(system.language)
    whole = canonical_code(tag) if system.is_spelling else code
    if code is None:
        return tag
    return code if whole is None or system.script == get_usual_script(code) else whole


@cache
def get_usual_script(code: str) -> str:
    """Return the script in which a language is usually written."""
    return describe_language(code).script


def roman_tag(code: str) -> str:
    """Return the tag of a language's romanization."""
    language, *subtags = code.split("-")
    if parse_writing_system(code).script == LATIN_SCRIPT or (not subtags and get_usual_script(code) == LATIN_SCRIPT):
        return f"{code}-x-{ROMAN_SUBTAG}"
    return "-".join(
        (language, LATIN_SCRIPT, *(part for part in subtags if len(part) != SCRIPT_LENGTH), "x", ROMAN_SUBTAG)
    )


def phonetic_tag(code: str) -> str:
    """Return the tag of a language's transcription in IPA."""
    return f"{code}-fonipa"


def respelling_tag(code: str) -> str:
    """Return the tag of a language's pronunciation in Assamese letters."""
    language = code.split("-", maxsplit=1)[0]
    return f"{language}-Beng-x-{RESPELLING_SUBTAG}"
