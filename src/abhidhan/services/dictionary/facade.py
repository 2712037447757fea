"""The one door to reading. It knows what is read at once, on the event loop, and what in a thread; callers need not."""

from asyncio import Semaphore
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from abhidhan.domain.articles import Article
from abhidhan.domain.cards import Card, CardSet
from abhidhan.domain.catalogue import Catalogue
from abhidhan.domain.changes import FollowedChanges
from abhidhan.domain.ideas import Idea
from abhidhan.domain.matching.completions import LISTED
from abhidhan.domain.matching.wildcards import Signs
from abhidhan.domain.phrases import ListedPhrase, SimilarPhrase
from abhidhan.domain.readers_languages import ReadersLanguages
from abhidhan.domain.script import Direction, Transliteration
from abhidhan.domain.selection import ALL, Choice
from abhidhan.domain.text.romanize import Scheme
from abhidhan.domain.word_forms import WordForms
from abhidhan.domain.words import DetailedSuggestion, Word
from abhidhan.errors import InputError, UnavailableError, sentence
from abhidhan.services.articles import Encyclopedia
from abhidhan.services.dictionary import (
    cards,
    changes,
    contexts,
    field_search,
    forms,
    lists,
    lookup,
    missing,
    packs,
    phrase_lists,
    questions,
    script,
    sitemap,
    unchecked,
)
from abhidhan.services.dictionary.browse import AlphabeticalList, RecentWord, Stretch, WordPage
from abhidhan.services.dictionary.contexts import Branch
from abhidhan.services.dictionary.daily import Day, RecentDays
from abhidhan.services.dictionary.facade_pages import PageReading
from abhidhan.services.dictionary.field_search import Begun as BegunSearch
from abhidhan.services.dictionary.field_search import Found
from abhidhan.services.dictionary.idea_lists import IdeaPage
from abhidhan.services.dictionary.lists import CountedLanguage
from abhidhan.services.dictionary.missing import MissingPage
from abhidhan.services.dictionary.named_fields import Translate
from abhidhan.services.dictionary.packs import PackChanges
from abhidhan.services.dictionary.phrase_lists import PhrasePage
from abhidhan.services.dictionary.questions import EVERY_LANGUAGE, LanguageName, LookedUp, SearchRequest, WordInSetting
from abhidhan.services.dictionary.views import results
from abhidhan.services.dictionary.views.results import SearchPage
from abhidhan.services.missing_words import MissingWords
from abhidhan.storage.engine.database import Database

T = TypeVar("T")

QUERIES_AT_ONCE: Final = 10
"""How many queries one turn of a thread looks up: where nothing is spelled so, each takes several milliseconds."""

MOST_GOING_ON: Final = 8
"""So many searches with wildcards may be going on or wait for that: the last waits a quarter of a minute at most."""

RETRY_SEARCH: Final = 10

RETRY_WITHOUT_ENCYCLOPEDIA: Final = 86_400


class Dictionary(PageReading):
    """All that anybody reads of the dictionary. Each method is one question, and sees the data of one moment."""

    def __init__(
        self,
        database: Database,
        encyclopedia: Encyclopedia | None = None,
        translate: Translate = str,
        missing_words: MissingWords | None = None,
    ) -> None:
        """Read from a database, and articles from an encyclopedia, if there is one.

        `translate` says the names of lists and languages as some readers write them, too. `missing_words`
        counts those that were not found; None: nobody does.
        """
        super().__init__(database, missing_words)
        self._translate = translate
        self._one_goes_on, self._going_on = Semaphore(1), 0
        self._encyclopedia = encyclopedia

    # --- words -------------------------------------------------------------------------------------------------------

    async def look_up(self, query: str, language: LanguageName = EVERY_LANGUAGE, choice: Choice = ALL) -> LookedUp:
        """Look up each word of a query. Raises InputError."""
        quick = await self._promptly(questions.look_up_quickly, query, language, choice)
        if isinstance(quick, LookedUp):
            return quick
        # What is found as it is spelled has been answered above: only here can a word be missing.
        found = await self._aside(questions.look_up_the_rest, quick)
        if self._missing is not None and not found.phrases:
            self._missing.note([(each.queryword, each.match) for each in found.items])
        return found

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
            found += await self._aside(questions.look_up_each, some, language, choice)
        of_query = dict(zip(different, found, strict=True))
        return [of_query[query] for query in queries]

    async def search(self, query: SearchRequest, choice: Choice = ALL) -> Found:
        """Search words in every way, by fields, and by a pattern with wildcards. Raises InputError.

        What is not done at once goes on in short turns of a thread, one search at a time, so that no number of patterns
        keeps others waiting.
        """
        found = await self._aside(questions.begin_search, query, choice, self._translate)
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

    async def search_page(self, text: str, readers: ReadersLanguages) -> SearchPage | None:
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
        return await self._at_once(results.read_page, text, found, readers)

    async def suggest(
        self, text: str, language: LanguageName = EVERY_LANGUAGE, *, limit: int, first: str = ""
    ) -> tuple[str, ...]:
        """Suggest headwords as someone types, those of the languages that `first` names before others.

        Raises InputError.
        """
        if first:
            return await self._aside(questions.suggest_first, text, language, limit, first)
        # Lists of all languages are read in tenths of a millisecond; what they do not name takes many.
        run = self._at_once if language.is_every and limit <= LISTED else self._aside
        return await run(questions.suggest, text, language, limit)

    async def suggest_in_detail(
        self, text: str, language: LanguageName = EVERY_LANGUAGE, *, limit: int, first: str = "", phrases: bool = False
    ) -> tuple[DetailedSuggestion, ...]:
        """Suggest the same headwords, each with what it means, and perhaps phrases. Raises InputError."""
        job = questions.suggest_with_phrases if phrases else questions.suggest_in_detail
        return await self._aside(job, text, language, limit, first)

    async def list_alphabetically(
        self, stretch: Stretch, language: LanguageName, limit: int, choice: Choice = ALL
    ) -> AlphabeticalList:
        """List words in the order of a language's alphabet. Raises InputError."""
        return await self._list(limit, questions.list_alphabetically, stretch, language, limit, choice)

    async def list_recent(self, language: LanguageName, limit: int, *, shape: Callable[[RecentWord], T]) -> list[T]:
        """List the words added last, each as `shape` shows it, which runs where they are read. Raises InputError."""
        return await self._list(limit, questions.list_recent, language, limit, shape)

    async def list_page(
        self, prefix: str | None, language: LanguageName, limit: int, offset: int, choice: Choice = ALL
    ) -> WordPage:
        """List a page of all words, or of those that begin with `prefix`. Raises InputError."""
        return await self._aside(questions.list_page, prefix, language, limit, offset, choice)

    async def list_by_id(self, word_ids: Sequence[int], choice: Choice = ALL) -> WordPage:
        """List words by their IDs; unknown ones are left out. Raises InputError."""
        return await self._list(len(word_ids), questions.list_by_id, word_ids, choice)

    async def word(self, word_id: int, choice: Choice = ALL) -> Word:
        """Read one word. Raises NotFoundError, InputError."""
        return await self._promptly(questions.read_word, word_id, choice)

    async def word_in_setting(self, word_id: int, choice: Choice = ALL) -> WordInSetting:
        """Read one word with the languages and licences. Raises NotFoundError, InputError."""
        return await self._promptly(questions.read_word_in_setting, word_id, choice)

    async def forms(self, word_id: int) -> WordForms:
        """Read the inflected forms of a word. Raises NotFoundError."""
        return await self._promptly(forms.read_forms, word_id)

    async def idea(self, idea_id: int, choice: Choice = ALL) -> Idea:
        """Read one idea. Raises NotFoundError, InputError."""
        return await self._promptly(questions.read_idea, idea_id, choice)

    async def changes(self, since: str | None, limit: int) -> FollowedChanges:
        """List what has changed since a token; without one, the token of now. Raises InputError, GoneError."""
        return await self._list(limit, changes.list_changes, since, limit)

    async def pack_changes(self, pair: str, since: str, limit: int) -> PackChanges:
        """List what to change of a pack since a token. Raises NotFoundError, InputError, GoneError."""
        return await self._aside(packs.pack_changes, pair, since, limit)

    async def list_ideas(  # noqa: PLR0913, PLR0917  # each is one parameter of the address
        self, context: str, pos: str, language: LanguageName, limit: int, offset: int, choice: Choice = ALL
    ) -> IdeaPage:
        """List a page of ideas: all, or those of a context and those below, a part of speech, a language.

        Raises InputError.
        """
        return await self._aside(questions.list_ideas, context, pos, language, limit, offset, choice)

    async def list_unchecked(self, limit: int, offset: int) -> IdeaPage:
        """List a page of the ideas that no speaker has confirmed yet, the commonest first."""
        return await self._aside(unchecked.list_unchecked, limit, offset)

    @property
    def counts_missing_words(self) -> bool:
        """Say whether words that are looked for and not found are counted."""
        return self._missing is not None

    async def list_missing_words(self, limit: int, offset: int) -> MissingPage:
        """List a page of the words that were looked for on several days and not found, the most wanted first."""
        return await self._aside(missing.list_missing, limit, offset)

    async def random_word(self, language: LanguageName = EVERY_LANGUAGE) -> Word:
        """Draw a word that has a meaning. Raises InputError and NotFoundError."""
        return await self._at_once(questions.draw_word, language, self._lot)

    # --- proverbs, script, articles, cards, lists --------------------------------------------------------------------

    async def similar_phrases(
        self, text: str, language: LanguageName = EVERY_LANGUAGE, *, limit: int
    ) -> tuple[SimilarPhrase, ...]:
        """Find the proverbs that are like a phrase; those of no named language are Assamese. Raises InputError."""
        return await self._aside(questions.similar_phrases, text, language, limit)

    async def list_phrases(
        self, query: str, language: LanguageName, category: str, limit: int, offset: int
    ) -> PhrasePage:
        """List a page of proverbs and idioms: all, or those with the words of a query. Raises InputError."""
        return await self._aside(questions.list_phrases, query, language, category, limit, offset)

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
        return await self._at_once(questions.read_catalogue)

    def known_languages(self, codes: tuple[str, ...]) -> tuple[str, ...]:
        """Leave out the codes of languages that are not there, as of one that was removed since a reader chose it.

        Nothing is read for that: every page has just needed the catalogue.
        """
        catalogue = self._database.catalogue_read_last
        return codes if catalogue is None else tuple(code for code in codes if catalogue.find_language(code))

    async def contexts(self) -> tuple[Branch, ...]:
        """Read the tree of contexts under which there are ideas."""
        return await self._at_once(contexts.read_tree)

    async def count_sitemap_files(self) -> int:
        """Return how many files of a sitemap the words fill."""
        return await self._at_once(sitemap.count_files)

    async def sitemap_file(self, number: int, *, shape: Callable[[Iterable[tuple[str, int]]], T]) -> T:
        """Write a file of a sitemap by `shape`, which runs where the words are read. Raises NotFoundError."""
        return await self._aside(questions.read_sitemap_file, number, shape)
