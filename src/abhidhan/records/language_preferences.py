"""A reader's languages in order of preference, with defaults."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from abhidhan.records.catalogue import Catalogue

MAX_LANGUAGES: Final = 10
"""Maximum number of languages that a reader can choose; suggestions have the same limit."""

DEFAULT_LANGUAGES: Final = ("as", "en")
"""The default codes of the languages that pages show first, after the interface language."""

CODE_SEPARATOR: Final = "."
_LANGUAGE_CODE: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}")


class LanguagePreferences(NamedTuple):
    """The language codes that a reader has chosen, that of the interface, and those of the default languages."""

    chosen: tuple[str, ...] = ()
    interface: str = "en"
    defaults: tuple[str, ...] = DEFAULT_LANGUAGES

    @property
    def default_codes(self) -> tuple[str, ...]:
        """The codes that apply if the reader has chosen no languages, in order of preference."""
        return tuple(dict.fromkeys((self.interface, *self.defaults)))

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the reader's languages, in order of preference."""
        return self.chosen or self.default_codes


def parse_codes(text: str) -> tuple[str, ...]:
    """Parse language codes from a cookie; drop duplicates and invalid codes."""
    codes = (code for code in text.split(CODE_SEPARATOR) if _LANGUAGE_CODE.fullmatch(code))
    return tuple(dict.fromkeys(codes))[:MAX_LANGUAGES]


def format_codes(codes: Iterable[str]) -> str:
    """Join language codes for a cookie."""
    return CODE_SEPARATOR.join(codes)


def resolve_languages(preferences: LanguagePreferences, catalogue: Catalogue) -> tuple[int, ...]:
    """Return the IDs of a reader's languages, in order of preference.

    If the reader has chosen none, or only languages that the dictionary lacks, these are the default ones.
    """
    for codes in (preferences.codes, preferences.default_codes):
        language_ids = [language.id for code in codes if (language := catalogue.find_language(code))]
        if language_ids:
            return tuple(dict.fromkeys(language_ids))
    return ()


def update_codes(
    preferences: LanguagePreferences, add: str = "", remove: str = "", move_up: str = ""
) -> tuple[str, ...]:
    """Return the codes of a reader's languages after adding one, removing one or moving one up by one place.

    The first change starts from the default languages. Nothing is added beyond `MAX_LANGUAGES` languages.
    """
    codes = preferences.codes
    if add and _LANGUAGE_CODE.fullmatch(add) and add not in codes and len(codes) < MAX_LANGUAGES:
        codes = (*codes, add)
    if move_up in codes and (index := codes.index(move_up)):
        codes = (*codes[: index - 1], move_up, codes[index - 1], *codes[index + 1 :])
    return tuple(code for code in codes if code != remove)
