"""Analyse Assamese forms: lemma, part of speech and features (Universal Dependencies), and segments.

The readings of a form (`form_readings`) are compared with a lexicon: the words of a dictionary, or a list of words.
If the lexicon has none of their lemmas, the likeliest readings are returned as guesses.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

import msgspec

from assamese.analysis_rules import ANALYSIS, Features, FormReading, Segment, SegmentKind
from assamese.conjugation import find_raised_base, find_verbs
from assamese.form_readings import iter_readings
from assamese.keys import exact_key
from assamese.lemmas import MAX_FORM_LENGTH
from assamese.normalization import Script, detect_script
from assamese.paradigms import RULES, Headword, Label
from assamese.verb_readings import BE_LEMMA, VERBAL_NOUN_ENDING
from assamese.word_frequency import COUNTED_LANGUAGE, look_up_band

MAX_ANALYSES: Final = 8
"""The maximum number of analyses of a form."""

INFLECTED_TAGS: Final = frozenset({"NOUN", "PROPN", "ADJ", "NUM", "PRON", "DET", "VERB"})
"""Parts of speech that take endings; the others take clitics only."""

INDEFINITE_TAGS: Final = frozenset({"NUM", "PRON", "DET"})
"""Parts of speech whose classifiers do not mark definiteness."""


class LexiconWord(NamedTuple):
    """A word of a lexicon: its headword, its parts of speech (UPOS, the most usual first), and its ID."""

    headword: Headword
    parts_of_speech: tuple[str, ...]
    word_id: int | None = None


class Lexicon(Protocol):
    """A dictionary or list of words in which lemmas are looked up."""

    def find(self, lemmas: Sequence[str]) -> Iterable[LexiconWord]:
        """Return the words whose exact key is one of `lemmas`."""


class MemoryLexicon:
    """A lexicon in memory."""

    def __init__(self, words: Iterable[LexiconWord]) -> None:
        """Index the words by their exact keys."""
        self._words: dict[str, list[LexiconWord]] = defaultdict(list)
        for word in words:
            self._words[exact_key(word.headword.text)].append(word)

    def find(self, lemmas: Sequence[str]) -> Iterable[LexiconWord]:
        """Return the words whose exact key is one of `lemmas`."""
        return [word for lemma in lemmas for word in self._words.get(lemma, ())]


class Analysis(msgspec.Struct, frozen=True):
    """A possible analysis of a form. `guess` is true if the lexicon lacks the lemma."""

    lemma: str
    word_id: int | None
    pos: str
    features: Features
    segments: tuple[Segment, ...]
    guess: bool = False


_UPOS: Final = {
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
    return _UPOS.get(value) or _UPOS.get(code or "", "X")


def describe_features(features: Features) -> Label:
    """Describe features in words ("past progressive, first person"); the label is empty if no description fits."""
    chosen: dict[str, Label] = {}
    for description in ANALYSIS.descriptions:
        if description.features.items() <= features.items():
            chosen.setdefault(description.group, description.label)
    return Label(*(", ".join(label[language] for label in chosen.values()) for language in range(2)))


class _ScoredAnalysis(NamedTuple):
    """An analysis with its score; a lower score is likelier."""

    score: tuple[float, ...]
    analysis: Analysis


def analyze_form(form: str, lexicon: Lexicon) -> tuple[Analysis, ...]:
    """Return the analyses of a form, the likeliest first; they are guesses if the lexicon has no word for it."""
    key = exact_key(form)
    if key.isdecimal():
        return (Analysis(form, None, "NUM", {"NumType": "Card"}, (Segment(form, SegmentKind.STEM),)),)
    if len(key) > MAX_FORM_LENGTH or detect_script(key) is not Script.EASTERN_NAGARI:
        return ()
    candidates = list(iter_readings(key))
    words: dict[str, list[LexiconWord]] = defaultdict(list)
    for word in lexicon.find(
        list(dict.fromkeys(name for each in candidates for name in _lexicon_headwords(each.lemma)))
    ):
        words[exact_key(word.headword.text)].append(word)
    scored = [each for reading in candidates for each in _iter_analyses(reading, words)]
    scored = scored or [each for reading in candidates for each in _iter_guesses(reading)]
    unique: dict[tuple[object, ...], Analysis] = {}
    for each in sorted(scored, key=lambda each: each.score):
        analysis = each.analysis
        unique.setdefault((analysis.lemma, analysis.pos, tuple(sorted(analysis.features.items()))), analysis)
    return tuple(unique.values())[:MAX_ANALYSES]


def _lexicon_headwords(lemma: str) -> Iterator[str]:
    """Yield the headwords under which a lexicon may have a lemma."""
    yield lemma
    if lemma == BE_LEMMA:
        yield from _BE_HEADWORDS
    word = ANALYSIS.words.get(lemma)
    if word is not None and word.lemma:
        yield word.lemma
    if lemma in ANALYSIS.singular:
        yield ANALYSIS.singular[lemma]


_BE_HEADWORDS: Final = tuple(noun for noun, stem in RULES.verbal_nouns.items() if stem in RULES.being.verbs)


# --- words of the lexicon ---------------------------------------------------------------------------------------------


def _iter_analyses(reading: FormReading, words: Mapping[str, Sequence[LexiconWord]]) -> Iterator[_ScoredAnalysis]:
    """Yield the analyses of a reading whose lemma is a function word or a word of the lexicon."""
    if reading.stem:
        yield from _iter_verb_analyses(reading, words)
        return
    lemma = ANALYSIS.singular.get(reading.lemma, reading.lemma)
    features = {**_plural_features(reading), **reading.features}
    function = ANALYSIS.words.get(lemma)
    if function is not None:
        headword = function.lemma or lemma
        for rank, pos in enumerate(function.pos):
            word = next(iter(words.get(headword, ())), None)
            if _is_possible_tag(pos, reading):
                merged = _merge_features(pos, {**function.features, **features})
                analysis = _build_analysis(reading, headword, pos, merged, word)
                yield _score_analysis(reading, analysis, rank, FUNCTION_WORD_COST)
    for word in words.get(reading.lemma, ()):
        for rank, pos in enumerate(_parts_of_speech(reading, word)):
            if (function is None or pos not in {*function.pos, *_OVERRIDDEN_TAGS}) and _is_possible_tag(pos, reading):
                merged = _merge_features(pos, features, is_command=_is_command(reading))
                yield _score_analysis(reading, _build_analysis(reading, lemma, pos, merged, word), rank)


FUNCTION_WORD_COST: Final = -40
"""Cost of a function word, in frequency bands; negative, since few other words are spelled like one."""


def _parts_of_speech(reading: FormReading, word: LexiconWord) -> tuple[str, ...]:
    """Return the possible parts of speech of a word in a reading, with proper noun last."""
    if reading.pos == "ADV":
        return ("ADV",)
    return tuple(sorted(word.parts_of_speech, key=lambda pos: pos == "PROPN"))


_OVERRIDDEN_TAGS: Final = frozenset({"PRON", "ADJ", "ADV", "CCONJ", "INTJ", "ADP", "X"})
"""Parts of speech of a dictionary entry that the table of function words overrides."""


def _plural_features(reading: FormReading) -> Features:
    return {"Number": "Plur"} if reading.lemma in ANALYSIS.singular else {}


def _is_possible_tag(pos: str, reading: FormReading) -> bool:
    if reading.pos and (pos != reading.pos or (pos == "ADV" and reading.lemma in ANALYSIS.words)):
        return False
    if pos == "VERB":
        is_noun = reading.lemma.endswith(VERBAL_NOUN_ENDING) and not reading.is_listed
        return is_noun or reading.lemma in ANALYSIS.words
    if any(segment.text == ANALYSIS.approximate for segment in reading.segments[1:]):
        return pos == "NUM"
    return pos in INFLECTED_TAGS or reading.is_bare or bool(reading.pos)


def _merge_features(pos: str, features: dict[str, str], *, is_command: bool = False) -> dict[str, str]:
    """Combine the features of the endings with those of the part of speech."""
    if pos == "VERB" and "VerbForm" not in features:
        features = {**(_COMMAND_FEATURES if is_command else {"VerbForm": "Vnoun"}), **features}
    if pos in INDEFINITE_TAGS:
        features.pop("Definite", None)
    return dict(sorted(features.items()))


_COMMAND_FEATURES: Final = {"Mood": "Imp", "Person": "2", "VerbForm": "Fin"}
"""Features of a verbal noun that is followed by চোন and thus a command: দিয়াচোন."""


def _iter_verb_analyses(reading: FormReading, words: Mapping[str, Sequence[LexiconWord]]) -> Iterator[_ScoredAnalysis]:
    """Yield the analyses of a reading as a verb with its stem."""
    names = _BE_HEADWORDS if reading.lemma == BE_LEMMA else (reading.lemma,)
    word_features = ANALYSIS.words[reading.lemma].features if reading.lemma in ANALYSIS.words else {}
    features = dict(sorted({**word_features, **reading.features}.items()))
    if _is_command(reading) and features.get("Mood") != "Imp":
        return
    verb_words = [word for name in names for word in words.get(name, ()) if "VERB" in word.parts_of_speech]
    for word in verb_words:
        if reading.lemma == BE_LEMMA or _has_stem(word.headword, reading.stem):
            rank = word.parts_of_speech.index("VERB")
            yield _score_analysis(reading, _build_analysis(reading, reading.lemma, "VERB", features, word), rank)
    if not verb_words and (reading.lemma == BE_LEMMA or word_features):
        yield _score_analysis(reading, _build_analysis(reading, reading.lemma, "VERB", features, None), 0)


def _is_command(reading: FormReading) -> bool:
    """Return whether the last clitic marks a form as a command."""
    return reading.clitic_count > 0 and reading.segments[-1].text in ANALYSIS.after_commands


def _has_stem(headword: Headword, stem: str) -> bool:
    """Return whether a verb has this stem; also true if its stems cannot be derived from its verbal noun."""
    verbs = find_verbs(headword)
    stems = {each.stem for each in verbs}
    return not verbs or bool(
        {stem} & {*stems, *map(find_raised_base, stems), *(RULES.stems_of_past.get(each, "") for each in stems)}
    )


def _build_analysis(
    reading: FormReading, lemma: str, pos: str, features: Features, word: LexiconWord | None
) -> Analysis:
    return Analysis(lemma, word.word_id if word is not None else None, pos, features, _visible_segments(reading))


def _score_analysis(reading: FormReading, analysis: Analysis, rank: int, cost: int = 0) -> _ScoredAnalysis:
    """Score an analysis by its endings, the frequency of its lemma, and the rank of its part of speech."""
    cost += compute_endings_cost(reading) - look_up_band(analysis.lemma, COUNTED_LANGUAGE)
    return _ScoredAnalysis((cost, rank, len(reading.segments)), analysis)


def _visible_segments(reading: FormReading) -> tuple[Segment, ...]:
    """Return the segments of a reading; the features of an empty segment go to the one before it."""
    segments: list[Segment] = []
    for segment in reading.segments:
        if segment.text:
            segments.append(segment)
        elif segments:
            segments[-1] = msgspec.structs.replace(segments[-1], features={**segments[-1].features, **segment.features})
    return tuple(segments)


INFLECTION_COST: Final = 12
BY_RULE_COST: Final = 24
CLITIC_COST: Final = 16
BARE_STEM_COST: Final = 40
KIN_COST: Final = -16
"""Costs of endings, in frequency bands, tuned on the tuning part of `eval/running_words`."""


def compute_endings_cost(reading: FormReading) -> int:
    """Return the cost of the endings of a reading, in frequency bands."""
    cost = BY_RULE_COST * reading.cost.value + CLITIC_COST * reading.clitic_count
    features = reading.features
    if reading.stem and reading.lemma != BE_LEMMA and not _has_verb_ending(reading):
        return cost + BARE_STEM_COST
    if "Person[psor]" in features:
        cost += KIN_COST
    return cost if reading.is_bare and not reading.stem else cost + INFLECTION_COST


def _has_verb_ending(reading: FormReading) -> bool:
    """Return whether a form has an ending that only verbs have.

    After a consonant stem, the ending for তই is empty, and that for তুমি is the one of the verbal noun.
    """
    return any(
        segment.kind is SegmentKind.SUFFIX and segment.features and segment.text != VERBAL_NOUN_ENDING
        for segment in reading.segments
    )


# --- guesses ----------------------------------------------------------------------------------------------------------


def _iter_guesses(reading: FormReading) -> Iterator[_ScoredAnalysis]:
    """Yield a guess for a lemma that the lexicon lacks: a verb by its reading or the tables, else a noun."""
    is_known_verb = reading.lemma in RULES.verbal_nouns
    if reading.is_listed:
        return
    if reading.stem:
        if not reading.lemma.endswith(VERBAL_NOUN_ENDING) or not _has_verb_ending(reading):
            return
        pos = "VERB"
    else:
        pos = reading.pos or ("VERB" if is_known_verb else "NOUN")
    features = _merge_features(pos, reading.features)
    analysis = Analysis(reading.lemma, None, pos, features, _visible_segments(reading), guess=True)
    cost = compute_endings_cost(reading) - look_up_band(reading.lemma, COUNTED_LANGUAGE)
    # Most words of running text are inflected, and endings are the only evidence for an unknown word.
    yield _ScoredAnalysis((cost if reading.is_bare else cost - 2 * INFLECTION_COST, len(reading.lemma)), analysis)
