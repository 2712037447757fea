"""The server and its OpenAPI document agree: schemathesis makes requests of the document, and people of every kind ask.

`make fuzz` does the same for minutes (tests/support/fuzzing.py).
"""

import itertools
from collections.abc import Iterator

import pytest
from schemathesis import GenerationMode

from tests.support.fuzzing import (
    ANONYMOUS,
    DECIDED_BY_DATA,
    LENIENT_OPERATIONS,
    SERVER_SETTINGS,
    VISITORS,
    Fuzzing,
    fuzzing,
)
from tests.support.server import starter_server

pytestmark = [pytest.mark.thorough, pytest.mark.no_cover]
"""A server is started."""

SEED = 20261122
OF_EVERYBODY = 8
OF_PEOPLE = 1
"""Examples of an operation: of those that are for everybody enough to meet every bound of a parameter."""


@pytest.fixture(scope="module")
def fuzz(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fuzzing]:
    """Run a server of our own, to which anything may be done."""
    home = tmp_path_factory.mktemp("fuzzed")
    with starter_server(home / "home", **SERVER_SETTINGS) as server, fuzzing(server, SEED) as fuzz:
        yield fuzz


@pytest.mark.parametrize("mode", GenerationMode)
def test_every_public_answer_is_as_described(fuzz: Fuzzing, mode: GenerationMode) -> None:
    public = [each for each in fuzz.operations if not each.definition.raw.get("security") and each.method == "get"]
    assert len(public) > 8

    for operation in public:
        fuzz.run_operation(operation, ANONYMOUS, mode, 0, OF_EVERYBODY)

    assert not fuzz.findings, "\n\n".join(map(str, fuzz.findings.values()))


def test_every_answer_to_users_is_as_described(fuzz: Fuzzing) -> None:
    of_people = [each for each in fuzz.operations if each.definition.raw.get("security") or each.method != "get"]
    assert len(of_people) > 60

    # Each operation is asked by another visitor in each mode; every visitor asks some of each kind.
    for (operation, mode), visitor in zip(
        itertools.product(of_people, GenerationMode), itertools.cycle(VISITORS), strict=False
    ):
        fuzz.run_operation(operation, visitor, mode, 0, OF_PEOPLE)

    assert not fuzz.findings, "\n\n".join(map(str, fuzz.findings.values()))
    assert {200, 201, 400, 401, 403, 404} <= fuzz.statuses.keys()


def test_every_exception_has_a_reason_and_an_existing_operation(fuzz: Fuzzing) -> None:
    assert all(DECIDED_BY_DATA.values())
    assert LENIENT_OPERATIONS.keys() <= {each.label for each in fuzz.operations}
