"""The entry page of a word: its look-up, and the data shown with the results."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from abhidhan.dictionary.model.cascade import FoundWord, Match, QueryWord
from abhidhan.dictionary.model.collapsed_senses import Shown, in_order, named_of_several, shown_of_words
from abhidhan.dictionary.model.field_selection import MEANING_KEYS, WORD_KEYS, Selection
from abhidhan.dictionary.service import browse, forms, lookup, proverbs, search
from abhidhan.dictionary.service.browse import LANGUAGE_OF_SCRIPT, Neighbours
from abhidhan.dictionary.service.contexts import Head
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.views.entry_parts import (
    NOTHING,
    DescribedForm,
    Entry,
    EntryPage,
    EntryRequest,
    Focus,
    Part,
    read_whole_query,
)
from abhidhan.dictionary.service.views.form_grids import arrange_forms
from abhidhan.dictionary.service.views.senses import Around, fold, related_ideas, unfold
from abhidhan.dictionary.service.whole_query_lookup import PendingLookup, begin_lookup
from abhidhan.dictionary.store.confirmations import with_names
from abhidhan.dictionary.store.ideas import gather_json, read_shown_ideas
from abhidhan.dictionary.store.unrecorded_words import audio_of_examples
from abhidhan.platform.database.reader import Reader
from abhidhan.records.language_preferences import languages_of
from abhidhan.records.languages import ASSAMESE, ENGLISH, Language
from abhidhan.records.words import Meaning, Word
from assamese.analysis import describe
from assamese.normalization import script_of

MOST_NEIGHBOURS: Final = 3
MOST_PROVERBS: Final = 5
MOST_NEAR: Final = 8
MOST_DESCRIBED: Final = 3
MOST_INFLECTED: Final = 2
"""Maximum number of Assamese words on a page whose forms are shown."""

OF_IDEAS: Final = frozenset({"examples", "relations", "photos"})
"""Keys of meanings that only open senses show; they are read only for those."""

NumberedMeaning = tuple[int, Meaning]


async def load_entry_page(dictionary: Dictionary, asked: EntryRequest) -> EntryPage:
    """Load the entry page of a word, on the event loop for exact matches, otherwise in a thread.

    Raises InputError.
    """
    pending = await dictionary.read(read_entry_page_quickly, asked) if dictionary.database.is_sqlite else None
    if isinstance(pending, EntryPage):
        return pending
    if pending is None:
        page = await dictionary.read_in_thread(read_entry_page, asked)
    else:
        page = await dictionary.read_in_thread(read_the_rest, pending, asked)
    if dictionary.missing_words is not None and not page.entries and not page.whole.sayings:
        dictionary.missing_words.note([(each.text, each.match) for each in page.parts])
    return page


def read_entry_page(reader: Reader, asked: EntryRequest) -> EntryPage:
    """Load the entry page of a word. Raises InputError."""
    return _page(reader, asked, lookup.look_up(reader, asked.text, selection=_selection(reader, asked)))


def read_entry_page_quickly(reader: Reader, asked: EntryRequest) -> EntryPage | PendingLookup:
    """Load the entry page of a word that matches exactly; return the pending look-up of others."""
    selection = _selection(reader, asked)
    pending = begin_lookup(asked.text, selection=selection)
    # A query of several words takes long to match as a whole.
    if len(pending.texts) > 1 and _may_be_whole(asked):
        return pending
    found = lookup.look_up_exact(reader, asked.text, selection=selection)
    return found if isinstance(found, PendingLookup) else _page(reader, asked, found)


def read_the_rest(reader: Reader, pending: PendingLookup, asked: EntryRequest) -> EntryPage:
    """Finish a pending look-up, and load the page."""
    return _page(reader, asked, lookup.finish_lookup(reader, pending))


def _may_be_whole(asked: EntryRequest) -> bool:
    """Return whether a query may be a proverb or a definition: not for machines or parts of a page."""
    return not (asked.in_full or asked.focus.is_part or asked.focus.language or asked.focus.idea_id)


def _selection(reader: Reader, asked: EntryRequest) -> Selection | None:
    """Select the fields read for each sense: those of its line; for open senses, the rest is read later."""
    if asked.in_full:
        return None
    languages = frozenset({*languages_of(asked.readers, reader.catalogue), ENGLISH})
    return Selection(frozenset(WORD_KEYS), frozenset(MEANING_KEYS) - OF_IDEAS, languages)


def _page(reader: Reader, asked: EntryRequest, found: tuple[QueryWord, ...]) -> EntryPage:
    mine = languages_of(asked.readers, reader.catalogue)
    chosen = _Chosen.of(reader, asked, [_ordered(item, mine) for item in found], mine)
    languages = reader.catalogue.by_id
    words = chosen.words
    language = languages[words[0].language_id if words else LANGUAGE_OF_SCRIPT.get(script_of(asked.text), ASSAMESE)]
    spelling, is_part = words[0].word if words else asked.text, asked.focus.is_part
    is_alone = bool(words) and len(found) == 1
    parts = _parts(reader, chosen, is_in_full=asked.in_full)
    whole = NOTHING if is_alone or not _may_be_whole(asked) else read_whole_query(reader, asked.text, mine)
    told_above = {each.id for each in whole.sayings} | {each.id for each in whole.with_words}
    sayings = proverbs.find_with(reader, spelling, language, MOST_PROVERBS) if words and not is_part else ()
    return EntryPage(
        text=asked.text,
        parts=parts,
        languages=languages,
        language=language,
        neighbours=Neighbours((), ())
        if is_part
        else browse.find_neighbours(reader, language.id, spelling, MOST_NEIGHBOURS),
        proverbs=tuple([each for each in sayings if each.id not in told_above]),
        near=() if words else _near(reader, asked.text, {each.id for item in found for each in item.suggestions}),
        mine=mine,
        focus=chosen.focus,
        audio_of_examples=audio_of_examples(reader, _ideas_with_examples(parts)),
        whole=whole,
    )


def _ordered(item: QueryWord, mine: Sequence[int]) -> QueryWord:
    """Sort entries of the exact spelling by the reader's order of languages."""
    if item.match is not Match.EXACT:
        return item
    order = in_order({word.language_id for word in item.entries}, mine)
    ordered = sorted(item.entries, key=lambda word: order.index(word.language_id))
    return msgspec.structs.replace(item, entries=tuple(ordered))


class _Chosen(NamedTuple):
    """The requested entries of the words found, and the reader's languages."""

    items: list[QueryWord]
    focus: Focus
    mine: tuple[int, ...]

    @staticmethod
    def of(reader: Reader, asked: EntryRequest, items: list[QueryWord], mine: tuple[int, ...]) -> "_Chosen":
        """Filter the entries by the focus; drop a focus that matches no entry."""
        focus = asked.focus
        language = reader.catalogue.find_language(focus.language) if focus.language else None
        wanted = [
            msgspec.structs.replace(item, entries=left)
            for item in items
            if (left := tuple([word for word in item.entries if _is_wanted(word, language, focus.idea_id)]))
        ]
        if not wanted:
            wanted, focus = items, Focus(is_part=focus.is_part)
        return _Chosen(wanted, focus, mine)

    @property
    def words(self) -> list[Word]:
        """Words of all parts of the query."""
        return [word for item in self.items for word in item.entries]

    def senses(self, word: Word) -> list[NumberedMeaning]:
        """List the requested senses of a word, each with its number."""
        idea_id = self.focus.idea_id
        return [each for each in enumerate(word.meanings, 1) if not idea_id or each[1].idea_id == idea_id]


def _is_wanted(word: Word, language: Language | None, idea_id: int) -> bool:
    if language is not None and word.language_id != language.id:
        return False
    return not idea_id or any(meaning.idea_id == idea_id for meaning in word.meanings)


def _around(
    reader: Reader, chosen: _Chosen, senses: Sequence[Sequence[NumberedMeaning]], shown: Sequence[Shown]
) -> Around:
    """Load the data of the senses' ideas; for open senses, also the words of related ideas."""
    idea_ids = {meaning.idea_id for some in senses for _, meaning in some}
    open_ids = {meaning.idea_id for some, each in zip(senses, shown, strict=True) for _, meaning in some[: each.opened]}
    found = read_shown_ideas(reader, sorted(idea_ids), sorted(open_ids))
    ideas = {idea_id: each.json for idea_id, each in found.items() if each.json is not None}
    is_whole = bool(chosen.focus.idea_id and not chosen.focus.is_brief)
    related = related_ideas(ideas.values(), is_whole=is_whole)
    sources = reader.catalogue.sources
    return Around(
        chosen.mine,
        reader.catalogue.by_id,
        {idea_id: Head(each.glyph, sources.get(each.source_id or 0)) for idea_id, each in found.items()},
        with_names(reader, {key: each.confirmed for key, each in found.items() if each.confirmed is not None}),
        frozenset(source.notice for source in sources.values() if source.notice),
        ideas,
        gather_json(reader, related, frozenset({"words"})) if related else {},
        is_whole,
    )


def _parts(reader: Reader, chosen: _Chosen, *, is_in_full: bool) -> tuple[Part, ...]:
    words = chosen.words
    numbered = [chosen.senses(word) for word in words]
    shown = _shown(chosen, is_in_full=is_in_full)
    around = _around(reader, chosen, numbered, shown)
    inflected = _inflected(words, shown)
    made = (
        msgspec.structs.replace(
            _entry(word, some, around, listed=each.listed, opened=each.opened),
            is_folded=not each.is_shown,
            forms=arrange_forms(forms.read_tables(reader, word)) if word.id in inflected else (),
        )
        for word, some, each in zip(words, numbered, shown, strict=True)
    )
    named = (
        [len(words)] * len(chosen.items)
        if is_in_full or len(chosen.items) == 1
        else named_of_several(len(chosen.items))
    )
    return tuple(
        _part(item, [next(made) for _ in item.entries], most) for item, most in zip(chosen.items, named, strict=True)
    )


def _ideas_with_examples(parts: Sequence[Part]) -> list[int]:
    """List the ideas whose examples a page shows."""
    senses = (sense for part in parts for entry in part.entries for sense in entry.senses)
    return list(dict.fromkeys(sense.meaning.idea_id for sense in senses if sense.is_open and sense.examples))


def _part(item: QueryWord, made: Sequence[Entry], most: int) -> Part:
    left_out = max(0, len(made) - most)
    return Part(item.queryword, item.match, tuple(made[:most]), item.suggestions, left_out, _described(item))


def _described(item: QueryWord) -> tuple[DescribedForm, ...]:
    """Describe an inflected form by its features; leave out analyses without any."""
    analyses = item.analysis.analyses if item.analysis is not None else ()
    described = dict.fromkeys(DescribedForm(describe(each.features), each.lemma) for each in analyses)
    return tuple(each for each in described if each.label.english)[:MOST_DESCRIBED]


def _shown(chosen: _Chosen, *, is_in_full: bool) -> list[Shown]:
    """Return the extent to which each entry is shown."""
    counts = [[(word.language_id, len(chosen.senses(word))) for word in item.entries] for item in chosen.items]
    if is_in_full:
        return [Shown(is_shown=True, listed=count, opened=0) for of_word in counts for _, count in of_word]
    if chosen.focus.language:
        return shown_of_words(counts, chosen.mine, sum(count for of_word in counts for _, count in of_word))
    return shown_of_words(counts, chosen.mine)


def _inflected(words: Sequence[Word], shown: Sequence[Shown]) -> frozenset[int]:
    """Return the IDs of the words whose forms are shown: the first Assamese ones."""
    assamese = [
        word.id for word, each in zip(words, shown, strict=True) if each.is_shown and word.language_id == ASSAMESE
    ]
    return frozenset(assamese[:MOST_INFLECTED])


def _entry(word: Word, numbered: Sequence[NumberedMeaning], around: Around, *, listed: int, opened: int) -> Entry:
    folded = [fold(number, word, meaning, around) for number, meaning in numbered[:listed]]
    senses = [unfold(sense, word, around) for sense in folded[:opened]] + folded[opened:]
    if opened:
        known = {sense.meaning.idea_id: sense.meaning for sense in senses}
        meanings = tuple(known.get(meaning.idea_id, meaning) for meaning in word.meanings)
        word = msgspec.structs.replace(word, meanings=meanings)
    return Entry(word, around.languages[word.language_id], tuple(senses), len(numbered) - listed)


def _near(reader: Reader, text: str, offered: set[int]) -> Sequence[FoundWord]:
    """Find near words by any strategy, except those that are already suggested."""
    found = search.search(reader, text, None, fuzzy=True, limit=MOST_NEAR)
    return tuple(each for each in found if each.id not in offered)
