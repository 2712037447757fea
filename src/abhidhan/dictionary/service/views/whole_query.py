"""What a query is as a whole: a saying, words of one, or the meaning of words. It stands before what its words are."""

from collections.abc import Sequence
from typing import Final

import msgspec

from abhidhan.dictionary.model.phrases import Phrase, SimilarPhrase
from abhidhan.dictionary.service import phrases, proverbs
from abhidhan.dictionary.service.views.listings import Gloss, glosses, selection_of_glosses
from abhidhan.dictionary.store import definitions, word_rows
from abhidhan.platform.database.reader import Reader
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE
from assamese.keys import exact_key
from assamese.normalization import Script, query_words, script_of

MOST_WITH_WORDS: Final = 5
MOST_MEANT: Final = 6

LONGEST_SMALL_WORD: Final = 3
"""Roman words of so many letters are left out where nothing is defined with all words of a query."""


class WholeQuery(msgspec.Struct, frozen=True):
    """The sayings that a query is, others that have all its words, and words in whose definition all of them stand."""

    sayings: tuple[SimilarPhrase, ...] = ()
    with_words: tuple[Phrase, ...] = ()
    meant: tuple[Gloss, ...] = ()


NOTHING: Final = WholeQuery()


def read_whole_query(reader: Reader, text: str, mine: Sequence[int]) -> WholeQuery:
    """Read what a query is as a whole, for a reader of languages; of a word that is not there, only its proverbs."""
    words = query_words(text)
    if len(words) == 1:
        return WholeQuery(with_words=proverbs.find_by_meaning(reader, words[0], MOST_WITH_WORDS))
    sayings = phrases.find_sayings(reader, text)
    shown = {each.id for each in sayings}
    found = proverbs.find_by_words(reader, text, MOST_WITH_WORDS + len(shown))
    with_words = tuple(each for each in found if each.id not in shown)
    return WholeQuery(sayings, with_words[:MOST_WITH_WORDS], _meant(reader, words, mine))


def _tells_something(word: str) -> bool:
    """Say whether a word may be missed in a definition: "a", "of" and "the" stand in one or another."""
    return len(word) > LONGEST_SMALL_WORD or script_of(word) is not Script.LATIN


def _ideas_defined_with(reader: Reader, words: Sequence[str]) -> list[int]:
    keys = [exact_key(word) for word in words]
    return [each.idea_id for each in definitions.ideas_defined_with(reader, keys)][:MOST_MEANT]


def _meant(reader: Reader, words: tuple[str, ...], mine: Sequence[int]) -> tuple[Gloss, ...]:
    """Find the words in whose definition all words of the query stand: of each idea one, Assamese if there is any."""
    idea_ids = _ideas_defined_with(reader, words) or _ideas_defined_with(reader, [*filter(_tells_something, words)])
    word_of: dict[int, int] = {}
    for language_id in (ASSAMESE, ALL_LANGUAGES):
        for each in definitions.words_of_ideas(reader, idea_ids, language_id):
            word_of.setdefault(each.idea_id, each.word_id)
    word_ids = dict.fromkeys(word_of[idea_id] for idea_id in idea_ids if idea_id in word_of)
    languages = reader.catalogue.by_id
    found = word_rows.gather(reader, list(word_ids), selection=selection_of_glosses(mine))
    return glosses(reader, found, languages, mine)
