"""The entry page of a word: its look-up, and the data shown with the results."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from abhidhan.dictionary.model.cascade import FoundWord, Match, QueryWord
from abhidhan.dictionary.model.collapsed_senses import (
    EntryDisplay,
    entry_counts_per_word,
    entry_displays,
    sort_languages,
)
from abhidhan.dictionary.model.field_selection import MEANING_KEYS, WORD_KEYS, FieldSelection
from abhidhan.dictionary.service import browse, forms, lookup, proverbs, search
from abhidhan.dictionary.service.browse import LANGUAGE_OF_SCRIPT, Neighbours
from abhidhan.dictionary.service.contexts import IdeaHeading
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.views.entry_parts import (
    NO_WHOLE_MATCH,
    EntryBlock,
    EntryPage,
    EntryRequest,
    Focus,
    FormDescription,
    WordResults,
    read_whole_query,
)
from abhidhan.dictionary.service.views.form_grids import arrange_forms
from abhidhan.dictionary.service.views.senses import SenseContext, collapse_sense, expand_sense, related_ideas
from abhidhan.dictionary.service.whole_query_lookup import PendingLookup, begin_lookup
from abhidhan.dictionary.store.confirmations import with_names
from abhidhan.dictionary.store.ideas import load_idea_json, load_idea_rows
from abhidhan.dictionary.store.unrecorded_words import audio_of_examples
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.language_preferences import languages_of
from abhidhan.records.languages import ASSAMESE, ENGLISH, Language
from abhidhan.records.words import Meaning, Word
from assamese.analysis import describe
from assamese.normalization import script_of

MAX_NEIGHBOURS: Final = 3
MAX_PROVERBS: Final = 5
MAX_NEAR_WORDS: Final = 8
MAX_DESCRIBED_FORMS: Final = 3
MAX_INFLECTED_WORDS: Final = 2
"""Maximum number of Assamese words on a page whose forms are shown."""

OPEN_SENSE_KEYS: Final = frozenset({"examples", "relations", "photos"})
"""Fields of meanings that are loaded and shown for open senses only."""

NumberedMeaning = tuple[int, Meaning]


async def load_entry_page(dictionary: Dictionary, request: EntryRequest) -> EntryPage:
    """Load the entry page of a word, on the event loop for exact matches, otherwise in a thread.

    Raises InputError.
    """
    pending = await dictionary.read(read_exact_entry_page, request) if dictionary.database.is_sqlite else None
    if isinstance(pending, EntryPage):
        return pending
    if pending is None:
        page = await dictionary.read_in_thread(read_entry_page, request)
    else:
        page = await dictionary.read_in_thread(finish_entry_page, pending, request)
    if dictionary.missing_words is not None and not page.entries and not page.whole.sayings:
        dictionary.missing_words.count([(part.text, part.match) for part in page.parts])
    return page


def read_entry_page(reader: ReadConnection, request: EntryRequest) -> EntryPage:
    """Load the entry page of a word. Raises InputError."""
    return _page(reader, request, lookup.look_up(reader, request.text, selection=_selection(reader, request)))


def read_exact_entry_page(reader: ReadConnection, request: EntryRequest) -> EntryPage | PendingLookup:
    """Load the entry page of a word that matches exactly; otherwise, return the pending look-up."""
    selection = _selection(reader, request)
    pending = begin_lookup(request.text, selection=selection)
    # A query of several words takes long to match as a whole.
    if len(pending.texts) > 1 and _may_be_whole(request):
        return pending
    items = lookup.look_up_exact(reader, request.text, selection=selection)
    return items if isinstance(items, PendingLookup) else _page(reader, request, items)


def finish_entry_page(reader: ReadConnection, pending: PendingLookup, request: EntryRequest) -> EntryPage:
    """Finish a pending look-up, and load the page."""
    return _page(reader, request, lookup.finish_lookup(reader, pending))


def _may_be_whole(request: EntryRequest) -> bool:
    """Return whether to match a query as a whole, with proverbs and definitions: not for parts of a page."""
    return not (request.in_full or request.focus.is_part or request.focus.language or request.focus.idea_id)


def _selection(reader: ReadConnection, request: EntryRequest) -> FieldSelection | None:
    """Select the fields to load for collapsed senses; the other fields of open senses are loaded later."""
    if request.in_full:
        return None
    languages = frozenset({*languages_of(request.readers, reader.catalogue), ENGLISH})
    return FieldSelection(frozenset(WORD_KEYS), frozenset(MEANING_KEYS) - OPEN_SENSE_KEYS, languages)


def _page(reader: ReadConnection, request: EntryRequest, items: tuple[QueryWord, ...]) -> EntryPage:
    mine = languages_of(request.readers, reader.catalogue)
    selected = _SelectedEntries.of(reader, request, [_order_entries(item, mine) for item in items], mine)
    languages = reader.catalogue.by_id
    words = selected.words
    language = languages[words[0].language_id if words else LANGUAGE_OF_SCRIPT.get(script_of(request.text), ASSAMESE)]
    spelling, is_part = words[0].word if words else request.text, request.focus.is_part
    is_alone = bool(words) and len(items) == 1
    parts = _parts(reader, selected, is_in_full=request.in_full)
    whole = NO_WHOLE_MATCH if is_alone or not _may_be_whole(request) else read_whole_query(reader, request.text, mine)
    ids_above = {each.id for each in whole.sayings} | {each.id for each in whole.with_words}
    sayings = proverbs.find_by_word(reader, spelling, language, MAX_PROVERBS) if words and not is_part else ()
    return EntryPage(
        text=request.text,
        parts=parts,
        languages=languages,
        language=language,
        neighbours=Neighbours((), ())
        if is_part
        else browse.find_neighbours(reader, language.id, spelling, MAX_NEIGHBOURS),
        proverbs=tuple([each for each in sayings if each.id not in ids_above]),
        near=()
        if words
        else _find_near_words(reader, request.text, {each.id for item in items for each in item.suggestions}),
        mine=mine,
        focus=selected.focus,
        audio_of_examples=audio_of_examples(reader, _ideas_with_examples(parts)),
        whole=whole,
    )


def _order_entries(item: QueryWord, mine: Sequence[int]) -> QueryWord:
    """Sort entries of the exact spelling by the reader's order of languages."""
    if item.match is not Match.EXACT:
        return item
    order = sort_languages({word.language_id for word in item.entries}, mine)
    ordered = sorted(item.entries, key=lambda word: order.index(word.language_id))
    return msgspec.structs.replace(item, entries=tuple(ordered))


class _SelectedEntries(NamedTuple):
    """Entries selected by the focus of a request, and the IDs of the user's languages in order."""

    items: list[QueryWord]
    focus: Focus
    mine: tuple[int, ...]

    @staticmethod
    def of(
        reader: ReadConnection, request: EntryRequest, items: list[QueryWord], mine: tuple[int, ...]
    ) -> "_SelectedEntries":
        """Filter the entries by the focus; drop a focus that matches no entry."""
        focus = request.focus
        language = reader.catalogue.find_language(focus.language) if focus.language else None
        selected = [
            msgspec.structs.replace(item, entries=entries)
            for item in items
            if (entries := tuple([word for word in item.entries if _is_selected(word, language, focus.idea_id)]))
        ]
        if not selected:
            selected, focus = items, Focus(is_part=focus.is_part)
        return _SelectedEntries(selected, focus, mine)

    @property
    def words(self) -> list[Word]:
        """Words of all parts of the query."""
        return [word for item in self.items for word in item.entries]

    def senses(self, word: Word) -> list[NumberedMeaning]:
        """List the requested senses of a word, each with its number."""
        idea_id = self.focus.idea_id
        return [numbered for numbered in enumerate(word.meanings, 1) if not idea_id or numbered[1].idea_id == idea_id]


def _is_selected(word: Word, language: Language | None, idea_id: int) -> bool:
    if language is not None and word.language_id != language.id:
        return False
    return not idea_id or any(meaning.idea_id == idea_id for meaning in word.meanings)


def _load_sense_context(
    reader: ReadConnection,
    selected: _SelectedEntries,
    senses: Sequence[Sequence[NumberedMeaning]],
    displays: Sequence[EntryDisplay],
) -> SenseContext:
    """Load the data of the senses' ideas; for open senses, also the words of related ideas."""
    idea_ids = {meaning.idea_id for meanings in senses for _, meaning in meanings}
    open_ids = {
        meaning.idea_id
        for meanings, item in zip(senses, displays, strict=True)
        for _, meaning in meanings[: item.opened]
    }
    ideas_by_id = load_idea_rows(reader, sorted(idea_ids), sorted(open_ids))
    ideas = {idea_id: item.json for idea_id, item in ideas_by_id.items() if item.json is not None}
    is_whole = bool(selected.focus.idea_id and not selected.focus.is_brief)
    related = related_ideas(ideas.values(), is_whole=is_whole)
    sources = reader.catalogue.sources
    return SenseContext(
        selected.mine,
        reader.catalogue.by_id,
        {idea_id: IdeaHeading(item.glyph, sources.get(item.source_id or 0)) for idea_id, item in ideas_by_id.items()},
        with_names(reader, {key: item.confirmed for key, item in ideas_by_id.items() if item.confirmed is not None}),
        frozenset(source.notice for source in sources.values() if source.notice),
        ideas,
        load_idea_json(reader, related, frozenset({"words"})) if related else {},
        is_whole,
    )


def _parts(reader: ReadConnection, selected: _SelectedEntries, *, is_in_full: bool) -> tuple[WordResults, ...]:
    words = selected.words
    numbered = [selected.senses(word) for word in words]
    displays = _entry_displays(selected, is_in_full=is_in_full)
    context = _load_sense_context(reader, selected, numbered, displays)
    inflected = _inflected_word_ids(words, displays)
    blocks = (
        msgspec.structs.replace(
            _entry(word, meanings, context, listed_count=display.listed, open_count=display.opened),
            is_folded=not display.is_shown,
            forms=arrange_forms(forms.read_tables(reader, word)) if word.id in inflected else (),
        )
        for word, meanings, display in zip(words, numbered, displays, strict=True)
    )
    limits = (
        [len(words)] * len(selected.items)
        if is_in_full or len(selected.items) == 1
        else entry_counts_per_word(len(selected.items))
    )
    return tuple(
        _part(item, [next(blocks) for _ in item.entries], limit)
        for item, limit in zip(selected.items, limits, strict=True)
    )


def _ideas_with_examples(parts: Sequence[WordResults]) -> list[int]:
    """List the ideas whose examples a page shows."""
    senses = (sense for part in parts for entry in part.entries for sense in entry.senses)
    return list(dict.fromkeys(sense.meaning.idea_id for sense in senses if sense.is_open and sense.examples))


def _part(item: QueryWord, blocks: Sequence[EntryBlock], limit: int) -> WordResults:
    left_out = max(0, len(blocks) - limit)
    return WordResults(
        item.queryword, item.match, tuple(blocks[:limit]), item.suggestions, left_out, _describe_forms(item)
    )


def _describe_forms(item: QueryWord) -> tuple[FormDescription, ...]:
    """Describe an inflected form by its features; leave out analyses without any."""
    analyses = item.analysis.analyses if item.analysis is not None else ()
    described = dict.fromkeys(FormDescription(describe(each.features), each.lemma) for each in analyses)
    return tuple(each for each in described if each.label.english)[:MAX_DESCRIBED_FORMS]


def _entry_displays(selected: _SelectedEntries, *, is_in_full: bool) -> list[EntryDisplay]:
    """Choose for each entry whether it is shown, and how many of its senses are listed and opened."""
    counts = [[(word.language_id, len(selected.senses(word))) for word in item.entries] for item in selected.items]
    if is_in_full:
        return [
            EntryDisplay(is_shown=True, listed=count, opened=0) for word_counts in counts for _, count in word_counts
        ]
    if selected.focus.language:
        return entry_displays(counts, selected.mine, sum(count for word_counts in counts for _, count in word_counts))
    return entry_displays(counts, selected.mine)


def _inflected_word_ids(words: Sequence[Word], displays: Sequence[EntryDisplay]) -> frozenset[int]:
    """Return the IDs of the words whose forms are shown: the first Assamese ones."""
    assamese = [
        word.id
        for word, display in zip(words, displays, strict=True)
        if display.is_shown and word.language_id == ASSAMESE
    ]
    return frozenset(assamese[:MAX_INFLECTED_WORDS])


def _entry(
    word: Word, numbered: Sequence[NumberedMeaning], context: SenseContext, *, listed_count: int, open_count: int
) -> EntryBlock:
    folded = [collapse_sense(number, word, meaning, context) for number, meaning in numbered[:listed_count]]
    senses = [expand_sense(sense, word, context) for sense in folded[:open_count]] + folded[open_count:]
    if open_count:
        open_meanings = {sense.meaning.idea_id: sense.meaning for sense in senses}
        meanings = tuple(open_meanings.get(meaning.idea_id, meaning) for meaning in word.meanings)
        word = msgspec.structs.replace(word, meanings=meanings)
    return EntryBlock(word, context.languages[word.language_id], tuple(senses), len(numbered) - listed_count)


def _find_near_words(reader: ReadConnection, text: str, suggested_ids: set[int]) -> Sequence[FoundWord]:
    """Find near words by any strategy, except those that are already suggested."""
    hits = search.search(reader, text, None, fuzzy=True, limit=MAX_NEAR_WORDS)
    return tuple(hit for hit in hits if hit.id not in suggested_ids)
