"""The OpenAPI 3.1 document of all addresses, and the page made of it on which each can be read and tried."""

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final
from urllib.parse import quote, urlencode

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from litestar import Litestar, MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import (
    Components,
    Example,
    License,
    OpenAPI,
    OpenAPIHeader,
    OpenAPIMediaType,
    OpenAPIResponse,
    OpenAPIType,
    Operation,
    Parameter,
    PathItem,
    Reference,
    RequestBody,
    Schema,
    SecurityScheme,
)
from litestar.routes import HTTPRoute
from litestar.types import ControllerRouterHandler
from markupsafe import Markup

from abhidhan.domain.people import Permission, Role, permits
from abhidhan.errors import InputError, NotFoundError
from abhidhan.web.edge.errors import DOCUMENTATION, PROBLEM_KINDS, PROBLEM_MEDIA_TYPE
from abhidhan.web.edge.middleware import COOKIE, policy_of
from abhidhan.web.edge.routes import EVERY_PARAMETER
from abhidhan.web.pages.assets import asset_address
from abhidhan.web.sessions import COOKIE as COOKIE_NAME
from abhidhan.web.sessions import SECURE_COOKIE, Needs, needed_by

DOCUMENT: Final = "/api/openapi.json"
STYLE: Final = "/api/docs/docs.css"
SCRIPT: Final = "/api/docs/docs.js"
TRY: Final = "/api/docs/try"

TITLE: Final = "Abhidhan"
DESCRIPTION: Final = (
    "A dictionary of Assamese and the languages around it. Every address returns UTF-8 JSON. Errors are problem "
    "documents (RFC 9457). A blank parameter counts as left out; if one is repeated, the last counts; parameters "
    "that an address does not know are ignored."
)

PROBLEMS_EVERYWHERE: Final = (400, 404, 405, 429, 500, 503)
OF_BODIES: Final = {408, 415, 507}
OF_REPEATING: Final = {422}
"""Problems of addresses that take a body, and of those where a repeated request can be named."""

ONCE: Final = "Idempotency-Key"
SESSION: Final = "session"
RETRYING: Final = {429, 503, 507}
CONFLICT: Final = 409

_CONTROL: Final = r"\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f"
TEXT: Final = f"^[^{_CONTROL}]*$"
"""What text in a query may be: anything but control characters, tab and line ends aside."""

SOME_TEXT: Final = rf"^[^{_CONTROL}]*[^\s{_CONTROL}][^{_CONTROL}]*$"
"""The same, and not all of it white space."""

SCRIPTS: Final = (("as", re.compile("[\u0980-\u09ff]")), ("hi", re.compile("[\u0900-\u097f]")))
_PLACE: Final = re.compile(r"\{(\w+)\}")

SESSION_SCHEME: Final = SecurityScheme(
    type="apiKey",
    security_scheme_in="cookie",
    name=COOKIE_NAME,
    description=(
        f"The cookie that `POST /api/session` sets; over https its name is `{SECURE_COOKIE}`. An operation that needs "
        "it lists the roles that may use it."
    ),
)

PROBLEM_SCHEMA: Final = Schema(
    type=OpenAPIType.OBJECT,
    description="What went wrong (RFC 9457).",
    required=["type", "title", "status", "detail", "instance", "success"],
    properties={
        "type": Schema(type=OpenAPIType.STRING, format=None, description="Where this kind of problem is explained."),
        "title": Schema(type=OpenAPIType.STRING, description="The kind of problem."),
        "status": Schema(type=OpenAPIType.INTEGER, description="The HTTP status."),
        "detail": Schema(type=OpenAPIType.STRING, description="What is wrong here, and what would be right."),
        "instance": Schema(type=OpenAPIType.STRING, description="The path that was asked for."),
        "success": Schema(type=OpenAPIType.BOOLEAN, const=False),
        "errors": Schema(
            type=OpenAPIType.ARRAY,
            description="Each parameter that cannot be used.",
            items=Schema(
                type=OpenAPIType.OBJECT,
                required=["parameter", "detail"],
                properties={
                    "parameter": Schema(type=OpenAPIType.STRING),
                    "detail": Schema(type=OpenAPIType.STRING),
                },
            ),
        ),
        "code_required": Schema(
            type=OpenAPIType.BOOLEAN, description="True if the name and password were right, but a code is also needed."
        ),
    },
)

SIDE_SCHEMA: Final = Schema(
    type=OpenAPIType.OBJECT,
    required=["record", "version", "state"],
    properties={
        "record": Schema(type=OpenAPIType.STRING, description="Which record: its kind and ID, such as `word:1204`."),
        "version": Schema(type=OpenAPIType.INTEGER, description="The version to send with a change."),
        "state": Schema(type=OpenAPIType.OBJECT, description="What the record contains, as `/api/editing` returns it."),
    },
)
"""A record as one of two people has it."""

CONFLICT_SCHEMA: Final = Schema(
    all_of=[
        Reference(ref="#/components/schemas/Problem"),
        Schema(
            type=OpenAPIType.OBJECT,
            description="If someone else has changed the record in the meantime, both states are shown.",
            properties={
                "current": Reference(ref="#/components/schemas/ConflictingRecord"),
                "proposed": Reference(ref="#/components/schemas/ConflictingRecord"),
            },
        ),
    ]
)
"""The body of a 409: `current` is what a record holds now, `proposed` what the caller wanted to save."""


# --- the document -------------------------------------------------------------------------------------------------


def describe(
    handlers: Sequence[ControllerRouterHandler], *, version: str, dependencies: Mapping[str, Provide] | None = None
) -> OpenAPI:
    """Make the OpenAPI document of these handlers.

    Litestar makes it of an application that never serves: the router it would add for its own pages answers every
    unknown address beside them in its own way, not with a problem document.
    """
    config = OpenAPIConfig(
        title=TITLE,
        version=version,
        description=DESCRIPTION,
        license=License(name="Apache-2.0", identifier="Apache-2.0"),
        use_handler_docstrings=True,
    )
    application = Litestar(handlers, openapi_config=config, logging_config=None, dependencies=dict(dependencies or {}))
    document, needed = application.openapi_schema, needs_of(application)
    _add_problems(document.components)
    document.components.security_schemes = {SESSION: SESSION_SCHEME}
    for path, method, operation in operations(document):
        _complete(path, method, operation, needed.get((path, method)))
    return document


def needs_of(application: Litestar) -> dict[tuple[str, str], Needs]:
    """Return of each path and method that is not for everybody what one must be and may do."""
    handlers = (
        (route.path_format, str(method), handler)
        for route in application.routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        for method in handler.http_methods
    )
    found = {(path, method): needed_by(handler) for path, method, handler in handlers}
    return {address: needs for address, needs in found.items() if needs is not None}


def operations(document: OpenAPI) -> Iterator[tuple[str, str, Operation]]:
    """List the operations of a document: path, method in capitals, operation."""
    for path, item in (document.paths or {}).items():
        for method in ("get", "post", "put", "patch", "delete"):
            operation = _operation(item, method)
            if operation is not None:
                yield path, method.upper(), operation


def _operation(item: PathItem, method: str) -> Operation | None:
    operation = getattr(item, method)
    return operation if isinstance(operation, Operation) else None


def _parameters(operation: Operation) -> list[Parameter]:
    return [each for each in operation.parameters or () if isinstance(each, Parameter)]


def _complete(path: str, method: str, operation: Operation, needs: Needs | None) -> None:
    """Write into an operation what holds for all: the 304, the problems, who may ask, and what a query can hold."""
    policy = policy_of(path)
    of_people = _problems_of_people(method, operation, needs) if policy is COOKIE else set()
    if needs is not None:
        operation.security = [{SESSION: roles_for(needs.permission)}]
    own = {
        status: answer for status, answer in (operation.responses or {}).items() if not status.startswith(("4", "5"))
    }
    if method == "GET" and policy.tagged:
        own["304"] = OpenAPIResponse(description="Nothing has changed since the answer named in `If-None-Match`.")
    own |= {str(status): _reference(status) for status in sorted((*PROBLEMS_EVERYWHERE, *of_people))}
    operation.responses = own
    _allow_no_body(operation)
    for parameter in _parameters(operation):
        if isinstance(parameter.schema, Schema):
            parameter.schema = _of_query(parameter.schema, required=parameter.required)


def _problems_of_people(method: str, operation: Operation, needs: Needs | None) -> set[int]:
    """List the problems of an address where people do something. What is only read is refused to nobody's site."""
    changing = method != "GET"
    found = {401} if needs or changing else set()
    found |= {403} if changing or (needs and needs.permission) else set()
    found |= {CONFLICT} if changing else set()
    found |= OF_BODIES if operation.request_body else set()
    found |= OF_REPEATING if ONCE in (operation.description or "") else set()
    return found & PROBLEM_KINDS.keys()


def roles_for(permission: Permission | None) -> list[str]:
    """List the roles that may do something, from the one who may least."""
    return [str(role) for role in Role if permission is None or permits(role, permission)]


def _allow_no_body(operation: Operation) -> None:
    """Say of a body that may be null that it may be left out: nobody sends a null."""
    if not isinstance(operation.request_body, RequestBody):
        return
    for media in operation.request_body.content.values():
        shapes = media.schema.one_of if isinstance(media.schema, Schema) else None
        left = [each for each in shapes or () if not (isinstance(each, Schema) and each.type == OpenAPIType.NULL)]
        if shapes and isinstance(media.schema, Schema) and len(left) < len(shapes):
            media.schema.one_of = left
            operation.request_body.required = False


def _of_query(schema: Schema, *, required: bool) -> Schema:
    """Say what can stand in a query: there is no null in it (that is an absent parameter), and no control character."""
    real = [each for each in schema.one_of or () if isinstance(each, Schema) and each.type != OpenAPIType.NULL]
    if len(real) == 1:
        schema.one_of, schema.type = None, real[0].type
    if schema.type == OpenAPIType.STRING and schema.pattern is None and schema.enum is None:
        schema.pattern = SOME_TEXT if required else TEXT
    return schema


def _reference(status: int) -> Reference:
    return Reference(ref=f"#/components/responses/Problem{status}")


def _add_problems(components: Components) -> None:
    components.schemas |= {
        "Problem": PROBLEM_SCHEMA,
        "ConflictingRecord": SIDE_SCHEMA,
        "Conflict": CONFLICT_SCHEMA,
    }
    components.responses = {f"Problem{status}": _problem_answer(status) for status in PROBLEM_KINDS}


def _problem_answer(status: int) -> OpenAPIResponse:
    kind = PROBLEM_KINDS[status]
    schema = "Conflict" if status == CONFLICT else "Problem"
    seconds = OpenAPIHeader(schema=Schema(type=OpenAPIType.INTEGER), description="Seconds to wait before trying again.")
    return OpenAPIResponse(
        description=kind.title,
        headers={"Retry-After": seconds} if status in RETRYING else None,
        content={PROBLEM_MEDIA_TYPE: OpenAPIMediaType(schema=Reference(ref=f"#/components/schemas/{schema}"))},
    )


# --- the page -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Field:
    """One parameter as the page shows it, with the value its form begins with."""

    name: str
    place: str
    required: bool
    description: str
    requirement: str
    default: str
    examples: tuple[str, ...]

    @property
    def prefilled(self) -> str:
        """The value the form begins with: an example where one must be given, else the field is left blank."""
        return self.examples[0] if self.required and self.examples else ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One operation as the page shows it."""

    anchor: str
    method: str
    path: str
    summary: str
    description: str
    tag: str
    fields: tuple[Field, ...]
    statuses: tuple[int, ...]

    @property
    def action(self) -> str:
        """Where the form leads: to the address itself, or to the one that fills in its path."""
        return TRY if _PLACE.search(self.path) else self.path

    @property
    def tryable(self) -> bool:
        """Whether a plain form can ask it."""
        return self.method == "GET"


def entries_of(document: OpenAPI) -> list[Entry]:
    """List the operations as the page shows them, in the order of the document."""
    return [_entry(path, method, operation) for path, method, operation in operations(document)]


def _entry(path: str, method: str, operation: Operation) -> Entry:
    statuses = (int(status) for status in operation.responses or {} if status.isdigit())
    return Entry(
        anchor=re.sub(r"[^a-z0-9]+", "-", f"{method}{path}".lower()).strip("-"),
        method=method,
        path=path,
        summary=operation.summary or path,
        description=operation.description or "",
        tag=(operation.tags or ["Other"])[0],
        fields=tuple(_field(parameter) for parameter in _parameters(operation)),
        statuses=tuple(sorted(statuses)),
    )


def _field(parameter: Parameter) -> Field:
    schema = parameter.schema if isinstance(parameter.schema, Schema) else Schema()
    examples = (parameter.examples or {}).values()
    return Field(
        name=parameter.name,
        place=str(parameter.param_in),
        required=parameter.required,
        description=parameter.description or "",
        requirement=_requirement(schema),
        default="" if schema.default is None else str(schema.default).replace("True", "true").replace("False", "false"),
        examples=tuple(str(example.value) for example in examples if isinstance(example, Example)),
    )


def _requirement(schema: Schema) -> str:
    if schema.enum:
        return "one of " + ", ".join(str(value) for value in schema.enum)
    if schema.type == OpenAPIType.INTEGER:
        return "a whole number" + (f" of at least {schema.minimum:g}" if schema.minimum is not None else "")
    if schema.type == OpenAPIType.BOOLEAN:
        return "true, 1, false or 0"
    return f"text of at most {schema.max_length:,} characters" if schema.max_length else ""


def language_of(text: str) -> str:
    """Return the `lang` of an example by its letters; nothing for Latin ones, which the page's own language covers."""
    return next((language for language, letters in SCRIPTS if letters.search(text)), "")


def with_code(text: str) -> Markup:
    """Set what stands between backticks as code. Everything else is escaped."""
    pieces = text.split("`")
    return Markup().join(Markup("<code>{}</code>").format(each) if at % 2 else each for at, each in enumerate(pieces))


def page_of(document: OpenAPI) -> bytes:
    """Write the page."""
    environment = Environment(
        loader=PackageLoader("abhidhan.web"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters["code"] = with_code
    environment.globals |= {"language_of": language_of, "asset": asset_address}
    entries = entries_of(document)
    return (
        environment.get_template("docs.html")
        .render(
            info=document.info,
            sections={
                tag: [each for each in entries if each.tag == tag] for tag in dict.fromkeys(e.tag for e in entries)
            },
            problems=PROBLEM_KINDS,
            document=DOCUMENT,
            style=STYLE,
            script=SCRIPT,
        )
        .encode()
    )


# --- the addresses ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Documentation:
    """What is made of an OpenAPI document: ready to send, and the addresses that the page can ask."""

    document: bytes
    page: bytes
    to_try: frozenset[str]


def written(document: OpenAPI) -> Documentation:
    """Write everything that is made of a document. It takes half a second."""
    return Documentation(
        msgspec.json.encode(document.to_schema()),
        page_of(document),
        frozenset(path for path, method, _ in operations(document) if method == "GET"),
    )


def documentation_handlers(documentation: Callable[[], Documentation]) -> list[HTTPRouteHandler]:
    """Make `/api/openapi.json`, `/api/docs` and what the page needs.

    `documentation` is called in a thread at every request, and so should remember what it wrote.
    """
    static = files("abhidhan.web") / "static"
    return [
        _answering(DOCUMENT, MediaType.JSON, lambda: documentation().document),
        _answering(DOCUMENTATION, "text/html", lambda: documentation().page),
        _answering(STYLE, "text/css", (static / "docs.css").read_bytes),
        _answering(SCRIPT, "text/javascript", (static / "docs.js").read_bytes),
        _try_handler(lambda: documentation().to_try),
    ]


def _answering(path: str, media_type: str, body: Callable[[], bytes]) -> HTTPRouteHandler:
    @get(path, include_in_schema=False, name=path)
    async def ready_made() -> Response[bytes]:
        return Response(await asyncio.to_thread(body), media_type=media_type)

    return ready_made


def _try_handler(known: Callable[[], frozenset[str]]) -> HTTPRouteHandler:
    @get(TRY, include_in_schema=False, opt={EVERY_PARAMETER: True})
    async def fill_in(request: Request[object, object, State]) -> Response[None]:
        """Lead the form of an address with a parameter in its path to the real address."""
        address = filled_in(await asyncio.to_thread(known), dict(request.query_params))
        return Response(None, status_code=303, headers={"Location": address})

    return fill_in


def filled_in(known: frozenset[str], values: Mapping[str, str]) -> str:
    """Write the address that a form means: its path template is in `address`. Raises NotFoundError, InputError."""
    template = values.get("address", "")
    if template not in known:
        raise NotFoundError("There is no such address to try.")
    places = _PLACE.findall(template)
    if missing := [place for place in places if not values.get(place)]:
        raise InputError.of(missing[0], f"`{missing[0]}` is missing.")
    path = _PLACE.sub(lambda found: quote(values[found[1]], safe=""), template)
    rest = {name: value for name, value in values.items() if name not in {"address", *places}}
    return path + ("?" + urlencode(rest) if rest else "")
