"""Writing systems as LIFT names them: the language, and whether it is spelled, romanized, transcribed or recorded."""

from functools import cache
from typing import Final, NamedTuple

from abhidhan.formats.importer_api import Options
from abhidhan.formats.languages import canonical_code, describe_language
from abhidhan.formats.lift.vocabulary import RESPELL, ROMAN

SCRIPT_LETTERS: Final = 4
LATIN: Final = "Latn"
UNWRITTEN: Final = "Zxxx"
PHONETIC: Final = frozenset({"fonipa", "fonxsamp", "etic", "emic"})


class WritingSystem(NamedTuple):
    """A tag taken apart: `language` is its first part; `about` are variants and what is private."""

    language: str
    script: str | None
    about: frozenset[str]

    @property
    def is_audio(self) -> bool:
        """Say whether its texts are names of recordings."""
        return self.script == UNWRITTEN or "audio" in self.about

    @property
    def is_phonetic(self) -> bool:
        """Say whether its texts are in IPA."""
        return bool(self.about & PHONETIC)

    @property
    def is_spelling(self) -> bool:
        """Say whether its texts may be how words are spelled."""
        return not (self.is_audio or self.is_phonetic or self.about & {ROMAN, RESPELL})


@cache
def writing_system(tag: str) -> WritingSystem:
    """Take a tag apart: `as-Latn`, `tww-fonipa`, `qaa-Zxxx-x-audio`."""
    language, *others = tag.replace("_", "-").split("-")
    scripts = (part.title() for part in others if len(part) == SCRIPT_LETTERS and part.isalpha())
    return WritingSystem(language.lower(), next(scripts, None), frozenset(part.lower() for part in others))


def code_of(tag: str, options: Options) -> str:
    """Return the code of the language of a tag: as the mapping says, else without what is the language's own script."""
    mapped = options.values.get("language", {})
    system = writing_system(tag)
    return mapped.get(tag) or mapped.get(system.language) or _code(tag)


@cache
def _code(tag: str) -> str:
    system = writing_system(tag)
    code = canonical_code(system.language)
    whole = canonical_code(tag) if system.is_spelling else code
    if code is None:
        return tag
    return code if whole is None or system.script == script_of(code) else whole


@cache
def script_of(code: str) -> str:
    """Return the script in which a language is usually written."""
    return describe_language(code).script


def roman_tag(code: str) -> str:
    """Name the romanization of a language."""
    language, *others = code.split("-")
    if writing_system(code).script == LATIN or (not others and script_of(code) == LATIN):
        return f"{code}-x-{ROMAN}"
    return "-".join((language, LATIN, *(part for part in others if len(part) != SCRIPT_LETTERS), "x", ROMAN))


def phonetic_tag(code: str) -> str:
    """Name the transcription of a language in IPA."""
    return f"{code}-fonipa"


def respelling_tag(code: str) -> str:
    """Name the pronunciation of a language's words in Assamese letters."""
    language = code.split("-", maxsplit=1)[0]
    return f"{language}-Beng-x-{RESPELL}"
