"""Parts of speech: the short codes by which programs know them, and how requests name them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from abhidhan.records.ids import read_number
from abhidhan.records.lookup_lists import ListItem

OTHER: Final = "OTH"
"""The code of a part of speech that has none of its own."""

UNASSIGNED: Final = "U"
"""The code of the value that stands for no part of speech."""

UNASSIGNED_NAME: Final = "Unassigned"

NO_PART_OF_SPEECH: Final = 0
"""Stands for no part of speech among IDs: words with such a meaning are listed under it, too."""


CODES: Final[Mapping[str, str]] = {
    "common noun": "N.com",
    "proper noun": "N.pro",
    "material noun": "N.mat",
    "verbal noun": "N.vb",
    "abstract noun": "N.abs",
    "pronoun": "PR",
    "proper adjective": "AJ.pr",
    "verbal adjective": "AJ.vb",
    "adjective adjective": "AJ.aj",
    "adverb": "ADV",
    "transitive": "V.tr",
    "intransitive": "V.int",
    "adposition": "ADPO",
    "interjection": "INTJ",
    "conjunction": "CONJ",
    "noun": "N",
    "verb": "V",
    "adjective": "AJ",
    "prefix": "pfx",
    "suffix": "sfx",
    "other": OTHER,
    "unassigned": UNASSIGNED,
}
"""The codes of the values of the program, by what they are called in small letters: older files do not tell them."""


def code_of(item: ListItem) -> str:
    """Return the short code of a part of speech."""
    return item.short or OTHER


def is_unassigned(item: ListItem) -> bool:
    """Tell whether a value stands for no part of speech."""
    return item.short == UNASSIGNED


def find_parts_of_speech(items: Sequence[ListItem], name: str) -> tuple[int, ...] | None:
    """Find the IDs that an ID or a code, letter case aside, stands for; None for a name that nothing has.

    The value for no part of speech stands for NO_PART_OF_SPEECH, too. A code may have no ID, or several.
    """
    number = read_number(name)
    code = name.casefold()
    if number is None:
        found = [item for item in items if code_of(item).casefold() == code]
    else:
        found = [item for item in items if item.id == number]
    if not found and code not in {OTHER.casefold(), UNASSIGNED.casefold()}:
        return None
    return ids_of(found) or ((NO_PART_OF_SPEECH,) if code == UNASSIGNED.casefold() else ())


def ids_of(items: Iterable[ListItem]) -> tuple[int, ...]:
    """List the IDs of parts of speech, with NO_PART_OF_SPEECH for the value that stands for none."""
    return tuple(
        item_id for item in items for item_id in ((NO_PART_OF_SPEECH, item.id) if is_unassigned(item) else (item.id,))
    )
