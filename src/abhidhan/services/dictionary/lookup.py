"""Looking words up: each word of a query, by the first sure strategy that finds anything, or by the best guess."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from abhidhan.domain.languages import ALL_LANGUAGES
from abhidhan.domain.matching.cascade import Match, QueryWord, StrategyName
from abhidhan.domain.matching.headwords import Headwords, has_several_words, read_headwords
from abhidhan.domain.matching.likelihood import FoundKey, closest_first
from abhidhan.domain.matching.query import MOST_QUERY_WORDS
from abhidhan.domain.selection import Selection, cut_words
from abhidhan.domain.text.keys import exact_key
from abhidhan.domain.text.normal import Script, query_words, script_of
from abhidhan.domain.word_json import WrittenWord, WrittenWords
from abhidhan.errors import InputError, sentence
from abhidhan.services.dictionary import alternative_readings
from abhidhan.services.dictionary.strategies.bare import with_what_says_more
from abhidhan.services.dictionary.strategies.batch import LookupBatch, MatchSet
from abhidhan.services.dictionary.strategies.guess import guess
from abhidhan.services.dictionary.strategies.inflected import find_forms_by_rule
from abhidhan.services.dictionary.strategies.registry import SURE, Strategy
from abhidhan.services.dictionary.strategies.same_sound import find_same_sound
from abhidhan.services.dictionary.strategies.same_spelling import gather_same_spelling
from abhidhan.services.dictionary.strategies.table_forms import may_be_made_by_rule
from abhidhan.services.dictionary.suggestions import MOST_SUGGESTIONS, suggestions
from abhidhan.storage import entries, words
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.entries import Shape
from abhidhan.storage.indexes.sounds import SOUND_FRAMES
from abhidhan.storage.known_keys import known_keys
from abhidhan.storage.near import near_words

FEW_WORDS: Final = 3
"""The maximum number of words that are looked up on the event loop, which takes about a millisecond."""

MOST_WORDS_OF_HEADWORD: Final = 3
"""The maximum number of words of a query that is guessed as a headword of several words."""

MOST_WORDS_AT_ONCE: Final = 200
"""The maximum number of words of several queries together; unknown words take about a second then."""

NOTHING: Final = MatchSet(Match.NONE, [])


class Begun(NamedTuple):
    """A look-up on its way: the words of the query, what was found for each so far, and the strategies still to try."""

    query: str
    texts: tuple[str, ...]
    language_id: int
    strategies: tuple[Strategy, ...] = SURE
    found: Mapping[str, MatchSet] = {}
    words: Mapping[int, WrittenWord] = {}
    """Of the words that were found, those that have been gathered already, by their IDs."""
    selection: Selection | None = None
    """What is answered of words; None: all."""
    headwords: Headwords | None = None
    """What of the query may be headwords besides its words, until that has been looked for."""
    whole: str = ""
    """The whole query, where it may be a headword of several words, but is spelled like none."""


def look_up(
    reader: Reader, query: str, language_id: int = ALL_LANGUAGES, selection: Selection | None = None
) -> tuple[QueryWord, ...]:
    """Look up each word of a query, and first the whole of it where it is a headword of several words.

    Raises InputError for more than MOST_QUERY_WORDS words.
    """
    return look_up_the_rest(reader, begin(query, language_id, selection))


def look_up_quickly(
    reader: Reader, query: str, language_id: int = ALL_LANGUAGES, selection: Selection | None = None
) -> tuple[QueryWord, ...] | Begun:
    """Do the same for a few words that are all in the dictionary as they are spelled; tell how far it got with others.

    That takes tenths of a millisecond; what is not found is looked for in ways that take many. Raises InputError.
    """
    begun, strategies = begin(query, language_id, selection), SURE
    if len(begun.texts) > FEW_WORDS:
        return begun
    if len(begun.texts) == 1 and begun.headwords is None:
        text = begun.texts[0]
        spelled, may_be_form = gather_same_spelling(reader, text, language_id, selection)
        if spelled:
            if _may_hide_others(reader, spelled, selection):
                return begun
            return (_as_spelled(reader, begun, spelled, may_be_form=may_be_form),)
        begun, strategies = begun._replace(found={text: NOTHING}), SURE[1:] if may_be_form else SURE[2:]
    begun = _go_on(reader, begun, strategies)._replace(strategies=())
    is_found = all(each.hits for each in begun.found.values())
    return (
        _answer(reader, begun) if is_found and not _may_hide_others(reader, begun.words.values(), selection) else begun
    )


def _as_spelled(reader: Reader, begun: Begun, spelled: Sequence[WrittenWord], *, may_be_form: bool) -> QueryWord:
    """Answer the most common query, a single word with an exact match.

    This path skips the preparation for several words and takes a third of the time.
    """
    found = MatchSet(Match.EXACT, [], may_be_form=may_be_form)
    offered = suggestions(reader, begun.texts[0], found, spelled, begun.language_id)
    return QueryWord(begun.texts[0], Match.EXACT, cut_words(WrittenWords(spelled), begun.selection), offered)


def _may_hide_others(reader: Reader, spelled: Collection[WrittenWord], selection: Selection | None) -> bool:
    """Say whether one of the entries that are spelled so is bare, so that other words may stand before it."""
    silent = [word.id for word in spelled if word.is_bare]
    # What such an entry says may be left out of a selection.
    return bool(silent and (selection is None or words.bare(reader, silent)))


def look_up_the_rest(reader: Reader, begun: Begun) -> tuple[QueryWord, ...]:
    """Go on with a look-up where it got to, guess what is spelled like no word, and answer."""
    begun = _go_on(reader, begun, begun.strategies)
    find = partial(_find_surely, reader, begun)
    begun = _guess_whole(reader, begun._replace(found=alternative_readings.look_up_without_marks(begun.found, find)))
    begun = _guess_left(reader, begun)
    begun = _guess_left(reader, begun._replace(found=alternative_readings.split_hyphenated(begun.found, find)))
    said = {
        text: found._replace(hits=with_what_says_more(reader, text, found.hits, begun.language_id))
        for text, found in begun.found.items()
        if found.match is Match.EXACT and _may_be_bare(begun, found)
    }
    return _answer(reader, begun._replace(found={**begun.found, **said}))


def _may_be_bare(begun: Begun, found: MatchSet) -> bool:
    """Return whether an exact entry may be bare, judged by the words gathered so far."""
    if begun.selection is not None:
        return True
    return any(word is None or word.is_bare for word in map(begun.words.get, (hit.word_id for hit in found.hits)))


def _find_surely(reader: Reader, begun: Begun, texts: Sequence[str]) -> Mapping[str, MatchSet]:
    """Look up other texts by the sure strategies; a text without a match gets NOTHING."""
    return {text: _find_first(reader, SURE, text, begun, {}) for text in texts}


def _guess_left(reader: Reader, begun: Begun) -> Begun:
    """Guess the words meant by each text that has no match yet."""
    texts = (text for text, each in begun.found.items() if each is NOTHING)
    guessed = {text: guess(reader, LookupBatch([text], begun.language_id)).matches for text in texts}
    return begun._replace(found={**begun.found, **guessed})


def check_queries(queries: Sequence[str]) -> None:
    """Make sure that so many queries can be looked up at once, each by itself too. Raises InputError."""
    counts = [len(query_words(query)) for query in queries]
    if max(counts, default=0) > MOST_QUERY_WORDS or sum(counts) > MOST_WORDS_AT_ONCE:
        raise InputError.of(
            "words",
            sentence(
                "`%(parameter)s` has too many words: each of its texts may have at most %(most)s, and all of them "
                "together %(in_all)s.",
                parameter="words",
                most=MOST_QUERY_WORDS,
                in_all=MOST_WORDS_AT_ONCE,
            ),
        )


def begin(query: str, language_id: int = ALL_LANGUAGES, selection: Selection | None = None) -> Begun:
    """Begin a look-up: split a query into its words. Raises InputError."""
    texts = query_words(query)
    if len(texts) > MOST_QUERY_WORDS:
        raise InputError.of(
            "w",
            sentence(
                "`%(parameter)s` has %(value)s words; at most %(most_query_words)s can be looked up at once.",
                parameter="w",
                value=len(texts),
                most_query_words=MOST_QUERY_WORDS,
            ),
        )
    return Begun(query, texts, language_id, selection=selection, headwords=read_headwords(query, texts))


def _go_on(reader: Reader, begun: Begun, strategies: tuple[Strategy, ...]) -> Begun:
    """Try the strategies for each text until one finds a word."""
    if begun.headwords is not None:
        begun, strategies = _find_headwords(reader, begun, begun.headwords), strategies[1:]
    words = {**begun.words}
    found = {**begun.found}
    for text in begun.texts:
        # Each text is looked up alone, so that its answer does not depend on the others.
        if found.setdefault(text, NOTHING) is NOTHING:
            found[text] = _find_first(reader, strategies, text, begun, words)
    return begun._replace(found=found, words=words)


def _find_first(
    reader: Reader, strategies: Sequence[Strategy], text: str, begun: Begun, words: dict[int, WrittenWord]
) -> MatchSet:
    """Try the strategies for a text until one finds a word. Gathered words are added to `words`."""
    may_be_form = True
    for strategy in strategies:
        if strategy.name is StrategyName.SAME_SPELLING:
            spelled = _take_spelling(reader, text, begun, words)
            if spelled.hits:
                return spelled
            may_be_form = spelled.may_be_form
        elif may_be_form or strategy.name is not StrategyName.TABLE_FORM:
            hits = strategy.find(reader, LookupBatch([text], begun.language_id)).get(text)
            if hits:
                in_order = closest_first(text, hits) if strategy.name is StrategyName.OTHER_SPELLING else hits
                return MatchSet(strategy.lookup_match, in_order)
    return NOTHING


def _find_headwords(reader: Reader, begun: Begun, headwords: Headwords) -> Begun:
    """Find the query itself, and its parts as they came, where they are headwords: one of several words, or `100%`.

    The bare words are looked up as well; this is the first step. One statement selects the known spellings.
    """
    words: dict[int, WrittenWord] = {}
    candidates = headwords.candidates()
    known = known_keys(reader, [*map(exact_key, candidates)], begun.language_id)
    tried = {text: _take_spelling(reader, text, begun, words) for text in candidates if exact_key(text) in known}
    spelled = {text: found for text, found in tried.items() if found.hits}
    if alternative_readings.is_infinitive(reader, headwords, spelled):
        verb = {text: spelled.get(text, NOTHING) for text in headwords.texts_behind_to(spelled)}
        return begun._replace(texts=tuple(verb), found=verb, words=words, headwords=None)
    found = {text: spelled.get(text, NOTHING) for text in headwords.texts(spelled)}
    if headwords.whole and found.keys().isdisjoint(headwords.whole):
        whole = headwords.whole[-1]
        may_be_form = whole in tried or may_be_made_by_rule(reader, whole, begun.language_id)
        found = _find_whole_otherwise(reader, begun, whole, may_be_form=may_be_form) | found
        if whole not in found:
            begun = begun._replace(whole=whole)
    return begun._replace(texts=tuple(found), found=found, words=words, headwords=None)


def _find_whole_otherwise(reader: Reader, begun: Begun, whole: str, *, may_be_form: bool) -> dict[str, MatchSet]:
    """Find the whole query as a form or a loose spelling of a headword of several words."""
    for strategy in SURE[1:] if may_be_form else SURE[2:]:
        found = _find_first(reader, [strategy], whole, begun, {})
        if several := _of_several_words(found.hits):
            return {whole: found._replace(hits=several)}
    return {}


def _may_sound_whole(reader: Reader, begun: Begun) -> bool:
    """Say whether a few Roman words may be a headword of several by their sound, which takes milliseconds to find."""
    if not begun.whole or len(begun.found) > MOST_WORDS_OF_HEADWORD or script_of(begun.whole) is not Script.LATIN:
        return False
    return SOUND_FRAMES.held(reader).may_lead_to_words(begun.whole)


def _guess_whole(reader: Reader, begun: Begun) -> Begun:
    """Take a whole query of a few words for a headword of several, by its sound, as a form of it, or nearly spelled so.

    The last two only where one of its words is spelled like none: otherwise they are what was meant.
    """
    whole, of_words = begun.whole, begun.found
    if not whole or len(of_words) > MOST_WORDS_OF_HEADWORD:
        return begun
    batch = LookupBatch([whole], begun.language_id)
    sounding = find_same_sound(reader, batch) if _may_sound_whole(reader, begun) else {}
    if several := _of_several_words(sounding.get(whole, ())):
        return begun._replace(found={whole: MatchSet(Match.PHONETIC, closest_first(whole, several)), **of_words})
    if all(each.hits for each in of_words.values()):
        return begun
    if several := _of_several_words(find_forms_by_rule(reader, batch).get(whole, ())):
        return begun._replace(found={whole: MatchSet(Match.INFLECTED, several), **of_words})
    near = tuple(_of_several_words(near_words(reader, whole, begun.language_id or None))[:MOST_SUGGESTIONS])
    return begun._replace(found={whole: MatchSet(Match.NONE, [], near), **of_words}) if near else begun


def _of_several_words(hits: Iterable[FoundKey]) -> list[FoundKey]:
    return [hit for hit in hits if has_several_words(hit.text)]


def _take_spelling(reader: Reader, text: str, begun: Begun, words: dict[int, WrittenWord]) -> MatchSet:
    """Find the words with the exact spelling of a text, and whether the text may also be a form."""
    spelled, may_be_form = gather_same_spelling(reader, text, begun.language_id, begun.selection)
    words |= {word.id: word for word in spelled}
    key = exact_key(text)
    hits = [FoundKey(key, word.id, word.language_id, word.word) for word in spelled]
    return MatchSet(Match.EXACT, hits, may_be_form=may_be_form)


def _answer(reader: Reader, begun: Begun) -> tuple[QueryWord, ...]:
    word_of = {**begun.words, **_gather(reader, begun)}
    return tuple([_query_word(reader, text, each, word_of, begun) for text, each in begun.found.items()])


def _gather(reader: Reader, begun: Begun) -> dict[int, WrittenWord]:
    """Gather the words that were found and not yet gathered."""
    found = dict.fromkeys(hit.word_id for each in begun.found.values() for hit in each.hits)
    lacking = [word_id for word_id in found if word_id not in begun.words]
    return {word.id: word for word in entries.gather_written(reader, lacking, Shape(begun.selection))}


def _query_word(reader: Reader, text: str, found: MatchSet, word_of: dict[int, WrittenWord], begun: Begun) -> QueryWord:
    answered = [word_of[hit.word_id] for hit in found.hits if hit.word_id in word_of]
    offered = suggestions(reader, text, found, answered, begun.language_id)
    return QueryWord(text, found.match, cut_words(WrittenWords(answered), begun.selection), offered)
