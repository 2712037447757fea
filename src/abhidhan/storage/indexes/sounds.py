"""What is known of the sounds of stored words, so that what no word sounds like is not looked for."""

from typing import Final

from sqlalchemy import Connection

from abhidhan.domain.matching import frames, sound_filter
from abhidhan.domain.matching.frames import UNKNOWN, Frames
from abhidhan.domain.matching.sound_filter import SoundFilter
from abhidhan.domain.text.normal import Script, script_of
from abhidhan.storage import schema
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.idea_details import Tables
from abhidhan.storage.indexes.number_pages import NumberPages

SOUND_FRAMES: Final = NumberPages(
    schema.sound_frame, frames.PAGING, frames.numbers_of_word, Frames.of_pages, lambda: UNKNOWN
)
"""The frames and sounds of the words that Latin letters may be typed for."""

SOUND_FILTER: Final = NumberPages(
    schema.sound_filter,
    sound_filter.PAGING,
    sound_filter.numbers_of_word,
    SoundFilter.of_pages,
    sound_filter.everything,
)
"""The sound keys of all words, and the exact keys of words in the script of Assamese."""

BOTH: Final = (SOUND_FRAMES, SOUND_FILTER)


def may_be_read(reader: Reader, text: str) -> bool:
    """Return whether Roman letters may be read as the sound of a stored word. Other texts are not read: True."""
    return script_of(text) is not Script.LATIN or SOUND_FRAMES.held(reader).may_lead_to_words(text)


def add(connection: Connection, text: str, sound_key: str) -> None:
    """Add the sound of a word that is new or spelled otherwise, in the transaction that writes it."""
    for pages in BOTH:
        pages.add(connection, text, sound_key)


def are_whole(tables: Tables) -> bool:
    """Return whether the sounds of every word are known."""
    return all(pages.is_whole(tables) for pages in BOTH)


def fill(connection: Connection) -> None:
    """Add the sounds of all words, where that was never done, in transactions of their own; none may be open."""
    for pages in BOTH:
        pages.fill(connection)
