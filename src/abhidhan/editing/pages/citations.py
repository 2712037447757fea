"""Citations of a sense: a page with all formats, and a file in each format."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Annotated, Final, NamedTuple

from litestar import Response, get
from litestar.params import FromQuery, PathParameter, QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.model.citations import Citation, format_bibtex, format_csl, format_ris, format_text
from abhidhan.dictionary.pages.words import PERMALINK_STATUS, permalink_target, sense_permalink
from abhidhan.dictionary.service.permalinks import CitedSense, read_cited_sense
from abhidhan.editing.service.editing import Editing
from abhidhan.editing.service.history import RevisionView, build_sense_permalink
from abhidhan.platform.http.labels import format_iso_day
from abhidhan.platform.http.parameters import PathID
from abhidhan.platform.http.rendering import PageRequest, PagesDep, redirect_to
from abhidhan.platform.http.services import get_service
from abhidhan.platform.http.urls import add_query, build_absolute_url
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.ids import MAX_ID

MAX_CREDITED_CHANGES: Final = 50
"""Maximum number of changes per record, newest first, whose authors are credited."""

VersionParam = Annotated[int | None, QueryParameter(ge=0, le=MAX_ID)]


class CitationFormat(NamedTuple):
    """A citation format: its name, file extension, media type, and formatter."""

    name: str
    ending: str
    media_type: str
    format: Callable[[Citation], str]


CITATION_FORMATS: Final = (
    CitationFormat("BibTeX", "bib", "application/x-bibtex", format_bibtex),
    CitationFormat("RIS", "ris", "application/x-research-info-systems", format_ris),
    CitationFormat("CSL-JSON", "json", "application/vnd.citationstyles.csl+json", format_csl),
)
FORMATS_BY_EXTENSION: Final[Mapping[str, CitationFormat]] = {form.ending: form for form in CITATION_FORMATS}


@get("/cite/{sense_id:int}", include_in_schema=False)
async def show_citation(  # noqa: PLR0913 (query parameters and injected dependencies)
    *,
    request: PageRequest,
    dictionary: DictionaryDep,
    pages: PagesDep,
    sense_id: PathID,
    version: VersionParam = None,
    part: FromQuery[str] = "",
) -> Response[str]:
    """Show the citation of a sense; with `version`, also whether the sense has changed since.

    With `part`, return the fragment that a script inserts into the word page.
    """
    sense = await dictionary.read(read_cited_sense, sense_id)
    cited = await _build_citation(request, pages, sense)
    values = {
        "sense": sense,
        "cited": cited,
        "text": format_text(cited),
        "forms": [(form, form.format(cited)) for form in CITATION_FORMATS],
        "since": version if version is not None and version < cited.version else None,
        "part": part,
    }
    return pages.show(request, "cite.html", values)


@get("/cite/{sense_id:int}/{name:str}", include_in_schema=False)
async def read_citation(
    request: PageRequest,
    dictionary: DictionaryDep,
    pages: PagesDep,
    sense_id: PathID,
    name: Annotated[str, PathParameter()],
) -> Response[str]:
    """Return the citation of a sense as a file for reference managers: `.bib`, `.ris` or `.json`."""
    form = FORMATS_BY_EXTENSION.get(name.rpartition(".")[2])
    if form is None:
        raise NotFoundError(sentence("There is no such file."))
    cited = await _build_citation(request, pages, await dictionary.read(read_cited_sense, sense_id))
    headers = {"Content-Disposition": f'attachment; filename="{cited.name}.{form.ending}"'}
    return Response(form.format(cited), media_type=f"{form.media_type}; charset=utf-8", headers=headers)


@get("/sense/{sense_id:int}", include_in_schema=False)
async def redirect_to_sense(
    request: PageRequest, dictionary: DictionaryDep, sense_id: PathID, version: VersionParam = None
) -> Response[str]:
    """Redirect from the permanent URL of a sense to the page that currently shows it.

    If `version` is older than the newest change, redirect to the citation page, which says that it has changed.
    """
    permalink = await dictionary.read(build_sense_permalink, sense_id)
    if version is not None and permalink.idea_id:
        newest = _get_newest(await _list_revisions(request, await dictionary.read(read_cited_sense, sense_id)))
        if newest is not None and version < newest.id:
            return redirect_to(add_query(f"/cite/{sense_id}", version=str(version)), PERMALINK_STATUS)
    return redirect_to(permalink_target(permalink), PERMALINK_STATUS)


async def _build_citation(request: PageRequest, pages: PagesDep, sense: CitedSense) -> Citation:
    revisions = await _list_revisions(request, sense)
    newest = _get_newest(revisions)
    version = newest.id if newest else 0
    return Citation(
        sense_id=sense.id,
        headword=sense.word.word,
        language=sense.language.name,
        code=sense.language.code,
        gloss=sense.gloss,
        address=build_absolute_url(pages.get_base_url(request), f"{sense_permalink(sense.id)}?version={version}"),
        version=version,
        changed=format_iso_day(newest.at if newest else sense.added),
        accessed=datetime.now(UTC).date().isoformat(),
        contributors=_list_authors(revisions),
        source=sense.source,
        licence=sense.licence,
    )


async def _list_revisions(request: PageRequest, sense: CitedSense) -> list[RevisionView]:
    """Return the changes of a sense, newest first."""
    editing = get_service(request, Editing)
    revisions = [
        revision for name in sense.records for revision in await editing.list_history(name, MAX_CREDITED_CHANGES)
    ]
    return sorted({revision.id: revision for revision in revisions}.values(), key=lambda revision: -revision.id)


def _get_newest(revisions: list[RevisionView]) -> RevisionView | None:
    return revisions[0] if revisions else None


def _list_authors(revisions: Iterable[RevisionView]) -> tuple[str, ...]:
    """Return the authors of the changes as in the public history: each contributor before the reviewer."""
    names = (name for revision in revisions for name in (revision.contributor, revision.person) if name)
    return tuple(dict.fromkeys(names))


CITATION_HANDLERS = (show_citation, read_citation, redirect_to_sense)
