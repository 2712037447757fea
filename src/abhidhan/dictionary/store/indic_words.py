"""Words in Indic letters, found by their sounds: those that Roman letters may be typed for."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Text, bindparam, not_, select

from abhidhan.dictionary.model.guess_scoring import FoundKey
from abhidhan.dictionary.store.idea_details import Tables
from abhidhan.platform.database.compiled_queries import by_size, chunks, in_list, padded
from abhidhan.platform.database.key_queries import selected
from abhidhan.platform.database.reader import Reader
from abhidhan.records.languages import ALL_LANGUAGES
from abhidhan.schema import word

FIRST_ROMAN: Final = "a"
FIRST_INDIC: Final = "\u0900"
"""Between these stand the loose keys of all words that begin with a Roman letter, and of none that begins with an Indic
one."""

SOUNDS_AT_ONCE: Final = 1024

_IN_INDIC_LETTERS = not_(
    word.c.loose_key.between(bindparam("first", FIRST_ROMAN, type_=Text), bindparam("behind", FIRST_INDIC, type_=Text))
)

_FOUND = by_size(lambda size: selected(word.c.sound_key, word.c.frequency, size).where(_IN_INDIC_LETTERS))


def find(reader: Reader, sounds: Sequence[str], language_id: int = ALL_LANGUAGES, *, limit: int) -> list[FoundKey]:
    """Find the words that have one of the sound keys and begin with no Roman letter, by language and alphabetically.

    Those of a thousand languages in Roman letters count for nothing in `limit`.
    """
    if not sounds:
        return []
    rows = reader.rows(_FOUND(len(sounds)), **padded("key", sounds), language_id=language_id, limit=limit)
    return list(map(FoundKey._make, rows))


Sounding = tuple[str, int]
"""A word that has some sound: its text, and the ID of its language."""

_EVERY = by_size(
    lambda size: select(word.c.sound_key, word.c.text, word.c.language_id).where(
        in_list(word.c.sound_key, "sound", size), _IN_INDIC_LETTERS
    )
)


def by_sound(tables: Tables, sounds: Sequence[str]) -> dict[str, list[Sounding]]:
    """Read every word that has one of any number of sound keys and begins with no Roman letter, by its sound key."""
    found: dict[str, list[Sounding]] = defaultdict(list)
    for some in chunks(sounds, SOUNDS_AT_ONCE):
        for sound_key, text, language_id in tables.rows(_EVERY(len(some)), **padded("sound", some)):
            found[sound_key].append((text, language_id))
    return found
