"""What is found by a text: looked up, searched, suggested as somebody types. The part of the one door that does so."""

from asyncio import Semaphore
from collections.abc import Sequence
from typing import Final

from abhidhan.domain.matching.completions import LISTED
from abhidhan.domain.matching.fields import Signs
from abhidhan.domain.readers_languages import ReadersLanguages
from abhidhan.domain.selection import ALL, Choice
from abhidhan.domain.words import DetailedSuggestion
from abhidhan.errors import InputError, UnavailableError, sentence
from abhidhan.services.dictionary import field_search, lookup, questions
from abhidhan.services.dictionary.facade_pages import PageReading
from abhidhan.services.dictionary.field_search import Found
from abhidhan.services.dictionary.named_fields import Translate
from abhidhan.services.dictionary.questions import EVERY_LANGUAGE, LanguageName, LookedUp, SearchRequest
from abhidhan.services.dictionary.views import results
from abhidhan.services.dictionary.views.results import SearchPage
from abhidhan.services.missing_words import MissingWords
from abhidhan.storage.engine.database import Database

QUERIES_AT_ONCE: Final = 10
"""How many queries one turn of a thread looks up: where nothing is spelled so, each takes several milliseconds."""

MOST_PATTERNS: Final = 8
"""How many searches with wildcards run or wait at most: the last waits a quarter of a minute at most."""

RETRY_SEARCH: Final = 10


class Finding(PageReading):
    """Finds words by a text. Each method is one question."""

    def __init__(self, database: Database, missing_words: MissingWords | None, translate: Translate) -> None:
        """Read from a database; `translate` says the names of lists and languages as some readers write them, too."""
        super().__init__(database, missing_words)
        self._translate = translate
        self._one_pattern, self._patterns = Semaphore(1), 0

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
        """Search words in every way, by fields, and by a pattern with wildcards. Raises InputError, UnavailableError.

        Patterns are searched one at a time, so that however many there are, they occupy one thread.
        """
        if not field_search.has_pattern(query.text, query.wildcards):
            return await self._aside(questions.search, query, choice, self._translate)
        if self._patterns >= MOST_PATTERNS:
            raise UnavailableError(
                sentence("Many long searches with wildcards are running. Please try again soon."), RETRY_SEARCH
            )
        self._patterns += 1
        try:
            async with self._one_pattern:
                return await self._aside(questions.search, query, choice, self._translate)
        finally:
            self._patterns -= 1

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
