"""dic.php, wordsalpha.php and words_recent.php."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

import msgspec
from litestar.openapi.spec import Example
from litestar.params import QueryParameter

from abhidhan.dictionary.api.lookup import DictionaryAnswer
from abhidhan.dictionary.api.parameters import (
    CodedWordFieldsParam,
    DictionaryDep,
    LangsParam,
    TextLangsParam,
    WordFieldsParam,
)
from abhidhan.dictionary.model.encoded_words import CodedWord
from abhidhan.dictionary.model.field_selection import FieldParams
from abhidhan.dictionary.model.phrases import SimilarPhrase
from abhidhan.dictionary.service import browse, lookup
from abhidhan.dictionary.service.browse import AlphabetRange, RecentWord
from abhidhan.dictionary.service.lookup_lists import LanguageParam
from abhidhan.platform.http.parameters import (
    LANGUAGE_EXAMPLES,
    MAX_LIMIT,
    MAX_TEXT_LENGTH,
    LimitUpTo1000,
    build_text_examples,
)
from abhidhan.platform.http.public_reads import public_read
from abhidhan.records.timestamps import Timestamp, format_timestamp
from abhidhan.records.words import Word


class WordList(msgspec.Struct, frozen=True):
    """The data of `wordsalpha.php`. `next` is the `start` of the next page, null at the end."""

    words: Sequence[CodedWord]
    language_id: int
    count: int
    next: str | None


class AlphabetAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The response of `wordsalpha.php`."""

    success: Literal[True] = True
    data: WordList


class AddedWord(Word, frozen=True):
    """A word of `words_recent.php`, with the time it was added."""

    added: Timestamp

    @classmethod
    def of(cls, word: RecentWord) -> "AddedWord":
        """Convert a word, with a formatted time."""
        return cls(**(msgspec.structs.asdict(word) | {"added": format_timestamp(word.added)}))


class PhraseAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The response of `check-fj.php`. `found` is true if there are similar items."""

    success: Literal[True] = True
    phrase: str
    found: bool
    count: int
    similar_items: tuple[SimilarPhrase, ...]


class ListEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A value of a lookup list; some lists have more fields."""

    id: int
    value: str
    code: str | msgspec.UnsetType | None = msgspec.UNSET
    native_name: str | msgspec.UnsetType = msgspec.UNSET
    script: str | msgspec.UnsetType = msgspec.UNSET
    direction: str | msgspec.UnsetType = msgspec.UNSET
    parent_id: int | msgspec.UnsetType | None = msgspec.UNSET
    major: str | msgspec.UnsetType | None = msgspec.UNSET
    inverse_id: int | msgspec.UnsetType | None = msgspec.UNSET


class ListAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The response of `get-list.php`."""

    success: Literal[True] = True
    type: str
    data: tuple[ListEntry, ...]
    count: int


POS_EXAMPLES: Final = [
    Example(summary="by ID", value="1"),
    Example(summary="by code", value="N.com"),
]


@public_read("/api/dic.php", tags=["Look-up"], summary="Look up a word, or each word of a phrase")
async def look_up(
    dictionary: DictionaryDep,
    text: Annotated[
        str,
        QueryParameter(
            name="w",
            min_length=1,
            max_length=MAX_TEXT_LENGTH,
            description="A word or a phrase, in any script. Type in Roman letters to find Assamese words by sound.",
            examples=build_text_examples("পানী", "ৰঙা পানী", "xobdo"),
        ),
    ],
    language: Annotated[
        str,
        QueryParameter(
            name="l", description="The language of the words: its ID or code. 0: all.", examples=LANGUAGE_EXAMPLES
        ),
    ] = "0",
    fields: WordFieldsParam = None,
    langs: LangsParam = None,
) -> DictionaryAnswer:
    """Return one item for each word of the query, with the best kind of match that has results."""
    result = await lookup.look_up_query(dictionary, text, LanguageParam(language, "l"), FieldParams(fields, langs))
    return DictionaryAnswer.of(text, result)


@public_read("/api/wordsalpha.php", tags=["Browsing"], summary="List words alphabetically")
async def list_alphabetically(  # noqa: PLR0913, PLR0917  # this endpoint has seven query parameters
    dictionary: DictionaryDep,
    start: Annotated[
        str,
        QueryParameter(
            min_length=1,
            max_length=MAX_TEXT_LENGTH,
            description="The start of the list: a word, or the first letters of words.",
            examples=build_text_examples("ক", "পানী"),
        ),
    ],
    end: Annotated[
        str | None,
        QueryParameter(
            max_length=MAX_TEXT_LENGTH,
            description=(
                "The end of the list: a word, or the first letters of the last words. With `start=পানী`, `পানীzz` lists "
                "all words that begin with পানী."
            ),
            examples=build_text_examples("কি"),
        ),
    ] = None,
    language: Annotated[
        str,
        QueryParameter(
            name="l",
            description=(
                "The language of the words and of the alphabetical order. 0: chosen by the script of `start`."
            ),
            examples=LANGUAGE_EXAMPLES,
        ),
    ] = "0",
    pos: Annotated[
        str,
        QueryParameter(
            name="p",
            description="Only meanings of this part of speech: its ID or code in POS. `U`: those without one. 0: all.",
            examples=POS_EXAMPLES,
        ),
    ] = "0",
    lim: LimitUpTo1000 = 50,
    fields: CodedWordFieldsParam = None,
    langs: TextLangsParam = None,
) -> AlphabetAnswer:
    """List words in the alphabetical order of the language, in which ক্ষ comes after হ.

    As in XOBDO, `pos` is a short code here, with its name in `posDesc` and its ID in `posID`, and `text` describes each
    meaning in one line.
    """
    size, field_params = min(lim, MAX_LIMIT), FieldParams(fields, langs)
    alphabet_range, language_param = AlphabetRange(start, end), LanguageParam(language, "l")
    page = await dictionary.read_list(
        size, browse.list_coded_words, alphabet_range, size, language_param, pos, field_params
    )
    return AlphabetAnswer(data=WordList(page.items, page.language_id, len(page.items), page.next))


@public_read("/api/words_recent.php", tags=["Browsing"], summary="List the newest words")
async def list_recent(
    dictionary: DictionaryDep,
    limit: LimitUpTo1000 = 100,
    language: Annotated[
        str, QueryParameter(name="l", description="Only words of this language. 0: all.", examples=LANGUAGE_EXAMPLES)
    ] = "0",
) -> list[AddedWord]:
    """List the most recently added words, newest first."""
    size = min(limit, MAX_LIMIT)
    language_param = LanguageParam(language, "l")
    return await dictionary.read_list(size, browse.list_recent, language_param, size, convert=AddedWord.of)
