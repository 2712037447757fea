"""Confirmations of ideas, with user and time, and unconfirmed ideas whose source has a notice."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Integer, Text, bindparam, exists, func, literal_column, select

from abhidhan.dictionary.store.changes import load_newest_run
from abhidhan.platform.database.compiled_queries import CompiledQuery, chunks, in_list, list_params, per_list_size
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.history import HistoryAction
from abhidhan.records.ideas import Confirmation, IdeaWithWord, sort_by_frequency
from abhidhan.records.languages import ASSAMESE
from abhidhan.records.paging import Page
from abhidhan.schema import confirmation, history, history_record, idea, person, sense, source, word

MAX_RANKED_IDEAS: Final = 50_000
"""Maximum number of unchecked ideas ranked in one pass, by ID: more than users check in years; others follow later."""

# --- confirmed ideas -------------------------------------------------------------------------------------------------

_CONFIRMATION_TIMES = per_list_size(
    lambda size: select(confirmation.c.idea_id, confirmation.c.confirmed).where(
        in_list(confirmation.c.idea_id, "id", size)
    )
)
_CONFIRMERS = per_list_size(
    lambda size: (
        select(history_record.c.record_id, history.c.person_id, person.c.username)
        .select_from(
            history_record.join(history, history.c.id == history_record.c.history_id).outerjoin(
                person, person.c.id == history.c.person_id
            )
        )
        .where(
            history_record.c.kind == literal_column("'confirmation'", Text),
            in_list(history_record.c.record_id, "id", size),
            history.c.action_id == literal_column(str(int(HistoryAction.APPROVED)), Integer),
        )
        .order_by(history.c.id)
    )
)


def load_confirmations(connection: ReadConnection, idea_ids: Sequence[int]) -> dict[int, Confirmation]:
    """Load the confirmations of ideas by ID; unconfirmed ideas are left out."""
    confirmed: dict[int, int] = {}
    for batch in chunks(idea_ids):
        confirmed |= {
            row[0]: row[1] for row in connection.rows(_CONFIRMATION_TIMES(len(batch)), **list_params("id", batch))
        }
    return build_confirmations(connection, confirmed)


def build_confirmations(connection: ReadConnection, confirmed: Mapping[int, int]) -> dict[int, Confirmation]:
    """Build confirmations from their times by idea ID, with the names of the users who confirmed the ideas."""
    names = _load_confirmer_names(connection, [*confirmed])
    return {idea_id: Confirmation(idea_id, names.get(idea_id, ""), moment) for idea_id, moment in confirmed.items()}


def _load_confirmer_names(connection: ReadConnection, idea_ids: Sequence[int]) -> dict[int, str]:
    """Return the name of the user who confirmed each idea last, since earlier confirmations may be withdrawn."""
    names: dict[int, str] = {}
    for batch in chunks([str(idea_id) for idea_id in idea_ids]):
        rows = connection.rows(_CONFIRMERS(len(batch)), **list_params("id", batch))
        names |= {int(record_id): name or "" for record_id, person_id, name in rows if person_id is not None}
    return names


# --- unchecked ideas -------------------------------------------------------------------------------------------------


def _unchecked_conditions() -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    with_notice = select(source.c.id).where(source.c.notice.is_not(None))
    return idea.c.source_id.in_(with_notice), ~exists().where(confirmation.c.idea_id == idea.c.id)


_FIRST_UNCHECKED = (
    select(idea.c.id)
    .where(*_unchecked_conditions())
    .order_by(idea.c.id)
    .limit(bindparam("limit", type_=Integer))
    .subquery()
)
_UNCHECKED_WORDS = CompiledQuery(
    select(_FIRST_UNCHECKED.c.id, word.c.exact_key, word.c.frequency).select_from(
        _FIRST_UNCHECKED.outerjoin(
            sense, (sense.c.idea_id == _FIRST_UNCHECKED.c.id) & (sense.c.language_id == ASSAMESE)
        ).outerjoin(word, word.c.id == sense.c.word_id)
    )
)
_UNCHECKED_COUNT = CompiledQuery(select(func.count()).select_from(idea).where(*_unchecked_conditions()))
_ALL_CONFIRMED = CompiledQuery(select(confirmation.c.idea_id))


class _Ranking(NamedTuple):
    """Ranking of the unchecked ideas; it is valid as long as `state` (`_ranking_state`) is the same.

    `confirmed` are the confirmed ideas; `unranked_count` is the number of unchecked ideas beyond `MAX_RANKED_IDEAS`.
    """

    state: tuple[object, ...]
    confirmed: frozenset[int]
    order: tuple[int, ...]
    unranked_count: int


def list_unchecked_ideas(connection: ReadConnection, limit: int, offset: int) -> Page[int]:
    """Return a page of the IDs of unchecked ideas, most common first, and their total number."""
    ranking = connection.cached(_rank)
    return Page(ranking.order[offset : offset + limit], len(ranking.order) + ranking.unranked_count)


def _rank(connection: ReadConnection, previous: _Ranking | None) -> _Ranking:
    """Rank the unchecked ideas, once for each state of the records.

    A confirmation raises the data version, but changes no record: its idea is only removed from the existing ranking,
    since ranking the dictionary again for each of thousands of confirmations would take too long.
    """
    state = _ranking_state(connection)
    confirmed = frozenset(chain.from_iterable(connection.rows(_ALL_CONFIRMED)))
    if previous is not None and previous.state == state and previous.confirmed <= confirmed:
        remaining = tuple([idea_id for idea_id in previous.order if idea_id not in confirmed])
        if remaining or not previous.unranked_count:
            return _Ranking(state, confirmed, remaining, previous.unranked_count)
    order = sort_by_frequency(map(IdeaWithWord._make, connection.rows(_UNCHECKED_WORDS, limit=MAX_RANKED_IDEAS)))
    total = int(connection.rows(_UNCHECKED_COUNT)[0][0]) if len(order) == MAX_RANKED_IDEAS else len(order)
    return _Ranking(state, confirmed, order, max(0, total - len(order)))


def _ranking_state(connection: ReadConnection) -> tuple[object, ...]:
    """Return the state on which a ranking depends: the latest change, and the sources with a notice."""
    newest = load_newest_run(connection)
    with_notice = (item.id for item in connection.catalogue.sources.values() if item.notice is not None)
    return newest.version, newest.number, *sorted(with_notice)
