"""Pages of the history of records, with undo for editors."""

from collections.abc import Iterable
from typing import Annotated, Final

import msgspec
from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.service.browse import get_word
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.views.ideas import load_idea_spellings, load_spellings, read_idea
from abhidhan.editing.pages.differences import IDEA_FIELDS, DisplayNames, FieldDifference, compare_states
from abhidhan.editing.pages.record_fields import PATH_BY_KIND, is_record_number
from abhidhan.editing.service.editing import Editing
from abhidhan.editing.service.history import RevisionView
from abhidhan.people.pages.staff import NO_STORE_HEADERS, StaffContext, handle_staff_form, require_staff
from abhidhan.platform.http.forms import Form
from abhidhan.platform.http.parameters import PathID
from abhidhan.platform.http.rendering import PageRequest, PagesDep, redirect_to
from abhidhan.platform.http.services import get_service
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.history import RecordRef, RecordState, SenseState
from abhidhan.records.ids import MAX_ID
from abhidhan.records.people import Permission

MAX_REVISIONS: Final = 30
MAX_WORDS_PER_IDEA: Final = 3

RecordParam = Annotated[str, QueryParameter(max_length=40)]


class HistoryItem(msgspec.Struct, frozen=True):
    """A history entry with its differences. `stands` is true if none of its records has changed since.

    Only then is undo offered.
    """

    revision: RevisionView
    differences: tuple[FieldDifference, ...]
    stands: bool


def are_undoable(revisions: Iterable[RevisionView]) -> list[bool]:
    """Return, for each entry from newest to oldest, whether none of its records has changed since.

    False for all entries older than a hidden one, as its changes are unknown.
    """
    newest: dict[str, RecordState | None] = {}
    undoable = []
    is_known = True
    for revision in revisions:
        is_known = is_known and revision.hidden is None
        for change in revision.changes:
            newest.setdefault(change.record, change.after)
        changes = [change for change in revision.changes if change.before != change.after]
        undoable.append(is_known and bool(changes) and all(newest[change.record] == change.after for change in changes))
    return undoable


async def list_latest_history(staff: StaffContext, catalogue: Catalogue, ref: RecordRef) -> list[HistoryItem]:
    """Return the latest history entries of a record, newest first."""
    return await read_history(staff.service(Editing), staff.dictionary, catalogue, ref, limit=MAX_REVISIONS)


async def read_history(  # noqa: PLR0913 (data sources and filters)
    editing: Editing, dictionary: Dictionary, catalogue: Catalogue, ref: RecordRef, *, limit: int, offset: int = 0
) -> list[HistoryItem]:
    """Return a page of the history entries of a record, newest first."""
    revisions = await editing.list_history(ref, limit, offset)
    states = [state for revision in revisions for change in revision.changes for state in (change.before, change.after)]
    numbers = {number for state in states for number in _list_idea_ids(state)}
    words = await dictionary.read(load_idea_spellings, sorted(numbers))
    ideas = {number: ", ".join(of_idea[:MAX_WORDS_PER_IDEA]) for number, of_idea in words.items()}
    word_ids = {state.word_id for state in states if isinstance(state, SenseState)}
    names = DisplayNames(ideas, await dictionary.read(load_spellings, sorted(word_ids)) if word_ids else {})
    return [
        HistoryItem(
            revision,
            tuple(
                revisions
                for change in revision.changes
                for revisions in compare_states(change.before, change.after, catalogue, names)
            ),
            stands,
        )
        for revision, stands in zip(revisions, are_undoable(revisions), strict=True)
    ]


def _list_idea_ids(state: RecordState | None) -> set[int]:
    """Return the IDs of the ideas that a state references."""
    numbers = (getattr(state, name, None) for name in IDEA_FIELDS)
    return {number for number in numbers if isinstance(number, int)}


@get("/edit/history/{entry_id:int}", include_in_schema=False)
async def show_deleted(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, entry_id: PathID, of: RecordParam = ""
) -> Response[str]:
    """Show that a record was deleted, and offer undo."""
    staff = await require_staff(request, dictionary, pages, Permission.EDIT)
    if isinstance(staff, Response):
        return staff
    values = {"entry_id": entry_id, "record": of, "kind": of.partition(":")[0]}
    return staff.show("edit-deleted.html", values)


@post("/edit/history/{entry_id:int}/undo", include_in_schema=False)
async def undo(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, entry_id: PathID, of: RecordParam = ""
) -> Response[str]:
    """Undo a change, and redirect to the record."""

    async def process_form(staff: StaffContext, _form: Form) -> Response[str]:
        await staff.service(Editing).undo(staff.person, entry_id)
        kind, _, number = of.partition(":")
        is_record = kind in PATH_BY_KIND and is_record_number(number)
        return redirect_to(
            f"{PATH_BY_KIND[kind]}/{number}?done=undone" if is_record else "/account", headers=NO_STORE_HEADERS
        )

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, process_form)


CHANGES_PER_PAGE: Final = 30

StartParam = Annotated[int, QueryParameter(ge=0, le=MAX_ID)]


@get("/history/word/{word_id:int}", include_in_schema=False)
async def show_word_history(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, word_id: PathID, start: StartParam = 0
) -> Response[str]:
    """Show the history of a word, with links to those of its senses."""
    word, catalogue = await dictionary.read(get_word, word_id), await dictionary.catalogue()
    values = {
        "text": word.word,
        "language": catalogue.language(word.language_id),
        "meanings": word.meanings,
        "languages": catalogue.languages_by_id,
        "address": f"/history/word/{word_id}",
        "kind": "word",
    }
    return await _show_history_page(request, dictionary, pages, RecordRef("word", str(word_id)), start, values)


@get("/history/idea/{idea_id:int}", include_in_schema=False)
async def show_idea_history(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, idea_id: PathID, start: StartParam = 0
) -> Response[str]:
    """Show the history of an idea."""
    view = await dictionary.read(read_idea, str(idea_id))
    if view is None or not view.idea.words:
        raise NotFoundError(sentence("There is no idea with the ID %(idea_id)s.", idea_id=idea_id))
    first = view.idea.words[0]
    values = {
        "text": first.word,
        "language": view.languages[first.language_id],
        "meanings": (),
        "languages": view.languages,
        "address": f"/history/idea/{idea_id}",
        "kind": "idea",
    }
    return await _show_history_page(request, dictionary, pages, RecordRef("idea", str(idea_id)), start, values)


async def _show_history_page(  # noqa: PLR0913, PLR0917 (parts of the page)
    request: PageRequest,
    dictionary: DictionaryDep,
    pages: PagesDep,
    ref: RecordRef,
    start: int,
    values: dict[str, object],
) -> Response[str]:
    editing, catalogue = get_service(request, Editing), await dictionary.catalogue()
    # One more than shown, to know whether there is another page.
    history = await read_history(editing, dictionary, catalogue, ref, limit=CHANGES_PER_PAGE + 1, offset=start)
    context = {
        **values,
        "history": history[:CHANGES_PER_PAGE],
        "record": str(ref),
        "start": start,
        "many": CHANGES_PER_PAGE,
        "has_more": len(history) > CHANGES_PER_PAGE,
    }
    return pages.show(request, "history-page.html", context)


HISTORY_HANDLERS = (show_deleted, undo, show_word_history, show_idea_history)
