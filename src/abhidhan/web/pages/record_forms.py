"""Records as editors change them: words, proverbs, flashcards, their sets, and values of lists, each by one form."""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, QueryParameter

from abhidhan.domain.catalogue import Catalogue
from abhidhan.domain.drafting import Changes
from abhidhan.domain.history import AnyState, RecordName
from abhidhan.domain.ids import read_number
from abhidhan.domain.languages import Language
from abhidhan.domain.lists import ListItem
from abhidhan.domain.people import Permission
from abhidhan.domain.records.card import CARD, CARD_SET, CardChanges, CardSetChanges
from abhidhan.domain.records.field_kinds import OneOf
from abhidhan.domain.records.fields import Field, Fields, names
from abhidhan.domain.records.idea import IDEA_ROW
from abhidhan.domain.records.list_item import LIST_ITEM, ListItemChanges
from abhidhan.domain.records.phrase import PHRASE, PhraseChanges
from abhidhan.domain.records.word import REMARKS, WORD, WordChanges
from abhidhan.errors import AbhidhanError, ConflictError, InputError, NotFoundError, sentence
from abhidhan.services.dictionary.facade import Dictionary
from abhidhan.services.editing import Edited, ShownRevision
from abhidhan.web.arguments import GivenDictionary, PathID
from abhidhan.web.pages.desk import NOT_KEPT, Desk, at_desk, desk_or_led
from abhidhan.web.pages.differences import IDEAS, Difference, compare
from abhidhan.web.pages.forms import Form
from abhidhan.web.pages.rendering import Asked, GivenPages, lead_to

MOST_REVISIONS: Final = 30
MOST_WORDS: Final = 3
Done = Annotated[str, QueryParameter(max_length=20)]

FIELDS: Final[Mapping[str, Field]] = {
    field.name: field for fields in (WORD, REMARKS, IDEA_ROW, PHRASE, CARD, CARD_SET, LIST_ITEM) for field in fields
}
"""The fields that forms have, by their names."""


async def _nothing(_dictionary: Dictionary, _number: int, _state: Any) -> dict[str, object]:  # noqa: ANN401  # of any kind
    return {}


async def _of_card(dictionary: Dictionary, _number: int, state: Any) -> dict[str, object]:  # noqa: ANN401  # of its own kind
    return {"card_set": next(each for each in await dictionary.card_sets() if each.id == state.card_set_id)}


async def _of_set(dictionary: Dictionary, number: int, state: Any) -> dict[str, object]:  # noqa: ANN401  # of its own kind
    catalogue = await dictionary.catalogue()
    return {
        "cards": await dictionary.cards_of(number),
        "clue_language": catalogue.language(state.language_id),
        "answer_language": catalogue.language(state.answer_language_id),
    }


class RecordForm(NamedTuple):
    """How the records of one kind are edited: their kind in the history, their changes, and the fields in order."""

    kind: str
    changes: Callable[..., Changes]
    fields: Fields
    template: str = "edit-record.html"
    around: Callable[[Dictionary, int, Any], Awaitable[dict[str, object]]] = _nothing


FORMS: Final[Mapping[str, RecordForm]] = {
    "word": RecordForm("word", WordChanges, WORD),
    "proverb": RecordForm("phrase", PhraseChanges, PHRASE),
    "card": RecordForm("card", CardChanges, CARD, around=_of_card),
    "set": RecordForm("card_set", CardSetChanges, CARD_SET, "edit-set.html", _of_set),
    "value": RecordForm("list_item", ListItemChanges, LIST_ITEM),
}
"""The forms, by the second part of their addresses: /edit/proverb/5."""

ADDRESS_OF_KIND: Final = {form.kind: f"/edit/{name}" for name, form in FORMS.items()} | {"idea": "/edit/idea"}

RECORDS: Final = [f"/edit/{name}/{{record_id:str}}" for name in FORMS]
_RECORD_ID: Final = re.compile(r"(?:[A-Z]{2,5}-)?([1-9][0-9]*)")


# --- history ------------------------------------------------------------------------------------------------------


class PastChange(msgspec.Struct, frozen=True):
    """An entry of the history, with what it changed."""

    revision: ShownRevision
    differences: tuple[Difference, ...]


async def past_of(desk: Desk, catalogue: Catalogue, name: RecordName) -> list[PastChange]:
    """Read what was done with a record, the newest first."""
    found = await desk.editing.editing.history_of(name, MOST_REVISIONS)
    states = (state for each in found for change in each.changes for state in (change.before, change.after))
    numbers = {number for state in states for number in _ideas_of(state)}
    words = await desk.dictionary.words_of_ideas(sorted(numbers))
    ideas = {number: ", ".join(of_idea[:MOST_WORDS]) for number, of_idea in words.items()}
    return [
        PastChange(
            each,
            tuple(found for change in each.changes for found in compare(change.before, change.after, catalogue, ideas)),
        )
        for each in found
    ]


def _ideas_of(state: AnyState | None) -> set[int]:
    """List the ideas that a state names."""
    numbers = (getattr(state, name, None) for name in IDEAS)
    return {number for number in numbers if isinstance(number, int)}


# --- the form -----------------------------------------------------------------------------------------------------


class Choices(msgspec.Struct, frozen=True):
    """What the fields of a record are chosen from, by the name of the field, and the fields themselves."""

    lists: dict[str, tuple[ListItem, ...]]
    languages: tuple[Language, ...]
    fields: Mapping[str, Field]


def choices_of(catalogue: Catalogue) -> Choices:
    """Gather what fields are chosen from."""
    chosen = {name: field.kind for name, field in FIELDS.items() if isinstance(field.kind, OneOf)}
    lists = {name: catalogue.items_of(kind.list_name) for name, kind in chosen.items()}
    return Choices(lists, catalogue.languages, FIELDS)


def record_form(request: Asked, record_id: str) -> tuple[RecordForm, RecordName]:
    """Return by its address which record is edited, and how. Raises NotFoundError."""
    form = FORMS[request.url.path.split("/")[2]]
    if not _names_a_record(record_id) or ("-" in record_id) is not (form.kind == "list_item"):
        raise NotFoundError(sentence("There is no such record."))
    return form, RecordName(form.kind, record_id)


def _names_a_record(text: str) -> bool:
    found = _RECORD_ID.fullmatch(text)
    return found is not None and read_number(found[1]) is not None


def stored_fields(form: RecordForm, state: AnyState) -> dict[str, str]:
    """Write what a record holds into the fields of its form."""
    return {field.name: field.kind.written(getattr(state, field.column)) for field in form.fields}


def changes_of(record: RecordForm, form: Form) -> Changes:
    """Read the changes from a form that was sent. Raises InputError."""
    return record.changes(**typed(names(record.fields), form))


def typed(field_names: Iterable[str], form: Form) -> dict[str, Any]:
    """Read what was typed into the fields of a form. Raises InputError."""
    return {
        name: FIELDS[name].kind.typed(name, form.value(name)) if name in FIELDS else form.value(name) or None
        for name in field_names
    }


def version_of(form: Form) -> int:
    """Read the version that was seen before the change. Raises InputError."""
    version = read_number(form.value("version"))
    if version is None:
        raise InputError.of("version", sentence("The form is damaged: open it again."))
    return version


class Clash(msgspec.Struct, frozen=True):
    """What somebody else has written meanwhile, and how it differs from what is to be saved."""

    version: int
    differences: list[Difference]


def clash_of(error: AbhidhanError | None, catalogue: Catalogue) -> Clash | None:
    """Return what two people have written at once; None when an error is about something else."""
    if not isinstance(error, ConflictError):
        return None
    current, proposed = error.current, error.proposed
    if not (isinstance(current, Edited) and isinstance(proposed, Edited)):
        return None
    return Clash(current.version, compare(current.state, proposed.state, catalogue))


def refused(form: Form, error: AbhidhanError, clash: Clash | None) -> Form:
    """Keep what was typed. After a clash it is told beside the form, and saving once more saves knowingly."""
    if clash is None:
        return form.refused(error)
    return Form({**form.fields, "version": str(clash.version)})


@get(RECORDS, include_in_schema=False)
async def show_record(
    request: Asked, dictionary: GivenDictionary, pages: GivenPages, record_id: FromPath[str], done: Done = ""
) -> Response[str]:
    """Show the form to edit a record, with its history."""
    desk = await desk_or_led(request, dictionary, pages, Permission.EDIT)
    if isinstance(desk, Response):
        return desk
    return await record_page(desk, record_id, Form({"done": done}))


async def record_page(
    desk: Desk,
    record_id: str,
    form: Form,
    *,
    error: AbhidhanError | None = None,
) -> Response[str]:
    """Show the form of a record: as it is stored, or, after an error, as it was typed."""
    record, name = record_form(desk.request, record_id)
    read = await desk.editing.editing.read(desk.person, name)
    state = read.state
    if state is None:
        raise NotFoundError(sentence("There is no such record."))
    catalogue = await desk.dictionary.catalogue()
    clash = clash_of(error, catalogue)
    if error is None or "version" not in form.fields:
        form = Form({**form.fields, **stored_fields(record, state), "version": str(read.version)})
    if error is not None:
        form = refused(form, error, clash)
    values = {
        "form": form,
        "kind": record.kind,
        "names": names(record.fields),
        "record_id": record_id,
        "address": f"{ADDRESS_OF_KIND[record.kind]}/{record_id}",
        "stored": state,
        "title": next(iter(stored_fields(record, state).values())),
        "language": catalogue.language(getattr(state, "language_id", 1)),
        "choices": choices_of(catalogue),
        "clash": clash,
        "history": await past_of(desk, catalogue, name),
        **await record.around(desk.dictionary, name.number, state),
    }
    return desk.show(record.template, values, error)


@post(RECORDS, include_in_schema=False)
async def save_record(
    request: Asked, dictionary: GivenDictionary, pages: GivenPages, record_id: FromPath[str]
) -> Response[str]:
    """Change a record. Whose form is older than the record reads what is there now, and loses nothing."""

    async def work(desk: Desk, form: Form) -> Response[str]:
        record, name = record_form(request, record_id)
        try:
            await desk.editing.editing.change(desk.person, name, version_of(form), changes_of(record, form))
        except (ConflictError, InputError) as error:
            return await record_page(desk, record_id, form, error=error)
        return lead_to(f"{request.url.path}?done=saved", headers=NOT_KEPT)

    return await at_desk(request, dictionary, pages, Permission.EDIT, work)


DELETED: Final = [f"/edit/{name}/{{record_id:str}}/delete" for name in FORMS if name != "value"]


@post(DELETED, include_in_schema=False)
async def delete_record(
    request: Asked, dictionary: GivenDictionary, pages: GivenPages, record_id: FromPath[str]
) -> Response[str]:
    """Delete a record, and lead to where that can be undone."""

    async def work(desk: Desk, form: Form) -> Response[str]:
        _, name = record_form(request, record_id)
        if form.value("sure") != "yes":
            error = InputError.of("sure", sentence("Tick the box to delete it."))
            return await record_page(desk, record_id, Form(), error=error)
        gone = await desk.editing.editing.delete(desk.person, name)
        return lead_to(f"/edit/history/{gone.version}?of={name}", headers=NOT_KEPT)

    return await at_desk(request, dictionary, pages, Permission.EDIT, work)


# --- taking back --------------------------------------------------------------------------------------------------

Of = Annotated[str, QueryParameter(max_length=40)]


@get("/edit/history/{entry_id:int}", include_in_schema=False)
async def show_deleted(
    request: Asked, dictionary: GivenDictionary, pages: GivenPages, entry_id: PathID, of: Of = ""
) -> Response[str]:
    """Tell that a record is gone, and offer to take that back."""
    desk = await desk_or_led(request, dictionary, pages, Permission.EDIT)
    if isinstance(desk, Response):
        return desk
    values = {"entry_id": entry_id, "record": of, "kind": of.partition(":")[0]}
    return desk.show("edit-deleted.html", values)


@post("/edit/history/{entry_id:int}/undo", include_in_schema=False)
async def undo(
    request: Asked, dictionary: GivenDictionary, pages: GivenPages, entry_id: PathID, of: Of = ""
) -> Response[str]:
    """Take back a change, and lead back to the record."""

    async def work(desk: Desk, _form: Form) -> Response[str]:
        await desk.editing.editing.undo(desk.person, entry_id)
        kind, _, number = of.partition(":")
        known = kind in ADDRESS_OF_KIND and _names_a_record(number)
        return lead_to(f"{ADDRESS_OF_KIND[kind]}/{number}?done=undone" if known else "/account", headers=NOT_KEPT)

    return await at_desk(request, dictionary, pages, Permission.EDIT, work)


RECORD_HANDLERS = (show_record, save_record, delete_record, show_deleted, undo)
