"""Metrics of the backlog: pending reviews, e-mails that are due, and paused wikis, counted with indexes."""

from collections.abc import Iterator
from typing import Any, Final

from prometheus_client.samples import Sample
from sqlalchemy import BigInteger, ColumnElement, Select, Table, bindparam, case, func, select

from abhidhan.encyclopedia import store
from abhidhan.encyclopedia.model.wiki_rate_limit import ALL_WIKIS
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.submission_payloads import Kind
from abhidhan.records.submissions import Status
from abhidhan.schema import mail_choice, photo, recording, submission


def _select_pending(table: Table, *conditions: ColumnElement[bool]) -> Select[Any, Any]:
    """Build the select for the number of pending rows of a table, and the time of the oldest."""
    waits = table.c.status == str(Status.PENDING)
    return select(func.count(), func.min(table.c.submitted)).select_from(table).where(waits, *conditions)


_PENDING_SUBMISSIONS: Final = CompiledQuery(
    _select_pending(submission).add_columns(submission.c.kind).group_by(submission.c.kind)
)
_PENDING_UPLOADS: Final = {
    # Photos submitted with a word are reviewed with it.
    "photo": CompiledQuery(_select_pending(photo, photo.c.submission_id.is_(None))),
    "recording": CompiledQuery(_select_pending(recording)),
}
_KINDS: Final = (*map(str, Kind), *_PENDING_UPLOADS)
_NOW: Final = bindparam("now", type_=BigInteger)
_DUE_MAILS: Final = CompiledQuery(
    select(func.count(), func.min(mail_choice.c.due), func.count(case((mail_choice.c.tries > 0, 1)))).where(
        mail_choice.c.due <= _NOW
    )
)


def read_backlog(connection: ReadConnection, now: int) -> list[Sample]:
    """Read the samples of pending reviews, e-mails that are due, and paused wikis."""
    return [
        *_iter_review_samples(connection),
        *_iter_mail_samples(connection, now),
        *_iter_wiki_samples(connection, now),
    ]


def _iter_review_samples(connection: ReadConnection) -> Iterator[Sample]:
    files = [(*connection.rows(query)[0], kind) for kind, query in _PENDING_UPLOADS.items()]
    by_kind = {kind: (count, oldest) for count, oldest, kind in (*connection.rows(_PENDING_SUBMISSIONS), *files)}
    for kind in _KINDS:
        count, oldest = by_kind.get(kind, (0, None))
        yield Sample("abhidhan_review_waiting", {"kind": kind}, count)
        if oldest is not None:
            yield Sample("abhidhan_review_oldest_timestamp_seconds", {"kind": kind}, oldest)


def _iter_mail_samples(connection: ReadConnection, now: int) -> Iterator[Sample]:
    ((count, oldest, tried),) = connection.rows(_DUE_MAILS, now=now)
    yield Sample("abhidhan_mails_waiting", {"state": "new"}, count - tried)
    yield Sample("abhidhan_mails_waiting", {"state": "failed"}, tried)
    if oldest is not None:
        yield Sample("abhidhan_mails_oldest_timestamp_seconds", {}, oldest)


def _iter_wiki_samples(connection: ReadConnection, now: int) -> Iterator[Sample]:
    for wiki in store.read_wikis(connection).values():
        if wiki.address != ALL_WIKIS:
            is_closed = wiki.failures > 0 and wiki.free_at > now * 1000
            yield Sample("abhidhan_wiki_closed", {"wiki": wiki.address}, is_closed)
