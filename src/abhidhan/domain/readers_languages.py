"""A reader's languages, in their order: those that were chosen, or sensible ones where nothing was."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from abhidhan.domain.catalogue import Catalogue
from abhidhan.domain.languages import ASSAMESE, ENGLISH

MOST_CHOSEN: Final = 10
"""So many languages a reader may choose: as many as suggestions put before others."""

WITHOUT_CHOICE: Final = 6
"""So many are shown to a reader who has chosen none."""

SEPARATOR: Final = "."
_CODE: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}")


class ReadersLanguages(NamedTuple):
    """What a request tells of its reader: the codes of the languages chosen, and that of the interface."""

    chosen: tuple[str, ...] = ()
    interface: str = "en"


def read_codes(text: str) -> tuple[str, ...]:
    """Read the codes of languages out of a cookie, each once; what is no code is passed over."""
    codes = (code for code in text.split(SEPARATOR) if _CODE.fullmatch(code))
    return tuple(dict.fromkeys(codes))[:MOST_CHOSEN]


def write_codes(codes: Iterable[str]) -> str:
    """Write the codes of languages for a cookie."""
    return SEPARATOR.join(codes)


def languages_of(reader: ReadersLanguages, catalogue: Catalogue) -> tuple[int, ...]:
    """Return the IDs of a reader's languages, the first one first.

    Without a choice (or of none of these languages): that of the interface, English, Assamese, then the largest.
    """
    chosen = [found.id for code in reader.chosen if (found := catalogue.find_language(code))]
    if chosen:
        return tuple(dict.fromkeys(chosen))
    interface = catalogue.find_language(reader.interface)
    usual = dict.fromkeys([*([interface.id] if interface else []), ENGLISH, ASSAMESE, *catalogue.largest])
    return tuple(usual)[:WITHOUT_CHOICE]


def moved(codes: tuple[str, ...], code: str, step: int) -> tuple[str, ...]:
    """Move a language by so many places among those chosen."""
    if code not in codes:
        return codes
    others = [each for each in codes if each != code]
    others.insert(min(max(codes.index(code) + step, 0), len(others)), code)
    return tuple(others)
