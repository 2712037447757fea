"""The OpenAPI 3.1 document: Litestar's document, completed with problems, security and the constraints of queries."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

from litestar import Litestar
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import (
    Components,
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
    Server,
)
from litestar.routes import HTTPRoute
from litestar.types import ControllerRouterHandler

from abhidhan.app.documentation.plugins import PLUGINS
from abhidhan.app.documentation.schemas import (
    CONFLICT_SCHEMA,
    PROBLEM_SCHEMA,
    SESSION_SCHEME,
    SIDE_SCHEMA,
    TOKEN_SCHEME,
)
from abhidhan.platform.http.authentication import AccessRule, access_rule_of
from abhidhan.platform.http.parameters import NON_BLANK_TEXT, TEXT, UNCHANGED
from abhidhan.platform.http.policies import COOKIE, OLD_PREFIX, policy_of
from abhidhan.platform.http.problem_kinds import PROBLEM_KINDS, PROBLEM_MEDIA_TYPE
from abhidhan.platform.http.request_headers import LINKED_DATA_TYPE
from abhidhan.records.api_tokens import Scope
from abhidhan.records.people import Permission, Role, permits

TITLE: Final = "Abhidhan"
DESCRIPTION: Final = (
    "A dictionary of Assamese and neighbouring languages. All endpoints return UTF-8 JSON. Errors are problem "
    "documents (RFC 9457). A blank parameter counts as omitted; if a parameter is repeated, the last value counts; "
    "unknown parameters are ignored."
)

COMMON_PROBLEMS: Final = (400, 404, 405, 429, 500, 503)
BODY_READ_PROBLEMS: Final = {408, 415}
BODY_PROBLEMS: Final = BODY_READ_PROBLEMS | {507}
IDEMPOTENCY_PROBLEMS: Final = {422}
"""The HTTP statuses of problems: of all operations, of those with a body, and of those with an idempotency key."""

SERVER: Final = Server("/")
OLD_SERVER: Final = Server(OLD_PREFIX, "For programs written for XOBDO: only the endpoints that end in `.php`.")

IDEMPOTENCY_KEY: Final = "Idempotency-Key"
SESSION: Final = "session"
TOKEN: Final = "token"  # noqa: S105  # the name of a scheme
RETRY_STATUSES: Final = {429, 503, 507}
CONFLICT: Final = 409


def describe(
    handlers: Sequence[ControllerRouterHandler], *, version: str, dependencies: Mapping[str, Provide] | None = None
) -> OpenAPI:
    """Return the OpenAPI document of the handlers.

    It is generated from a separate application that never serves: with OpenAPI enabled, Litestar adds a router that
    answers unknown paths next to its own pages without a problem document.
    """
    config = OpenAPIConfig(
        title=TITLE,
        version=version,
        description=DESCRIPTION,
        license=License(name="Apache-2.0", identifier="Apache-2.0"),
        servers=[SERVER, OLD_SERVER],
        security=[{}],
        use_handler_docstrings=True,
    )
    application = Litestar(
        handlers,
        openapi_config=config,
        logging_config=None,
        dependencies=dict(dependencies or {}),
        plugins=PLUGINS,
    )
    document, requirements = application.openapi_schema, access_requirements(application)
    _add_problems(document.components)
    document.components.security_schemes = {SESSION: SESSION_SCHEME, TOKEN: TOKEN_SCHEME}
    for path, method, operation in operations(document):
        _complete(path, method, operation, requirements.get((path, method)))
    return document


AccessRequirement = AccessRule | Literal["anybody"]
"""The access rule of an operation; `anybody` if signing in is optional but changes the response."""


def access_requirements(application: Litestar) -> dict[tuple[str, str], AccessRequirement]:
    """Return the access rules of operations by path and method; public operations have none."""
    handlers = (
        (route.path_format, str(method), handler)
        for route in application.routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        for method in handler.http_methods
    )
    requirements = {(path, method): access_rule_of(handler) for path, method, handler in handlers}
    return {address: requirement for address, requirement in requirements.items() if requirement is not None}


def operations(document: OpenAPI) -> Iterator[tuple[str, str, Operation]]:
    """Yield the operations of a document: path, method in capitals, operation."""
    for path, item in (document.paths or {}).items():
        for method in ("get", "post", "put", "patch", "delete"):
            operation = _operation(item, method)
            if operation is not None:
                yield path, method.upper(), operation


def _operation(item: PathItem, method: str) -> Operation | None:
    operation = getattr(item, method)
    return operation if isinstance(operation, Operation) else None


def parameters_of(operation: Operation) -> list[Parameter]:
    """Return the parameters of an operation."""
    return [each for each in operation.parameters or () if isinstance(each, Parameter)]


def _complete(path: str, method: str, operation: Operation, requirement: AccessRequirement | None) -> None:
    """Add the 304 response, the problems, the security and the constraints of the query to an operation."""
    policy = policy_of(path)
    if not path.endswith(".php"):
        operation.servers = [SERVER]
    of_people = _problems_of_people(method, operation) if policy is COOKIE else _problems_of_body(operation)
    if requirement is not None:
        operation.security = _security(requirement)
        of_people |= {401, 403}
    answers = operation.responses or {}
    responses = {status: answer for status, answer in answers.items() if int(status) not in PROBLEM_KINDS}
    _remove_empty_content(responses)
    success = responses.get("200")
    if policy.default_media_type and isinstance(success, OpenAPIResponse):
        _offer_linked_data(success)
    if method == "GET" and policy.tagged:
        responses["304"] = OpenAPIResponse(description=UNCHANGED[304].description)
    problems = {*COMMON_PROBLEMS, *of_people, *(int(status) for status in answers if status not in responses)}
    responses |= {str(status): _reference(status) for status in sorted(problems)}
    operation.responses = responses
    _allow_no_body(operation)
    for parameter in parameters_of(operation):
        if isinstance(parameter.schema, Schema):
            parameter.schema = _query_schema(parameter.schema, required=parameter.required)


def _offer_linked_data(answer: OpenAPIResponse) -> None:
    """Add linked data as a media type of a response; its own JSON-LD context describes its structure."""
    of_objects = OpenAPIMediaType(schema=Schema(type=OpenAPIType.OBJECT))
    answer.content = {**(answer.content or {}), LINKED_DATA_TYPE: of_objects}


def _problems_of_people(method: str, operation: Operation) -> set[int]:
    """Return the HTTP statuses of the problems of an operation for signed-in users; a GET may come from any site."""
    changing = method != "GET"
    problems = {401, 403} if changing else set()
    problems |= {CONFLICT} if changing else set()
    problems |= BODY_PROBLEMS if operation.request_body else set()
    problems |= IDEMPOTENCY_PROBLEMS if IDEMPOTENCY_KEY in (operation.description or "") else set()
    return problems & PROBLEM_KINDS.keys()


def _problems_of_body(operation: Operation) -> set[int]:
    """Return the HTTP statuses of the problems of an operation whose body, if any, is only read and not stored."""
    return BODY_READ_PROBLEMS if operation.request_body else set()


def _security(requirement: AccessRequirement) -> list[dict[str, list[str]]]:
    """Return the security requirements: roles for sessions, scopes for tokens, `{}` if both are optional."""
    if not isinstance(requirement, AccessRule):
        return [{}, *_security(AccessRule(scopes=tuple(Scope)))]
    by_token = [{TOKEN: [str(scope) for scope in requirement.scopes]}] if requirement.scopes else []
    return [{SESSION: roles_for(requirement.permission)}, *by_token]


def roles_for(permission: Permission | None) -> list[str]:
    """Return the roles with a permission, from the least privileged; all roles without one."""
    return [str(role) for role in Role if permission is None or permits(role, permission)]


def _remove_empty_content(answers: Mapping[str, OpenAPIResponse | Reference]) -> None:
    """Remove the content of a 204 response."""
    answer = answers.get("204")
    if isinstance(answer, OpenAPIResponse):
        answer.content = None


def _allow_no_body(operation: Operation) -> None:
    """Make a nullable body optional instead: clients leave it out rather than send null."""
    if not isinstance(operation.request_body, RequestBody):
        return
    for media in operation.request_body.content.values():
        shapes = media.schema.one_of if isinstance(media.schema, Schema) else None
        non_null = [each for each in shapes or () if not (isinstance(each, Schema) and each.type == OpenAPIType.NULL)]
        if shapes and isinstance(media.schema, Schema) and len(non_null) < len(shapes):
            media.schema.one_of = non_null
            operation.request_body.required = False


def _query_schema(schema: Schema, *, required: bool) -> Schema:
    """Adapt a schema to query parameters, which cannot be null or contain control characters."""
    real = [
        alternative
        for alternative in schema.one_of or ()
        if isinstance(alternative, Schema) and alternative.type != OpenAPIType.NULL
    ]
    if len(real) == 1:
        schema.one_of, schema.type = None, real[0].type
    if schema.type == OpenAPIType.STRING and schema.pattern is None and schema.enum is None:
        schema.pattern = NON_BLANK_TEXT if required else TEXT
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
        headers={"Retry-After": seconds} if status in RETRY_STATUSES else None,
        content={PROBLEM_MEDIA_TYPE: OpenAPIMediaType(schema=Reference(ref=f"#/components/schemas/{schema}"))},
    )
