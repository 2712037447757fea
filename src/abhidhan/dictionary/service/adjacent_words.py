"""Neighbours: which words stand beside one in the alphabet of its language."""

import msgspec

from abhidhan.dictionary.store import adjacent_words
from abhidhan.platform.database.reader import Reader
from assamese.collation import sort_key
from assamese.normalization import nfc


class Neighbours(msgspec.Struct, frozen=True):
    """The spellings before and after a place, in the order of the alphabet."""

    before: tuple[str, ...]
    after: tuple[str, ...]


def find_neighbours(reader: Reader, language_id: int, text: str, limit: int) -> Neighbours:
    """Find up to `limit` words on either side of a spelling, whether it is a word of the language or not."""
    spelling = nfc(text)
    place = (language_id, sort_key(spelling, reader.catalogue.language(language_id).code), spelling, limit)
    before, after = adjacent_words.around(reader, *place)
    return Neighbours(tuple(reversed(before)), tuple(after))
