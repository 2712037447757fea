"""Highlighting of the headwords of an entry, and of their inflected forms, in its examples."""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

VERBAL_NOUN_ENDING: Final = "া"
"""Ending of the headword of an Assamese verb; inflected forms are built from the stem before it."""

MIN_LONG_STEM_LENGTH: Final = 4
"""Minimum length of a stem for which any word that begins with it counts as a form."""

SHORT_STEM_ENDINGS: Final = (
    *("ৰ", "ক", "ত", "লৈ", "ে", "য়ে", "ই", "ো", "টো", "টি", "জন", "জনী", "খন", "খিনি", "বোৰ", "বিলাক", "হঁত", "সকল"),
    *("s", "es", "ed", "d", "ing", "er", "'s", "’s"),
)
"""Endings that make a word a form of a short stem; with other endings, it is a different word."""

_WORD: Final = re.compile(r"[^\s।॥,.?!;:\"“”‘()\[\]…—–-]+")


def mark_forms(text: str, words: Iterable[str], forms: Collection[str] = ()) -> list[tuple[str, bool]]:
    """Split a text into pieces, each with a flag: whether it is one of `forms` or looks like a form of `words`."""
    stems = tuple(dict.fromkeys(stem for word in words for stem in _derive_stems(word.casefold())))
    return [piece for piece in _iter_pieces(text, stems, forms) if piece[0]]


def _iter_pieces(text: str, stems: tuple[str, ...], forms: Collection[str]) -> Iterator[tuple[str, bool]]:
    end = 0
    for match in _WORD.finditer(text):
        if match[0] in forms or any(_is_form(match[0].casefold(), stem) for stem in stems):
            yield text[end : match.start()], False
            yield match[0], True
            end = match.end()
    yield text[end:], False


def _derive_stems(word: str) -> tuple[str, ...]:
    """Return the stems of a headword's forms; if it has several words, those of the longest one."""
    longest = max(word.split(), key=len, default="")
    stem = longest.removesuffix(VERBAL_NOUN_ENDING)
    return (longest, stem) if len(stem) > 1 and stem != longest else (longest,) if longest else ()


def _is_form(word: str, stem: str) -> bool:
    ending = word.removeprefix(stem)
    return word.startswith(stem) and (
        not ending or len(stem) >= MIN_LONG_STEM_LENGTH or ending.startswith(SHORT_STEM_ENDINGS)
    )
