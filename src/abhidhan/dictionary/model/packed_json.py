"""Packed JSON of an idea's words, from which the words of one language can be read quickly."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from typing import Final

import msgspec

NO_WORDS: Final = b"[]"
_LANGUAGE_ID_BYTE: Final = b"\x04"
_LANGUAGE_BYTE: Final = b"\x05"
_WORD_BYTE: Final = b"\x06"
_LANGUAGE_IDS: Final = re.compile(_LANGUAGE_ID_BYTE + rb"(\d+)" + _LANGUAGE_BYTE)
_REPLACEMENTS: Final = (
    (b'","roman":null,"variant":null},{"id":', b"\x01"),
    (b',"variant":null},{"id":', b"\x02"),
    (b'","roman":"', b"\x03"),
    (b'","language_id":', _LANGUAGE_ID_BYTE),
    (b',"language":"', _LANGUAGE_BYTE),
    (b',"word":"', _WORD_BYTE),
)
"""Fragments that occur in every word of an idea's JSON, longest first, and the bytes that replace them.

JSON cannot contain these bytes, as they are escaped in texts. Packed words take a third of the space, and 20 kB of them
are unpacked in 20 µs, compared with 60 µs for zlib.
"""


def count_languages(packed: bytes) -> dict[int, int]:
    """Count the words of an idea by language ID, without decoding them."""
    return Counter(map(int, _LANGUAGE_IDS.findall(packed)))


def pack(json: bytes) -> bytes:
    """Pack the JSON of an idea's words."""
    return reduce(lambda shorter, replacement: shorter.replace(*replacement), _REPLACEMENTS, json)


def unpack(packed: bytes) -> bytes:
    """Unpack the JSON of an idea's words."""
    for text, byte in _REPLACEMENTS:
        packed = packed.replace(byte, text)
    return packed


def remove_word(packed: bytes, word_id: int) -> bytes:
    """Remove a word from the packed words of an idea; what remains are its translations and synonyms."""
    mark = b"%d%b" % (word_id, _WORD_BYTE)
    if packed.startswith(mark, len(_FIRST_WORD_START)):
        end = _find_next_word(packed, len(_FIRST_WORD_START))
        return NO_WORDS if end < 0 else _FIRST_WORD_START + packed[end:]
    for separator, ending in _WORD_SEPARATORS:
        start = packed.find(separator + mark)
        if start >= 0:
            after = start + len(separator)
            end = _find_next_word(packed, after)
            # A separator is removed with the word that follows it; after the last word, the list ends.
            return packed[:start] + ending if end < 0 else packed[:after] + packed[end:]
    return packed


def _find_next_word(packed: bytes, start: int) -> int:
    """Return the position of the next word's ID; -1 if there are no more words."""
    end = length = -1
    for separator, _ in _WORD_SEPARATORS:
        position = packed.find(separator, start) if end < 0 else packed.find(separator, start, end)
        if position >= 0:
            end, length = position, len(separator)
    return end if end < 0 else end + length


def unpack_languages(packed: bytes, languages: frozenset[int]) -> bytes:
    """Unpack the JSON of an idea's words in some languages.

    Words are sorted by language, so those of a language are found by bisection, almost without reading others.
    """
    runs, position = [], 0
    for language_id in sorted(languages):
        first = position = _find_language(packed, language_id, position)
        mark = b"%b%d%b" % (_LANGUAGE_ID_BYTE, language_id, _LANGUAGE_BYTE)
        while packed.startswith(mark, position):
            position = _find_next_language_id(packed, position + 1)
        if position > first:
            runs.append(packed[_find_word_start(packed, first) : _find_word_start(packed, position)])
    if not runs:
        return NO_WORDS
    json = unpack(_FIRST_WORD_START + b"".join(runs))
    # Each word includes the beginning of the next one, except the last word of the idea.
    return json[: -len(_NEXT_WORD_START)] + b"]" if json.endswith(_NEXT_WORD_START) else json


def iter_texts_in_language(packed: bytes, language_id: int) -> Iterator[str]:
    """Yield the spellings of an idea's words in one language."""
    mark = b"%b%d%b" % (_LANGUAGE_ID_BYTE, language_id, _LANGUAGE_BYTE)
    position = packed.find(mark)
    while position >= 0:
        yield _text_before(packed, position)
        position = packed.find(mark, position + 1)


def iter_texts_in_other_languages(packed: bytes, language_id: int) -> Iterator[str]:
    """Yield the spellings of an idea's words in all languages but one."""
    position = _find_next_language_id(packed, 0)
    while position < len(packed):
        if _read_language_id(packed, position) != language_id:
            yield _text_before(packed, position)
        position = _find_next_language_id(packed, position + 1)


def _text_before(packed: bytes, position: int) -> str:
    """Return the text of the word whose language ID is at a position; most need no unescaping."""
    text = packed[packed.rfind(_WORD_BYTE, 0, position) + 1 : position]
    return msgspec.json.decode(b'"%b"' % text, type=str) if b"\\" in text else text.decode()


_NEXT_WORD_START: Final = b',{"id":'
_FIRST_WORD_START: Final = b'[{"id":'
_WORD_SEPARATORS: Final = tuple(
    (byte, text.removesuffix(_NEXT_WORD_START) + b"]")
    for text, byte in (*_REPLACEMENTS, (b"}" + _NEXT_WORD_START, b"}" + _NEXT_WORD_START))
    if text.endswith(_NEXT_WORD_START)
)
"""Separators before the ID of every word but the first, and their replacements at the end of the list."""


def _find_language(packed: bytes, language_id: int, start: int) -> int:
    """Return the position of the first language ID from `start` on that is at least `language_id`."""
    low = result = start
    step = _INITIAL_STEP
    while (result := _find_next_language_id(packed, result)) < len(packed) and _read_language_id(
        packed, result
    ) < language_id:
        low, result, step = result + 1, result + step, 2 * step
    high = result
    while low < high:
        middle = (low + high) // 2
        position = packed.find(_LANGUAGE_ID_BYTE, middle, high)
        if position >= 0 and _read_language_id(packed, position) < language_id:
            low = position + 1
        else:
            result, high = (result if position < 0 else position), middle
    return result


_INITIAL_STEP: Final = 64
"""Initial step of the search for a language, in bytes; requested languages are often adjacent."""


def _read_language_id(packed: bytes, position: int) -> int:
    return int(packed[position + 1 : packed.find(_LANGUAGE_BYTE, position)])


def _find_next_language_id(packed: bytes, start: int) -> int:
    """Return the position of the next language ID from `start` on; the length of the data if there is none."""
    position = packed.find(_LANGUAGE_ID_BYTE, start)
    return len(packed) if position < 0 else position


def _find_word_start(packed: bytes, position: int) -> int:
    """Return the position of the ID of the word whose language ID is at a position."""
    if position == len(packed):
        return position
    begin = packed.rfind(_WORD_BYTE, 0, position)
    while packed[begin - 1 : begin].isdigit():
        begin -= 1
    return begin
