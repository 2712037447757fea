"""dic.php, wordsalpha.php and words_recent.php."""

from functools import partial
from typing import Annotated

from litestar import get
from litestar.params import QueryParameter

from abhidhan.domain.matching.cascade import Match, QueryWord
from abhidhan.services.dictionary import browse, lists, lookup
from abhidhan.services.dictionary.browse import Stretch
from abhidhan.storage.database import Reader
from abhidhan.web.arguments import (
    GREATEST_LIMIT,
    LANGUAGE_EXAMPLES,
    LONG_LIST,
    LONGEST_TEXT,
    GivenDatabase,
    LimitUpTo1000,
    text_examples,
)
from abhidhan.web.compat.shapes import AddedWord, AlphabetAnswer, DictionaryAnswer, DictionaryMetadata, WordList

API_VERSION = "1"
DOCUMENTATION = "/api/docs"


@get("/api/dic.php", tags=["Look-up"], summary="Look up a word, or each word of a phrase")
async def look_up(
    database: GivenDatabase,
    text: Annotated[
        str,
        QueryParameter(
            name="w",
            min_length=1,
            max_length=LONGEST_TEXT,
            description="A word or a phrase, in any script. Roman letters find Assamese words by their sound.",
            examples=text_examples("পানী", "ৰঙা পানী", "xobdo"),
        ),
    ],
    language: Annotated[
        str,
        QueryParameter(
            name="l", description="The language of the words: its ID or code. 0: all.", examples=LANGUAGE_EXAMPLES
        ),
    ] = "0",
) -> DictionaryAnswer:
    """Answer one item for each word of the query, found by the best class of match that finds anything."""
    quick = await database.read(partial(_look_up_quickly, text=text, language=language))
    if quick is not None:
        return quick
    return await database.read(partial(_look_up, text=text, language=language), long=True)


def _look_up_quickly(reader: Reader, text: str, language: str) -> DictionaryAnswer | None:
    language_id = lists.find_language_id(reader, "l", language)
    items = lookup.look_up_quickly(reader, text, language_id)
    return None if isinstance(items, lookup.Begun) else _show(reader, text, language_id, items)


def _look_up(reader: Reader, text: str, language: str) -> DictionaryAnswer:
    language_id = lists.find_language_id(reader, "l", language)
    return _show(reader, text, language_id, lookup.look_up(reader, text, language_id))


def _show(reader: Reader, text: str, language_id: int, items: tuple[QueryWord, ...]) -> DictionaryAnswer:
    metadata = DictionaryMetadata(
        version=API_VERSION,
        query=text,
        language_id=language_id,
        querywords=len(items),
        matches=sum(item.match is not Match.NONE for item in items),
        licence=reader.catalogue.licences,
        documentation=DOCUMENTATION,
    )
    return DictionaryAnswer(metadata, items)


@get("/api/wordsalpha.php", tags=["Browsing"], summary="List words alphabetically")
async def list_alphabetically(  # noqa: PLR0913, PLR0917  # the interface gives this address five parameters
    database: GivenDatabase,
    start: Annotated[
        str,
        QueryParameter(
            min_length=1,
            max_length=LONGEST_TEXT,
            description="Where the list begins: a word, or the letters that words begin with.",
            examples=text_examples("ক", "পানী"),
        ),
    ],
    end: Annotated[
        str | None,
        QueryParameter(
            max_length=LONGEST_TEXT,
            description="Where it ends: words that begin with these letters are the last.",
            examples=text_examples("কি"),
        ),
    ] = None,
    language: Annotated[
        str,
        QueryParameter(
            name="l",
            description="The language whose words and order are meant. Left out: by the script of `start`.",
            examples=LANGUAGE_EXAMPLES,
        ),
    ] = "0",
    pos: Annotated[
        int | None, QueryParameter(name="p", ge=1, description="Only meanings of this part of speech: an ID of POS.")
    ] = None,
    lim: LimitUpTo1000 = 50,
) -> AlphabetAnswer:
    """List words in the order of the language's own alphabet, where ক্ষ stands after হ."""
    most = min(lim, GREATEST_LIMIT)
    job = partial(_list_alphabetically, language=language, stretch=Stretch(start, end, pos_id=pos), most=most)
    return await database.read(job, long=most > LONG_LIST)


def _list_alphabetically(reader: Reader, language: str, stretch: Stretch, most: int) -> AlphabetAnswer:
    language_id = lists.find_language_id(reader, "l", language)
    lists.check_part_of_speech(reader, "p", stretch.pos_id)
    found = browse.list_alphabetically(reader, stretch.in_language(language_id), most)
    return AlphabetAnswer(data=WordList(found.words, found.language_id, len(found.words), found.next))


@get("/api/words_recent.php", tags=["Browsing"], summary="List the newest words")
async def list_recent(
    database: GivenDatabase,
    limit: LimitUpTo1000 = 100,
    language: Annotated[
        str, QueryParameter(name="l", description="Only words of this language. 0: all.", examples=LANGUAGE_EXAMPLES)
    ] = "0",
) -> list[AddedWord]:
    """List the words added last, newest first."""
    most = min(limit, GREATEST_LIMIT)
    return await database.read(partial(_list_recent, language=language, most=most), long=most > LONG_LIST)


def _list_recent(reader: Reader, language: str, most: int) -> list[AddedWord]:
    language_id = lists.find_language_id(reader, "l", language)
    return [AddedWord.of(word) for word in browse.list_recent(reader, language_id, most)]
