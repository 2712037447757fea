"""Suggestions offered with the entries of a look-up, or instead of them."""

from collections.abc import Sequence
from typing import Final

from abhidhan.dictionary.model.cascade import Match
from abhidhan.dictionary.model.guess_scoring import KeyMatch, sort_by_cost
from abhidhan.dictionary.model.query import MAX_ROMAN_READINGS
from abhidhan.dictionary.model.ranking import may_be_meant_by, may_mean
from abhidhan.dictionary.model.word_json import EncodedWord
from abhidhan.dictionary.service.strategies.batch import MAX_ENTRIES, LookupBatch, MatchSet
from abhidhan.dictionary.service.strategies.inflected import find_forms_by_rule
from abhidhan.dictionary.service.strategies.misspelled import find_misspelled
from abhidhan.dictionary.service.strategies.other_spelling import find_other_spellings
from abhidhan.dictionary.service.strategies.table_forms import find_table_forms
from abhidhan.dictionary.store import keyed_words, words
from abhidhan.dictionary.store.acceleration.readable_words import may_mean_others
from abhidhan.dictionary.store.acceleration.sound_frames import known_sounds
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE
from abhidhan.records.words import Suggestion
from assamese.keys import roman_sound_keys, sound_key
from assamese.normalization import Script, script_of

MAX_SUGGESTIONS: Final = 5


def suggest_alternatives(
    reader: ReadConnection, text: str, matches: MatchSet, entries: Sequence[EncodedWord], language_id: int
) -> tuple[Suggestion, ...]:
    """Suggest near spellings for a compound or an unmatched text; otherwise, other words that the user may mean.

    - With an exact entry: the words of its language of which the text is also a form.
    - With an inflected entry: words with nearly the same spelling.
    - With entries of other languages only, in the Assamese script: the Assamese words that may be meant.
    - For Roman input: words of other scripts that sound like it, or nearly so if the entry is a guess.
    """
    if matches.match in {Match.NONE, Match.COMPOUND}:
        return tuple(map(_suggestion, matches.near[:MAX_SUGGESTIONS]))
    script, hidden = script_of(text), list[KeyMatch]()
    languages = {word.language_id for word in entries}
    if matches.match is Match.EXACT and matches.may_be_form:
        hidden += _find_lemmas(reader, text, language_id, languages)
    elif matches.match is Match.INFLECTED:
        hidden += _find_near_spellings(reader, text, language_id, languages)
    if script is Script.LATIN:
        hidden += _sound_alikes(reader, text, matches, language_id)
    elif language_id == ALL_LANGUAGES and script is Script.EASTERN_NAGARI and ASSAMESE not in languages:
        hidden += _find_meant_assamese(reader, text, matches)
    if not hidden:
        return ()
    shown_ids = {word.id for word in entries}
    offered = {hit.word_id: hit for hit in hidden if hit.word_id not in shown_ids}
    return tuple(map(_suggestion, [*offered.values()][:MAX_SUGGESTIONS]))


def _suggestion(hit: KeyMatch) -> Suggestion:
    return Suggestion(hit.text, hit.language_id, hit.word_id)


def _find_lemmas(reader: ReadConnection, text: str, language_id: int, languages: set[int]) -> list[KeyMatch]:
    """Find the lemmas of a text that is also an inflected form, in the languages of the entries."""
    forms = find_table_forms(reader, LookupBatch([text], language_id)).get(text, [])
    return [hit for hit in forms if hit.language_id in languages]


def _find_meant_assamese(reader: ReadConnection, text: str, matches: MatchSet) -> list[KeyMatch]:
    """Find the Assamese words that may be meant by a text that matched only words of other languages.

    The order: forms in a table, words of the same sound (পানী for Bengali পানি), forms by rule, near spellings.
    """
    batch = LookupBatch([text], ASSAMESE)
    forms = find_table_forms(reader, batch).get(text, []) if matches.may_be_form else []
    sounding = words.find(reader, KeyColumn.SOUND, [sound_key(text, "as")], ASSAMESE)
    meant = sort_by_cost(text, [hit for hit in sounding if may_be_meant_by(text, hit.text)])
    by_rule = find_forms_by_rule(reader, batch).get(text, [])
    return [*forms, *meant, *by_rule, *(hit for hit in matches.near if hit.language_id == ASSAMESE)]


def _find_near_spellings(reader: ReadConnection, text: str, language_id: int, languages: set[int]) -> list[KeyMatch]:
    """Find loose spellings, and words one sound-alike letter away, in the languages of the entries."""
    batch = LookupBatch([text], language_id)
    near = (*find_other_spellings(reader, batch).get(text, ()), *find_misspelled(reader, batch).get(text, ()))
    return sort_by_cost(text, [hit for hit in near if hit.language_id in languages])


def _sound_alikes(reader: ReadConnection, text: str, matches: MatchSet, language_id: int) -> list[KeyMatch]:
    """Find words in other scripts that may be meant by a text in Roman letters."""
    typed_for = _find_typed_for(reader, text, language_id, is_stored=matches.match is Match.EXACT)
    sounding = [*typed_for, *(matches.near if matches.match is Match.PHONETIC else ())]
    return [hit for hit in sounding if script_of(hit.text) is not Script.LATIN]


def _find_typed_for(reader: ReadConnection, text: str, language_id: int, *, is_stored: bool) -> list[KeyMatch]:
    """Find Indic words that a text in Roman letters may spell, closest first; skip this for most stored words."""
    if not reader.catalogue.orthographies(language_id).are_any_indic:
        return []
    if is_stored and not may_mean_others(reader, text):
        return []
    sounds = known_sounds(reader, text)
    readings = roman_sound_keys(text, MAX_ROMAN_READINGS) if sounds is None else sounds
    hits = keyed_words.find_indic_words(reader, readings, language_id, limit=MAX_ENTRIES)
    return sort_by_cost(text, [hit for hit in hits if may_mean(text, hit.text, hit.language_id)])
