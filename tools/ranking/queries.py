"""The query sets of ranking: one for each way in which people ask, made by rule of words in use, with a fixed seed.

Words are drawn evenly from four bands of how common they are (`material.BANDS`), so that rare words, of which there are
most, do not drown the common ones that are asked for most. Each word is in one half, with all its queries: weights
are found on the `tuning` half, and what they are worth is told of the `telling` half.
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
from tools.ranking.forms import forms_of
from tools.ranking.material import SEED, draw, gather, half_of, is_one_word
from tools.transliteration.alignment import align, learn_units
from tools.transliteration.corpus import Spelling
from tools.transliteration.habits import respelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from assamese.joint_ngram import Pair
    from tools.ranking.material import Headword, Material

ROMAN: Final = "everyday words in Roman letters"
MISSPELLED: Final = "misspelled in Assamese letters"
INFLECTED: Final = "inflected forms"
INFLECTED_ROMAN: Final = "inflected forms in Roman letters"
ENGLISH: Final = "English: misspelled, plural, several words"
SUGGEST: Final = "suggest: among ten after three Roman letters"
SCHOLARLY: Final = "Roman of scholars (ISO 15919, IPA, xobdo)"
ROWS: Final = (ROMAN, MISSPELLED, INFLECTED, INFLECTED_ROMAN, ENGLISH, SUGGEST, SCHOLARLY)
"""What is measured: the rows of the table."""

WRITERS: Final = 6
"""So many writers spell each word in Roman letters; of their spellings two are asked for."""

PER_WORD: Final = 2
TYPED: Final = 3
"""After so many letters the word is to be suggested."""

IN_HASTE: Final = 2
"""One of so many words is also typed in haste."""

DOUBLED_OF: Final = 4
"""Of one of so many words a letter may be doubled: a slip that is easily seen through."""

RARER: Final = 10
"""So many times rarer than the word a misspelling must be in newspapers, which have misspellings too."""

NEVER_SEEN: Final = 0.5
"""How often, as it were, newspapers use a form that they never use."""

WORDS_OF_A_BAND: Final = 60
"""So many words of each band are drawn for each row and half, if there are so many."""


BANDS_IN_ONE: Final = {ENGLISH: 2}
"""Rows whose words are of few bands: one word, or several."""


class Question(NamedTuple):
    """Something typed, the word that is expected, and what the query is: of which row, kind, half and dictionary."""

    row: str
    text: str
    expected: str
    kind: str
    half: str
    is_starter: bool


def make_questions(material: Material, words_of_a_band: int = WORDS_OF_A_BAND) -> tuple[Question, ...]:
    """Make the queries of every row. Of two words that are typed alike the commoner one is expected."""
    forms = forms_of(material)
    makers: dict[str, tuple[Iterable[Headword], Callable[[Headword], list[tuple[str, str]]]]] = {
        ROMAN: (_single_words(material), lambda word: _in_roman(word, material)),
        MISSPELLED: (_single_words(material), lambda word: _misspelled(word, material)),
        INFLECTED: (_inflecting(material, forms), lambda word: _forms(word, forms, material.counts)),
        INFLECTED_ROMAN: (_inflecting(material, forms), lambda word: _forms_in_roman(word, forms, material.counts)),
        ENGLISH: (material.english, lambda word: _english(word, material)),
        SUGGEST: (_single_words(material), _begun),
        SCHOLARLY: (_single_words(material), _scholarly),
    }
    made = [
        Question(row, text, word.text, kind, half_of(word.text), word.is_starter)
        for row, (words, make) in makers.items()
        for word in _drawn(row, words, words_of_a_band)
        for kind, text in make(word)
    ]
    return _once(made, material.counts)


def _once(questions: Iterable[Question], counts: Mapping[str, int]) -> tuple[Question, ...]:
    commonest = sorted(questions, key=lambda each: (-counts.get(each.expected, 0), each.expected, each.kind))
    once: dict[tuple[str, bool, str], Question] = {}
    for each in commonest:
        # What is suggested after three letters may be several words; otherwise one is meant.
        meant = each.expected if each.row == SUGGEST else ""
        once.setdefault((f"{each.row}\t{meant}", each.is_starter, each.text), each)
    return tuple(sorted(once.values(), key=lambda each: (ROWS.index(each.row), each.half, each.expected, each.text)))


def _drawn(row: str, words: Iterable[Headword], most: int) -> Iterator[Headword]:
    """Draw as many words of each band, half and dictionary."""
    groups: dict[tuple[bool, int, str], list[Headword]] = defaultdict(list)
    for word in words:
        groups[word.is_starter, word.band, half_of(word.text)].append(word)
    for _, group in sorted(groups.items()):
        yield from sorted(group, key=lambda word: draw(row, word.text))[: most * BANDS_IN_ONE.get(row, 1)]


def _chosen(row: str, word: str, queries: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Choose a few of the queries of a word by lot, each of another kind if there are so many kinds."""
    by_kind: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for query in sorted(dict.fromkeys(queries), key=lambda query: draw(row, word, *query)):
        by_kind[query[0]].append(query)
    kinds = sorted(by_kind.values(), key=lambda of_kind: draw(row, word, of_kind[0][0]))
    in_turn = chain.from_iterable(
        [of_kind[turn] for of_kind in kinds if turn < len(of_kind)] for turn in range(PER_WORD)
    )
    return list(in_turn)[:PER_WORD]


def _single_words(material: Material) -> list[Headword]:
    return [word for word in material.assamese if is_one_word(word.text)]


# --- in Roman letters -------------------------------------------------------------------------------------------------


def _in_roman(word: Headword, material: Material) -> list[tuple[str, str]]:
    """Spell a word as people were seen to type it, and as writers of other habits would."""
    collected = [("collected", roman) for roman in material.collected.get(exact_key(word.text), ()) if roman.isalpha()]
    by_habit = [("by habit", roman) for roman in spellings(word.text)]
    hastes = draw("in haste", word.text) % IN_HASTE == 0
    in_haste = [each for _, roman in by_habit for each in misspelling.careless(roman)] if hastes else []
    return [*_chosen(ROMAN, word.text, collected)[:1], *_chosen(ROMAN, word.text, [*by_habit, *in_haste])][:PER_WORD]


def spellings(word: str) -> tuple[str, ...]:
    """Spell an Assamese word in Roman letters as writers of several habits would; none if it cannot be read."""
    spelling = _spelled_by_rule(word)
    if spelling is None:
        return ()
    units = align(spelling, _units())
    found = [spelling.roman]
    if units:
        writers = (Random(f"{SEED} {word} {number}") for number in range(WRITERS))  # noqa: S311 (no secret)
        found += ("".join(unit.source for unit in respelled(units, writer)) for writer in writers)
    return tuple(dict.fromkeys(found))


def _spelled_by_rule(word: str) -> Spelling | None:
    roman = romanize(word, Scheme.PLAIN).casefold()
    return Spelling(roman, word.replace("’", "")) if roman.isascii() and roman.isalpha() else None


@cache
def _units() -> dict[Pair, float]:
    """Learn which Roman letters answer to which Assamese ones, of the starter's words spelled by rule."""
    words = (word.text for word in gather(None).assamese if is_one_word(word.text))
    return learn_units(spelling for word in words if (spelling := _spelled_by_rule(word)))


_SCHEMES: Final = {"ISO 15919": Scheme.ISO15919, "IPA": Scheme.IPA, "xobdo": Scheme.XOBDO}


def _scholarly(word: Headword) -> list[tuple[str, str]]:
    """Spell a word as books do, with marks: those that differ from plain letters."""
    written = [(kind, romanize(word.text, scheme)) for kind, scheme in _SCHEMES.items()]
    return _chosen(
        SCHOLARLY, word.text, [(kind, roman) for kind, roman in written if not roman.isascii() or "." in roman]
    )


def _begun(word: Headword) -> list[tuple[str, str]]:
    begun = [("begun", roman[:TYPED]) for roman in spellings(word.text) if len(roman) > TYPED]
    return _chosen(SUGGEST, word.text, begun)


# --- misspelled and inflected -----------------------------------------------------------------------------------------


def _misspelled(word: Headword, material: Material) -> list[tuple[str, str]]:
    """Misspell a word by ear and by a slip, so that it is no other word: no headword, and far rarer than the word."""
    most = material.counts.get(word.text, 0) / RARER

    def is_no_word(query: tuple[str, str]) -> bool:
        return exact_key(query[1]) not in material.headwords and material.counts.get(query[1], 0) <= most

    doubles = draw("doubled", word.text) % DOUBLED_OF == 0
    confused = _chosen(MISSPELLED, word.text, filter(is_no_word, misspelling.confusions(word.text)))
    slips = [(kind, text) for kind, text in misspelling.slips(word.text) if kind != misspelling.DOUBLED or doubles]
    slipped = _chosen(MISSPELLED, word.text, filter(is_no_word, slips))
    return [*confused[:1], *slipped[:1]]


def _inflecting(material: Material, forms: Mapping[str, Sequence[tuple[str, str]]]) -> list[Headword]:
    return [word for word in material.assamese if word.text in forms]


Forms = Mapping[str, Sequence[tuple[str, str]]]
"""Forms by word, each with its kind."""


def _forms(word: Headword, forms: Forms, counts: Mapping[str, int]) -> list[tuple[str, str]]:
    """Choose a few forms of a word by lot: the more often newspapers use one, the likelier."""

    def order(query: tuple[str, str]) -> float:
        ticket = (draw(INFLECTED, word.text, *query) + 1) / (2**48 + 1)
        return -log(ticket) / (counts.get(query[1], 0) or NEVER_SEEN)

    return sorted(forms[word.text], key=order)[:PER_WORD]


def _forms_in_roman(word: Headword, forms: Forms, counts: Mapping[str, int]) -> list[tuple[str, str]]:
    queries = []
    for kind, form in _forms(word, forms, counts):
        queries += _chosen(INFLECTED_ROMAN, form, [(kind, roman) for roman in spellings(form)])[:1]
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
_COUNTED: Final = frozenset({"Common Noun", "Material Noun"})


def _english(word: Headword, material: Material) -> list[tuple[str, str]]:
    if not (word.text.replace(" ", "").isalpha() and word.text.isascii() and word.text.islower()):
        return []
    *first, last = word.text.split(" ")
    return _chosen(ENGLISH, word.text, _of_several_words(first, last) if first else _of_one_word(word, material))


def _of_one_word(word: Headword, material: Material) -> Iterator[tuple[str, str]]:
    plural = _plural(word.text)
    if word.parts & _COUNTED and plural and plural not in material.words_of_english:
        yield "plural", plural
    for _, wrong in misspelling.english(word.text):
        if wrong not in material.words_of_english:
            yield "misspelled", wrong


def _of_several_words(first: list[str], last: str) -> Iterator[tuple[str, str]]:
    if plural := _plural(last):
        yield "several words, plural", " ".join([*first, plural])
    yield "several words, joined", "-".join([*first, last])
    yield "several words, with a mark", " ".join([*first, last]) + "!"
    for _, wrong in misspelling.english(last):
        yield "several words, misspelled", " ".join([*first, wrong])


def _plural(noun: str) -> str:
    """Return the plural of a noun where it is surely regular, else nothing."""
    if noun.endswith(_UNSURE_PLURALS):
        return ""
    if noun.endswith("y") and noun[-2:-1] not in set("aeiou"):
        return noun[:-1] + "ies"
    return noun + next((ending for last, ending in _PLURAL_ENDINGS.items() if noun.endswith(last)), "s")
