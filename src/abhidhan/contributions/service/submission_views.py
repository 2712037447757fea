"""Submissions as shown to submitters and editors, and similar existing records."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from abhidhan.dictionary.model.cascade import SearchMatch
from abhidhan.dictionary.model.query import make_loose_keys, make_sound_keys
from abhidhan.dictionary.service import phrases, search
from abhidhan.dictionary.store import phrases as stored_phrases
from abhidhan.dictionary.store import word_rows
from abhidhan.dictionary.store import words as stored_words
from abhidhan.dictionary.store.ideas import load_idea
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.editing.store import history
from abhidhan.people.store import people as stored_people
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.paging import Page
from abhidhan.records.submission_payloads import (
    AnySubmission,
    Kind,
    ListValueRecord,
    MissingSubmission,
    ProverbSubmission,
    RecordData,
    RecordSubmission,
    WordSubmission,
    decode_submission,
)
from abhidhan.records.submissions import Status
from abhidhan.submissions import store as stored
from abhidhan.submissions.store import SubmissionRow
from assamese.keys import exact_key
from assamese.phrase_similarity import similarity

MAX_WORDS_IN_NAME: Final = 3
"""Maximum number of words in the display name of an idea."""

NAME_FIELDS: Final = ("word", "text", "clue")
"""Fields with the display name of a new record, in order of preference."""

CHANGE_FIELDS: Final = ("word", "idea", "phrase", "sense")
"""Fields with the changes of a correction."""


class Submission(msgspec.Struct, frozen=True):
    """A submission as shown to its submitter and to editors. Times are seconds since 1970.

    `result` is a reference to the resulting record.
    `times` counts the reports of a missing word; None for other kinds.
    `licence` is the licence of the contribution; None if none was stated.
    `hidden` is the reason for which an operator has hidden the data; `data` is then empty.
    """

    submission_id: int
    kind: Kind
    data: object
    status: Status
    reason: str | None
    submitted: int
    decided: int | None
    submitter: str | None
    result: str | None
    licence: str | None
    times: int | None = None
    hidden: str | None = None


def get_submission(connection: ReadConnection, submission_id: int) -> Submission:
    """Return a submission by ID. Raises NotFoundError."""
    row = stored.find_submission(connection, submission_id)
    if row is None:
        raise NotFoundError(
            sentence("There is no submission with the ID %(submission_id)s.", submission_id=submission_id)
        )
    return _build_views(connection, [row])[0]


def list_page(
    connection: ReadConnection, *, status: Status | None, person_id: int | None, limit: int, offset: int
) -> Page[Submission]:
    """Return a page of submissions, filtered by status and submitter (None: any)."""
    page = stored.list_submissions(connection, status, person_id, limit, offset)
    return Page(_build_views(connection, page.items), page.total)


def load_subjects(connection: ReadConnection, *, submissions: Iterable[Submission]) -> dict[int, str]:
    """Return the display names of the records that submissions concern; empty for deleted records."""
    return {
        submission.submission_id: _load_subject(connection, submission.data)
        for submission in submissions
        if isinstance(submission.data, dict)
    }


def _load_subject(connection: ReadConnection, data: Mapping[str, Any]) -> str:
    if data.get("word_id"):
        return ", ".join(word.word for word in word_rows.load_words(connection, [data["word_id"]]))
    if data.get("phrase_id"):
        return ", ".join(phrase.text for phrase in stored_phrases.load_phrases(connection, [data["phrase_id"]]))
    idea = load_idea(connection, data["idea_id"]) if data.get("idea_id") else None
    return ", ".join(word.word for word in idea.words[:MAX_WORDS_IN_NAME]) if idea else ""


def format_name(submission: Submission, subject: str) -> str:
    """Return the display name of a submission; `subject` is that of the record it concerns."""
    data = submission.data if isinstance(submission.data, dict) else {}
    if data.get("word_id") or any(isinstance(data.get(field), dict) for field in CHANGE_FIELDS):
        return subject
    return next((str(data[field]) for field in NAME_FIELDS if data.get(field)), subject)


def _build_views(connection: ReadConnection, rows: Sequence[SubmissionRow]) -> tuple[Submission, ...]:
    names = stored_people.load_names(connection, [row.person_id for row in rows if row.person_id is not None])
    reasons = history.find_hidden_reasons(connection, "submission", [str(row.id) for row in rows])
    return tuple(_to_submission(row, names, reasons.get(str(row.id))) for row in rows)


def _to_submission(row: SubmissionRow, names: Mapping[int, str], hidden: str | None) -> Submission:
    return Submission(
        submission_id=row.id,
        kind=Kind(row.kind),
        data={} if hidden else msgspec.to_builtins(decode_submission(row.payload).data),
        status=Status(row.status),
        reason=row.reason,
        submitted=row.submitted,
        decided=row.decided,
        submitter=names.get(row.person_id or 0),
        result=row.result,
        licence=row.licence,
        times=row.times,
        hidden=hidden,
    )


MAX_SIMILAR_RECORDS: Final = 10
NEAR_MATCHES: Final = frozenset({SearchMatch.INFLECTED, SearchMatch.PHONETIC, SearchMatch.FUZZY})
"""Search matches that are other words, one of which the sender may have meant."""

LIST_VALUE_LANGUAGE: Final = "en"
"""Language of list values; pages translate the built-in ones."""

VALUE_SIMILARITY_THRESHOLD: Final = 0.7
"""Minimum similarity, from 0 to 1, of two list values that may be duplicates."""


class Similar(msgspec.Struct, frozen=True):
    """A similar existing word, proverb or list value.

    `match` is `exact`, `loose`, `phonetic`, `near` or `similar`.
    """

    id: int
    text: str
    language_id: int
    match: str


def find_similar(connection: ReadConnection, submission: AnySubmission) -> tuple[Similar, ...]:
    """Return existing records similar to a submission, most similar first."""
    match submission:
        case WordSubmission(data) | MissingSubmission(data):
            return _find_similar_words(connection, data.word, str(data.language))
        case ProverbSubmission(data):
            language = connection.catalogue.find_language(str(data.language))
            hits = phrases.find_similar(connection, data.text, language.id, MAX_SIMILAR_RECORDS) if language else ()
            return tuple(
                Similar(hit.id, hit.phrase, hit.language_id, "exact" if hit.exact else "similar") for hit in hits
            )
        case RecordSubmission(RecordData(ListValueRecord() as record)):
            return _find_similar_values(connection, record.list, record.value)
        case _:
            return ()


def _find_similar_values(connection: ReadConnection, list_name: str, value: str) -> tuple[Similar, ...]:
    """Return the values of a list with similar names, most similar first."""
    english = connection.catalogue.find_language(LIST_VALUE_LANGUAGE)
    if english is None:
        return ()
    scored_items = [
        (similarity(value, item.value, english.code), item) for item in connection.catalogue.list_items(list_name)
    ]
    near = sorted(
        (pair for pair in scored_items if pair[0] >= VALUE_SIMILARITY_THRESHOLD),
        key=lambda pair: (-pair[0], pair[1].id),
    )
    return tuple(
        Similar(item.id, item.value, english.id, "exact" if item.value.casefold() == value.casefold() else "similar")
        for _, item in near[:MAX_SIMILAR_RECORDS]
    )


def _find_similar_words(connection: ReadConnection, text: str, language_name: str) -> tuple[Similar, ...]:
    """Return the words of a language with the same exact, loose or sound key, in this order, then fuzzy matches."""
    language = connection.catalogue.find_language(language_name)
    if language is None:
        return ()
    orthographies = connection.catalogue.orthographies(language.id)
    keys_by_column = (
        (KeyColumn.EXACT, "exact", {exact_key(text)}),
        (KeyColumn.LOOSE, "loose", {*make_loose_keys(text, orthographies).values.values()}),
        (KeyColumn.SOUND, "phonetic", {*make_sound_keys(text, orthographies).get(language.id, frozenset())}),
    )
    similar: dict[int, Similar] = {}
    for column, match, keys in keys_by_column:
        for hit in stored_words.find_by_key(connection, column, sorted(keys), language.id, limit=MAX_SIMILAR_RECORDS):
            similar.setdefault(hit.word_id, Similar(hit.word_id, hit.text, hit.language_id, match))
    for near in search.search(connection, text, language.id, fuzzy=True, limit=MAX_SIMILAR_RECORDS):
        if near.match in NEAR_MATCHES:
            similar.setdefault(near.id, Similar(near.id, near.word, near.language_id, "near"))
    return tuple(similar.values())[:MAX_SIMILAR_RECORDS]
