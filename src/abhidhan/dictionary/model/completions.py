"""Ranking of the completions of a text that is being typed."""

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from math import inf
from typing import Final, NamedTuple, TypeAlias

from abhidhan.dictionary.model.guess_scoring import commonness
from abhidhan.records.languages import ASSAMESE, ENGLISH
from assamese.normalization import exact_key
from assamese.spelling_distance import MAX_START_LENGTH, distance, start_distance

MAX_LIST_SIZE: Final = 20
"""Maximum number of completions of a prefix in a list; each spelling counts once."""

MAX_UNLISTED_WORDS: Final = 16
"""Maximum number of words of a prefix that has no list: all of them are read and compared.

With 32, the lists for 1.3 million words took half the space (28 MB instead of 58), but reading words one by one
dominated the time of a suggestion.
"""

MAX_LISTED_PREFIX_LENGTH: Final = 12
"""Maximum length of a prefix with a list, in letters; only 40 longer ones begin dozens of a million words."""

MAX_WHOLE_WORDS: Final = 4
"""Maximum number of words equal to the prefix that a list contains besides the first completions."""

WEIGHT_UNITS_PER_LETTER: Final = 10
"""Weights are integers in tenths of a letter: they take one or two bytes in a list, where floats take nine."""

LETTERS_PER_TENFOLD_FREQUENCY: Final = 3.0
"""Number of additional letters to type that outweigh a tenfold difference in frequency."""

OTHER_LANGUAGE_PENALTY: Final = 2.0
"""Penalty, in letters, for a word in a language other than Assamese or English."""

_WEIGHT_PER_TENFOLD_FREQUENCY: Final = WEIGHT_UNITS_PER_LETTER * LETTERS_PER_TENFOLD_FREQUENCY
_OTHER_LANGUAGE_WEIGHT: Final = round(WEIGHT_UNITS_PER_LETTER * OTHER_LANGUAGE_PENALTY)
_MAIN_LANGUAGES: Final = frozenset({ASSAMESE, ENGLISH})

START_DISTANCE_PENALTY: Final = 20.0
"""Penalty, in letters, for each unit of distance between the typed text and the beginning of a word."""

MAX_PREFIX_DISTANCE: Final = 0.25
"""Maximum distance of a word's beginning from the text; beyond it, all words with the exact prefix rank higher."""

MISMATCH_PENALTY: Final = 100.0
"""Penalty, in letters, of a word whose beginning is too far from the typed text."""

WHOLE_WORD_SCORE: Final = -100.0
"""Score, in letters, of a completely typed word, which ranks first."""

SAME_SOUND_BONUS: Final = 50.0
"""Bonus, in letters, for a word with exactly the typed sound over words that only begin with it."""

MIN_WHOLE_SOUND_LETTERS: Final = 4
"""Minimum number of Roman letters that may be a complete word; shorter texts such as `pan` begin one (পানী)."""

MAX_KEY_LENGTH_DIFFERENCE: Final = 2
"""Maximum difference in length between a spelling and its exact key; joiners and decomposed letters are few."""

PrefixMatch: TypeAlias = tuple[float, int, str, int]
"""Completion of a prefix: its weight (`completion_weight`), language ID, text and word ID."""


class Completion(NamedTuple):
    """Completion of a typed text, with a score based on the number of letters left to type.

    Common words have lower scores, and words found by weaker keys higher ones.
    """

    word_id: int
    language_id: int
    text: str
    score: float


def completion_weight(key: str, exact: str, language_id: int, frequency: float | None) -> int:
    """Return the weight of a word for one of its keys, in tenths of a letter: its length, less for common words.

    `frequency` is in occurrences per million running words, if the entry has one.
    """
    weight = WEIGHT_UNITS_PER_LETTER * len(key) + (0 if language_id in _MAIN_LANGUAGES else _OTHER_LANGUAGE_WEIGHT)
    if frequency is None and language_id != ASSAMESE:
        return weight
    return round(weight - _WEIGHT_PER_TENFOLD_FREQUENCY * commonness(language_id, exact, frequency))


_SortKey: TypeAlias = tuple[float, bool, int, int, str, int, str]
"""Sort key of a completion: by weight, Assamese first, then by length and language.

Letter case is swapped, so that of `fox` and `Fox` the former comes first and is shown. The last item is the spelling.
"""


def completion_sort_key(match: tuple[float, int, str, int]) -> _SortKey:
    """Return the sort key of a completion."""
    weight, language_id, text, word_id = match
    return weight, language_id != ASSAMESE, len(text), language_id, text.swapcase(), word_id, text


def choose_first_matches(words: Iterable[PrefixMatch], limit: int = MAX_LIST_SIZE) -> tuple[PrefixMatch, ...]:
    """Return the first `limit` words, each spelling once: `fox` rather than Fox."""
    matches: dict[str, PrefixMatch] = {}
    for match in sorted(words, key=completion_sort_key):
        matches.setdefault(match[2].casefold(), match)
        if len(matches) == limit:
            break
    return tuple(matches.values())


def build_prefix_list(words: Iterable[PrefixMatch], whole_words: Iterable[PrefixMatch]) -> tuple[PrefixMatch, ...]:
    """Return the list of a prefix: its first completions, and complete words that equal it."""
    first = choose_first_matches(words)
    first_texts = {text.casefold() for _, _, text, _ in first}
    return (
        *first,
        *(
            match
            for match in choose_first_matches(whole_words, MAX_WHOLE_WORDS)
            if match[2].casefold() not in first_texts
        ),
    )


def rank_completions(typed: str, lists: Iterable[tuple[float, Sequence[PrefixMatch]]], limit: int) -> list[Completion]:
    """Return the first `limit` words of several lists, each spelling once.

    Each list comes with the letters to add to its weights.
    """
    sort_keys = [key for penalty, words in lists for key in _build_sort_keys(typed, penalty, words)]
    return _choose_first_spellings(typed, sort_keys, limit)


def merge_completion_lists(
    typed: str, lists: Sequence[tuple[float, Sequence[PrefixMatch]]], limit: int
) -> list[Completion]:
    """Merge the lists of all languages like `rank_completions`; the first list has the words with the exact prefix.

    The first list also has the completely typed words. Words of other lists that rank below `limit` of its words are
    skipped.
    """
    if not lists:
        return []
    (penalty, exact_matches), *other_lists = lists
    sort_keys = _build_sort_keys(typed, penalty, exact_matches)
    last_score = _find_last_score(typed, sort_keys, limit) if len(exact_matches) >= limit else inf
    sort_keys += [
        (letters, language_id != ASSAMESE, len(text), language_id, text.swapcase(), word_id, text)
        for penalty, words in other_lists
        for weight, language_id, text, word_id in words
        if (letters := weight / WEIGHT_UNITS_PER_LETTER + penalty) <= last_score
        or _is_whole_sound(typed, language_id, text)
    ]
    return _choose_first_spellings(typed, sort_keys, limit)


def _build_sort_keys(typed: str, penalty: float, words: Iterable[PrefixMatch]) -> list[_SortKey]:
    """Return the sort keys of words; completely typed ones come first.

    Neither this nor `merge_completion_lists` calls `completion_sort_key`: a hundred calls would be a large part of a
    suggestion's time.
    """
    return [
        (
            WHOLE_WORD_SCORE - (text == typed)
            if may_be_whole_word(typed, text) and _is_whole_word(typed, text)
            else weight / WEIGHT_UNITS_PER_LETTER + penalty,
            language_id != ASSAMESE,
            len(text),
            language_id,
            text.swapcase(),
            word_id,
            text,
        )
        for weight, language_id, text, word_id in words
    ]


def _find_last_score(typed: str, sort_keys: Iterable[_SortKey], limit: int) -> float:
    """Return the score of the last of the first `limit` spellings, below which none is shown; inf if fewer."""
    texts: set[str] = set()
    for key in sorted(sort_keys):
        text = key[-1]
        # An ASCII word with the exact prefix certainly begins like the typed text.
        if text.isascii() or not _mismatch_penalty(typed, text):
            texts.add(text.casefold())
            if len(texts) == limit:
                return key[0]
    return inf


def _choose_first_spellings(typed: str, sort_keys: list[_SortKey], limit: int) -> list[Completion]:
    """Return the first `limit` completions by sort key, each spelling once."""
    sort_keys = [
        (key[0] - SAME_SOUND_BONUS, *key[1:]) if _is_whole_sound(typed, key[3], key[-1]) else key for key in sort_keys
    ]
    sort_keys.sort()
    completions: dict[str, Completion] = {}
    for score, _, _, language_id, _, word_id, text in _iter_by_similarity(typed, sort_keys):
        spelling = text.casefold()
        if spelling not in completions:
            completions[spelling] = Completion(word_id, language_id, text, score)
            if len(completions) == limit:
                break
    return list(completions.values())


def may_be_whole_word(typed: str, text: str) -> bool:
    """Return whether a typed key may be the whole of a word, judging by their lengths."""
    return -MAX_KEY_LENGTH_DIFFERENCE <= len(text) - len(typed) <= MAX_KEY_LENGTH_DIFFERENCE


def _is_whole_word(typed: str, text: str) -> bool:
    """Return whether a typed key is the exact key of a word of similar length: `oh` for Oh."""
    return text == typed or exact_key(text) == typed


def _is_whole_sound(typed: str, language_id: int, text: str) -> bool:
    """Return whether an Assamese word has the sound of all Roman letters typed: `xahu` is শাহু.

    Words of other languages get no bonus: their frequencies are unknown, so the shortest comes first.
    """
    # The lengths decide for most words: there are more Roman letters than Indic ones, except for hasantas.
    if language_id != ASSAMESE or len(typed) < MIN_WHOLE_SOUND_LETTERS or not typed.isascii():
        return False
    return len(text) - 1 <= len(typed) <= 2 * len(text) + 1 and distance(typed, text) <= MAX_PREFIX_DISTANCE


def _iter_by_similarity(typed: str, sort_keys: Iterable[_SortKey]) -> Iterator[_SortKey]:
    """Yield sort keys in order, with penalties for dissimilar beginnings; lazily, as most are never needed."""
    heap: list[_SortKey] = []
    first = typed[:1]
    for key in sort_keys:
        while heap and heap[0] < key:
            yield heappop(heap)
        text = key[-1]
        # Like `_mismatch_penalty`, without a call for each ASCII word shown.
        if text[:1].casefold() == first and text.isascii():
            yield key
        elif penalty := _mismatch_penalty(typed, text):
            heappush(heap, (key[0] + penalty, *key[1:]))
        else:
            yield key
    yield from sorted(heap)


def _mismatch_penalty(typed: str, text: str) -> float:
    """Return the penalty of a word whose beginning differs from the typed text: `wat` is water rather than বাট."""
    if text.isascii():
        return 0.0 if text[:1].casefold() == typed[:1] or not typed.isascii() else MISMATCH_PENALTY
    start_distance_letters = start_distance(typed[:MAX_START_LENGTH], text[:MAX_START_LENGTH])
    return (
        START_DISTANCE_PENALTY * start_distance_letters
        if start_distance_letters <= MAX_PREFIX_DISTANCE
        else MISMATCH_PENALTY + start_distance_letters
    )


def sort_by_score(completions: Iterable[Completion]) -> list[Completion]:
    """Sort completions by score, and equal scores like the words of a list."""
    return sorted(
        completions,
        key=lambda completion: completion_sort_key(
            (completion.score, completion.language_id, completion.text, completion.word_id)
        ),
    )
