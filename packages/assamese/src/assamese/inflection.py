"""Stemming: the words that an inflected form may belong to, by rule.

Assamese has its own rules (`tables/inflection.toml`); other languages use the endings of their files
(`tables/languages/CODE.toml`, `suffix_stemming.py`).
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

import msgspec

from assamese.keys import exact_key, loose_key, sound_key
from assamese.language_rules import LANGUAGE_RULES
from assamese.suffix_stemming import (
    SUFFIXES,
    SuffixRules,
    find_stem_candidates,
    find_verb_stem_candidates,
    iter_irregular_words,
)
from assamese.tables import read_table

MAX_STEMS: Final = 25
MAX_FORM_LENGTH: Final = 60  # letters; longer text is not a form of a word
MIN_STEM_LENGTH: Final = 2  # letters of a noun
SURE_ENDING_LENGTH: Final = 2  # letters; a verb ending of this length is unlikely to be a noun ending


class Stem(NamedTuple):
    """A word that a form may belong to, by its loose key. If `is_verb_only`, only verbs have the removed ending."""

    key: str
    is_verb_only: bool
    irregular_form: str = ""
    """The irregular form with the sound of the text, or ""."""
    removed_letters: int = 0
    """The number of letters removed, if stems with the same number are equally likely (Hindi बालों); else 0."""


class AssameseEndings(msgspec.Struct, frozen=True):
    """The endings of Assamese words."""

    particles: tuple[str, ...]
    emphatic_after: tuple[str, ...]
    case: tuple[str, ...]
    case_after_a: tuple[str, ...]
    classifiers: tuple[str, ...]
    counts: tuple[str, ...]
    about: tuple[str, ...]
    approximate: tuple[str, ...]
    plurals: tuple[str, ...]
    kin: tuple[str, ...]
    kin_after_a: tuple[str, ...]
    alone: dict[str, str]
    raising: tuple[str, ...]
    perfect: tuple[str, ...]
    plain_after_consonant: tuple[str, ...]
    plain_after_a: tuple[str, ...]
    plain_after_i: tuple[str, ...]
    plain_after_o: tuple[str, ...]
    plain_after_u: tuple[str, ...]
    one_syllable_in_a: frozenset[str]
    one_syllable_in_o: frozenset[str]
    stems: dict[str, str]
    typed_endings: tuple[str, ...]
    typed_in_past: frozenset[str]
    typed_not_in_past: frozenset[str]
    typed_in_l: frozenset[str]
    said: dict[str, str]
    short_verbs: dict[str, tuple[str, ...]]
    oblique: dict[str, tuple[str, ...]]
    oblique_endings: tuple[str, ...]
    irregular: dict[str, tuple[str, ...]]
    auxiliaries: frozenset[str]

    def collect_irregular(self) -> dict[str, tuple[str, ...]]:
        """Return every irregular form with its words, including the case forms of pronouns."""
        of_pronouns = {stem + ending: words for stem, words in self.oblique.items() for ending in self.oblique_endings}
        return {**of_pronouns, **self.irregular}


class InflectionTable(msgspec.Struct, frozen=True):
    """The inflection table, by language."""

    assamese: AssameseEndings = msgspec.field(name="as")


_TABLE: Final = read_table("inflection", InflectionTable)


def propose_stems(text: str, language: str) -> tuple[Stem, ...]:
    """Propose at most 25 words of `language` (BCP 47) that `text`, itself excluded, may be a form of, best first.

    The caller checks whether a word is in the dictionary, and whether it is a verb. A language without rules has no
    stems.
    """
    rules = _STEMMERS.get(language)
    key = loose_key(text, language)
    if rules is None or not key or len(key) > MAX_FORM_LENGTH:
        return ()
    unique = dict.fromkeys(stem for stem in rules(key) if stem.key != key)
    return tuple(unique)[:MAX_STEMS]


def find_irregular_lemmas(form: str, language: str) -> tuple[str, ...]:
    """Return the words that an irregular form of `language` (BCP 47) belongs to; all are exact keys."""
    return _IRREGULAR_FORMS.get(language, {}).get(form, ())


# --- Assamese ---------------------------------------------------------------------------------------------------------

_AS: Final = _TABLE.assamese
AUXILIARIES: Final = _AS.auxiliaries
"""The auxiliary verbs, which follow another verb and carry its person and tense, and নাই, as exact keys."""
_CONSONANT: Final = "[ক-হৰৱ]়?"
_CONSONANT_LETTER: Final = "[ক-হৰৱ়]"
_ENDS_IN_CONSONANT: Final = re.compile(f"{_CONSONANT}$|ং$")
_ONE_CONSONANT: Final = re.compile(f"{_CONSONANT}")
_LAST_A: Final = re.compile("া(?=[ক-হৰৱ়্ং]+$)")
_FIRST_A: Final = re.compile("^আ(?=[ক-হৰৱ়্ং]+$)")
_LAST_U: Final = re.compile("ু(?=[ক-হৰৱ়্ং]+$)")
GO_PAST_STEM: Final = "গ"
NEGATION: Final = "ন"
_NEGATED: Final = re.compile(f"{NEGATION}([ািুেো]?)(?=.{{2}})(.+)")
_LOWERED_A: Final = re.compile(f"ং?{_CONSONANT}(?:্{_CONSONANT})*া")
"""The rest of a verbal noun after its initial অ, the lowered form of its verb's আ."""
_LAST_O: Final = re.compile("ো(?=[ক-হৰৱ়্ং]+$)")
_FIRST_LOW: Final = re.compile("^অ(?=[ক-হৰৱ়্ং]+$)")
_LETTER_OF_SIGN: Final = dict(zip("ািুেো", "আইউএও", strict=True))


def _loose_keys(endings: Iterable[str]) -> tuple[str, ...]:
    """Return the loose keys of endings, the longest first."""
    return tuple(sorted({loose_key(ending, "as") for ending in endings}, key=lambda ending: (-len(ending), ending)))


_PARTICLES: Final = _loose_keys(_AS.particles)
_EMPHATIC: Final = tuple(f"{ending}ে" for ending in _loose_keys(_AS.emphatic_after))
_CASE: Final = _loose_keys(_AS.case)
_NUMBER: Final = _loose_keys(
    (*_AS.classifiers, *_AS.plurals, *_AS.about, *(count + one for count in _AS.counts for one in _AS.classifiers))
)
_APPROXIMATE: Final = _loose_keys(_AS.approximate)
_KIN: Final = _loose_keys(_AS.kin)
_CASE_AFTER_A: Final = tuple(f"া{ending}" for ending in _loose_keys(_AS.case_after_a))
_KIN_AFTER_A: Final = tuple(f"া{ending}" for ending in _loose_keys(_AS.kin_after_a))
_ALONE: Final = {loose_key(last, "as"): letter for last, letter in _AS.alone.items()}
_RAISING: Final = _loose_keys(_AS.raising)
_PERFECT: Final = _loose_keys(_AS.perfect)
_STEM_BY_VARIANT: Final = {loose_key(one, "as"): loose_key(other, "as") for one, other in _AS.stems.items()}
_IRREGULAR: Final = {
    loose_key(form, "as"): tuple(loose_key(word, "as") for word in words)
    for form, words in _AS.collect_irregular().items()
}


class VerbEnding(NamedTuple):
    """A verb ending: the part of it that belongs to the stem, the stems that it fits, and whether it raises vowels."""

    text: str
    stem_part: str
    fits: Callable[[str], bool]
    raises_vowel: bool


def _ends_in_consonant(stem: str) -> bool:
    return (
        len(stem) > len("ক") and _ENDS_IN_CONSONANT.search(stem) is not None and _ONE_CONSONANT.fullmatch(stem) is None
    )


def _ends_in_a(stem: str) -> bool:
    return stem.endswith("া") and (_ONE_CONSONANT.fullmatch(stem[:-1]) is None or stem in _AS.one_syllable_in_a)


def _ends_in_i(stem: str) -> bool:
    return stem.endswith("ি") and _ONE_CONSONANT.fullmatch(stem[:-1]) is not None


def _ends_in_o(stem: str) -> bool:
    return stem in _AS.one_syllable_in_o


def _ends_in_u(stem: str) -> bool:
    return stem.endswith("ু") and _ONE_CONSONANT.fullmatch(stem[:-1]) is not None


def _iter_verb_endings() -> Iterator[VerbEnding]:
    for ending in _RAISING:
        yield VerbEnding("ি" + ending, "", _ends_in_consonant, raises_vowel=True)
        for fits in (_ends_in_a, _ends_in_i, _ends_in_o, _ends_in_u):
            yield VerbEnding(ending, "", fits, raises_vowel=True)
    for ending in _PERFECT:
        yield VerbEnding("ি" + ending, "", _ends_in_consonant, raises_vowel=True)
        yield VerbEnding("াই" + ending, "া", _ends_in_a, raises_vowel=True)
        yield VerbEnding("ি" + ending, "ি", _ends_in_i, raises_vowel=True)
        yield VerbEnding("ৈ" + ending, "", _ends_in_o, raises_vowel=True)
        yield VerbEnding("ুই" + ending, "ু", _ends_in_u, raises_vowel=True)
    plain = (
        (_AS.plain_after_consonant, "", "", _ends_in_consonant),
        (_AS.plain_after_a, "া", "া", _ends_in_a),
        (_AS.plain_after_i, "ি", "ি", _ends_in_i),
        (_AS.plain_after_o, "", "", _ends_in_o),
        (_AS.plain_after_u, "ো", "ু", _ends_in_u),
    )
    for endings, before, stem_part, fits in plain:
        for ending in _loose_keys(endings):
            yield VerbEnding(before + ending, stem_part, fits, raises_vowel=False)


_VERB_ENDINGS: Final = tuple(sorted(_iter_verb_endings(), key=lambda ending: -len(ending.text)))


def _iter_assamese_stems(key: str) -> Iterator[Stem]:
    """Yield words of irregular forms, verbs with long endings, nouns (the longest first), then other verbs."""
    for form in (key, *_strip_layer(key, _PARTICLES, 0)):
        for word in _IRREGULAR.get(form, ()):
            yield Stem(word, is_verb_only=False)
    verbs = list(_iter_verbs(key))
    for word, letters in verbs:
        if letters >= SURE_ENDING_LENGTH:
            yield Stem(word, is_verb_only=True)
    for word in _propose_nouns(key):
        yield Stem(word, is_verb_only=False)
    for word, letters in verbs:
        if letters < SURE_ENDING_LENGTH:
            yield Stem(word, is_verb_only=True)


def _propose_nouns(key: str) -> list[str]:
    """Return the stems left by removing any endings, from the last layer to the first; the longest stems first."""
    words = {key: None}
    for endings, remaining in _NOUN_LAYERS:
        for word in list(words):
            words |= dict.fromkeys(_strip_layer(word, endings, remaining))
    return sorted(list(words)[1:], key=len, reverse=True)


_NOUN_LAYERS: Final = (
    (_PARTICLES, 0),
    (_EMPHATIC, -1),
    (_CASE, 0),
    (_CASE_AFTER_A, 1),
    (_APPROXIMATE, 0),
    (_NUMBER, 0),
    (_KIN, 0),
    (_KIN_AFTER_A, 1),
)
"""The noun endings from the last to the first, and how many letters of each remain (-1: all but the last)."""


def _strip_layer(word: str, endings: tuple[str, ...], remaining: int) -> Iterator[str]:
    if not word.endswith(endings):
        return
    for ending in endings:
        if not word.endswith(ending):
            continue
        stem = word[: len(word) - len(ending) + (remaining % len(ending))]
        if len(stem) < MIN_STEM_LENGTH:
            continue
        yield stem
        for last, letter in _ALONE.items():
            if stem.endswith(last):
                yield stem.removesuffix(last) + letter


def _iter_verbs(key: str) -> Iterator[tuple[str, int]]:
    """Yield headwords of verbs, each with the length of the ending: of the form itself, then without its negation.

    A negated verbal noun takes the endings of nouns: নোযোৱাকৈ, নিদিয়াৰ.
    """
    candidates = [key, *_strip_layer(key, _PARTICLES, 0)]
    positive = [bare for negated in candidates for bare in iter_affirmative_forms(negated)]
    for form in (*candidates, *positive):
        for ending in _VERB_ENDINGS:
            if not form.endswith(ending.text):
                continue
            stem = form[: len(form) - len(ending.text)] + ending.stem_part
            if ending.fits(stem):
                ending_length = len(ending.text) - len(ending.stem_part)
                for word in _iter_headwords(_STEM_BY_VARIANT.get(stem, stem), raised=ending.raises_vowel):
                    yield word, ending_length
    for form in positive:
        yield from ((word, len(form) - len(word)) for word in _propose_nouns(form) if word.endswith("া"))


def iter_affirmative_forms(form: str) -> Iterator[str]:
    """Yield the forms that a negated form may negate: খায় for নাখায়, শুনে for নুশুনে, আহে for নাহে, অনা for ননা."""
    negated = _NEGATED.fullmatch(form)
    if negated is None:
        return
    sign, rest = negated.groups()
    if sign:
        yield _LETTER_OF_SIGN[sign] + rest
    elif _LOWERED_A.match(rest):
        yield "অ" + rest
    if _ONE_CONSONANT.match(rest):
        yield rest


def _iter_headwords(stem: str, *, raised: bool) -> Iterator[str]:
    """Yield the possible headwords of a verb: the verbal noun (কৰা, খোৱা, অনা), then the stem (কৰ্, খা)."""
    if _ends_in_a(stem):
        yield from _iter_headwords_in_a(stem)
    elif _ends_in_i(stem):
        yield from (stem + "য়া", stem)
    elif _ends_in_o(stem):
        yield from (stem + "োৱা", stem)
    elif _ends_in_u(stem):
        yield from (stem[:-1] + "োৱা", stem)
    else:
        lower = _LAST_U.sub("ো", stem) if raised else stem
        lowered = _LAST_A.sub("", lower)
        yield (_FIRST_A.sub("অ", lower) if lowered == lower else lowered) + "া"
        yield from (stem + "া", lower, stem)


def _iter_headwords_in_a(stem: str) -> Iterator[str]:
    """Yield the headwords of a stem in -া: খোৱা for খা, শিকোৱা for শিকা, পঢ়ুওৱা for পঢ়ুৱা, থপিওৱা for থপিয়া."""
    before = stem[:-1]
    for glide in ("ৱ", "য়"):
        if before.endswith(glide):
            yield from (before.removesuffix(glide) + "ওৱা", before.removesuffix(glide) + "উৱা")
    yield from (before + "োৱা", stem, before + "ুৱা")


# --- Assamese, by sound -----------------------------------------------------------------------------------------------

_SIGNS: Final = frozenset("ািীুূৃেৈোৌ")
_ONE_SOUND: Final = re.compile("[^aeiou]")
_FIRST_A_SOUND: Final = re.compile("a[^aeiou]+$")
_DOUBLED_SOUND: Final = re.compile(r"(.)\1")
_LAST_A_SOUND: Final = re.compile("a(?=[^aeiou]+$)")


def propose_stems_by_sound(sound: str, doubled_sound: str = "") -> tuple[Stem, ...]:
    """Propose at most 25 sound keys of Assamese words that a text with the sound key `sound` may be a form of.

    Use it for forms that are misspelled or typed in Roman letters. The best comes first. `doubled_sound` is a sound
    that was typed twice and occurs once in the key.
    """
    if len(sound) > MAX_FORM_LENGTH or not _may_be_form_sound(sound):
        return ()
    unique = dict.fromkeys(
        stem for stem in _iter_stems_from_sound(sound, doubled_sound) if stem.key and stem.key != sound
    )
    return tuple(unique)[:MAX_STEMS]


def filter_irregular_sounds(sounds: Iterable[str]) -> list[str]:
    """Return those of the sound keys that irregular forms have."""
    return [sound for sound in sounds if sound in _IRREGULAR_BY_SOUND]


def find_irregular_forms_by_sound(sound: str) -> tuple[tuple[str, str], ...]:
    """Return the irregular forms that have a sound key, each with the loose key of its word."""
    return tuple((form, loose_key(word, "as")) for form, word in _IRREGULAR_BY_SOUND.get(sound, ()))


def noun_endings() -> tuple[tuple[str, ...], ...]:
    """Return the endings of Assamese nouns by kind, from the last in the word: particles, case, number, kin."""
    return tuple(tuple(ending for ending in endings if ending) for endings in _NOUN_ENDINGS)


def classifiers_and_plurals() -> frozenset[str]:
    """Return the classifiers and plural endings of Assamese nouns, in standard spelling."""
    return frozenset((*_AS.classifiers, *_AS.plurals))


def plural_endings() -> frozenset[str]:
    """Return the plural endings of Assamese nouns, in standard spelling."""
    return frozenset(_AS.plurals)


def kin_endings() -> tuple[str, ...]:
    """Return the possessive endings of kin terms, the longest first."""
    return tuple(sorted({*_AS.kin, *_AS.kin_after_a}, key=len, reverse=True))


class VerbStem(NamedTuple):
    """A stem of a verb and the endings that it may take."""

    text: str
    endings: tuple[str, ...]


def find_verb_stems(verbal_noun: str, known_stem: str = "") -> tuple[VerbStem, ...]:
    """Return the stems of an Assamese verb by its verbal noun: কৰ of কৰা, খা of খোৱা, যা and গ of যোৱা.

    If `known_stem` is one of its stems, return only that one and its variants before endings.
    """
    candidates = tuple(_iter_verb_stems(verbal_noun))
    base = verbal_noun.removesuffix("া")
    chosen = (known_stem,) if known_stem in candidates else candidates
    raised = (_LAST_O.sub("ু", stem) for stem in chosen)
    other_stems = (stem for stem, other in _AS.stems.items() if other in chosen)
    stems = [VerbStem(stem, _endings_after(stem)) for stem in dict.fromkeys((*chosen, *raised))]
    stems += [VerbStem(stem, _endings_after_second_stem(stem)) for stem in other_stems]
    perfect = [VerbStem(stem + vowel, _AS.perfect) for stem, _ in stems if _ends_in_o(stem) for vowel in ("ৈ", "ই")]
    opened = [VerbStem(f"{stem[:-1]}ো", _AS.plain_after_u) for stem, _ in stems if _ends_in_u(stem)]
    lowered = [VerbStem(base, _LOWERING_ENDINGS)] if base in candidates else []
    return (*stems, *perfect, *opened, *lowered)


_LOWERING_ENDINGS: Final = tuple(ending for ending in _AS.plain_after_consonant if ending.startswith("া"))
"""The endings before which the আ of a stem is lowered to অ: জনাৰ, but জানে."""


def _endings_after_second_stem(stem: str) -> tuple[str, ...]:
    """Return the endings of a second stem of a verb: গ of যোৱা takes only those of the past (গ’ল, but যাম)."""
    endings = _endings_after(stem)
    return tuple(ending for ending in endings if ending.startswith("ল")) if stem == GO_PAST_STEM else endings


def _endings_after(stem: str) -> tuple[str, ...]:
    return next((endings for fits, endings in _AFTER_VOWELS if fits(stem)), _AFTER_CONSONANT)


_PERFECT_AFTER_I: Final = tuple(f"ি{ending}" for ending in _AS.perfect)
_AFTER_CONSONANT: Final = (
    *(f"ি{ending}" for ending in _AS.raising),
    *_PERFECT_AFTER_I,
    *(ending for ending in _AS.plain_after_consonant if ending and ending not in _LOWERING_ENDINGS),
)
_AFTER_VOWELS: Final = (
    (_ends_in_a, (*_AS.raising, *_PERFECT_AFTER_I, *_AS.plain_after_a)),
    (_ends_in_i, (*_AS.raising, *_AS.perfect, *_AS.plain_after_i)),
    (_ends_in_o, (*_AS.raising, *_AS.plain_after_o)),
    (_ends_in_u, (*_AS.raising, *_PERFECT_AFTER_I)),
)
"""Predicates for stems that end in a vowel or have one consonant, each with the endings of such stems."""


def _iter_verb_stems(verbal_noun: str) -> Iterator[str]:
    """Yield the stems of a verbal noun, the reverse of `_iter_headwords`; nothing for other words."""
    base = verbal_noun.removesuffix("া")
    if base == verbal_noun:
        return
    for glide, vowels in (("োৱ", ("া", "", "ু")), ("ওৱ", ("ৱা", "য়া")), ("ুৱ", ("া",)), ("িয়", ("ি",))):
        if base.endswith(glide):
            of_vowels = (base.removesuffix(glide) + vowel for vowel in vowels)
            yield from (stem for stem in of_vowels if any(fits(stem) for fits, _ in _AFTER_VOWELS))
            return
    yield from (base, _FIRST_LOW.sub("আ", _RAISED_STEM.sub("া", base)))


def find_irregular_forms(key: str) -> tuple[str, ...]:
    """Return the irregular forms of the Assamese word with this loose key; an empty tuple for most words."""
    return _IRREGULAR_FORMS_BY_WORD.get(key, ())


def _irregular_forms_by_word() -> dict[str, tuple[str, ...]]:
    forms: dict[str, list[str]] = defaultdict(list)
    for form, words in _AS.collect_irregular().items():
        for word in words:
            forms[loose_key(word, "as")].append(form)
    return {word: tuple(of_word) for word, of_word in forms.items()}


_IRREGULAR_FORMS_BY_WORD: Final = _irregular_forms_by_word()

_RAISED_STEM: Final = re.compile(f"(?<={_CONSONANT_LETTER})(?=ঁ?{_CONSONANT}(?:্{_CONSONANT})*$)")
_RAISED_SOUND: Final = re.compile("(?<=[^aeiou])(?=[^aeiou]$)")


def belongs_to_other_verb(form: str, verb: str, known_forms: Iterable[str], *, by_sound: bool = False) -> bool:
    """Return whether the known forms of a verb show that `form` belongs to another verb with the same verbal noun.

    আ is lowered before the verbal noun's -া, so that পাৰিব and পৰিব might both belong to পৰা; if that has the forms পৰে
    and পৰিল, it is the verb of পৰিব. All arguments are loose keys, or sound keys with `by_sound`.
    """
    sign, raised_where = ("a", _RAISED_SOUND) if by_sound else ("া", _RAISED_STEM)
    stem = verb.removesuffix(sign)
    raised = raised_where.sub(sign, stem)
    if stem in {raised, verb} or not _begins_with_stem(form, raised, by_sound=by_sound):
        return False
    other_forms = [known_form for known_form in known_forms if not known_form.startswith(verb)]
    return any(known_form.startswith(stem) for known_form in other_forms) and not any(
        known_form.startswith(raised) for known_form in other_forms
    )


def _begins_with_stem(form: str, stem: str, *, by_sound: bool) -> bool:
    """Return whether a form begins with a stem, a negation and the stem, or another stem of the verb (নোৱাৰে of পাৰ)."""
    stems_of_stems, affirm = (
        (_STEM_SOUNDS, _iter_affirmative_sounds) if by_sound else (_STEM_BY_VARIANT, iter_affirmative_forms)
    )
    variants = (other + form.removeprefix(one) for one, other in stems_of_stems.items() if form.startswith(one))
    return any(each.startswith(stem) for each in (form, *affirm(form), *variants))


def _ending_sounds(endings: Iterable[str]) -> tuple[str, ...]:
    """Return the sounds that endings have after a vowel, or after a consonant if they begin with a vowel sign.

    After উ, ব is lost before a vowel: গৰুবোৰ has the ending -ur.
    """
    written = [ending for ending in endings if ending]
    sounds = {sound_key(("ক" if ending[:1] in _SIGNS else "কা") + ending, "as") for ending in written}
    bare = {sound.removeprefix("ka") if sound.startswith("ka") else sound.removeprefix("k") for sound in sounds}
    bare |= {sound_key(f"কু{ending}", "as").removeprefix("ku") for ending in written if ending.startswith("ব")}
    return tuple(sorted(bare - {""}, key=lambda ending: (-len(ending), ending)))


class EndingIndex(NamedTuple):
    """A set of endings, with the possible lengths by last letter, the longest first."""

    lengths: Mapping[str, tuple[int, ...]]
    texts: frozenset[str]


def index_endings(endings: Iterable[str]) -> EndingIndex:
    """Build the index of endings that `strip_endings` needs."""
    texts = frozenset(endings)
    lengths = {
        last: tuple(sorted({len(ending) for ending in texts if ending.endswith(last)}, reverse=True))
        for last in {ending[-1:] for ending in texts}
    }
    return EndingIndex(lengths, texts)


_NUMBER_ENDINGS: Final = (*_NUMBER, *_APPROXIMATE)
_NOUN_ENDINGS: Final = (_PARTICLES, (*_CASE, *_AS.case_after_a), _NUMBER_ENDINGS, (*_KIN, *_AS.kin_after_a))
_NOUN_SOUND_LAYERS: Final = tuple(index_endings(_ending_sounds(endings)) for endings in _NOUN_ENDINGS)
_CASE_SOUNDS: Final = _NOUN_SOUND_LAYERS[1]
_SOUNDS_AFTER_I: Final = tuple(f"i{ending}" for ending in _ending_sounds((*_RAISING, *_PERFECT)))
_PLAIN_ENDING_SOUNDS: Final = _ending_sounds(
    (*_RAISING, *_PERFECT, *_AS.plain_after_consonant, *_AS.plain_after_a, *_AS.plain_after_i)
)
_VERB_ENDING_SOUNDS: Final = index_endings((*_SOUNDS_AFTER_I, *_PLAIN_ENDING_SOUNDS, "i"))
_STEM_SOUNDS: Final = {"g": "ja", "go": "ja", "as": "Tak", "nuar": "par"}


def _irregular_by_sound() -> dict[str, tuple[tuple[str, str], ...]]:
    forms_by_sound: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for form, words in _AS.collect_irregular().items():
        forms_by_sound[sound_key(form, "as")] += [(form, word) for word in words]
    for form, word in _iter_short_verb_forms():
        forms_by_sound[sound_key(form, "as")].append((form, word))
    return {sound: tuple(forms) for sound, forms in forms_by_sound.items()}


def _iter_short_verb_forms() -> Iterator[tuple[str, str]]:
    """Yield the forms of the short verbs by spelling and pronunciation, also negated, each with its verbal noun."""
    for word, verb_stems in _AS.short_verbs.items():
        for form in (form for stem in verb_stems for form in _iter_typed_forms(stem)):
            by_pronunciation = (
                form.removesuffix(ending) + other for ending, other in _AS.said.items() if form.endswith(ending)
            )
            for spelling in (form, *by_pronunciation):
                yield spelling, word
                yield _negate(spelling), word


def _iter_typed_forms(stem: str) -> Iterator[str]:
    """Yield the forms of a stem with the endings that people type in Roman letters."""
    third = ("ল",) * (stem in _AS.typed_in_l)
    for text in (*_AS.typed_endings, *third):
        is_past = text[0] in _PAST_INITIALS
        if stem in (_AS.typed_not_in_past if is_past else _AS.typed_in_past):
            continue
        if text in _AS.raising:
            yield stem + ("ি" * _ends_in_consonant(stem)) + ("’" * _ends_in_o(stem)) + text
        elif text in _AS.perfect:
            yield _perfect_stem(stem) + text
        elif text in _plain_endings_of(stem):
            yield (stem[:-1] + "ো" if _ends_in_u(stem) else stem) + text


_PAST_INITIALS: Final = "লছ"
"""The first letters of endings that take the past stem."""


def _perfect_stem(stem: str) -> str:
    if _ends_in_consonant(stem):
        return stem + "ি"
    return stem + ("ৈ" * _ends_in_o(stem)) + ("ই" * (_ends_in_a(stem) or _ends_in_u(stem)))


def _plain_endings_of(stem: str) -> tuple[str, ...]:
    plain = (
        (_ends_in_consonant, _AS.plain_after_consonant),
        (_ends_in_a, _AS.plain_after_a),
        (_ends_in_i, _AS.plain_after_i),
        (_ends_in_o, _AS.plain_after_o),
        (_ends_in_u, _AS.plain_after_u),
    )
    return next((endings for fits, endings in plain if fits(stem)), ())


def _negate(form: str) -> str:
    if form[0] in _SIGN_OF_LETTER:
        return NEGATION + _SIGN_OF_LETTER[form[0]] + form[1:]
    return NEGATION + (form[1] if form[1] in _LETTER_OF_SIGN else "") + form


_SIGN_OF_LETTER: Final = {letter: sign for sign, letter in _LETTER_OF_SIGN.items()}
_IRREGULAR_BY_SOUND: Final = _irregular_by_sound()

IRREGULAR_SOUNDS: Final = frozenset(_IRREGULAR_BY_SOUND)
"""The sound keys of irregular forms."""


_LAST_SOUNDS: Final = frozenset().union(*(endings.lengths for endings in (*_NOUN_SOUND_LAYERS, _VERB_ENDING_SOUNDS)))
"""The last sounds of all endings."""


def _may_be_form_sound(sound: str) -> bool:
    """Return whether a sound key may be that of a form: it ends like an ending, or is irregular or negated."""
    return sound[-1:] in _LAST_SOUNDS or sound in _IRREGULAR_BY_SOUND or sound.startswith(_NEGATION_SOUND)


def _iter_stems_from_sound(sound: str, doubled_sound: str) -> Iterator[Stem]:
    for form, word in _IRREGULAR_BY_SOUND.get(sound, ()):
        yield Stem(sound_key(word, "as"), is_verb_only=False, irregular_form=form)
    positive = tuple(_iter_affirmative_sounds(sound))
    verbs = [
        (word, letters) for form in (sound, *positive) for word, letters in _iter_verbs_from_sound(form, doubled_sound)
    ]
    verbs += [(word, 0) for form in positive for word in _iter_headword_sounds(form)]
    verbs += [
        (word, letters)
        for form in positive
        for word, letters in strip_endings(form, _CASE_SOUNDS, 1)
        if word.endswith("a")
    ]
    yield from (Stem(word, is_verb_only=True) for word, letters in verbs if letters >= SURE_ENDING_LENGTH)
    words = {sound: None}
    for endings in _NOUN_SOUND_LAYERS:
        for word in [word for word in words if word[-1:] in endings.lengths]:
            for stem, _ in strip_endings(word, endings, MIN_STEM_LENGTH):
                words[stem] = None
    yield from (Stem(word, is_verb_only=False) for word in sorted(words, key=len, reverse=True))
    yield from (Stem(word, is_verb_only=True) for word, letters in verbs if letters < SURE_ENDING_LENGTH)


def strip_endings(word: str, endings: EndingIndex, min_length: int) -> Sequence[tuple[str, int]]:
    """Return the word without each of its endings, with the ending's length, the longest ending first.

    The index by last letter saves time: testing each of two hundred endings took a third of a search in Roman letters.
    """
    lengths = endings.lengths.get(word[-1:])
    if lengths is None:
        return ()
    longest, texts = len(word) - min_length, endings.texts
    return [(word[:-length], length) for length in lengths if length <= longest and word[-length:] in texts]


_NEGATION_SOUND: Final = "n"


def _iter_affirmative_sounds(sound: str) -> Iterator[str]:
    if sound.startswith(_NEGATION_SOUND) and len(sound) > len("nak"):
        yield from (sound[1:], sound[2:]) if sound[1] in "aeiou" else (sound[1:],)


def _iter_verbs_from_sound(sound: str, doubled_sound: str) -> Iterator[tuple[str, int]]:
    """Yield the sounds of verbs that a sound may be a form of, each with the length of the removed ending.

    If `doubled_sound` is single in the key, its second half must begin the ending: `lole` is ল’লে, but
    `gogoi` is not গৈ.
    """
    for stem, letters in strip_endings(sound, _VERB_ENDING_SOUNDS, 1):
        if doubled_sound and stem.rstrip("aeiou").endswith(doubled_sound):
            may_fall_together = doubled_sound + sound[len(stem) :] in _VERB_ENDING_SOUNDS.texts
            if not may_fall_together:
                continue
        for word in _iter_headword_sounds(stem):
            yield word, letters


def _iter_headword_sounds(stem: str) -> Iterator[str]:
    """Yield the sounds of the verbal noun of a stem and of the stem itself: for kr those of কৰা, for jan of জনা."""
    if stem in _STEM_SOUNDS:
        yield stem + "a"
        stem = _STEM_SOUNDS[stem]
    if stem.endswith(("a", "u", "o")) or _ONE_SOUND.fullmatch(stem):
        yield stem.rstrip("auo") + "ua"
        yield stem
    else:
        yield from (_DOUBLED_SOUND.sub(r"\1", _lower_sound(stem)) + "a", stem + "a", stem)


def _lower_sound(stem: str) -> str:
    if "a" not in stem:
        return stem
    return "o" + stem[1:] if _FIRST_A_SOUND.match(stem) else _LAST_A_SOUND.sub("", stem)


# --- other languages --------------------------------------------------------------------------------------------------


def _stems_by_suffixes(suffixes: SuffixRules, key: str) -> Iterator[Stem]:
    """Yield the words of an irregular form, then words of any kind, then verbs, by the endings of a language.

    The words of irregular forms with an ending come last.
    """
    for word in suffixes.irregular.get(key, ()):
        yield Stem(word, is_verb_only=False)
    for word, letters in find_stem_candidates(key, suffixes):
        yield Stem(word, is_verb_only=False, removed_letters=letters)
    for word, letters in find_verb_stem_candidates(key, suffixes):
        yield Stem(word, is_verb_only=True, removed_letters=letters)
    for word in iter_irregular_words(key, suffixes):
        yield Stem(word, is_verb_only=False)


_STEMMERS: Final[dict[str, Callable[[str], Iterator[Stem]]]] = {
    **{code: partial(_stems_by_suffixes, suffixes) for code, suffixes in SUFFIXES.items()},
    "as": _iter_assamese_stems,
}


def _by_exact_key(irregular: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    return {exact_key(form): tuple(map(exact_key, lemmas)) for form, lemmas in irregular.items()}


_IRREGULAR_FORMS: Final = {
    **{code: _by_exact_key(rules.forms.irregular) for code, rules in LANGUAGE_RULES.items()},
    "as": _by_exact_key(_AS.collect_irregular()),
}

LANGUAGES_WITH_RULES: Final = frozenset(_STEMMERS)
"""The languages (BCP 47) with inflection rules."""

LANGUAGES_BY_SOUND: Final = frozenset({"as"})
"""The languages whose forms are also recognised by sound, misspelled or in Roman letters."""
