"""Looking words up: each word of a query, by the first sure step that finds anything, or by the best guess."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import takewhile
from operator import attrgetter
from typing import Final, NamedTuple

from abhidhan.domain.languages import ALL_LANGUAGES
from abhidhan.domain.matching.cascade import (
    BY_SPELLING,
    MADE_OF_OTHERS,
    OF_LOOK_UP,
    Match,
    QueryWord,
    Step,
    Way,
    steps_for,
)
from abhidhan.domain.matching.headwords import Headwords, has_several_words, read_headwords
from abhidhan.domain.matching.likelihood import UNSURE, FoundKey, closest_first
from abhidhan.domain.matching.query import MOST_QUERY_WORDS
from abhidhan.domain.selection import Selection, cut_words
from abhidhan.domain.text.keys import exact_key
from abhidhan.domain.text.normal import Script, query_words, script_of
from abhidhan.domain.word_json import WrittenWord, WrittenWords
from abhidhan.domain.words import Word
from abhidhan.errors import InputError, NotFoundError, sentence
from abhidhan.services.dictionary import otherwise
from abhidhan.services.dictionary.bare import with_what_says_more
from abhidhan.services.dictionary.guesses import MATCH_OF, Found, guess
from abhidhan.services.dictionary.suggestions import MOST_SUGGESTIONS, suggestions
from abhidhan.services.dictionary.ways import MOST_ENTRIES, WAYS, Wanted, gather_same_spelling
from abhidhan.storage import entries, words
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.indexes.sounds import SOUND_FRAMES
from abhidhan.storage.near import near_words

FEW_WORDS = 3
"""So many words of a query are looked up while other requests wait: it takes less than a millisecond. Of no more words
is it told what their guesses nearly sound like."""

MOST_WORDS_AT_ONCE: Final = 200
"""At most this many words may several queries have together: those that are nowhere take about a second then."""

STEPS: Final = tuple(
    step for step in steps_for(OF_LOOK_UP) if step.way not in UNSURE and step.way not in MADE_OF_OTHERS
)
"""The steps that find words as they are spelled, and known forms; what is left is guessed."""

STEP_OF: Final = {step.way: step for step in steps_for(OF_LOOK_UP)}
QUICK_STEPS: Final[Sequence[Step]] = tuple(takewhile(lambda step: step.way in BY_SPELLING, STEPS))

IN_ANY_ORDER: Final = frozenset({Way.OTHER_SPELLING, Way.SAME_SOUND})
"""Ways that do not find the closest words first by themselves."""

NOTHING: Final = Found(Match.NONE, [])
SPELLED_SO: Final = Found(Match.EXACT, [])

_IS_BARE: Final = attrgetter("is_bare")


class Begun(NamedTuple):
    """A look-up on its way: the words of the query, what was found for each so far, and the steps still to take."""

    query: str
    texts: tuple[str, ...]
    language_id: int
    steps: tuple[Step, ...] = STEPS
    found: Mapping[str, Found] = {}
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
    begun, steps = begin(query, language_id, selection), QUICK_STEPS
    if len(begun.texts) > FEW_WORDS:
        return begun
    if len(begun.texts) == 1 and begun.headwords is None:
        text = begun.texts[0]
        if spelled := _spelled_so(reader, text, language_id, selection):
            return begun if _may_hide_others(reader, spelled, selection) else (_as_spelled(reader, begun, spelled),)
        begun, steps = begun._replace(found={text: NOTHING}), steps[1:]
    begun = _go_on(reader, begun, steps)._replace(steps=STEPS[len(QUICK_STEPS) :])
    is_found = all(each.hits for each in begun.found.values())
    return (
        _answer(reader, begun) if is_found and not _may_hide_others(reader, begun.words.values(), selection) else begun
    )


def _spelled_so(reader: Reader, text: str, language_id: int, selection: Selection | None) -> list[WrittenWord]:
    """Read the words of the commonest query, one word that is in the dictionary as it is spelled, by one statement.

    What several words, and further steps, need is kept away from it: it takes a third of the time.
    """
    spelled = entries.gather_spelled(reader, (exact_key(text),), language_id, limit=MOST_ENTRIES, selection=selection)
    return [word for _, word in spelled]


def _as_spelled(reader: Reader, begun: Begun, spelled: Sequence[WrittenWord]) -> QueryWord:
    offered = suggestions(reader, begun.texts[0], SPELLED_SO, spelled, begun.language_id, nearly=False)
    return QueryWord(begun.texts[0], Match.EXACT, cut_words(WrittenWords(spelled), begun.selection), offered)


def _may_hide_others(reader: Reader, spelled: Collection[WrittenWord], selection: Selection | None) -> bool:
    """Say whether one of the entries that are spelled so is bare, so that other words may stand before it."""
    if selection is None:
        return any(map(_IS_BARE, spelled))
    return bool(words.bare(reader, [word.id for word in spelled]))


def look_up_the_rest(reader: Reader, begun: Begun) -> tuple[QueryWord, ...]:
    """Go on with a look-up where it got to, guess what is spelled like no word, and answer."""
    begun = _go_on(reader, begun, begun.steps)
    find = partial(_find_surely, reader, begun)
    begun = _guess_whole(reader, begun._replace(found=otherwise.as_read(begun.found, find)))
    begun = _guess_left(reader, begun)
    begun = _guess_left(reader, begun._replace(found=otherwise.in_parts(begun.found, find)))
    said = {
        text: found._replace(hits=with_what_says_more(reader, text, found.hits, begun.language_id))
        for text, found in begun.found.items()
        if found.match is Match.EXACT
    }
    return _answer(reader, begun._replace(found={**begun.found, **said}))


def _find_surely(reader: Reader, begun: Begun, texts: Sequence[str]) -> Mapping[str, Found]:
    """Find other texts as they are spelled and as known forms; of each NOTHING where it is none."""
    return _go_on(reader, begun._replace(texts=tuple(texts), found={}), STEPS).found


def _guess_left(reader: Reader, begun: Begun) -> Begun:
    left = [text for text, found in begun.found.items() if found is NOTHING]
    if not left:
        return begun
    guessed = guess(reader, Wanted(left, begun.language_id), nearly=len(begun.found) <= FEW_WORDS)
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


def look_up_one(reader: Reader, word_id: int, selection: Selection | None = None) -> Word:
    """Read one word by its ID. Raises NotFoundError."""
    found = entries.gather(reader, [word_id], selection=selection)
    if not found:
        raise NotFoundError(sentence("There is no word with the ID %(word_id)s.", word_id=word_id))
    return cut_words(found, selection)[0]


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


def _go_on(reader: Reader, begun: Begun, steps: Sequence[Step]) -> Begun:
    """Take some steps: each asks only for the texts for which none before has found anything."""
    if begun.headwords is not None:
        begun, steps = _find_headwords(reader, begun, begun.headwords), steps[1:]
    words = {**begun.words}
    found = {**begun.found}
    left = [text for text in begun.texts if found.setdefault(text, NOTHING) is NOTHING]
    for step in steps:
        if not left:
            break
        found |= _take(reader, step, Wanted(left, begun.language_id), words, begun.selection)
        left = [text for text in left if found[text] is NOTHING]
    return begun._replace(found=found, words=words)


def _find_headwords(reader: Reader, begun: Begun, headwords: Headwords) -> Begun:
    """Find the query itself, and its parts as they came, where they are headwords: one of several words, or `100%`.

    What is looked up instead of them, the bare words, is looked for by the same statement: this is the first step.
    """
    words: dict[int, WrittenWord] = {}
    wanted = Wanted(headwords.candidates(), begun.language_id)
    spelled = _take(reader, STEP_OF[Way.SAME_SPELLING], wanted, words, begun.selection)
    if otherwise.is_infinitive(reader, headwords, spelled):
        verb = {text: spelled.get(text, NOTHING) for text in headwords.texts_behind_to(spelled)}
        return begun._replace(texts=tuple(verb), found=verb, words=words, headwords=None)
    texts = headwords.texts(spelled)
    whole = {} if spelled.keys() & {*headwords.whole} else _find_whole_otherwise(reader, begun, headwords)
    found = whole | {text: spelled.get(text, NOTHING) for text in texts}
    bare = headwords.whole[-1] if headwords.whole and found.keys().isdisjoint(headwords.whole) else ""
    return begun._replace(texts=tuple(found), found=found, words=words, headwords=None, whole=bare)


def _find_whole_otherwise(reader: Reader, begun: Begun, headwords: Headwords) -> dict[str, Found]:
    """Find the whole query as another spelling of a headword of several words."""
    if not headwords.whole:
        return {}
    wanted = Wanted(headwords.whole[-1:], begun.language_id)
    return _take(reader, STEP_OF[Way.OTHER_SPELLING], wanted, {}, begun.selection)


def _may_sound_whole(reader: Reader, begun: Begun) -> bool:
    """Say whether a few Roman words may be a headword of several by their sound, which takes milliseconds to find."""
    if not begun.whole or len(begun.found) > FEW_WORDS or script_of(begun.whole) is not Script.LATIN:
        return False
    return SOUND_FRAMES.held(reader).may_lead_to_words(begun.whole)


def _guess_whole(reader: Reader, begun: Begun) -> Begun:
    """Take a whole query of a few words for a headword of several, by its sound, as a form of it, or nearly spelled so.

    The last two only where one of its words is spelled like none: otherwise they are what was meant.
    """
    whole, of_words = begun.whole, begun.found
    if not whole or len(of_words) > FEW_WORDS:
        return begun
    wanted = Wanted([whole], begun.language_id)
    sounding = WAYS[Way.SAME_SOUND](reader, wanted) if _may_sound_whole(reader, begun) else {}
    if several := _of_several_words(sounding.get(whole, ())):
        return begun._replace(found={whole: Found(Match.PHONETIC, closest_first(whole, several)), **of_words})
    if all(each.hits for each in of_words.values()):
        return begun
    if several := _of_several_words(WAYS[Way.FORM_BY_RULE](reader, wanted).get(whole, ())):
        return begun._replace(found={whole: Found(Match.INFLECTED, several), **of_words})
    near = tuple(_of_several_words(near_words(reader, whole, begun.language_id or None))[:MOST_SUGGESTIONS])
    return begun._replace(found={whole: Found(Match.NONE, [], near), **of_words}) if near else begun


def _of_several_words(hits: Iterable[FoundKey]) -> list[FoundKey]:
    return [hit for hit in hits if has_several_words(hit.text)]


def _take(
    reader: Reader, step: Step, wanted: Wanted, words: dict[int, WrittenWord], selection: Selection | None
) -> dict[str, Found]:
    """Take one step for some texts; words that it gathers as it finds them are added to `words`."""
    if step.way is Way.SAME_SPELLING:
        hits, gathered = gather_same_spelling(reader, wanted, selection)
        words |= gathered
    else:
        hits = WAYS[step.way](reader, wanted)
    match, in_any_order = MATCH_OF[step.way], step.way in IN_ANY_ORDER
    return {
        text: Found(match, closest_first(text, of_text) if in_any_order else of_text) for text, of_text in hits.items()
    }


def _answer(reader: Reader, begun: Begun) -> tuple[QueryWord, ...]:
    word_of = {**begun.words, **_gather(reader, begun)}
    few = len(begun.found) <= FEW_WORDS
    return tuple([_query_word(reader, text, each, word_of, begun, few=few) for text, each in begun.found.items()])


def _gather(reader: Reader, begun: Begun) -> dict[int, WrittenWord]:
    """Gather the words that were found and not yet gathered."""
    found = dict.fromkeys(hit.word_id for each in begun.found.values() for hit in each.hits)
    lacking = [word_id for word_id in found if word_id not in begun.words]
    return {word.id: word for word in entries.gather_written(reader, lacking, selection=begun.selection)}


def _query_word(  # noqa: PLR0913 (each tells of one thing: the text, what was found, for what, and among how many)
    reader: Reader, text: str, found: Found, word_of: dict[int, WrittenWord], begun: Begun, *, few: bool
) -> QueryWord:
    answered = [word_of[hit.word_id] for hit in found.hits if hit.word_id in word_of]
    nearly = few and found.match is Match.PHONETIC
    offered = suggestions(reader, text, found, answered, begun.language_id, nearly=nearly)
    return QueryWord(text, found.match, cut_words(WrittenWords(answered), begun.selection), offered)
