"""Query sets for ranking, one for each kind of query, generated from words in use by rules and a fixed seed.

The same number of words is drawn from each of four frequency bands (`material.BAND_LIMITS`), so that the many rare
words do not outweigh the frequent ones. All queries of a word are in one half: weights are fitted on the `tuning` half,
and results are reported for the `telling` half.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from math import log
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from assamese.keys import exact_key
from assamese.romanize import Scheme, romanize
from tools.ranking import misspelling
from tools.ranking.forms import collect_forms
from tools.ranking.material import SEED, draw_number, half_of, is_one_word, load_material
from tools.transliteration.alignment import align, learn_units
from tools.transliteration.corpus import RomanSpelling
from tools.transliteration.habits import respell_units

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from assamese.joint_ngram import JointUnit
    from tools.ranking.material import Material, QueriedHeadword

ROMAN: Final = "everyday words in Roman letters"
MISSPELLED: Final = "misspelled in Assamese letters"
INFLECTED: Final = "inflected forms"
INFLECTED_ROMAN: Final = "inflected forms in Roman letters"
ENGLISH: Final = "English: misspelled, plural, several words"
SUGGEST: Final = "suggest: among ten after three Roman letters"
SCHOLARLY: Final = "Roman of scholars (ISO 15919, IPA, xobdo)"
ROWS: Final = (ROMAN, MISSPELLED, INFLECTED, INFLECTED_ROMAN, ENGLISH, SUGGEST, SCHOLARLY)
"""The rows of the table."""

WRITER_COUNT: Final = 6
"""Number of simulated writers who spell each word in Roman letters; `MAX_QUERIES_PER_WORD` spellings are queried."""

MAX_QUERIES_PER_WORD: Final = 2
PREFIX_LENGTH: Final = 3
"""Number of letters after which the word should be suggested."""

HASTY_WORD_INTERVAL: Final = 2
"""Interval of words that are also typed in haste: 2 means every second word."""

DOUBLED_WORD_INTERVAL: Final = 4
"""Interval of words that may get a doubled letter, a slip that is easy to correct: 4 means every fourth word."""

MIN_FREQUENCY_RATIO: Final = 10
"""Minimum ratio of the frequencies of a word and its misspelling in newspapers, which contain misspellings, too."""

UNSEEN_COUNT: Final = 0.5
"""Assumed number of occurrences of a form that does not occur in newspapers."""

MAX_WORDS_PER_BAND: Final = 60
"""Maximum number of words drawn per band, row and half."""


BAND_FACTORS: Final = {ENGLISH: 2}
"""Factor of the number of words per band for rows with fewer bands: English has two bands, words and phrases."""


class Question(NamedTuple):
    """A query: the row that it counts in, its text, the expected word, its kind, half and dictionary."""

    row: str
    text: str
    expected: str
    kind: str
    half: str
    is_starter: bool


def make_questions(material: Material, words_per_band: int = MAX_WORDS_PER_BAND) -> tuple[Question, ...]:
    """Generate the queries of all rows. If two words are typed alike, the more frequent one is expected."""
    forms = collect_forms(material)
    makers: dict[str, tuple[Iterable[QueriedHeadword], Callable[[QueriedHeadword], list[tuple[str, str]]]]] = {
        ROMAN: (_select_single_words(material), lambda word: _make_roman_queries(word, material)),
        MISSPELLED: (_select_single_words(material), lambda word: _make_misspelled_queries(word, material)),
        INFLECTED: (
            _select_inflected_words(material, forms),
            lambda word: _make_form_queries(word, forms, material.counts),
        ),
        INFLECTED_ROMAN: (
            _select_inflected_words(material, forms),
            lambda word: _make_roman_form_queries(word, forms, material.counts),
        ),
        ENGLISH: (material.english, lambda word: _make_english_queries(word, material)),
        SUGGEST: (_select_single_words(material), _make_prefix_queries),
        SCHOLARLY: (_select_single_words(material), _make_scholarly_queries),
    }
    questions = [
        Question(row, text, word.text, kind, half_of(word.text), word.is_starter)
        for row, (words, make) in makers.items()
        for word in _sample(row, words, words_per_band)
        for kind, text in make(word)
    ]
    return _without_duplicates(questions, material.counts)


def _without_duplicates(questions: Iterable[Question], counts: Mapping[str, int]) -> tuple[Question, ...]:
    commonest = sorted(
        questions, key=lambda question: (-counts.get(question.expected, 0), question.expected, question.kind)
    )
    unique: dict[tuple[str, bool, str], Question] = {}
    for question in commonest:
        # Only suggestions may be right for several words; any other query expects one.
        expected = question.expected if question.row == SUGGEST else ""
        unique.setdefault((f"{question.row}\t{expected}", question.is_starter, question.text), question)
    return tuple(
        sorted(
            unique.values(),
            key=lambda question: (ROWS.index(question.row), question.half, question.expected, question.text),
        )
    )


def _sample(row: str, words: Iterable[QueriedHeadword], limit: int) -> Iterator[QueriedHeadword]:
    """Yield the same number of words from each band, half and dictionary."""
    groups: dict[tuple[bool, int, str], list[QueriedHeadword]] = defaultdict(list)
    for word in words:
        groups[word.is_starter, word.band, half_of(word.text)].append(word)
    for _, group in sorted(groups.items()):
        yield from sorted(group, key=lambda word: draw_number(row, word.text))[: limit * BAND_FACTORS.get(row, 1)]


def _choose_queries(row: str, word: str, queries: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return at most `MAX_QUERIES_PER_WORD` random queries of a word, of different kinds if possible."""
    by_kind: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for query in sorted(dict.fromkeys(queries), key=lambda query: draw_number(row, word, *query)):
        by_kind[query[0]].append(query)
    kinds = sorted(by_kind.values(), key=lambda of_kind: draw_number(row, word, of_kind[0][0]))
    in_turn = chain.from_iterable(
        [of_kind[turn] for of_kind in kinds if turn < len(of_kind)] for turn in range(MAX_QUERIES_PER_WORD)
    )
    return list(in_turn)[:MAX_QUERIES_PER_WORD]


def _select_single_words(material: Material) -> list[QueriedHeadword]:
    return [word for word in material.assamese if is_one_word(word.text)]


# --- in Roman letters -------------------------------------------------------------------------------------------------


def _make_roman_queries(word: QueriedHeadword, material: Material) -> list[tuple[str, str]]:
    """Return Roman spellings of a word: a collected one, and those of writers with other habits."""
    collected = [
        ("collected", roman) for roman in material.roman_spellings.get(exact_key(word.text), ()) if roman.isalpha()
    ]
    by_habit = [("by habit", roman) for roman in make_roman_spellings(word.text)]
    is_hasty = draw_number("in haste", word.text) % HASTY_WORD_INTERVAL == 0
    in_haste = (
        [spelling for _, roman in by_habit for spelling in misspelling.misspell_hastily(roman)] if is_hasty else []
    )
    return [
        *_choose_queries(ROMAN, word.text, collected)[:1],
        *_choose_queries(ROMAN, word.text, [*by_habit, *in_haste]),
    ][:MAX_QUERIES_PER_WORD]


def make_roman_spellings(word: str) -> tuple[str, ...]:
    """Return Roman spellings of an Assamese word by writers of several habits; empty if it cannot be romanized."""
    spelling = _romanize_by_rule(word)
    if spelling is None:
        return ()
    units = align(spelling, _learn_units())
    romans = [spelling.roman]
    if units:
        writers = (Random(f"{SEED} {word} {number}") for number in range(WRITER_COUNT))  # noqa: S311 (no secret)
        romans += ("".join(unit.source for unit in respell_units(units, writer)) for writer in writers)
    return tuple(dict.fromkeys(romans))


def _romanize_by_rule(word: str) -> RomanSpelling | None:
    roman = romanize(word, Scheme.PLAIN).casefold()
    return RomanSpelling(roman, word.replace("’", "")) if roman.isascii() and roman.isalpha() else None


@cache
def _learn_units() -> dict[JointUnit, float]:
    """Learn the alignment units of Roman and Assamese letters from the starter's words romanized by rule."""
    words = (word.text for word in load_material(None).assamese if is_one_word(word.text))
    return learn_units(spelling for word in words if (spelling := _romanize_by_rule(word)))


_SCHEMES: Final = {"ISO 15919": Scheme.ISO15919, "IPA": Scheme.IPA, "xobdo": Scheme.XOBDO}


def _make_scholarly_queries(word: QueriedHeadword) -> list[tuple[str, str]]:
    """Return the scholarly romanizations of a word that contain diacritics or dots."""
    written = [(kind, romanize(word.text, scheme)) for kind, scheme in _SCHEMES.items()]
    return _choose_queries(
        SCHOLARLY, word.text, [(kind, roman) for kind, roman in written if not roman.isascii() or "." in roman]
    )


def _make_prefix_queries(word: QueriedHeadword) -> list[tuple[str, str]]:
    prefixes = [
        ("begun", roman[:PREFIX_LENGTH]) for roman in make_roman_spellings(word.text) if len(roman) > PREFIX_LENGTH
    ]
    return _choose_queries(SUGGEST, word.text, prefixes)


# --- misspelled and inflected -----------------------------------------------------------------------------------------


def _make_misspelled_queries(word: QueriedHeadword, material: Material) -> list[tuple[str, str]]:
    """Return a misspelling by sound and one by a slip, neither a headword nor frequent compared with the word."""
    max_count = material.counts.get(word.text, 0) / MIN_FREQUENCY_RATIO

    def is_not_a_word(query: tuple[str, str]) -> bool:
        return exact_key(query[1]) not in material.headwords and material.counts.get(query[1], 0) <= max_count

    doubles = draw_number("doubled", word.text) % DOUBLED_WORD_INTERVAL == 0
    confused = _choose_queries(MISSPELLED, word.text, filter(is_not_a_word, misspelling.iter_confusions(word.text)))
    slips = [
        (kind, text) for kind, text in misspelling.iter_slips(word.text) if kind != misspelling.DOUBLED_KIND or doubles
    ]
    slipped = _choose_queries(MISSPELLED, word.text, filter(is_not_a_word, slips))
    return [*confused[:1], *slipped[:1]]


def _select_inflected_words(
    material: Material, forms: Mapping[str, Sequence[tuple[str, str]]]
) -> list[QueriedHeadword]:
    return [word for word in material.assamese if word.text in forms]


FormsByWord = Mapping[str, Sequence[tuple[str, str]]]
"""Forms by word, each with its kind."""


def _make_form_queries(word: QueriedHeadword, forms: FormsByWord, counts: Mapping[str, int]) -> list[tuple[str, str]]:
    """Return at most `MAX_QUERIES_PER_WORD` random forms of a word, weighted by their frequency in newspapers."""

    def sort_key(query: tuple[str, str]) -> float:
        ticket = (draw_number(INFLECTED, word.text, *query) + 1) / (2**48 + 1)
        return -log(ticket) / (counts.get(query[1], 0) or UNSEEN_COUNT)

    return sorted(forms[word.text], key=sort_key)[:MAX_QUERIES_PER_WORD]


def _make_roman_form_queries(
    word: QueriedHeadword, forms: FormsByWord, counts: Mapping[str, int]
) -> list[tuple[str, str]]:
    queries = []
    for kind, form in _make_form_queries(word, forms, counts):
        queries += _choose_queries(INFLECTED_ROMAN, form, [(kind, roman) for roman in make_roman_spellings(form)])[:1]
    return queries


# --- English ----------------------------------------------------------------------------------------------------------

_PLURAL_ENDINGS: Final = {"s": "es", "x": "es", "z": "es", "ch": "es", "sh": "es"}
_UNSURE_PLURALS: Final = (
    "man",
    "f",
    "fe",
    "o",
    "ese",
    "fish",
    "sheep",
    "deer",
    "child",
    "foot",
    "tooth",
    "mouse",
    "goose",
)
_COUNTABLE_NOUNS: Final = frozenset({"Common Noun", "Material Noun"})


def _make_english_queries(word: QueriedHeadword, material: Material) -> list[tuple[str, str]]:
    if not (word.text.replace(" ", "").isalpha() and word.text.isascii() and word.text.islower()):
        return []
    *first, last = word.text.split(" ")
    return _choose_queries(
        ENGLISH, word.text, _phrase_queries(first, last) if first else _single_word_queries(word, material)
    )


def _single_word_queries(word: QueriedHeadword, material: Material) -> Iterator[tuple[str, str]]:
    plural = _pluralize(word.text)
    if word.parts_of_speech & _COUNTABLE_NOUNS and plural and plural not in material.english_words:
        yield "plural", plural
    for _, wrong in misspelling.misspell_english(word.text):
        if wrong not in material.english_words:
            yield "misspelled", wrong


def _phrase_queries(first: list[str], last: str) -> Iterator[tuple[str, str]]:
    if plural := _pluralize(last):
        yield "several words, plural", " ".join([*first, plural])
    yield "several words, joined", "-".join([*first, last])
    yield "several words, with a mark", " ".join([*first, last]) + "!"
    for _, wrong in misspelling.misspell_english(last):
        yield "several words, misspelled", " ".join([*first, wrong])


def _pluralize(noun: str) -> str:
    """Return the plural of a noun if it is certainly regular, or else an empty string."""
    if noun.endswith(_UNSURE_PLURALS):
        return ""
    if noun.endswith("y") and noun[-2:-1] not in set("aeiou"):
        return noun[:-1] + "ies"
    return noun + next((ending for last, ending in _PLURAL_ENDINGS.items() if noun.endswith(last)), "s")
