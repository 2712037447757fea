"""Suggestions offered with the entries of a look-up, or instead of them."""

from collections.abc import Sequence
from typing import Final

from abhidhan.dictionary.model.cascade import Match
from abhidhan.dictionary.model.guess_scoring import KeyMatch, sort_by_cost
from abhidhan.dictionary.model.query import MAX_ROMAN_READINGS
from abhidhan.dictionary.model.ranking import may_be_roman_spelling, sounds_close_enough
from abhidhan.dictionary.model.word_json import EncodedWord
from abhidhan.dictionary.service.strategies.batch import MAX_ENTRIES, LookupBatch, MatchSet
from abhidhan.dictionary.service.strategies.inflected import find_forms_by_rule
from abhidhan.dictionary.service.strategies.misspelled import find_misspelled
from abhidhan.dictionary.service.strategies.other_spelling import find_other_spellings
from abhidhan.dictionary.service.strategies.table_forms import find_table_forms
from abhidhan.dictionary.store import keyed_words, words
from abhidhan.dictionary.store.acceleration.readable_words import may_mean_others
from abhidhan.dictionary.store.acceleration.sound_frames import find_known_sounds
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE
from abhidhan.records.words import Suggestion
from assamese.keys import roman_sound_keys, sound_key
from assamese.normalization import Script, detect_script

MAX_SUGGESTIONS: Final = 5


def suggest_alternatives(
    connection: ReadConnection, text: str, matches: MatchSet, entries: Sequence[EncodedWord], language_id: int
) -> tuple[Suggestion, ...]:
    """Suggest near spellings for a compound or an unmatched text; otherwise, other words that the user may mean.

    - With an exact entry: the words of its language of which the text is also a form.
    - With an inflected entry: words with nearly the same spelling.
    - With entries of other languages only, in the Assamese script: the Assamese words that may be meant.
    - For Roman input: words of other scripts that sound like it, or nearly so if the entry is a guess.
    """
    if matches.match in {Match.NONE, Match.COMPOUND}:
        return tuple(map(_to_suggestion, matches.near[:MAX_SUGGESTIONS]))
    script, hidden = detect_script(text), list[KeyMatch]()
    languages = {word.language_id for word in entries}
    if matches.match is Match.EXACT and matches.may_be_form:
        hidden += _find_lemmas(connection, text, language_id, languages)
    elif matches.match is Match.INFLECTED:
        hidden += _find_near_spellings(connection, text, language_id, languages)
    if script is Script.LATIN:
        hidden += _find_sound_alikes(connection, text, matches, language_id)
    elif language_id == ALL_LANGUAGES and script is Script.EASTERN_NAGARI and ASSAMESE not in languages:
        hidden += _find_assamese_words(connection, text, matches)
    if not hidden:
        return ()
    shown_ids = {word.id for word in entries}
    offered = {hit.word_id: hit for hit in hidden if hit.word_id not in shown_ids}
    return tuple(map(_to_suggestion, [*offered.values()][:MAX_SUGGESTIONS]))


def _to_suggestion(hit: KeyMatch) -> Suggestion:
    return Suggestion(hit.text, hit.language_id, hit.word_id)


def _find_lemmas(connection: ReadConnection, text: str, language_id: int, languages: set[int]) -> list[KeyMatch]:
    """Find the lemmas of a text that is also an inflected form, in the languages of the entries."""
    forms = find_table_forms(connection, LookupBatch([text], language_id)).get(text, [])
    return [hit for hit in forms if hit.language_id in languages]


def _find_assamese_words(connection: ReadConnection, text: str, matches: MatchSet) -> list[KeyMatch]:
    """Find the Assamese words that may be meant by a text that matched only words of other languages.

    The order: forms in a table, words of the same sound (পানী for Bengali পানি), forms by rule, near spellings.
    """
    batch = LookupBatch([text], ASSAMESE)
    forms = find_table_forms(connection, batch).get(text, []) if matches.may_be_form else []
    sounding = words.find_by_key(connection, KeyColumn.SOUND, [sound_key(text, "as")], ASSAMESE)
    meant = sort_by_cost(text, [hit for hit in sounding if sounds_close_enough(text, hit.text)])
    by_rule = find_forms_by_rule(connection, batch).get(text, [])
    return [*forms, *meant, *by_rule, *(hit for hit in matches.near if hit.language_id == ASSAMESE)]


def _find_near_spellings(
    connection: ReadConnection, text: str, language_id: int, languages: set[int]
) -> list[KeyMatch]:
    """Find loose spellings, and words one sound-alike letter away, in the languages of the entries."""
    batch = LookupBatch([text], language_id)
    near = (*find_other_spellings(connection, batch).get(text, ()), *find_misspelled(connection, batch).get(text, ()))
    return sort_by_cost(text, [hit for hit in near if hit.language_id in languages])


def _find_sound_alikes(connection: ReadConnection, text: str, matches: MatchSet, language_id: int) -> list[KeyMatch]:
    """Find words in other scripts that may be meant by a text in Roman letters."""
    indic_words = _find_indic_spellings(connection, text, language_id, is_stored=matches.match is Match.EXACT)
    sounding = [*indic_words, *(matches.near if matches.match is Match.PHONETIC else ())]
    return [hit for hit in sounding if detect_script(hit.text) is not Script.LATIN]


def _find_indic_spellings(
    connection: ReadConnection, text: str, language_id: int, *, is_stored: bool
) -> list[KeyMatch]:
    """Find Indic words that a text in Roman letters may spell, closest first; skip this for most stored words."""
    if not connection.catalogue.orthographies(language_id).has_indic:
        return []
    if is_stored and not may_mean_others(connection, text):
        return []
    sounds = find_known_sounds(connection, text)
    readings = roman_sound_keys(text, MAX_ROMAN_READINGS) if sounds is None else sounds
    hits = keyed_words.find_indic_words(connection, readings, language_id, limit=MAX_ENTRIES)
    return sort_by_cost(text, [hit for hit in hits if may_be_roman_spelling(text, hit.text, hit.language_id)])
