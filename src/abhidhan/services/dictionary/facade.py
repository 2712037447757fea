"""The one door to reading. It knows what is read at once, on the event loop, and what in a thread; callers need not."""

from asyncio import Semaphore
from collections.abc import Callable, Iterable, Sequence
from random import Random, SystemRandom
from typing import Concatenate, Final, NamedTuple, ParamSpec, TypeVar

from abhidhan.domain.articles import Article
from abhidhan.domain.cards import Card, CardSet
from abhidhan.domain.catalogue import Catalogue
from abhidhan.domain.changes import FollowedChanges
from abhidhan.domain.ideas import Idea
from abhidhan.domain.languages import ALL_LANGUAGES, ASSAMESE, Language
from abhidhan.domain.lists import ListName
from abhidhan.domain.matching.cascade import QueryWord
from abhidhan.domain.matching.wildcards import Signs
from abhidhan.domain.phrases import ListedPhrase, SimilarPhrase
from abhidhan.domain.script import Direction, Transliteration
from abhidhan.domain.selection import ALL, LANGS, Choice
from abhidhan.domain.text.romanize import Scheme
from abhidhan.domain.words import DetailedSuggestion, Word
from abhidhan.errors import InputError, UnavailableError, sentence
from abhidhan.services.articles import Encyclopedia
from abhidhan.services.dictionary import (
    browse,
    cards,
    changes,
    completions,
    contexts,
    drawing,
    field_search,
    idea_lists,
    lists,
    lookup,
    phrase_lists,
    phrases,
    script,
    sitemap,
)
from abhidhan.services.dictionary.browse import AlphabeticalList, RecentWord, Stretch, WordPage
from abhidhan.services.dictionary.contexts import Branch
from abhidhan.services.dictionary.daily import Calendar, Day, RecentDays
from abhidhan.services.dictionary.field_search import Asked, Found
from abhidhan.services.dictionary.field_search import Begun as BegunSearch
from abhidhan.services.dictionary.idea_lists import IdeaPage
from abhidhan.services.dictionary.lists import CountedLanguage
from abhidhan.services.dictionary.lookup import Begun
from abhidhan.services.dictionary.named_fields import Translate
from abhidhan.services.dictionary.phrase_lists import PhrasePage
from abhidhan.services.dictionary.selection import read_selection_of_ideas, read_selection_of_words
from abhidhan.services.dictionary.views import about, discover, entry, ideas, proverbs, results
from abhidhan.services.dictionary.views.about import AboutPage
from abhidhan.services.dictionary.views.discover import BrowsePage, ContextPage, RecentPage
from abhidhan.services.dictionary.views.entry import EntryPage, FirstPage
from abhidhan.services.dictionary.views.ideas import ShownIdea
from abhidhan.services.dictionary.views.proverbs import FoundProverbs, ProverbsPage
from abhidhan.services.dictionary.views.results import SearchPage
from abhidhan.storage.engine.database import Database
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.idea_lists import IdeaFilter

T = TypeVar("T")
P = ParamSpec("P")
Job = Callable[Concatenate[Reader, P], T]
"""Something that reads, and what it takes beside the reader."""

LONG_LIST: Final = 10
"""Lists longer than this are read in a thread: a word takes a tenth of a millisecond, and no other request waits."""

QUERIES_AT_ONCE: Final = 10
"""How many queries one turn of a thread looks up: where nothing is spelled so, each takes several milliseconds."""

MOST_FIRST: Final = 10
"""How many languages may come first in suggestions."""

MOST_GOING_ON: Final = 8
"""So many searches with wildcards may be going on or wait for that: the last waits a quarter of a minute at most."""

RETRY_SEARCH: Final = 10

RETRY_WITHOUT_ENCYCLOPEDIA: Final = 86_400


class LanguageName(NamedTuple):
    """A language as a request names it, by ID or code (0: all), and the parameter that errors about it tell of."""

    name: str
    parameter: str = "language"


EVERY_LANGUAGE: Final = LanguageName("0")


class SearchRequest(NamedTuple):
    """What a request searches: a text, which may hold fields, and with `wildcards` is a pattern where it has signs."""

    text: str
    language: LanguageName = EVERY_LANGUAGE
    limit: int = 20
    fuzzy: bool = True
    wildcards: Signs = Signs.NOWHERE


class LookedUp(NamedTuple):
    """What a look-up answers: the language asked for, the items, and the licences of the data."""

    language_id: int
    items: tuple[QueryWord, ...]
    licences: str


class WordInSetting(NamedTuple):
    """A word, and what stands round it: the languages, by ID, and the licences of the data."""

    word: Word
    languages: dict[int, Language]
    licences: str


class Dictionary:
    """All that anybody reads of the dictionary. Each method is one question, and sees the data of one moment."""

    def __init__(
        self, database: Database, encyclopedia: Encyclopedia | None = None, translate: Translate = str
    ) -> None:
        """Read from a database, and articles from an encyclopedia, if there is one.

        `translate` says the names of lists and languages as some readers write them, too.
        """
        self._database = database
        self._translate = translate
        self._one_goes_on, self._going_on = Semaphore(1), 0
        self._encyclopedia = encyclopedia
        self._calendar = Calendar(database)
        self._lot = SystemRandom()

    async def _at_once(self, job: Job[P, T], *args: P.args, **rest: P.kwargs) -> T:
        """Read something short: on SQLite on the event loop."""
        return await self._database.read(lambda reader: job(reader, *args, **rest))

    async def _promptly(self, job: Job[P, T], *args: P.args, **rest: P.kwargs) -> T:
        """Read by a few short statements: on the event loop on either engine."""
        return await self._database.read_promptly(lambda reader: job(reader, *args, **rest))

    async def _aside(self, job: Job[P, T], *args: P.args, **rest: P.kwargs) -> T:
        """Read something long in a thread."""
        return await self._database.read(lambda reader: job(reader, *args, **rest), long=True)

    async def _list(self, limit: int, job: Job[P, T], *args: P.args, **rest: P.kwargs) -> T:
        """Read a list of at most `limit` words."""
        return await self._database.read(lambda reader: job(reader, *args, **rest), long=limit > LONG_LIST)

    # --- words -------------------------------------------------------------------------------------------------------

    async def look_up(self, query: str, language: LanguageName = EVERY_LANGUAGE, choice: Choice = ALL) -> LookedUp:
        """Look up each word of a query. Raises InputError."""
        quick = await self._promptly(_look_up_quickly, query, language, choice)
        return quick if isinstance(quick, LookedUp) else await self._aside(_look_up_the_rest, quick)

    async def look_up_each(
        self, queries: Sequence[str], language: LanguageName = EVERY_LANGUAGE, choice: Choice = ALL
    ) -> list[LookedUp]:
        """Look up several queries, each as `look_up` does. Raises InputError.

        They are taken some at a time, each time at its own moment, so that others who wait for a thread get one.
        """
        lookup.check_queries(queries)
        different = list(dict.fromkeys(queries))
        found: list[LookedUp] = []
        for start in range(0, len(different), QUERIES_AT_ONCE):
            some = different[start : start + QUERIES_AT_ONCE]
            found += await self._aside(_look_up_each, some, language, choice)
        of_query = dict(zip(different, found, strict=True))
        return [of_query[query] for query in queries]

    async def search(self, query: SearchRequest, choice: Choice = ALL) -> Found:
        """Search words in every way, by fields, and by a pattern with wildcards. Raises InputError.

        What is not done at once goes on in short turns of a thread, one search at a time, so that no number of patterns
        keeps others waiting.
        """
        found = await self._aside(_begin_search, query, choice, self._translate)
        if isinstance(found, Found):
            return found
        return await self._search_on(found)

    async def _search_on(self, begun: BegunSearch) -> Found:
        """Go on with a search, when those are done that have begun before. Raises UnavailableError."""
        if self._going_on >= MOST_GOING_ON:
            raise UnavailableError(
                sentence("Many long searches with wildcards are running. Please try again soon."), RETRY_SEARCH
            )
        self._going_on += 1
        try:
            async with self._one_goes_on:
                found: Found | BegunSearch = begun
                while isinstance(found, BegunSearch):
                    found = await self._aside(field_search.go_on, found)
                return found
        finally:
            self._going_on -= 1

    async def search_page(self, text: str) -> SearchPage | None:
        """Read what the page of a search with fields or wildcards shows; None where the text is to be looked up.

        What is wrong with the text is told on the page, and not raised.
        """
        if await self._at_once(results.is_to_be_looked_up, text):
            return None
        request = SearchRequest(text, limit=results.WORDS_ON_A_PAGE + 1, wildcards=Signs.AS_TYPED)
        try:
            found = await self.search(request)
        except InputError as error:
            return results.page_of_error(text, error)
        return await self._at_once(results.read_page, text, found)

    async def suggest(
        self, text: str, language: LanguageName = EVERY_LANGUAGE, *, limit: int, first: str = ""
    ) -> tuple[str, ...]:
        """Suggest headwords as someone types, those of the languages that `first` names before others.

        Raises InputError.
        """
        if first:
            return await self._aside(_suggest_first, text, language, limit, first)
        return await self._at_once(_suggest, text, language, limit)

    async def suggest_in_detail(
        self, text: str, language: LanguageName = EVERY_LANGUAGE, *, limit: int, first: str = ""
    ) -> tuple[DetailedSuggestion, ...]:
        """Suggest the same headwords, each with what it means. Raises InputError."""
        return await self._aside(_suggest_in_detail, text, language, limit, first)

    async def list_alphabetically(
        self, stretch: Stretch, language: LanguageName, limit: int, choice: Choice = ALL
    ) -> AlphabeticalList:
        """List words in the order of a language's alphabet. Raises InputError."""
        return await self._list(limit, _list_alphabetically, stretch, language, limit, choice)

    async def list_recent(self, language: LanguageName, limit: int, *, shape: Callable[[RecentWord], T]) -> list[T]:
        """List the words added last, each as `shape` shows it, which runs where they are read. Raises InputError."""
        return await self._list(limit, _list_recent, language, limit, shape)

    async def list_page(
        self, prefix: str | None, language: LanguageName, limit: int, offset: int, choice: Choice = ALL
    ) -> WordPage:
        """List a page of all words, or of those that begin with `prefix`. Raises InputError."""
        return await self._aside(_list_page, prefix, language, limit, offset, choice)

    async def list_by_id(self, word_ids: Sequence[int], choice: Choice = ALL) -> WordPage:
        """List words by their IDs; unknown ones are left out. Raises InputError."""
        return await self._list(len(word_ids), _list_by_id, word_ids, choice)

    async def word(self, word_id: int, choice: Choice = ALL) -> Word:
        """Read one word. Raises NotFoundError, InputError."""
        return await self._promptly(_word, word_id, choice)

    async def word_in_setting(self, word_id: int, choice: Choice = ALL) -> WordInSetting:
        """Read one word with the languages and licences. Raises NotFoundError, InputError."""
        return await self._promptly(_word_in_setting, word_id, choice)

    async def idea(self, idea_id: int, choice: Choice = ALL) -> Idea:
        """Read one idea. Raises NotFoundError, InputError."""
        return await self._promptly(_idea, idea_id, choice)

    async def changes(self, since: str | None, limit: int) -> FollowedChanges:
        """List what has changed since a token; without one, the token of now. Raises InputError, GoneError."""
        return await self._list(limit, changes.list_changes, since, limit)

    async def list_ideas(  # noqa: PLR0913, PLR0917  # each is one parameter of the address
        self, context: str, pos: str, language: LanguageName, limit: int, offset: int, choice: Choice = ALL
    ) -> IdeaPage:
        """List a page of ideas: all, or those of a context and those below, a part of speech, a language.

        Raises InputError.
        """
        return await self._aside(_list_ideas, context, pos, language, limit, offset, choice)

    async def random_word(self, language: LanguageName = EVERY_LANGUAGE) -> Word:
        """Draw a word that has a meaning. Raises InputError and NotFoundError."""
        return await self._at_once(_draw_word, language, self._lot)

    # --- proverbs, script, articles, cards, lists --------------------------------------------------------------------

    async def similar_phrases(
        self, text: str, language: LanguageName = EVERY_LANGUAGE, *, limit: int
    ) -> tuple[SimilarPhrase, ...]:
        """Find the proverbs that are like a phrase; those of no named language are Assamese. Raises InputError."""
        return await self._aside(_similar_phrases, text, language, limit)

    async def list_phrases(
        self, query: str, language: LanguageName, category: str, limit: int, offset: int
    ) -> PhrasePage:
        """List a page of proverbs and idioms: all, or those with the words of a query. Raises InputError."""
        return await self._aside(_list_phrases, query, language, category, limit, offset)

    async def phrase(self, phrase_id: int) -> ListedPhrase:
        """Read one proverb or idiom. Raises NotFoundError."""
        return await self._aside(phrase_lists.show_phrase, phrase_id)

    async def day(self, date: str) -> Day:
        """Read the word and the proverb of a day; of today for no date. Raises InputError and NotFoundError."""
        return await self._calendar.on(date)

    async def recent_days(self) -> RecentDays:
        """Read the words and proverbs of the last days. Raises NotFoundError."""
        return await self._calendar.recent()

    async def transliterate(self, text: str, direction: Direction | None, scheme: Scheme) -> Transliteration:
        """Write a text in the other script. Raises InputError."""
        return await self._aside(script.transliterate, text, direction, scheme)

    async def article(self, language_id: int, title: str) -> Article:
        """Show the introduction of an encyclopedia article. Raises UnavailableError."""
        if self._encyclopedia is None:
            raise UnavailableError("This server has no encyclopedia.", RETRY_WITHOUT_ENCYCLOPEDIA)
        return await self._encyclopedia.show(language_id, title)

    async def card_sets(self) -> tuple[CardSet, ...]:
        """List the sets of flashcards."""
        return await self._at_once(cards.card_sets)

    async def cards_of(self, set_id: int) -> tuple[Card, ...]:
        """Read the flashcards of a set. Raises NotFoundError."""
        return await self._at_once(cards.cards_of, set_id)

    async def languages(self) -> tuple[CountedLanguage, ...]:
        """List the languages with the numbers of their words."""
        return await self._at_once(lists.list_languages)

    async def catalogue(self) -> Catalogue:
        """Read the languages, lists and sources."""
        return await self._at_once(_catalogue)

    async def contexts(self) -> tuple[Branch, ...]:
        """Read the tree of contexts under which there are ideas."""
        return await self._at_once(contexts.read_tree)

    async def count_sitemap_files(self) -> int:
        """Return how many files of a sitemap the words fill."""
        return await self._at_once(sitemap.count_files)

    async def sitemap_file(self, number: int, *, shape: Callable[[Iterable[tuple[str, int]]], T]) -> T:
        """Write a file of a sitemap by `shape`, which runs where the words are read. Raises NotFoundError."""
        return await self._aside(_sitemap_file, number, shape)

    # --- what pages show, all of it in one reading -------------------------------------------------------------------

    async def entry_page(self, text: str) -> EntryPage:
        """Read everything that the page of a word shows. Raises InputError."""
        if not self._database.is_sqlite:
            return await self._aside(entry.read_entry_page, text)
        quick = await self._at_once(entry.read_entry_page_quickly, text)
        return await self._aside(entry.read_the_rest, quick) if isinstance(quick, Begun) else quick

    async def first_page(self) -> FirstPage:
        """Read what the first page shows."""
        return await self._at_once(entry.read_first_page)

    async def browse_page(self, language: LanguageName, start: str) -> BrowsePage:
        """Read a page of a language's words, from `start` on. Raises InputError."""
        return await self._aside(discover.read_browse_page, language.name, start)

    async def context_page(self, name: str, start: int) -> ContextPage:
        """Read a page of a context's ideas. Raises NotFoundError."""
        return await self._aside(discover.read_context_page, name, start)

    async def recent_page(self, language: LanguageName, limit: int) -> RecentPage:
        """Read the newest words, each with what it means. Raises InputError."""
        return await self._aside(discover.read_recent_page, language.name, limit)

    async def proverbs_page(self, query: str, language: LanguageName, category: int, start: str) -> ProverbsPage:
        """Read proverbs like a saying, and a page of a language and category. Raises InputError."""
        return await self._aside(proverbs.read_proverbs_page, query, language.name, category, start)

    async def proverbs_to_edit(self, query: str, start: str) -> FoundProverbs:
        """Read proverbs for whoever looks for one to edit."""
        return await self._aside(proverbs.read_proverbs_to_edit, query, start)

    async def about_page(self) -> AboutPage:
        """Read what the dictionary holds, and where it is from."""
        return await self._aside(about.read_about_page)

    async def shown_idea(self, number: str) -> ShownIdea | None:
        """Read an idea by what stands in a field; None when it names none."""
        return await self._at_once(ideas.read_idea, number)

    async def first_idea_of_word(self, word_id: int) -> ShownIdea | None:
        """Read the first idea of a word; None when there is none."""
        return await self._at_once(ideas.first_idea_of_word, word_id)

    async def ideas_of_words(self, idea_id: int | None, word_ids: list[int], limit: int) -> list[ShownIdea]:
        """Read an idea, and those of some words."""
        return await self._aside(ideas.ideas_of_words, idea_id, word_ids, limit)

    async def find_ideas(self, query: str, besides: int, limit: int) -> tuple[ShownIdea, ...]:
        """Find ideas by a word of any language, beside one."""
        return await self._aside(ideas.find_ideas, query, besides, limit)

    async def words_of_ideas(self, idea_ids: list[int]) -> dict[int, list[str]]:
        """Read the spellings of the words of each idea."""
        return await self._at_once(ideas.words_of_ideas, idea_ids)


# --- jobs: the language that a request names, and what is asked of it -----------------------------------------------


def _language_id(reader: Reader, language: LanguageName) -> int:
    return lists.find_language_id(reader, language.parameter, language.name)


def _look_up_quickly(reader: Reader, query: str, language: LanguageName, choice: Choice) -> LookedUp | Begun:
    language_id = _language_id(reader, language)
    selection = read_selection_of_words(reader, choice)
    items = lookup.look_up_quickly(reader, query, language_id, selection)
    return items if isinstance(items, Begun) else LookedUp(language_id, items, reader.catalogue.licences)


def _look_up_the_rest(reader: Reader, begun: Begun) -> LookedUp:
    items = lookup.look_up_the_rest(reader, begun)
    return LookedUp(begun.language_id, items, reader.catalogue.licences)


def _look_up_each(reader: Reader, queries: list[str], language: LanguageName, choice: Choice) -> list[LookedUp]:
    begun = (_look_up_quickly(reader, query, language, choice) for query in queries)
    return [each if isinstance(each, LookedUp) else _look_up_the_rest(reader, each) for each in begun]


def _begin_search(reader: Reader, query: SearchRequest, choice: Choice, translate: Translate) -> Found | BegunSearch:
    language_id, selection = _language_id(reader, query.language), read_selection_of_words(reader, choice)
    asked = Asked(query.text, language_id, query.fuzzy, query.limit, query.wildcards, selection)
    return field_search.begin(reader, asked, translate)


def _suggest(reader: Reader, text: str, language: LanguageName, limit: int) -> tuple[str, ...]:
    return completions.suggest(reader, text, _language_id(reader, language) or None, limit)


def _languages_first(reader: Reader, names: str) -> tuple[int, ...]:
    """Find the languages whose words come first; all of them (0) are no language that comes before others."""
    found = lists.find_language_ids(reader, LANGS, names, MOST_FIRST) if names else ()
    return tuple(language_id for language_id in found if language_id != ALL_LANGUAGES)


def _suggest_first(reader: Reader, text: str, language: LanguageName, limit: int, first: str) -> tuple[str, ...]:
    languages = _languages_first(reader, first)
    found = completions.suggest_first(reader, text, _language_id(reader, language) or None, limit, languages)
    return tuple(each.text for each in found)


def _suggest_in_detail(
    reader: Reader, text: str, language: LanguageName, limit: int, first: str
) -> tuple[DetailedSuggestion, ...]:
    languages = _languages_first(reader, first)
    return completions.suggest_in_detail(reader, text, _language_id(reader, language) or None, limit, languages)


def _list_alphabetically(
    reader: Reader, stretch: Stretch, language: LanguageName, limit: int, choice: Choice
) -> AlphabeticalList:
    language_id = _language_id(reader, language)
    lists.check_part_of_speech(reader, "p", stretch.pos_id)
    selection = read_selection_of_words(reader, choice)
    return browse.list_alphabetically(reader, stretch.in_language(language_id), limit, selection)


def _list_recent(reader: Reader, language: LanguageName, limit: int, shape: Callable[[RecentWord], T]) -> list[T]:
    return [shape(word) for word in browse.list_recent(reader, _language_id(reader, language), limit)]


def _list_page(  # noqa: PLR0913, PLR0917 (each is one parameter of the address)
    reader: Reader, prefix: str | None, language: LanguageName, limit: int, offset: int, choice: Choice
) -> WordPage:
    language_id, selection = _language_id(reader, language), read_selection_of_words(reader, choice)
    return browse.list_page(reader, prefix, language_id, limit, offset, selection)


def _list_by_id(reader: Reader, word_ids: Sequence[int], choice: Choice) -> WordPage:
    return browse.list_by_id(reader, word_ids, read_selection_of_words(reader, choice))


def _word(reader: Reader, word_id: int, choice: Choice) -> Word:
    return lookup.look_up_one(reader, word_id, read_selection_of_words(reader, choice))


def _word_in_setting(reader: Reader, word_id: int, choice: Choice) -> WordInSetting:
    languages = {language.id: language for language in reader.catalogue.languages}
    return WordInSetting(_word(reader, word_id, choice), languages, reader.catalogue.licences)


def _idea(reader: Reader, idea_id: int, choice: Choice) -> Idea:
    return browse.show_idea(reader, idea_id, read_selection_of_ideas(reader, choice))


def _list_ideas(  # noqa: PLR0913, PLR0917  # what is asked for
    reader: Reader, context: str, pos: str, language: LanguageName, limit: int, offset: int, choice: Choice
) -> IdeaPage:
    selection = read_selection_of_ideas(reader, choice)
    context_id = lists.find_item_id(reader, ListName.CONTEXTS, "context", context)
    chosen = IdeaFilter(
        lists.with_those_below(reader, ListName.CONTEXTS, context_id) if context_id else (),
        lists.find_item_id(reader, ListName.PARTS_OF_SPEECH, "pos", pos),
        _language_id(reader, language),
    )
    return idea_lists.list_page(reader, chosen, limit, offset, selection)


def _draw_word(reader: Reader, language: LanguageName, lot: Random) -> Word:
    return drawing.draw_word(reader, _language_id(reader, language), lot)


def _list_phrases(  # noqa: PLR0913, PLR0917  # what is asked for
    reader: Reader, query: str, language: LanguageName, category: str, limit: int, offset: int
) -> PhrasePage:
    category_id = lists.find_item_id(reader, ListName.PHRASE_CATEGORIES, "category", category)
    return phrase_lists.list_page(reader, query, _language_id(reader, language), category_id, limit, offset)


def _similar_phrases(reader: Reader, text: str, language: LanguageName, limit: int) -> tuple[SimilarPhrase, ...]:
    return phrases.find_similar(reader, text, _language_id(reader, language) or ASSAMESE, limit)


def _sitemap_file(reader: Reader, number: int, shape: Callable[[Iterable[tuple[str, int]]], T]) -> T:
    return shape(sitemap.words_of_file(reader, number))


def _catalogue(reader: Reader) -> Catalogue:
    return reader.catalogue
