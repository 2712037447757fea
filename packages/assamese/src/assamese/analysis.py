"""Analyse Assamese forms: lemma, part of speech and features of Universal Dependencies, and segments.

The readings of a form (`form_readings`) are compared with a lexicon: the words of a dictionary, or a list of words.
Where the lexicon has none of their lemmas, the likeliest are returned as guesses.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

import msgspec

from assamese.conjugation import before_raising, verbs_of
from assamese.form_readings import ANALYSIS, BEING, Features, Reading, Segment, SegmentKind, readings
from assamese.keys import exact_key
from assamese.lemmas import LONGEST_FORM
from assamese.paradigms import RULES, Headword
from assamese.word_frequency import COUNTED, band

MAX_ANALYSES: Final = 8
"""The maximum number of analyses of a form."""

INFLECTED: Final = frozenset({"NOUN", "PROPN", "ADJ", "NUM", "PRON", "DET", "VERB"})
"""Parts of speech that have endings; the others have clitics only."""

NOT_DEFINITE: Final = frozenset({"NUM", "PRON", "DET"})
"""Parts of speech whose classifiers do not say that they are definite."""


class LexiconWord(NamedTuple):
    """A word of a lexicon: what its forms depend on, its parts of speech (UPOS), the usual one first, and its ID."""

    headword: Headword
    parts_of_speech: tuple[str, ...]
    word_id: int | None = None


class Lexicon(Protocol):
    """A source of words."""

    def find(self, lemmas: Sequence[str]) -> Iterable[LexiconWord]:
        """Return the words that have one of some exact keys."""


class WordList:
    """A lexicon of words that are given."""

    def __init__(self, words: Iterable[LexiconWord]) -> None:
        self._words: dict[str, list[LexiconWord]] = defaultdict(list)
        for word in words:
            self._words[exact_key(word.headword.text)].append(word)

    def find(self, lemmas: Sequence[str]) -> Iterable[LexiconWord]:
        """Return the words that have one of some exact keys."""
        return [word for lemma in lemmas for word in self._words.get(lemma, ())]


class Analysis(msgspec.Struct, frozen=True):
    """What a form may be. `guess`: the lexicon does not have the lemma."""

    lemma: str
    word_id: int | None
    pos: str
    features: Features
    segments: tuple[Segment, ...]
    guess: bool = False


_UNIVERSAL: Final = {
    "Noun": "NOUN",
    "Verb": "VERB",
    "Adjective": "ADJ",
    "Adjective/Adverb": "ADV",
    "Pronoun": "PRON",
    "Proper Noun": "PROPN",
    "Adverb": "ADV",
    "Adposition": "ADP",
    "Conjunction": "CCONJ",
    "Interjection": "INTJ",
}


def universal_pos(value: str, code: str | None) -> str:
    """Return the UPOS of a part of speech, given as value and code: ("Common Noun", "Noun")."""
    return _UNIVERSAL.get(value) or _UNIVERSAL.get(code or "", "X")


class _Scored(NamedTuple):
    """An analysis, and how unlikely it is."""

    score: tuple[float, ...]
    analysis: Analysis


def analyze_form(form: str, lexicon: Lexicon) -> tuple[Analysis, ...]:
    """List what a form may be, the likeliest first; guesses where the lexicon has no word for it."""
    key = exact_key(form)
    if not key or len(key) > LONGEST_FORM:
        return ()
    if key.isdecimal():
        return (_whole(key, "NUM", {"NumType": "Card"}),)
    found = list(readings(key))
    words: dict[str, list[LexiconWord]] = defaultdict(list)
    for word in lexicon.find(list(dict.fromkeys(name for each in found for name in _names_of(each.lemma)))):
        words[exact_key(word.headword.text)].append(word)
    scored = [each for reading in found for each in _analyses(reading, words)]
    scored = scored or [each for reading in found for each in _guesses(reading, key)]
    once: dict[tuple[object, ...], Analysis] = {}
    for each in sorted(scored, key=lambda each: each.score):
        analysis = each.analysis
        once.setdefault((analysis.lemma, analysis.pos, tuple(sorted(analysis.features.items()))), analysis)
    return tuple(once.values())[:MAX_ANALYSES]


def _whole(key: str, pos: str, features: Features) -> Analysis:
    return Analysis(key, None, pos, features, (Segment(key, SegmentKind.STEM),))


def _names_of(lemma: str) -> Iterator[str]:
    """List the headwords under which a lemma may stand."""
    yield lemma
    if lemma == BEING:
        yield from _ENTRIES_OF_BEING
    word = ANALYSIS.words.get(lemma)
    if word is not None and word.lemma:
        yield word.lemma
    if lemma in ANALYSIS.singular:
        yield ANALYSIS.singular[lemma]


_ENTRIES_OF_BEING: Final = tuple(noun for noun, stem in RULES.verbal_nouns.items() if stem in RULES.being.verbs)


# --- words of the lexicon ---------------------------------------------------------------------------------------------


def _analyses(reading: Reading, words: Mapping[str, Sequence[LexiconWord]]) -> Iterator[_Scored]:
    """List the analyses of a reading whose lemma is a function word or a word of the lexicon."""
    if reading.stem:
        yield from _verbs(reading, words)
        return
    lemma = ANALYSIS.singular.get(reading.lemma, reading.lemma)
    features = {**_plural_of(reading), **reading.features}
    function = ANALYSIS.words.get(lemma)
    if function is not None:
        named = function.lemma or lemma
        for place, pos in enumerate(function.pos):
            word = next(iter(words.get(named, ())), None)
            if _may_be(pos, reading):
                merged = _merged(pos, {**function.features, **features}, named)
                yield _scored(reading, 0, place, named, pos, merged, word)
    for word in words.get(reading.lemma, ()):
        for place, pos in enumerate(word.parts_of_speech):
            if (function is None or pos not in {*function.pos, *_REPLACED}) and _may_be(pos, reading):
                yield _scored(reading, 1, place, lemma, pos, _merged(pos, features, lemma), word)


_REPLACED: Final = frozenset({"PRON", "ADJ", "ADV", "CCONJ", "INTJ", "ADP", "X"})
"""Parts of speech of an entry that a function word has other names for."""


def _plural_of(reading: Reading) -> Features:
    return {"Number": "Plur"} if reading.lemma in ANALYSIS.singular else {}


def _may_be(pos: str, reading: Reading) -> bool:
    if pos == "VERB":
        return reading.lemma.endswith("া") or reading.lemma in ANALYSIS.words
    return pos in INFLECTED or reading.is_bare


def _merged(pos: str, features: dict[str, str], lemma: str) -> dict[str, str]:
    """Add what the part of speech says to the features of the endings."""
    if pos == "VERB" and "VerbForm" not in features:
        features = {"VerbForm": "Vnoun", **features}
    if pos in NOT_DEFINITE:
        features.pop("Definite", None)
    return dict(sorted(features.items()))


def _verbs(reading: Reading, words: Mapping[str, Sequence[LexiconWord]]) -> Iterator[_Scored]:
    """List the analyses of a reading as a verb that has its stem."""
    names = _ENTRIES_OF_BEING if reading.lemma == BEING else (reading.lemma,)
    more = ANALYSIS.words[reading.lemma].features if reading.lemma in ANALYSIS.words else {}
    features = dict(sorted({**more, **reading.features}.items()))
    found = [word for name in names for word in words.get(name, ()) if "VERB" in word.parts_of_speech]
    for word in found:
        if reading.lemma == BEING or _has_stem(word.headword, reading.stem):
            place = word.parts_of_speech.index("VERB")
            yield _scored(reading, 1, place, reading.lemma, "VERB", features, word)
    if not found and (reading.lemma == BEING or more):
        yield _scored(reading, 1, 0, reading.lemma, "VERB", features, None)


def _has_stem(headword: Headword, stem: str) -> bool:
    """Return whether a verb has a stem, or may have it: its verbal noun does not tell."""
    verbs = verbs_of(headword)
    stems = {each.stem for each in verbs}
    return not verbs or bool(
        {stem} & {*stems, *map(before_raising, stems), *(RULES.stems_of_past.get(each, "") for each in stems)}
    )


def _scored(
    reading: Reading, source: int, place: int, lemma: str, pos: str, features: Features, word: LexiconWord | None
) -> _Scored:
    cost = source + 2 * reading.cost.value + reading.clitics + (not reading.is_bare) * 1
    id_ = word.word_id if word is not None else None
    analysis = Analysis(lemma, id_, pos, features, reading.segments)
    return _Scored((cost, -band(lemma, COUNTED), place, len(reading.segments)), analysis)


# --- guesses ----------------------------------------------------------------------------------------------------------


def _guesses(reading: Reading, key: str) -> Iterator[_Scored]:
    """Guess that a lemma that the lexicon does not have is a noun, or a verb."""
    pos = "VERB" if reading.stem else "NOUN"
    if reading.stem and not reading.lemma.endswith("া"):
        return
    analysis = Analysis(reading.lemma, None, pos, dict(sorted(reading.features.items())), reading.segments, guess=True)
    taken = len(key) - len(reading.segments[0].text)
    yield _Scored((-band(reading.lemma, COUNTED), reading.clitics, -taken, reading.cost.value), analysis)
