"""What pages show, all of it in one reading: the part of the one door that pages ask."""

from asyncio import wait_for
from collections.abc import Mapping, Sequence
from random import SystemRandom
from typing import Final

from abhidhan.domain.audio import Audio
from abhidhan.domain.readers_languages import ReadersLanguages
from abhidhan.errors import AbhidhanError
from abhidhan.services.dictionary import citing, places, voices
from abhidhan.services.dictionary.citing import CitedSense
from abhidhan.services.dictionary.daily import Calendar
from abhidhan.services.dictionary.jobs import Jobs
from abhidhan.services.dictionary.lookup import Begun
from abhidhan.services.dictionary.places import Place
from abhidhan.services.dictionary.questions import LanguageName
from abhidhan.services.dictionary.views import (
    about,
    discover,
    entry,
    first,
    ideas,
    languages,
    listed,
    pictures,
    proverbs,
    recent,
)
from abhidhan.services.dictionary.views.about import AboutPage
from abhidhan.services.dictionary.views.discover import BrowsePage, CommonWords, ContextPage
from abhidhan.services.dictionary.views.entry_parts import EntryPage, EntryRequest
from abhidhan.services.dictionary.views.first import FirstPage
from abhidhan.services.dictionary.views.ideas import OrderedMeaning, OrderedWords, ShownIdea
from abhidhan.services.dictionary.views.languages import LanguagesPage
from abhidhan.services.dictionary.views.listed import ListedWords
from abhidhan.services.dictionary.views.pictures import PicturesPage
from abhidhan.services.dictionary.views.proverbs import FoundProverbs, ProverbsPage
from abhidhan.services.dictionary.views.recent import RecentPage
from abhidhan.services.dictionary.voices import SilentWords
from abhidhan.services.missing_words import MissingWords
from abhidhan.storage.engine.database import Database
from abhidhan.storage.senses import spellings
from abhidhan.storage.voices import audio_of_examples, audio_of_words

ANY_READER: Final = ReadersLanguages()

LONGEST_CHOICE: Final = 1.0
"""So many seconds the first page waits for a word of the day to be chosen: others may be writing for minutes."""


class PageReading(Jobs):
    """Reads what pages show. Each method is one page, or what a form on it needs."""

    def __init__(self, database: Database, missing_words: MissingWords | None) -> None:
        """Read from a database; `missing_words` counts those that were not found. None: nobody does."""
        super().__init__(database)
        self._missing = missing_words
        self._calendar = Calendar(database)
        self._lot = SystemRandom()

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

    async def place_of_word(self, word_id: int) -> Place:
        """Say where a word stands now. Raises NotFoundError."""
        return await self._promptly(places.place_of_word, word_id)

    async def place_of_sense(self, sense_id: int) -> Place:
        """Say where a sense stands now; of one that is gone, where its word does. Raises NotFoundError."""
        return await self._promptly(places.place_of_sense, sense_id)

    async def place_of_proverb(self, phrase_id: int) -> Place:
        """Say where a proverb stands now. Raises NotFoundError."""
        return await self._aside(places.place_of_proverb, phrase_id)

    async def any_place(self, readers: ReadersLanguages) -> Place:
        """Draw a word with a meaning, of a reader's first language where it has some. Raises NotFoundError."""
        return await self._at_once(places.any_place, readers, self._lot)

    async def cited_sense(self, sense_id: int) -> CitedSense:
        """Read what is cited of one meaning of a word. Raises NotFoundError."""
        return await self._promptly(citing.read_cited_sense, sense_id)

    async def languages_page(self, readers: ReadersLanguages) -> LanguagesPage:
        """Read the languages of the dictionary, and those of a reader."""
        return await self._at_once(languages.read_languages_page, readers)

    async def browse_page(self, language: LanguageName, start: str, readers: ReadersLanguages) -> BrowsePage:
        """Read a page of a language's words, from `start` on. Raises InputError."""
        return await self._aside(discover.read_browse_page, language.name, start, readers)

    async def context_page(self, name: str, start: int, readers: ReadersLanguages) -> ContextPage:
        """Read a page of a context's ideas. Raises NotFoundError."""
        return await self._aside(discover.read_context_page, name, start, readers)

    async def common_words(self, name: str, besides: int, readers: ReadersLanguages) -> CommonWords:
        """Read the commonest words of a context, beside those of an idea. Raises NotFoundError."""
        return await self._aside(discover.read_common_words, name, besides, readers)

    async def pictures_page(self, name: str, start: int, readers: ReadersLanguages) -> PicturesPage:
        """Read a page of the pictures of a context, or without a name of all. Raises NotFoundError."""
        return await self._aside(pictures.read_pictures_page, name, start, readers)

    async def recent_page(
        self, language: LanguageName, limit: int, readers: ReadersLanguages = ANY_READER, *, once: bool = False
    ) -> RecentPage:
        """Read the newest words with what they mean; `once`: of each idea in one language only. Raises InputError."""
        return await self._aside(recent.read_recent_page, language.name, limit, readers, once=once)

    async def listed_words(self, word_ids: Sequence[int], readers: ReadersLanguages) -> ListedWords:
        """Read the words of a list that somebody has made, each with what it means."""
        return await self._aside(listed.read_listed_words, word_ids, readers)

    async def proverbs_page(self, query: str, language: LanguageName, category: int, start: str) -> ProverbsPage:
        """Read proverbs like a saying, and a page of a language and category. Raises InputError."""
        return await self._aside(proverbs.read_proverbs_page, query, language.name, category, start)

    async def proverbs_to_edit(self, query: str, start: str) -> FoundProverbs:
        """Read proverbs for whoever looks for one to edit."""
        return await self._aside(proverbs.read_proverbs_to_edit, query, start)

    async def about_page(self) -> AboutPage:
        """Read what the dictionary holds, and where it is from."""
        return await self._aside(about.read_about_page)

    async def words_without_voice(
        self, language: LanguageName, limit: int, offset: int, readers: ReadersLanguages
    ) -> SilentWords:
        """Read a page of the words that nobody has recorded, the commonest first. Raises InputError."""
        return await self._aside(voices.list_without_voice, language.name, limit, offset, readers)

    async def audio_of_words(self, texts: Mapping[int, Sequence[str]]) -> Mapping[int, Mapping[str, Sequence[Audio]]]:
        """Read the recordings of words, given by their languages and spellings."""
        return await self._aside(audio_of_words, texts)

    async def audio_of_examples(self, idea_ids: list[int]) -> Mapping[int, Mapping[str, Sequence[Audio]]]:
        """Read the recordings of the examples of ideas, by idea and text."""
        return await self._at_once(audio_of_examples, idea_ids)

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

    async def words_in_order(self, idea_id: int) -> list[OrderedWords]:
        """List the words of an idea by language, in their order; languages that have one word are left out."""
        return await self._at_once(ideas.words_in_order, idea_id)

    async def meanings_in_order(self, word_id: int) -> list[OrderedMeaning]:
        """List the meanings of a word in their order."""
        return await self._aside(ideas.meanings_in_order, word_id)

    async def spellings(self, word_ids: list[int]) -> dict[int, str]:
        """Read how words are spelled, by their IDs."""
        return await self._at_once(spellings, word_ids)

    async def words_of_ideas(self, idea_ids: list[int]) -> dict[int, list[str]]:
        """Read the spellings of the words of each idea."""
        return await self._at_once(ideas.words_of_ideas, idea_ids)
