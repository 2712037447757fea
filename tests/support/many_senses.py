"""A word as in large dictionaries: dozens of senses, each with words in many languages."""

from collections.abc import Iterator
from string import ascii_lowercase

from abhidhan.records.kinds import (
    DefinitionRecord,
    ExampleRecord,
    IdeaRecord,
    LanguageRecord,
    Record,
    RelationRecord,
    SourceRecord,
    WordRecord,
)

WIDE_WORD = "vast"
SAME_SPELLING_LANGUAGES = 12
"""Number of languages with a word of the same spelling."""


def make_tag(code: str) -> str:
    """Return the language tag of a private language; browsers accept no other form."""
    return f"qaa-x-{code}"


def make_codes(count: int) -> list[str]:
    """Return the last subtags of the tags of private languages."""
    return [f"{first}{middle}{last}" for first in "qr" for middle in ascii_lowercase[:20] for last in ascii_lowercase][
        :count
    ]


def wide_records(languages: int = 120, senses: int = 20, words_of_each: int = 20) -> Iterator[Record]:
    """Yield languages and the senses of `WIDE_WORD`; the second has words in all languages, the others in some."""
    yield SourceRecord(code="wide", name="Wide", licence="CC0-1.0")
    for number, code in enumerate(make_codes(languages)):
        yield LanguageRecord(
            0, make_tag(code), None, f"{chr(65 + number % 26)}{code} language", f"{code} itself", "Latn"
        )
    for sense in range(senses):
        of_sense = make_codes(languages if sense == 1 else words_of_each)
        yield IdeaRecord(
            "wide",
            f"sense{sense}",
            "Common Noun" if sense % 2 else "Adjective Adjective",
            (
                WordRecord("en", WIDE_WORD),
                WordRecord("en", f"wide{sense}"),
                WordRecord("as", f"বিশাল{'ক' * sense}"),
                *(WordRecord(make_tag(code), f"{code} word {sense}") for code in of_sense),
                *(
                    [WordRecord(make_tag(code), WIDE_WORD) for code in make_codes(SAME_SPELLING_LANGUAGES)]
                    if sense == 0
                    else ()
                ),
            ),
            definitions=(
                DefinitionRecord("en", f"Of a great size in the sense number {sense}, told at some length"),
                *(DefinitionRecord(make_tag(code), f"{code} {sense}: of a great size") for code in of_sense[:15]),
                DefinitionRecord("as", f"অতি ডাঙৰ {sense}"),
            ),
            examples=tuple(ExampleRecord("en", f"a vast plain {number}") for number in range(6)),
            relations=tuple(RelationRecord("Related", f"wide:sense{(sense + step) % senses}") for step in range(1, 13)),
        )
