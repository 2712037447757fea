"""Pages that edit an idea: its fields, definitions, examples and relations."""

from typing import Annotated, Final

import msgspec
from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.views.ideas import IdeaView, find_ideas, read_idea, words_in_order
from abhidhan.editing.pages.record_fields import choices_of, version_of
from abhidhan.editing.pages.record_forms import DoneParam, conflict_of, refused_form
from abhidhan.editing.pages.record_history import history_of
from abhidhan.editing.service.editing import Editing
from abhidhan.people.pages.staff import NO_STORE_HEADERS, StaffContext, handle_staff_form, staff_or_redirect
from abhidhan.platform.http.forms import Form, number_in
from abhidhan.platform.http.parameters import MAX_TEXT_LENGTH, PathID
from abhidhan.platform.http.rendering import PageRequest, PagesDep, redirect_to
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import AbhidhanError, ConflictError, InputError, NotFoundError, sentence
from abhidhan.records.history import IdeaState, RecordRef, RelationState
from abhidhan.records.lookup_lists import ListItem, ListName
from abhidhan.records.people import Permission
from abhidhan.records.submission_payloads import DefinitionData, ExampleText, IdeaChanges

DEFINITION: Final = "definition_"
EXAMPLE: Final = "example_"
CONTEXT: Final = "context_"
TRANSLATION: Final = "translation_"
OFFERED_LANGUAGES: Final = ("as", "en")
MAX_MATCHES: Final = 10

Text = Annotated[str, QueryParameter(max_length=MAX_TEXT_LENGTH)]


@get("/edit/idea/{idea_id:int}", include_in_schema=False)
async def show_idea_editor(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, idea_id: PathID, done: DoneParam = ""
) -> Response[str]:
    """Show the form for editing an idea, with its relations and history."""
    staff = await staff_or_redirect(request, dictionary, pages, Permission.EDIT)
    if isinstance(staff, Response):
        return staff
    return await _idea_page(staff, idea_id, Form({"done": done}))


async def _idea_page(
    staff: StaffContext,
    idea_id: int,
    form: Form,
    *,
    error: AbhidhanError | None = None,
    of_relation: bool = False,
) -> Response[str]:
    name = RecordRef("idea", str(idea_id))
    read = await staff.service(Editing).read(staff.person, name)
    if not isinstance(read.state, IdeaState):
        raise NotFoundError(sentence("There is no idea with the ID %(idea_id)s.", idea_id=idea_id))
    catalogue = await staff.dictionary.catalogue()
    clash = conflict_of(error, catalogue)
    if error is None or of_relation:
        form = Form({**form.fields, **_stored_fields(read.state, catalogue), "version": str(read.version)})
    if error is not None:
        form = form if of_relation and clash else refused_form(form, error, clash)
    values = {
        "form": form,
        "idea_id": idea_id,
        "shown": await staff.dictionary.read(read_idea, str(idea_id)),
        "codes": {language.code: language for language in catalogue.languages},
        "choices": choices_of(catalogue),
        "contexts": catalogue.items_of(ListName.CONTEXTS),
        "clash": None if of_relation else clash,
        "relation_clash": clash if of_relation else None,
        "versions": {
            relation.record: relation.version
            for relation in await staff.service(Editing).relations_of(staff.person, idea_id)
        },
        "relation_types": catalogue.items_of(ListName.RELATIONS),
        "word_orders": await staff.dictionary.read(words_in_order, idea_id),
        "history": await history_of(staff, catalogue, name),
    }
    return staff.show("edit-idea.html", values, error)


def _stored_fields(state: IdeaState, catalogue: Catalogue) -> dict[str, str]:
    """Return the form fields of an idea; the name of a text field ends in its language code."""
    codes = {language.id: language.code for language in catalogue.languages}
    fields = {"glyph": state.glyph or "", "pos": str(state.pos_id or ""), "gender": str(state.gender_id or "")}
    fields |= {f"{CONTEXT}{context_id}": "yes" for context_id in state.contexts}
    for index, (language_id, text) in enumerate(state.definitions):
        fields[f"{DEFINITION}{index}_{codes[language_id]}"] = text
    used = {codes[language_id] for language_id, _ in state.definitions}
    fields |= {f"{DEFINITION}new_{code}": "" for code in OFFERED_LANGUAGES if code not in used}
    for index, (language_id, text, translation) in enumerate(state.examples):
        fields[f"{EXAMPLE}{index}_{codes[language_id]}"] = text
        fields[f"{TRANSLATION}{index}_{codes[language_id]}"] = translation or ""
    return fields | {f"{EXAMPLE}new_as": "", f"{TRANSLATION}new_as": ""}


def idea_changes(form: Form) -> IdeaChanges:
    """Parse the changes of an idea from its form."""
    return IdeaChanges(
        pos=form.value("pos") or None,
        gender=form.value("gender") or None,
        glyph=form.value("glyph") or None,
        contexts=tuple(name.removeprefix(CONTEXT) for name, _ in _texts(form, CONTEXT)),
        definitions=tuple(DefinitionData(_code(name), text) for name, text in _texts(form, DEFINITION)),
        examples=tuple(
            ExampleText(_code(name), text, form.value(TRANSLATION + name.removeprefix(EXAMPLE)) or None)
            for name, text in _texts(form, EXAMPLE)
        ),
    )


def _texts(form: Form, kind: str) -> list[tuple[str, str]]:
    return [(name, text) for name, text in form.fields.items() if name.startswith(kind) and text]


def _code(name: str) -> str:
    return name.rpartition("_")[2]


@post("/edit/idea/{idea_id:int}", include_in_schema=False)
async def edit_idea(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, idea_id: PathID) -> Response[str]:
    """Change an idea."""

    async def work(staff: StaffContext, form: Form) -> Response[str]:
        name = RecordRef("idea", str(idea_id))
        try:
            await staff.service(Editing).change(staff.person, name, version_of(form), idea_changes(form))
        except (ConflictError, InputError) as error:
            return await _idea_page(staff, idea_id, form, error=error)
        return redirect_to(f"/edit/idea/{idea_id}?done=saved", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, work)


@post("/edit/sense/{sense_id:int}/move", include_in_schema=False)
async def move_sense(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, sense_id: PathID
) -> Response[str]:
    """Move a word one place up or down among those of its idea, or a meaning among those of its word."""

    async def work(staff: StaffContext, form: Form) -> Response[str]:
        editing = staff.service(Editing)
        move = editing.move_meaning if form.value("order") == "meanings" else editing.move_word
        moved = await move(staff.person, sense_id, -1 if form.value("way") == "up" else 1)
        name = RecordRef.parse(moved.record)
        return redirect_to(f"/edit/{name.kind}/{name.id}#sense-{sense_id}", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, work)


# --- relations ----------------------------------------------------------------------------------------------------


class RelatableIdeas(msgspec.Struct, frozen=True):
    """The idea to relate, the ideas found for it, and the relation types."""

    shown: IdeaView
    found: tuple[IdeaView, ...]
    types: tuple[ListItem, ...]


async def _relatable_ideas(dictionary: Dictionary, idea_id: int, query: str) -> RelatableIdeas:
    """Find ideas to relate to an idea, by a word of any language. Raises NotFoundError."""
    view = await dictionary.read(read_idea, str(idea_id))
    if view is None:
        raise NotFoundError(sentence("There is no idea with the ID %(idea_id)s.", idea_id=idea_id))
    types = (await dictionary.catalogue()).items_of(ListName.RELATIONS)
    return RelatableIdeas(view, await dictionary.read_in_thread(find_ideas, query, idea_id, MAX_MATCHES), types)


@get("/edit/idea/{idea_id:int}/relations", include_in_schema=False)
async def show_relations(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, idea_id: PathID, q: Text = ""
) -> Response[str]:
    """Show the search for an idea to relate."""
    staff = await staff_or_redirect(request, dictionary, pages, Permission.EDIT)
    if isinstance(staff, Response):
        return staff
    return await _relations_page(staff, idea_id, Form({"q": q}))


async def _relations_page(
    staff: StaffContext,
    idea_id: int,
    form: Form,
    *,
    error: AbhidhanError | None = None,
) -> Response[str]:
    relatable = await _relatable_ideas(staff.dictionary, idea_id, form.value("q"))
    values = {"form": form.with_error(error) if error else form, "page": relatable, "idea_id": idea_id}
    return staff.show("edit-relations.html", values, error)


async def _change_relation(staff: StaffContext, idea_id: int, form: Form) -> str:
    """Apply the action of a form to a relation; return the code of the message to show.

    Raises InputError, NotFoundError, ConflictError.
    """
    editing, version = staff.service(Editing), number_in(form, "relation_version")
    relation = RelationState(idea_id, number_in(form, "type_id") or 0, number_in(form, "other_id") or 0)
    match form.value("step"):
        case "remove":
            await editing.unrelate(staff.person, relation, version)
            return "unrelated"
        case "change":
            await editing.change_relation(staff.person, relation, version or 0, number_in(form, "new_type_id") or 0)
            return "saved"
        case _:
            await editing.relate(staff.person, relation)
            return "related"


@post("/edit/idea/{idea_id:int}/relations", include_in_schema=False)
async def change_relations(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, idea_id: PathID
) -> Response[str]:
    """Add, change or remove a relation of an idea."""

    async def work(staff: StaffContext, form: Form) -> Response[str]:
        try:
            done = await _change_relation(staff, idea_id, form)
        except (ConflictError, InputError, NotFoundError) as error:
            if form.value("step") in {"remove", "change"}:
                return await _idea_page(staff, idea_id, Form(), error=error, of_relation=True)
            return await _relations_page(staff, idea_id, form, error=error)
        return redirect_to(f"/edit/idea/{idea_id}?done={done}#relations", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, work)


EDITING_HANDLERS = (show_idea_editor, edit_idea, move_sense, show_relations, change_relations)
