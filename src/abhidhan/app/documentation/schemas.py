"""Manually written parts of the OpenAPI document: problems, conflicts, the session cookie and tokens."""

from typing import Final

from litestar.openapi.spec import OpenAPIType, Reference, Schema, SecurityScheme

from abhidhan.platform.http.request_headers import SECURE_SESSION_COOKIE, SESSION_COOKIE
from abhidhan.records.api_tokens import TOKEN_PREFIX

SESSION_SCHEME: Final = SecurityScheme(
    type="apiKey",
    security_scheme_in="cookie",
    name=SESSION_COOKIE,
    description=(
        f"The cookie that `POST /api/session` sets; over https its name is `{SECURE_SESSION_COOKIE}`. An operation "
        "that needs it lists the roles that may use it."
    ),
)

TOKEN_SCHEME: Final = SecurityScheme(
    type="http",
    scheme="bearer",
    bearer_format=f"{TOKEN_PREFIX}...",
    description=(
        "A personal token, created on the page `/account/tokens`: `Authorization: Bearer TOKEN`. "
        "An operation that accepts tokens lists the scopes, one of which is needed. A token allows no more than the "
        "role of its owner. Reading needs no token."
    ),
)


PROBLEM_SCHEMA: Final = Schema(
    type=OpenAPIType.OBJECT,
    description="An error (RFC 9457).",
    required=["type", "title", "status", "detail", "instance", "success"],
    properties={
        "type": Schema(
            type=OpenAPIType.STRING, format=None, description="The URL of an explanation of this kind of problem."
        ),
        "title": Schema(type=OpenAPIType.STRING, description="The kind of problem."),
        "status": Schema(type=OpenAPIType.INTEGER, description="The HTTP status."),
        "detail": Schema(type=OpenAPIType.STRING, description="What is wrong, and what is expected."),
        "instance": Schema(type=OpenAPIType.STRING, description="The path of the request."),
        "success": Schema(type=OpenAPIType.BOOLEAN, const=False),
        "errors": Schema(
            type=OpenAPIType.ARRAY,
            description="The invalid parameters.",
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

CONFLICTING_RECORD_SCHEMA: Final = Schema(
    type=OpenAPIType.OBJECT,
    description="A state of a record in a conflict.",
    required=["record", "version", "state"],
    properties={
        "record": Schema(type=OpenAPIType.STRING, description="The record: its kind and ID, such as `word:1204`."),
        "version": Schema(type=OpenAPIType.INTEGER, description="The version to send with a change."),
        "state": Schema(
            type=[OpenAPIType.OBJECT, OpenAPIType.NULL],
            description="What the record contains, as `/api/editing` returns it; null if it is deleted.",
        ),
    },
)
"""The schema of one of the two states of a record in a conflict."""

CONFLICT_SCHEMA: Final = Schema(
    description="A conflict with the current state.",
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
    ],
)
"""The schema of a 409's body: `current` is the stored record, `proposed` the client's change."""
