"""Suggestions: what is offered besides the entries of a look-up, or instead of them."""

from collections.abc import Sequence
from typing import Final

from abhidhan.domain.languages import ALL_LANGUAGES, ASSAMESE
from abhidhan.domain.matching.cascade import Match
from abhidhan.domain.matching.likelihood import FoundKey, closest_first
from abhidhan.domain.matching.ranking import may_be_meant_by
from abhidhan.domain.matching.readable import may_mean, sounds_of
from abhidhan.domain.text.keys import sound_key
from abhidhan.domain.text.normal import Script, script_of
from abhidhan.domain.word_json import WrittenWord
from abhidhan.domain.words import Suggestion
from abhidhan.services.dictionary.guesses import Found
from abhidhan.services.dictionary.ways import MOST_ENTRIES
from abhidhan.storage import indic_words, words
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.indexes.readable_words import READABLE_WORDS
from abhidhan.storage.indexes.sounds import SOUND_FRAMES
from abhidhan.storage.key_columns import KeyColumn

MOST_SUGGESTIONS: Final = 5


def suggestions(  # noqa: PLR0913 (the text, what was found and is answered, for what, and among how many)
    reader: Reader, text: str, found: Found, answered: Sequence[WrittenWord], language_id: int, *, nearly: bool
) -> tuple[Suggestion, ...]:
    """Offer near spellings for a miss or a compound, and for Roman input the words of other scripts that sound so.

    Where what was found for Roman input is a guess by its sound, and there are few words, those that `nearly` sound
    like it are offered too. A word of another language that has Assamese letters hides no Assamese word.
    """
    if found.match in {Match.NONE, Match.COMPOUND}:
        return tuple(map(_suggestion, found.near[:MOST_SUGGESTIONS]))
    script = script_of(text)
    if script is not Script.LATIN:
        hides = found.match is Match.EXACT and script is Script.EASTERN_NAGARI and language_id == ALL_LANGUAGES
        return _hidden(reader, text) if hides and all(word.language_id != ASSAMESE for word in answered) else ()
    typed_for = _typed_for(reader, text, language_id, is_stored=found.match is Match.EXACT)
    sounding = [*typed_for, *(found.near if nearly else ())]
    if not sounding:
        return ()
    shown = {word.id for word in answered}
    offered = {
        hit.word_id: hit for hit in sounding if hit.word_id not in shown and script_of(hit.text) is not Script.LATIN
    }
    return tuple(map(_suggestion, [*offered.values()][:MOST_SUGGESTIONS]))


def _suggestion(hit: FoundKey) -> Suggestion:
    return Suggestion(hit.text, hit.language_id, hit.word_id)


def _hidden(reader: Reader, text: str) -> tuple[Suggestion, ...]:
    """Find the Assamese words that may be meant by a text that is a word of another language: পানী by Bengali পানি."""
    sounding = words.find(reader, KeyColumn.SOUND, [sound_key(text, "as")], ASSAMESE)
    meant = closest_first(text, [hit for hit in sounding if may_be_meant_by(text, hit.text)])
    return tuple(map(_suggestion, meant[:MOST_SUGGESTIONS]))


def _typed_for(reader: Reader, text: str, language_id: int, *, is_stored: bool) -> list[FoundKey]:
    """Find the Indic words that Roman letters may be typed for, the closest first; most stored words mean none."""
    if not reader.catalogue.orthographies(language_id).are_any_indic:
        return []
    frames = SOUND_FRAMES.held(reader)
    if is_stored and not READABLE_WORDS.held(reader).may_mean_others(frames, text):
        return []
    hits = indic_words.find(reader, sounds_of(frames, text), language_id, limit=MOST_ENTRIES)
    return closest_first(text, [hit for hit in hits if may_mean(text, hit.text, hit.language_id)])
