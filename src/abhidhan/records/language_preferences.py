"""A reader's languages, in their order: those that were chosen, or sensible ones where nothing was."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from abhidhan.records.catalogue import Catalogue
from abhidhan.records.languages import ASSAMESE, ENGLISH

MOST_CHOSEN: Final = 10
"""At most this many languages a reader may choose: as many as suggestions put before others."""

WITHOUT_CHOICE: Final = 6
"""How many are shown to a reader who has chosen none."""

USUAL: Final = ("en", "as")
"""The codes of the languages to which a reader's first choice is added."""

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


def changed(reader: ReadersLanguages, add: str = "", remove: str = "", earlier: str = "") -> tuple[str, ...]:
    """Return the codes of a reader's languages after a change; the first choice is added to those that are usual.

    Beyond the most that can be chosen, nothing is added.
    """
    codes = reader.chosen or tuple(dict.fromkeys((reader.interface, *USUAL)))
    if add and _CODE.fullmatch(add) and add not in codes and len(codes) < MOST_CHOSEN:
        codes = (*codes, add)
    if earlier in codes and (place := codes.index(earlier)):
        codes = (*codes[: place - 1], earlier, codes[place - 1], *codes[place + 1 :])
    return tuple(code for code in codes if code != remove)
