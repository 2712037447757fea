"""Neighbours: which words stand beside one in the alphabet of its language."""

import msgspec

from abhidhan.domain.text.collation import sort_key
from abhidhan.domain.text.normal import nfc
from abhidhan.storage import neighbours
from abhidhan.storage.engine.reader import Reader


class Neighbours(msgspec.Struct, frozen=True):
    """The spellings before and after a place, in the order of the alphabet."""

    before: tuple[str, ...]
    after: tuple[str, ...]


def find_neighbours(reader: Reader, language_id: int, text: str, limit: int) -> Neighbours:
    """Find up to `limit` words on either side of a spelling, whether it is a word of the language or not."""
    spelling = nfc(text)
    place = (language_id, sort_key(spelling, reader.catalogue.language(language_id).code), spelling, limit)
    before, after = neighbours.around(reader, *place)
    return Neighbours(tuple(reversed(before)), tuple(after))
