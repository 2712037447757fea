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

from abhidhan.dictionary.model.completions import (
    MAX_LIST_SIZE,
    MAX_LISTED_PREFIX_LENGTH,
    MAX_UNLISTED_WORDS,
    PrefixMatch,
    build_prefix_list,
    choose_first_matches,
    completion_sort_key,
    completion_weight,
)
from abhidhan.dictionary.store.completions import (
    CODES_BY_COLUMN,
    COLUMNS_BY_CODE,
    KeyPrefix,
    choose_candidates,
    select_key_range,
)
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.compiled_queries import (
    MAX_CODE_POINT,
    CompiledQuery,
    Row,
    in_list,
    list_params,
    per_list_size,
)
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.schema import completion as table

MAX_WORDS_IN_MEMORY: Final = 4000
"""Maximum number of words of one prefix in memory while lists are built."""

NO_KEY: Final = "\0"
"""Key that shares no prefix with any other."""


class CompletionList(NamedTuple):
    """First `MAX_LIST_SIZE` words of a prefix in order, followed by other words that equal it."""

    prefix: str
    words: tuple[PrefixMatch, ...]


pack_words: Final = msgspec.msgpack.Encoder().encode
"""Encodes the words of a list for storage; MessagePack takes two thirds of the space of JSON."""

unpack_words: Final = msgspec.msgpack.Decoder(tuple[tuple[int, int, str, int], ...]).decode
"""Decodes the words of a list."""


def list_prefixes(key: str) -> list[str]:
    """List the prefixes of a key that may have lists, shortest first."""
    return [key[:letters] for letters in range(1, min(len(key), MAX_LISTED_PREFIX_LENGTH) + 1)]


def may_change(words: Sequence[PrefixMatch], removed: Iterable[PrefixMatch], added: Iterable[PrefixMatch]) -> bool:
    """Return whether a list may change when some words with its prefix are removed and others are added."""
    ids = {word_id for _, _, _, word_id in words}
    if any(match[3] in ids for match in removed):
        return True
    first = words[:MAX_LIST_SIZE]
    return any(
        len(first) < MAX_LIST_SIZE or completion_sort_key(match) < completion_sort_key(first[-1]) for match in added
    )


def build_lists(words: Iterable[tuple[str, PrefixMatch]]) -> Iterator[CompletionList]:
    """Build the lists of all prefixes from words, each given with its key, in the order of the keys.

    A list follows the lists of longer prefixes that begin with its own. A prefix has a list if more than
    `MAX_UNLISTED_WORDS` words share it: a key then shares it with the key that many positions later.
    """
    open_prefixes: list[_OpenPrefix] = []
    longest = ""
    for (key, match), lookahead_key in _with_lookahead(words):
        while open_prefixes and not key.startswith(longest):
            yield _close_longest(longest, open_prefixes)
            longest = longest[:-1]
        if lookahead_key.startswith(key[: len(open_prefixes) + 1]):
            longest = key[: min(_common_prefix_length(key, lookahead_key), MAX_LISTED_PREFIX_LENGTH)]
            open_prefixes.extend(_OpenPrefix([], []) for _ in range(len(longest) - len(open_prefixes)))
        if open_prefixes:
            open_prefixes[-1].add(match, is_whole_word=key == longest)
    while open_prefixes:
        yield _close_longest(longest, open_prefixes)
        longest = longest[:-1]


W = TypeVar("W", bound=tuple[Any, ...])


def _with_lookahead(words: Iterable[W]) -> Iterator[tuple[W, str]]:
    """Yield each word with the key of the word `MAX_UNLISTED_WORDS` positions later; `NO_KEY` at the end."""
    window: deque[W] = deque()
    for word in words:
        window.append(word)
        if len(window) > MAX_UNLISTED_WORDS:
            yield window.popleft(), word[0]
    for word in window:
        yield word, NO_KEY


def _common_prefix_length(key: str, other: str) -> int:
    """Return the length of the common prefix."""
    both = zip(key, other, strict=False)
    return next((letters for letters, (left, right) in enumerate(both) if left != right), min(len(key), len(other)))


class _OpenPrefix(NamedTuple):
    """In-memory words that begin with a prefix, and those that are exactly the prefix."""

    words: list[PrefixMatch]
    whole_words: list[PrefixMatch]

    def add(self, match: PrefixMatch, *, is_whole_word: bool) -> None:
        self.words.append(match)
        if is_whole_word:
            self.whole_words.append(match)
        if len(self.words) > MAX_WORDS_IN_MEMORY:
            self.words[:] = choose_first_matches(self.words)


def _close_longest(prefix: str, open_prefixes: list[_OpenPrefix]) -> CompletionList:
    """Build the list of the longest open prefix, and add its words to the next shorter one."""
    words = build_prefix_list(*open_prefixes.pop())
    if open_prefixes:
        open_prefixes[-1].words.extend(words)
    return CompletionList(prefix, words)


LISTS_BY_PREFIX = per_list_size(
    lambda size: select(table.c.prefix, table.c.words).where(in_list(table.c.prefix, "prefix", size))
)
"""Statements that select lists by prefix."""


def find_missing_lists(rows: Callable[..., Collection[Row]]) -> list[str]:
    """Return the codes of key columns with missing lists; a list whose prefix is the code alone marks completeness."""
    complete = {
        row[0] for row in rows(LISTS_BY_PREFIX(len(COLUMNS_BY_CODE)), **list_params("prefix", [*COLUMNS_BY_CODE]))
    }
    return [code for code in COLUMNS_BY_CODE if code not in complete]


def _are_complete(connection: ReadConnection, _before: bool | None) -> bool:  # noqa: FBT001  # called by `cached`
    """Return whether all lists are present; cached until the data change."""
    return not find_missing_lists(connection.rows)


def find_first_words(
    connection: ReadConnection, prefixes: Sequence[KeyPrefix], limit: int
) -> list[Sequence[PrefixMatch]] | None:
    """Return the words of each prefix like `store.completions.find_first_words`; None while lists are missing.

    Prefixes have at most `MAX_LISTED_PREFIX_LENGTH` letters.
    """
    if not connection.cached(_are_complete):
        return None
    if not prefixes:
        return []
    list_prefixes = [CODES_BY_COLUMN[column] + text for column, text in prefixes]
    lists: dict[str, bytes] = dict(
        connection.rows(LISTS_BY_PREFIX(len(list_prefixes)), **list_params("prefix", list_prefixes))
    )
    unlisted = _load_unlisted_words(connection, [prefix for prefix in list_prefixes if prefix not in lists])
    return [
        choose_candidates(prefix, unpack_words(lists[prefix]), limit) if prefix in lists else unlisted.get(prefix, ())
        for prefix in list_prefixes
    ]


def _load_unlisted_words(connection: ReadConnection, prefixes: Sequence[str]) -> dict[str, list[PrefixMatch]]:
    """Return all words of each prefix, for prefixes without a list."""
    if not prefixes:
        return {}
    also_exact = {prefix: exact for prefix in prefixes if (exact := _implied_exact_prefix(prefix)) in prefixes}
    prefixes_read = [prefix for prefix in prefixes if prefix not in also_exact.values()]
    sizes, parameters = _build_small_prefix_parameters(prefixes_read)
    words_by_prefix: defaultdict[str, list[PrefixMatch]] = defaultdict(list)
    # Like `to_prefix_match`, without a call for each of some thirty words: a tenth of a suggestion's time.
    for index, key, exact_key, language_id, text, word_id, frequency in connection.rows(
        _build_small_prefix_query(sizes), **parameters
    ):
        prefix = prefixes_read[index]
        words_by_prefix[prefix].append(
            (completion_weight(key, exact_key, language_id, frequency), language_id, text, word_id)
        )
        if prefix in also_exact and exact_key.startswith(prefix[1:]):
            exact_weight = completion_weight(exact_key, exact_key, language_id, frequency)
            words_by_prefix[also_exact[prefix]].append((exact_weight, language_id, text, word_id))
    return words_by_prefix


def _implied_exact_prefix(prefix: str) -> str:
    """Return the exact-key prefix whose words all have a given loose-key prefix; usually an empty string.

    ASCII letters stay unchanged in a loose key, so words with such an exact prefix also have it in their loose keys.
    """
    code, text = prefix[0], prefix[1:]
    return (
        CODES_BY_COLUMN[KeyColumn.EXACT] + text
        if COLUMNS_BY_CODE[code] is KeyColumn.LOOSE and text.isascii() and text.isalnum()
        else ""
    )


def _build_small_prefix_parameters(prefixes: Sequence[str]) -> tuple[tuple[tuple[str, int], ...], dict[str, str | int]]:
    """Return the number of arms for each key column, which selects the statement, and the statement's parameters."""
    parameters: dict[str, str | int] = {}
    sizes = []
    for code in dict.fromkeys(prefix[0] for prefix in prefixes):
        code_indexes = [index for index, prefix in enumerate(prefixes) if prefix[0] == code]
        sizes.append((code, 1 << (len(code_indexes) - 1).bit_length()))
        for number in range(sizes[-1][1]):
            # There is a statement for each power of two; unused arms get an empty range.
            index = code_indexes[number] if number < len(code_indexes) else 0
            start = prefixes[index][1:]
            end = start + MAX_CODE_POINT if number < len(code_indexes) else ""
            parameters |= {f"place_{code}{number}": index, f"start_{code}{number}": start, f"end_{code}{number}": end}
    return tuple(sizes), parameters


_MAX_UNLISTED_LITERAL: Final = literal_column(str(MAX_UNLISTED_WORDS), Integer)


@cache
def _build_small_prefix_query(sizes: tuple[tuple[str, int], ...]) -> CompiledQuery:
    """Build the statement for a number of prefixes of each key; this takes milliseconds."""
    arms = (_select_small_prefix(code, str(number)) for code, size in sizes for number in range(size))
    return CompiledQuery(union_all(*arms))


def _select_small_prefix(code: str, number: str) -> Select[Any]:
    limited = select_key_range(code, code + number).limit(_MAX_UNLISTED_LITERAL).subquery()
    return select(bindparam(f"place_{code}{number}", type_=Integer), *limited.columns)
