"""The server and its OpenAPI document agree: schemathesis makes requests of the document and checks the answers."""

from typing import Any, Final

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, CheckContext, GenerationMode, Response
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.support.server import RunningServer

EXAMPLES: Final = {GenerationMode.POSITIVE: 10, GenerationMode.NEGATIVE: 8}
"""Requests for each operation; enough to meet every bound of a parameter, and quick."""

OF_PEOPLE: Final = r"^/api/(account|session|photos|submissions|submit-foto|invitations|reports|editing|people|dic-wiki)"
"""Addresses that need somebody signed in, or another site: each has its own tests."""

DECIDED_BY_DATA: Final = {
    "l",
    "lang",
    "langs",
    "language",
    "p",
    "end",
    "w",
    "words",
    "pa",
    "since",
    "context",
    "pos",
    "category",
    "q",
    "date",
}
"""Parameters whose values a schema cannot tell right from wrong: which languages there are, what is before what,
which token was given."""


def refuse_only_what_data_decides(_: CheckContext, response: Response, case: Case[Any]) -> None:
    """Let a request that is as described be refused for its meaning only."""
    if response.status_code == httpx2.codes.BAD_REQUEST and case.meta and case.meta.generation.mode.is_positive:
        named = {each["parameter"] for each in response.json()["errors"]}
        assert named <= DECIDED_BY_DATA, response.text


def refuse_what_is_not_as_described(context: CheckContext, response: Response, case: Case[Any]) -> bool | None:
    """Refuse what breaks the description, but for a blank value, which counts as left out."""
    blank = any(not str(value).strip() for value in (case.query or {}).values())
    return None if blank else negative_data_rejection(context, response, case)


CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    refuse_what_is_not_as_described,
    refuse_only_what_data_decides,
]


@pytest.mark.no_cover
@pytest.mark.parametrize("mode", GenerationMode)
def test_every_answer_is_as_described(server: RunningServer, mode: GenerationMode) -> None:
    address = f"http://127.0.0.1:{server.port}/api/openapi.json"
    schema = schemathesis.openapi.from_url(address).exclude(path_regex=OF_PEOPLE)
    asked = set()
    for each in schema.get_all_operations():
        assert isinstance(each, Ok), each
        operation = each.ok()
        if mode is GenerationMode.NEGATIVE and not (operation.query or operation.path_parameters):
            continue

        @settings(
            max_examples=EXAMPLES[mode],
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def check(case: Case[Any]) -> None:
            case.call_and_validate(checks=CHECKS)

        check()
        asked.add(operation.path)
    assert len(asked) > 8
