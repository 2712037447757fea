"""What Hunspell is told of the letters of a language: which make up words, which are one, which are mistaken."""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from assamese.keys import sound_key
from assamese.normalization import APOSTROPHES

MOST_LETTERS: Final = 75
"""Letters of a word: Hunspell looks at no more than 256 bytes."""

APOSTROPHE: Final = "’"
"""How every apostrophe is written in the lists; whichever people type is read as this one."""

TYPED: Final = "'"
JOINERS: Final = frozenset("-‑·\u200c\u200d")
"""What stands within words and is no letter. Any other sign parts words."""

BEFORE_SIGNS: Final = "ক"
"""A consonant, with which vowel signs make a syllable."""

INDIC: Final = range(0x0900, 0x0D80)
"""Where letters with a dot below are, which Unicode writes in two ways (য়, and য with ়)."""

BREAKS: Final = ("-", "^-", "-$", f"^{APOSTROPHE}", f"{APOSTROPHE}$")
"""Where a word that is not listed may be parted: at hyphens, and from apostrophes around it."""


def spelled_words(text: str) -> Iterator[str]:
    """List the words of a text as a spelling checker sees them; numbers and signs are none, nor what is too long."""
    spelled = "".join(_as_spelled(letter) for letter in text)
    for word in spelled.split():
        if len(word) <= MOST_LETTERS and any(map(str.isalpha, word)):
            yield word


@lru_cache(maxsize=4096)
def _as_spelled(letter: str) -> str:
    if letter in APOSTROPHES:
        return APOSTROPHE
    return letter if letter in JOINERS or unicodedata.category(letter)[0] in "LMN" else " "


class Spelling:
    """The letters of the words of a language."""

    def __init__(self, code: str) -> None:
        """Begin with none, of the language with a code."""
        self._code = code
        self._letters: Counter[str] = Counter()

    def learn(self, word: str) -> None:
        """Take the letters of a headword."""
        self._letters.update(word)

    def options(self) -> str:
        """Write the options that tell of letters."""
        common = sorted(self._letters, key=lambda one: (-self._letters[one], one))
        used = [one for one in common if _as_spelled(one) == one and not one.isspace()]
        of_words = "".join(sorted({one for one in used if not one.isalpha()} | self._apostrophes()))
        options = ["SET UTF-8", "FLAG num", f"LANG {self._code.replace('-', '_')}", f"TRY {''.join(used)}"]
        options += [f"WORDCHARS {of_words}"] if of_words else []
        options += _counted("BREAK", BREAKS)
        options += _counted("ICONV", [f"{one} {other}" for one, other in self._read_as(used)])
        options += _counted("OCONV", [f"{APOSTROPHE} {TYPED}"] if self._is_typed() else [])
        options += _counted("MAP", self._mistaken(used))
        return "".join(f"{line}\n" for line in options)

    def _apostrophes(self) -> set[str]:
        return {APOSTROPHE, TYPED} if self._letters.keys() & APOSTROPHES else set()

    def _is_typed(self) -> bool:
        return self._letters[TYPED] > self._letters[APOSTROPHE]

    def _read_as(self, used: list[str]) -> Iterator[tuple[str, str]]:
        """Yield what is read as something else: other apostrophes, and letters that Unicode writes in two ways."""
        if self._apostrophes():
            yield from ((one, APOSTROPHE) for one in sorted(APOSTROPHES - {APOSTROPHE}))
        for letter in map(chr, INDIC):
            plain = unicodedata.normalize("NFC", letter)
            if plain != letter and set(plain) <= set(used):
                yield letter, plain

    def _mistaken(self, used: list[str]) -> list[str]:
        """List letters that are taken for each other: those that sound alike, vowel signs behind a consonant."""
        alike: defaultdict[str, list[str]] = defaultdict(list)
        for letter in sorted(used):
            if letter in JOINERS or letter in APOSTROPHES or letter != letter.lower():
                continue
            heard = sound_key(letter if letter.isalpha() else BEFORE_SIGNS + letter, self._code)
            if heard not in {"", sound_key(BEFORE_SIGNS, self._code)}:
                alike[heard].append(letter)
        return ["".join(letters) for letters in alike.values() if len(letters) > 1]


def _counted(name: str, values: "tuple[str, ...] | list[str]") -> list[str]:
    return [f"{name} {len(values)}", *(f"{name} {value}" for value in values)] if values else []
