"""dic.php, wordsalpha.php and words_recent.php."""

from typing import Annotated

from litestar import get
from litestar.params import QueryParameter

from abhidhan.domain.selection import Choice
from abhidhan.services.dictionary.browse import Stretch
from abhidhan.services.dictionary.questions import LanguageName
from abhidhan.web.arguments import (
    GREATEST_LIMIT,
    LANGUAGE_EXAMPLES,
    LONGEST_TEXT,
    FieldsOfWords,
    GivenDictionary,
    Langs,
    LimitUpTo1000,
    text_examples,
)
from abhidhan.web.compat.shapes import AddedWord, AlphabetAnswer, WordList
from abhidhan.web.lookups import DictionaryAnswer


@get("/api/dic.php", tags=["Look-up"], summary="Look up a word, or each word of a phrase")
async def look_up(
    dictionary: GivenDictionary,
    text: Annotated[
        str,
        QueryParameter(
            name="w",
            min_length=1,
            max_length=LONGEST_TEXT,
            description="A word or a phrase, in any script. Type in Roman letters to find Assamese words by sound.",
            examples=text_examples("পানী", "ৰঙা পানী", "xobdo"),
        ),
    ],
    language: Annotated[
        str,
        QueryParameter(
            name="l", description="The language of the words: its ID or code. 0: all.", examples=LANGUAGE_EXAMPLES
        ),
    ] = "0",
    fields: FieldsOfWords = None,
    langs: Langs = None,
) -> DictionaryAnswer:
    """Return one item for each word of the query, with the best kind of match that finds anything."""
    found = await dictionary.look_up(text, LanguageName(language, "l"), Choice(fields, langs))
    return DictionaryAnswer.of(text, found)


@get("/api/wordsalpha.php", tags=["Browsing"], summary="List words alphabetically")
async def list_alphabetically(  # noqa: PLR0913, PLR0917  # the interface gives this address seven parameters
    dictionary: GivenDictionary,
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
            description="Where it ends: words that begin with these letters are the last. They may have the tail `zz`.",
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
    fields: FieldsOfWords = None,
    langs: Langs = None,
) -> AlphabetAnswer:
    """List words in the order of the language's own alphabet, in which ক্ষ comes after হ."""
    stretch, most = Stretch(start, end, pos_id=pos), min(lim, GREATEST_LIMIT)
    found = await dictionary.list_alphabetically(stretch, LanguageName(language, "l"), most, Choice(fields, langs))
    return AlphabetAnswer(data=WordList(found.words, found.language_id, len(found.words), found.next))


@get("/api/words_recent.php", tags=["Browsing"], summary="List the newest words")
async def list_recent(
    dictionary: GivenDictionary,
    limit: LimitUpTo1000 = 100,
    language: Annotated[
        str, QueryParameter(name="l", description="Only words of this language. 0: all.", examples=LANGUAGE_EXAMPLES)
    ] = "0",
) -> list[AddedWord]:
    """List the most recently added words, newest first."""
    greatest = min(limit, GREATEST_LIMIT)
    return await dictionary.list_recent(LanguageName(language, "l"), greatest, shape=AddedWord.of)
