"""The entry page of a word: its look-up, and the data shown with the results."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from abhidhan.dictionary.model.cascade import FoundWord, Match, QueryWord
from abhidhan.dictionary.model.collapsed_senses import (
    EntryDisplay,
    count_entries_per_word,
    plan_entry_displays,
    sort_languages,
)
from abhidhan.dictionary.model.field_selection import MEANING_KEYS, WORD_KEYS, FieldSelection
from abhidhan.dictionary.service import browse, forms, lookup, proverbs, search
from abhidhan.dictionary.service.browse import LANGUAGE_BY_SCRIPT, Neighbours
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
    match_whole_query,
)
from abhidhan.dictionary.service.views.form_grids import arrange_forms
from abhidhan.dictionary.service.views.senses import SenseContext, collapse_sense, expand_sense, list_related_ids
from abhidhan.dictionary.service.whole_query_lookup import PendingLookup, begin_lookup
from abhidhan.dictionary.store.confirmations import build_confirmations
from abhidhan.dictionary.store.ideas import load_idea_json, load_idea_rows
from abhidhan.dictionary.store.unrecorded_words import load_example_audio
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.language_preferences import resolve_languages
from abhidhan.records.languages import ASSAMESE, ENGLISH, Language
from abhidhan.records.words import Meaning, Word
from assamese.analysis import describe_features
from assamese.normalization import detect_script

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


def read_entry_page(connection: ReadConnection, request: EntryRequest) -> EntryPage:
    """Load the entry page of a word. Raises InputError."""
    return _build_page(
        connection, request, lookup.look_up(connection, request.text, selection=_select_fields(connection, request))
    )


def read_exact_entry_page(connection: ReadConnection, request: EntryRequest) -> EntryPage | PendingLookup:
    """Load the entry page of a word that matches exactly; otherwise, return the pending look-up."""
    selection = _select_fields(connection, request)
    pending = begin_lookup(request.text, selection=selection)
    # A query of several words takes long to match as a whole.
    if len(pending.texts) > 1 and _should_match_whole(request):
        return pending
    items = lookup.look_up_exact(connection, request.text, selection=selection)
    return items if isinstance(items, PendingLookup) else _build_page(connection, request, items)


def finish_entry_page(connection: ReadConnection, pending: PendingLookup, request: EntryRequest) -> EntryPage:
    """Finish a pending look-up, and load the page."""
    return _build_page(connection, request, lookup.finish_lookup(connection, pending))


def _should_match_whole(request: EntryRequest) -> bool:
    """Return whether to match a query as a whole, with proverbs and definitions: not for parts of a page."""
    return not (request.is_full or request.focus.is_part or request.focus.language or request.focus.idea_id)


def _select_fields(connection: ReadConnection, request: EntryRequest) -> FieldSelection | None:
    """Select the fields to load for collapsed senses; the other fields of open senses are loaded later."""
    if request.is_full:
        return None
    languages = frozenset({*resolve_languages(request.preferences, connection.catalogue), ENGLISH})
    return FieldSelection(frozenset(WORD_KEYS), frozenset(MEANING_KEYS) - OPEN_SENSE_KEYS, languages)


def _build_page(connection: ReadConnection, request: EntryRequest, items: tuple[QueryWord, ...]) -> EntryPage:
    preferred_ids = resolve_languages(request.preferences, connection.catalogue)
    selected = _SelectedEntries.from_request(
        connection, request, [_order_entries(item, preferred_ids) for item in items], preferred_ids
    )
    languages = connection.catalogue.languages_by_id
    words = selected.words
    language = languages[
        words[0].language_id if words else LANGUAGE_BY_SCRIPT.get(detect_script(request.text), ASSAMESE)
    ]
    spelling, is_part = words[0].word if words else request.text, request.focus.is_part
    is_alone = bool(words) and len(items) == 1
    parts = _build_results(connection, selected, is_full=request.is_full)
    whole = (
        NO_WHOLE_MATCH
        if is_alone or not _should_match_whole(request)
        else match_whole_query(connection, request.text, preferred_ids)
    )
    ids_above = {each.id for each in whole.sayings} | {each.id for each in whole.with_words}
    sayings = proverbs.find_by_word(connection, spelling, language, MAX_PROVERBS) if words and not is_part else ()
    return EntryPage(
        text=request.text,
        parts=parts,
        languages=languages,
        language=language,
        neighbours=Neighbours((), ())
        if is_part
        else browse.find_adjacent_words(connection, language.id, spelling, MAX_NEIGHBOURS),
        proverbs=tuple([each for each in sayings if each.id not in ids_above]),
        near=()
        if words
        else _find_near_words(connection, request.text, {each.id for item in items for each in item.suggestions}),
        mine=preferred_ids,
        focus=selected.focus,
        audio_of_examples=load_example_audio(connection, _list_ideas_with_examples(parts)),
        whole=whole,
    )


def _order_entries(item: QueryWord, preferred_ids: Sequence[int]) -> QueryWord:
    """Sort entries of the exact spelling by the reader's order of languages."""
    if item.match is not Match.EXACT:
        return item
    order = sort_languages({word.language_id for word in item.entries}, preferred_ids)
    ordered = sorted(item.entries, key=lambda word: order.index(word.language_id))
    return msgspec.structs.replace(item, entries=tuple(ordered))


class _SelectedEntries(NamedTuple):
    """Entries selected by the focus of a request, and the IDs of the user's languages in order."""

    items: list[QueryWord]
    focus: Focus
    preferred_ids: tuple[int, ...]

    @staticmethod
    def from_request(
        connection: ReadConnection, request: EntryRequest, items: list[QueryWord], preferred_ids: tuple[int, ...]
    ) -> "_SelectedEntries":
        """Filter the entries by the focus; drop a focus that matches no entry."""
        focus = request.focus
        language = connection.catalogue.find_language(focus.language) if focus.language else None
        selected = [
            msgspec.structs.replace(item, entries=entries)
            for item in items
            if (entries := tuple([word for word in item.entries if _is_selected(word, language, focus.idea_id)]))
        ]
        if not selected:
            selected, focus = items, Focus(is_part=focus.is_part)
        return _SelectedEntries(selected, focus, preferred_ids)

    @property
    def words(self) -> list[Word]:
        """Words of all parts of the query."""
        return [word for item in self.items for word in item.entries]

    def list_senses(self, word: Word) -> list[NumberedMeaning]:
        """List the requested senses of a word, each with its number."""
        idea_id = self.focus.idea_id
        return [numbered for numbered in enumerate(word.meanings, 1) if not idea_id or numbered[1].idea_id == idea_id]


def _is_selected(word: Word, language: Language | None, idea_id: int) -> bool:
    if language is not None and word.language_id != language.id:
        return False
    return not idea_id or any(meaning.idea_id == idea_id for meaning in word.meanings)


def _load_sense_context(
    connection: ReadConnection,
    selected: _SelectedEntries,
    senses: Sequence[Sequence[NumberedMeaning]],
    displays: Sequence[EntryDisplay],
) -> SenseContext:
    """Load the data of the senses' ideas; for open senses, also the words of related ideas."""
    idea_ids = {meaning.idea_id for meanings in senses for _, meaning in meanings}
    open_ids = {
        meaning.idea_id
        for meanings, item in zip(senses, displays, strict=True)
        for _, meaning in meanings[: item.open_senses]
    }
    ideas_by_id = load_idea_rows(connection, sorted(idea_ids), sorted(open_ids))
    ideas = {idea_id: item.json for idea_id, item in ideas_by_id.items() if item.json is not None}
    is_whole = bool(selected.focus.idea_id and not selected.focus.is_brief)
    related = list_related_ids(ideas.values(), is_whole=is_whole)
    sources = connection.catalogue.sources
    return SenseContext(
        selected.preferred_ids,
        connection.catalogue.languages_by_id,
        {idea_id: IdeaHeading(item.glyph, sources.get(item.source_id or 0)) for idea_id, item in ideas_by_id.items()},
        build_confirmations(
            connection, {key: item.confirmed for key, item in ideas_by_id.items() if item.confirmed is not None}
        ),
        frozenset(source.notice for source in sources.values() if source.notice),
        ideas,
        load_idea_json(connection, related, frozenset({"words"})) if related else {},
        is_whole,
    )


def _build_results(connection: ReadConnection, selected: _SelectedEntries, *, is_full: bool) -> tuple[WordResults, ...]:
    words = selected.words
    numbered = [selected.list_senses(word) for word in words]
    displays = _choose_displays(selected, is_full=is_full)
    context = _load_sense_context(connection, selected, numbered, displays)
    inflected = _list_inflected_ids(words, displays)
    blocks = (
        msgspec.structs.replace(
            _build_entry(word, meanings, context, listed_count=display.listed_senses, open_count=display.open_senses),
            is_folded=not display.is_shown,
            forms=arrange_forms(forms.read_tables(connection, word)) if word.id in inflected else (),
        )
        for word, meanings, display in zip(words, numbered, displays, strict=True)
    )
    limits = (
        [len(words)] * len(selected.items)
        if is_full or len(selected.items) == 1
        else count_entries_per_word(len(selected.items))
    )
    return tuple(
        _build_word_results(item, [next(blocks) for _ in item.entries], limit)
        for item, limit in zip(selected.items, limits, strict=True)
    )


def _list_ideas_with_examples(parts: Sequence[WordResults]) -> list[int]:
    """List the ideas whose examples a page shows."""
    senses = (sense for part in parts for entry in part.entries for sense in entry.senses)
    return list(dict.fromkeys(sense.meaning.idea_id for sense in senses if sense.is_open and sense.examples))


def _build_word_results(item: QueryWord, blocks: Sequence[EntryBlock], limit: int) -> WordResults:
    left_out = max(0, len(blocks) - limit)
    return WordResults(
        item.queryword, item.match, tuple(blocks[:limit]), item.suggestions, left_out, _describe_forms(item)
    )


def _describe_forms(item: QueryWord) -> tuple[FormDescription, ...]:
    """Describe an inflected form by its features; leave out analyses without any."""
    analyses = item.analysis.analyses if item.analysis is not None else ()
    described = dict.fromkeys(FormDescription(describe_features(each.features), each.lemma) for each in analyses)
    return tuple(each for each in described if each.label.english)[:MAX_DESCRIBED_FORMS]


def _choose_displays(selected: _SelectedEntries, *, is_full: bool) -> list[EntryDisplay]:
    """Choose for each entry whether it is shown, and how many of its senses are listed and opened."""
    counts = [[(word.language_id, len(selected.list_senses(word))) for word in item.entries] for item in selected.items]
    if is_full:
        return [
            EntryDisplay(is_shown=True, listed_senses=count, open_senses=0)
            for word_counts in counts
            for _, count in word_counts
        ]
    if selected.focus.language:
        return plan_entry_displays(
            counts, selected.preferred_ids, sum(count for word_counts in counts for _, count in word_counts)
        )
    return plan_entry_displays(counts, selected.preferred_ids)


def _list_inflected_ids(words: Sequence[Word], displays: Sequence[EntryDisplay]) -> frozenset[int]:
    """Return the IDs of the words whose forms are shown: the first Assamese ones."""
    assamese = [
        word.id
        for word, display in zip(words, displays, strict=True)
        if display.is_shown and word.language_id == ASSAMESE
    ]
    return frozenset(assamese[:MAX_INFLECTED_WORDS])


def _build_entry(
    word: Word, numbered: Sequence[NumberedMeaning], context: SenseContext, *, listed_count: int, open_count: int
) -> EntryBlock:
    folded = [collapse_sense(number, word, meaning, context) for number, meaning in numbered[:listed_count]]
    senses = [expand_sense(sense, word, context) for sense in folded[:open_count]] + folded[open_count:]
    if open_count:
        open_meanings = {sense.meaning.idea_id: sense.meaning for sense in senses}
        meanings = tuple(open_meanings.get(meaning.idea_id, meaning) for meaning in word.meanings)
        word = msgspec.structs.replace(word, meanings=meanings)
    return EntryBlock(word, context.languages[word.language_id], tuple(senses), len(numbered) - listed_count)


def _find_near_words(connection: ReadConnection, text: str, suggested_ids: set[int]) -> Sequence[FoundWord]:
    """Find near words by any strategy, except those that are already suggested."""
    hits = search.search(connection, text, None, fuzzy=True, limit=MAX_NEAR_WORDS)
    return tuple(hit for hit in hits if hit.id not in suggested_ids)
