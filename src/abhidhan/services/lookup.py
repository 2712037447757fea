"""Looking words up: each word of a query, by the best class of match that finds anything."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from abhidhan.domain.languages import ALL_LANGUAGES, ASSAMESE
from abhidhan.domain.lookup import MOST_QUERY_WORDS, WAYS_TO_READ, Match, QueryWord, loose_keys, sound_keys
from abhidhan.domain.orthography import ByOrthography
from abhidhan.domain.ranking import how_far, may_be_typed_for
from abhidhan.domain.text.closeness import distance
from abhidhan.domain.text.keys import exact_key, roman_sound_keys, sound_key
from abhidhan.domain.text.normal import Script, query_words, script_of
from abhidhan.domain.words import Suggestion, Word
from abhidhan.errors import InputError, NotFoundError, sentence
from abhidhan.services import inflected
from abhidhan.storage import entries, words
from abhidhan.storage.database import Reader
from abhidhan.storage.near import near_words
from abhidhan.storage.words import FoundKey, KeyColumn

MOST_ENTRIES = 50
"""The most entries one query word is answered with."""

MOST_SUGGESTIONS = 5

NEAR_A_GUESS = 20
"""Of so many words near to a guess, those that are not answered already are offered."""

ONE_LETTER = 0.25
"""How far, in letters, a word is from itself with one letter for another that sounds alike."""

FEW_WORDS = 3
"""So many words of a query are looked up while other requests wait: it takes less than a millisecond. Of no more words
is it told what their guesses nearly sound like."""


class Found(NamedTuple):
    """What was found for one text, and by which class of match."""

    match: Match
    hits: list[FoundKey]


Finder = Callable[[Reader, Sequence[str], int], dict[str, list[FoundKey]]]
"""Finds words for each of several texts, in the languages that an ID stands for."""


def look_up(reader: Reader, query: str, language_id: int = ALL_LANGUAGES) -> tuple[QueryWord, ...]:
    """Look up each word of a query, and first the whole of it where it is a headword of several words.

    Raises InputError for more than MOST_QUERY_WORDS words.
    """
    texts = query_words(query)
    if len(texts) > MOST_QUERY_WORDS:
        raise InputError.of(
            "w",
            sentence(
                "`%(parameter)s` has %(value)s words; at most %(most_query_words)s are looked up at once.",
                parameter="w",
                value=len(texts),
                most_query_words=MOST_QUERY_WORDS,
            ),
        )
    return _answer(reader, _find(reader, query, texts, language_id, FINDERS), language_id)


def look_up_quickly(reader: Reader, query: str, language_id: int = ALL_LANGUAGES) -> tuple[QueryWord, ...] | None:
    """Do the same for a few words that are all in the dictionary as they are spelled; for any other query give None.

    That takes tenths of a millisecond; what is not found is looked for in ways that take many.
    """
    texts = query_words(query)
    if len(texts) > FEW_WORDS:
        return None
    found = _find(reader, query, texts, language_id, FINDERS_BY_SPELLING)
    return _answer(reader, found, language_id) if all(each.hits for each in found.values()) else None


def look_up_one(reader: Reader, word_id: int) -> Word:
    """Read one word by its ID. Raises NotFoundError."""
    found = entries.gather(reader, [word_id])
    if not found:
        raise NotFoundError(sentence("There is no word with the ID %(word_id)s.", word_id=word_id))
    return found[0]


def _find_whole(reader: Reader, query: str, language_id: int) -> dict[str, Found]:
    """Find the query itself, where it is a headword of several words."""
    for match, find in FINDERS_BY_SPELLING:
        found = find(reader, [query], language_id)
        if query in found:
            return {query: Found(match, found[query])}
    return {}


def _find(
    reader: Reader, query: str, texts: Sequence[str], language_id: int, finders: Sequence[tuple[Match, Finder]]
) -> dict[str, Found]:
    """Find each text by the best class that finds anything, asking a worse class only for what is left."""
    found = _find_whole(reader, query, language_id) if len(texts) > 1 else {}
    left = [text for text in texts if text not in found]
    found |= {text: Found(Match.NONE, []) for text in left}
    for match, find in finders:
        if not left:
            break
        found |= {text: Found(match, hits) for text, hits in find(reader, left, language_id).items()}
        left = [text for text in left if found[text].match is Match.NONE]
    return found


def _find_by_exact_key(reader: Reader, texts: Sequence[str], language_id: int) -> dict[str, list[FoundKey]]:
    return _find_by_one_key(reader, KeyColumn.EXACT, texts, language_id)


def _find_by_form(reader: Reader, texts: Sequence[str], language_id: int) -> dict[str, list[FoundKey]]:
    return _find_by_one_key(reader, KeyColumn.FORM, texts, language_id)


def _find_by_one_key(
    reader: Reader, column: KeyColumn, texts: Sequence[str], language_id: int
) -> dict[str, list[FoundKey]]:
    hits = defaultdict(list)
    key_of = {text: exact_key(text) for text in texts}
    for hit in words.find(reader, column, list(key_of.values()), language_id, most=MOST_ENTRIES * len(texts)):
        hits[hit.key].append(hit)
    return {text: hits[key][:MOST_ENTRIES] for text, key in key_of.items() if key in hits}


def _find_by_loose_key(reader: Reader, texts: Sequence[str], language_id: int) -> dict[str, list[FoundKey]]:
    orthographies = reader.catalogue.orthographies(language_id)
    wanted = {text: loose_keys(text, orthographies).each(lambda key: frozenset({key})) for text in texts}
    return _closest_first(_find_by_keys_of_languages(reader, KeyColumn.LOOSE, wanted, language_id))


def _find_by_sound_key(reader: Reader, texts: Sequence[str], language_id: int) -> dict[str, list[FoundKey]]:
    orthographies = reader.catalogue.orthographies(language_id)
    wanted = {text: sound_keys(text, orthographies, WAYS_TO_READ) for text in texts}
    sounding = _find_by_keys_of_languages(reader, KeyColumn.SOUND, wanted, language_id)
    found = {text: [hit for hit in hits if may_be_typed_for(text, hit.text)] for text, hits in sounding.items()}
    return _closest_first({text: hits for text, hits in found.items() if hits})


def find_misspelled(reader: Reader, texts: Sequence[str], language_id: int) -> dict[str, list[FoundKey]]:
    """Find Assamese words that texts in their script are, but for a letter that sounds alike: নদি is নদী.

    That is likelier than the form of another word (of দি, by নদি "did not give").
    """
    if language_id not in {ALL_LANGUAGES, ASSAMESE}:
        return {}
    sounds = {text: sound_key(text, "as") for text in texts if script_of(text) is Script.EASTERN_NAGARI}
    hits = words.find(reader, KeyColumn.SOUND, list(dict.fromkeys(sounds.values())), ASSAMESE)
    found = {
        text: [hit for hit in hits if hit.key == sound and distance(text, hit.text) <= ONE_LETTER]
        for text, sound in sounds.items()
    }
    return _closest_first({text: of_text for text, of_text in found.items() if of_text})


def _closest_first(found: dict[str, list[FoundKey]]) -> dict[str, list[FoundKey]]:
    """Put what was found for each text in the order of what a person may have meant by it."""
    return {text: sorted(hits, key=partial(_how_far, text)) if len(hits) > 1 else hits for text, hits in found.items()}


def _how_far(text: str, hit: FoundKey) -> tuple[float, int]:
    return how_far(text, hit.text, hit.language_id), hit.language_id


def _find_by_keys_of_languages(
    reader: Reader, column: KeyColumn, wanted: dict[str, ByOrthography[frozenset[str]]], language_id: int
) -> dict[str, list[FoundKey]]:
    """Find words by keys that differ from language to language: a hit counts if the key is its language's own."""
    every_key = sorted({key for of_text in wanted.values() for keys in of_text.values() for key in keys})
    hits = words.find(reader, column, every_key, language_id, most=MOST_ENTRIES * len(wanted))
    found = {
        text: [hit for hit in hits if hit.key in of_text.of(hit.language_id, frozenset())][:MOST_ENTRIES]
        for text, of_text in wanted.items()
    }
    return {text: of_text for text, of_text in found.items() if of_text}


FINDERS_BY_SPELLING: tuple[tuple[Match, Finder], ...] = (
    (Match.EXACT, _find_by_exact_key),
    (Match.LOOSE, _find_by_loose_key),
)

FINDERS: tuple[tuple[Match, Finder], ...] = (
    *FINDERS_BY_SPELLING,
    (Match.INFLECTED, _find_by_form),
    (Match.PHONETIC, find_misspelled),
    (Match.INFLECTED, inflected.find_by_rule),
    (Match.PHONETIC, _find_by_sound_key),
    (Match.PHONETIC, inflected.find_by_sound),
)
"""The ways to find words, by class of match, best class first."""


def _answer(reader: Reader, found: dict[str, Found], language_id: int) -> tuple[QueryWord, ...]:
    word_of = _gather(reader, found.values())
    few = len(found) <= FEW_WORDS
    return tuple([_query_word(reader, text, each, word_of, language_id, few=few) for text, each in found.items()])


def _gather(reader: Reader, found: Iterable[Found]) -> dict[int, Word]:
    word_ids = dict.fromkeys(hit.word_id for each in found for hit in each.hits)
    return {word.id: word for word in entries.gather(reader, list(word_ids))}


def _query_word(  # noqa: PLR0913 (each tells of one thing: the text, what was found, where, and among how many)
    reader: Reader, text: str, found: Found, word_of: dict[int, Word], language_id: int, *, few: bool
) -> QueryWord:
    answered = tuple(word_of[hit.word_id] for hit in found.hits if hit.word_id in word_of)
    nearly = few and found.match is Match.PHONETIC
    suggestions = _suggestions(reader, text, found.match, answered, language_id, nearly=nearly)
    return QueryWord(text, found.match, answered, suggestions)


def _suggestions(  # noqa: PLR0913 (as above)
    reader: Reader, text: str, match: Match, answered: tuple[Word, ...], language_id: int, *, nearly: bool
) -> tuple[Suggestion, ...]:
    """Offer near spellings for a miss, and for Roman input the words of other scripts that sound like it.

    Where what was found for Roman input is a guess by its sound, and there are few words, those that `nearly` sound
    like it are offered too.
    """
    if match is Match.NONE:
        return near_words(reader, text, language_id or None, MOST_SUGGESTIONS)
    if script_of(text) is not Script.LATIN:
        return ()
    sounding = [Suggestion(hit.text, hit.language_id, hit.word_id) for hit in _typed_for(reader, text, language_id)]
    if nearly:
        sounding += near_words(reader, text, language_id or None, NEAR_A_GUESS)
    shown = {word.id for word in answered}
    offered = {each.id: each for each in sounding if each.id not in shown and script_of(each.word) is not Script.LATIN}
    return tuple(offered.values())[:MOST_SUGGESTIONS]


def _typed_for(reader: Reader, text: str, language_id: int) -> list[FoundKey]:
    """Find the Indic words that Roman letters may be typed for, the closest first."""
    orthographies = reader.catalogue.orthographies(language_id)
    if not any(each.is_indic for each in orthographies.every):
        return []
    hits = words.find(reader, KeyColumn.SOUND, roman_sound_keys(text, WAYS_TO_READ), language_id, most=MOST_ENTRIES)
    found = [hit for hit in hits if script_of(hit.text) is not Script.LATIN and may_be_typed_for(text, hit.text)]
    return sorted(found, key=partial(_how_far, text))
