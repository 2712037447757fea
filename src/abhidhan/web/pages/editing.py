"""Editing: a word's own fields, an idea's definitions, the history of both, and undoing a change."""

from typing import Annotated, Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, QueryParameter

from abhidhan.domain.drafts import DefinitionData, IdeaChanges, WordChanges
from abhidhan.domain.history import IdeaState, RecordName, WordState
from abhidhan.domain.languages import Language
from abhidhan.domain.people import Permission
from abhidhan.errors import AbhidhanError, InputError, NotFoundError
from abhidhan.services.editing import ShownRevision
from abhidhan.storage.database import Database, Reader
from abhidhan.web.arguments import GivenDatabase
from abhidhan.web.errors import status_of
from abhidhan.web.pages.contributions import fields_of
from abhidhan.web.pages.forms import Form, read_form, sender_of
from abhidhan.web.pages.photos import NOT_KEPT
from abhidhan.web.pages.rendering import Asked, GivenPages, lead_to
from abhidhan.web.sessions import editing_of, needs

WORD_FIELDS: Final = ("roman", "ipa", "asm", "origin", "plural", "definitive")
MOST_REVISIONS: Final = 30
NEW_DEFINITION: Final = "definition_"

EDITORS: Final = [needs(Permission.EDIT)]


def read_languages(reader: Reader) -> dict[int, Language]:
    """Read the languages by ID."""
    return {language.id: language for language in reader.catalogue.languages}


@get("/edit/word/{word_id:int}", include_in_schema=False, guards=EDITORS)
async def show_word_editor(
    request: Asked, database: GivenDatabase, pages: GivenPages, word_id: FromPath[int], done: FromQuery[str] = ""
) -> Response[str]:
    """Show the form to edit a word."""
    return await _word_page(request, database, pages, word_id, Form({"done": done}))


async def _word_page(  # noqa: PLR0913 (each is one part of the page)
    request: Asked,
    database: Database,
    pages: GivenPages,
    word_id: int,
    form: Form,
    *,
    error: AbhidhanError | None = None,
) -> Response[str]:
    person = (await sender_of(request, form)).person
    read = await editing_of(request).editing.read(person, RecordName("word", str(word_id)))
    if not isinstance(read.state, WordState):
        raise NotFoundError(f"There is no word with the ID {word_id}.")
    if error is None:
        stored = {name: getattr(read.state, name) or "" for name in WORD_FIELDS}
        form = Form({**form.fields, **stored, "word": read.state.text, "version": str(read.version)})
    else:
        form = form.refused(error)
    languages = await database.read(read_languages)
    values = {
        "form": form,
        "word_id": word_id,
        "stored": read.state,
        "language": languages[read.state.language_id],
        "history": await _history(request, RecordName("word", str(word_id))),
    }
    return pages.show(request, "edit-word.html", values, status=status_of(error) if error else 200, headers=NOT_KEPT)


@post("/edit/word/{word_id:int}", include_in_schema=False, guards=EDITORS)
async def edit_word(
    request: Asked, database: GivenDatabase, pages: GivenPages, word_id: FromPath[int]
) -> Response[str]:
    """Change a word."""
    form = await read_form(request)
    try:
        person = (await sender_of(request, form)).person
        changes = WordChanges(word=form.value("word"), **{name: form.value(name) or None for name in WORD_FIELDS})
        await editing_of(request).editing.change(person, RecordName("word", str(word_id)), _version(form), changes)
    except AbhidhanError as error:
        return await _word_page(request, database, pages, word_id, form, error=error)
    return lead_to(f"/edit/word/{word_id}?done=saved", headers=NOT_KEPT)


@get("/edit/idea/{idea_id:int}", include_in_schema=False, guards=EDITORS)
async def show_idea_editor(
    request: Asked, database: GivenDatabase, pages: GivenPages, idea_id: FromPath[int], done: FromQuery[str] = ""
) -> Response[str]:
    """Show the form to edit the definitions of an idea."""
    return await _idea_page(request, database, pages, idea_id, Form({"done": done}))


async def _idea_page(  # noqa: PLR0913 (each is one part of the page)
    request: Asked,
    database: Database,
    pages: GivenPages,
    idea_id: int,
    form: Form,
    *,
    error: AbhidhanError | None = None,
) -> Response[str]:
    person = (await sender_of(request, form)).person
    read = await editing_of(request).editing.read(person, RecordName("idea", str(idea_id)))
    if not isinstance(read.state, IdeaState):
        raise NotFoundError(f"There is no idea with the ID {idea_id}.")
    languages = await database.read(read_languages)
    if error is None:
        stored = {f"{NEW_DEFINITION}{languages[number].code}": text for number, text in read.state.definitions}
        form = Form({**form.fields, **stored, "glyph": read.state.glyph or "", "version": str(read.version)})
    else:
        form = form.refused(error)
    used = [languages[number] for number, _ in read.state.definitions]
    values = {
        "form": form,
        "idea_id": idea_id,
        "languages": list(dict.fromkeys([*used, *(each for each in languages.values() if each.code in {"as", "en"})])),
        "history": await _history(request, RecordName("idea", str(idea_id))),
    }
    return pages.show(request, "edit-idea.html", values, status=status_of(error) if error else 200, headers=NOT_KEPT)


@post("/edit/idea/{idea_id:int}", include_in_schema=False, guards=EDITORS)
async def edit_idea(
    request: Asked, database: GivenDatabase, pages: GivenPages, idea_id: FromPath[int]
) -> Response[str]:
    """Change the definitions and the glyph of an idea."""
    form = await read_form(request)
    definitions = tuple(
        DefinitionData(name.removeprefix(NEW_DEFINITION), text)
        for name, text in form.fields.items()
        if name.startswith(NEW_DEFINITION) and text
    )
    changes = IdeaChanges(glyph=form.value("glyph") or None, definitions=definitions)
    try:
        person = (await sender_of(request, form)).person
        await editing_of(request).editing.change(person, RecordName("idea", str(idea_id)), _version(form), changes)
    except AbhidhanError as error:
        return await _idea_page(request, database, pages, idea_id, form, error=error)
    return lead_to(f"/edit/idea/{idea_id}?done=saved", headers=NOT_KEPT)


def _version(form: Form) -> int:
    text = form.value("version")
    if not (text.isascii() and text.isdigit() and len(text) < 10):  # noqa: PLR2004 (digits of an ID)
        raise InputError.of("version", "The form is damaged: open it again.")
    return int(text)


# --- history ------------------------------------------------------------------------------------------------------


class Difference(msgspec.Struct, frozen=True):
    """A field before and after a change."""

    field: str
    before: str
    after: str


class Revision(msgspec.Struct, frozen=True):
    """An entry of the history, with what it changed."""

    revision: ShownRevision
    differences: tuple[Difference, ...]


async def _history(request: Asked, name: RecordName) -> list[Revision]:
    found = await editing_of(request).editing.history_of(name, MOST_REVISIONS)
    return [Revision(each, tuple(differences_of(each))) for each in found]


def differences_of(revision: ShownRevision) -> list[Difference]:
    """List the fields that an entry of the history changed."""
    found = []
    for change in revision.changes:
        before, after = (_fields(state) for state in (change.before, change.after))
        names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
        found += [Difference(name, before.get(name, ""), after.get(name, "")) for name in names]
    return found


def _fields(state: object) -> dict[str, str]:
    gathered: dict[str, str] = {}
    for name, text in fields_of(msgspec.to_builtins(state)) if state is not None else ():
        gathered[name] = f"{gathered[name]}; {text}" if name in gathered else text
    return gathered


@post("/edit/history/{entry_id:int}/undo", include_in_schema=False, guards=EDITORS)
async def undo(
    request: Asked, entry_id: FromPath[int], of: Annotated[str, QueryParameter(max_length=30)] = ""
) -> Response[str]:
    """Take back a change, and lead back to the record."""
    form = await read_form(request)
    person = (await sender_of(request, form)).person
    await editing_of(request).editing.undo(person, entry_id)
    kind, _, number = of.partition(":")
    known = kind in {"word", "idea"} and number.isascii() and number.isdigit()
    return lead_to(f"/edit/{kind}/{number}?done=undone" if known else "/account", headers=NOT_KEPT)


EDITING_HANDLERS = (show_word_editor, edit_word, show_idea_editor, edit_idea, undo)
