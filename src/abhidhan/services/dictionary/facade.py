"""The one door to reading. It knows what is read at once, on the event loop, and what in a thread; callers need not."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from abhidhan.domain.articles import Article
from abhidhan.domain.cards import Card, CardSet
from abhidhan.domain.catalogue import Catalogue
from abhidhan.domain.changes import FollowedChanges
from abhidhan.domain.ideas import Idea
from abhidhan.domain.phrases import ListedPhrase, SimilarPhrase
from abhidhan.domain.script import Direction, Transliteration
from abhidhan.domain.selection import ALL, Choice
from abhidhan.domain.text.romanize import Scheme
from abhidhan.domain.word_forms import WordForms
from abhidhan.domain.words import Word
from abhidhan.errors import UnavailableError
from abhidhan.services.articles import Encyclopedia
from abhidhan.services.dictionary import (
    cards,
    changes,
    contexts,
    forms,
    lists,
    missing,
    packs,
    phrase_lists,
    questions,
    script,
    sitemap,
    unchecked,
)
from abhidhan.services.dictionary.browse import CodedList, RecentWord, Stretch, WordPage
from abhidhan.services.dictionary.contexts import Branch
from abhidhan.services.dictionary.daily import Day, RecentDays
from abhidhan.services.dictionary.facade_finding import Finding
from abhidhan.services.dictionary.idea_lists import IdeaPage
from abhidhan.services.dictionary.lists import CountedLanguage
from abhidhan.services.dictionary.missing import MissingPage
from abhidhan.services.dictionary.named_fields import Translate
from abhidhan.services.dictionary.packs import PackChanges
from abhidhan.services.dictionary.phrase_lists import PhrasePage
from abhidhan.services.dictionary.questions import EVERY_LANGUAGE, LanguageName, WordInSetting
from abhidhan.services.missing_words import MissingWords
from abhidhan.storage.engine.database import Database

T = TypeVar("T")

RETRY_WITHOUT_ENCYCLOPEDIA: Final = 86_400


class Dictionary(Finding):
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
        super().__init__(database, missing_words, translate)
        self._encyclopedia = encyclopedia

    # --- words -------------------------------------------------------------------------------------------------------

    async def list_alphabetically(
        self, stretch: Stretch, language: LanguageName, limit: int, choice: Choice = ALL, *, pos: str = ""
    ) -> CodedList:
        """List words in the order of a language's alphabet; `pos` is the ID or the code of a part of speech.

        Raises InputError.
        """
        return await self._list(limit, questions.list_alphabetically, stretch, language, pos, limit, choice)

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
