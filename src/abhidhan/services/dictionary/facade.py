"""The one door to reading. It knows what is read at once, on the event loop, and what in a thread; callers need not."""

from asyncio import Semaphore, wait_for
from collections.abc import Callable, Iterable, Sequence
from random import SystemRandom
from typing import Concatenate, Final, ParamSpec, TypeVar

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
from abhidhan.errors import AbhidhanError, InputError, UnavailableError, sentence
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
    phrase_lists,
    questions,
    script,
    sitemap,
    unchecked,
)
from abhidhan.services.dictionary.browse import AlphabeticalList, RecentWord, Stretch, WordPage
from abhidhan.services.dictionary.contexts import Branch
from abhidhan.services.dictionary.daily import Calendar, Day, RecentDays
from abhidhan.services.dictionary.field_search import Begun as BegunSearch
from abhidhan.services.dictionary.field_search import Found
from abhidhan.services.dictionary.idea_lists import IdeaPage
from abhidhan.services.dictionary.lists import CountedLanguage
from abhidhan.services.dictionary.lookup import Begun
from abhidhan.services.dictionary.missing import MissingPage
from abhidhan.services.dictionary.named_fields import Translate
from abhidhan.services.dictionary.phrase_lists import PhrasePage
from abhidhan.services.dictionary.questions import EVERY_LANGUAGE, LanguageName, LookedUp, SearchRequest, WordInSetting
from abhidhan.services.dictionary.views import (
    about,
    discover,
    entry,
    first,
    ideas,
    languages,
    proverbs,
    recent,
    results,
)
from abhidhan.services.dictionary.views.about import AboutPage
from abhidhan.services.dictionary.views.discover import BrowsePage, ContextPage
from abhidhan.services.dictionary.views.entry import EntryPage, EntryRequest
from abhidhan.services.dictionary.views.first import FirstPage
from abhidhan.services.dictionary.views.ideas import ShownIdea
from abhidhan.services.dictionary.views.languages import LanguagesPage
from abhidhan.services.dictionary.views.proverbs import FoundProverbs, ProverbsPage
from abhidhan.services.dictionary.views.recent import RecentPage
from abhidhan.services.dictionary.views.results import SearchPage
from abhidhan.services.missing_words import MissingWords
from abhidhan.storage.engine.database import Database
from abhidhan.storage.engine.reader import Reader

T = TypeVar("T")
P = ParamSpec("P")
Job = Callable[Concatenate[Reader, P], T]
"""Something that reads, and what it takes beside the reader."""

LONG_LIST: Final = 10
"""Lists longer than this are read in a thread: a word takes a tenth of a millisecond, and no other request waits."""

QUERIES_AT_ONCE: Final = 10
"""How many queries one turn of a thread looks up: where nothing is spelled so, each takes several milliseconds."""

ANY_READER: Final = ReadersLanguages()

MOST_GOING_ON: Final = 8
"""So many searches with wildcards may be going on or wait for that: the last waits a quarter of a minute at most."""

LONGEST_CHOICE: Final = 1.0
"""So many seconds the first page waits for a word of the day to be chosen: others may be writing for minutes."""

RETRY_SEARCH: Final = 10

RETRY_WITHOUT_ENCYCLOPEDIA: Final = 86_400


class Dictionary:
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
        self._database = database
        self._translate = translate
        self._missing = missing_words
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

    # --- what pages show, all of it in one reading -------------------------------------------------------------------

    async def entry_page(self, asked: EntryRequest) -> EntryPage:
        """Read everything that the page of a word shows. Raises InputError."""
        if self._database.is_sqlite:
            quick = await self._at_once(entry.read_entry_page_quickly, asked)
            if not isinstance(quick, Begun):
                return quick
            page = await self._aside(entry.read_the_rest, quick, asked)
        else:
            page = await self._aside(entry.read_entry_page, asked)
        if self._missing is not None and not page.entries and not page.whole.sayings:
            self._missing.note([(each.text, each.match) for each in page.parts])
        return page

    async def first_page(self, readers: ReadersLanguages) -> FirstPage:
        """Read what the first page shows; without a word of the day while there is none, or it cannot be chosen."""
        try:
            today = await wait_for(self._calendar.on(""), LONGEST_CHOICE)
        except (AbhidhanError, TimeoutError):
            today = None
        return await self._aside(first.read_first_page, today, readers)

    async def languages_page(self, readers: ReadersLanguages) -> LanguagesPage:
        """Read the languages of the dictionary, and those of a reader."""
        return await self._at_once(languages.read_languages_page, readers)

    async def browse_page(self, language: LanguageName, start: str, readers: ReadersLanguages) -> BrowsePage:
        """Read a page of a language's words, from `start` on. Raises InputError."""
        return await self._aside(discover.read_browse_page, language.name, start, readers)

    async def context_page(self, name: str, start: int, readers: ReadersLanguages) -> ContextPage:
        """Read a page of a context's ideas. Raises NotFoundError."""
        return await self._aside(discover.read_context_page, name, start, readers)

    async def recent_page(
        self, language: LanguageName, limit: int, readers: ReadersLanguages = ANY_READER, *, once: bool = False
    ) -> RecentPage:
        """Read the newest words with what they mean; `once`: of each idea in one language only. Raises InputError."""
        return await self._aside(recent.read_recent_page, language.name, limit, readers, once=once)

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
