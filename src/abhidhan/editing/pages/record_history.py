"""Pages of the history of records, with undo for editors."""

from collections.abc import Iterable
from typing import Annotated, Final

import msgspec
from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.service.browse import look_up_one
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.views.ideas import read_idea, spellings_of, words_of_ideas
from abhidhan.editing.pages.differences import IDEAS, Difference, Names, compare
from abhidhan.editing.pages.record_fields import ADDRESS_OF_KIND, names_a_record
from abhidhan.editing.service.editing import Editing
from abhidhan.editing.service.history import ShownRevision
from abhidhan.people.pages.staff import NOT_KEPT, StaffContext, handle_staff_form, staff_or_redirect
from abhidhan.platform.http.forms import Form
from abhidhan.platform.http.parameters import PathID
from abhidhan.platform.http.rendering import GivenPages, PageRequest, lead_to
from abhidhan.platform.http.services import service_of
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.history import AnyState, RecordName, SenseState
from abhidhan.records.ids import GREATEST_ID
from abhidhan.records.people import Permission

MOST_REVISIONS: Final = 30
MOST_WORDS: Final = 3

Of = Annotated[str, QueryParameter(max_length=40)]


class ShownChange(msgspec.Struct, frozen=True):
    """A history entry with its differences. `stands` is true if all its records are still in the state it left.

    Only then is undo offered.
    """

    revision: ShownRevision
    differences: tuple[Difference, ...]
    stands: bool


def standing(revisions: Iterable[ShownRevision]) -> list[bool]:
    """Return, for each entry from newest to oldest, whether all its records are still in the state it left.

    False for all entries older than a hidden one, as its changes are unknown.
    """
    newest: dict[str, AnyState | None] = {}
    found = []
    is_known = True
    for revision in revisions:
        is_known = is_known and revision.hidden is None
        for change in revision.changes:
            newest.setdefault(change.record, change.after)
        changes = [change for change in revision.changes if change.before != change.after]
        found.append(is_known and bool(changes) and all(newest[change.record] == change.after for change in changes))
    return found


async def history_of(staff: StaffContext, catalogue: Catalogue, name: RecordName) -> list[ShownChange]:
    """Return the latest history entries of a record, newest first."""
    return await read_history(staff.service(Editing), staff.dictionary, catalogue, name, limit=MOST_REVISIONS)


async def read_history(  # noqa: PLR0913 (data sources and filters)
    editing: Editing, dictionary: Dictionary, catalogue: Catalogue, name: RecordName, *, limit: int, offset: int = 0
) -> list[ShownChange]:
    """Return a page of the history entries of a record, newest first."""
    found = await editing.history_of(name, limit, offset)
    states = [state for each in found for change in each.changes for state in (change.before, change.after)]
    numbers = {number for state in states for number in _ideas_of(state)}
    words = await dictionary.read(words_of_ideas, sorted(numbers))
    ideas = {number: ", ".join(of_idea[:MOST_WORDS]) for number, of_idea in words.items()}
    linked = {state.word_id for state in states if isinstance(state, SenseState)}
    names = Names(ideas, await dictionary.read(spellings_of, sorted(linked)) if linked else {})
    return [
        ShownChange(
            each,
            tuple(found for change in each.changes for found in compare(change.before, change.after, catalogue, names)),
            stands,
        )
        for each, stands in zip(found, standing(found), strict=True)
    ]


def _ideas_of(state: AnyState | None) -> set[int]:
    """Return the IDs of the ideas that a state references."""
    numbers = (getattr(state, name, None) for name in IDEAS)
    return {number for number in numbers if isinstance(number, int)}


@get("/edit/history/{entry_id:int}", include_in_schema=False)
async def show_deleted(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, entry_id: PathID, of: Of = ""
) -> Response[str]:
    """Show that a record was deleted, and offer undo."""
    staff = await staff_or_redirect(request, dictionary, pages, Permission.EDIT)
    if isinstance(staff, Response):
        return staff
    values = {"entry_id": entry_id, "record": of, "kind": of.partition(":")[0]}
    return staff.show("edit-deleted.html", values)


@post("/edit/history/{entry_id:int}/undo", include_in_schema=False)
async def undo(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, entry_id: PathID, of: Of = ""
) -> Response[str]:
    """Undo a change, and redirect to the record."""

    async def work(staff: StaffContext, _form: Form) -> Response[str]:
        await staff.service(Editing).undo(staff.person, entry_id)
        kind, _, number = of.partition(":")
        known = kind in ADDRESS_OF_KIND and names_a_record(number)
        return lead_to(f"{ADDRESS_OF_KIND[kind]}/{number}?done=undone" if known else "/account", headers=NOT_KEPT)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, work)


CHANGES_ON_A_PAGE: Final = 30

Start = Annotated[int, QueryParameter(ge=0, le=GREATEST_ID)]


@get("/history/word/{word_id:int}", include_in_schema=False)
async def show_word_history(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, word_id: PathID, start: Start = 0
) -> Response[str]:
    """Show the history of a word, with links to those of its senses."""
    word, catalogue = await dictionary.read(look_up_one, word_id), await dictionary.catalogue()
    values = {
        "text": word.word,
        "language": catalogue.language(word.language_id),
        "meanings": word.meanings,
        "languages": catalogue.by_id,
        "address": f"/history/word/{word_id}",
        "kind": "word",
    }
    return await _history_page(request, dictionary, pages, RecordName("word", str(word_id)), start, values)


@get("/history/idea/{idea_id:int}", include_in_schema=False)
async def show_idea_history(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, idea_id: PathID, start: Start = 0
) -> Response[str]:
    """Show the history of an idea."""
    shown = await dictionary.read(read_idea, str(idea_id))
    if shown is None or not shown.idea.words:
        raise NotFoundError(sentence("There is no idea with the ID %(idea_id)s.", idea_id=idea_id))
    first = shown.idea.words[0]
    values = {
        "text": first.word,
        "language": shown.languages[first.language_id],
        "meanings": (),
        "languages": shown.languages,
        "address": f"/history/idea/{idea_id}",
        "kind": "idea",
    }
    return await _history_page(request, dictionary, pages, RecordName("idea", str(idea_id)), start, values)


async def _history_page(  # noqa: PLR0913, PLR0917 (parts of the page)
    request: PageRequest,
    dictionary: GivenDictionary,
    pages: GivenPages,
    name: RecordName,
    start: int,
    values: dict[str, object],
) -> Response[str]:
    editing, catalogue = service_of(request, Editing), await dictionary.catalogue()
    # One more than shown, to know whether there is another page.
    history = await read_history(editing, dictionary, catalogue, name, limit=CHANGES_ON_A_PAGE + 1, offset=start)
    given = {
        **values,
        "history": history[:CHANGES_ON_A_PAGE],
        "record": str(name),
        "start": start,
        "many": CHANGES_ON_A_PAGE,
        "has_more": len(history) > CHANGES_ON_A_PAGE,
    }
    return pages.show(request, "history-page.html", given)


HISTORY_HANDLERS = (show_deleted, undo, show_word_history, show_idea_history)
