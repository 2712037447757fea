"""A reader's languages in order of preference, with defaults."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from abhidhan.records.catalogue import Catalogue

MAX_LANGUAGES: Final = 10
"""Maximum number of languages that a reader can choose; suggestions have the same limit."""

DEFAULT_LANGUAGES: Final = ("as", "en")
"""The default codes of the languages that pages show first, after the interface language."""

SEPARATOR: Final = "."
_CODE: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}")


class LanguagePreferences(NamedTuple):
    """The language codes that a reader has chosen, that of the interface, and those of the default languages."""

    chosen: tuple[str, ...] = ()
    interface: str = "en"
    usual: tuple[str, ...] = DEFAULT_LANGUAGES

    @property
    def usual_codes(self) -> tuple[str, ...]:
        """The codes that apply if the reader has chosen no languages, in order of preference."""
        return tuple(dict.fromkeys((self.interface, *self.usual)))

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the reader's languages, in order of preference."""
        return self.chosen or self.usual_codes


def read_codes(text: str) -> tuple[str, ...]:
    """Parse language codes from a cookie; drop duplicates and invalid codes."""
    codes = (code for code in text.split(SEPARATOR) if _CODE.fullmatch(code))
    return tuple(dict.fromkeys(codes))[:MAX_LANGUAGES]


def write_codes(codes: Iterable[str]) -> str:
    """Join language codes for a cookie."""
    return SEPARATOR.join(codes)


def languages_of(reader: LanguagePreferences, catalogue: Catalogue) -> tuple[int, ...]:
    """Return the IDs of a reader's languages, in order of preference.

    If the reader has chosen none, or only languages that the dictionary lacks, these are the default ones.
    """
    for codes in (reader.codes, reader.usual_codes):
        language_ids = [language.id for code in codes if (language := catalogue.find_language(code))]
        if language_ids:
            return tuple(dict.fromkeys(language_ids))
    return ()


def update_codes(reader: LanguagePreferences, add: str = "", remove: str = "", earlier: str = "") -> tuple[str, ...]:
    """Return the codes of a reader's languages after adding one, removing one or moving one up by one place.

    The first change starts from the default languages. Nothing is added beyond `MAX_LANGUAGES` languages.
    """
    codes = reader.codes
    if add and _CODE.fullmatch(add) and add not in codes and len(codes) < MAX_LANGUAGES:
        codes = (*codes, add)
    if earlier in codes and (index := codes.index(earlier)):
        codes = (*codes[: index - 1], earlier, codes[index - 1], *codes[index + 1 :])
    return tuple(code for code in codes if code != remove)
