"""Guesses: what somebody may have meant by a text that is spelled like no word."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from abhidhan.domain.languages import ALL_LANGUAGES, ASSAMESE
from abhidhan.domain.matching.cascade import OF_LOOK_UP, Match, Way, steps_for
from abhidhan.domain.matching.compounds import is_a_slip
from abhidhan.domain.matching.likelihood import (
    LEMMA,
    SHORTLIST,
    UNSURE,
    FoundKey,
    Guess,
    behind_if_bare,
    chosen,
    close_guesses,
    commonness,
    guesses_of,
    is_counted,
    likeliest_first,
)
from abhidhan.domain.matching.ranking import may_be_typed_for
from abhidhan.domain.text.closeness import distance
from abhidhan.domain.text.keys import exact_key
from abhidhan.domain.text.normal import Script, script_of
from abhidhan.domain.text.signs import is_abbreviation
from abhidhan.services.dictionary import bare
from abhidhan.services.dictionary.parts import find_parts, may_have_parts
from abhidhan.services.dictionary.ways import WAYS, Wanted
from abhidhan.storage import near
from abhidhan.storage.engine.reader import Reader

MOST_NEAR: Final = 20
"""Of so many words near to a text those that may be meant are compared with other guesses, and offered."""

BESIDE_A_GUESS: Final = 1.0
"""A word that is more letters than this from what was typed is not offered beside a guess: সুৱদি by `xobdo`."""

MATCH_OF: Final = {step.way: Match(step.match.value) for step in steps_for(OF_LOOK_UP)}
"""The class of what each way of a look-up finds."""

_ONLY_NEAR: Final = frozenset({Way.FORM_BY_SOUND, Way.SLIPS})
"""Ways that find what is only near to a text."""

LEMMAS_OF: Final = 3
"""Of so many of the likeliest guesses, if they are bare, it is asked what they are forms of."""


class Found(NamedTuple):
    """What was found for one text: in which class, the words answered, and those looked at as near to it."""

    match: Match
    hits: list[FoundKey]
    near: tuple[FoundKey, ...] = ()
    may_be_form: bool = False
    """Whether an exact spelling may also be a form of another word."""


class Guesses(NamedTuple):
    """What a text may mean, and all that was found on the way, by the ways that guess."""

    found: Found
    by_way: Mapping[Way, Sequence[FoundKey]]


def guess(reader: Reader, text: str, language_id: int) -> Found:
    """Guess the words meant by a text: by sound, as a form, and by near spelling."""
    return guess_by_ways(reader, Wanted([text], language_id)).found


def guess_by_ways(reader: Reader, wanted: Wanted) -> Guesses:
    """Guess the words meant by the single text of `wanted`, and also return the words that each way found."""
    (text,) = wanted.texts
    # An abbreviation (`U.S.`) is not looked up as a form or by sound.
    ways = [] if is_abbreviation(text) else [way for way in UNSURE if way in WAYS]
    found = {way: WAYS[way](reader, wanted) for way in ways}
    by_way = {way: hits[text] for way, hits in found.items() if text in hits}
    forms = by_way.get(Way.FORM_BY_RULE)
    may_be_misspelled = any(not _is_commoner(text, hit) for hit in by_way.get(Way.MISSPELLED, ()))
    is_form = forms is not None and not may_be_misspelled and _is_surely_a_form(text, wanted.language_id)
    is_none = not by_way
    near_to_it: tuple[FoundKey, ...] = ()
    if not is_form:
        near_to_it = near.near_words(reader, text, wanted.language_id or None)
        by_way[Way.SLIPS] = [hit for hit in near_to_it if wanted.language_id in {ALL_LANGUAGES, hit.language_id}]
    first = _first(near_to_it)
    meant = _typed_so(text, wanted.language_id, first)
    if by_way.keys() <= _ONLY_NEAR and (made := _made_of_others(reader, text, wanted.language_id, by_way, meant)):
        return Guesses(made, by_way)
    if is_none:
        return Guesses(Found(Match.NONE, [], meant), by_way)
    if forms and is_form:
        return Guesses(Found(Match.INFLECTED, bare.bare_last(reader, forms)), by_way)
    compared = {**by_way, Way.SLIPS: [hit for hit in meant if wanted.language_id in {ALL_LANGUAGES, hit.language_id}]}
    likely = guesses_of(text, compared)
    close = close_guesses(text, likely)
    if not close:
        return _only_near(likely, by_way, meant)
    guesses = chosen(_weighed(reader, close))
    match = Match.INFLECTED if guesses[0].way is Way.FORM_BY_RULE else Match.PHONETIC
    offered = tuple(hit for hit in first if distance(text, hit.text) <= BESIDE_A_GUESS)
    # Less close words follow the close ones.
    entries: dict[int, FoundKey] = {}
    for each in (*guesses, *chosen(likely)):
        entries.setdefault(each.hit.word_id, each.hit)
    return Guesses(Found(match, list(entries.values()), offered), by_way)


def _only_near(
    likely: Iterable[Guess], by_way: Mapping[Way, Sequence[FoundKey]], near_to_it: Sequence[FoundKey]
) -> Guesses:
    """Suggest what may be meant where no guess is close enough to be an entry; a search lists it as nearly spelled."""
    likeliest = [each.hit for each in likely if each.far <= BESIDE_A_GUESS]
    sounding, slips = by_way.get(Way.SAME_SOUND, ()), by_way.get(Way.SLIPS, ())
    offered = _first([*likeliest, *near_to_it])
    return Guesses(Found(Match.NONE, [], offered), {Way.SLIPS: list(dict.fromkeys((*likeliest, *sounding, *slips)))})


def _made_of_others(
    reader: Reader, text: str, language_id: int, by_way: dict[Way, list[FoundKey]], near_to_it: Sequence[FoundKey]
) -> Found | None:
    """Say what a text is made of that is spelled like no word; None where it is not.

    A misspelling of a word is made of no others, whatever its letters are. A derived word that newspapers have is none.
    """
    if not may_have_parts(text):
        return None
    is_word = is_counted(text)
    is_misspelled = Way.FORM_BY_SOUND in by_way or is_a_slip(text, near_to_it, ASSAMESE)
    if is_misspelled and not is_word:
        return None
    made = find_parts(reader, text, language_id)
    if made is None:
        return None
    way, hits = made
    is_sure = way is Way.DERIVED and is_word
    if not is_sure and (is_misspelled or is_a_slip(text, near_to_it, hits[0].language_id)):
        return None
    by_way[way] = hits
    return Found(MATCH_OF[way], hits, tuple(near_to_it))


def _is_surely_a_form(text: str, language_id: int) -> bool:
    """Say whether what the rules take for a form is one: in Assamese letters, what newspapers have.

    Nobody has counted the other languages that are written in these letters: who names one of them is believed.
    """
    is_assamese = language_id in {ALL_LANGUAGES, ASSAMESE} and script_of(text) is Script.EASTERN_NAGARI
    return not is_assamese or is_counted(text)


def _is_commoner(text: str, hit: FoundKey) -> bool:
    """Return whether a text is more common than a word it may be a slip for: যোৱাৰ is not a slip for জোৱাৰ."""
    common = commonness(hit.language_id, exact_key(hit.text), hit.frequency)
    return commonness(ASSAMESE, exact_key(text), None) > common


def _first(near_to_it: Sequence[FoundKey]) -> tuple[FoundKey, ...]:
    """Choose the words that are nearest, each spelling once."""
    once: dict[str, FoundKey] = {}
    for hit in near_to_it:
        once.setdefault(hit.text, hit)
    return tuple(once.values())[:MOST_NEAR]


def _typed_so(text: str, language_id: int, hits: tuple[FoundKey, ...]) -> tuple[FoundKey, ...]:
    """Choose words that may be meant; of Indic languages that nobody has named, besides Assamese, those typed so.

    What is nowhere, in Roman letters, may well be English.
    """
    if language_id != ALL_LANGUAGES:
        return hits
    return tuple(
        hit for hit in hits if hit.language_id == ASSAMESE or may_be_typed_for(text, hit.text, hit.language_id)
    )


def _weighed(reader: Reader, guesses: Sequence[Guess]) -> list[Guess]:
    """Put bare entries behind those that say something, and beside them the words that they are forms of."""
    likeliest, others = guesses[:SHORTLIST], guesses[SHORTLIST:]
    silent = bare.bare_of(reader, [guess.hit for guess in likeliest])
    forms = [guess for guess in likeliest[:LEMMAS_OF] if guess.hit.word_id in silent]
    nearest: dict[int, Guess] = {}
    for guess in likeliest_first([*likeliest, *(_lemmas(reader, forms) if forms else ())]):
        nearest.setdefault(guess.hit.word_id, guess)
    return [*behind_if_bare(nearest.values(), silent), *(each for each in others if each.hit.word_id not in nearest)]


def _lemmas(reader: Reader, forms: Sequence[Guess]) -> list[Guess]:
    of_texts = bare.lemmas(reader, [guess.hit.text for guess in forms if guess.hit.language_id == ASSAMESE])
    return [Guess(hit, guess.way, guess.far + LEMMA) for guess in forms for hit in of_texts.get(guess.hit.text, ())]
