"""Words in brief, for programs that read much at once: what matters most of a word, and never more than so much."""

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from abhidhan.domain.words import Meaning, Word

MOST_MEANINGS: Final = 6
MOST_TRANSLATIONS: Final = 12
MOST_EXAMPLES: Final = 2
LONGEST_TEXT: Final = 600
"""Maximum number of meanings of a word, of words and examples of a meaning, and of letters of a text."""


class BriefMeaning(msgspec.Struct, frozen=True, omit_defaults=True):
    """A meaning in brief: texts and words by the code or the name of their language."""

    idea_id: int
    part_of_speech: str | None = None
    contexts: tuple[str, ...] = ()
    definitions: dict[str, str] = {}
    translations: dict[str, tuple[str, ...]] = {}
    examples: tuple[str, ...] = ()
    reference: str | None = None


class BriefWord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A word in brief. `more_meanings` is how many of its meanings are left out."""

    id: int
    word: str
    language: str
    roman: str | None = None
    ipa: str | None = None
    origin: str | None = None
    meanings: tuple[BriefMeaning, ...] = ()
    more_meanings: int = 0


def brief_word(word: Word, codes: Mapping[int, str]) -> BriefWord:
    """Return a word in brief; `codes` are those of the languages, by ID."""
    meanings = list(word.meanings)
    return BriefWord(
        id=word.id,
        word=word.word,
        language=codes[word.language_id],
        roman=word.roman,
        ipa=word.given_ipa,
        origin=_shortened(word.origin),
        meanings=tuple(_brief_meaning(each, codes) for each in meanings[:MOST_MEANINGS]),
        more_meanings=max(0, len(meanings) - MOST_MEANINGS),
    )


def _brief_meaning(meaning: Meaning, codes: Mapping[int, str]) -> BriefMeaning:
    definitions: dict[str, str] = {}
    for each in meaning.definitions:
        definitions.setdefault(codes[each.language_id], _shortened(each.text) or "")
    return BriefMeaning(
        idea_id=meaning.idea_id,
        part_of_speech=meaning.pos.value if meaning.pos else None,
        contexts=tuple(each.value for each in meaning.contexts),
        definitions=definitions,
        translations=_by_language(
            (codes[each.language_id], each.word) for each in list(meaning.translations)[:MOST_TRANSLATIONS]
        ),
        examples=tuple(_shortened(each.text) or "" for each in list(meaning.examples)[:MOST_EXAMPLES]),
        reference=_shortened(meaning.reference),
    )


def _by_language(words: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for code, word in words:
        found[code] = (*found.get(code, ()), word)
    return found


def _shortened(text: str | None) -> str | None:
    """Cut a long text, and show that it goes on."""
    return text if text is None or len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1].rstrip() + "…"
