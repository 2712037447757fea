"""get-list.php: the lookup lists."""

from collections.abc import Callable
from typing import Annotated

from litestar.openapi.spec import Example
from litestar.params import QueryParameter

from abhidhan.dictionary.api.compat.shapes import ListAnswer, ListEntry
from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.service import lookup_lists
from abhidhan.platform.http.public_reads import public_read
from abhidhan.records.import_records import inverse_of
from abhidhan.records.languages import Language
from abhidhan.records.lookup_lists import ListItem, ListName, part_of_speech_code


@public_read("/api/get-list.php", tags=["Lists"], summary="List the values of a lookup list")
async def get_list(
    dictionary: GivenDictionary,
    name: Annotated[
        str,
        QueryParameter(
            name="type",
            description="LANG, CTX, VRT, POS, GEN, RIC, HAC or FJCAT, in small or capital letters.",
            examples=[Example(summary=each, value=str(each)) for each in ListName],
            schema_extra={"enum": [str(each) for each in ListName]},
        ),
    ],
) -> ListAnswer:
    """List the languages, contexts, variants, parts of speech, genders, relations, actions or categories."""
    which = lookup_lists.list_named(name)
    catalogue = await dictionary.catalogue()
    if which is ListName.LANGUAGES:
        entries = tuple(_language(language) for language in catalogue.languages)
    else:
        show = ENTRY_OF.get(which, _plain)
        entries = tuple(show(item) for item in catalogue.items_of(which))
    return ListAnswer(type=which, data=entries, count=len(entries))


def _language(language: Language) -> ListEntry:
    return ListEntry(
        id=language.id,
        value=language.name,
        code=language.code,
        native_name=language.native_name,
        script=language.script,
        direction=language.direction,
    )


def _plain(item: ListItem) -> ListEntry:
    return ListEntry(item.id, item.value)


ENTRY_OF: dict[ListName, Callable[[ListItem], ListEntry]] = {
    ListName.CONTEXTS: lambda item: ListEntry(item.id, item.value, parent_id=item.parent_id),
    ListName.PARTS_OF_SPEECH: lambda item: ListEntry(
        item.id, item.value, code=part_of_speech_code(item), major=item.code
    ),
    ListName.VARIANTS: lambda item: ListEntry(item.id, item.value, code=item.code),
    ListName.RELATIONS: lambda item: ListEntry(item.id, item.value, inverse_id=inverse_of(item.code)),
}
"""Fields of some lists' entries beyond `id` and `value`."""
