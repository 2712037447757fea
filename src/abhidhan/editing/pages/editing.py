"""Pages that edit an idea: its fields, definitions, examples and relations."""

from typing import Annotated, Final

import msgspec
from litestar import Response, get, post
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.service.dictionary import Dictionary
from abhidhan.dictionary.service.views.ideas import IdeaView, find_ideas, list_ordered_words, read_idea
from abhidhan.editing.pages.record_fields import build_choices, parse_version
from abhidhan.editing.pages.record_forms import DoneParam, build_rejected_form, find_conflict
from abhidhan.editing.pages.record_history import list_latest_history
from abhidhan.editing.service.editing import Editing
from abhidhan.people.pages.staff import NO_STORE_HEADERS, StaffContext, handle_staff_form, require_staff
from abhidhan.platform.http.forms import Form, read_number_field
from abhidhan.platform.http.parameters import MAX_TEXT_LENGTH, PathID
from abhidhan.platform.http.rendering import PageRequest, PagesDep, redirect_to
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import AbhidhanError, ConflictError, InputError, NotFoundError, sentence
from abhidhan.records.history import IdeaState, RecordRef, RelationState
from abhidhan.records.lookup_lists import ListItem, ListName
from abhidhan.records.people import Permission
from abhidhan.records.submission_payloads import DefinitionData, ExampleText, IdeaChanges

DEFINITION_PREFIX: Final = "definition_"
EXAMPLE_PREFIX: Final = "example_"
CONTEXT_PREFIX: Final = "context_"
TRANSLATION_PREFIX: Final = "translation_"
OFFERED_LANGUAGES: Final = ("as", "en")
MAX_MATCHES: Final = 10

TextParam = Annotated[str, QueryParameter(max_length=MAX_TEXT_LENGTH)]


@get("/edit/idea/{idea_id:int}", include_in_schema=False)
async def show_idea_editor(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, idea_id: PathID, done: DoneParam = ""
) -> Response[str]:
    """Show the form for editing an idea, with its relations and history."""
    staff = await require_staff(request, dictionary, pages, Permission.EDIT)
    if isinstance(staff, Response):
        return staff
    return await _show_idea_page(staff, idea_id, Form({"done": done}))


async def _show_idea_page(
    staff: StaffContext,
    idea_id: int,
    form: Form,
    *,
    error: AbhidhanError | None = None,
    is_relation_error: bool = False,
) -> Response[str]:
    ref = RecordRef("idea", str(idea_id))
    read = await staff.service(Editing).read(staff.person, ref)
    if not isinstance(read.state, IdeaState):
        raise NotFoundError(sentence("There is no idea with the ID %(idea_id)s.", idea_id=idea_id))
    catalogue = await staff.dictionary.catalogue()
    conflict = find_conflict(error, catalogue)
    if error is None or is_relation_error:
        form = Form({**form.fields, **_stored_fields(read.state, catalogue), "version": str(read.version)})
    if error is not None:
        form = form if is_relation_error and conflict else build_rejected_form(form, error, conflict)
    values = {
        "form": form,
        "idea_id": idea_id,
        "shown": await staff.dictionary.read(read_idea, str(idea_id)),
        "codes": {language.code: language for language in catalogue.languages},
        "choices": build_choices(catalogue),
        "contexts": catalogue.list_items(ListName.CONTEXTS),
        "clash": None if is_relation_error else conflict,
        "relation_clash": conflict if is_relation_error else None,
        "versions": {
            relation.record: relation.version
            for relation in await staff.service(Editing).list_relations(staff.person, idea_id)
        },
        "relation_types": catalogue.list_items(ListName.RELATIONS),
        "word_orders": await staff.dictionary.read(list_ordered_words, idea_id),
        "history": await list_latest_history(staff, catalogue, ref),
    }
    return staff.show("edit-idea.html", values, error)


def _stored_fields(state: IdeaState, catalogue: Catalogue) -> dict[str, str]:
    """Return the form fields of an idea; the name of a text field ends in its language code."""
    codes = {language.id: language.code for language in catalogue.languages}
    fields = {"glyph": state.glyph or "", "pos": str(state.pos_id or ""), "gender": str(state.gender_id or "")}
    fields |= {f"{CONTEXT_PREFIX}{context_id}": "yes" for context_id in state.contexts}
    for index, (language_id, text) in enumerate(state.definitions):
        fields[f"{DEFINITION_PREFIX}{index}_{codes[language_id]}"] = text
    used = {codes[language_id] for language_id, _ in state.definitions}
    fields |= {f"{DEFINITION_PREFIX}new_{code}": "" for code in OFFERED_LANGUAGES if code not in used}
    for index, (language_id, text, translation) in enumerate(state.examples):
        fields[f"{EXAMPLE_PREFIX}{index}_{codes[language_id]}"] = text
        fields[f"{TRANSLATION_PREFIX}{index}_{codes[language_id]}"] = translation or ""
    return fields | {f"{EXAMPLE_PREFIX}new_as": "", f"{TRANSLATION_PREFIX}new_as": ""}


def parse_idea_changes(form: Form) -> IdeaChanges:
    """Parse the changes of an idea from its form."""
    return IdeaChanges(
        pos=form.value("pos") or None,
        gender=form.value("gender") or None,
        glyph=form.value("glyph") or None,
        contexts=tuple(name.removeprefix(CONTEXT_PREFIX) for name, _ in _list_texts(form, CONTEXT_PREFIX)),
        definitions=tuple(
            DefinitionData(_parse_language_code(name), text) for name, text in _list_texts(form, DEFINITION_PREFIX)
        ),
        examples=tuple(
            ExampleText(
                _parse_language_code(name),
                text,
                form.value(TRANSLATION_PREFIX + name.removeprefix(EXAMPLE_PREFIX)) or None,
            )
            for name, text in _list_texts(form, EXAMPLE_PREFIX)
        ),
    )


def _list_texts(form: Form, prefix: str) -> list[tuple[str, str]]:
    return [(name, text) for name, text in form.fields.items() if name.startswith(prefix) and text]


def _parse_language_code(name: str) -> str:
    return name.rpartition("_")[2]


@post("/edit/idea/{idea_id:int}", include_in_schema=False)
async def edit_idea(request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, idea_id: PathID) -> Response[str]:
    """Change an idea."""

    async def process_form(staff: StaffContext, form: Form) -> Response[str]:
        ref = RecordRef("idea", str(idea_id))
        try:
            await staff.service(Editing).change(staff.person, ref, parse_version(form), parse_idea_changes(form))
        except (ConflictError, InputError) as error:
            return await _show_idea_page(staff, idea_id, form, error=error)
        return redirect_to(f"/edit/idea/{idea_id}?done=saved", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, process_form)


@post("/edit/sense/{sense_id:int}/move", include_in_schema=False)
async def move_sense(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, sense_id: PathID
) -> Response[str]:
    """Move a word one place up or down among those of its idea, or a meaning among those of its word."""

    async def process_form(staff: StaffContext, form: Form) -> Response[str]:
        editing = staff.service(Editing)
        move = editing.move_meaning if form.value("order") == "meanings" else editing.move_word
        moved = await move(staff.person, sense_id, -1 if form.value("way") == "up" else 1)
        ref = RecordRef.parse(moved.record)
        return redirect_to(f"/edit/{ref.kind}/{ref.id}#sense-{sense_id}", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, process_form)


# --- relations ----------------------------------------------------------------------------------------------------


class RelatableIdeas(msgspec.Struct, frozen=True):
    """The idea to relate, the ideas found for it, and the relation types."""

    shown: IdeaView
    found: tuple[IdeaView, ...]
    types: tuple[ListItem, ...]


async def _find_relatable_ideas(dictionary: Dictionary, idea_id: int, query: str) -> RelatableIdeas:
    """Find ideas to relate to an idea, by a word of any language. Raises NotFoundError."""
    view = await dictionary.read(read_idea, str(idea_id))
    if view is None:
        raise NotFoundError(sentence("There is no idea with the ID %(idea_id)s.", idea_id=idea_id))
    types = (await dictionary.catalogue()).list_items(ListName.RELATIONS)
    return RelatableIdeas(view, await dictionary.read_in_thread(find_ideas, query, idea_id, MAX_MATCHES), types)


@get("/edit/idea/{idea_id:int}/relations", include_in_schema=False)
async def show_relations(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, idea_id: PathID, q: TextParam = ""
) -> Response[str]:
    """Show the search for an idea to relate."""
    staff = await require_staff(request, dictionary, pages, Permission.EDIT)
    if isinstance(staff, Response):
        return staff
    return await _show_relations_page(staff, idea_id, Form({"q": q}))


async def _show_relations_page(
    staff: StaffContext,
    idea_id: int,
    form: Form,
    *,
    error: AbhidhanError | None = None,
) -> Response[str]:
    relatable = await _find_relatable_ideas(staff.dictionary, idea_id, form.value("q"))
    values = {"form": form.with_error(error) if error else form, "page": relatable, "idea_id": idea_id}
    return staff.show("edit-relations.html", values, error)


async def _change_relation(staff: StaffContext, idea_id: int, form: Form) -> str:
    """Apply the action of a form to a relation; return the code of the message to show.

    Raises InputError, NotFoundError, ConflictError.
    """
    editing, version = staff.service(Editing), read_number_field(form, "relation_version")
    relation = RelationState(idea_id, read_number_field(form, "type_id") or 0, read_number_field(form, "other_id") or 0)
    match form.value("step"):
        case "remove":
            await editing.unrelate(staff.person, relation, version)
            return "unrelated"
        case "change":
            await editing.change_relation(
                staff.person, relation, version or 0, read_number_field(form, "new_type_id") or 0
            )
            return "saved"
        case _:
            await editing.relate(staff.person, relation)
            return "related"


@post("/edit/idea/{idea_id:int}/relations", include_in_schema=False)
async def change_relations(
    request: PageRequest, dictionary: DictionaryDep, pages: PagesDep, idea_id: PathID
) -> Response[str]:
    """Add, change or remove a relation of an idea."""

    async def process_form(staff: StaffContext, form: Form) -> Response[str]:
        try:
            message_code = await _change_relation(staff, idea_id, form)
        except (ConflictError, InputError, NotFoundError) as error:
            if form.value("step") in {"remove", "change"}:
                return await _show_idea_page(staff, idea_id, Form(), error=error, is_relation_error=True)
            return await _show_relations_page(staff, idea_id, form, error=error)
        return redirect_to(f"/edit/idea/{idea_id}?done={message_code}#relations", headers=NO_STORE_HEADERS)

    return await handle_staff_form(request, dictionary, pages, Permission.EDIT, process_form)


EDITING_HANDLERS = (show_idea_editor, edit_idea, move_sense, show_relations, change_relations)
