from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from abhidhan import schema
from abhidhan.dictionary.store import contexts
from abhidhan.dictionary.store.contexts import IdeaFilter
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.plans import find_scanned_tables

FILTERS = st.builds(
    IdeaFilter,
    st.sampled_from([(), (6,), (41,), (6, 41), (50,), (999,), (41, 41, 12, 13, 14)]),
    st.sampled_from([None, 0, 1, 2, 3, 9, 999]),
    st.sampled_from([0, 1, 2, 6, 13, 21, 22, 999]),
)


def list_ideas_of_tables(connection: ReadConnection, chosen: IdeaFilter) -> list[int]:
    """List the ideas by looking at every one."""
    idea, sense, context = schema.idea, schema.sense, schema.idea_context
    every = {row[0]: row[1] for row in connection.rows(CompiledQuery(select(idea.c.id, idea.c.pos_id)))}
    languages = {tuple(row) for row in connection.rows(CompiledQuery(select(sense.c.idea_id, sense.c.language_id)))}
    contexts = {tuple(row) for row in connection.rows(CompiledQuery(select(context.c.idea_id, context.c.context_id)))}
    return [
        idea_id
        for idea_id in sorted(every)
        if chosen.pos_id in {None, every[idea_id] or 0}
        and (chosen.language_id == ALL_LANGUAGES or (idea_id, chosen.language_id) in languages)
        and (not chosen.context_ids or any((idea_id, each) in contexts for each in chosen.context_ids))
    ]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(chosen=FILTERS, limit=st.integers(1, 60), offset=st.integers(0, 60))
def test_exactly_the_matching_ideas_are_listed_and_counted(
    shared_dictionary: Database, chosen: IdeaFilter, limit: int, offset: int
) -> None:
    def compare(connection: ReadConnection) -> None:
        expected = list_ideas_of_tables(connection, chosen)
        assert contexts.list_ideas(connection, chosen, limit, offset) == expected[offset : offset + limit]
        assert contexts.count_ideas(connection, chosen) == len(expected)

    shared_dictionary.read_now(compare)


def _jobs() -> Iterator[tuple[str, Callable[[ReadConnection], object]]]:
    for name, chosen in {
        "all": IdeaFilter(),
        "context": IdeaFilter((6, 41)),
        "part of speech": IdeaFilter((), 1),
        "no part of speech": IdeaFilter((), 0),
        "language": IdeaFilter((), None, 2),
        "all of them": IdeaFilter((6,), 1, 2),
        "a rare language": IdeaFilter((), 1, 6),
    }.items():
        yield f"list: {name}", lambda reader, chosen=chosen: contexts.list_ideas(reader, chosen, 5, 2)  # type: ignore[misc]
        yield f"count: {name}", lambda reader, chosen=chosen: contexts.count_ideas(reader, chosen)  # type: ignore[misc]


JOBS = dict(_jobs())


def test_every_read_is_a_search_by_an_index(sqlite_databases: SqliteDatabases, subtests: pytest.Subtests) -> None:
    with open_database(sqlite_databases, load_sample) as dictionary:
        for name, job in JOBS.items():
            with subtests.test(name):
                assert find_scanned_tables(dictionary, job) == []
