"""A reader's languages in order of preference, with defaults."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from abhidhan.records.catalogue import Catalogue

MOST_CHOSEN: Final = 10
"""Maximum number of languages that a reader can choose, the same as for suggestions."""

USUAL: Final = ("as", "en")
"""The default codes of the languages that pages show first, after the interface language."""

SEPARATOR: Final = "."
_CODE: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}")


class ReadersLanguages(NamedTuple):
    """The codes of a reader's chosen languages, of the interface language, and of the default languages."""

    chosen: tuple[str, ...] = ()
    interface: str = "en"
    usual: tuple[str, ...] = USUAL

    @property
    def usual_codes(self) -> tuple[str, ...]:
        """The codes of the languages without a choice, in order of preference."""
        return tuple(dict.fromkeys((self.interface, *self.usual)))

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the reader's languages, in order of preference."""
        return self.chosen or self.usual_codes


def read_codes(text: str) -> tuple[str, ...]:
    """Parse language codes from a cookie, without repeats; ignore anything else."""
    codes = (code for code in text.split(SEPARATOR) if _CODE.fullmatch(code))
    return tuple(dict.fromkeys(codes))[:MOST_CHOSEN]


def write_codes(codes: Iterable[str]) -> str:
    """Encode language codes for a cookie."""
    return SEPARATOR.join(codes)


def languages_of(reader: ReadersLanguages, catalogue: Catalogue) -> tuple[int, ...]:
    """Return the IDs of a reader's languages, in order of preference.

    Without a choice, or if the dictionary has none of the chosen languages, these are the interface language and the
    defaults.
    """
    for codes in (reader.codes, reader.usual_codes):
        found = [language.id for code in codes if (language := catalogue.find_language(code))]
        if found:
            return tuple(dict.fromkeys(found))
    return ()


def changed(reader: ReadersLanguages, add: str = "", remove: str = "", earlier: str = "") -> tuple[str, ...]:
    """Return the codes of a reader's languages after adding, removing or moving up (`earlier`) one of them.

    The first change starts from the default languages. Nothing is added beyond MOST_CHOSEN languages.
    """
    codes = reader.codes
    if add and _CODE.fullmatch(add) and add not in codes and len(codes) < MOST_CHOSEN:
        codes = (*codes, add)
    if earlier in codes and (place := codes.index(earlier)):
        codes = (*codes[: place - 1], earlier, codes[place - 1], *codes[place + 1 :])
    return tuple(code for code in codes if code != remove)
