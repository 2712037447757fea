"""Completion lists: the first words of each prefix that many words share.

Most typed prefixes match few words, which are read one by one. For each prefix that more words share, a list has the
first ones. It is built from the lists of the prefixes that are a letter longer, so that building all lists, or one,
reads only the words without a list of their own.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from sqlalchemy import Integer, Select, bindparam, literal_column, select, union_all

from abhidhan.dictionary.model.completions import FEW, LISTED, LONGEST, Begun, first_of, listed, place_of, weight_of
from abhidhan.dictionary.store.completions import CODES, COLUMNS, Beginning, shown, stretch
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.compiled_queries import LAST_CHARACTER, Query, Row, by_size, in_list, padded
from abhidhan.platform.database.reader import Reader
from abhidhan.schema import completion as table

MOST_HELD: Final = 4000
"""Maximum number of words of one prefix in memory while lists are built."""

NO_KEY: Final = "\0"
"""Key that shares no prefix with any other."""


class WordList(NamedTuple):
    """First LISTED words of a prefix in their order, followed by other words that equal it."""

    prefix: str
    words: tuple[Begun, ...]


packed: Final = msgspec.msgpack.Encoder().encode
"""Encodes the words of a list for storage; MessagePack takes two thirds of the space of JSON."""

unpacked: Final = msgspec.msgpack.Decoder(tuple[tuple[int, int, str, int], ...]).decode
"""Decodes the words of a list."""


def beginnings_of(key: str) -> list[str]:
    """List the prefixes of a key that may have lists, shortest first."""
    return [key[:letters] for letters in range(1, min(len(key), LONGEST) + 1)]


def may_change(words: Sequence[Begun], gone: Iterable[Begun], come: Iterable[Begun]) -> bool:
    """Return whether a list may change when some words are gone and others with this prefix have come."""
    ids = {word_id for _, _, _, word_id in words}
    if any(begun[3] in ids for begun in gone):
        return True
    first = words[:LISTED]
    return any(len(first) < LISTED or place_of(begun) < place_of(first[-1]) for begun in come)


def lists_of(words: Iterable[tuple[str, Begun]]) -> Iterator[WordList]:
    """Build the lists of all words, given with their keys in the order of the keys.

    A list follows those of the longer prefixes that begin with its own. A prefix has a list if more than FEW words
    share it: a key then shares it with the key FEW positions later.
    """
    held: list[_Held] = []
    longest = ""
    for (key, begun), further_on in _with_those_further_on(words):
        while held and not key.startswith(longest):
            yield _closed(longest, held)
            longest = longest[:-1]
        if further_on.startswith(key[: len(held) + 1]):
            longest = key[: min(_alike(key, further_on), LONGEST)]
            held.extend(_Held([], []) for _ in range(len(longest) - len(held)))
        if held:
            held[-1].add(begun, is_whole=key == longest)
    while held:
        yield _closed(longest, held)
        longest = longest[:-1]


W = TypeVar("W", bound=tuple[Any, ...])


def _with_those_further_on(words: Iterable[W]) -> Iterator[tuple[W, str]]:
    """Yield each word with the key of the word FEW positions later; NO_KEY at the end."""
    ahead: deque[W] = deque()
    for word in words:
        ahead.append(word)
        if len(ahead) > FEW:
            yield ahead.popleft(), word[0]
    for word in ahead:
        yield word, NO_KEY


def _alike(key: str, other: str) -> int:
    """Return the length of the common prefix."""
    both = zip(key, other, strict=False)
    return next((letters for letters, (one, two) in enumerate(both) if one != two), min(len(key), len(other)))


class _Held(NamedTuple):
    """Words of a prefix in memory, and those that equal it."""

    words: list[Begun]
    whole: list[Begun]

    def add(self, begun: Begun, *, is_whole: bool) -> None:
        self.words.append(begun)
        if is_whole:
            self.whole.append(begun)
        if len(self.words) > MOST_HELD:
            self.words[:] = first_of(self.words)


def _closed(prefix: str, held: list[_Held]) -> WordList:
    """Build the list of the longest open prefix, and add its words to the next shorter one."""
    words = listed(*held.pop())
    if held:
        held[-1].words.extend(words)
    return WordList(prefix, words)


LISTS_BY_PREFIX = by_size(
    lambda size: select(table.c.prefix, table.c.words).where(in_list(table.c.prefix, "prefix", size))
)
"""Selects lists by prefix."""


def lacking_lists(rows: Callable[..., Collection[Row]]) -> list[str]:
    """Return the codes of the keys with missing lists; the list of a code alone marks a complete key."""
    whole = {row[0] for row in rows(LISTS_BY_PREFIX(len(COLUMNS)), **padded("prefix", [*COLUMNS]))}
    return [code for code in COLUMNS if code not in whole]


def _are_whole(reader: Reader, _before: bool | None) -> bool:  # noqa: FBT001  # called by `kept`
    """Return whether all lists are present; cached until the data change."""
    return not lacking_lists(reader.rows)


def first_words(reader: Reader, beginnings: Sequence[Beginning], limit: int) -> list[Sequence[Begun]] | None:
    """Return the words of each prefix like `store.completions.first_words`; None while lists are missing.

    Prefixes have at most LONGEST letters.
    """
    if not reader.kept(_are_whole):
        return None
    if not beginnings:
        return []
    wanted = [CODES[column] + text for column, text in beginnings]
    lists: dict[str, bytes] = dict(reader.rows(LISTS_BY_PREFIX(len(wanted)), **padded("prefix", wanted)))
    few = _few_words(reader, [prefix for prefix in wanted if prefix not in lists])
    return [
        shown(prefix, unpacked(lists[prefix]), limit) if prefix in lists else few.get(prefix, ()) for prefix in wanted
    ]


def _few_words(reader: Reader, prefixes: Sequence[str]) -> dict[str, list[Begun]]:
    """Return all words of prefixes without a list."""
    if not prefixes:
        return {}
    also_exact = {prefix: exact for prefix in prefixes if (exact := _exact_among(prefix)) in prefixes}
    read = [prefix for prefix in prefixes if prefix not in also_exact.values()]
    sizes, parameters = _parameters_of_few(read)
    found: defaultdict[str, list[Begun]] = defaultdict(list)
    # Like `begun_of`, without a call for each of some thirty words: a tenth of a suggestion's time.
    for place, key, exact_key, language_id, text, word_id, frequency in reader.rows(_few(sizes), **parameters):
        prefix = read[place]
        found[prefix].append((weight_of(key, exact_key, language_id, frequency), language_id, text, word_id))
        if prefix in also_exact and exact_key.startswith(prefix[1:]):
            exact_weight = weight_of(exact_key, exact_key, language_id, frequency)
            found[also_exact[prefix]].append((exact_weight, language_id, text, word_id))
    return found


def _exact_among(prefix: str) -> str:
    """Return the prefix of exact keys whose words are all among those of a prefix of loose keys, or usually "".

    ASCII letters stay unchanged in a loose key, so words with such an exact prefix also have it in their loose keys.
    """
    code, text = prefix[0], prefix[1:]
    return (
        CODES[KeyColumn.EXACT] + text if COLUMNS[code] is KeyColumn.LOOSE and text.isascii() and text.isalnum() else ""
    )


def _parameters_of_few(prefixes: Sequence[str]) -> tuple[tuple[tuple[str, int], ...], dict[str, str | int]]:
    """Return the sizes that select the statement for the prefixes of each key, and its parameters."""
    parameters: dict[str, str | int] = {}
    sizes = []
    for code in dict.fromkeys(prefix[0] for prefix in prefixes):
        of_code = [place for place, prefix in enumerate(prefixes) if prefix[0] == code]
        sizes.append((code, 1 << (len(of_code) - 1).bit_length()))
        for number in range(sizes[-1][1]):
            # There is a statement for each power of two; unused arms get an empty range.
            place = of_code[number] if number < len(of_code) else 0
            start = prefixes[place][1:]
            end = start + LAST_CHARACTER if number < len(of_code) else ""
            parameters |= {f"place_{code}{number}": place, f"start_{code}{number}": start, f"end_{code}{number}": end}
    return tuple(sizes), parameters


_FEW: Final = literal_column(str(FEW), Integer)


@cache
def _few(sizes: tuple[tuple[str, int], ...]) -> Query:
    """Build the statement for a number of prefixes of each key; this takes milliseconds."""
    arms = (_few_of(code, str(number)) for code, size in sizes for number in range(size))
    return Query(union_all(*arms))


def _few_of(code: str, number: str) -> Select[Any]:
    some = stretch(code, code + number).limit(_FEW).subquery()
    return select(bindparam(f"place_{code}{number}", type_=Integer), *some.columns)
