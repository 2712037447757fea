"""The OpenAPI 3.1 document: Litestar's document, completed with problems, security and the constraints of queries."""

import inspect
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
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
    CONFLICTING_RECORD_SCHEMA,
    PROBLEM_SCHEMA,
    SESSION_SCHEME,
    TOKEN_SCHEME,
)
from abhidhan.platform.http.authentication import AccessRule, get_access_rule
from abhidhan.platform.http.parameters import (
    MAX_IDEMPOTENCY_KEY_LENGTH,
    NON_BLANK_TEXT_PATTERN,
    NOT_MODIFIED_RESPONSE,
    TEXT_PATTERN,
)
from abhidhan.platform.http.policies import OLD_PREFIX, USER_POLICY, get_policy
from abhidhan.platform.http.problem_kinds import PROBLEM_KINDS, PROBLEM_MEDIA_TYPE
from abhidhan.platform.http.request_headers import LINKED_DATA_TYPE
from abhidhan.records.api_tokens import Scope
from abhidhan.records.people import Permission, Role, has_permission

TITLE: Final = "Abhidhan"
DESCRIPTION: Final = (
    "A dictionary of Assamese and neighbouring languages. Responses are UTF-8 JSON, except photos and recordings. "
    "Errors are problem documents (RFC 9457). A blank parameter counts as omitted; if a parameter is repeated, the "
    "last value counts; unknown parameters are ignored."
)

COMMON_PROBLEM_STATUSES: Final = (400, 404, 405, 429, 500, 503)
BODY_READ_PROBLEM_STATUSES: Final = {408, 415}
WRITE_PROBLEM_STATUSES: Final = {401, 403, 409, 507}
IDEMPOTENCY_PROBLEM_STATUSES: Final = {422}
"""The statuses of problems: of all operations, of those with a body, that write, and that have an idempotency key."""

SUCCESS_DESCRIPTIONS: Final = {"200": "Success.", "201": "Created.", "204": "Success; the response has no body."}

SERVER: Final = Server("/")
OLD_SERVER: Final = Server(OLD_PREFIX, "For programs written for XOBDO: only the endpoints that end in `.php`.")

IDEMPOTENCY_KEY: Final = "Idempotency-Key"
REQUEST_HEADERS: Final = (
    Parameter(
        IDEMPOTENCY_KEY,
        "header",
        Schema(type=OpenAPIType.STRING, max_length=MAX_IDEMPOTENCY_KEY_LENGTH),
        description="A new key of your choice for each submission.",
    ),
    Parameter(
        "If-Match",
        "header",
        Schema(type=OpenAPIType.STRING),
        description="`*`, or the `ETag` of the lists that you have read.",
    ),
)
"""Request headers, which belong to the operations whose description mentions them."""

SESSION_SCHEME_NAME: Final = "session"
TOKEN_SCHEME_NAME: Final = "token"  # noqa: S105  # the name of a scheme
RETRY_STATUSES: Final = {429, 503, 507}
CONFLICT_STATUS: Final = 409


def describe_handlers(
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
    document, requirements = application.openapi_schema, collect_access_requirements(application)
    _add_problems(document.components)
    _remove_indentation(document.components)
    document.components.security_schemes = {SESSION_SCHEME_NAME: SESSION_SCHEME, TOKEN_SCHEME_NAME: TOKEN_SCHEME}
    for path, method, operation in iter_operations(document):
        _complete_operation(path, method, operation, requirements.get((path, method)))
    return document


AccessRequirement = AccessRule | Literal["anybody"]
"""The access rule of an operation; `anybody` if signing in is optional but changes the response."""


def collect_access_requirements(application: Litestar) -> dict[tuple[str, str], AccessRequirement]:
    """Return the access rules of operations by path and method; public operations have none."""
    handlers = (
        (route.path_format, str(method), handler)
        for route in application.routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        for method in handler.http_methods
    )
    requirements = {(path, method): get_access_rule(handler) for path, method, handler in handlers}
    return {address: requirement for address, requirement in requirements.items() if requirement is not None}


def iter_operations(document: OpenAPI) -> Iterator[tuple[str, str, Operation]]:
    """Yield the operations of a document: path, method in capitals, operation."""
    for path, item in (document.paths or {}).items():
        for method in ("get", "post", "put", "patch", "delete"):
            operation = _get_operation(item, method)
            if operation is not None:
                yield path, method.upper(), operation


def _get_operation(item: PathItem, method: str) -> Operation | None:
    operation = getattr(item, method)
    return operation if isinstance(operation, Operation) else None


def get_parameters(operation: Operation) -> list[Parameter]:
    """Return the parameters of an operation."""
    return [each for each in operation.parameters or () if isinstance(each, Parameter)]


def _complete_operation(path: str, method: str, operation: Operation, requirement: AccessRequirement | None) -> None:
    """Add the 304 response, the problems, security, request headers and constraints of the query to an operation."""
    policy = get_policy(path)
    if not path.endswith(".php"):
        operation.servers = [SERVER]
    extra_statuses = (
        _signed_in_problem_statuses(method, operation)
        if policy is USER_POLICY
        else _body_read_problem_statuses(operation)
    )
    if requirement is not None:
        operation.security = _security(requirement)
        extra_statuses |= {401, 403}
    answers = operation.responses or {}
    responses = {status: answer for status, answer in answers.items() if int(status) not in PROBLEM_KINDS}
    _remove_empty_content(responses)
    _describe_success(responses)
    success = responses.get("200")
    if policy.default_media_type and isinstance(success, OpenAPIResponse):
        _offer_linked_data(success)
    if method == "GET" and policy.has_etag:
        responses["304"] = OpenAPIResponse(description=NOT_MODIFIED_RESPONSE[304].description)
    problems = {
        *COMMON_PROBLEM_STATUSES,
        *extra_statuses,
        *(int(status) for status in answers if status not in responses),
    }
    responses |= {str(status): _problem_reference(status) for status in sorted(problems)}
    operation.responses = responses
    _make_body_optional(operation)
    for parameter in get_parameters(operation):
        if isinstance(parameter.schema, Schema):
            parameter.schema = _adapt_query_schema(parameter.schema, required=parameter.required)
    headers = [header for header in REQUEST_HEADERS if f"`{header.name}" in (operation.description or "")]
    operation.parameters = [*(operation.parameters or ()), *headers] or None


def _offer_linked_data(response: OpenAPIResponse) -> None:
    """Add linked data as a media type of a response; its own JSON-LD context describes its structure."""
    object_media_type = OpenAPIMediaType(schema=Schema(type=OpenAPIType.OBJECT))
    response.content = {**(response.content or {}), LINKED_DATA_TYPE: object_media_type}


def _signed_in_problem_statuses(method: str, operation: Operation) -> set[int]:
    """Return the HTTP statuses of the problems of an operation for signed-in users; a GET may come from any site."""
    problems = set(WRITE_PROBLEM_STATUSES) if method != "GET" else set()
    problems |= _body_read_problem_statuses(operation)
    problems |= IDEMPOTENCY_PROBLEM_STATUSES if IDEMPOTENCY_KEY in (operation.description or "") else set()
    return problems & PROBLEM_KINDS.keys()


def _body_read_problem_statuses(operation: Operation) -> set[int]:
    """Return the HTTP statuses of the problems of an operation whose body, if any, is only read and not stored."""
    return BODY_READ_PROBLEM_STATUSES if operation.request_body else set()


def _security(requirement: AccessRequirement) -> list[dict[str, list[str]]]:
    """Return the security requirements: roles for sessions, scopes for tokens, `{}` if both are optional."""
    if not isinstance(requirement, AccessRule):
        return [{}, *_security(AccessRule(scopes=tuple(Scope)))]
    by_token = [{TOKEN_SCHEME_NAME: [str(scope) for scope in requirement.scopes]}] if requirement.scopes else []
    return [{SESSION_SCHEME_NAME: list_roles(requirement.permission)}, *by_token]


def list_roles(permission: Permission | None) -> list[str]:
    """Return the roles with a permission, from the least privileged; all roles without one."""
    return [str(role) for role in Role if permission is None or has_permission(role, permission)]


def _remove_empty_content(responses: Mapping[str, OpenAPIResponse | Reference]) -> None:
    """Remove the content of a 204 response."""
    response = responses.get("204")
    if isinstance(response, OpenAPIResponse):
        response.content = None


def _describe_success(responses: Mapping[str, OpenAPIResponse | Reference]) -> None:
    """Replace the default descriptions of successful responses, which are those of Python's `HTTPStatus`."""
    for status, description in SUCCESS_DESCRIPTIONS.items():
        response = responses.get(status)
        if isinstance(response, OpenAPIResponse) and response.description == HTTPStatus(int(status)).description:
            response.description = description


def _make_body_optional(operation: Operation) -> None:
    """Mark a nullable body as optional: clients omit it rather than send null."""
    if not isinstance(operation.request_body, RequestBody):
        return
    for media in operation.request_body.content.values():
        alternatives = media.schema.one_of if isinstance(media.schema, Schema) else None
        non_null = [
            each for each in alternatives or () if not (isinstance(each, Schema) and each.type == OpenAPIType.NULL)
        ]
        if alternatives and isinstance(media.schema, Schema) and len(non_null) < len(alternatives):
            media.schema.one_of = non_null
            operation.request_body.required = False


def _adapt_query_schema(schema: Schema, *, required: bool) -> Schema:
    """Adapt a schema to query parameters, which cannot be null or contain control characters."""
    non_null = [
        alternative
        for alternative in schema.one_of or ()
        if isinstance(alternative, Schema) and alternative.type != OpenAPIType.NULL
    ]
    if len(non_null) == 1:
        schema.one_of, schema.type = None, non_null[0].type
    if schema.type == OpenAPIType.STRING and schema.pattern is None and schema.enum is None:
        schema.pattern = NON_BLANK_TEXT_PATTERN if required else TEXT_PATTERN
    return schema


def _problem_reference(status: int) -> Reference:
    return Reference(ref=f"#/components/responses/Problem{status}")


def _remove_indentation(components: Components) -> None:
    """Remove the indentation of docstrings from the descriptions of schemas."""
    for schema in components.schemas.values():
        schema.description = inspect.cleandoc(schema.description) if schema.description else None


def _add_problems(components: Components) -> None:
    components.schemas |= {
        "Problem": PROBLEM_SCHEMA,
        "ConflictingRecord": CONFLICTING_RECORD_SCHEMA,
        "Conflict": CONFLICT_SCHEMA,
    }
    components.responses = {f"Problem{status}": _build_problem_response(status) for status in PROBLEM_KINDS}


def _build_problem_response(status: int) -> OpenAPIResponse:
    kind = PROBLEM_KINDS[status]
    schema = "Conflict" if status == CONFLICT_STATUS else "Problem"
    seconds = OpenAPIHeader(schema=Schema(type=OpenAPIType.INTEGER), description="Seconds to wait before trying again.")
    return OpenAPIResponse(
        description=kind.title,
        headers={"Retry-After": seconds} if status in RETRY_STATUSES else None,
        content={PROBLEM_MEDIA_TYPE: OpenAPIMediaType(schema=Reference(ref=f"#/components/schemas/{schema}"))},
    )
