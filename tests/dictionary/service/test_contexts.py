from functools import partial

import pytest

from abhidhan.dictionary.service import contexts
from abhidhan.dictionary.service.contexts import ContextBranch
from abhidhan.dictionary.service.views.listings import (
    MAX_IDEAS_SCANNED,
    find_ideas_with_pictures,
    read_context_page,
)
from abhidhan.dictionary.store import contexts as stored
from abhidhan.dictionary.store import ideas
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import NotFoundError
from abhidhan.records.language_preferences import LanguagePreferences


def names(branches: tuple[ContextBranch, ...]) -> set[str]:
    return {name for branch in branches for name in (branch.item.value, *names(branch.below))}


def test_the_tree_has_the_contexts_in_use_and_their_ancestors(shared_dictionary: Database) -> None:
    results = names(shared_dictionary.read_now(contexts.read_tree))

    assert {"All", "Nature", "Water"} <= results
    assert "Chemistry" not in results


def test_a_context_has_the_ideas_of_its_descendants(shared_dictionary: Database) -> None:
    page = shared_dictionary.read_now(lambda reader: read_context_page(reader, "nature", 0, LanguagePreferences()))

    words = {
        word for idea in page.ideas for words in (idea.headwords, *(some for _, some in idea.others)) for word in words
    }
    assert {"পানী", "white"} <= words
    assert [item.value for item in page.subject.path] == ["All"]


def test_ideas_are_read_page_by_page_without_a_gap(shared_dictionary: Database) -> None:
    whole = shared_dictionary.read_now(lambda reader: contexts.read_context_ideas(reader, "All", 0, 1000))
    start: int | None = 0
    pages: list[int] = []
    while start is not None:
        page = shared_dictionary.read_now(
            lambda reader, start=start: contexts.read_context_ideas(reader, "All", start, 7)  # type: ignore[misc]
        )
        pages += [idea.id for idea in page.ideas]
        start = page.next

    assert pages == [idea.id for idea in whole.ideas]


def test_ideas_of_several_contexts_are_merged_in_order_without_repeats(
    shared_dictionary: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored, "MIN_BATCH_SIZE", 1)
    ids = shared_dictionary.read_now(lambda reader: contexts.read_context(reader, "All").ids)
    rows = shared_dictionary.read_now(
        lambda reader: [stored.list_ideas_in_contexts(reader, [each], 0, 1000) for each in ids]
    )
    every = sorted({idea_id for each in rows for idea_id in each})

    for start, limit in ((0, 1000), (0, 2), (every[1], 3), (every[-1], 2), (every[-1] + 1, 2)):
        results = shared_dictionary.read_now(
            partial(stored.list_ideas_in_contexts, context_ids=ids, start=start, limit=limit)
        )
        assert results == [each for each in every if each >= start][:limit]


def test_an_unknown_context_is_not_found(shared_dictionary: Database) -> None:
    with pytest.raises(NotFoundError, match="Nothing"):
        shared_dictionary.read_now(lambda reader: contexts.read_context_ideas(reader, "Nothing", 0, 5))


def test_the_heading_of_an_idea_has_its_source(shared_dictionary: Database) -> None:
    heads = shared_dictionary.read_now(lambda reader: contexts.read_headings(reader, [1, 10**6]))

    assert set(heads) == {1}
    source = heads[1].source
    assert source is not None
    assert source.code == "sample"
    assert shared_dictionary.read_now(lambda reader: contexts.read_headings(reader, [])) == {}


def test_the_words_of_ideas_are_read_together(shared_dictionary: Database) -> None:
    words = shared_dictionary.read_now(lambda reader: contexts.read_words(reader, [1]))

    assert "পানী" in {text for text, language in words[1] if language.code == "as"}


def test_pictures_are_found_page_by_page_by_glyph_or_approved_photo(shared_dictionary: Database) -> None:
    whole = shared_dictionary.read_now(lambda reader: ideas.list_ideas_from(reader, 0, 100_000))
    pictured = shared_dictionary.read_now(lambda reader: ideas.filter_ideas_with_pictures(reader, whole))
    start: int | None = 0
    results: list[int] = []
    while start is not None:
        some, start = shared_dictionary.read_now(
            lambda reader, start=start: find_ideas_with_pictures(
                reader, partial(ideas.list_ideas_from, reader), start, 2
            )  # type: ignore[misc]
        )
        assert len(some) <= 2
        results += some

    assert pictured
    assert results == sorted(pictured)


def test_a_search_for_pictures_stops_after_many_ideas_without_any(shared_dictionary: Database) -> None:
    def endless(start: int, limit: int) -> list[int]:
        return list(range(10_000_000 + start, 10_000_000 + start + limit))

    results, following = shared_dictionary.read_now(lambda reader: find_ideas_with_pictures(reader, endless, 0))

    assert results == []
    assert following == 10_000_000 + MAX_IDEAS_SCANNED
