"""What an assistant can ask: a table of tools, each with what it takes and how it answers; nothing of the protocol."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Generic, TypeVar

import msgspec

from abhidhan.domain.briefs import BriefWord, brief_word
from abhidhan.domain.local_texts import LocalText
from abhidhan.domain.matching.cascade import QueryWord
from abhidhan.domain.matching.query import MOST_QUERY_WORDS
from abhidhan.domain.phrases import ListedPhrase, SimilarPhrase
from abhidhan.domain.script import Alternatives, Direction
from abhidhan.domain.selection import Choice
from abhidhan.domain.text.normal import query_words
from abhidhan.domain.text.romanize import Scheme
from abhidhan.errors import InputError, sentence
from abhidhan.services.dictionary.facade import Dictionary
from abhidhan.services.dictionary.questions import LanguageName, SearchRequest
from abhidhan.web.arguments import LONGEST_PASSAGE, LONGEST_PHRASE, LONGEST_TEXT
from abhidhan.web.edge.query import CONTROL_CHARACTERS, clean_lines, clean_text

MOST_FOUND: Final = 20
MOST_ENTRIES: Final = 5
MOST_PROVERBS: Final = 10
"""Maximum number of words in an answer, of entries of one word of a query, and of proverbs."""

Given = TypeVar("Given", bound=msgspec.Struct)

Language = Annotated[str, msgspec.Meta(description="Only words of this language, by its BCP 47 code; 0: all.")]
Langs = Annotated[
    str,
    msgspec.Meta(
        max_length=LONGEST_TEXT,
        description="Definitions and translations in these languages: BCP 47 codes with commas between; 0: all.",
    ),
]
MEANT_IN: Final = "as,en"
"""The languages in which words are explained where a call names none."""


# --- what is asked, and what is answered ------------------------------------------------------------------------------


class LookUp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the tool takes that looks words up."""

    text: Annotated[
        str, msgspec.Meta(min_length=1, max_length=LONGEST_TEXT, description="A word or a phrase, in any script.")
    ]
    language: Language = "0"
    langs: Langs = MEANT_IN


class Search(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the tool takes that searches."""

    text: Annotated[
        str, msgspec.Meta(min_length=1, max_length=LONGEST_TEXT, description="What to search for, in any script.")
    ]
    language: Language = "0"
    langs: Langs = MEANT_IN
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_FOUND, description="How many words to answer.")] = 10


class Transliterate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the tool takes that writes in another script."""

    text: Annotated[
        str,
        msgspec.Meta(
            min_length=1,
            max_length=LONGEST_PASSAGE,
            description="Assamese text (at most 5,000 characters), or Roman (at most 500).",
        ),
    ]
    direction: Annotated[
        Direction | None, msgspec.Meta(description="Which way to write; left out: into the other script.")
    ] = None
    scheme: Annotated[Scheme, msgspec.Meta(description="How Roman letters are used.")] = Scheme.XOBDO


class FindProverbs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the tool takes that finds proverbs."""

    text: Annotated[
        str,
        msgspec.Meta(
            min_length=1,
            max_length=LONGEST_PHRASE,
            description="A saying as somebody remembers it, or words that stand in it or in its meaning.",
        ),
    ]
    language: Annotated[str, msgspec.Meta(description="The language of the proverb, by its BCP 47 code.")] = "as"
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_PROVERBS, description="How many proverbs to answer.")] = 5


class Today(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the tool takes that tells the word of the day."""

    langs: Langs = MEANT_IN


class FoundItem(msgspec.Struct, frozen=True, omit_defaults=True):
    """One word of a query: how it was found, and as what. `more` is how many entries are left out."""

    text: str
    match: str
    entries: tuple[BriefWord, ...] = ()
    more: int = 0
    suggestions: tuple[str, ...] = ()


class LookedUpAnswer(msgspec.Struct, frozen=True):
    """What was found for each word of a query."""

    found: tuple[FoundItem, ...]
    licence: str


class SearchAnswer(msgspec.Struct, frozen=True):
    """The words that a search found, the best first."""

    words: tuple[BriefWord, ...]


class ProverbAnswer(msgspec.Struct, frozen=True):
    """Proverbs that are like a saying, and others that have its words."""

    similar: tuple[SimilarPhrase, ...]
    with_these_words: tuple["Proverb", ...]


class Proverb(msgspec.Struct, frozen=True):
    """A proverb or idiom, without the entries of its words."""

    id: int
    phrase: str
    roman: str | None
    meaning: str | None
    meanings: tuple[LocalText, ...]

    @classmethod
    def of(cls, phrase: ListedPhrase) -> "Proverb":
        """Return a proverb in brief."""
        return cls(phrase.id, phrase.phrase, phrase.roman, phrase.meaning, phrase.meanings)


class TransliterationAnswer(msgspec.Struct, frozen=True):
    """A text in the other script, and other readings of its words."""

    output: str
    direction: Direction
    alternatives: tuple[Alternatives, ...]


class TodayAnswer(msgspec.Struct, frozen=True):
    """The word and the proverb of the day."""

    date: str
    word: BriefWord | None
    proverb: Proverb | None


# --- how it is answered -----------------------------------------------------------------------------------------------


async def look_up(dictionary: Dictionary, asked: LookUp) -> LookedUpAnswer:
    """Look up each word of a query."""
    text = _cleaned(asked.text)
    found = await dictionary.look_up(text, LanguageName(asked.language), Choice(langs=asked.langs))
    codes, left, items = await _codes(dictionary), MOST_FOUND, []
    for item in found.items:
        items.append(_found_item(item, codes, min(left, MOST_ENTRIES)))
        left -= len(items[-1].entries)
    return LookedUpAnswer(tuple(items), found.licences)


def _found_item(item: QueryWord, codes: Mapping[int, str], most: int) -> FoundItem:
    entries = tuple(brief_word(word, codes) for word in item.entries[:most])
    suggestions = tuple(f"{each.word} ({codes[each.language_id]})" for each in item.suggestions)
    return FoundItem(item.queryword, item.match, entries, len(item.entries) - len(entries), suggestions)


async def search(dictionary: Dictionary, asked: Search) -> SearchAnswer:
    """Search words in every way."""
    request = SearchRequest(_cleaned(asked.text), LanguageName(asked.language), asked.limit)
    found = await dictionary.search(request, Choice(langs=asked.langs))
    codes = await _codes(dictionary)
    return SearchAnswer(tuple(brief_word(word, codes) for word in found.words))


async def transliterate(dictionary: Dictionary, asked: Transliterate) -> TransliterationAnswer:
    """Write a text in the other script."""
    made = await dictionary.transliterate(_cleaned(asked.text, clean_lines), asked.direction, asked.scheme)
    return TransliterationAnswer(made.output, made.direction, made.alternatives)


async def find_proverbs(dictionary: Dictionary, asked: FindProverbs) -> ProverbAnswer:
    """Find proverbs like a saying, and those that have its words, where it has few enough."""
    text, language = _cleaned(asked.text), LanguageName(asked.language)
    similar = await dictionary.similar_phrases(text, language, limit=asked.limit)
    known = {each.id for each in similar}
    with_words: tuple[ListedPhrase, ...] = ()
    if len(query_words(text)) <= MOST_QUERY_WORDS:
        with_words = (await dictionary.list_phrases(text, language, "", asked.limit, 0)).phrases
    return ProverbAnswer(similar, tuple(Proverb.of(each) for each in with_words if each.id not in known))


async def tell_today(dictionary: Dictionary, asked: Today) -> TodayAnswer:
    """Return the word and the proverb of the day."""
    day = await dictionary.day("")
    word = None
    if day.word is not None:
        listed = await dictionary.list_by_id([day.word.id], Choice(langs=asked.langs))
        codes = await _codes(dictionary)
        word = next((brief_word(each, codes) for each in listed.words), None)
    return TodayAnswer(day.date, word, Proverb.of(day.phrase) if day.phrase else None)


async def _codes(dictionary: Dictionary) -> dict[int, str]:
    return {language.id: language.code for language in (await dictionary.catalogue()).languages}


def _cleaned(text: str, clean: Callable[[str], str] = clean_text) -> str:
    """Clean a text as a query is cleaned. Raises InputError."""
    if CONTROL_CHARACTERS.search(text):
        raise InputError.of("text", sentence("`%(parameter)s` must not contain control characters.", parameter="text"))
    cleaned = clean(text)
    if not cleaned:
        raise InputError.of("text", sentence("`%(parameter)s` is missing.", parameter="text"))
    return cleaned


# --- the table --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tool(Generic[Given]):
    """A tool: its name, what it is for, what it takes, and how it answers."""

    name: str
    title: str
    description: str
    takes: type[Given]
    answer: Callable[[Dictionary, Given], Awaitable[msgspec.Struct]]

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of what it takes."""
        _, shapes = msgspec.json.schema_components([self.takes], ref_template="#/$defs/{name}")
        own = shapes.pop(self.takes.__name__)
        return {**own, "$defs": shapes} if shapes else own

    async def call(self, dictionary: Dictionary, arguments: Mapping[str, object]) -> msgspec.Struct:
        """Answer a call. Raises InputError for arguments that the tool does not take, and what the answer raises."""
        try:
            asked = msgspec.convert(arguments, self.takes)
        except msgspec.ValidationError as error:
            raise InputError.of(_name_in(str(error)), f"{error}. See the tool's schema for what it takes.") from None
        return await self.answer(dictionary, asked)


def _name_in(message: str) -> str:
    found = re.search(r"`\$\.(\w+)|field `(\w+)`", message)
    return (found[1] or found[2]) if found else "arguments"


TOOLS: Final[Mapping[str, Tool[Any]]] = {
    tool.name: tool
    for tool in (
        Tool(
            "look_up",
            "Look up words",
            "Look up a word or a phrase in the dictionary of Assamese and the languages around it: meanings, "
            "translations, pronunciation, examples. Roman letters find Assamese words by their sound (`xobdo`). "
            "`match` tells how a word was found; one that is not there has near spellings in `suggestions`. The "
            "entries of a `compound` are those of the words it is joined of.",
            LookUp,
            look_up,
        ),
        Tool(
            "search",
            "Search words",
            "Search words of all languages: by spelling, by sound, with slips forgiven, and in definitions. For the "
            "Assamese of an English word, look the English one up and read its translations.",
            Search,
            search,
        ),
        Tool(
            "transliterate",
            "Write in the other script",
            "Write Assamese in Roman letters, or Roman letters in Assamese, with other readings of each word.",
            Transliterate,
            transliterate,
        ),
        Tool(
            "proverb",
            "Find proverbs",
            "Find Assamese proverbs and idioms (fokora-jojona) like a saying, or with given words, and what they mean.",
            FindProverbs,
            find_proverbs,
        ),
        Tool(
            "today",
            "The word of the day",
            "Read the word and the proverb of the day, the same for everybody.",
            Today,
            tell_today,
        ),
    )
}
