"""The public history of a word and of a meaning: who changed it, when and how."""

from typing import Annotated, Final

from litestar import Response, get
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.service.browse import look_up_one
from abhidhan.dictionary.service.views.ideas import read_idea
from abhidhan.editing.pages.record_history import read_history
from abhidhan.editing.service.editing import Editing
from abhidhan.platform.http.parameters import PathID
from abhidhan.platform.http.rendering import GivenPages, PageRequest
from abhidhan.platform.http.services import service_of
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.history import RecordName
from abhidhan.records.ids import GREATEST_ID

CHANGES_ON_A_PAGE: Final = 30

Start = Annotated[int, QueryParameter(ge=0, le=GREATEST_ID)]


@get("/history/word/{word_id:int}", include_in_schema=False)
async def show_word_history(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, word_id: PathID, start: Start = 0
) -> Response[str]:
    """Show the changes to a word, with ways to those of its meanings."""
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
    """Show the changes to a meaning."""
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


async def _history_page(  # noqa: PLR0913, PLR0917 (each is one part of the page)
    request: PageRequest,
    dictionary: GivenDictionary,
    pages: GivenPages,
    name: RecordName,
    start: int,
    values: dict[str, object],
) -> Response[str]:
    editing, catalogue = service_of(request, Editing), await dictionary.catalogue()
    # One more than is shown tells whether there are more.
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


PUBLIC_HISTORY_HANDLERS = (show_word_history, show_idea_history)
